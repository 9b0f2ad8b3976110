package accelerator

// This file makes of what reports say, once they are matched to a program, what a file could have given.

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// readReports reads the reports that a file names, relative to it. The first is that of the whole design.
func (m *Model) readReports(v yamlstrict.Value) {
	if !v.Has() {
		return
	}
	list := []yamlstrict.Value{v}
	if !v.IsScalar() {
		list = v.List()
	}
	m.reports, m.reportsAt = nil, v.Pos()
	for _, x := range list {
		file := x.Text()
		if file == "" {
			return
		}
		if !filepath.IsAbs(file) {
			file = filepath.Join(filepath.Dir(x.Pos().File), file)
		}
		r, err := readReport(file)
		if err != nil {
			x.Fail("report: %v", err)
			return
		}
		m.reports = append(m.reports, r)
	}
	if len(m.reports) == 0 {
		v.Fail("report names no file: leave it out")
		return
	}
	first := m.reports[0]
	if first.clock > 0 {
		m.desc.ClockMHz = 1000 / first.clock
	}
	if m.capacity == nil {
		for name, x := range first.available {
			if first.takes[name] > 0 {
				if m.capacity == nil {
					m.capacity = map[string]float64{}
				}
				m.capacity[name] = x
			}
		}
	}
	m.desc.Notes = strings.TrimSpace(fmt.Sprintf("%s Its loops are those of %s (version %s, %s, for %s).", m.desc.Notes, filepath.Base(first.file), first.version, first.top, first.part))
}

// reportTakes is what the whole design takes of each resource, which all of its loops share.
func (m *Model) reportTakes() map[string]float64 {
	all := map[string]float64{}
	if len(m.reports) > 0 {
		for name, x := range m.reports[0].takes {
			if x > 0 {
				all[name] = x
			}
		}
	}
	return all
}

// On implements procmodels.Hardware.
func (m *Model) On(p *ir.Program) (procmodels.Hardware, error) { return m.on(p) }

func (m *Model) on(p *ir.Program) (*Model, error) {
	if m.reports == nil || m.matched {
		return m, nil
	}
	out := *m
	out.matched, out.loops, out.funcs = true, slices.Clone(m.loops), slices.Clone(m.funcs)
	t := &matcher{p: p, all: sourceLoops(p), names: map[string]string{}}
	for i := range m.loops {
		if g := &m.loops[i]; g.reported != "" {
			t.names[g.reported] = g.name
		}
	}
	loops := map[string]bool{}
	modules := map[string]*module{}
	for _, r := range m.reports {
		for _, mod := range r.modules {
			if modules[mod.name] != nil {
				continue // in several reports
			}
			modules[mod.name] = mod
			mod.each(func(l, _ *reported) { loops[l.title()], loops[l.name] = true, true })
			t.module(mod)
		}
	}
	for i := range m.loops {
		if g := &m.loops[i]; g.reported != "" && !loops[g.reported] {
			titles := slices.DeleteFunc(slices.Sorted(maps.Keys(loops)), func(name string) bool { return !strings.Contains(name, "/") })
			return nil, g.at.Errorf("the loop at %s is %q of the report, which has none of that name: want %s", g.name, g.reported, yamlstrict.List(titles))
		}
	}
	out.warnings = t.failed
	any := false
	for _, s := range t.all {
		if s.of != nil {
			any = true
			if err := out.take(s); err != nil {
				return nil, err
			}
		}
	}
	// A function without loops is known by its name.
	if top := m.reports[0].top; !any && (len(loops) > 0 || t.functionOf(top) != top) {
		var names []string
		for _, f := range p.Funcs {
			names = append(names, f.Source)
		}
		return nil, m.reportsAt.Errorf("%s is of another program: none of its loops and functions (%s) is one of this, whose functions are %s", filepath.Base(m.reports[0].file), listed(slices.Sorted(maps.Keys(modules)), "none", ""), listed(names, "none", ""))
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		out.function(t, modules[name])
	}
	for _, s := range t.all {
		if s.of == nil && !s.flat && !out.gone(s) && modules[s.holder] != nil {
			out.warnings = append(out.warnings, fmt.Sprintf("%s: the loop at %s is not in the report, which may have unrolled it: it is priced as the model finds it", modules[s.holder].at, path.Base(s.place)))
		}
	}
	return &out, nil
}

// given returns what the file gives of a loop, from now on.
func (m *Model) given(s *sourceLoop) *given {
	for i := range m.loops {
		if named(m.loops[i].name, s.place) {
			return &m.loops[i]
		}
	}
	m.loops = append(m.loops, given{name: s.place, at: m.reportsAt, unroll: 1, partition: 1, pipeline: true})
	return &m.loops[len(m.loops)-1]
}

// gone reports whether a loop is unrolled whole in what is around it.
func (m *Model) gone(s *sourceLoop) bool {
	for _, x := range s.chain() {
		for i := range m.loops {
			if g := &m.loops[i]; named(g.name, x.place) && (g.gone || g.absorbs && x != s) {
				return true
			}
		}
	}
	return false
}

// take gives a loop what its report says. What the file says itself goes before.
func (m *Model) take(s *sourceLoop) error {
	l, g := s.of, m.given(s)
	switch {
	case g.tries != nil:
		return g.at.Errorf("try of the loop at %s: the report (%s) is of one design of it: leave try out", g.name, l.at)
	case g.transform != asWritten:
		return g.how.Errorf("sum and scan of the loop at %s: the report (%s) says what its iterations take: leave them out", g.name, l.at)
	}
	shares := map[string]measured{}
	for name, x := range m.reportTakes() {
		shares[name] = measured{[]float64{float64(g.unroll)}, []float64{x}}
	}
	maps.Copy(shares, g.shares)
	g.shares = shares
	if g.ii > 0 || g.latency != nil || g.flatten || !g.pipeline {
		return nil
	}
	g.at, g.iiAt, g.latencyAt, g.fromReport = l.at, l.at, l.at, true
	switch {
	case l.ii > 0 && len(l.inner) == 0:
		g.ii, g.latency, g.trips = l.ii, &latency{l.first(), l.first()}, l.trips.most
		g.absorbs = len(s.inner) > 0
		for up := s.outer; up != nil && up.flat; up = up.outer {
			o := m.given(up)
			o.at, o.flatten, o.fromReport = l.at, true, true
		}
	case l.iteration.known && len(s.inner) == 0:
		g.pipeline, g.latency, g.trips = false, &latency{l.iteration.most, l.iteration.most}, l.trips.most
	case l.iteration.known && s.allKnown():
		g.latency, g.trips = &latency{l.iteration.least, l.iteration.most}, l.trips.most
		for _, in := range s.inner {
			if in.of == nil && !in.flat {
				m.given(in).gone = true
			}
		}
	default:
		m.warnings = append(m.warnings, fmt.Sprintf("%s: loop %s has no figures that can be used: the loop at %s is priced as the model finds it", l.at, l.title(), path.Base(s.place)))
	}
	return nil
}

// allKnown reports whether it is known what the loops in a loop take: from reports, or since they are unrolled.
func (s *sourceLoop) allKnown() bool {
	for _, in := range s.inner {
		switch {
		case in.flat:
			if !in.allKnown() {
				return false
			}
		case in.of == nil:
			if in.holder != s.holder {
				return false
			}
		default:
			if _, known := in.of.total(); !known {
				return false
			}
		}
	}
	return true
}

// function gives a function what its module takes, where all loops in it are known, or it has none left.
func (m *Model) function(t *matcher, mod *module) {
	if t.functionOf(mod.name) != mod.name || !mod.latency.known || slices.ContainsFunc(m.funcs, func(g givenFunc) bool { return g.name == mod.name }) {
		return
	}
	if mod.dataflow {
		m.warnings = append(m.warnings, fmt.Sprintf("%s: what is in %s runs at the same time there (dataflow), and is priced one behind the other", mod.at, mod.name))
		return
	}
	whole := &sourceLoop{holder: mod.name}
	for _, s := range t.all {
		if s.holder == mod.name && s.outer == nil {
			whole.inner = append(whole.inner, s)
		}
	}
	if !whole.allKnown() {
		return
	}
	i := slices.IndexFunc(t.p.Funcs, func(f *ir.Func) bool { return f.Source == mod.name })
	if i < 0 || slices.ContainsFunc(t.p.Funcs[i].Blocks, func(b *ir.Block) bool { return b.Tells() || calls(b) != "" }) {
		return // inlined everywhere; what it calls has a time of its own
	}
	for _, s := range whole.inner {
		if s.of == nil && !s.flat {
			m.given(s).gone = true
		}
	}
	m.funcs = append(m.funcs, givenFunc{name: mod.name, at: mod.at, latency: latency{mod.latency.least, mod.latency.most}, fromReport: true})
}
