package pathwise

// This file walks along one path of a level: from where each step is entered, and what
// its tasks take.

import (
	"slices"

	"pathspan/pathprof"
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
func (f *function) stepsOf(level int, p *pathprof.Path) []step {
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

// times returns what the tasks of a level take on a path (TPC-bar, eq. 6 and 7).
func (w *walker) times(at spot, steps []step) []amount {
	f, l := w.p.funcs[at.fn], w.layOut(at)
	out := make([]amount, len(l.places))
	own, inner := f.split(at.level, steps)
	for _, s := range own {
		t := f.taskOf(at.level, s.Step)
		if loop := s.Loop(); loop >= 0 {
			out[t] = out[t].plus(w.level(w.loop(at, loop)), 1)
		} else {
			out[t] = out[t].plus(w.block(at.fn, int(s.Step), s.from, l.places[t]), 1)
		}
	}
	for _, tr := range inner {
		t := f.graphs.LoopTask(at.level, tr.loop)
		out[t] = out[t].plus(w.partial(w.loop(at, tr.loop), tr.steps), 1)
	}
	for _, x := range l.extras {
		if passes(own, x.begin) {
			out[x.task] = out[x.task].plus(amount{micros: x.micros}, 1)
		}
	}
	return out
}

func passes(steps []step, block int) bool {
	return slices.ContainsFunc(steps, func(s step) bool { return int(s.Step) == block })
}

// loop returns the spot of a loop in a level, which may lie in another loop there: each
// runs where the level around it puts its task.
func (w *walker) loop(at spot, loop int) spot {
	f := w.p.funcs[at.fn]
	var chain []int // loops from the inner one outward
	for l := loop; l != at.level-1; l = f.cfg.Loops[l].Parent {
		chain = append(chain, l)
	}
	slices.Reverse(chain)
	for _, l := range chain {
		p := w.layOut(at).places[f.graphs.LoopTask(at.level, l)]
		at = spot{at.fn, l + 1, p.proc, p.inside}
	}
	return at
}

// block returns what a block takes, with the functions that it calls (eq. 3).
func (w *walker) block(fn, block, from int, p place) amount {
	c := &w.p.Costs[p.proc].Blocks[fn][block]
	cycles := c.Cycles
	for _, a := range c.After {
		if a.Pred == from {
			cycles = a.Cycles
		}
	}
	sum := amount{micros: cycles / w.p.ClockMHz[p.proc]}
	for _, call := range w.p.funcs[fn].calls[block] {
		if !slices.Contains(c.Included, call.instr) {
			sum = sum.plus(w.call(fn, call.callee, p), call.share)
		}
	}
	return sum
}
