package flow

// This file fuzzes the analyses against the definitions.

import (
	"math/rand"
	"testing"

	"pathspan/ir"
	"pathspan/testdata/forge"
)

// FuzzAnalyzeModule changes lines and words of modules: what can be read of them keeps the
// invariants of the analysis.
func FuzzAnalyzeModule(f *testing.F) {
	texts := forge.Seeds(f, 20, "../asm/testdata/*.ll", "../../build/openmp/testdata/seeds/*.ll")
	f.Fuzz(func(t *testing.T, which byte, data []byte) {
		p, err := ir.Read(forge.Lines(texts[int(which)%len(texts)], data))
		if err != nil {
			return
		}
		for _, fn := range p.Funcs {
			if len(fn.Blocks) == 0 {
				continue
			}
			if err := Analyze(fn).Check(); err != nil {
				t.Errorf("%s: %v", fn.Name, err)
			}
		}
	})
}

// decode reads a graph: the number of blocks, then pairs of source and target.
func decode(data []byte) [][]int {
	n := 1
	if len(data) > 0 {
		n += int(data[0]) % 20
		data = data[1:]
	}
	succs := make([][]int, n)
	for ; len(data) >= 2; data = data[2:] {
		u := int(data[0]) % n
		succs[u] = append(succs[u], int(data[1])%n)
	}
	return succs
}

// encode is the inverse of decode.
func encode(succs [][]int) []byte {
	data := []byte{byte(len(succs) - 1)}
	for u, ss := range succs {
		for _, w := range ss {
			data = append(data, byte(u), byte(w))
		}
	}
	return data
}

func FuzzAnalyzeGraph(f *testing.F) {
	for _, g := range literals {
		if len(g.succs) > 0 {
			f.Add(encode(g.succs))
		}
	}
	for seed := range int64(8) {
		r := rand.New(rand.NewSource(seed))
		f.Add(encode(arbitrary(r, 10, 16)))
		f.Add(encode(reducible(r, 12)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 120 {
			t.Skip("the oracle is too slow")
		}
		succs := decode(data)
		if err := compare(succs); err != nil {
			t.Errorf("%v\n%v", err, succs)
		}
	})
}
