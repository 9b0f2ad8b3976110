package openmp

// This file takes a sections construct apart: the dispatch loop becomes a straight
// chain through the sections, and each section then a function that the chain
// calls.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// extract replaces the dispatch loop of c in f by calls of one new function for
// each section, named by name.
func (c *construct) extract(m *asm.Module, f *asm.Func, name func(section int) string) {
	joins := c.straighten(f)
	g := newGraph(f)
	s := findSlots(m, f)
	at := location(m, f, c.init.Dbg())
	var calls []*asm.Block
	for k := range c.sections {
		x := &extraction{m: m, f: f, g: g, slots: s, section: &c.sections[k], join: joins[k], name: name(k)}
		x.plan()
		x.define()
		b := made(f.AddBlock(f.FreshName("pathspan.section"), x.call(at)+"\nbr label "+asm.LocalRef(c.end.Name())))
		calls = append(calls, b)
	}
	must(f.RetargetSucc(c.pre, 0, calls[0].Name()))
	for k := range calls[1:] {
		must(f.RetargetSucc(calls[k], 0, calls[k+1].Name()))
	}
	removeUnreachable(f)
	removeDeadSlots(m, f, c.control, bare(c.last))
}

// straighten lets control pass through the sections in order, without the
// dispatch loop, and returns the block behind each section.
func (c *construct) straighten(f *asm.Func) []*asm.Block {
	var joins []*asm.Block
	for range c.sections {
		b := made(f.AddBlock(f.FreshName("pathspan.join"), "br label "+asm.LocalRef(c.end.Name())))
		joins = append(joins, b)
	}
	from := c.pre
	for i := len(from.Instrs) - 2; from.Instrs[i] != c.init; i-- {
		must(from.Delete(i))
	}
	store := "store i32 1, " + c.lastType + " " + c.last + suffixDbg(c.init.Dbg())
	must(from.Replace(from.Index(c.init), store))
	for k, s := range c.sections {
		to := joins[k]
		if s.entry != nil {
			to = s.entry
		}
		must(f.RetargetSucc(from, 0, to.Name()))
		for i, in := range s.in {
			if !in {
				continue
			}
			b := f.Blocks[i]
			for j, t := range b.Succs() {
				if t != c.exit.Name() {
					continue
				}
				must(f.RetargetSucc(b, j, joins[k].Name()))
			}
		}
		from = joins[k]
	}
	for i, in := range c.end.Instrs {
		if call := in.Call(); call != nil && call.Callee == staticFini {
			must(c.end.Delete(i))
			break
		}
	}
	return joins
}

func suffixDbg(id int) string {
	if id < 0 {
		return ""
	}
	return fmt.Sprintf(", !dbg !%d", id)
}

// location returns id, or for -1 a location without line when f has debug
// information: LLVM wants one on every call that can be inlined.
func location(m *asm.Module, f *asm.Func, id int) int {
	if id >= 0 || f.Dbg() < 0 {
		return id
	}
	return m.AddMeta(fmt.Sprintf("!DILocation(line: 0, scope: !%d)", f.Dbg()))
}

func removeUnreachable(f *asm.Func) {
	g := newGraph(f)
	seen := g.reach(0, -1)
	var dead []*asm.Block
	for i, b := range f.Blocks {
		if !seen[i] {
			dead = append(dead, b)
		}
	}
	for _, b := range dead {
		must(f.RemoveBlock(b))
	}
}

// removeDeadSlots removes the stack variables of f that are no longer used but for
// lifetime markers, and those among control that are only stored to.
func removeDeadSlots(m *asm.Module, f *asm.Func, control []string, more ...string) {
	s := findSlots(m, f)
	loop := map[string]bool{}
	for _, n := range append(append([]string{}, control...), more...) {
		loop[n] = true
	}
	dead := map[*asm.Instr]bool{}
	for _, l := range s.list {
		gone := true
		for _, u := range l.uses {
			switch u.kind {
			case useBegin, useEnd:
			case useStore:
				gone = gone && loop[l.name]
			default:
				gone = false
			}
		}
		if !gone {
			continue
		}
		dead[l.in] = true
		for _, u := range l.uses {
			dead[f.Blocks[u.block].Instrs[u.at]] = true
		}
		for _, n := range l.casts {
			dead[s.defs[n]] = true
		}
	}
	must(f.DeleteIf(func(in *asm.Instr) bool { return dead[in] || in.IsDebug() && mentions(in, dead) }))
}

func mentions(in *asm.Instr, dead map[*asm.Instr]bool) bool {
	for d := range dead {
		if d.Result() != "" && strings.Contains(in.Text(), asm.LocalRef(d.Result())) {
			return true
		}
	}
	return false
}
