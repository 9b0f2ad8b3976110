package probe

// This file lets a program tell which executions of statements wrote what others read
// (package streams): statements are calls of some functions, and what other code does with
// values between them is followed within its functions. build/runtime/flow.c keeps it.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
	"pathspan/streams"
)

// Flow writes the calls that tell of it into a module: those of [Memory.WriteAccesses], and
// where statements begin and end.
type Flow struct {
	Statements []streams.Statement

	*Memory
	calls   []statement
	stores  []stored
	loads   []*asm.Instr // whose value is passed on
	phis    []merged
	pads    []*asm.Block // where exceptions are caught
	loops   []loopEntries
	tags    map[*asm.Instr]string // whose value theirs is: a value beside that of loads, statements and phis
	met     map[[2]int]int        // by statement and loop
	element map[*asm.Instr]bool
}

// statement is a call in the module, with what its arguments are made of.
type statement struct {
	in     *asm.Instr
	number int
	loop   int // around it, index + 1; 0 for none
	leaves []*asm.Instr
	writes bool // its result is used
}

type stored struct {
	in     *asm.Instr
	leaves []*asm.Instr
}

// merged is a phi, or a select, with what each value that comes in is made of.
type merged struct {
	in     *asm.Instr
	leaves [][]*asm.Instr
}

// loopEntries are edges into a loop.
type loopEntries struct {
	f     *asm.Func
	from  []*asm.Instr
	index []int
}

const (
	enteredName = "__pathspan_flow_entered"
	metName     = "__pathspan_flow_met"
)

// FindFlow finds what is to be told. Statements are calls of the functions that is says.
func FindFlow(m *asm.Module, p *ir.Program, graphs func(fn int) *flow.CFG, is func(fn int) bool) (*Flow, error) {
	mem, err := FindMemory(m, p, graphs, nil)
	if err != nil {
		return nil, err
	}
	mem.byOne, mem.library = true, "flow_"
	w := &Flow{Memory: mem, tags: map[*asm.Instr]string{}, met: map[[2]int]int{}, element: map[*asm.Instr]bool{}}
	numbers := make(map[streams.Statement]int)
	for fi, f := range m.Funcs() {
		if !is(fi) {
			w.between(fi, f, graphs(fi), is, numbers)
		}
	}
	return w, nil
}

// between finds what code between statements does: that of a function that is none.
func (w *Flow) between(fi int, f *asm.Func, g *flow.CFG, is func(fn int) bool, numbers map[streams.Statement]int) {
	values := valuesOf{of: map[string]*asm.Instr{}, used: map[string]bool{}, statements: map[*asm.Instr]bool{}, m: w.m}
	loops := make(map[int]int) // by index in g: index into w.loops, + 1
	first, stores, phis := len(w.calls), len(w.stores), len(w.phis)
	for bi, b := range f.Blocks {
		n := 0
		for _, in := range b.Instrs {
			if in.Result() != "" {
				values.of[in.Result()] = in
			}
			for _, u := range in.Uses() {
				values.used[u] = true
			}
			if in.Op() == "landingpad" {
				w.pads = append(w.pads, b)
			}
			if !ir.Viewed(in) {
				continue
			}
			view := &w.p.Funcs[fi].Blocks[bi].Instrs[n]
			n++
			if !isStatement(in, view, is) {
				continue
			}
			values.statements[in] = true
			c := statement{in: in, number: w.number(fi, view, numbers)}
			if l := g.LoopOf[bi]; l >= 0 {
				if loops[l] == 0 {
					w.loops = append(w.loops, entriesOf(f, g, l))
					loops[l] = len(w.loops)
				}
				c.loop = loops[l]
			}
			at := [2]int{c.number, c.loop}
			if _, ok := w.met[at]; !ok {
				w.met[at] = len(w.met)
			}
			w.calls = append(w.calls, c)
		}
	}
	for i := range w.calls[first:] {
		c := &w.calls[first+i]
		c.writes = values.uses(c.in)
		for _, a := range c.in.Call().Args {
			if byval(a) == "" {
				c.leaves = append(c.leaves, w.leavesOf(&values, a.Value)...)
			}
		}
	}
	for in := range f.Instrs() {
		if in.Op() == "store" {
			w.stores = append(w.stores, stored{in, w.leavesOf(&values, in.Operands()[0].Value)})
		}
	}
	for i := phis; i < len(w.phis); i++ { // which finds more
		m := merged{in: w.phis[i].in}
		for _, from := range comesIn(m.in) {
			m.leaves = append(m.leaves, w.leavesOf(&values, from))
		}
		w.phis[i] = m
	}
	w.prune(first, stores, phis)
}

// prune leaves out phis that nothing of loads and statements comes into, as those that count
// iterations, and stores of nothing else, of those found from so many on.
func (w *Flow) prune(calls, stores, phis int) {
	alive := make(map[*asm.Instr]bool)
	is := func(in *asm.Instr) bool { return !isMerge(in) || alive[in] }
	for more := true; more; {
		more = false
		for _, m := range w.phis[phis:] {
			if !alive[m.in] && slices.ContainsFunc(m.leaves, func(l []*asm.Instr) bool { return slices.ContainsFunc(l, is) }) {
				alive[m.in], more = true, true
			}
		}
	}
	dead := func(in *asm.Instr) bool { return !is(in) }
	w.phis = append(w.phis[:phis], slices.DeleteFunc(w.phis[phis:], func(m merged) bool { return dead(m.in) })...)
	for _, m := range w.phis[phis:] {
		for i := range m.leaves {
			m.leaves[i] = slices.DeleteFunc(m.leaves[i], dead)
		}
	}
	for i := range w.calls[calls:] {
		c := &w.calls[calls+i]
		c.leaves = slices.DeleteFunc(c.leaves, dead)
	}
	for i := range w.stores[stores:] {
		s := &w.stores[stores+i]
		s.leaves = slices.DeleteFunc(s.leaves, dead)
	}
	w.stores = append(w.stores[:stores], slices.DeleteFunc(w.stores[stores:], func(s stored) bool { return len(s.leaves) == 0 })...)
}

func isStatement(in *asm.Instr, view *ir.Instr, is func(fn int) bool) bool {
	c := in.Call()
	return c != nil && view.Call != nil && view.Call.Callee >= 0 && is(view.Call.Callee) && c.Tail != "musttail" && (in.Op() == "call" || in.Op() == "invoke")
}

// number is that of the call in the source: calls that the optimiser copied are one.
func (w *Flow) number(fi int, view *ir.Instr, numbers map[streams.Statement]int) int {
	s := streams.Statement{Func: view.Call.Callee, Line: max(view.Loc.Line, 0), Col: max(view.Loc.Col, 0)}
	if at := view.Loc.File; at >= 0 && s.Line > 0 {
		s.File = w.p.Files[at]
	} else {
		s.Line, s.Col, s.Caller = 0, 0, fi
	}
	n, ok := numbers[s]
	if !ok {
		n = len(w.Statements)
		numbers[s] = n
		s.Caller = fi
		w.Statements = append(w.Statements, s)
	}
	return n
}

func entriesOf(f *asm.Func, g *flow.CFG, loop int) loopEntries {
	out := loopEntries{f: f}
	for _, e := range g.Loops[loop].EntryEdges {
		out.from, out.index = append(out.from, f.Blocks[e.From].Term()), append(out.index, e.Index)
	}
	return out
}

// valuesOf knows where a function's values come from.
type valuesOf struct {
	m          *asm.Module
	of         map[string]*asm.Instr // by name
	used       map[string]bool
	statements map[*asm.Instr]bool
}

func (v *valuesOf) uses(in *asm.Instr) bool {
	return in.Result() != "" && in.ResultType() != "void" && v.used[in.Result()]
}

// leavesOf finds the loads, statements and phis that a value is made of, in the order in which
// they are met, and has them keep whose values theirs are.
func (w *Flow) leavesOf(v *valuesOf, value string) []*asm.Instr {
	var out []*asm.Instr
	met := make(map[*asm.Instr]bool)
	var waiting []string
	if name, ok := asm.LocalName(value); ok {
		waiting = append(waiting, name)
	}
	for len(waiting) > 0 {
		in := v.of[waiting[0]]
		waiting = waiting[1:]
		if in == nil || met[in] {
			continue
		}
		met[in] = true
		switch c := in.Call(); {
		case v.statements[in]:
			out = append(out, in)
		case in.Op() == "load":
			out = append(out, in)
			if w.tags[in] == "" {
				w.loads = append(w.loads, in)
				w.element[in] = !v.variable(in.Operands()[0].Value)
			}
		case isMerge(in):
			out = append(out, in)
			if w.tags[in] == "" {
				w.phis = append(w.phis, merged{in: in})
			}
		case c != nil && (c.Callee == "" || w.m.Func(c.Callee) != nil), in.Op() == "alloca", in.Op() == "atomicrmw", in.Op() == "cmpxchg":
		default:
			waiting = append(waiting, in.Uses()...)
		}
	}
	for _, in := range out {
		if w.tags[in] == "" {
			w.tags[in] = w.fresh("flow")
		}
	}
	return out
}

// variable reports whether a pointer is that of a variable that is no array or structure.
func (v *valuesOf) variable(pointer string) bool {
	typ := ""
	if name, ok := asm.LocalName(pointer); ok && v.of[name] != nil && v.of[name].Op() == "alloca" {
		typ = v.of[name].Type()
	} else if name, ok := strings.CutPrefix(pointer, "@"); ok {
		if g := v.m.Global(strings.Trim(name, `"`)); g != nil {
			typ = g.Type()
		}
	}
	return typ != "" && !strings.ContainsAny(typ[:1], "[{<%")
}

// Write writes the calls.
func (w *Flow) Write() error {
	w.tellAccesses()
	w.tellObjects()
	for _, in := range w.loads {
		var text []string
		ops := in.Operands()
		at := w.address(&text, ops[0].Type, ops[0].Value)
		element := 0
		if w.element[in] {
			element = 1
		}
		w.insert(in.Block(), in.Block().Index(in), append(text, fmt.Sprintf("%s = call i32 @__pathspan_flow_load(i64 %s, i64 %s, i32 %d)", w.tags[in], at, w.sizeText(in.Type()), element))...)
	}
	for _, m := range w.phis {
		w.merge(&m)
	}
	for _, s := range w.stores {
		text := w.takes(s.leaves)
		ops := s.in.Operands()
		at := w.address(&text, ops[1].Type, ops[1].Value)
		w.insert(s.in.Block(), s.in.Block().Index(s.in), append(text, fmt.Sprintf("call void @__pathspan_flow_store(i64 %s, i64 %s)", at, w.sizeText(ops[0].Type)))...)
	}
	for i := range w.calls {
		w.tellStatement(&w.calls[i])
	}
	for i, l := range w.loops {
		for k, from := range l.from {
			var text []string
			w.increase(&text, fmt.Sprintf("getelementptr inbounds (%s, %s @%s, i64 0, i64 %d)", w.enteredType(), w.m.Pointer(w.enteredType()), enteredName, i+1))
			w.onEdge(l.f, from.Block(), l.index[k], text...)
		}
	}
	for _, b := range slices.Compact(w.pads) {
		w.atStart(b, "call void @__pathspan_flow_caught()")
	}
	w.globals(
		// What is in no loop is in one that was entered once.
		fmt.Sprintf("@%s = internal global %s [i64 1%s], align 8", enteredName, w.enteredType(), strings.Repeat(", i64 0", len(w.loops))),
		fmt.Sprintf("@%s = internal global %s zeroinitializer, align 8", metName, w.metType()))
	for _, f := range []string{"i32 @__pathspan_flow_load(i64, i64, i32)", "i32 @__pathspan_flow_join(i32, i32)", "void @__pathspan_flow_take(i32)", "void @__pathspan_flow_take_range(i64, i64)",
		"void @__pathspan_flow_store(i64, i64)", "i32 @__pathspan_flow_begin(i32, i32, i64, i64)", "void @__pathspan_flow_end(i32)", "void @__pathspan_flow_caught()"} {
		w.declare("declare " + f + " nounwind")
	}
	return w.err
}

// tellStatement tells where a statement begins and ends.
func (w *Flow) tellStatement(s *statement) {
	text := w.takes(s.leaves)
	for _, a := range s.in.Call().Args {
		if t := byval(a); t != "" {
			at := w.address(&text, a.Type, a.Value)
			text = append(text, fmt.Sprintf("call void @__pathspan_flow_take_range(i64 %s, i64 %s)", at, w.sizeText(t)))
		}
	}
	writes := 0
	if s.writes {
		writes = 1
	}
	tag := cmp.Or(w.tags[s.in], w.fresh("flow"))
	text = append(text, fmt.Sprintf("%s = call i32 @__pathspan_flow_begin(i32 %d, i32 %d, i64 %s, i64 %s)", tag, s.number, writes,
		w.cell(enteredName, w.enteredType(), "i64", s.loop), w.cell(metName, w.metType(), "i64", w.met[[2]int{s.number, s.loop}])))
	w.insert(s.in.Block(), s.in.Block().Index(s.in), text...)
	w.behind(s.in, fmt.Sprintf("call void @__pathspan_flow_end(i32 %s)", tag))
}

// isMerge reports whether one of several values comes out of an instruction.
func isMerge(in *asm.Instr) bool {
	return in.Op() == "phi" || in.Op() == "select" && in.Operands()[0].Type == "i1"
}

// comesIn are the values of which one comes out.
func comesIn(in *asm.Instr) []string {
	if in.Op() == "select" {
		return []string{in.Operands()[1].Value, in.Operands()[2].Value}
	}
	var out []string
	for _, from := range in.Phi() {
		out = append(out, from.Value)
	}
	return out
}

// joined is the tag of what leaves are made to.
func (w *Flow) joined(text *[]string, leaves []*asm.Instr) string {
	tag := "0"
	for k, in := range leaves {
		if k == 0 {
			tag = w.tags[in]
		} else {
			tag = w.value(text, "flow", "call i32 @__pathspan_flow_join(i32 %s, i32 %s)", tag, w.tags[in])
		}
	}
	return tag
}

// merge writes a phi or a select of tags beside one of values. What comes in of several is
// joined to one where it comes from.
func (w *Flow) merge(m *merged) {
	if m.in.Op() == "select" {
		var text []string
		a, b := w.joined(&text, m.leaves[0]), w.joined(&text, m.leaves[1])
		text = append(text, fmt.Sprintf("%s = select i1 %s, i32 %s, i32 %s", w.tags[m.in], m.in.Operands()[0].Value, a, b))
		w.insert(m.in.Block(), m.in.Block().Index(m.in), text...)
		return
	}
	var pairs []string
	of := make(map[string]string) // by where it comes from, which may be there twice
	for i, from := range m.in.Phi() {
		tag, again := of[from.Block]
		if again {
			pairs = append(pairs, fmt.Sprintf("[ %s, %s ]", tag, asm.LocalRef(from.Block)))
			continue
		}
		var text []string
		tag = w.joined(&text, m.leaves[i])
		if len(text) > 0 {
			w.atEnd(m.in.Block().Func().Block(from.Block), text...)
		}
		of[from.Block] = tag
		pairs = append(pairs, fmt.Sprintf("[ %s, %s ]", tag, asm.LocalRef(from.Block)))
	}
	w.insert(m.in.Block(), 0, fmt.Sprintf("%s = phi i32 %s", w.tags[m.in], strings.Join(pairs, ", ")))
}

// takes has what comes next made of values.
func (w *Flow) takes(leaves []*asm.Instr) []string {
	var text []string
	for _, in := range leaves {
		text = append(text, fmt.Sprintf("call void @__pathspan_flow_take(i32 %s)", w.tags[in]))
	}
	return text
}

func (w *Flow) enteredType() string { return fmt.Sprintf("[%d x i64]", len(w.loops)+1) }
func (w *Flow) metType() string     { return fmt.Sprintf("[%d x i64]", len(w.met)) }

// cell spells the address of an element of a global array as an integer.
func (w *Flow) cell(name, array, element string, i int) string {
	return fmt.Sprintf("ptrtoint (%s getelementptr inbounds (%s, %s @%s, i64 0, i64 %d) to i64)", w.m.Pointer(element), array, w.m.Pointer(array), name, i)
}
