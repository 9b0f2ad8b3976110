package pathprof

// This file chooses where to cut a level that has too many paths to number.

// cutOnce cuts level l at one more join. It looks at the first node that more
// paths reach than the limit allows, and cuts at the block that every path to it
// passes and that splits the paths most evenly, outside sections when there is
// one; without such a block it cuts at the node itself. It reports whether anything
// was left to cut.
func (n *Numbering) cutOnce(l int, g *levelGraph) bool {
	over := n.firstOver(g)
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
	switch {
	case best >= 0:
		n.cut[best] = true
	case bestWhole >= 0:
		n.cut[bestWhole] = true
	default:
		return n.cutHere(l, g, over)
	}
	return true
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

// firstOver returns the block of the first node that too many paths reach; when
// only the sum over the ends is too large, the block of the largest node.
func (n *Numbering) firstOver(g *levelGraph) int {
	most, at := uint64(0), g.start
	for _, v := range g.order {
		from, block := uint64(0), v.block
		if v.block >= 0 {
			from = n.fromBlock[v.block]
		} else {
			from, block = n.fromLoop[v.loop], n.CFG.Loops[v.loop].Header
		}
		if from > n.Limits.Node {
			return block
		}
		if from > most {
			most, at = from, block
		}
	}
	return at
}

// cutHere cuts at block b, or at the loop of level l around it together with its
// partial traversals.
func (n *Numbering) cutHere(l int, g *levelGraph, b int) bool {
	v := n.nodeIn(l, b)
	if v.block >= 0 && !n.cut[v.block] && v.block != g.start {
		n.cut[v.block] = true
		return true
	}
	if v.loop >= 0 && !n.cutLoop[v.loop] {
		n.cutLoop[v.loop] = true
		return true
	}
	// The paths multiply inside loops of the level: count their partial traversals
	// in the loops themselves.
	for _, w := range g.order {
		if w.loop >= 0 && !n.Levels[w.loop+1].Collapsed {
			n.collapse(w.loop)
			return true
		}
	}
	// As a last resort every node counts on its own.
	changed := false
	for _, w := range g.order {
		if w.block >= 0 && w.block != g.start && !n.cut[w.block] {
			n.cut[w.block], changed = true, true
		}
	}
	return changed
}
