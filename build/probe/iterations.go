package probe

// This file lets programs tell where iterations of worksharing loops begin, so that the work
// of iterations is known in their order. The loops are those of the optimised code: an
// iteration there may be several of the source, after vectorising and unrolling. A countdown
// of source iterations, which the run-time library sets, decides when to tell.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// Kinds of events of worksharing loops. Iteration tells that an iteration begins; the event's
// section is how many iterations of the source it stands for. Programs that are replayed tell
// behind the begin of a loop, in the low 56 bits, how many iterations it has, and of how many
// a chunk is, if that was given.
const (
	Iteration      = 7
	LoopIterations = 8
	LoopChunk      = 9
)

// TaskDistance is the kind of an event that programs tell that are replayed, behind the begin
// of a task or a taskwait: its low 56 bits are how many tasks before it an elder sibling was
// made that is waited for.
const TaskDistance = 30

const countdown = "__pathspan_iterations_left"

// counted is a loop of the optimised code whose iterations are those of a worksharing loop.
type counted struct {
	loop              *flow.Loop
	region, construct int
	step              int
}

// countedLoops lists the loops of a function that are outermost in a worksharing loop. Where
// uniform is not set, those of worksharing loops whose iterations all do the same are left out.
func countedLoops(p *ir.Program, f *asm.Func, view *ir.Func, uniform bool) []counted {
	if !slices.ContainsFunc(view.Blocks, func(b *ir.Block) bool { return b.Mark != nil && loopOf(p, b.Mark) != nil }) {
		return nil
	}
	g := flow.Analyze(view)
	var out []counted
	for of := range flow.ByMark(flow.Worksharing(p, view, g)) {
		if !uniform && !slices.ContainsFunc(of, func(w flow.Shared) bool { return varies(view, w.Loop) }) {
			continue
		}
		for _, w := range of {
			if !w.Loop.Irreducible {
				out = append(out, counted{w.Loop, w.Region, w.Construct, step(f, w.Loop, view)})
			}
		}
	}
	return out
}

func loopOf(p *ir.Program, m *ir.Mark) *ir.Loop {
	if m.Kind != ir.SectionBegin && m.Kind != ir.SectionEnd {
		return nil
	}
	return p.Regions[m.Region].Constructs[m.Construct].Loop
}

// varies tells a loop whose iterations may differ: in their path, in loops, or in calls.
func varies(view *ir.Func, l *flow.Loop) bool {
	if len(l.Children) > 0 {
		return true
	}
	for _, b := range l.Blocks {
		ways := 0
		for _, s := range view.Blocks[b].Succs {
			if slices.Contains(l.Blocks, s) {
				ways++
			}
		}
		if ways > 1 || view.Blocks[b].Tells() {
			return true
		}
		for i := range view.Blocks[b].Instrs {
			if c := view.Blocks[b].Instrs[i].Call; c != nil && (c.Callee >= 0 || c.Indirect || len(c.FuncArgs) > 0) {
				return true
			}
		}
	}
	return false
}

// step is how many iterations of the source one of the loop is: what its integer induction
// variables are raised by, the least where there are several. Clang counts the iterations of
// worksharing loops by one, and vectorising and unrolling make the step larger. Where it is
// not told, iterations are taken to be alike in this.
func step(f *asm.Func, l *flow.Loop, view *ir.Func) int {
	latches := map[string]bool{}
	for _, e := range l.Latches {
		latches[view.Blocks[e.From].Name] = true
	}
	defs := map[string]*asm.Instr{}
	for _, b := range l.Blocks {
		for _, in := range f.Blocks[b].Instrs {
			if in.Result() != "" {
				defs[in.Result()] = in
			}
		}
	}
	least := 0
	for _, in := range f.Blocks[l.Header].Instrs {
		if in.Op() != "phi" {
			break
		}
		if _, err := strconv.Atoi(strings.TrimPrefix(in.Type(), "i")); err != nil || !strings.HasPrefix(in.Type(), "i") {
			continue
		}
		for _, arm := range in.Phi() {
			next := defs[strings.TrimPrefix(arm.Value, "%")]
			if !latches[arm.Block] || next == nil || next.Op() != "add" {
				continue
			}
			ops := next.Operands()
			if len(ops) != 2 || ops[0].Value != asm.LocalRef(in.Result()) {
				continue
			}
			if n, err := strconv.Atoi(ops[1].Value); err == nil && n != 0 {
				if n = max(n, -n); least == 0 || n < least {
					least = n
				}
			}
		}
	}
	return min(max(1, least), 1<<16-1)
}

// iterations puts placeholders at the heads of a function's counted loops. What a loop tells is
// known where it begins: nothing, where the countdown is beyond all iterations. The optimiser
// makes another loop of that, which counts nothing down.
func (w *meterWriter) iterations(f *asm.Func, view *ir.Func) {
	c := w.chords[f.Name()]
	blocks := slices.Clone(f.Blocks)
	asked := map[string]bool{}
	for _, l := range w.counted[f.Name()] {
		head := blocks[l.loop.Header]
		p := place{}
		var text []string
		if w.plan.PutOff {
			follow := fmt.Sprintf("%%ps.follow.%d.%d", l.region, l.construct)
			if !asked[follow] {
				asked[follow] = true
				w.ask(f, view, blocks, l, follow)
			}
			p.ask = w.value(&text, "follow", "load i1, %s %s, align 1", w.m.Pointer("i1"), follow)
		}
		// A head that leaves the loop, and is not its end, is met once more than there are
		// iterations.
		if !slices.ContainsFunc(l.loop.Latches, func(e flow.Edge) bool { return e.From == l.loop.Header }) {
			for _, e := range l.loop.Exits {
				if e.From != l.loop.Header {
					continue
				}
				text, _ := w.lower(-l.step)
				w.onEdge(f, head, e.Index, text...)
			}
		}
		var at []uint64
		if c != nil {
			at = c.top(l.loop.Header)
			if n := c.around[l.loop.Index]; n >= 0 {
				p.tell = w.leaveNest(n, &c.nests[n])
			}
		}
		p.tell = append(p.tell, w.event(Event(Iteration, l.region, l.construct, l.step), at)...)
		var less string
		p.check, less = w.lower(l.step)
		p.over = w.value(&p.check, "over", "icmp slt i64 %s, 0", less)
		w.atStart(head, append(text, w.at(p))...)
	}
}

// ask finds out where a loop begins whether it tells of iterations.
func (w *meterWriter) ask(f *asm.Func, view *ir.Func, blocks []*asm.Block, l counted, follow string) {
	for bi, b := range blocks {
		m := view.Blocks[bi].Mark
		if m == nil || m.Kind != ir.SectionBegin || m.Region != l.region || m.Construct != l.construct {
			continue
		}
		var text []string
		some := w.value(&text, "some", "icmp slt i64 %s, %d", w.load(&text, "@"+countdown), int64(1)<<61)
		text = append(text, fmt.Sprintf("store i1 %s, %s %s, align 1", some, w.m.Pointer("i1"), follow))
		w.insert(b, marker(b)+1, text...)
	}
	w.insert(f.Blocks[0], 0, follow+" = alloca i1, align 1", fmt.Sprintf("store i1 true, %s %s, align 1", w.m.Pointer("i1"), follow))
}

// lower lowers the countdown, and returns what it is then.
func (w *meterWriter) lower(by int) (text []string, less string) {
	less = w.value(&text, "left", "sub i64 %s, %d", w.load(&text, "@"+countdown), by)
	return append(text, w.store("@"+countdown, less)), less
}
