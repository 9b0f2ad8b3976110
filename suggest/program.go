package suggest

// This file takes the program apart: functions into levels, levels into what they do
// themselves, the loops in them and the calls that they make.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/mapping"
	"pathspan/memory/depend"
	"pathspan/profile"
)

// program is what prospects are looked for in. Times are cycles of the platform's first
// processor.
type program struct {
	e      *estimate.Estimator
	bundle *profile.Bundle
	serial int // processor of all that is not parallel
	kindOf []int
	kinds  int
	funcs  []*function // by index, nil where it never ran
	order  []int       // functions that ran, callees first
	groups [][]int     // the same, those of a recursion together
	// kept is the part of the time of a construct's sections that is left when they run as
	// they are mapped, by region and construct.
	kept [][]float64
	now  []float64 // by function: time of a call outside of all regions, as the program is
	// sequential and present are the time of the whole program on one processor, and as it is.
	sequential, present float64
	depend              *depend.Depend // nil where no memory was recorded
	// err is the first recursion that has no end: figures behind it mean nothing.
	err error
}

// function is a function that ran. Figures are of one call of it.
type function struct {
	index int
	fn    *ir.Func
	cfg   *flow.CFG
	prof  *profile.FuncProfile
	parts *estimate.Parts
	nodes []node // by level
	sites []site
	at    map[int][]int // by block: its sites
	now   []float64     // by block: what it takes itself, with sections as they are
	lines map[int]ir.LoopLines
	most  []float64 // by level: see largest
	mean  []float64 // by level: see entryTime
	whole float64

	returning []bool // by block: see returns
}

// node is a level of a function: its body or a loop.
type node struct {
	children []int
	blocks   []int // directly in the level
	entries  float64
	own      []float64 // by kind: of its blocks
	alone    []float64 // by kind: with its loops and calls, on one processor
	inside   bool      // it lies in a section of a region
}

// site is a call.
type site struct {
	block, instr, callee int
	calls                []float64 // by kind
	factor               float64   // of a call in a section: what is left of its time; else 1
	inside               bool      // in a section
}

func newProgram(e *estimate.Estimator, m *mapping.Resolved) (*program, error) {
	p := &program{e: e, bundle: e.Bundle, serial: m.Serial, kindOf: e.KindOf(), order: e.CalleesFirst(), groups: e.Components()}
	p.kinds = slices.Max(p.kindOf) + 1
	if e.Bundle.Memory != nil {
		var err error
		if p.depend, err = depend.Of(e.Bundle); err != nil {
			return nil, err
		}
	}
	p.funcs = make([]*function, len(e.Bundle.Program.Funcs))
	for _, fn := range p.order {
		p.funcs[fn] = p.function(fn)
	}
	if err := p.regions(m); err != nil {
		return nil, err
	}
	for _, fn := range p.order {
		p.finish(p.funcs[fn])
	}
	p.now = make([]float64, len(p.funcs))
	p.sequential = e.Whole(e.Root)[p.kindOf[p.serial]]
	p.present = p.value(nil, p.now)
	if math.Abs(p.present-p.sequential) <= 1e-9*p.sequential {
		p.present = p.sequential // added up in another order
	}
	return p, p.err
}

func (p *program) function(index int) *function {
	f := &function{index: index, fn: p.bundle.Program.Funcs[index], prof: p.bundle.Funcs[index], parts: p.e.PartsOf(index), at: map[int][]int{}, lines: map[int]ir.LoopLines{}}
	f.cfg = p.e.Graphs[index].CFG
	f.nodes = make([]node, len(f.prof.Levels))
	for l := range f.nodes {
		n := &f.nodes[l]
		n.own, n.alone, n.entries = make([]float64, p.kinds), make([]float64, p.kinds), f.parts.Entries[l]
		if l > 0 {
			loop := f.cfg.Loops[l-1]
			f.nodes[loop.Parent+1].children = append(f.nodes[loop.Parent+1].children, l)
			n.inside = f.parts.Blocks[loop.Header].Section != estimate.Outside
		}
	}
	for _, b := range f.cfg.Order {
		bp := &f.parts.Blocks[b]
		n := &f.nodes[f.cfg.LoopOf[b]+1]
		n.blocks = append(n.blocks, b)
		for k, x := range bp.Cycles {
			n.own[k] += x
			n.alone[k] += x
		}
		for _, c := range bp.Calls {
			if bp.Runs == 0 {
				continue
			}
			f.at[b] = append(f.at[b], len(f.sites))
			f.sites = append(f.sites, site{b, c.Instr, c.Callee, c.Calls, 1, bp.Section != estimate.Outside})
			for k, times := range c.Calls {
				n.alone[k] += times * p.e.Whole(c.Callee)[k]
			}
		}
	}
	for l := len(f.nodes) - 1; l > 0; l-- { // outer loops stand before inner ones
		around := &f.nodes[f.cfg.Loops[l-1].Parent+1]
		for k, x := range f.nodes[l].alone {
			around.alone[k] += x
		}
	}
	for _, l := range f.fn.Loops {
		f.lines[l.Block] = l
	}
	return f
}

// regions finds what is left of the time of each construct's sections under the mapping.
func (p *program) regions(m *mapping.Resolved) error {
	prog := p.bundle.Program
	alone, saved := make([][]float64, len(prog.Regions)), make([][]float64, len(prog.Regions))
	for r := range prog.Regions {
		n := len(prog.Regions[r].Constructs)
		alone[r], saved[r] = make([]float64, n), make([]float64, n)
		p.kept = append(p.kept, slices.Repeat([]float64{1}, n))
	}
	if len(prog.Regions) == 0 {
		return nil
	}
	technique := estimate.Answering(p.bundle)
	answer, err := p.e.Estimate(m, technique)
	if err != nil {
		return err
	}
	kind := p.kindOf[p.serial]
	played := 0.0
	if technique.HasRows() {
		err = p.e.Play(m, technique, func(rows *table.Table, x *table.Played) {
			r, first := rows.Construct(x.Execution)
			takes := 0.0
			for s := range rows.Sections(x.Execution) {
				t, _ := rows.Alone(x.Execution, s, kind)
				takes += t
			}
			for s := range rows.Sections(x.Execution) { // of constructs that are one row, each its part
				t, _ := rows.Alone(x.Execution, s, kind)
				if c, _ := rows.Split(r, first, s); t > 0 {
					alone[r][c] += x.Weight * t
					saved[r][c] += x.Weight * (t - x.Span*t/takes)
				}
			}
			played += x.Weight * (takes - x.Span)
		})
		if err != nil {
			return err
		}
	}
	// What rows play and what they are valued at differs where they are averages; the answer
	// is what estimate says.
	want := (answer.SequentialCycles - answer.ParallelCycles) * p.clocks()
	for r := range p.kept {
		for c := range p.kept[r] {
			if alone[r][c] > 0 {
				p.kept[r][c] = 1 - saved[r][c]/alone[r][c]
			}
		}
	}
	p.adjust(want, played)
	return p.err
}

// clocks is how many cycles of the first processor one of the serial processor takes.
func (p *program) clocks() float64 { return p.e.ClockMHz[0] / p.e.ClockMHz[p.serial] }

// adjust makes what is kept of the time in sections, of which the paths know averages, save as much
// as the estimate says.
func (p *program) adjust(want, played float64) {
	inside, saved := make([][]float64, len(p.kept)), 0.0
	for r := range p.kept {
		inside[r] = make([]float64, len(p.kept[r]))
	}
	often := p.often()
	for _, fn := range p.order {
		f := p.funcs[fn]
		for b := range f.parts.Blocks {
			if at := f.parts.Blocks[b].Section; at != estimate.Outside {
				inside[at.Region][at.Construct] += often[fn] * p.blockAlone(f, b)
			}
		}
	}
	for r := range p.kept {
		for c := range p.kept[r] {
			saved += inside[r][c] * (1 - p.kept[r][c])
		}
	}
	if saved == 0 {
		if played != 0 || want != 0 {
			p.evenly(inside, want)
		}
		return
	}
	for r := range p.kept {
		for c := range p.kept[r] {
			p.kept[r][c] = 1 - (1-p.kept[r][c])*want/saved
		}
	}
}

// evenly has all constructs save the same part of their time.
func (p *program) evenly(inside [][]float64, want float64) {
	sum := 0.0
	for r := range inside {
		for _, x := range inside[r] {
			sum += x
		}
	}
	for r := range p.kept {
		for c := range p.kept[r] {
			if sum > 0 {
				p.kept[r][c] = 1 - want/sum
			}
		}
	}
}

// blockAlone is what a block and its calls take on the serial processor.
func (p *program) blockAlone(f *function, block int) float64 {
	kind := p.kindOf[p.serial]
	x := f.parts.Blocks[block].Cycles[kind]
	for _, s := range f.at[block] {
		x += f.sites[s].calls[kind] * p.e.Whole(f.sites[s].callee)[kind]
	}
	return x
}

// finish notes what blocks take with regions as they are.
func (p *program) finish(f *function) {
	kind := p.kindOf[p.serial]
	f.whole = p.e.Whole(f.index)[kind]
	f.now = make([]float64, len(f.fn.Blocks))
	for b := range f.parts.Blocks {
		bp := &f.parts.Blocks[b]
		factor := 1.0
		if at := bp.Section; at != estimate.Outside {
			factor = p.kept[at.Region][at.Construct]
		}
		f.now[b] = factor * bp.Cycles[kind]
		for _, s := range f.at[b] {
			f.sites[s].factor = factor
		}
	}
}

func (p *program) endless(fn int) {
	p.err = cmp.Or(p.err, fmt.Errorf("suggest: the recursion of %s has no end in the profile: each call leads to another on average; profile a run that ends by returning from main", p.funcs[fn].fn.Name))
}
