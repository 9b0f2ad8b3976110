package openmp

// This file decides how a section that becomes a function reaches what it uses.
// Values that the outlined function computed before become parameters. Its stack
// variables stand for storage of the thread and are treated by how they are used:
//
//   - used by this section alone: the variable moves into the section;
//   - a scalar whose address nobody else can know: the section has a variable of
//     its own, gets the value as a parameter when it may read it, and returns the
//     value when it may change it and it is read later;
//   - anything else: the section gets the address.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

type slotMode uint8

const (
	byAddress slotMode = iota
	byMove
	byValue
)

type argument struct {
	typ, attrs string
	name       string // of the parameter
	value      string // passed by the caller, as spelled; "" for the value of slot
	slot       *slot
}

type extraction struct {
	m       *asm.Module
	f       *asm.Func
	g       *graph
	slots   *slots
	section *section
	join    *asm.Block
	name    string

	mode    map[*slot]slotMode
	args    []argument
	results []*slot         // whose values the section returns
	seen    map[string]bool // values from outside that the section uses
	prolog  []string        // instructions that start the function
	fn      *asm.Func
}

// plan decides on parameters, results and variables of the section.
func (x *extraction) plan() {
	x.mode = map[*slot]slotMode{}
	if x.section.entry == nil {
		return
	}
	in := x.section.in
	inside := func(b int) bool { return b < len(in) && in[b] }
	defined := map[string]bool{}
	x.eachInstr(func(b int, i *asm.Instr) { defined[i.Result()] = true })
	seen := map[string]bool{}
	x.seen = seen
	var slotUsed []*slot
	casts := map[*asm.Instr]bool{}
	x.eachInstr(func(b int, i *asm.Instr) {
		for _, u := range x.uses(i, inside) {
			if defined[u] || seen[u] {
				continue
			}
			seen[u] = true
			if k, ok := x.slots.of[u]; ok {
				l := x.slots.list[k]
				if !slices.Contains(slotUsed, l) {
					slotUsed = append(slotUsed, l)
				}
				if l.name != u {
					casts[x.slots.defs[u]] = true
				}
				continue
			}
			typ, attrs := x.typeOf(u)
			if typ == "" || typ == "token" {
				must(fmt.Errorf("function @%s: section %s uses %%%s, whose type cannot be passed", x.f.Name(), x.name, u))
			}
			x.args = append(x.args, argument{typ: typ, attrs: attrs, name: u, value: asm.LocalRef(u)})
		}
	})
	for _, l := range slotUsed {
		x.planSlot(l)
	}
	x.recast(casts)
	for _, a := range x.args {
		if a.slot != nil {
			x.prolog = append(x.prolog, fmt.Sprintf("store %s %s, %s %s%s", a.typ, asm.LocalRef(a.name),
				a.slot.in.ResultType(), asm.LocalRef(a.slot.name), align(a.slot)))
		}
	}
}

// recast repeats the casts of addresses that stand outside the section, with the
// casts that they are of.
func (x *extraction) recast(casts map[*asm.Instr]bool) {
	var order []*asm.Instr
	var add func(in *asm.Instr)
	add = func(in *asm.Instr) {
		if slices.Contains(order, in) {
			return
		}
		if from := x.slots.defs[bare(in.Operands()[0].Value)]; from != nil && from.Op() == "bitcast" {
			add(from)
		}
		order = append(order, in)
	}
	for _, l := range x.slots.list {
		for _, n := range l.casts {
			if in := x.slots.defs[n]; casts[in] {
				add(in)
			}
		}
	}
	for _, in := range order {
		x.prolog = append(x.prolog, in.Text())
	}
}

// planSlot decides how the section reaches l.
func (x *extraction) planSlot(l *slot) {
	in := x.section.in
	entry := x.g.index[x.section.entry]
	join := x.g.index[x.join]
	shared := x.g.reach(0, entry) // also reached without passing through the section
	before := x.before()
	again := before[entry] // the section may run several times in one activation
	live := l.liveIn(x.g)

	alone, begins, scalar, stored, leaks, known := true, false, l.bits > 0, false, false, false
	for _, u := range l.uses {
		here := u.block < len(in) && in[u.block]
		if !here || shared[u.block] {
			alone = alone && (u.kind == useBegin || u.kind == useEnd)
		}
		if here {
			switch u.kind {
			case useBegin:
				begins = true
			case useStore, usePart:
				stored = true
			case useMem, useUnknown:
				scalar = false
			}
		}
		if u.kind == useUnknown || u.kind == useMem {
			leaks = true
			known = known || u.kind == useUnknown && before[u.block]
		}
	}
	for _, n := range l.parts {
		// An address inside that is passed on its own would be an alias.
		known = known || x.seen[n]
	}
	switch {
	case alone && (!again || begins || l.bits > 0 && !live[entry]):
		x.mode[l] = byMove
		x.prolog = append(x.prolog, l.in.Text())
	case scalar && !known:
		x.mode[l] = byValue
		x.prolog = append(x.prolog, l.in.Text())
		if live[entry] || leaks {
			attrs := ""
			if l.param >= 0 {
				attrs = keepAttrs(x.f.Params()[l.param].Attrs)
			}
			x.args = append(x.args, argument{typ: l.typ, attrs: attrs, name: x.f.FreshName(l.name + ".in"), slot: l})
		}
		if stored && (live[join] || leaks) && len(x.g.preds[join]) > 0 {
			x.results = append(x.results, l)
		}
	default:
		x.mode[l] = byAddress
		attrs := "noundef nonnull"
		if !known {
			attrs = "noalias " + attrs
		}
		if a := align(l); a != "" {
			attrs += " " + strings.TrimPrefix(a, ", ")
		}
		if l.bits > 0 {
			attrs += fmt.Sprintf(" dereferenceable(%d)", l.bits/8)
		}
		x.args = append(x.args, argument{typ: l.in.ResultType(), attrs: attrs, name: l.name, value: asm.LocalRef(l.name)})
	}
}

// before returns the blocks from which control may come to the section.
func (x *extraction) before() []bool {
	in := x.section.in
	from := slices.DeleteFunc(slices.Clone(x.g.preds[x.g.index[x.section.entry]]), func(p int) bool { return p < len(in) && in[p] })
	return reach(x.g.preds, -1, from...)
}

// eachInstr calls do for the instructions of the section, debug ones excluded.
func (x *extraction) eachInstr(do func(b int, in *asm.Instr)) {
	for b, here := range x.section.in {
		if !here {
			continue
		}
		for _, in := range x.f.Blocks[b].Instrs {
			if !in.IsDebug() {
				do(b, in)
			}
		}
	}
}

// uses returns the local values that in uses inside the section: of a phi only
// those that come from blocks of the section.
func (x *extraction) uses(in *asm.Instr, inside func(int) bool) []string {
	if in.Op() != "phi" {
		return in.Uses()
	}
	var out []string
	for _, p := range in.Phi() {
		if b := x.f.Block(p.Block); b != nil && inside(x.g.index[b]) {
			if n := bare(p.Value); n != "" {
				out = append(out, n)
			}
		}
	}
	return out
}

func (x *extraction) typeOf(name string) (typ, attrs string) {
	for _, p := range x.f.Params() {
		if p.Name == name {
			return p.Type, keepAttrs(p.Attrs)
		}
	}
	if in := x.slots.defs[name]; in != nil {
		return in.ResultType(), x.slots.paramAttrs(name)
	}
	return "", ""
}

var kept = regexp.MustCompile(`\b(noundef|nonnull|align \d+|dereferenceable\(\d+\))`)

// keepAttrs returns those attributes of a parameter that hold for its value
// wherever it is passed on to.
func keepAttrs(attrs string) string {
	return strings.Join(kept.FindAllString(attrs, -1), " ")
}

var alignment = regexp.MustCompile(`, align \d+`)

// align returns the alignment of l as it stands in a load or store of it.
func align(l *slot) string { return alignment.FindString(l.in.Text()) }
