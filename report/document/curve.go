package document

// This file finds the speed-up on other numbers of processors, and its bounds.

import (
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/htg"
	"pathspan/mapping"
)

// curveCounts are the numbers of processors of the curve, besides the platform's own.
var curveCounts = []int{1, 2, 3, 4, 6, 8}

// curve estimates OpenMP's static schedule on the first processors of the platform; where
// the platform is one of equal processors, on more of them as well.
func (b *builder) curve() error {
	pl := b.e.Platform
	own := len(pl.Processors)
	equal := b.PlatformFile == ""
	var counts []int
	for _, n := range append(slices.Clone(curveCounts), own) {
		if n <= own || equal {
			counts = append(counts, n)
		}
	}
	slices.Sort(counts)
	counts = slices.Compact(counts)
	c := &b.d.Curve
	c.Basis = fmt.Sprintf("the first processors of %s, sections placed by OpenMP's static schedule", pl.Name)
	if equal {
		c.Basis = fmt.Sprintf("equal processors of model %s, sections placed by OpenMP's static schedule", b.d.Platform.Processors[0].Model)
	}
	ws, regions, err := account.WorkSpansUnder(b.e, b.m, b.byRows())
	if err != nil {
		return err
	}
	b.workSpan(ws, regions)
	serial, err := b.e.SerialSeconds(b.m.Serial, b.byRows())
	if err != nil {
		return err
	}
	wide, err := b.withTeams(slices.Max(counts))
	if err != nil {
		return err
	}
	for _, n := range counts {
		part := *pl
		if n <= own {
			part.Processors = pl.Processors[:n]
		} else {
			part = *mapping.Homogeneous(n, pl.Processors[0].Model)
		}
		first := 0 // the serial processor, where it is among them
		if b.m.Serial < n {
			first = b.m.Serial
		}
		point := CurvePoint{Processors: n, Amdahl: account.AmdahlBound(serial, ws.Work, n), Span: min(float64(n), ws.Parallelism), Burdened: account.BurdenedSpeedup(ws, n)}
		if err := b.point(&point, wide, &part, first); err != nil {
			return err
		}
		c.Points = append(c.Points, point)
	}
	return nil
}

// withTeams returns the analysis of the program with loops whose teams are so large.
func (b *builder) withTeams(threads int) (*estimate.Analysis, error) {
	wide := b.e.Bundle.WithTeams(threads)
	if wide == b.e.Bundle || threads <= len(b.e.Platform.Processors) {
		return b.e.Analysis, nil
	}
	return estimate.Prepare(wide, b.prog.Funcs[b.e.Root].Name)
}

// point estimates one number of processors.
func (b *builder) point(point *CurvePoint, a *estimate.Analysis, pl *mapping.Platform, serial int) error {
	procs, err := b.Pricer.Processors(b.ctx, pl)
	if err != nil {
		return err
	}
	e, err := a.On(procs)
	if err != nil {
		return err
	}
	m := mapping.DefaultFrom(pl, serial, e.Bundle.Program)
	for _, t := range b.techniques {
		if t.Entry().Style == nil { // it says nothing over numbers of processors
			continue
		}
		r, err := e.Estimate(m, t)
		if err != nil {
			return err
		}
		point.Speedups = append(point.Speedups, TechniqueSpeedup{r.Technique, r.Speedup})
	}
	return nil
}

// workSpan keeps the program and the regions that ran.
func (b *builder) workSpan(program account.WorkSpan, regions []account.WorkSpan) {
	for i, w := range append([]account.WorkSpan{program}, regions...) {
		if i > 0 && w.Executions == 0 {
			continue
		}
		w.File = b.sources.name(w.File)
		b.d.WorkSpan = append(b.d.WorkSpan, WorkSpan{w, i > 0 && b.withinItself(i-1)})
	}
}

// withinItself reports that executions of a region lie within each other: a function that
// holds it calls itself.
func (b *builder) withinItself(region int) bool {
	for fn, g := range b.e.Graphs {
		if g == nil || !b.overlaps.recursive[fn] {
			continue
		}
		if slices.ContainsFunc(g.Levels, func(l *htg.Graph) bool {
			return slices.ContainsFunc(l.Groups, func(x htg.Group) bool { return x.Region == region })
		}) {
			return true
		}
	}
	return false
}
