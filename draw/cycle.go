package draw

// This file breaks cycles: it chooses the edges that lead upward.

// backEdges tells for each edge whether it closes a cycle in a depth-first search from
// the nodes without predecessors, then from the others, in order (E. R. Gansner,
// E. Koutsofios, S. C. North, K.-P. Vo, "A Technique for Drawing Directed Graphs",
// 1993, section 2.1). In control-flow graphs that are entered at their first node these
// are the back edges of loops.
func backEdges(nodes int, edges []arc) []bool {
	out, in := make([][]int, nodes), make([]int, nodes)
	for i, e := range edges {
		out[e.from] = append(out[e.from], i)
		in[e.to]++
	}
	back := make([]bool, len(edges))
	const fresh, active, done = 0, 1, 2
	state := make([]byte, nodes)
	next := make([]int, nodes)
	search := func(root int) {
		stack := []int{root}
		state[root] = active
		for len(stack) > 0 {
			v := stack[len(stack)-1]
			if next[v] == len(out[v]) {
				state[v] = done
				stack = stack[:len(stack)-1]
				continue
			}
			e := out[v][next[v]]
			next[v]++
			switch w := edges[e].to; state[w] {
			case active:
				back[e] = true
			case fresh:
				state[w] = active
				stack = append(stack, w)
			}
		}
	}
	for v := range nodes {
		if in[v] == 0 {
			search(v)
		}
	}
	for v := range nodes {
		if state[v] == fresh {
			search(v)
		}
	}
	return back
}
