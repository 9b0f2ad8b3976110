package estimate

// This file estimates with what the profile knows of whole executions of constructs:
// how the work of their sections went together, through loops and calls, which paths
// lose (Lattuada, Pilato and Ferrandi, section 5.3, name that loss).

import (
	stdcontext "context"
	"slices"

	"pathspan/htg"
	"pathspan/mapping"
	"pathspan/pathprof"
)

// executionTable holds the executions of a construct.
type executionTable struct {
	classes []class
	total   float64     // executions of all classes
	often   float64     // executions in one of the root
	weight  []float64   // by class: its share of them
	ratio   [][]float64 // by section, by class: work over what the paths give on average
	mean    []float64   // by section: what the paths give on average, in reference cycles
}

// referenceModel is what the work in a bundle was counted with.
const referenceModel = "generic"

// executionTables holds those of a program, by region and construct, nil where there
// are none: executions with no region active around them, and the others.
type executionTables struct {
	outer, nested [][]*executionTable
	// byPaths says that paths keep all that matters for any mapping; see bypaths.go.
	byPaths bool
}

// of returns the table of a construct's executions that are nested or not, the other
// one where there is none.
func (t *executionTables) of(region, construct int, nested bool) *executionTable {
	first, second := t.outer[region][construct], t.nested[region][construct]
	if nested {
		first, second = second, first
	}
	if first == nil {
		return second
	}
	return first
}

// newExecutionTables arranges a bundle's executions. paths holds the average work of sections as paths give it under the
// reference model, by region, construct and section: where functions cost their average over all calls, it is not that of
// the executions, and the ratio makes up for it.
func (a *Analysis) newExecutionTables(list []pathprof.ConstructClasses, paths [][][]float64) *executionTables {
	b := a.Bundle
	tables := &executionTables{}
	var kept, work [][]float64 // by region and construct: executions, their work
	for _, r := range b.Program.Regions {
		n := len(r.Constructs)
		tables.outer = append(tables.outer, make([]*executionTable, n))
		tables.nested = append(tables.nested, make([]*executionTable, n))
		kept, work = append(kept, make([]float64, n)), append(work, make([]float64, n))
	}
	if list == nil {
		return tables
	}
	ran := a.constructsRan()
	for i := range list {
		x := &list[i]
		for _, c := range x.Classes {
			kept[x.Region][x.Construct] += float64(c.Count)
			work[x.Region][x.Construct] += float64(c.Count) * total(c.Work)
		}
	}
	for i := range list {
		x := &list[i]
		mean, n, all := paths[x.Region][x.Construct], kept[x.Region][x.Construct], ran.all[x.Region][x.Construct]
		t := &executionTable{classes: classesOf(x, n, all, work[x.Region][x.Construct], all*total(mean)), mean: mean}
		for _, c := range t.classes {
			t.total += c.count
		}
		t.often = t.total * (ran.root[x.Region][x.Construct] / max(all, n)) / a.funcs[a.Root].denom[0]
		t.ratio = make([][]float64, len(mean))
		for _, c := range t.classes {
			t.weight = append(t.weight, c.count/t.total)
			for s, w := range c.work {
				ratio := 1.0
				if mean[s] > 0 {
					ratio = w / mean[s]
				}
				t.ratio[s] = append(t.ratio[s], ratio)
			}
		}
		if x.Nested {
			tables.nested[x.Region][x.Construct] = t
		} else {
			tables.outer[x.Region][x.Construct] = t
		}
	}
	return tables
}

// inClass returns what a section of a construct takes in a class of its executions, on
// processors of a kind, in cycles of processor 0.
func (e *Estimator) inClass(t *executionTable, class, kind, region, construct, section int) float64 {
	return e.means[kind][region][construct][section] * t.ratio[section][class]
}

// overhead returns what a processor spends on tasks in an execution of a construct that it
// takes part in, in cycles of processor 0.
func (e *Estimator) overhead(p int) float64 {
	return (e.Overheads[p].Create + e.Overheads[p].Sync) * e.factor[e.kindOf[p]]
}

// knowExecutions makes the tables on first use: they do not depend on the platform. The
// paths are priced once more for them, under the reference model.
func (a *Analysis) knowExecutions() error {
	a.once.Do(func() {
		if a.Bundle.Executions == nil {
			a.executions = a.newExecutionTables(nil, nil)
			return
		}
		pricer := &Pricer{Program: a.Bundle.Program}
		procs, err := pricer.Processors(stdcontext.Background(), a.referencePlatform())
		if err != nil {
			a.executionsErr = err
			return
		}
		e, err := a.on(procs)
		if err != nil {
			a.executionsErr = err
			return
		}
		means := e.sectionMeans()
		x := a.Bundle.Executions
		prices := a.Bundle.KindPrices(func(fn, block int) float64 { return procs.Costs[0].Blocks[fn][block].Cycles })
		a.executions = a.newExecutionTables(x.Classes(prices), means[0])
		e.knowMeans()
	})
	return a.executionsErr
}

// sectionMeans holds the average time of sections as paths give it, over all copies of
// their construct, in cycles of processor 0: [kind][region][construct][section].
type sectionMeans [][][][]float64

// sectionMeans adds up the levels' tables, with everything on one processor.
func (e *Estimator) sectionMeans() sectionMeans {
	regions := e.Bundle.Program.Regions
	means, runs := make(sectionMeans, len(e.kinds)), make([][]float64, len(regions))
	for r := range regions {
		runs[r] = make([]float64, len(regions[r].Constructs))
	}
	for k := range means {
		means[k] = make([][][]float64, len(regions))
		for r := range regions {
			for _, c := range regions[r].Constructs {
				means[k][r] = append(means[k][r], make([]float64, len(c.Sections)))
			}
		}
	}
	for _, h := range e.hot {
		for l := range h.levels {
			if hl := &h.levels[l]; hl.on {
				e.addSections(h, hl, means, runs)
			}
		}
	}
	for k := range means {
		for r := range means[k] {
			for c := range means[k][r] {
				for s := range means[k][r][c] {
					if runs[r][c] > 0 {
						means[k][r][c][s] /= runs[r][c]
					}
				}
			}
		}
	}
	return means
}

// addSections adds the sections of a level to sums, and the runs of its groups.
func (e *Estimator) addSections(h *hotFunc, hl *hotLevel, sums sectionMeans, runs [][]float64) {
	deps := make([]float64, len(hl.deps))
	for kind := range e.kinds {
		for i, d := range hl.deps {
			if d.hot >= 0 {
				deps[i] = e.serial[e.hot[d.hot].fn].levels[0][kind]
			} else {
				deps[i] = e.serial[h.fn].of(term{-1, d.level, d.part}, kind)
			}
		}
		for g := range hl.graph.Groups {
			gr := &hl.graph.Groups[g]
			for _, s := range gr.Sections {
				sum := &sums[kind][gr.Region][gr.Construct][s.Section]
				for _, t := range s.Tasks {
					*sum += hl.sum.cell(t, kind, deps)
					if hl.parts.rows > 0 {
						*sum += hl.partSum.cell(t, kind, deps)
					}
				}
			}
		}
	}
	for g := range hl.graph.Groups {
		gr := &hl.graph.Groups[g]
		runs[gr.Region][gr.Construct] += hl.groupRuns[g]
		if hl.parts.rows > 0 {
			runs[gr.Region][gr.Construct] += hl.partGroup[g]
		}
	}
}

// together values a level by executions: its serial tasks add up, and each group is
// scheduled once for each class of executions. A section's time in a class is the
// average time that the paths give, times the class's ratio for it: under the model
// that work was counted with, that is its very time. cells holds the time of each task
// over all that is valued, runs how often each group ran.
//
// What the classes do not tell apart is the same in all of them: the time of sections
// does not depend on the mapping but for nested regions, whose own estimate is taken.
func (v *evaluator) together(hl *hotLevel, ls *levelState, cells, runs []float64) float64 {
	return cells[0] + cells[len(cells)-1] + v.serially(hl, ls, hl.graph.Series, cells, runs)
}

func (v *evaluator) serially(hl *hotLevel, ls *levelState, stages []htg.Stage, cells, runs []float64) float64 {
	total := 0.0
	for _, st := range stages {
		if st.Task >= 0 {
			total += cells[st.Task]
		} else {
			total += v.groupTogether(hl, ls, &hl.graph.Groups[st.Group], cells, runs)
		}
	}
	return total
}

func (v *evaluator) groupTogether(hl *hotLevel, ls *levelState, g *htg.Group, cells, runs []float64) float64 {
	t := v.e.executions.of(g.Region, g.Construct, ls.context > 0 || g.Parent >= 0)
	times := make([]float64, len(g.Sections))
	for i := range g.Sections {
		times[i] = v.serially(hl, ls, g.Sections[i].Series, cells, runs)
	}
	fixed := make([]float64, ls.taken) // by resource: overheads of all runs
	for _, o := range ls.overhead {
		if int(o.group) == g.Index {
			fixed[ls.resource[o.task]] += o.cycles * runs[g.Index]
		}
	}
	load := make([]float64, ls.taken)
	total := 0.0
	for c, w := range t.weight {
		copy(load, fixed)
		for i := range g.Sections {
			s := &g.Sections[i]
			load[ls.resource[s.Tasks[0]]] += times[i] * t.ratio[s.Section][c]
		}
		longest := 0.0
		for _, x := range load {
			longest = max(longest, x)
		}
		total += w * longest
	}
	return total
}

// togetherLevel is together for all paths of a level.
func (v *evaluator) togetherLevel(hl *hotLevel, ls *levelState) float64 {
	cells := make([]float64, hl.sum.tasks)
	for t := range cells {
		cells[t] = hl.sum.cell(t, int(ls.kinds[t]), ls.deps)
	}
	return v.together(hl, ls, cells, hl.groupRuns)
}

// togetherPart is together for one partial traversal.
func (v *evaluator) togetherPart(hl *hotLevel, ls *levelState, row int) float64 {
	cells := make([]float64, hl.parts.tasks)
	for t := range cells {
		cells[t] = hl.parts.cell(row*hl.parts.tasks+t, int(ls.kinds[t]), ls.deps)
	}
	runs := make([]float64, hl.groups)
	for g := range runs {
		if hl.partRuns[row*hl.groups+g] {
			runs[g] = 1
		}
	}
	return v.together(hl, ls, cells, runs)
}

// knowsExecutions tells whether the profile has the executions of all groups of a level.
func (e *Estimator) knowsExecutions(hl *hotLevel) bool {
	for i := range hl.graph.Groups {
		g := &hl.graph.Groups[i]
		if e.executions.of(g.Region, g.Construct, false) == nil {
			return false
		}
	}
	return true
}

// whole estimates the whole program by its executions, where they alone decide: the
// program takes its sequential time less what each execution of a construct saves. It
// needs no levels and no averages over calls, and so holds for recursive programs as
// well.
func (e *Estimator) whole(m *mapping.Resolved) (parallel float64, ok bool) {
	parallel = e.serial[e.Root].levels[0][e.kindOf[m.Serial]]
	ok = e.eachConstruct(m, func(t *executionTable, region, construct int, often float64) {
		parallel -= often * e.saved(m, t, region, construct)
	})
	return parallel, ok
}

// eachConstruct visits the constructs of which executions are known, with how often one is
// executed in an execution of the root. It returns false where executions alone do not
// decide: when another function than main is estimated, or when a nested region may be
// spread over processors.
func (e *Estimator) eachConstruct(m *mapping.Resolved, visit func(t *executionTable, region, construct int, often float64)) bool {
	if e.Bundle.Program.Funcs[e.Root].Name != DefaultRoot || e.means == nil {
		return false
	}
	serial := e.kindOf[m.Serial]
	inside := 0.0 // cycles of all sections
	for r := range m.Regions {
		rm := &m.Regions[r]
		for c := range rm.Proc {
			if e.executions.nested[r][c] != nil && (rm.Explicit || !e.spreadAround(m)) {
				return false
			}
			t := e.executions.outer[r][c]
			if t == nil {
				if slices.ContainsFunc(e.means[serial][r][c], func(x float64) bool { return x > 0 }) && e.executions.nested[r][c] == nil {
					return false // it ran, and nothing is known of how
				}
				continue
			}
			for s := range e.means[serial][r][c] {
				for k, w := range t.weight {
					inside += t.often * w * e.inClass(t, k, serial, r, c, s)
				}
			}
		}
	}
	// Sections cannot take longer than the program. They seem to where paths were lost
	// and their executions were not.
	limit := 1.0
	if whole := e.serial[e.Root].levels[0][serial]; inside > whole*(1+sameTime) {
		limit = whole / inside
	}
	for r := range e.executions.outer {
		for c, t := range e.executions.outer[r] {
			if t != nil {
				visit(t, r, c, t.often*limit)
			}
		}
	}
	return true
}

// spreadAround reports whether every region runs on more than the serial processor, so
// that no nested region can be the first to fork.
func (e *Estimator) spreadAround(m *mapping.Resolved) bool {
	for r := range m.Regions {
		spread := false
		for _, construct := range m.Regions[r].Proc {
			for _, p := range construct {
				spread = spread || p != m.Serial
			}
		}
		if !spread {
			return false
		}
	}
	return true
}

// saved returns what an average execution of a construct saves, in cycles of
// processor 0.
func (e *Estimator) saved(m *mapping.Resolved, t *executionTable, region, construct int) float64 {
	proc := m.Regions[region].Proc[construct]
	serial := e.kindOf[m.Serial]
	fixed, load := make([]float64, len(e.kindOf)), make([]float64, len(e.kindOf))
	forks := false
	for _, p := range proc {
		forks = forks || p != m.Serial
	}
	if !forks {
		return 0
	}
	for _, p := range proc {
		fixed[p] = e.overhead(p)
	}
	saved := 0.0
	for c, w := range t.weight {
		copy(load, fixed)
		alone, longest := 0.0, 0.0
		for s, p := range proc {
			alone += e.inClass(t, c, serial, region, construct, s)
			load[p] += e.inClass(t, c, e.kindOf[p], region, construct, s)
		}
		for _, x := range load {
			longest = max(longest, x)
		}
		saved += w * (alone - longest)
	}
	return saved
}
