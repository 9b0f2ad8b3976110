package openmp

// This file is stage 2: calls of regions and sections are put between markers, and
// their functions are made ready to be laid back into the callers.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// delimited is a function whose calls stand between markers.
type delimited struct {
	fn         *asm.Func
	begin, end ir.MarkKind
	region     int
	number     int // of the region, in markers
	construct  int
	section    int
}

// Delimit puts every call of a function that [Lower] made for a region or section
// between calls of [ir.MarkerFunc]. The functions become internal and alwaysinline, so that opt -passes=always-inline,globaldce lays them
// back into their callers; run [SplitMarks] on the outcome. r is what Lower returned for the module before it was
// optimised. The values of m must be named.
//
// A section that calls its own region again (a recursive program, after inlining)
// does so through a function __pathspan_again_R that is not laid back. A section
// that calls setjmp is not laid back either, as LLVM does not inline such
// functions: its markers then stand around its call.
func Delimit(m *asm.Module, r *Result) (err error) {
	defer failed(&err)
	wellFormed(m)
	targets, order := r.targets(m)
	breakCycles(m, targets, order)
	must(m.AddDecl("declare void @" + ir.MarkerFunc + "(i32, i32, i32, i32) nounwind"))
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			for {
				in := nextCall(b, targets)
				if in == nil {
					break
				}
				rest := delimit(f, in, targets[in.Call().Callee])
				b = rest
			}
		}
	}
	r.delimitLoops(m)
	for _, d := range order {
		d.fn.RemoveAttr("noinline")
		must(d.fn.AddAttr("alwaysinline"))
		must(d.fn.SetLinkage("internal"))
	}
	for _, name := range r.Parallel {
		if f := m.Func(name); f != nil {
			must(f.SetLinkage("internal"))
		}
	}
	return nil
}

// targets returns the functions of regions and sections that m still holds.
func (r *Result) targets(m *asm.Module) (map[string]*delimited, []*delimited) {
	by := map[string]*delimited{}
	var order []*delimited
	add := func(name string, d delimited) {
		if d.fn = m.Func(name); d.fn != nil {
			by[name] = &d
			order = append(order, &d)
		}
	}
	for i, g := range r.Regions {
		add(regionName(i), delimited{begin: ir.RegionBegin, end: ir.RegionEnd, region: i, number: r.First + i})
		for c, v := range g.Constructs {
			if v.Loop != nil || v.Single {
				continue
			}
			for s := range v.Sections {
				add(sectionName(i, c, s), delimited{begin: ir.SectionBegin, end: ir.SectionEnd, region: i, number: r.First + i, construct: c, section: s})
			}
		}
	}
	return by, order
}

// nextCall returns the first call in b of a function in targets.
func nextCall(b *asm.Block, targets map[string]*delimited) *asm.Instr {
	for _, in := range b.Instrs {
		if c := in.Call(); c != nil && targets[c.Callee] != nil {
			return in
		}
	}
	return nil
}

// delimit puts call in of f between markers and returns the block that goes on
// behind it.
func delimit(f *asm.Func, in *asm.Instr, d *delimited) *asm.Block {
	if in.Op() == "invoke" {
		uninvoke(f, in)
	}
	b := in.Block()
	call := made(f.SplitBlock(b, b.Index(in), f.FreshName("pathspan.begin")))
	in = call.Instrs[0]
	untail(in)
	rest := made(f.SplitBlock(call, 1, f.FreshName("pathspan.end")))
	mark := func(b *asm.Block, kind ir.MarkKind) {
		must(b.InsertBefore(0, markText(kind, d.number, d.construct, d.section)+suffixDbg(in.Dbg())))
	}
	mark(call, d.begin)
	mark(rest, d.end)
	return rest
}

func markText(kind ir.MarkKind, region, construct, section int) string {
	return fmt.Sprintf("call void @%s(i32 %d, i32 %d, i32 %d, i32 %d)", ir.MarkerFunc, kind, region, construct, section)
}

// SplitMarks splits the blocks of m so that every marker is the first instruction of
// its block, as [ir.Build] wants it: laying functions back into their callers joins
// blocks. The values of functions with markers must be named.
func SplitMarks(m *asm.Module) (err error) {
	defer failed(&err)
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			// From the end, so that b stays the block to split.
			for i := len(b.Instrs) - 1; i > b.FirstNonPhi(); i-- {
				if c := b.Instrs[i].Call(); c == nil || c.Callee != ir.MarkerFunc {
					continue
				}
				made(f.SplitBlock(b, i, f.FreshName("pathspan.mark")))
			}
		}
	}
	return nil
}

// untail removes the tail marker of a call: the callee is going to be part of the
// caller, and the marker behind it is not a return.
func untail(in *asm.Instr) {
	c := in.Call()
	switch c.Tail {
	case "":
		return
	case "musttail":
		must(fmt.Errorf("function @%s: call of @%s must be a tail call and cannot be delimited", in.Block().Func().Name(), c.Callee))
	}
	must(in.SetText(strings.Replace(in.Text(), c.Tail+" call ", "call ", 1)))
}

// uninvoke makes a call of an invoke: no exception leaves a region.
func uninvoke(f *asm.Func, in *asm.Instr) {
	b, text, succs := in.Block(), in.Text(), in.Succs()
	i := strings.LastIndex(text, " to label ")
	unwind := " unwind label " + asm.LocalRef(succs[1])
	j := strings.LastIndex(text, unwind)
	if i < 0 || j < i {
		must(fmt.Errorf("function @%s: an invoke of @%s is not understood", f.Name(), in.Call().Callee))
	}
	if pad := f.Block(succs[1]); pad != nil {
		must(pad.RemovePhiPred(b.Name()))
	}
	text = strings.Replace(strings.TrimSpace(text[:i]), "invoke ", "call ", 1) + text[j+len(unwind):]
	at := b.Index(in)
	must(b.Replace(at, text, "br label "+asm.LocalRef(succs[0])))
}

// breakCycles lets regions that come back to themselves through their own sections
// do so through a function that stays a function.
func breakCycles(m *asm.Module, targets map[string]*delimited, order []*delimited) {
	calls := map[*delimited][]*asm.Instr{}
	for _, d := range order {
		for in := range d.fn.Instrs() {
			if c := in.Call(); c != nil && targets[c.Callee] != nil {
				calls[d] = append(calls[d], in)
			}
		}
	}
	reaches := func(from, to *delimited) bool {
		seen := map[*delimited]bool{from: true}
		work := []*delimited{from}
		for len(work) > 0 {
			d := work[len(work)-1]
			work = work[:len(work)-1]
			if d == to {
				return true
			}
			for _, in := range calls[d] {
				if t := targets[in.Call().Callee]; t != nil && !seen[t] {
					seen[t] = true
					work = append(work, t)
				}
			}
		}
		return false
	}
	again := map[*delimited]string{}
	type turn struct {
		in *asm.Instr
		to *delimited
	}
	var turns []turn
	for _, d := range order {
		for _, in := range calls[d] {
			if t := targets[in.Call().Callee]; t.begin == ir.RegionBegin && reaches(t, d) {
				turns = append(turns, turn{in, t})
			}
		}
	}
	for _, t := range turns {
		if again[t.to] == "" {
			name := forwarder(m, t.to)
			again[t.to] = name
		}
		t.in.SetCallee(asm.GlobalRef(again[t.to]))
	}
}

// forwarder defines a function that does nothing but call region d.
func forwarder(m *asm.Module, d *delimited) string {
	name := m.FreshName(fmt.Sprintf("__pathspan_again_%d", d.region))
	var params, args []string
	for _, p := range d.fn.Params() {
		ref := asm.LocalRef(p.Name)
		params = append(params, words(p.Type, keepAttrs(p.Attrs), ref))
		args = append(args, p.Type+" "+ref)
	}
	sp, dbg := -1, -1
	if n := m.Meta(d.fn.Dbg()); n != nil {
		sp = m.AddMeta(retained.ReplaceAllString(n.Text, ""))
		dbg = m.AddMeta(fmt.Sprintf("!DILocation(line: %d, scope: !%d)", n.Int("line"), sp))
	}
	f := made(m.AddFunc(fmt.Sprintf("define internal void %s(%s)%s\nentry:\n  %s\n  ret void\n}\n", asm.GlobalRef(name),
		strings.Join(params, ", "), headerTail(d.fn), callText("", "void", d.fn.Name(), args, d.fn, dbg))))
	f.SetDbg(sp)
	return name
}
