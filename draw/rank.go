package draw

// This file assigns ranks by network simplex: the sum of the edges' lengths, weighted,
// is the least possible (Gansner et al. 1993, section 2.3).

import "slices"

// rankEdge says that to lies at least min ranks below from.
type rankEdge struct{ from, to, min, weight int }

// simplex is the state of the method: ranks that are feasible, and a spanning tree of
// edges that are as short as they may be.
type simplex struct {
	edges  []rankEdge
	rank   []int
	at     [][]int // by node: its edges
	inTree []bool  // by edge
	// The tree hangs from node 0; parent is by which edge.
	parent, order []int
	low, lim      []int // a node's subtree has the numbers low..lim
	cut           []int // by node: cut value of the edge to its parent
	balance       []int // by node: weight out less weight in
}

// ranks returns the ranks of the nodes, from 0. The edges must be acyclic. Parts that
// no edge joins each start at rank 0.
func ranks(nodes int, edges []rankEdge) []int {
	if nodes == 0 {
		return nil
	}
	// A node above all others, without weight, makes the graph connected.
	s := &simplex{edges: slices.Clone(edges), rank: make([]int, nodes+1), at: make([][]int, nodes+1), balance: make([]int, nodes+1)}
	in := make([]int, nodes)
	for _, e := range edges {
		in[e.to]++
	}
	for v := range nodes {
		if in[v] == 0 {
			s.edges = append(s.edges, rankEdge{from: nodes, to: v})
		}
	}
	for i, e := range s.edges {
		s.at[e.from], s.at[e.to] = append(s.at[e.from], i), append(s.at[e.to], i)
		s.balance[e.from] += e.weight
		s.balance[e.to] -= e.weight
	}
	s.inTree = make([]bool, len(s.edges))
	s.longestPath(nodes)
	s.tightTree()
	s.hang()
	// Each step lowers the total length or moves along a tie; ties could go round.
	for range 8*nodes + 100 {
		if !s.pivot() {
			break
		}
	}
	settle(s.rank[:nodes], edges)
	return s.rank[:nodes]
}

// longestPath gives each node the first rank that its predecessors allow.
func (s *simplex) longestPath(root int) {
	missing := make([]int, len(s.rank))
	for _, e := range s.edges {
		missing[e.to]++
	}
	queue := []int{root}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, i := range s.at[v] {
			e := s.edges[i]
			if e.from != v {
				continue
			}
			s.rank[e.to] = max(s.rank[e.to], s.rank[v]+e.min)
			if missing[e.to]--; missing[e.to] == 0 {
				queue = append(queue, e.to)
			}
		}
	}
}

func (s *simplex) slack(i int) int {
	e := s.edges[i]
	return s.rank[e.to] - s.rank[e.from] - e.min
}

// tightTree finds a spanning tree of edges without slack, moving what it has so far
// where no such edge leads on.
func (s *simplex) tightTree() {
	in := make([]bool, len(s.rank))
	members := []int{0}
	in[0] = true
	for grown := 0; ; {
		for ; grown < len(members); grown++ {
			v := members[grown]
			for _, i := range s.at[v] {
				w := s.edges[i].from + s.edges[i].to - v
				if !in[w] && s.slack(i) == 0 {
					in[w], s.inTree[i] = true, true
					members = append(members, w)
				}
			}
		}
		if len(members) == len(s.rank) {
			return
		}
		best := -1
		for i, e := range s.edges {
			if in[e.from] != in[e.to] && (best < 0 || s.slack(i) < s.slack(best)) {
				best = i
			}
		}
		delta := s.slack(best)
		if in[s.edges[best].to] {
			delta = -delta
		}
		for _, v := range members {
			s.rank[v] += delta
		}
		grown = 0
	}
}

// hang numbers the tree from node 0 and computes the cut values: of an edge of the
// tree, the weight of all edges that lead as it does between the two halves that it
// joins, less that of those that lead the other way.
func (s *simplex) hang() {
	n := len(s.rank)
	if s.parent == nil {
		s.parent, s.low, s.lim, s.cut = make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	}
	s.order = s.order[:0]
	s.parent[0] = -1
	stack := []int{0}
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		s.low[v] = len(s.order)
		s.lim[v] = len(s.order)
		s.order = append(s.order, v)
		s.cut[v] = s.balance[v]
		for _, i := range s.at[v] {
			if s.inTree[i] && i != s.parent[v] {
				w := s.edges[i].from + s.edges[i].to - v
				s.parent[w] = i
				stack = append(stack, w)
			}
		}
	}
	for k := n - 1; k > 0; k-- {
		v := s.order[k]
		e := s.edges[s.parent[v]]
		p := e.from + e.to - v
		s.lim[p] = max(s.lim[p], s.lim[v])
		s.cut[p] += s.cut[v]
	}
	for _, v := range s.order[1:] {
		if s.edges[s.parent[v]].to == v {
			s.cut[v] = -s.cut[v]
		}
	}
}

// within says whether w lies in the subtree of v.
func (s *simplex) within(v, w int) bool { return s.low[v] <= s.low[w] && s.low[w] <= s.lim[v] }

// pivot exchanges an edge of the tree with a negative cut value; it reports whether
// there was one.
func (s *simplex) pivot() bool {
	leave := -1
	for _, v := range s.order[1:] {
		if s.cut[v] < 0 && (leave < 0 || s.cut[v] < s.cut[leave]) {
			leave = v
		}
	}
	if leave < 0 {
		return false
	}
	// The edge that enters leads between the halves the other way.
	up := s.edges[s.parent[leave]].from == leave // the subtree is the tail
	enter := -1
	for _, v := range s.order[s.low[leave] : s.lim[leave]+1] {
		for _, i := range s.at[v] {
			e := s.edges[i]
			if (e.to == v) == up && !s.within(leave, e.from+e.to-v) && (enter < 0 || s.slack(i) < s.slack(enter) || s.slack(i) == s.slack(enter) && i < enter) {
				enter = i
			}
		}
	}
	delta := s.slack(enter)
	if !up {
		delta = -delta
	}
	// Moving the subtree makes the edge that enters tight.
	for _, v := range s.order[s.low[leave] : s.lim[leave]+1] {
		s.rank[v] -= delta
	}
	s.inTree[s.parent[leave]], s.inTree[enter] = false, true
	s.hang()
	return true
}

// settle moves each part that edges join so that it starts at rank 0.
func settle(rank []int, edges []rankEdge) {
	part := newUnion(len(rank))
	for _, e := range edges {
		part.join(e.from, e.to)
	}
	first := map[int]int{}
	for v, r := range rank {
		p := part.find(v)
		if f, ok := first[p]; !ok || r < f {
			first[p] = r
		}
	}
	for v := range rank {
		rank[v] -= first[part.find(v)]
	}
}

// union is a partition of numbers.
type union []int

func newUnion(n int) union {
	u := make(union, n)
	for i := range u {
		u[i] = i
	}
	return u
}

func (u union) find(v int) int {
	for u[v] != v {
		u[v] = u[u[v]]
		v = u[v]
	}
	return v
}

func (u union) join(v, w int) { u[max(u.find(v), u.find(w))] = min(u.find(v), u.find(w)) }
