package profile

// This file counts how often edges were taken, for models whose blocks cost what led to them.

import (
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// fewIterations is how many iterations of a loop processors count to, as far as their branch
// predictors remember.
const fewIterations = 64

// Runs returns where the runs of a bundle went.
func (b *Bundle) Runs() *flow.Runs {
	n := len(b.Program.Funcs)
	r := &flow.Runs{Edges: make([][][]uint64, n), Entries: make([]uint64, n), Regular: make([][]bool, n)}
	for fi, f := range b.Funcs {
		if f != nil {
			fn := b.Program.Funcs[fi]
			r.Edges[fi], r.Entries[fi], r.Regular[fi] = f.edges(fn), f.Invocations(), f.regular(fn)
		}
	}
	return r
}

func (f *FuncProfile) edges(fn *ir.Func) [][]uint64 {
	n := make([][]uint64, len(fn.Blocks))
	for i, b := range fn.Blocks {
		n[i] = make([]uint64, len(b.Succs))
	}
	for p := range f.paths() {
		last := -1
		for _, s := range p.Steps {
			if s < 0 {
				continue // iterations of a loop, which are paths of their own
			}
			if last >= 0 {
				if k := slices.Index(fn.Blocks[last].Succs, int(s)); k >= 0 {
					n[last][k] += p.Count
				}
			}
			last = int(s)
		}
		if last >= 0 && p.Edge >= 0 {
			n[last][p.Edge] += p.Count
		}
	}
	return n
}

func (f *FuncProfile) regular(fn *ir.Func) []bool {
	marks := make([]bool, len(fn.Blocks))
	cfg := flow.Analyze(fn)
	entries := f.EntriesOf()
	for li := range cfg.Loops {
		if li+1 >= len(f.Levels) {
			break
		}
		l := &f.Levels[li+1]
		if l.MaxKnown && l.MaxTrips <= fewIterations && l.Iterations() == entries[li]*l.MaxTrips {
			for _, e := range cfg.Loops[li].Exits {
				marks[e.From] = true
			}
		}
	}
	return marks
}
