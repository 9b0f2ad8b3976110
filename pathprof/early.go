package pathprof

// This file counts paths where they are decided rather than where they end.
//
// Where edges join and nothing but straight code follows to the end of the path, the
// number is known on each of the edges. Counting there takes the place of the increment,
// and needs no register where one path only reaches the edge. Ball and Larus combine
// increments and counts in the same way (Efficient Path Profiling, section 3.3).

import (
	"pathspan/build/probe"
	"pathspan/ir/flow"
)

// countEarly moves counts from the ends of paths to edges before them. It returns those
// that are left in blocks where paths leave the function.
func (b *funcPlanner) countEarly(calls Calls) map[int]probe.Op {
	n := b.n
	ends := make(map[int]probe.Op)
	for _, from := range n.CFG.Order {
		if s := n.endSink[from]; s >= 0 {
			op := b.countOp(0, n.Levels[0].Sinks[s].Offset)
			if !b.hoist(from, op, calls) {
				ends[from] = op
			}
		}
		if len(n.CFG.Succs[from]) != 1 {
			continue
		}
		// Of what ends a path of the block's own level, the count comes first.
		e := flow.Edge{From: from}
		ops := b.edges[e]
		if n.sinkOf[from][0] >= 0 && !n.restarts[n.CFG.Target(e)] && len(ops) > 0 && b.hoist(from, ops[0], calls) {
			b.edges[e] = ops[1:]
		}
	}
	return ends
}

// hoist moves a count from the end of a block to the edges into it, or to edges before
// those, and reports whether it could. Control must not stay behind in between, and the
// edges must be their source's only ones, so that counting on them takes no new block.
func (b *funcPlanner) hoist(block int, op probe.Op, calls Calls) bool {
	n := b.n
	in := n.CFG.Preds[block]
	if op.Kind != probe.Count || op.Register < 0 || b.starts(block) || calls(block) || len(in) == 0 {
		return false
	}
	for _, e := range in {
		if len(n.CFG.Succs[e.From]) > 1 {
			return false
		}
	}
	if len(in) == 1 && n.CFG.LoopOf[in[0].From] != n.CFG.LoopOf[block] {
		return false
	}
	if len(in) == 1 && len(b.edges[in[0]]) == 0 {
		return b.hoist(in[0].From, op, calls)
	}
	for _, e := range in {
		ops, here := b.edges[e], op
		if i := len(ops) - 1; i >= 0 && ops[i].Kind == probe.Add && ops[i].Register == op.Register {
			here.Counter += int(ops[i].Value)
			ops = ops[:i]
		}
		if len(ops) > 0 || n.CFG.LoopOf[e.From] != n.CFG.LoopOf[block] || !b.hoist(e.From, here, calls) {
			ops = append(ops, here)
		}
		b.edges[e] = ops
	}
	return true
}
