package pathwise

// This file walks along one path of a level: from where each step is entered, and what
// its tasks take.

import (
	"slices"

	"pathspan/htg"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/profile"
)

// step is a step of a path and the block it is entered from, -1 when that is unknown.
type step struct {
	pathprof.Step
	from int
}

// stepsOf returns the steps of a path of a level. The first block of an iteration is
// entered from the latch in which it ends, as the iterations before it most likely
// ended there. Behind L* stands the last traversal of the loop, whose first block is
// entered from the block before the loop; behind a loop that counts its last traversals
// itself, the block before is unknown.
func (f *function) stepsOf(level int, p *profile.Path) []step {
	last, skipped := -1, []int(nil) // the block before, the loops passed since
	if end := p.Steps[len(p.Steps)-1]; level > 0 && p.End == pathprof.EndIteration && end >= 0 && int(p.Steps[0]) == f.cfg.Loops[level-1].Header {
		last = int(end)
	}
	steps := make([]step, 0, len(p.Steps))
	for _, s := range p.Steps {
		if l := s.Loop(); l >= 0 {
			skipped = append(skipped, l)
			steps = append(steps, step{s, -1})
			continue
		}
		if len(skipped) > 1 || len(skipped) == 1 && !f.cfg.InLoop(skipped[0], int(s)) {
			last = -1
		}
		steps = append(steps, step{s, last})
		last, skipped = int(s), nil
	}
	return steps
}

// traversal is a last, partial traversal of a loop within a path.
type traversal struct {
	loop  int
	steps []step
}

// split separates the steps that count in tasks of the level itself from the partial
// traversals of loops that reach a region: those have a schedule of their own.
func (f *function) split(level int, steps []step) (own []step, inner []traversal) {
	for _, s := range steps {
		loop := f.outermost(level, s.Step)
		if loop < 0 || !f.forks[loop+1] {
			own = append(own, s)
			continue
		}
		i := slices.IndexFunc(inner, func(t traversal) bool { return t.loop == loop })
		if i < 0 {
			i = len(inner)
			inner = append(inner, traversal{loop: loop})
		}
		inner[i].steps = append(inner[i].steps, s)
	}
	return own, inner
}

// partials visits every partial traversal of a level that the paths of the levels
// around it hold.
func (f *function) partials(level int, visit func(steps []step, count float64)) {
	var within func(around int, steps []step, count float64)
	within = func(around int, steps []step, count float64) {
		_, inner := f.split(around, steps)
		for _, t := range inner {
			if t.loop+1 == level {
				visit(t.steps, count)
			} else {
				within(t.loop+1, t.steps, count)
			}
		}
	}
	for l := range f.levels {
		for i := range f.levels[l].Paths {
			if p := &f.levels[l].Paths[i]; p.Count > 0 {
				within(l, f.stepsOf(l, p), float64(p.Count))
			}
		}
	}
}

// times returns what the tasks of a level take on a path, in microseconds (TPC-bar, eq. 6
// and 7).
func (w *walker) times(at spot, steps []step) []float64 {
	f := w.p.funcs[at.fn]
	graph := f.graphs.Levels[at.level]
	out := make([]float64, len(graph.Tasks))
	own, inner := f.split(at.level, steps)
	for _, s := range own {
		t := f.taskOf(at.level, s.Step)
		if loop := s.Loop(); loop >= 0 {
			out[t] += w.level(w.task(at, t, loop+1))
		} else {
			out[t] += w.block(w.task(at, t, at.level), int(s.Step), s.from)
		}
	}
	for _, tr := range inner {
		t := f.graphs.LoopTask(at.level, tr.loop)
		out[t] += w.partial(w.task(at, t, tr.loop+1), tr.steps)
	}
	for i := range graph.Groups {
		g := &graph.Groups[i]
		if at.forks && slices.ContainsFunc(own, func(s step) bool { return int(s.Step) == g.Begin }) {
			w.overheads(g, out)
		}
	}
	return out
}

// overheads adds what the first task on each processor of a group is charged for creating,
// and the last for synchronising (Appendix A, step 5). Sections that each have a processor
// of their own are charged each; a group that stays on the serial processor is not.
func (w *walker) overheads(g *htg.Group, times []float64) {
	lanes := w.lanes(g)
	// What the processor that meets the region is charged for it holds up all others.
	other, constructs := &w.m.Platform.Other, w.p.Bundle.Program.Regions[g.Region].Constructs
	serially := func(o mapping.Overhead, charged bool) float64 {
		if !charged {
			return 0
		}
		return o.Cycles / w.p.ClockMHz[w.m.Serial]
	}
	last := g.Construct == len(constructs)-1
	if len(lanes) == 1 && w.proc(g, lanes[0][0]) == w.m.Serial {
		times[lanes[0][0].Tasks[0]] += serially(other.TeamOfOne, g.Construct == 0)
		return
	}
	before := serially(other.Fork, g.Construct == 0)
	after := serially(other.Join, last) + serially(other.Barrier, !last && !constructs[g.Construct].NoWait) + serially(other.Reduction, constructs[g.Construct].Reduces)
	for _, lane := range lanes {
		p := w.proc(g, lane[0])
		begin, end := lane[0].Tasks, lane[len(lane)-1].Tasks
		times[begin[0]] += w.p.Overheads[p].Create/w.p.ClockMHz[p] + before
		times[end[len(end)-1]] += w.p.Overheads[p].Sync/w.p.ClockMHz[p] + after
	}
}

// lanes returns the sections of a group that run one after the other, in schedule order.
func (w *walker) lanes(g *htg.Group) [][]*htg.Section {
	var lanes [][]*htg.Section
	for _, s := range w.m.Regions[g.Region].Order[g.Construct] {
		i := slices.IndexFunc(g.Sections, func(x htg.Section) bool { return x.Section == s })
		if i < 0 {
			continue // never reached
		}
		x := &g.Sections[i]
		at := slices.IndexFunc(lanes, func(lane []*htg.Section) bool { return w.proc(g, lane[0]) == w.proc(g, x) })
		if at < 0 || w.technique == PathBasedUnmapped {
			at = len(lanes)
			lanes = append(lanes, nil)
		}
		lanes[at] = append(lanes[at], x)
	}
	return lanes
}

func (w *walker) proc(g *htg.Group, s *htg.Section) int {
	return w.m.Regions[g.Region].Proc[g.Construct][s.Section]
}

// end returns when the last task of a level ends (eq. 8 to 10).
func (w *walker) end(at spot, times []float64) float64 {
	graph, total := w.p.funcs[at.fn].graphs.Levels[at.level], 0.0
	for t, x := range times {
		if !at.forks || graph.Tasks[t].Group < 0 {
			total += x
		}
	}
	for i := range graph.Groups {
		longest := 0.0
		for _, lane := range w.lanes(&graph.Groups[i]) {
			x := 0.0
			for _, s := range lane {
				for _, t := range s.Tasks {
					x += times[t]
				}
			}
			longest = max(longest, x)
		}
		if at.forks {
			total += longest
		}
	}
	return total
}

// task is a level of the same function where a task of a level runs.
func (w *walker) task(at spot, task, level int) spot {
	graph := w.p.funcs[at.fn].graphs.Levels[at.level]
	t := &graph.Tasks[task]
	if at.forks && t.Group >= 0 {
		g := &graph.Groups[t.Group]
		return spot{at.fn, level, w.proc(g, &g.Sections[t.Section]), false}
	}
	return spot{at.fn, level, at.proc, at.forks}
}

// block returns what a block takes where it runs, with the functions that it calls (eq. 3).
func (w *walker) block(at spot, block, from int) float64 {
	c := &w.p.Costs[at.proc].Blocks[at.fn][block]
	cycles := c.Cycles
	for _, a := range c.After {
		if a.Pred == from {
			cycles = a.Cycles
		}
	}
	sum := cycles / w.p.ClockMHz[at.proc]
	for _, call := range w.p.funcs[at.fn].calls[block] {
		if !slices.Contains(c.Included, call.instr) {
			sum += call.share * w.call(at.fn, spot{call.callee, 0, at.proc, at.forks})
		}
	}
	return sum
}
