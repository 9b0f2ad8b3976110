package pathprof

// This file chooses where to cut a level that has too many paths to number.

// cutDown cuts level l until no more paths than the limit of a node reach any node
// or end the level. A cut changes nothing before it, so numbering goes on from
// there.
func (n *Numbering) cutDown(l int, g *levelGraph) {
	pos := make(map[node]int, len(g.order))
	for i, v := range g.order {
		pos[v] = i
	}
	for i := 0; ; {
		over := -1
		for ; i < len(g.order) && over < 0; i++ {
			if n.assignNode(l, g, g.order[i]) > n.Limits.Node {
				over = i
			}
		}
		if over < 0 {
			if n.total(l, g) <= n.Limits.Node {
				return
			}
			over = n.largest(g)
		}
		v, changed := n.cutOnce(l, g, g.order[over])
		if !changed {
			// Nothing is left to cut: number the rest as it is.
			n.assign(l, g)
			return
		}
		i = pos[v]
	}
}

// cutOnce cuts level l at one more join, because too many paths reach node over. It
// cuts at the block that every path to it passes and that splits the paths most
// evenly, outside sections when there is one; without such a block it cuts at the
// node itself. It returns the first node whose number of paths may have changed, and
// whether anything was left to cut.
func (n *Numbering) cutOnce(l int, g *levelGraph, at node) (node, bool) {
	over := at.block
	if over < 0 {
		over = n.CFG.Loops[at.loop].Header
	}
	half := uint64(1) << 31
	best, bestWhole := -1, -1
	for b := n.CFG.Idom[over]; b >= 0 && n.CFG.InLoop(l, b); b = n.CFG.Idom[b] {
		if n.CFG.LoopOf[b] != l || b == g.start {
			continue
		}
		if n.cut[b] {
			break
		}
		if n.fromBlock[b] < 2 || n.fromBlock[b] > half && best >= 0 {
			continue
		}
		whole := n.request.KeepWhole != nil && n.request.KeepWhole(b)
		if whole && (bestWhole < 0 || n.closer(b, bestWhole, half)) {
			bestWhole = b
		}
		if !whole && (best < 0 || n.closer(b, best, half)) {
			best = b
		}
	}
	if best < 0 {
		best = bestWhole
	}
	if best < 0 {
		return n.cutHere(g, at)
	}
	n.cut[best] = true
	return node{block: best, loop: -1}, true
}

// closer reports whether b splits the paths more evenly than a: the larger number
// of paths up to half, the smaller one above it.
func (n *Numbering) closer(b, a int, half uint64) bool {
	x, y := n.fromBlock[b], n.fromBlock[a]
	switch {
	case x <= half && y <= half:
		return x > y
	case x > half && y > half:
		return x < y
	}
	return x <= half
}

// largest returns the position of the node that most paths reach.
func (n *Numbering) largest(g *levelGraph) int {
	most, at := uint64(0), 0
	for i, v := range g.order {
		from := uint64(0)
		if v.block >= 0 {
			from = n.fromBlock[v.block]
		} else {
			from = n.fromLoop[v.loop]
		}
		if from > most {
			most, at = from, i
		}
	}
	return at
}

// cutHere cuts at node v, a loop together with its partial traversals.
func (n *Numbering) cutHere(g *levelGraph, v node) (node, bool) {
	if v.block >= 0 && !n.cut[v.block] && v.block != g.start {
		n.cut[v.block] = true
		return v, true
	}
	if v.loop >= 0 && !n.cutLoop[v.loop] {
		n.cutLoop[v.loop] = true
		return v, true
	}
	// The paths multiply inside loops of the level: count their partial traversals
	// in the loops themselves.
	for _, w := range g.order {
		if w.loop >= 0 && !n.Levels[w.loop+1].Collapsed {
			n.collapse(w.loop)
			return w, true
		}
	}
	// As a last resort every node counts on its own.
	changed := false
	for _, w := range g.order {
		if w.block >= 0 && w.block != g.start && !n.cut[w.block] {
			n.cut[w.block], changed = true, true
		}
	}
	return g.order[0], changed
}
