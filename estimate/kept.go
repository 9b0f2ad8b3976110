package estimate

// This file finds how often sections constructs ran by the paths: what classes of
// executions are scaled to, where the profile does not keep all executions or keeps some
// that the root has nothing to do with.

import (
	"math"
	"slices"

	"pathspan/pathprof"
)

// ran holds how often each construct ran to its end, by region and construct.
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
		a.Bundle.Ended(fn, func(region, construct int, n uint64) {
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
	for end := len(a.order); end > 0; {                                 // components, callers first
		first := end - 1
		for first > 0 && a.scc[a.order[first-1]] == a.scc[a.order[end-1]] {
			first--
		}
		members := a.order[first:end]
		end = first
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

// class is a number of executions that did the same work.
type class struct {
	count float64
	work  []float64 // by section, in reference cycles
}

// classesOf returns the classes of a construct's executions as they count for all that ran.
// Those that are not kept are taken to be like the others, with what is left of the work
// that the paths tell of all. The figures are of the construct's executions, nested or not.
func classesOf(x *pathprof.ConstructClasses, kept, ran, work, byPaths float64) []class {
	var all []class
	for _, c := range x.Classes {
		all = append(all, class{float64(c.Count), c.Work})
	}
	if ran <= kept || work <= 0 {
		return all
	}
	rest := (ran - kept) / kept
	longer := math.Max(0, byPaths-work) / (work * rest)
	for _, c := range x.Classes {
		w := slices.Clone(c.Work)
		for s := range w {
			w[s] *= longer
		}
		all = append(all, class{float64(c.Count) * rest, w})
	}
	return all
}
