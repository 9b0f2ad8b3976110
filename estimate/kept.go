package estimate

// This file finds how often sections constructs ran by the paths: what executions are
// scaled to, where the profile does not keep all of them or keeps some that the root has
// nothing to do with.

import "slices"

// ran holds how often each construct began to run, by region and construct.
type ran struct {
	all  [][]float64 // in the whole profile
	root [][]float64 // in what executions of the root led to
}

// constructsRan counts the executions of constructs by the paths.
func (a *Analysis) constructsRan() ran {
	var r ran
	for i := range a.Bundle.Program.Regions {
		n := len(a.Bundle.Program.Regions[i].Constructs)
		r.all, r.root = append(r.all, make([]float64, n)), append(r.root, make([]float64, n))
	}
	share := a.fromRoot()
	for fn := range a.funcs {
		a.Bundle.Begun(fn, func(region, construct int, n uint64) {
			r.all[region][construct] += float64(n)
			r.root[region][construct] += float64(n) * share[fn]
		})
	}
	return r
}

// fromRoot returns which share of the executions of each function those of the root led to.
// The rest are handlers, constructors, threads, and what they call.
func (a *Analysis) fromRoot() []float64 {
	share := make([]float64, len(a.funcs))
	all, root := slices.Clone(a.outside), make([]float64, len(a.funcs)) // calls from outside the component
	for _, members := range slices.Backward(a.components) {             // callers first
		total, led := 0.0, 0.0
		for _, f := range members {
			total, led = total+all[f], led+root[f]
		}
		of := 0.0
		switch {
		case slices.Contains(members, a.Root):
			of = 1
		case total > 0:
			of = led / total
		}
		for _, i := range members {
			f := a.funcs[i]
			share[i] = of
			for b, calls := range f.calls {
				for _, c := range calls {
					if a.scc[c.callee] != a.scc[i] {
						n := float64(f.counts[b]) * c.share
						all[c.callee], root[c.callee] = all[c.callee]+n, root[c.callee]+n*of
					}
				}
			}
		}
	}
	return share
}

// kept holds the executions that a profile keeps, by region and construct.
type kept struct {
	count [][]float64
	work  [][]float64 // of all of them, all kinds of instructions together
}

// knowKept counts what is kept, and what ran.
func (a *Analysis) knowKept() {
	a.ran = a.constructsRan()
	for _, r := range a.Bundle.Program.Regions {
		n := len(r.Constructs)
		a.kept.count, a.kept.work = append(a.kept.count, make([]float64, n)), append(a.kept.work, make([]float64, n))
	}
	for i, work := range a.Bundle.Executions.Works() {
		x := &a.Bundle.Executions.Entries[i]
		if len(x.Lanes) == 0 || x.Region >= len(a.Bundle.Program.Regions) { // the end of blocks of iterations; tasks; locks
			continue
		}
		a.kept.count[x.Region][x.Construct] += float64(x.Count)
		a.kept.work[x.Region][x.Construct] += float64(x.Count) * total(work)
	}
}
