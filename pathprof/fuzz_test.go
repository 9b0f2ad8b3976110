package pathprof

// This file lets the fuzzer choose graphs and walks for the numbering.

import (
	"math/rand"
	"testing"

	"pathspan/ir/flow"
)

// FuzzNumber numbers a graph made of the input: each byte gives a block two
// successors. Walks counted by the probes must equal walks counted by brute force.
func FuzzNumber(f *testing.F) {
	f.Add([]byte{0x12, 0x34, 0x21, 0x40, 0xff}, byte(0))
	f.Add([]byte{0x11, 0x22, 0x33, 0x12, 0x13, 0xf0}, byte(1))
	f.Add([]byte{0x21, 0x32, 0x12, 0x13, 0x31}, byte(3)) // irreducible
	f.Fuzz(func(t *testing.T, data []byte, how byte) {
		if len(data) < 2 || len(data) > 40 {
			t.Skip()
		}
		n := len(data)
		g := make([][]int, n)
		for b, x := range data {
			for _, s := range []int{int(x & 15), int(x >> 4)} {
				if s != 15 { // none
					g[b] = append(g[b], 1+(b+s)%(n-1))
				}
			}
		}
		lim := []Limits{{}, {Array: 8}, {Array: 4, Node: 16}, {Array: 2, Node: 4}}[how%4]
		checkWalks(t, rand.New(rand.NewSource(int64(how))), Request{CFG: flow.AnalyzeGraph(g), Limits: lim})
	})
}
