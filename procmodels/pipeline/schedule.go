package pipeline

// This file puts the instructions of a block in an order that suits the processor, as compilers do.

import (
	"slices"

	"pathspan/ir"
)

// window is how many instructions that wait are looked at: registers for more are scarce.
const window = 32

// order returns the order in which the instructions of a block issue.
func (p *player) order(fi, bi int) []int {
	if list, ok := p.orders[bi]; ok {
		return list
	}
	n := len(p.p.Funcs[fi].Blocks[bi].Instrs)
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	if p.m.scheduled && (p.code == nil || !p.code.plain) {
		list = p.schedule(fi, bi)
	}
	p.orders[bi] = list
	return list
}

// schedule lists what can issue first, then what most is behind, from the top down (list scheduling).
// Accesses keep their order but loads among each other, calls keep their place, the block's
// last instruction stays the last.
func (p *player) schedule(fi, bi int) []int {
	b := p.p.Funcs[fi].Blocks[bi]
	n := len(b.Instrs)
	type node struct {
		class, parts  int
		then          []int
		uses          []use
		before, after []int // what it waits for, and what waits for it
		height        int   // cycles until all is done that waits for it
		waits         int
	}
	nodes := make([]node, n)
	wait := func(i, for_ int) {
		nodes[i].before, nodes[for_].after = append(nodes[i].before, for_), append(nodes[for_].after, i)
		nodes[i].waits++
	}
	store, barrier := -1, -1
	var loads []int
	for i := range b.Instrs {
		in, nd := &b.Instrs[i], &nodes[i]
		nd.class, nd.parts, nd.then = p.become(fi, bi, i, nil)
		if in.Op != "phi" {
			for k, o := range p.ops.Of(fi, bi, i) {
				if o.Kind == ir.Computed && int(o.Block) == bi && o.N < int64(i) {
					nd.uses = append(nd.uses, use{int(o.N), isAddress(in.Op, k), p.isAddend(bi, i, o)})
					wait(i, int(o.N))
				}
			}
		}
		switch {
		case i == n-1 || isCall(in) || in.Op == "fence" || in.Op == "cmpxchg" || in.Op == "atomicrmw":
			for j := max(barrier, 0); j < i; j++ {
				wait(i, j)
			}
			barrier, store, loads = i, -1, loads[:0]
			continue
		case in.Op == "store":
			for _, j := range loads {
				wait(i, j)
			}
			if store >= 0 {
				wait(i, store)
			}
			store, loads = i, loads[:0]
		case in.Op == "load":
			if store >= 0 {
				wait(i, store)
			}
			loads = append(loads, i)
		}
		if barrier >= 0 {
			wait(i, barrier)
		}
	}
	latency := func(from, to int) int {
		c := &p.m.classes[nodes[from].class]
		if c.unit < 0 {
			return 0
		}
		sum := 0
		for _, next := range nodes[from].then {
			sum += c.until(next)
			c = &p.m.classes[next]
		}
		return sum + c.until(nodes[to].class)
	}
	for i := n - 1; i >= 0; i-- {
		for _, j := range nodes[i].after {
			nodes[i].height = max(nodes[i].height, latency(i, j)+nodes[j].height)
		}
	}
	s := newScoreboard(p.m)
	s.done = make([]result, n)
	left, list := make([]int, n), make([]int, 0, n)
	for i := range left {
		left[i] = i
	}
	for len(left) > 0 {
		best, at := -1, 0
		for k, i := range left[:min(window, len(left))] {
			nd := &nodes[i]
			if nd.waits > 0 {
				continue
			}
			when := 0
			if c := &p.m.classes[nd.class]; c.unit >= 0 {
				when = max(s.now, slices.Min(s.free[c.unit]))
				for _, u := range nd.uses {
					when = max(when, s.ready(u, nd.class))
				}
			}
			if best < 0 || when < at || when == at && nd.height > nodes[left[best]].height {
				best, at = k, when
			}
		}
		i := left[best]
		left = slices.Delete(left, best, best+1)
		list = append(list, i)
		s.issue(i, nodes[i].class, nodes[i].parts, nodes[i].uses, nodes[i].then...)
		for _, j := range nodes[i].after {
			nodes[j].waits--
		}
	}
	return list
}
