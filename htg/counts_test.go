package htg

// This file holds counts of edges and tasks to the counts of blocks.

import (
	"path/filepath"
	"testing"

	"pathspan/ir/flow"
	"pathspan/profile"
)

// TestCounts: in a program that ends by returning from main, control comes into each
// block as often as it runs, and leaves it as often; a task runs as often as a block of
// it that always runs, and no task less than one of its blocks where no loop does.
func TestCounts(t *testing.T) {
	for _, name := range []string{"fun0a", "fun0b"} {
		b, err := profile.ReadFile(filepath.Join("..", "cmd", "pathspan", "testdata", name+".pspan"))
		if err != nil {
			t.Fatal(err)
		}
		for i, f := range b.Funcs {
			if f != nil {
				checkCounts(t, b, i, f)
			}
		}
	}
}

func checkCounts(t *testing.T, b *profile.Bundle, fn int, f *profile.FuncProfile) {
	t.Helper()
	p := b.Program.Funcs[fn]
	c := flow.Analyze(p)
	blocks := f.BlockCounts(len(p.Blocks))
	in, out := make([]uint64, len(blocks)), make([]uint64, len(blocks))
	in[0] = f.Invocations()
	for e, n := range edgeCounts(c, f) {
		out[e[0]] += n
		in[e[1]] += n
		found := false
		for _, s := range c.Succs[e[0]] {
			found = found || s == e[1]
		}
		if !found {
			t.Errorf("%s: %d runs from block %d to %d, which no edge joins", p.Name, n, e[0], e[1])
		}
	}
	for i, n := range blocks {
		if in[i] != n {
			t.Errorf("%s: block %s ran %d times and was entered %d times", p.Name, p.Blocks[i].Name, n, in[i])
		}
		if len(c.Succs[i]) > 0 && out[i] != n {
			t.Errorf("%s: block %s ran %d times and was left %d times", p.Name, p.Blocks[i].Name, n, out[i])
		}
	}
	g, err := Build(p, c, b.Program)
	if err != nil {
		t.Fatal(err)
	}
	counts := g.taskCounts(f)
	for l, level := range g.Levels {
		for k := range level.Tasks {
			task := &level.Tasks[k]
			most, sum := uint64(0), uint64(0)
			for _, blk := range task.Blocks {
				most = max(most, blocks[blk])
				sum += blocks[blk]
			}
			if n := counts[l][k]; n < most || task.Loop < 0 && n > sum {
				t.Errorf("%s: %s ran %d times, its blocks up to %d and %d together", p.Name, task.Label, n, most, sum)
			}
		}
	}
}
