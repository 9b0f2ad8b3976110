package pathprof

// This file turns path numbers back into paths.

import (
	"fmt"
	"slices"

	"pathspan/ir/flow"
)

// Decode returns the steps of path id of the given level, in execution order,
// and the sink it ends in. A path that starts at a cut starts with that block or
// loop.
func (n *Numbering) Decode(level int, id uint64) ([]Step, *Sink, error) {
	lev := &n.Levels[level]
	for i := range lev.Sinks {
		s := &lev.Sinks[i]
		if id < s.Offset || id-s.Offset >= s.Count {
			continue
		}
		d := decoder{n: n}
		if s.Kind == EndFunction {
			d.to(lev.Loop, node{block: s.Edge.From, loop: -1}, id-s.Offset)
		} else {
			d.along(lev.Loop, s.Edge, id-s.Offset)
		}
		if d.err != nil {
			return nil, nil, d.err
		}
		slices.Reverse(d.steps)
		return d.steps, s, nil
	}
	return nil, nil, fmt.Errorf("path number %d of level %d is out of range (%d paths)", id, level, lev.Paths)
}

// LevelsAround lists the levels that hold block b, outermost first.
func (n *Numbering) LevelsAround(b int) []int {
	levels := []int{0}
	for _, m := range n.entered(-1, b) {
		levels = append(levels, m+1)
	}
	return levels
}

// DecodeUnderWay returns the paths under way, level by level from the outermost,
// when control is in block b and the registers of those levels hold regs.
func (n *Numbering) DecodeUnderWay(b int, regs []uint64) ([][]Step, error) {
	levels := n.LevelsAround(b)
	if len(regs) != len(levels) {
		return nil, fmt.Errorf("%d registers for %d levels", len(regs), len(levels))
	}
	var paths [][]Step
	for i, level := range levels {
		d := decoder{n: n}
		if i+1 < len(levels) {
			d.to(n.Levels[level].Loop, node{block: -1, loop: levels[i+1] - 1}, regs[i])
		} else {
			d.to(n.Levels[level].Loop, node{block: b, loop: -1}, regs[i])
		}
		if d.err != nil {
			return nil, d.err
		}
		slices.Reverse(d.steps)
		paths = append(paths, d.steps)
	}
	return paths, nil
}

// decoder collects steps from the end of a path to its start.
type decoder struct {
	n     *Numbering
	steps []Step
	err   error
}

// to decodes the path of level l that reaches node v with number id.
func (d *decoder) to(l int, v node, id uint64) {
	n := d.n
	for d.err == nil {
		if v.block >= 0 {
			d.steps = append(d.steps, Step(v.block))
		} else {
			d.steps = append(d.steps, LoopStep(v.loop))
		}
		if d.starts(l, v, id) {
			return
		}
		e, ok := d.edgeInto(l, v, id)
		if !ok {
			d.err = fmt.Errorf("path number %d reaches no edge of level %d", id, l+1)
			return
		}
		id -= n.inOffset[e.From][e.Index]
		v, id = d.source(l, e, id)
	}
}

// along decodes the path of level l that runs along edge e with number id.
func (d *decoder) along(l int, e flow.Edge, id uint64) {
	v, id := d.source(l, e, id)
	d.to(l, v, id)
}

// source returns the node of level l that edge e leaves and the number of the path
// to it, after collecting the partial traversals of the loops that e leaves.
func (d *decoder) source(l int, e flow.Edge, id uint64) (node, uint64) {
	n := d.n
	inner := n.CFG.LoopOf[e.From]
	if inner == l {
		return node{block: e.From, loop: -1}, id
	}
	// chain: the loops left, outermost first, with the numbers at their entry.
	var chain []int
	for m := inner; m != l; m = n.CFG.Loops[m].Parent {
		chain = append(chain, m)
	}
	slices.Reverse(chain)
	at := make([]uint64, len(chain))
	value, depth := id, len(chain)
	for i, m := range chain {
		at[i], value = value%n.fromLoop[m], value/n.fromLoop[m]
		if n.Levels[m+1].Collapsed {
			depth = i
			break
		}
	}
	// From the innermost traversal that is known outward.
	if depth == len(chain) {
		d.to(inner, node{block: e.From, loop: -1}, value)
		depth--
	}
	for i := depth; i > 0; i-- {
		d.to(chain[i-1], node{block: -1, loop: chain[i]}, at[i])
	}
	return node{block: -1, loop: chain[0]}, at[0]
}

// starts reports whether the path with number id at v starts there.
func (d *decoder) starts(l int, v node, id uint64) bool {
	n := d.n
	if n.isCut(v) {
		return true
	}
	if l < 0 {
		return v.block == 0 && id == 0
	}
	loop := n.CFG.Loops[l]
	if v.block == loop.Header {
		return true
	}
	return slices.ContainsFunc(loop.Entries, func(t int) bool { return n.nodeIn(l, t) == v && n.start[l][t] == id })
}

func (d *decoder) edgeInto(l int, v node, id uint64) (flow.Edge, bool) {
	for _, a := range d.n.arrivalsAt(l, v) {
		if id >= a.first && id-a.first < a.count {
			return a.edge, true
		}
	}
	return flow.Edge{}, false
}

// arrival is an edge into a node with the numbers of the paths that take it.
type arrival struct {
	edge         flow.Edge
	first, count uint64
}

// arrivalsAt lists the edges of level l into node v. They are found once for each node,
// since many paths are decoded through the same; so one goroutine decodes at a time.
func (n *Numbering) arrivalsAt(l int, v node) []arrival {
	list, ok := n.arrivals[v]
	if ok {
		return list
	}
	for _, e := range n.incoming(l, v) {
		list = append(list, arrival{e, n.inOffset[e.From][e.Index], n.reaching(l, e)})
	}
	if n.arrivals == nil {
		n.arrivals = make(map[node][]arrival)
	}
	n.arrivals[v] = list
	return list
}
