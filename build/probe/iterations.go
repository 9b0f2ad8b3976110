package probe

// This file lets programs tell where iterations of worksharing loops begin, so that the work
// of iterations is known in their order. The loops are those of the optimised code: an
// iteration there may be several of the source, after vectorising and unrolling. A countdown
// of source iterations, which the run-time library sets, decides when to tell.

import (
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
	for start, b := range view.Blocks {
		if b.Mark == nil || b.Mark.Kind != ir.SectionBegin || loopOf(p, b.Mark) == nil || !g.Reachable[start] {
			continue
		}
		inside := between(view, start)
		var own []int
		for i, l := range g.Loops {
			if within(l, inside) && (l.Parent < 0 || !within(g.Loops[l.Parent], inside)) {
				own = append(own, i)
			}
		}
		if l := loopOf(p, b.Mark); l.Schedule != ir.Static || l.Chunk != 0 || l.Ordered { // a loop over chunks is around
			var inner []int
			for _, i := range own {
				inner = append(inner, g.Loops[i].Children...)
			}
			own = inner
		}
		if !uniform && !slices.ContainsFunc(own, func(i int) bool { return varies(view, g, g.Loops[i]) }) {
			continue
		}
		for _, i := range own {
			if l := g.Loops[i]; !l.Irreducible {
				out = append(out, counted{l, b.Mark.Region, b.Mark.Construct, step(f, l, view)})
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

// between tells the blocks from a mark of a section's begin to that of its end.
func between(view *ir.Func, start int) []bool {
	begin := view.Blocks[start].Mark
	return flow.Reached(len(view.Blocks), []int{start}, func(b int, visit func(int)) {
		for _, s := range view.Blocks[b].Succs {
			if m := view.Blocks[s].Mark; m == nil || m.Kind != ir.SectionEnd || m.Region != begin.Region || m.Construct != begin.Construct {
				visit(s)
			}
		}
	})
}

func within(l *flow.Loop, inside []bool) bool {
	return !slices.ContainsFunc(l.Blocks, func(b int) bool { return !inside[b] })
}

// varies tells a loop whose iterations may differ: in their path, in loops, or in calls.
func varies(view *ir.Func, g *flow.CFG, l *flow.Loop) bool {
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
		if ways > 1 || view.Blocks[b].Mark != nil || view.Blocks[b].TaskMark != nil || view.Blocks[b].Locking != nil {
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

// iterations puts placeholders at the heads of a function's counted loops.
func (w *meterWriter) iterations(f *asm.Func) {
	c := w.chords[f.Name()]
	blocks := slices.Clone(f.Blocks)
	for _, l := range w.counted[f.Name()] {
		head := blocks[l.loop.Header]
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
		var tell []string
		if c != nil {
			at = c.top(l.loop.Header)
			if n := c.around[l.loop.Index]; n >= 0 {
				tell = w.leaveNest(n, &c.nests[n])
			}
		}
		text, less := w.lower(l.step)
		over := w.value(&text, "over", "icmp slt i64 %s, 0", less)
		w.atStart(head, append(text, w.unless(over, append(tell, w.event(Event(Iteration, l.region, l.construct, l.step), at)...)))...)
	}
}

// lower lowers the countdown, and returns what it is then.
func (w *meterWriter) lower(by int) (text []string, less string) {
	less = w.value(&text, "left", "sub i64 %s, %d", w.load(&text, "@"+countdown), by)
	return append(text, w.store("@"+countdown, less)), less
}
