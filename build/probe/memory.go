package probe

// This file tells the run-time library of every access to the program's memory.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
	"pathspan/memory"
)

// Memory writes the calls that tell of memory into a module. It is made before other probes
// are written, since their own accesses are not the program's, and writes behind them.
type Memory struct {
	emitter
	p      *ir.Program
	places *memory.Places
	found  []found
	made   []made
	// Objects are those of the program, by number; 0 stands for what lies elsewhere.
	Objects []memory.Object
	vars    []global
	siteOf  map[*asm.Instr]int
	loops   []nested
}

// found is an instruction that accesses memory.
type found struct {
	in    *asm.Instr
	place int
}

// nested is a function with loops, and what it enters, goes round and leaves.
type nested struct {
	f     *asm.Func
	begin []loopEdge // into a loop
	next  []loopEdge // round one
	left  []loopEdge // out of one, to the loop around
	pads  []*asm.Block
	deep  []int // by pad: of how many loops
}

type loopEdge struct {
	from  *asm.Block
	index int
	level int // how many loops are around what it leads to
	loop  int // the innermost
}

const (
	sitesName  = "__pathspan_sites"
	siteType   = "{ i32, i32, i32, i32, i64, i64 }"
	levelName  = "__pathspan_level"
	loopBegins = "__pathspan_loop_begin"
	loopNext   = "__pathspan_loop_next"
	loopLeft   = "__pathspan_loop_left"
)

// FindMemory finds what is to be told of. The program is the module's view.
func FindMemory(m *asm.Module, p *ir.Program, places *memory.Places, graphs func(fn int) *flow.CFG) (*Memory, error) {
	w := &Memory{emitter: emitter{m: m, i64ptr: m.Pointer("i64")}, p: p, places: places}
	for fi, f := range m.Funcs() {
		if err := f.CheckEditable(); err != nil {
			return nil, fmt.Errorf("probe: function %s: %w", f.Name(), err)
		}
		view, g := p.Funcs[fi], graphs(fi)
		for bi, b := range view.Blocks {
			n := 0
			for _, in := range f.Blocks[bi].Instrs {
				if ir.InstrAt(f.Blocks[bi], n) < 0 || f.Blocks[bi].Instrs[ir.InstrAt(f.Blocks[bi], n)] != in {
					continue
				}
				if at := places.At(fi, bi, n); at >= 0 {
					w.found = append(w.found, found{in, at})
				}
				n++
			}
			_ = b
		}
		if nest, ok := w.nest(fi, f, g); ok {
			w.loops = append(w.loops, nest)
		}
	}
	w.objects()
	return w, nil
}

// nest finds the edges of a function's loops.
func (w *Memory) nest(fi int, f *asm.Func, g *flow.CFG) (nested, bool) {
	n := nested{f: f}
	// around returns the innermost loop with a number that holds a block.
	around := func(b int) int {
		for l := g.LoopOf[b]; l >= 0; l = g.Loops[l].Parent {
			if at := w.places.Loop(fi, l); at >= 0 {
				return at
			}
		}
		return -1
	}
	depth := func(loop int) int {
		if loop < 0 {
			return 0
		}
		return w.places.Loops[loop].Depth
	}
	told := make(map[flow.Edge]bool)
	for li, l := range g.Loops {
		at := w.places.Loop(fi, li)
		if at < 0 {
			continue
		}
		edge := func(e flow.Edge, to int) loopEdge {
			return loopEdge{f.Blocks[e.From], e.Index, depth(to), to}
		}
		for _, e := range l.EntryEdges {
			told[e] = true
			n.begin = append(n.begin, edge(e, at))
		}
		for _, e := range l.Latches {
			told[e] = true
			n.next = append(n.next, edge(e, at))
		}
	}
	// What begins a loop or goes round one leaves those inside, too.
	for b := range g.Succs {
		if !g.Reachable[b] {
			continue
		}
		for k := range g.Succs[b] {
			from, to := around(b), around(g.Succs[b][k])
			if depth(from) > depth(to) && !told[flow.Edge{From: b, Index: k}] {
				n.left = append(n.left, loopEdge{f.Blocks[b], k, depth(to), to})
			}
		}
		for _, in := range f.Blocks[b].Instrs {
			if in.Op() == "landingpad" {
				n.pads, n.deep = append(n.pads, f.Blocks[b]), append(n.deep, depth(around(b)))
			}
		}
	}
	return n, len(n.begin) > 0
}

// Write writes the calls.
func (w *Memory) Write() error {
	var sites []string
	for _, l := range w.loops {
		w.next = 1 << 21
		w.levels(l)
	}
	w.next = 1 << 22
	w.siteOf = make(map[*asm.Instr]int, len(w.found))
	for _, a := range w.found {
		w.siteOf[a.in] = len(sites)
		sites = append(sites, fmt.Sprintf("%s { i32 %d, i32 0, i32 0, i32 0, i64 0, i64 0 }", siteType, a.place+1))
		w.access(a.in, len(sites)-1)
	}
	w.tellObjects()
	array := fmt.Sprintf("[%d x %s]", len(sites), siteType)
	w.globals(fmt.Sprintf("@%s = internal global %s [%s], align 16", sitesName, array, strings.Join(sites, ", ")),
		fmt.Sprintf("@%s = external global i32, align 4", levelName))
	attrs := "nounwind"
	for _, n := range []int{1, 2, 4, 8, 16} {
		w.declare(fmt.Sprintf("declare void @__pathspan_read%d(i64, i64) %s", n, attrs), fmt.Sprintf("declare void @__pathspan_write%d(i64, i64) %s", n, attrs))
	}
	for _, what := range []string{"read", "write"} {
		w.declare(fmt.Sprintf("declare void @__pathspan_%s_range(i64, i64, i64) %s", what, attrs))
		w.declare(fmt.Sprintf("declare void @__pathspan_%s_string(i64, i64, i64) %s", what, attrs))
	}
	w.declare("declare void @"+loopBegins+"(i32, i32) nounwind", "declare void @"+loopNext+"(i32) nounwind", "declare void @"+loopLeft+"(i32) nounwind")
	return w.err
}

const depthName = "%ps.depth"

// levels tells where the iterations of a function's loops begin.
func (w *Memory) levels(l nested) {
	level := func(text *[]string, deep int) string {
		return w.value(text, "level", "add i32 %s, %d", depthName, deep)
	}
	for _, e := range l.left {
		var text []string
		at := level(&text, e.level)
		w.onEdge(l.f, e.from, e.index, append(text, fmt.Sprintf("call void @%s(i32 %s)", loopLeft, at))...)
	}
	for _, e := range l.begin {
		var text []string
		at := level(&text, e.level)
		w.onEdge(l.f, e.from, e.index, append(text, fmt.Sprintf("call void @%s(i32 %s, i32 %d)", loopBegins, at, e.loop))...)
	}
	for _, e := range l.next {
		var text []string
		at := level(&text, e.level)
		w.onEdge(l.f, e.from, e.index, append(text, fmt.Sprintf("call void @%s(i32 %s)", loopNext, at))...)
	}
	for i, b := range l.pads {
		var text []string
		at := level(&text, l.deep[i])
		w.atStart(b, append(text, fmt.Sprintf("call void @%s(i32 %s)", loopLeft, at))...)
	}
	w.insert(l.f.Blocks[0], 0, fmt.Sprintf("%s = load i32, %s @%s, align 4", depthName, w.m.Pointer("i32"), levelName))
}

var intType = regexp.MustCompile(`^i(\d+)$`)

// size returns the bytes of a type, where that is one of few, else 0.
func (w *Memory) size(t string) int {
	if n := intType.FindStringSubmatch(t); n != nil {
		bits, _ := strconv.Atoi(n[1])
		return (bits + 7) / 8
	}
	switch {
	case t == "float":
		return 4
	case t == "double", t == "ptr", strings.HasSuffix(t, "*"):
		return 8
	}
	return 0
}

// access tells of one access before it happens, or behind it.
func (w *Memory) access(in *asm.Instr, site int) {
	b := in.Block()
	var text []string
	ops := in.Operands()
	switch in.Op() {
	case "load":
		w.single(&text, "read", site, ops[0], in.Type())
	case "store":
		w.single(&text, "write", site, ops[1], ops[0].Type)
	case "atomicrmw", "cmpxchg":
		w.single(&text, "read", site, ops[0], ops[1].Type)
		w.single(&text, "write", site, ops[0], ops[1].Type)
	default:
		w.call(in, site)
		return
	}
	w.insert(b, b.Index(in), text...)
}

func (w *Memory) site(text *[]string, i int) string {
	return w.value(text, "site", "ptrtoint %s getelementptr inbounds ([%d x %s], %s @%s, i64 0, i64 %d) to i64",
		w.m.Pointer(siteType), len(w.found), siteType, w.m.Pointer(fmt.Sprintf("[%d x %s]", len(w.found), siteType)), sitesName, i)
}

func (w *Memory) single(text *[]string, what string, site int, pointer asm.Operand, t string) {
	at := w.value(text, "at", "ptrtoint %s %s to i64", pointer.Type, pointer.Value)
	switch n := w.size(t); n {
	case 1, 2, 4, 8, 16:
		*text = append(*text, fmt.Sprintf("call void @__pathspan_%s%d(i64 %s, i64 %s)", what, n, w.site(text, site), at))
	default:
		size := fmt.Sprintf("ptrtoint (%s getelementptr (%s, %s null, i32 1) to i64)", w.m.Pointer(t), t, w.m.Pointer(t))
		*text = append(*text, fmt.Sprintf("call void @__pathspan_%s_range(i64 %s, i64 %s, i64 %s)", what, w.site(text, site), at, size))
	}
}

// call tells what a function of the library does to memory.
func (w *Memory) call(in *asm.Instr, site int) {
	c := in.Call()
	b := in.Block()
	var before, behind []string
	for _, e := range memory.Effects(c.Callee) {
		to := &before
		if e.After {
			to = &behind
		}
		if e.Pointer >= len(c.Args) {
			continue
		}
		what := "read"
		if e.Writes {
			what = "write"
		}
		pointer := w.value(to, "at", "ptrtoint %s %s to i64", c.Args[e.Pointer].Type, c.Args[e.Pointer].Value)
		if e.Size.Kind == memory.String {
			from := w.value(to, "at", "ptrtoint %s %s to i64", c.Args[e.Size.Arg].Type, c.Args[e.Size.Arg].Value)
			*to = append(*to, fmt.Sprintf("call void @__pathspan_%s_string(i64 %s, i64 %s, i64 %s)", what, w.site(to, site), pointer, from))
			continue
		}
		size := ""
		if e.Size.Kind == memory.Result {
			size = w.wide(to, in.ResultType(), asm.LocalRef(in.Result()))
			positive := w.value(to, "is", "icmp sgt i64 %s, 0", size)
			size = w.value(to, "size", "select i1 %s, i64 %s, i64 0", positive, size)
		} else {
			size = w.wide(to, c.Args[e.Size.Arg].Type, c.Args[e.Size.Arg].Value)
		}
		if t := e.Size.Times; t >= 0 {
			size = w.value(to, "size", "mul i64 %s, %s", size, w.wide(to, c.Args[t].Type, c.Args[t].Value))
		}
		*to = append(*to, fmt.Sprintf("call void @__pathspan_%s_range(i64 %s, i64 %s, i64 %s)", what, w.site(to, site), pointer, size))
	}
	w.insert(b, b.Index(in), before...)
	switch {
	case len(behind) == 0:
	case in.Op() == "call":
		w.insert(b, b.Index(in)+1, behind...)
	}
}

// wide makes a 64-bit integer of a smaller one.
func (w *Memory) wide(text *[]string, t, value string) string {
	if t == "i64" {
		return value
	}
	return w.value(text, "wide", "sext %s %s to i64", t, value)
}
