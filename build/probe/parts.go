package probe

// This file plans probes for parts of a program that become objects of their own, and
// writes the module that joins them. A part knows nothing of the program around it: its
// counters, tables and sites are numbered from zero, and what programs number through is
// told by the first number of each kind, which the root holds.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// Part is a module's place in a program of several.
type Part struct {
	Name        string // unlike that of any other, of letters of symbols
	ID          uint64 // likewise, below PartIDs
	Personality string // for functions that notice exceptions and have none, as Func.Personality spells it
}

const (
	// PartIDs bounds the identities of parts, and partBits the sites of one: a record's
	// site is an instruction's immediate operand, of 31 bits.
	PartIDs  = 1 << 11
	partBits = 20
	// firstName names what a part's numbers are counted from in the program.
	firstName = "__pathspan_first"
)

func (p *Plan) suffix() string {
	if p.Part == nil {
		return ""
	}
	return "." + p.Part.Name
}

// first spells the address of the first number of a kind: of sites of calls, of tables
// behind all sites, of tables.
func (p *Plan) first(m *asm.Module, kind int) string {
	const array = "[3 x i64]"
	return fmt.Sprintf("getelementptr inbounds (%s, %s @%s%s, i64 0, i64 %d)", array, m.Pointer(array), firstName, p.suffix(), kind)
}

// PartOf returns the plan of a part, whose functions are those from first up to end. It is
// nil where a part has more sites than can be told.
func (p *Plan) PartOf(first, end int, part *Part) *Plan {
	base, next := p.Funcs[first].First, p.Ends
	if end < len(p.Funcs) {
		next = p.Funcs[end].First
	}
	if next.Site-base.Site >= 1<<partBits || next.Return-base.Return >= 1<<partBits || part.ID >= PartIDs {
		return nil
	}
	out := &Plan{Counters: next.Counter - base.Counter, Tables: next.Table - base.Table, Calls: p.Calls, Threads: p.Threads, Catches: p.Catches, Part: part}
	ops := func(list []Op) []Op {
		list = append([]Op(nil), list...)
		for i := range list {
			switch op := &list[i]; op.Kind {
			case Count, AddTo, Max:
				op.Counter -= base.Counter
			case Hash:
				op.Table -= base.Table
			}
		}
		return list
	}
	blocks := func(list []BlockOps) []BlockOps {
		list = append([]BlockOps(nil), list...)
		for i := range list {
			list[i].Ops = ops(list[i].Ops)
		}
		return list
	}
	site := func(n uint64) uint64 { return part.ID<<partBits | n - uint64(base.Site) }
	for _, f := range p.Funcs[first:end] {
		f.Index, f.First = f.Index-first, Numbers{}
		f.Top, f.End, f.BeforeCall = blocks(f.Top), blocks(f.End), blocks(f.BeforeCall)
		f.Edges = append([]EdgeOps(nil), f.Edges...)
		for i := range f.Edges {
			f.Edges[i].Ops = ops(f.Edges[i].Ops)
		}
		f.Frames = append([]Frame(nil), f.Frames...)
		for i := range f.Frames {
			f.Frames[i].Site = site(f.Frames[i].Site)
		}
		f.Unwinds = append([]Unwind(nil), f.Unwinds...)
		for i := range f.Unwinds {
			f.Unwinds[i].Site = site(f.Unwinds[i].Site)
		}
		if f.Link != nil {
			link := *f.Link
			link.Again = append([]Return(nil), link.Again...)
			for i := range link.Again {
				link.Again[i].Number = part.ID<<partBits | link.Again[i].Number - uint64(base.Return)
			}
			f.Link = &link
		}
		out.Funcs = append(out.Funcs, f)
	}
	return out
}

// Forget takes back in all of a program, before it is divided, what probes make untrue.
func Forget(m *asm.Module) { forgetMemory(m) }

// Personality returns a personality that functions of the module use, "" for none.
func Personality(m *asm.Module) string { return personality(m.Funcs()) }

// Joined is a part as the root knows it.
type Joined struct {
	Part  *Part
	First int // its first function
	Sites int // of indirect calls
}

// Root writes into a module what joins the parts of a program, whose plan is p. Targets
// are the names of the functions that indirect calls can reach.
func Root(m *asm.Module, p *Plan, parts []Joined, targets []string) error {
	sites := 0
	for _, part := range parts {
		sites += part.Sites
	}
	var reached []string
	e := emitter{m: m}
	for _, name := range targets {
		reached = append(reached, "ptr "+asm.GlobalRef(name))
		e.declare(fmt.Sprintf("declare void %s()", asm.GlobalRef(name)))
	}
	list := append(p.totals(sites, "ptr", reached), partsTable(p.places(parts))...)
	site := 0
	var counters, pairs strings.Builder
	for _, part := range parts {
		base, name := p.Funcs[part.First].First, part.Part.Name
		list = append(list, fmt.Sprintf("@%s.%s = hidden constant [3 x i64] [i64 %d, i64 %d, i64 %d]", firstName, name, site, sites+base.Table, base.Table))
		site += part.Sites
		fmt.Fprintf(&counters, "  call void @__pathspan_each_counter.%s(i64 %d)\n", name, base.Counter)
		fmt.Fprintf(&pairs, "  call void @__pathspan_hand_over_pairs.%s()\n", name)
		e.declare("declare hidden void @__pathspan_each_counter."+name+"(i64) nounwind", "declare hidden void @__pathspan_hand_over_pairs."+name+"() nounwind")
	}
	e.globals(list...)
	for _, f := range [][2]string{{"each_counter", counters.String()}, {"hand_over_pairs", pairs.String()}} {
		e.define(fmt.Sprintf("define void @__pathspan_%s() nounwind {\nentry:\n%s  ret void\n}", f[0], f[1]))
	}
	return e.err
}

// places tells the run-time library which sites and returns of the program a part's are.
func (p *Plan) places(parts []Joined) []string {
	parts = slices.Clone(parts)
	slices.SortFunc(parts, func(a, b Joined) int { return cmp.Compare(a.Part.ID, b.Part.ID) })
	var list []string
	for _, part := range parts {
		base := p.Funcs[part.First].First
		list = append(list, fmt.Sprintf("[3 x i64] [i64 %d, i64 %d, i64 %d]", part.Part.ID, base.Site, base.Return))
	}
	return list
}

func partsTable(places []string) []string {
	return []string{
		fmt.Sprintf("@__pathspan_part_count = constant i64 %d", len(places)),
		fmt.Sprintf("@__pathspan_parts = constant [%d x [3 x i64]] [%s]", len(places), strings.Join(places, ", ")),
	}
}
