package pathprof

// This file measures numbering and planning of one large function; time should grow
// with the number of blocks.

import (
	"fmt"
	"testing"

	"pathspan/ir/flow"
)

// ladder returns a function of about n blocks: a chain of loops, each a diamond
// with an inner loop in one arm.
//
//	h: -> a, exit;  a: -> b, c;  b: -> b, d;  c: -> d;  d: -> h
func ladder(n int) [][]int {
	var g [][]int
	for len(g) < n {
		h := len(g)
		g = append(g, []int{h + 1, h + 5}, []int{h + 2, h + 3}, []int{h + 2, h + 4}, []int{h + 4}, []int{h})
	}
	return append(g, nil)
}

// diamonds returns a function of about n blocks without a loop.
func diamonds(n int) [][]int {
	var g [][]int
	for len(g) < n {
		h := len(g)
		g = append(g, []int{h + 1, h + 2}, []int{h + 3}, []int{h + 3})
	}
	return append(g, nil)
}

// dispatch returns an interpreter's loop: a switch over n cases.
func dispatch(n int) [][]int {
	g := [][]int{{1}, nil}
	for i := range n {
		g[1] = append(g[1], 2+i)
		g = append(g, []int{1})
	}
	g[1] = append(g[1], n+2)
	return append(g, nil)
}

func BenchmarkNumber(b *testing.B) {
	for _, shape := range []struct {
		name string
		make func(int) [][]int
	}{{"ladder", ladder}, {"diamonds", diamonds}, {"dispatch", dispatch}} {
		for _, n := range []int{1000, 10000, 40000} {
			b.Run(fmt.Sprintf("%s-%d", shape.name, n), func(b *testing.B) {
				c := flow.AnalyzeGraph(shape.make(n))
				b.ResetTimer()
				for range b.N {
					var p Planner
					p.Add(0, Number(Request{CFG: c}), func(int) bool { return false }, &leaving{})
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/block")
			})
		}
	}
}
