package estimate

// This file finds which functions and levels reach a parallel region. All others have
// values that depend on nothing but the kind of processor.

import "pathspan/estimate/table"

// findRegions fills regions of all functions, callees first. The functions of a
// component reach the same regions.
func (a *Analysis) findRegions() {
	n := len(a.Bundle.Program.Regions)
	for _, members := range a.components {
		all := table.NewRegionSet(n)
		for _, fi := range members {
			f := a.funcs[fi]
			f.regions = make([]table.RegionSet, len(f.prof.Levels))
			for l := range f.regions {
				f.regions[l] = table.NewRegionSet(n)
				for g := range f.graphs.Levels[l].Groups {
					f.regions[l].Add(f.graphs.Levels[l].Groups[g].Region)
				}
				all.Union(f.regions[l])
			}
			for b := range f.calls {
				for _, c := range f.calls[b] {
					if f.counts[b] > 0 && a.scc[c.callee] != a.scc[f.index] {
						all.Union(a.funcs[c.callee].reaches)
					}
				}
			}
		}
		for _, fi := range members {
			a.funcs[fi].reaches = all
		}
		for _, fi := range members {
			a.funcs[fi].spreadRegions(a)
		}
	}
}

// spreadRegions adds what calls and inner loops reach to the levels around them.
func (f *function) spreadRegions(a *Analysis) {
	for b := range f.calls {
		for _, c := range f.calls[b] {
			if f.counts[b] > 0 {
				f.regions[f.cfg.LoopOf[b]+1].Union(a.funcs[c.callee].reaches)
			}
		}
	}
	for l := len(f.regions) - 1; l > 0; l-- { // inner loops have higher numbers
		f.regions[f.parents[l]].Union(f.regions[l])
	}
}

// hot reports whether a level reaches a region.
func (f *function) hot(level int) bool { return f.regions[level].Any() }
