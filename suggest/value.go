package suggest

// This file values the whole program with some of its parts taken to run in parallel.

import (
	"maps"
	"slices"

	"gonum.org/v1/gonum/mat"

	"pathspan/estimate/recursion"
)

// change is what a prospect that is taken replaces.
type change struct {
	loops map[level]float64 // time of one call of the function in these levels
	calls map[int]float64   // time of a call of these functions from outside of their recursion
	runs  []statements
}

type level struct{ fn, level int }

// statements are parts of a level that run at the same time.
type statements struct {
	level
	blocks []int // whose own time and calls are part of it
	sites  []int // calls in other blocks
	loops  []int // levels
	time   float64
}

// changes are those of several prospects, by what they change.
type changes struct {
	loops map[level]float64
	calls map[int]float64
	runs  map[int][]*statements // by function
}

func together(all []*prospect) *changes {
	c := &changes{map[level]float64{}, map[int]float64{}, map[int][]*statements{}}
	for _, x := range all {
		maps.Copy(c.loops, x.change.loops)
		maps.Copy(c.calls, x.change.calls)
		for i := range x.change.runs {
			s := &x.change.runs[i]
			c.runs[s.fn] = append(c.runs[s.fn], s)
		}
	}
	return c
}

func (c *changes) touches(fn int, levels int) bool {
	for l := range levels {
		if _, ok := c.loops[level{fn, l}]; ok {
			return true
		}
	}
	return c.runs[fn] != nil
}

// linear is a time that depends on what calls of a recursion's functions take.
type linear struct {
	value float64
	coef  []float64
}

func (x *linear) add(y linear) {
	x.value += y.value
	for i, c := range y.coef {
		x.coef[i] += c
	}
}

// value returns the time of the whole program with changes, nil for none, and fills in what a call of
// each function takes outside of all that is parallel.
func (p *program) value(c *changes, now []float64) float64 {
	changed := make([]bool, len(p.funcs))
	for _, members := range p.groups {
		if c != nil && !p.reaches(c, members, changed) {
			for _, fn := range members {
				now[fn] = p.now[fn]
			}
			continue
		}
		for _, fn := range members {
			changed[fn] = true
		}
		p.solve(c, members, now)
	}
	return now[p.e.Root]
}

// reaches reports whether changes make a difference to functions of a component.
func (p *program) reaches(c *changes, members []int, changed []bool) bool {
	for _, fn := range members {
		f := p.funcs[fn]
		if c.touches(fn, len(f.nodes)) {
			return true
		}
		for s := range f.sites {
			callee := f.sites[s].callee
			if _, ok := c.calls[callee]; ok || changed[callee] {
				return true
			}
		}
	}
	return false
}

// solve finds the times of a component, which calls functions of others that are known.
func (p *program) solve(c *changes, members []int, now []float64) {
	unknown := 0
	if p.e.Recursive(members[0]) {
		unknown = len(members)
	}
	index := map[int]int{}
	for i, fn := range members[:unknown] {
		index[fn] = i
	}
	v := &valuer{p, c, now, index, unknown}
	forms := make([]linear, len(members))
	for i, fn := range members {
		forms[i] = v.level(p.funcs[fn], 0)
	}
	if unknown == 0 {
		now[members[0]] = forms[0].value
		return
	}
	among, rest := mat.NewDense(unknown, unknown, nil), mat.NewDense(unknown, 1, nil)
	for i := range forms {
		among.SetRow(i, forms[i].coef)
		rest.Set(i, 0, forms[i].value)
	}
	x, ok := recursion.Linear(among, rest)
	if !ok {
		for _, fn := range members {
			now[fn] = p.funcs[fn].whole // such as threads whose start was not seen
			if p.funcs[fn].whole > 0 {
				p.endless(fn)
			}
		}
		return
	}
	for i, fn := range members {
		now[fn] = x.At(i, 0)
	}
}

// valuer values the functions of a component.
type valuer struct {
	p       *program
	c       *changes
	now     []float64
	index   map[int]int // of functions whose values are not known yet
	unknown int
}

func (v *valuer) level(f *function, l int) linear {
	x := linear{coef: make([]float64, v.unknown)}
	if v.c != nil {
		if time, ok := v.c.loops[level{f.index, l}]; ok {
			x.value = time
			return x
		}
	}
	skip := v.skipped(f, l, &x)
	n := &f.nodes[l]
	for _, b := range n.blocks {
		if skip.blocks[b] {
			continue
		}
		x.value += f.now[b]
		for _, s := range f.at[b] {
			if !skip.sites[s] {
				x.add(v.call(f, &f.sites[s]))
			}
		}
	}
	for _, child := range n.children {
		if !skip.loops[child] {
			x.add(v.level(f, child))
		}
	}
	return x
}

// skip is what statements that run at the same time replace in a level.
type skip struct{ blocks, sites, loops map[int]bool }

func (v *valuer) skipped(f *function, l int, x *linear) skip {
	var out skip
	if v.c == nil {
		return out
	}
	for _, s := range v.c.runs[f.index] {
		if s.level.level != l {
			continue
		}
		if out.blocks == nil {
			out = skip{map[int]bool{}, map[int]bool{}, map[int]bool{}}
		}
		if out.overlaps(s) {
			continue // the first of several that overlap counts
		}
		mark(out.blocks, s.blocks)
		mark(out.sites, s.sites)
		mark(out.loops, s.loops)
		x.value += s.time
	}
	return out
}

func mark(set map[int]bool, members []int) {
	for _, m := range members {
		set[m] = true
	}
}

func (s *skip) overlaps(x *statements) bool {
	for _, pair := range []struct {
		set     map[int]bool
		members []int
	}{{s.blocks, x.blocks}, {s.sites, x.sites}, {s.loops, x.loops}} {
		for _, m := range pair.members {
			if pair.set[m] {
				return true
			}
		}
	}
	return false
}

// call is the time of the calls of a site. Inside of sections regions run on one processor.
func (v *valuer) call(f *function, s *site) linear {
	x := linear{coef: make([]float64, v.unknown)}
	times := s.calls[v.p.kindOf[v.p.serial]]
	if s.inside {
		x.value = s.factor * times * v.p.funcs[s.callee].whole
		return x
	}
	if v.c != nil && v.p.e.Component(s.callee) != v.p.e.Component(f.index) {
		if time, ok := v.c.calls[s.callee]; ok {
			x.value = times * time
			return x
		}
	}
	if i, ok := v.index[s.callee]; ok {
		x.coef[i] = times
		return x
	}
	x.value = times * v.now[s.callee]
	return x
}

// often returns how often each function is called in one execution of the program, but in
// sections.
func (p *program) often() []float64 {
	kind := p.kindOf[p.serial]
	out := make([]float64, len(p.funcs))
	out[p.e.Root] = 1
	for _, members := range slices.Backward(p.groups) {
		if p.e.Recursive(members[0]) {
			p.settle(members, out, kind)
		}
		for _, fn := range members {
			for s := range p.funcs[fn].sites {
				x := &p.funcs[fn].sites[s]
				if !x.inside && p.e.Component(x.callee) != p.e.Component(fn) {
					out[x.callee] += out[fn] * x.calls[kind]
				}
			}
		}
	}
	return out
}

// settle adds the calls that the functions of a recursion make of each other.
func (p *program) settle(members []int, calls []float64, kind int) {
	index := map[int]int{}
	from := mat.NewDense(len(members), 1, nil)
	any := false
	for i, fn := range members {
		index[fn] = i
		from.Set(i, 0, calls[fn])
		any = any || calls[fn] > 0
	}
	if !any {
		return
	}
	among := mat.NewDense(len(members), len(members), nil)
	for i, fn := range members {
		for s := range p.funcs[fn].sites {
			x := &p.funcs[fn].sites[s]
			if k, ok := index[x.callee]; ok && !x.inside {
				among.Set(k, i, among.At(k, i)+x.calls[kind])
			}
		}
	}
	x, ok := recursion.Linear(among, from)
	if !ok {
		p.endless(members[0])
		return
	}
	for i, fn := range members {
		calls[fn] = x.At(i, 0)
	}
}
