package estimate

// This file finds out whether paths keep all that matters for the mapping of a program:
// whether the path-based technique and executions give every mapping the same time under
// the model that executions were counted with.

import (
	"math"
	"math/rand/v2"
	"slices"

	"pathspan/mapping"
	"pathspan/procmodels"
)

const (
	// keptWithin is how near the two must be, relative.
	keptWithin = 0.001
	// mostPartitions bounds how many mappings are tried: all that differ, for constructs of
	// up to four sections.
	mostPartitions = 40
	mostReference  = 16 // processors to try them on
)

// referencePlatform has a processor for each section of a construct, as far as they go.
func (a *Analysis) referencePlatform() *mapping.Platform {
	n := 2
	for _, r := range a.Bundle.Program.Regions {
		for _, c := range r.Constructs {
			n = min(max(n, len(c.Sections)), mostReference)
		}
	}
	pl := mapping.Homogeneous(n, referenceModel)
	pl.Create, pl.Sync, pl.CreateDefaulted, pl.SyncDefaulted = 0, 0, false, false
	return pl
}

// keptByPaths tries mappings on an estimator of the reference platform.
func (e *Estimator) keptByPaths() bool {
	if e.hotOf[e.Root] < 0 {
		return false
	}
	m := mapping.OnOne(e.Platform, 0, e.Bundle.Program)
	var all [][][][]int // by region, by construct, partitions
	most := 0
	for r := range m.Regions {
		all = append(all, nil)
		for _, proc := range m.Regions[r].Proc {
			p := partitions(len(proc), len(e.Platform.Processors))
			all[r] = append(all[r], p)
			most = max(most, len(p))
		}
	}
	for i := range most {
		for r := range m.Regions {
			for c, proc := range m.Regions[r].Proc {
				p := all[r][c]
				copy(proc, p[min(i, len(p)-1)])
			}
		}
		if !e.agree(m) {
			return false
		}
	}
	// Both know how often there are overheads as well, however large those are.
	p := e.Processors
	large := e.serial[e.Root].levels[0][0] / 100
	p.Overheads = slices.Repeat([]procmodels.Overheads{{Create: large, Sync: large}}, len(p.Costs))
	return e.moved(p).agree(m)
}

// agree tells whether paths and executions give a mapping the same time.
func (e *Estimator) agree(m *mapping.Resolved) bool {
	v := newEvaluator(e)
	exact, err := e.parallel(v, m, ExecutionBased)
	if err != nil {
		return false // a recursion without solution
	}
	paths, err := e.parallel(v, m, PathBased)
	return err == nil && math.Abs(paths-exact) <= keptWithin*exact
}

// partitions returns ways to place so many sections on processors that are alike: all
// different ones where those are few, else a part of them, which begins with each section
// on a processor of its own and with two against the rest.
func partitions(sections, processors int) [][]int {
	var out [][]int
	part := make([]int, sections)
	var all func(at, used int)
	all = func(at, used int) {
		if len(out) > mostPartitions {
			return
		}
		if at == sections {
			out = append(out, append([]int(nil), part...))
			return
		}
		for p := range min(used+1, processors) {
			part[at] = p
			all(at+1, max(used, p+1))
		}
	}
	if all(0, 0); len(out) <= mostPartitions {
		return out
	}
	out = nil
	add := func(place func(s int) int) {
		part := make([]int, sections)
		for s := range part {
			part[s] = place(s) % processors
		}
		out = append(out, part)
	}
	add(func(s int) int { return s })
	for k := range 4 {
		add(func(s int) int { return s >> k & 1 })
		add(func(s int) int { return s >> k })
	}
	random := rand.New(rand.NewPCG(1, uint64(sections)))
	for len(out) < mostPartitions {
		n := 2 + random.IntN(processors-1)
		add(func(int) int { return random.IntN(n) })
	}
	return out
}
