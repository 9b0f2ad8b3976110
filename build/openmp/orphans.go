package openmp

// This file brings orphaned loops into the text of the regions that execute them: worksharing
// loops in functions that a region calls.

import (
	"slices"
	"strconv"

	"pathspan/ir/asm"
)

// mostCopies is how many calls are laid in, of a module. Beyond it the loops of the functions
// that are called most stay where they are.
const mostCopies = 200

// orphanage is a module seen for the orphaned loops in it.
type orphanage struct {
	m       *asm.Module
	bodies  map[string]bool // of parallel regions
	holds   map[string]bool // has loops
	callees map[string][]string
	known   map[string]bool      // what wanted says
	copies  map[string]*asm.Func // by the name of the function
	left    int
}

// LayIn makes copies of functions with worksharing loops, for the parallel regions of m that
// call them, directly or through other functions. It returns whether there are any:
// then opt -passes=always-inline,globaldce lays them into the regions, and [LaidIn] follows.
// Each call has loops of its own.
// Calls that are not known, of functions that come back to themselves and of those that the
// linker may replace stay as they are. It comes before [Lower] and [Parallel]; the values of
// m must be named.
func LayIn(m *asm.Module) (_ bool, err error) {
	defer failed(&err)
	wellFormed(m)
	o := &orphanage{m: m, bodies: map[string]bool{}, holds: map[string]bool{}, callees: map[string][]string{}, known: map[string]bool{}, copies: map[string]*asm.Func{}, left: mostCopies}
	all := findForks(m, func(*fork) {})
	for _, p := range all {
		o.bodies[p.fn.Name()], o.bodies[p.body.Name()] = true, true
	}
	for in := range m.Instrs() {
		c := in.Call()
		if c == nil || in.IsDebug() {
			continue
		}
		f := in.Block().Func().Name()
		if loopBegin(m, c) {
			o.holds[f] = true
		}
		if m.Func(c.Callee) != nil {
			o.callees[f] = append(o.callees[f], c.Callee)
		}
	}
	for name := range o.bodies {
		delete(o.holds, name)
	}
	if len(o.holds) == 0 {
		return false, nil
	}
	found := false
	for _, p := range all {
		n := o.sites(p.body.Name())
		if n == 0 || n > o.left {
			continue
		}
		o.left -= n
		found = true
		o.redirect(p.body)
	}
	if !found {
		return false, nil
	}
	for _, f := range m.Funcs() {
		if f.HasAttr("alwaysinline") && !o.isCopy(f) {
			f.RemoveAttr("alwaysinline")
			must(f.AddAttr(strconv.Quote(spared)))
		}
	}
	return true, nil
}

// spared marks functions that opt is to lay into others, but not together with the copies:
// the constructs are recognised as clang wrote them.
const spared = "pathspan-spared"

// LaidIn finishes what [LayIn] began, once opt has laid in the copies.
func LaidIn(m *asm.Module) (err error) {
	defer failed(&err)
	for _, f := range m.Funcs() {
		if !f.HasAttr(spared) {
			continue
		}
		f.RemoveAttr(spared)
		must(f.AddAttr("alwaysinline"))
	}
	return nil
}

func (o *orphanage) isCopy(f *asm.Func) bool {
	for _, k := range o.copies {
		if k == f {
			return true
		}
	}
	return false
}

// sites returns how many calls are laid into a function, more than there may be where they
// are too many to count.
func (o *orphanage) sites(name string) int {
	n := 0
	for _, callee := range o.callees[name] {
		if o.wanted(callee) {
			n = min(n+1+o.sites(callee), mostCopies+1)
		}
		if n > mostCopies {
			break
		}
	}
	return n
}

// wanted reports whether calls of a function are laid in: it has loops, or leads to some.
func (o *orphanage) wanted(name string) bool {
	is, known := o.known[name]
	if !known {
		is = o.leads(name)
		o.known[name] = is
	}
	return is
}

func (o *orphanage) leads(name string) bool {
	f := o.m.Func(name)
	if f == nil || o.bodies[name] || f.Variadic() || f.CheckEditable() != nil || f.HasAttr("optnone") || whole(f) != "" ||
		slices.Contains([]string{"weak", "linkonce", "extern_weak", "common"}, f.Linkage()) {
		return false
	}
	seen := map[string]bool{}
	leads := false
	var visit func(string)
	visit = func(at string) {
		leads = leads || o.holds[at]
		for _, callee := range o.callees[at] {
			if !seen[callee] && !o.bodies[callee] {
				seen[callee] = true
				visit(callee)
			}
		}
	}
	visit(name)
	return leads && !seen[name]
}

// redirect lets a function call copies of those that are wanted.
func (o *orphanage) redirect(f *asm.Func) {
	for in := range f.Instrs() {
		c := in.Call()
		if c == nil || in.IsDebug() || o.m.Func(c.Callee) == nil || !o.wanted(c.Callee) {
			continue
		}
		k := o.copy(c.Callee)
		in.SetCallee(asm.GlobalRef(k.Name()))
	}
}

// copy returns the copy of a function that is laid in.
func (o *orphanage) copy(name string) *asm.Func {
	if k := o.copies[name]; k != nil {
		return k
	}
	k := made(o.m.CloneFunc(o.m.Func(name), o.m.FreshName(name+".in_region")))
	o.copies[name] = k
	k.RemoveAttr("noinline")
	must(k.AddAttr("alwaysinline"))
	o.redirect(k)
	return k
}

// laidIn reports whether a loop that stands outside of regions has a copy in one.
func laidIn(at position, regions []*parallel) bool {
	return at.line > 0 && slices.ContainsFunc(regions, func(p *parallel) bool {
		return slices.ContainsFunc(p.constructs, func(c *construct) bool {
			return c.loop != nil && c.problem == "" && c.pos.same(at)
		})
	})
}
