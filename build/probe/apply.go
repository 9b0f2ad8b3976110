package probe

// This file writes a plan into a module.

import (
	"errors"
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Names that the run-time library knows.
const (
	counters = "__pathspan_counters"
	hashFn   = "__pathspan_hash"
	emitFn   = "__pathspan_emit"
	timesFn  = "__pathspan_times"
	// frames.go, unwind.go
	top        = "__pathspan_top"
	returnedFn = "__pathspan_returned"
	leftFn     = "__pathspan_left"
)

// Functions that the module gets itself (functions.ll).
const (
	longestFn = "__pathspan_longest"
	calledFn  = "__pathspan_called"
	hashedFn  = "__pathspan_hashed"
	// of parts of a program
	timesHereFn = "__pathspan_times_here"
)

// Apply writes the plan's probes into the module. Functions and blocks of the plan
// are those of ir.Build on the same module, whose values must be named.
func Apply(m *asm.Module, p *Plan) (*Applied, error) {
	a := &applier{emitter: emitter{m: m, i64ptr: m.Pointer("i64")}, p: p, out: &Applied{}}
	funcs := m.Funcs()
	switch {
	case p.Part != nil:
		a.personality = p.Part.Personality
	case p.Catches:
		a.personality = personality(funcs)
	}
	if p.Part == nil {
		a.out.Targets = Targets(m)
	}
	for i := range p.Funcs {
		fp := &p.Funcs[i]
		if fp.Index >= len(funcs) {
			return nil, fmt.Errorf("probe: plan for function %d of %d", fp.Index, len(funcs))
		}
		if a.fn(funcs[fp.Index], fp); a.err != nil {
			return nil, fmt.Errorf("probe: function %s: %w", funcs[fp.Index].Name(), a.err)
		}
	}
	if p.Part == nil {
		forgetMemory(m)
	}
	if a.counters(funcs); a.err != nil {
		return nil, fmt.Errorf("probe: %w", a.err)
	}
	return a.out, StripMarks(m)
}

// StripMarks removes the calls that delimit regions and sections, which nothing
// defines at run time.
func StripMarks(m *asm.Module) error {
	for _, f := range m.Funcs() {
		err := f.DeleteIf(func(in *asm.Instr) bool { return in.Call() != nil && in.Call().Callee == ir.MarkerFunc })
		if err != nil {
			return err
		}
	}
	return nil
}

type applier struct {
	emitter
	p   *Plan
	out *Applied

	personality string // of the module's functions, with its type; "" for none

	f       *asm.Func
	fp      *Func
	own     map[int]string // by block: its record, where the function has no link
	again   map[int]bool   // blocks whose last call may return a second time
	blocks  []*asm.Block   // as the plan numbers them
	array   string         // type of the counter array
	pending map[*asm.Block][]dispatch
	order   []*asm.Block
}

// dispatch is an edge into a block that no instruction can be put on.
type dispatch struct {
	from *asm.Block
	ops  []Op
}

func (a *applier) fn(f *asm.Func, fp *Func) {
	if a.err = f.CheckEditable(); a.err != nil {
		return
	}
	a.f, a.fp, a.next = f, fp, 0
	a.blocks = append([]*asm.Block(nil), f.Blocks...)
	a.array = a.p.array()
	a.pending, a.order = make(map[*asm.Block][]dispatch), nil
	a.own, a.again = make(map[int]string), make(map[int]bool)
	if fp.Link != nil {
		for _, r := range fp.Link.Again {
			a.again[r.Block] = true
		}
	}
	left := a.unwinding()
	if a.p.Calls {
		a.calls()
	}
	for _, fr := range fp.Frames {
		a.frame(fr)
	}
	if fp.Link != nil {
		a.link(fp.Link)
	}
	for _, t := range fp.Top {
		a.atStart(a.blocks[t.Block], a.text(t.Ops)...)
	}
	for _, e := range fp.End {
		a.end(a.blocks[e.Block], a.text(e.Ops))
	}
	for _, c := range fp.BeforeCall {
		if i := a.lastCall(a.blocks[c.Block]); i >= 0 {
			a.insert(a.blocks[c.Block], i, a.text(c.Ops)...)
		}
	}
	for _, e := range fp.Edges {
		a.edge(e)
	}
	for _, t := range a.order {
		a.dispatch(t, a.pending[t])
	}
	a.unwinds(left)
	a.allocate()
}

// end puts text where the block leaves the function: before a call that does not
// return, else before the terminator.
func (a *applier) end(b *asm.Block, text []string) {
	if t := b.Term(); t != nil && t.Op() == "unreachable" {
		if i := lastCall(b); i >= 0 {
			a.insert(b, i, text...)
			return
		}
	}
	a.atEnd(b, text...)
}

// lastCall returns the index of the last call of b, or -1. Intrinsics and our own calls
// do not count.
func lastCall(b *asm.Block) int {
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		if counts(b.Instrs[i]) {
			return i
		}
	}
	return -1
}

// lastCall is that of a block that must hold one.
func (a *applier) lastCall(b *asm.Block) int {
	i := lastCall(b)
	if i < 0 {
		a.failed(fmt.Errorf("block %s holds no call", b.Name()))
	}
	return i
}

func (a *applier) edge(e EdgeOps) {
	b := a.blocks[e.Edge.From]
	_, err := a.f.InsertOnEdge(b, e.Edge.Index, a.text(e.Ops)...)
	if !errors.Is(err, asm.ErrUnsplittable) {
		a.failed(err)
		return
	}
	t := a.f.Block(b.Succs()[e.Edge.Index])
	for _, d := range a.pending[t] {
		if d.from == b {
			return // a second edge between the same blocks: no one can tell them apart
		}
	}
	if a.pending[t] == nil {
		a.order = append(a.order, t)
	}
	a.pending[t] = append(a.pending[t], dispatch{from: b, ops: e.Ops})
}

// dispatch runs the operations of edges that cannot be split (out of indirectbr and
// callbr, into landing pads) at the head of their target t: a phi tells the edge.
func (a *applier) dispatch(t *asm.Block, ds []dispatch) {
	name := t.Name()
	rest, err := a.f.SplitBlock(t, t.StartIndex(), "")
	if err != nil {
		a.failed(err)
		return
	}
	sel := a.fresh("sel")
	var arms, cases []string
	for _, p := range t.Preds() {
		which := 0
		for i, d := range ds {
			if d.from == p {
				which = i + 1
			}
		}
		arms = append(arms, fmt.Sprintf("[ %d, %s ]", which, asm.LocalRef(p.Name())))
	}
	for i, d := range ds {
		arm := a.f.FreshName("ps.edge")
		cases = append(cases, fmt.Sprintf("i32 %d, label %s", i+1, asm.LocalRef(arm)))
		text := append(a.text(d.ops), "br label "+asm.LocalRef(rest.Name()))
		_, err := a.f.AddBlock(arm, text...)
		a.failed(err)
	}
	t = a.f.Block(name)
	a.insert(t, 0, fmt.Sprintf("%s = phi i32 %s", sel, strings.Join(arms, ", ")))
	a.failed(t.Replace(len(t.Instrs)-1, fmt.Sprintf("switch i32 %s, label %s [\n    %s\n  ]", sel, asm.LocalRef(rest.Name()), strings.Join(cases, "\n    "))))
}

// allocate makes the function's registers: stack slots, which the optimiser
// promotes.
func (a *applier) allocate() {
	var text []string
	for r := range a.fp.Registers {
		text = append(text, fmt.Sprintf("%s = alloca i64, align 8", a.reg(r)))
	}
	for r := range a.fp.Registers {
		text = append(text, fmt.Sprintf("store i64 0, %s %s, align 8", a.i64ptr, a.reg(r)))
	}
	if a.fp.Link != nil && a.linksAll() {
		text = append(text, a.loadTop(base))
	}
	a.insert(a.f.Blocks[0], 0, text...)
}

func (a *applier) reg(r int) string { return fmt.Sprintf("%%ps.r%d", r) }
