package probe

// This file tells where the program is: in which iteration of which loop, in which lane, under
// which locks, and by which calls it came to where objects are made.

import (
	"fmt"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// walk is where a function tells of that.
type walk struct {
	f     *asm.Func
	begin []loopEdge // into a loop
	next  []loopEdge // round one
	left  []loopEdge // out of one, to the loop around
	marks []mark
	calls []pathCall
	back  []comeback
}

type loopEdge struct {
	from  *asm.Instr // that ends a block: others may have divided that when this is written
	index int
	level int // how many loops are around what it leads to
	loop  int // the innermost
	step  int // of the iterations of a worksharing loop: how many of the source one is
}

// mark is where a lane begins or ends, or a lock is taken or released.
type mark struct {
	at   *asm.Block
	text []string
}

type pathCall struct {
	in     *asm.Instr
	number int
}

// comeback is where control may come from anywhere inside of what is called: behind a call that
// returns twice, or where an exception is caught.
type comeback struct {
	pad   *asm.Block
	in    *asm.Instr // nil for a pad
	level int        // of loops
	lanes int        // that the function began there, and did not end
}

// lanesAt tells how many lanes a function has begun, and not ended, where its blocks begin.
func lanesAt(f *ir.Func) []int {
	at, known := make([]int, len(f.Blocks)), make([]bool, len(f.Blocks))
	known[0] = true
	flow.Reached(len(f.Blocks), []int{0}, func(b int, visit func(int)) {
		for _, m := range []*ir.Mark{f.Blocks[b].Mark, f.Blocks[b].TaskMark} {
			if m == nil {
				continue
			}
			switch m.Kind {
			case ir.RegionBegin, ir.SectionBegin, ir.TaskBegin:
				at[b]++
			case ir.RegionEnd, ir.SectionEnd, ir.TaskEnd:
				at[b] = max(0, at[b]-1)
			}
		}
		for _, s := range f.Blocks[b].Succs {
			if !known[s] {
				at[s], known[s] = at[b], true
			}
			visit(s)
		}
	})
	return at
}

func (w *Memory) walk(fi int, f *asm.Func, g *flow.CFG, instrs [][]*asm.Instr) walk {
	n := walk{f: f}
	view := w.p.Funcs[fi]
	// around returns the innermost loop with a number that holds a block.
	around := func(b int) int {
		for l := g.LoopOf[b]; l >= 0; l = g.Loops[l].Parent {
			if at := w.Index.Loop(fi, l); at >= 0 {
				return at
			}
		}
		return -1
	}
	depth := func(loop int) int {
		if loop < 0 {
			return 0
		}
		return w.Data.Loops[loop].Depth
	}
	told := make(map[flow.Edge]bool)
	for li, l := range g.Loops {
		at := w.Index.Loop(fi, li)
		if at < 0 {
			continue
		}
		edge := func(e flow.Edge) loopEdge {
			return loopEdge{from: f.Blocks[e.From].Term(), index: e.Index, level: depth(at), loop: at}
		}
		turns := 0
		if w.Data.Loops[at].Lane >= 0 { // of threads of a team
			turns = step(f, l, view)
		}
		for _, e := range l.EntryEdges {
			told[e] = true
			n.begin = append(n.begin, edge(e))
		}
		for _, e := range l.Latches {
			told[e] = true
			next := edge(e)
			next.step = turns
			n.next = append(n.next, next)
		}
	}
	// What begins a loop or goes round one leaves those inside, too.
	lanes := lanesAt(view)
	for b := range g.Succs {
		if !g.Reachable[b] {
			continue
		}
		for k := range g.Succs[b] {
			from, to := around(b), around(g.Succs[b][k])
			if k > 0 && view.Blocks[b].Terminator().Op == "invoke" {
				continue // the handler tells
			}
			if depth(from) > depth(to) && !told[flow.Edge{From: b, Index: k}] {
				n.left = append(n.left, loopEdge{from: f.Blocks[b].Term(), index: k, level: depth(to), loop: to})
			}
		}
		block := f.Blocks[b]
		if text := w.markText(view.Blocks[b]); text != nil {
			n.marks = append(n.marks, mark{at: block, text: text})
		}
		if l := view.Blocks[b].Locking; l != nil {
			n.marks = append(n.marks, mark{at: block, text: w.lockText(block, l)})
		}
		for i, in := range instrs[b] {
			at := w.Index.Call(fi, b, i)
			twice := view.Blocks[b].Instrs[i].Call != nil && view.Blocks[b].Instrs[i].Call.ReturnsTwice
			if at >= 0 && !twice {
				n.calls = append(n.calls, pathCall{in, at})
			}
			if in.Op() == "landingpad" {
				n.back = append(n.back, comeback{block, nil, depth(around(b)), lanes[b]})
			} else if twice {
				n.back = append(n.back, comeback{block, in, depth(around(b)), lanes[b]})
			}
		}
	}
	return n
}

// markText tells of the marks that a block begins with.
func (w *Memory) markText(b *ir.Block) []string {
	var out []string
	for _, m := range []*ir.Mark{b.Mark, b.TaskMark} {
		if m == nil {
			continue
		}
		call := func(name string) {
			out = append(out, fmt.Sprintf("call void @__pathspan_%s(i32 %d)", name, w.Index.Lane(m)))
		}
		switch m.Kind {
		case ir.RegionBegin:
			call("lane_begins")
		case ir.RegionEnd, ir.SectionEnd:
			call("lane_ends")
		case ir.SectionBegin:
			r := &w.p.Regions[m.Region]
			if c := &r.Constructs[m.Construct]; c.Loop != nil {
				call("loop_lane_begins")
				break
			} else if c.Single {
				call("single_begins")
				break
			}
			first, _ := r.Together(m.Construct)
			out = append(out, fmt.Sprintf("call void @__pathspan_section_begins(i32 %d, i32 %d)", w.Index.Lane(m),
				w.Index.Lane(&ir.Mark{Kind: ir.SectionBegin, Region: m.Region, Construct: first})))
		case ir.TaskBegin:
			call("task_lane_begins")
		case ir.TaskEnd:
			call("task_lane_ends")
		case ir.TaskWait:
			out = append(out, "call void @__pathspan_tasks_waited()")
		case ir.GroupBegin:
			out = append(out, "call void @__pathspan_group_begins()")
		case ir.GroupEnd:
			out = append(out, "call void @__pathspan_group_ends()")
		}
	}
	return out
}

// lockText tells of the lock that a block takes or releases first.
func (w *Memory) lockText(b *asm.Block, l *ir.Locking) []string {
	if !l.Takes {
		return []string{"call void @__pathspan_lock_given()"}
	}
	var text []string
	address := "0"
	if a := ir.LockArg(b); a != nil {
		address = w.address(&text, a.Type, a.Value)
	}
	return append(text, fmt.Sprintf("call void @__pathspan_lock_held(i32 %d, i64 %s)", l.Lock, address))
}

// What a function finds when it begins.
const (
	depthName = "%ps.depth"
	lanesName = "%ps.lanes"
	pathName  = "%ps.path"
)

// tellWalk writes what a function tells.
func (w *Memory) tellWalk(l *walk) {
	level := func(text *[]string, deep int) string {
		return w.value(text, "level", "add i32 %s, %d", depthName, deep)
	}
	edges := func(list []loopEdge, call func(at string, e loopEdge) string) {
		for _, e := range list {
			var text []string
			at := level(&text, e.level)
			w.onEdge(l.f, e.from.Block(), e.index, append(text, call(at, e))...)
		}
	}
	edges(l.left, func(at string, _ loopEdge) string { return fmt.Sprintf("call void @__pathspan_loop_left(i32 %s)", at) })
	edges(l.begin, func(at string, e loopEdge) string {
		return fmt.Sprintf("call void @__pathspan_loop_begin(i32 %s, i32 %d)", at, e.loop)
	})
	edges(l.next, func(at string, e loopEdge) string {
		if e.step > 0 {
			return fmt.Sprintf("call void @__pathspan_turn_next(i32 %s, i32 %d)", at, e.step)
		}
		return fmt.Sprintf("call void @__pathspan_loop_next(i32 %s)", at)
	})
	for _, c := range l.calls {
		if call := c.in.Call(); call.Tail != "musttail" {
			w.insert(c.in.Block(), c.in.Block().Index(c.in), fmt.Sprintf("call void @__pathspan_path_grows(i32 %s, i32 %d)", pathName, c.number))
			w.behind(c.in, w.putPath())
		}
	}
	for _, c := range l.back {
		var text []string
		at := level(&text, c.level)
		lanes := w.value(&text, "lanes", "add i32 %s, %d", lanesName, c.lanes)
		text = append(text, w.putPath(), fmt.Sprintf("call void @__pathspan_loop_left(i32 %s)", at), fmt.Sprintf("call void @__pathspan_lanes_left(i32 %s)", lanes))
		if c.in != nil {
			w.behind(c.in, text...)
		} else {
			w.atStart(c.pad, text...)
		}
	}
	for _, m := range l.marks {
		w.atStart(m.at, m.text...)
	}
	entry := l.f.Blocks[0]
	if len(l.begin)+len(l.back) > 0 {
		w.insert(entry, 0, w.loadAtEntry(depthName, "__pathspan_level"))
	}
	if len(l.back) > 0 {
		w.insert(entry, 0, w.loadAtEntry(lanesName, "__pathspan_lanes"))
	}
	if len(l.calls)+len(l.back) > 0 {
		w.insert(entry, 0, w.loadAtEntry(pathName, "__pathspan_path"))
	}
}

func (w *Memory) loadAtEntry(name, from string) string {
	return fmt.Sprintf("%s = load i32, %s @%s, align 4", name, w.m.Pointer("i32"), from)
}

func (w *Memory) putPath() string {
	return fmt.Sprintf("store i32 %s, %s @__pathspan_path, align 4", pathName, w.m.Pointer("i32"))
}

// declareWalk declares what tellWalk uses.
func (w *Memory) declareWalk() {
	for _, name := range []string{"level", "lanes", "path"} {
		w.globals(fmt.Sprintf("@__pathspan_%s = external global i32, align 4", name))
	}
	for _, f := range []string{"loop_begin(i32, i32)", "loop_next(i32)", "turn_next(i32, i32)", "loop_left(i32)", "path_grows(i32, i32)", "lanes_left(i32)", "lane_begins(i32)", "single_begins(i32)", "loop_lane_begins(i32)", "lane_ends(i32)",
		"section_begins(i32, i32)", "task_lane_begins(i32)", "task_lane_ends(i32)", "tasks_waited()", "group_begins()", "group_ends()",
		"lock_held(i32, i64)", "lock_given()"} {
		w.declare("declare void @__pathspan_" + f + " nounwind")
	}
}
