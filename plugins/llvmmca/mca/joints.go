package mca

// This file times blocks behind others: what is pending when one ends is waited for in the next,
// and what is not fills its gaps.

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"

	"pathspan/ir"
)

// joint is a machine block behind another, by their texts.
type joint struct{ before, block string }

// mostTurns is how often two blocks take turns: what the first turn takes is left out, so a steady state is
// seen sooner than in typical cycles.
const mostTurns = 20

// timeJoints returns how many cycles more, or less, blocks take behind others than behind
// themselves. Of two that alternate back to back the steady state is known, and half of what it
// differs from theirs is each one's: so a loop of two blocks costs what llvm-mca says of it, as
// one of a block does, and longer ones what their neighbours do to each other. Joints of code that
// was timed in parts, or cut, are left out.
func (t *timer) timeJoints(ctx context.Context, joints []joint, codes map[string]*code, figures map[string]figure) (map[joint]float64, error) {
	turns := *t
	turns.iterations, turns.bare = min(t.iterations, mostTurns), true
	if turns.iterations < 2 {
		return nil, nil // there is no steady state
	}
	alone := func(key string) *piece {
		if c := codes[key]; c != nil && len(c.pieces) == 1 && len(c.pieces[0].units) > 0 && !figures[key].clamped {
			return c.pieces[0]
		}
		return nil
	}
	pieces := map[joint]*piece{}
	var order []*piece
	for _, j := range joints {
		a, b := alone(j.before), alone(j.block)
		if a == nil || b == nil || j.before == j.block || pieces[j] != nil || len(a.units)+len(b.units) > longest {
			continue
		}
		p := &piece{}
		p.units = append(append(p.units, a.units...), b.units...)
		pieces[j] = p
		order = append(order, p)
	}
	if err := turns.time(ctx, byLength(order)); err != nil {
		return nil, err
	}
	more := make(map[joint]float64, len(pieces))
	for j, p := range pieces {
		a, b := alone(j.before).t, alone(j.block).t
		more[j] = math.Max((p.t.slope-a.slope-b.slope)/2, -b.steady)
	}
	return more, nil
}

// way is the machine blocks that control passes from one IR block to the next: the last of the one,
// what llc put between, the first of the next.
type way []int

// joints lists them for each edge where it is plain which they are.
func (a *assignment) joints(f *machineFunc, succs [][]int) map[edge]way {
	preds := make([][]int, len(succs))
	for from, list := range succs {
		for _, to := range list {
			preds[to] = append(preds[to], from)
		}
	}
	leads := func(from, to int) bool {
		return slices.Contains(f.blocks[from].succs, to)
	}
	out := map[edge]way{}
	for from, list := range succs {
		last := from
		// Code of a block may be in the only one before it.
		for hops := 0; len(a.blocks[last]) == 0 && len(preds[last]) == 1 && hops < len(succs); hops++ {
			last = preds[last][0]
		}
		for _, to := range list {
			e := edge{from, to}
			between := a.edges[e]
			if len(a.blocks[to]) == 0 || len(between) > 1 {
				continue
			}
			w := append(append(way{}, between...), a.head(to))
			var before []int
			for _, s := range a.blocks[last] {
				if leads(s.block, w[0]) {
					before = append(before, s.block)
				}
			}
			if len(before) == 1 && (len(w) == 1 || leads(w[0], w[1])) {
				out[e] = append(way{before[0]}, w...)
			}
		}
	}
	return out
}

// head is the machine block in which an IR block begins.
func (a *assignment) head(block int) int {
	if len(a.ways[block]) > 0 {
		return a.ways[block][0]
	}
	return a.blocks[block][0].block
}

// placement is a function's machine code, and which is executed when.
type placement struct {
	*machineFunc
	*assignment
	ways map[edge]way
}

func newPlacement(f *ir.Func, mf *machineFunc, names []string) *placement {
	succs := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		succs[i] = b.Succs
	}
	a := assign(mf, names, succs)
	return &placement{mf, a, a.joints(mf, succs)}
}

func (p *placement) at(e edge) []joint {
	var out []joint
	for i, w := 1, p.ways[e]; i < len(w); i++ {
		out = append(out, joint{p.machineFunc.blocks[w[i-1]].key(), p.machineFunc.blocks[w[i]].key()})
	}
	return out
}

// all lists those of all edges, in order.
func (p *placement) all() []joint {
	var out []joint
	for _, e := range slices.SortedFunc(maps.Keys(p.ways), func(x, y edge) int { return cmp.Or(x.to-y.to, x.from-y.from) }) {
		out = append(out, p.at(e)...)
	}
	return out
}
