package draw

// This file ranks nodes: edges that close cycles are turned round, and each node gets a
// rank below its predecessors, so that edges are short.

import "math"

// arc is an edge between two nodes of a part. Once turned it leads downward, by length
// ranks at least.
type arc struct {
	from, to, length int
	back             bool // the edge leads the other way
}

// turn turns the edges round that close a cycle in a depth-first search from the nodes
// without predecessors, then from the others, in order (E. R. Gansner, E. Koutsofios, S.
// C. North, K.-P. Vo, "A Technique for Drawing Directed Graphs", 1993, section 2.1). In
// control-flow graphs that are entered at their first node these are the back edges of
// loops.
func turn(nodes int, arcs []arc) {
	out, in := make([][]int, nodes), make([]int, nodes)
	for i, a := range arcs {
		out[a.from] = append(out[a.from], i)
		in[a.to]++
	}
	const fresh, active, done = 0, 1, 2
	state := make([]byte, nodes)
	var search func(v int)
	search = func(v int) {
		state[v] = active
		for _, i := range out[v] {
			switch w := arcs[i].to; state[w] {
			case active:
				arcs[i].back = true
			case fresh:
				search(w)
			}
		}
		state[v] = done
	}
	for _, entered := range []bool{false, true} {
		for v := range nodes {
			if state[v] == fresh && (entered || in[v] == 0) {
				search(v)
			}
		}
	}
	for i := range arcs {
		if a := &arcs[i]; a.back {
			a.from, a.to = a.to, a.from
		}
	}
}

// ranks returns the ranks of the nodes. Each starts as high as its predecessors allow;
// then each moves, with all that it pushes, as long as that makes the edges shorter in
// total.
func ranks(nodes int, arcs []arc) []int {
	up, down, missing := make([][]arc, nodes), make([][]arc, nodes), make([]int, nodes)
	for _, a := range arcs {
		down[a.from], up[a.to] = append(down[a.from], a), append(up[a.to], a)
		missing[a.to]++
	}
	var order []int
	for v := range nodes {
		if missing[v] == 0 {
			order = append(order, v)
		}
	}
	rank := make([]int, nodes)
	for i := 0; i < len(order); i++ {
		for _, a := range down[order[i]] {
			rank[a.to] = max(rank[a.to], rank[a.from]+a.length)
			if missing[a.to]--; missing[a.to] == 0 {
				order = append(order, a.to)
			}
		}
	}
	taken := make([]int, nodes) // in which try
	try := 0
	var set []int
	shift := func(v, step int) bool {
		try++
		set, taken[v] = append(set[:0], v), try
		gain, room := 0, math.MaxInt
		for i := 0; i < len(set); i++ {
			ahead, behind := down[set[i]], up[set[i]]
			if step < 0 {
				ahead, behind = behind, ahead
			}
			gain += len(ahead) - len(behind)
			for _, a := range ahead {
				w := a.from + a.to - set[i]
				switch slack := rank[a.to] - rank[a.from] - a.length; {
				case taken[w] == try:
				case slack > 0:
					room = min(room, slack)
				default:
					set, taken[w] = append(set, w), try
				}
			}
		}
		for _, w := range set {
			if gain > 0 {
				rank[w] += step * room
			}
		}
		return gain > 0
	}
	for moved := true; moved; {
		moved = false
		for v := range nodes {
			moved = shift(v, 1) || shift(v, -1) || moved
		}
	}
	return rank
}
