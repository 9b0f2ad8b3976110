package profile

// This file tells which activations are missing in a profile: those that were left, or
// under way when the program ended, where no record of them could be kept.

import (
	"cmp"
	"slices"

	"pathspan/ir"
	"pathspan/pathprof"
)

// Lost says how many activations of a function the counts do not tell of.
type Lost struct {
	Func        int
	Activations uint64
}

// findLost compares how often functions were entered with what their paths tell. Where
// the program has several stacks, entered holds counts of entries; elsewhere the calls
// say so, as far as their callers are known.
func findLost(p *ir.Program, funcs []*FuncProfile, targets []CallTarget, entered []uint64) []Lost {
	if entered == nil {
		entered = calledAtLeast(p, funcs, targets)
	}
	var out []Lost
	for f, n := range entered {
		var told uint64
		if funcs[f] != nil {
			told = funcs[f].Invocations()
		}
		if n > told {
			out = append(out, Lost{f, n - told})
		}
	}
	return out
}

// calledAtLeast counts the calls of each function that were surely executed. In the last
// block of a path under way that is its first call only.
func calledAtLeast(p *ir.Program, funcs []*FuncProfile, targets []CallTarget) []uint64 {
	n := make([]uint64, len(p.Funcs))
	for fi, prof := range funcs {
		if prof == nil {
			continue
		}
		f := p.Funcs[fi]
		ran := prof.BlockCounts(len(f.Blocks))
		stopped := make([]uint64, len(f.Blocks))
		for path := range prof.paths() {
			if last := path.Steps[len(path.Steps)-1]; path.End == pathprof.EndIncomplete && last >= 0 {
				stopped[last] += path.Count
			}
		}
		for bi, b := range f.Blocks {
			sure := ran[bi]
			for _, c := range b.Calls() {
				if c.Callee >= 0 {
					n[c.Callee] += sure
				}
				sure = ran[bi] - stopped[bi]
			}
		}
	}
	for _, t := range targets {
		if t.Target >= 0 {
			n[t.Target] += t.Count
		}
	}
	return n
}

// mergeLost adds up two lists, which ascend by function.
func mergeLost(a, b []Lost) []Lost {
	byFunc := func(a, b Lost) int { return cmp.Compare(a.Func, b.Func) }
	return addUp(slices.Concat(a, b), byFunc, func(l *Lost) *uint64 { return &l.Activations })
}
