package diff

// This file estimates both bundles on the same platforms under the same mappings.

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/procmodels/compare"
	"pathspan/profile"
	"pathspan/report"
)

// prediction is what one bundle gives.
type prediction struct {
	bundle  *profile.Bundle
	model   string
	results []estimate.Result // by platform, mapping, technique
	notes   []string          // on the bundle and what mappings leave out of it
	basis   []string          // on the platforms

	// What prices functions, lines and paths: the first platform's serial processor.
	estimator *estimate.Estimator
	serial    int
	split     *compare.Splitter
}

// predict estimates a bundle. renamed gives names of regions and sections that mappings
// hold their names here.
func predict(ctx context.Context, in Input, o Options, function string, techniques []estimate.Technique, names *translation) (*prediction, error) {
	fail := func(err error) (*prediction, error) { return nil, fmt.Errorf("%s: %w", in.Name, err) }
	most := 0
	for _, pl := range o.Platforms {
		most = max(most, len(pl.Processors))
	}
	a, err := estimate.Prepare(in.Bundle.WithTeams(most), function)
	if err != nil {
		return fail(err)
	}
	pricer := estimate.NewPricer(in.Bundle)
	p := &prediction{bundle: in.Bundle}
	note := func(to *[]string, begin string, more []string) {
		for _, n := range more {
			if n = begin + n; !slices.Contains(*to, n) {
				*to = append(*to, n)
			}
		}
	}
	note(&p.notes, in.Name+": ", a.Notes)
	note(&p.notes, in.Name+": ", report.Omissions(in.Bundle))
	for _, pl := range o.Platforms {
		var made *mapping.Platform
		var e *estimate.Estimator
		for i, file := range o.Mappings {
			if i == 0 || !mapping.SameDesigns(o.Mappings[i-1].File, file.File) {
				if made, err = pl.Designed(file.File); err != nil {
					return fail(err)
				}
				procs, err := pricer.Processors(ctx, made)
				if err != nil {
					return fail(err)
				}
				if e, err = a.On(procs); err != nil {
					return fail(err)
				}
				note(&p.basis, "", report.PlatformNotes(pricer, procs))
				note(&p.basis, in.Name+": ", report.MemoryNotes(e))
			}
			m, err := mapping.Resolve(made, names.mapping(file.File), a.Bundle.Program)
			if err != nil {
				return fail(err)
			}
			if err := e.Fits(a.Bundle.Program, m); err != nil {
				return fail(err)
			}
			note(&p.notes, in.Name+": ", report.MappingNotes(a.Bundle, m, file.Name))
			if p.estimator == nil {
				p.estimator, p.serial, p.model = e, m.Serial, e.Costs[m.Serial].Model
				if p.split, err = splitter(ctx, pricer, e, m.Serial); err != nil {
					return fail(err)
				}
			}
			for _, t := range techniques {
				r, err := e.Estimate(m, t)
				if err != nil {
					return fail(err)
				}
				p.results = append(p.results, r)
			}
		}
	}
	note(&p.notes, in.Name+": ", pricer.Warnings)
	return p, nil
}

// splitter splits the cycles of blocks among source lines as all commands do.
func splitter(ctx context.Context, pricer *estimate.Pricer, e *estimate.Estimator, processor int) (*compare.Splitter, error) {
	if !pricer.Description(e.Costs[processor]).Additive {
		return compare.NewSplitter(ctx, nil, pricer.Program)
	}
	p := &e.Platform.Processors[processor]
	m, err := procmodels.Open(p.Model, p.Dir)
	if err != nil {
		return nil, err
	}
	if c, ok := m.(io.Closer); ok {
		defer c.Close()
	}
	return compare.NewSplitter(ctx, m, pricer.Program)
}

// translation is what puts a mapping of program a into the names of program b.
type translation struct {
	a, b *ir.Program
	toB  []int // by region of a; -1 where b has none like it
}

// mapping returns a mapping with the regions of a under their names in b, and sections by
// number. Names that are none of a's are left to who resolves the mapping.
func (t *translation) mapping(m *mapping.Mapping) *mapping.Mapping {
	if m == nil || t == nil {
		return m
	}
	out := *m
	out.Regions = nil
	for _, r := range m.Regions {
		i, err := mapping.FindRegion(t.a, r.Name.Text)
		if err != nil || t.toB[i] < 0 {
			out.Regions = append(out.Regions, r)
			continue
		}
		r.Name.Text = t.b.Regions[t.toB[i]].Name
		lists := slices.Clone(r.Processors)
		for k := range lists {
			lists[k].Sections = slices.Clone(lists[k].Sections)
			for n := range lists[k].Sections {
				w := &lists[k].Sections[n]
				if region, number, err := mapping.FindSection(t.a, w.Text); err == nil && region == i {
					w.Text = strconv.Itoa(number)
				}
			}
		}
		r.Processors = lists
		out.Regions = append(out.Regions, r)
	}
	return &out
}

// figures compares the predictions, and the sizes of the profiles.
func (d *Diff) figures(a, b *prediction, o Options, techniques []estimate.Technique) {
	add := func(name, of, unit, better string, x, y float64) {
		d.Figures = append(d.Figures, newFigure(name, of, unit, better, x, y, false))
	}
	var names []string
	for _, t := range techniques {
		names = append(names, t.String())
	}
	d.legend = report.Legend(names)
	next := 0
	for i, pl := range o.Platforms {
		for k, m := range o.Mappings {
			for _, t := range techniques {
				x, y := &a.results[next], &b.results[next]
				next++
				if i == 0 && k == 0 && t == techniques[0] {
					add("sequential cycles", "model "+d.Model, "cycles", Lower, x.SequentialCycles, y.SequentialCycles)
				}
				of := report.Count(len(pl.Processors), "processor") + ", " + m.Name + ", " + report.Title(t.String())
				add("speed-up", of, "", Higher, x.Speedup, y.Speedup)
				add("parallel time", of, "seconds", Lower, x.ParallelSeconds, y.ParallelSeconds)
				for n := len(d.Figures) - 2; n < len(d.Figures); n++ {
					d.Figures[n].Judged = t == techniques[0]
				}
			}
		}
	}
	x, y := sizes(a.bundle), sizes(b.bundle)
	add("functions that ran", "", "", "", x[0], y[0])
	add("different paths", "", "", "", x[1], y[1])
	add("paths taken", "", "", "", x[2], y[2])
}

// sizes counts functions that ran, different paths, and how often they were taken.
func sizes(b *profile.Bundle) (n [3]float64) {
	for i := range b.Funcs {
		if b.Funcs[i] != nil {
			n[0]++
		}
		for _, l := range levels(b, i) {
			n[1] += float64(len(l.Paths))
			for k := range l.Paths {
				n[2] += float64(l.Paths[k].Count)
			}
		}
	}
	return n
}
