package openmp

// This file is stage 1: regions and sections become functions of their own.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Result says what [Lower] did.
type Result struct {
	// Regions are the regions with sections, in the order of their positions.
	// Markers refer to them by index, counted from First.
	Regions []ir.Region
	// Origins is what tells regions of the same name apart, by region.
	Origins []ir.Origin
	// First is the number of the first region in the markers that [Delimit] writes, so that
	// those of several modules are told apart until [Merge] numbers them together.
	First int
	// Notes name the OpenMP constructs that are not modelled as parallel, one line
	// each, "file:line: construct: what is done", in the order of their positions.
	Notes []string
	// Parallel names the functions of parallel regions without sections: kept from
	// the optimiser's eyes like the others, but called like any function.
	Parallel []string
}

func regionName(region int) string { return fmt.Sprintf("__pathspan_region_%d", region) }

func sectionName(region, construct, section int) string {
	return fmt.Sprintf("__pathspan_section_%d_%d_%d", region, construct, section)
}

// Lower makes the parallel regions of m sequential. Each region with sections
// becomes a call of a function __pathspan_region_R, and each of its sections a
// function __pathspan_section_R_C_S called from there; R, C and S are the indices
// in [Result.Regions], Constructs and Sections. Other parallel regions become plain
// calls. Every function of m must have its values named (opt -passes=instnamer).
func Lower(m *asm.Module) (_ *Result, err error) {
	defer failed(&err)
	wellFormed(m)
	r := &Result{}
	var notes notes
	makes := makers(m)
	all := findForks(m, func(k *fork) {
		notes.add(k.pos, "parallel", "started in a way that is not understood, run by the run-time library on one thread, "+counted)
	})
	for _, p := range all {
		p.constructs = constructs(m, p.body)
		if why := whole(p.body); why != "" {
			for _, c := range p.constructs {
				c.problem = why
			}
		}
		p.onlyTasks(makes)
	}
	if err := noBarriersInside(m, all); err != nil {
		return nil, err
	}
	notes.scan(m, all)
	r.Parallel = append(r.Parallel, lowerTasks(m, &notes)...)
	notes.numbers(m)
	if len(all) == 0 {
		r.Notes = notes.lines()
		return r, nil
	}
	for _, p := range all {
		for _, f := range []*asm.Func{p.fn, p.body, p.forks[0].caller} {
			must(f.CheckEditable())
		}
	}
	regions := r.number(m, all)
	must(m.AddGlobal(asm.GlobalRef(tidName) + " = internal global i32 0, align 4"))
	for i, p := range all {
		if p.region >= 0 {
			p.target = regionName(p.region)
		} else {
			p.target = p.fn.Name()
			if p.others && whole(p.fn) == "" {
				p.target = m.FreshName(fmt.Sprintf("__pathspan_parallel_%d", i))
			}
			r.Parallel = append(r.Parallel, p.target)
		}
		for _, k := range p.forks {
			k.direct(m, p.fn, p.target)
		}
	}
	// Only now: bodies hold forks too.
	for _, p := range all {
		if p.region >= 0 {
			continue
		}
		f := p.fn
		if p.target != p.fn.Name() {
			f = made(m.CloneFunc(p.fn, p.target))
		}
		opaque(f)
	}
	for _, p := range regions {
		p.lower(m)
	}
	for _, p := range regions {
		p.retire(m)
	}
	r.Notes = notes.lines()
	return r, nil
}

// lower makes the functions of region p.
func (p *parallel) lower(m *asm.Module) {
	f := made(m.CloneFunc(p.fn, p.target))
	opaque(f)
	body := f
	if p.body != p.fn {
		name := m.FreshName(fmt.Sprintf("__pathspan_body_%d", p.region))
		body = made(m.CloneFunc(p.body, name))
		body.RemoveAttr("noinline")
		must(body.AddAttr("alwaysinline"))
		for in := range f.Instrs() {
			if c := in.Call(); c != nil && c.Callee == p.body.Name() {
				in.SetCallee(asm.GlobalRef(name))
			}
		}
		must(f.DeleteIf((*asm.Instr).IsDebug))
	}
	must(body.DeleteIf((*asm.Instr).IsDebug))
	taken := func(c *construct) bool { return c.problem == "" }
	sections := func(c *construct) bool { return taken(c) && c.loop == nil && !c.single }
	var numbers []int // of the sections constructs
	n := 0
	if p.whole {
		(&construct{single: true, whole: body}).mark(m, p.region, 0)
		return
	}
	for _, c := range constructs(m, body) {
		switch {
		case !taken(c):
			continue
		case c.loop == nil && !c.single:
			numbers = append(numbers, n)
		default:
			c.mark(m, p.region, n)
		}
		n++
	}
	for _, c := range numbers {
		all := constructs(m, body)
		i := slices.IndexFunc(all, sections)
		all[i].extract(m, body, func(s int) string { return sectionName(p.region, c, s) })
	}
}

// retire removes the outlined function when nothing else calls it: a second caller
// would keep the optimiser from inlining what sections call once.
func (p *parallel) retire(m *asm.Module) {
	if p.others {
		return
	}
	m.RemoveFunc(p.fn)
	if p.body == p.fn {
		return
	}
	for in := range m.Instrs() {
		if slices.Contains(in.GlobalRefs(), p.body.Name()) {
			return
		}
	}
	m.RemoveFunc(p.body)
}

// whole returns what keeps all sections of f from being laid back into callers.
func whole(f *asm.Func) string {
	for in := range f.Instrs() {
		if in.Op() == "indirectbr" || !in.IsDebug() && strings.Contains(in.Text(), "blockaddress(") {
			return "its region jumps to computed labels"
		}
	}
	return ""
}

// number decides which outlined functions are regions, orders and names them. The module
// must still be as the compiler left it.
func (r *Result) number(m *asm.Module, all []*parallel) []*parallel {
	var regions []*parallel
	for _, p := range all {
		if slices.ContainsFunc(p.constructs, func(c *construct) bool { return c.problem == "" }) {
			regions = append(regions, p)
		}
	}
	origins := origins(m, all)
	slices.SortStableFunc(regions, func(a, b *parallel) int {
		x, y := a.forks[0].pos, b.forks[0].pos
		return cmp.Or(cmp.Compare(x.file, y.file), cmp.Compare(origins[a].Path, origins[b].Path),
			cmp.Compare(x.line, y.line), cmp.Compare(x.col, y.col), cmp.Compare(origins[a].begins, origins[b].begins))
	})
	r.Origins = make([]ir.Origin, len(regions))
	for i, p := range regions {
		p.region, r.Origins[i] = i, origins[p].Origin
		r.Regions = append(r.Regions, p.describe(r.Origins[i].Symbol))
	}
	ir.NameRegions(r.Regions, r.Origins)
	return regions
}

// describe makes the public view of region p but for names. The symbol is that of the function that holds it.
func (p *parallel) describe(symbol string) ir.Region {
	k := p.forks[0]
	g := ir.Region{File: k.pos.file, Function: k.pos.function, Line: k.pos.line, Col: k.pos.col, NumThreads: k.threads}
	if k.pos.line == 0 {
		g.Function = symbol
	}
	for _, o := range p.forks[1:] {
		if o.threads != g.NumThreads {
			g.NumThreads = 0
		}
	}
	for _, c := range p.constructs {
		if c.problem != "" {
			continue
		}
		// A combined construct ends with its region.
		combined := c.pos.same(k.pos) || c.pos.line == 0 && len(p.constructs) == 1
		v := ir.Construct{Line: c.pos.line, NoWait: c.noWait && !combined, Loop: c.loop, Single: c.single, Reduces: c.reduces}
		for _, s := range c.sections {
			v.Sections = append(v.Sections, ir.Section{Line: s.line})
		}
		g.Constructs = append(g.Constructs, v)
	}
	return g
}
