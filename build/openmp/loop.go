package openmp

// This file recognises worksharing loops. Their code is left as clang wrote it: the bounds
// come from the run-time library, so that the optimiser knows of them what it knows in the
// parallel program. The serial library hands out all iterations at once. Only where a loop
// begins and ends is marked: behind
//
//	call @__kmpc_for_static_init_4(ident, gtid, schedule, last, lower, upper, stride, incr, chunk)
//	call @__kmpc_dispatch_init_4(ident, gtid, schedule, lower, upper, stride, chunk)
//
// and where the threads are done with it: before __kmpc_for_static_fini, or where
// __kmpc_dispatch_next_4 returns that nothing is left.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// How clang numbers schedules (openmp/runtime/src/kmp.h, enum sched_type): 33 to 38 are
// static in chunks, static, dynamic in chunks, guided in chunks, runtime and auto; 32 more
// for loops with ordered parts. Two bits say monotonic and nonmonotonic. 45
// (static with the modifier simd) is left out: clang and libomp make iterations run twice of it.
const (
	monotonic     = 1 << 29
	nonmonotonic  = 1 << 30
	firstSchedule = 33
	firstOrdered  = firstSchedule + 32
)

var schedules = [...]ir.Schedule{ir.Static, ir.Static, ir.Dynamic, ir.Guided, ir.Runtime, ir.Auto}

// loopBegin is the run-time library's function that begins a worksharing loop.
func loopBegin(m *asm.Module, c *asm.Call) bool {
	switch {
	case c == nil:
		return false
	case strings.HasPrefix(c.Callee, "__kmpc_for_static_init_") && len(c.Args) == 9:
		return identAt(m, c.Args[0].Value).flags&(flagSections|flagDistribute) == 0
	}
	return strings.HasPrefix(c.Callee, "__kmpc_dispatch_init_") && len(c.Args) == 7
}

// loops adds the worksharing loops of a function to its constructs.
func loops(m *asm.Module, g *graph) []*construct {
	var out []*construct
	for _, b := range g.f.Blocks {
		for _, in := range b.Instrs {
			if !loopBegin(m, in.Call()) {
				continue
			}
			c := &construct{init: in, pre: b, pos: identAt(m, in.Call().Args[0].Value), loop: &ir.Loop{}}
			c.problem = c.recogniseLoop(g)
			c.sections = []section{{line: c.pos.line}}
			out = append(out, c)
		}
	}
	return out
}

// recogniseLoop fills c and returns what is not as clang writes it.
func (c *construct) recogniseLoop(g *graph) string {
	call := c.init.Call()
	kind, err := strconv.Atoi(call.Args[2].Value)
	if err != nil || c.init.Op() != "call" {
		return "its schedule is not understood"
	}
	c.loop.Monotonic = kind&monotonic != 0
	kind &^= monotonic | nonmonotonic
	if kind >= firstOrdered {
		kind, c.loop.Ordered = kind-firstOrdered+firstSchedule, true
	}
	if kind < firstSchedule || kind-firstSchedule >= len(schedules) {
		return "its schedule is not understood"
	}
	c.loop.Schedule = schedules[kind-firstSchedule]
	if kind-firstSchedule != 1 && c.loop.Schedule != ir.Auto && c.loop.Schedule != ir.Runtime { // plain static passes a chunk that counts for nothing
		if c.loop.Chunk, err = strconv.ParseInt(call.Args[len(call.Args)-1].Value, 10, 64); err != nil {
			c.loop.Chunk = -1
		} else if c.loop.Chunk < 1 {
			return fmt.Sprintf("its chunk is %d", c.loop.Chunk)
		}
	}
	waits := false
	c.between(g, func(in *asm.Instr) bool {
		callee, is := strings.CutPrefix(in.Call().Callee, "__kmpc_doacross_")
		waits = waits || is && callee != "init"
		return is || strings.HasPrefix(in.Call().Callee, "__kmpc_for_static_init_") || strings.HasPrefix(in.Call().Callee, "__kmpc_dispatch_init_")
	})
	if waits {
		return "its iterations wait for each other (depend)"
	}
	if strings.HasPrefix(call.Callee, "__kmpc_dispatch_init_") {
		return c.dispatchEnd(g, strings.TrimPrefix(call.Callee, "__kmpc_dispatch_init_"))
	}
	// The end is in blocks that are reached before another construct begins.
	odd := ""
	c.between(g, func(in *asm.Instr) bool {
		switch callee := in.Call().Callee; {
		case callee == staticFini:
			c.ends = append(c.ends, in)
			return true
		case strings.HasPrefix(callee, "__kmpc_for_static_init_") || strings.HasPrefix(callee, "__kmpc_dispatch_init_"):
			odd = "another worksharing construct begins in it"
			return true
		}
		return false
	})
	if odd == "" && len(c.ends) != 1 {
		odd = "it has several ends (a cancellation, for example)"
	}
	return odd
}

// dispatchEnd finds where a loop with a dynamic schedule ends.
func (c *construct) dispatchEnd(g *graph, suffix string) string {
	const odd = "its dispatch loop is not of the form that clang writes"
	var next *asm.Instr
	several := false
	c.between(g, func(in *asm.Instr) bool {
		if in.Call().Callee != "__kmpc_dispatch_next_"+suffix {
			return false
		}
		several = several || next != nil && next != in
		next = in
		return true
	})
	if next == nil || several {
		return odd
	}
	b := next.Block()
	t := b.Term()
	if t == nil || t.Op() != "br" || len(t.Succs()) != 2 || b.Instrs[0] == nil {
		return odd
	}
	c.end = g.f.Block(t.Succs()[1])
	if c.end == nil || len(g.preds[g.index[c.end]]) != 1 || c.end.Instrs[0].Op() == "phi" {
		return odd
	}
	i := b.Index(next)
	if i+2 >= len(b.Instrs) || b.Instrs[i+1].Op() != "icmp" || !strings.Contains(b.Instrs[i+1].Text(), "icmp ne i32 "+asm.LocalRef(next.Result())+", 0") {
		return odd
	}
	return ""
}

// between calls do for the calls that can be reached from the begin of c, until it
// returns true on a way.
func (c *construct) between(g *graph, do func(in *asm.Instr) bool) {
	stops := func(in *asm.Instr) bool { return in.Call() != nil && !in.IsDebug() && do(in) }
	if !slices.ContainsFunc(c.pre.Instrs[c.pre.Index(c.init)+1:], stops) {
		g.through(g.succs[g.index[c.pre]], stops)
	}
}

// Names of the calls that stand for the marks of loops until [Delimit] writes them.
const loopMark = "__pathspan_loop_"

func loopMarkName(begins bool, region, construct int) string {
	what := "end"
	if begins {
		what = "begin"
	}
	return fmt.Sprintf("%s%s_%d_%d", loopMark, what, region, construct)
}

// mark puts calls that stand for marks around the loop.
func (c *construct) mark(m *asm.Module, region, index int) {
	at := ""
	if c.init != nil {
		at = suffixDbg(c.init.Dbg())
	}
	begin, end := loopMarkName(true, region, index), loopMarkName(false, region, index)
	if c.single {
		c.markSingle(m, begin, end, at)
		return
	}
	for _, name := range []string{begin, end} {
		must(m.AddDecl("declare void " + asm.GlobalRef(name) + "() nounwind noduplicate"))
	}
	must(c.pre.InsertAfter(c.pre.Index(c.init), "call void "+asm.GlobalRef(begin)+"() nounwind"+at))
	stop := "call void " + asm.GlobalRef(end) + "() nounwind" + at
	if c.end != nil {
		must(c.end.InsertBefore(c.end.FirstNonPhi(), stop))
		return
	}
	b := c.ends[0].Block()
	must(b.InsertBefore(b.Index(c.ends[0]), stop))
}

// delimitLoops writes marks of loops, of what one thread does alone, and of tasks for the calls
// that stand for them.
func (r *Result) delimitLoops(m *asm.Module) {
	kinds := map[string]string{}
	for i, g := range r.Regions {
		for c, v := range g.Constructs {
			if v.Loop != nil || v.Single {
				kinds[loopMarkName(true, i, c)] = markText(ir.SectionBegin, r.First+i, c, 0)
				kinds[loopMarkName(false, i, c)] = markText(ir.SectionEnd, r.First+i, c, 0)
			}
		}
	}
	for _, kind := range []ir.MarkKind{ir.TaskBegin, ir.TaskEnd, ir.TaskWait, ir.GroupBegin, ir.GroupEnd} {
		kinds[taskMarkName(kind)] = markText(kind, 0, 0, 0)
	}
	for _, f := range m.Funcs() {
		for _, b := range slices.Clone(f.Blocks) {
			for i := len(b.Instrs) - 1; i >= 0; i-- { // from the end, so that b stays the block to split
				in := b.Instrs[i]
				call := in.Call()
				if call == nil || kinds[call.Callee] == "" {
					continue
				}
				must(in.SetText(kinds[call.Callee] + suffixDbg(in.Dbg())))
				if i > b.FirstNonPhi() {
					made(f.SplitBlock(b, i, f.FreshName("pathspan.loop")))
				}
			}
		}
	}
}
