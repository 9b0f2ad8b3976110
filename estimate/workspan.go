package estimate

// This file computes work, span and burdened span, in the terms of Y. He, C. E.
// Leiserson, W. M. Leiserson, "The Cilkview Scalability Analyzer" (SPAA 2010) and of
// Cilkscale, its successor in OpenCilk. Theirs are measured on one execution; these are
// averages over profiled paths, and the burden is the platform's overheads.

import (
	"fmt"

	"pathspan/htg"
	"pathspan/mapping"
)

// WorkSpan says how much parallelism there is, whatever the mapping. All sections may
// run in parallel, those of regions within regions too, each on a processor of its own
// like the serial one. Seconds are per execution of the root function.
type WorkSpan struct {
	Name string // of the region, or the root function
	File string
	Line int
	// Executions are those of the region in one execution of the root; those of a
	// region with several sections constructs are of the construct executed most.
	Executions float64
	Work       float64 // on one processor
	// Span is the time when creating and synchronising cost nothing: for each path the
	// longest chain of tasks. A region's is the sum over its executions, from fork to
	// join, also where other executions lie beside them.
	Span float64
	// BurdenedSpan is the time with them: every section of a construct that has several
	// is created and synchronised.
	BurdenedSpan float64

	Parallelism         float64 // Work / Span, 1 where both are 0
	BurdenedParallelism float64
}

func (w *WorkSpan) divide() {
	w.Parallelism, w.BurdenedParallelism = 1, 1
	if w.Span > 0 {
		w.Parallelism = w.Work / w.Span
	}
	if w.BurdenedSpan > 0 {
		w.BurdenedParallelism = w.Work / w.BurdenedSpan
	}
}

// WorkSpan returns the figures of the program and of each region of it, in program
// order, with serial as the processor. Regions that the root does not execute have
// zeros, and parallelism 1.
func (e *Estimator) WorkSpan(serial int) (program WorkSpan, regions []WorkSpan, err error) {
	if serial < 0 || serial >= len(e.Platform.Processors) {
		return program, nil, fmt.Errorf("estimate: serial processor %d of %d", serial, len(e.Platform.Processors))
	}
	m := e.allOn(serial)
	span, burdened := newEvaluator(e), newEvaluator(e)
	span.reset(m, PathBasedUnmapped)
	span.free = true
	burdened.reset(m, PathBasedUnmapped)
	root := e.funcs[e.Root].fn
	program = WorkSpan{Name: root.Source, Line: root.Loc.Line, Executions: 1, Work: e.serial[e.Root].levels[0][e.kindOf[serial]]}
	if f := root.Loc.File; f >= 0 && f < len(e.Bundle.Program.Files) {
		program.File = e.Bundle.Program.Files[f]
	}
	program.Span, program.BurdenedSpan = span.of(e.Root, 0), burdened.of(e.Root, 0)
	for _, v := range []*evaluator{span, burdened} {
		if err := v.failure(); err != nil {
			return program, nil, err
		}
	}
	s := &spans{e: e, kind: e.kindOf[serial], span: span, burdened: burdened}
	for i := range e.Bundle.Program.Regions {
		r := &e.Bundle.Program.Regions[i]
		regions = append(regions, WorkSpan{Name: r.Name, File: r.File, Line: r.Line})
		s.runs = append(s.runs, make([]float64, len(r.Constructs)))
	}
	if err := s.add(regions); err != nil {
		return program, nil, err
	}
	for i := range regions {
		for _, n := range s.runs[i] {
			regions[i].Executions = max(regions[i].Executions, n)
		}
	}
	second := 1 / (e.ClockMHz[0] * 1e6)
	all := []*WorkSpan{&program}
	for i := range regions {
		all = append(all, &regions[i])
	}
	for _, w := range all {
		w.Work, w.Span, w.BurdenedSpan = w.Work*second, w.Span*second, w.BurdenedSpan*second
		w.divide()
	}
	return program, regions, nil
}

// allOn returns the mapping that names every region and puts all on one processor:
// under PathBasedUnmapped every section forks, regions within regions too.
func (e *Estimator) allOn(serial int) *mapping.Resolved {
	m := mapping.OnOne(e.Platform, serial, e.Bundle.Program)
	for r := range m.Regions {
		m.Regions[r].Explicit = true
	}
	return m
}

// spans adds up the regions' figures, in cycles of processor 0.
type spans struct {
	e              *Estimator
	kind           int
	span, burdened *evaluator
	runs           [][]float64 // by region, construct

	hl       *hotLevel
	serial   []float64 // values of deps with everything on one processor
	overhead []float64 // by group and task: [group*tasks+task]
}

// add adds what each execution of a construct contributes to its region.
func (s *spans) add(regions []WorkSpan) error {
	all, err := s.burdened.executions()
	if err != nil {
		return err
	}
	for i := range all {
		x := &all[i]
		h := s.e.hot[x.hot]
		// All values are known; once more, so that the levels hold those of this context.
		s.span.of(h.fn, x.context)
		s.span.function(x.hot, x.context)
		s.burdened.function(x.hot, x.context)
		if err := s.span.failure(); err != nil {
			return err
		}
		for l, entries := range x.levels {
			if !h.levels[l].on {
				continue
			}
			s.enter(x.hot, l)
			each := x.runs * entries / s.hl.denom
			for c, n := range s.hl.count {
				s.row(regions, x.hot, l, &s.hl.class, c, s.hl.runs, each*n)
			}
			for r, n := range x.parts[l] {
				s.row(regions, x.hot, l, &s.hl.parts, r, s.hl.partRuns, x.runs*n)
			}
		}
	}
	return nil
}

// enter prepares a level.
func (s *spans) enter(h, level int) {
	s.hl = &s.e.hot[h].levels[level]
	s.serial = s.serial[:0]
	for _, d := range s.hl.deps {
		x := s.e.serial[s.e.hot[h].fn].of(term{-1, d.level, d.part}, s.kind)
		if d.hot >= 0 {
			x = s.e.serial[s.e.hot[d.hot].fn].levels[0][s.kind]
		}
		s.serial = append(s.serial, x)
	}
	tasks := len(s.hl.graph.Tasks)
	s.overhead = make([]float64, s.hl.groups*tasks)
	for _, o := range s.burdened.funcs[h].levels[level].overhead {
		s.overhead[int(o.group)*tasks+int(o.task)] += o.cycles
	}
}

// row adds the groups of a row that is executed w times. Paths that begin or end inside a
// construct have a part of its time, which counts, but not its execution.
func (s *spans) row(regions []WorkSpan, h, level int, t *costTable, row int, runs []bool, w float64) {
	if w == 0 {
		return
	}
	work := func(task int) float64 { return t.cell(row*t.tasks+task, s.kind, s.serial) }
	free := s.span.funcs[h].levels[level].deps
	span := func(task int) float64 { return t.cell(row*t.tasks+task, s.kind, free) }
	full := s.burdened.funcs[h].levels[level].deps
	burdened := func(task int) float64 {
		x := t.cell(row*t.tasks+task, s.kind, full)
		for g := range s.hl.groups {
			if runs[row*s.hl.groups+g] {
				x += s.overhead[g*t.tasks+task]
			}
		}
		return x
	}
	for g := range s.hl.graph.Groups {
		gr := &s.hl.graph.Groups[g]
		if runs[row*s.hl.groups+g] {
			s.runs[gr.Region][gr.Construct] += w
		}
		r := &regions[gr.Region]
		for i := range gr.Sections {
			for _, task := range gr.Sections[i].Tasks {
				r.Work += w * work(task)
			}
		}
		r.Span += w * s.longest(gr, span)
		r.BurdenedSpan += w * s.longest(gr, burdened)
	}
}

// longest returns the time of a group from fork to join with a processor for each section.
func (s *spans) longest(g *htg.Group, time func(task int) float64) float64 {
	longest := 0.0
	for i := range g.Sections {
		x := 0.0
		for _, st := range g.Sections[i].Series {
			if st.Task >= 0 {
				x += time(st.Task)
			} else {
				x += s.longest(&s.hl.graph.Groups[st.Group], time)
			}
		}
		longest = max(longest, x)
	}
	return longest
}

// AmdahlBound returns the speed-up that n processors cannot exceed when serialSeconds of
// totalSeconds cannot run in parallel (G. M. Amdahl, "Validity of the single processor
// approach to achieving large scale computing capabilities", AFIPS 1967).
func AmdahlBound(serialSeconds, totalSeconds float64, n int) float64 {
	if totalSeconds <= 0 || n < 1 {
		return 1
	}
	return totalSeconds / (serialSeconds + (totalSeconds-serialSeconds)/float64(n))
}

// spanCoefficient is what Cilkview multiplies the burdened span by, found by experiment.
const spanCoefficient = 1.7

// BurdenedSpeedup returns Cilkview's lower estimate of the speed-up on n equal processors
// under a greedy scheduler, in the form that Cilkscale plots as the bound of the burdened
// dag: T1 / (T1/P + 1.7 (1 - 1/P) T), where T is the burdened span. A mapping that is
// fixed can be slower.
func BurdenedSpeedup(ws WorkSpan, n int) float64 {
	if ws.Work <= 0 || n < 1 {
		return 1
	}
	p := float64(n)
	return ws.Work / (ws.Work/p + spanCoefficient*(1-1/p)*ws.BurdenedSpan)
}
