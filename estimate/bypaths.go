package estimate

// This file finds out whether paths keep all that matters for the mapping of a program:
// whether rows of paths and of executions give every mapping the same time where blocks cost
// the instructions that executions count. Then the rows of paths are those of executions as
// well: they know what a model says of each block, executions know of kinds of instructions.

import (
	"math"
	"math/rand/v2"
	"slices"

	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
)

const (
	// keptWithin is how near the two must be, relative.
	keptWithin = 0.001
	// mostPartitions bounds how many mappings are tried: all that differ, for constructs of
	// up to four sections.
	mostPartitions = 52
	mostReference  = 16 // processors to try them on
)

// keptByPaths tries mappings where a block costs what it counts, with each kind as dear as
// it typically is, so that a rare call of the library is not overlooked, and with others.
func (a *Analysis) keptByPaths() bool {
	if !a.funcs[a.Root].hot(0) {
		return false // no region is reached
	}
	for i := range a.Bundle.Executions.Entries {
		for _, lane := range a.Bundle.Executions.Entries[i].Lanes {
			if slices.ContainsFunc(lane, func(p profile.ExecutionPart) bool { return p.Entry >= 0 }) {
				return false // what competes for processors depends on when it is met: only executions know
			}
		}
	}
	typical, other := make([]float64, len(a.Bundle.Executions.Kinds)), make([]float64, len(a.Bundle.Executions.Kinds))
	for k, w := range a.Bundle.Executions.Weights {
		typical[k], other[k] = float64(w), float64((k+1)*(k+1))
	}
	return a.keptIn(a.workAsCosts(typical)) && a.keptIn(a.workAsCosts(other))
}

// clockOf is the clock of a processor on which mappings are tried: processors that are alike
// hide what paths make of functions that several sections call.
func clockOf(processor int, alike bool) float64 {
	if alike {
		return 1
	}
	return []float64{1, 2.5, 1.7, 3.1}[processor%4]
}

// keptIn tries mappings under one model, on processors that are alike and on others.
func (a *Analysis) keptIn(costs *procmodels.Costs) bool {
	return a.keptOn(costs, true) && a.keptOn(costs, false)
}

func (a *Analysis) keptOn(costs *procmodels.Costs, alike bool) bool {
	n := 2 // processors: the serial one, and one for each section of a construct, as far as they go
	for _, r := range a.Bundle.Program.Regions {
		for _, c := range r.Constructs {
			n = min(max(n, 1+len(c.Sections)), mostReference)
		}
	}
	procs := Processors{Platform: mapping.Homogeneous(n, "work"), Overheads: make([]procmodels.Overheads, n)}
	for p := range n {
		procs.Costs, procs.ClockMHz = append(procs.Costs, costs), append(procs.ClockMHz, clockOf(p, alike))
	}
	e, err := a.On(procs)
	if err != nil {
		return false
	}
	m := mapping.OnOne(e.Platform, 0, e.Bundle.Program)
	var all [][][][]int // by region, by construct, partitions
	most := 0
	for r := range m.Regions {
		all = append(all, nil)
		for _, proc := range m.Regions[r].Proc {
			p := partitions(len(proc), n)
			all[r] = append(all[r], p)
			most = max(most, len(p))
		}
	}
	place := func(i int) *mapping.Resolved {
		for r := range m.Regions {
			for c, proc := range m.Regions[r].Proc {
				p := all[r][c]
				copy(proc, p[min(i, len(p)-1)])
			}
		}
		return m
	}
	agree := e.agreement()
	for i := range most {
		if !agree(place(i)) {
			return false
		}
	}
	// Both know how often there are overheads as well, however large those are: also where
	// only the last section is elsewhere, which may not be reached.
	large := e.serial[e.Root].levels[0][0] / 100
	procs.Overheads = slices.Repeat([]procmodels.Overheads{{Create: large, Sync: large}}, n)
	agree = e.moved(procs).agreement()
	return agree(place(most-1)) && agree(place(1))
}

// agreement returns what tells whether paths and executions give a mapping the same time.
func (e *Estimator) agreement() func(m *mapping.Resolved) bool {
	in := e.settingOf(mapping.Default(e.Platform, e.Bundle.Program))
	paths, err := e.rowsOfPaths(in, false)
	if err != nil { // a recursion without solution
		return func(*mapping.Resolved) bool { return false }
	}
	exact, err := e.rowsOfExecutions(in)
	if err != nil {
		return func(*mapping.Resolved) bool { return false }
	}
	byPaths, byExecutions := paths.NewValuer(), exact.NewValuer()
	return func(m *mapping.Resolved) bool {
		x, err := byPaths.Value(m)
		y, other := byExecutions.Value(m)
		return err == nil && other == nil && math.Abs(x-y) <= keptWithin*y
	}
}

// partitions returns ways to place so many sections on processors of which all but the
// first are alike: that one executes what is outside of sections as well. They are all
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
	if all(0, 1); len(out) <= mostPartitions {
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
	add(func(s int) int { return s + 1 })
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
