package flow

// This file measures functions of 20,000 blocks and more.

import (
	"fmt"
	"math/rand"
	"testing"
)

// chain returns a straight line with a branch around every third block.
func chain(n int) [][]int {
	succs := make([][]int, n)
	for b := range n - 1 {
		succs[b] = append(succs[b], b+1)
		if b%3 == 0 && b+2 < n {
			succs[b] = append(succs[b], b+2)
		}
	}
	return succs
}

// nest returns n/2 loops, each inside the one before: headers first, latches
// after them.
func nest(n int) [][]int {
	succs := make([][]int, n)
	for b := range n - 1 {
		succs[b] = append(succs[b], b+1)
		if header := n - 1 - b; header < b {
			succs[b] = append(succs[b], header)
		}
	}
	return succs
}

// bigSwitch returns a loop around a switch of n-4 cases.
func bigSwitch(n int) [][]int {
	succs := make([][]int, n)
	latch, exit := n-2, n-1
	succs[0] = []int{1}
	for b := 2; b < latch; b++ {
		succs[1] = append(succs[1], b)
		succs[b] = []int{latch}
	}
	succs[latch] = []int{1, exit}
	return succs
}

// fallThrough returns a switch whose cases fall through: about n*n/2
// dependences.
func fallThrough(n int) [][]int {
	succs := make([][]int, n)
	for b := range n - 1 {
		if b > 0 {
			succs[b] = []int{b + 1}
		}
		succs[0] = append(succs[0], b+1)
	}
	return succs
}

// ladder returns an irreducible loop of two rails with an edge at every rung.
func ladder(n int) [][]int {
	succs := make([][]int, n)
	for b := range n - 2 {
		succs[b] = []int{b + 1, b + 2}
		if b > 0 {
			succs[b+1] = append(succs[b+1], b)
		}
	}
	succs[n-2] = []int{1, n - 1}
	return succs
}

var shapes = []struct {
	name string
	make func(n int) [][]int
}{
	{"chain", chain},
	{"nest", nest},
	{"switch", bigSwitch},
	{"fallthrough", fallThrough},
	{"ladder", ladder},
	{"random", func(n int) [][]int { return arbitrary(rand.New(rand.NewSource(1)), n, 3*n/2) }},
	{"reducible", func(n int) [][]int { return reducible(rand.New(rand.NewSource(1)), n) }},
}

// TestLargeGraphs checks graphs on which anything quadratic would be felt.
func TestLargeGraphs(t *testing.T) {
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			n := 3000
			if s.name == "nest" {
				n = 600 // the checker takes edges times depth
			}
			if err := AnalyzeGraph(s.make(n)).Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func BenchmarkAnalyze(b *testing.B) {
	for _, s := range shapes {
		for _, n := range []int{20_000, 100_000} {
			succs := s.make(n)
			b.Run(fmt.Sprintf("%s/%d", s.name, n), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					AnalyzeGraph(succs)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/block")
			})
		}
	}
	small := literals[0].succs
	b.Run("figure 3", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			AnalyzeGraph(small)
		}
	})
}
