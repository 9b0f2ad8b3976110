package pathprof

// This file numbers the paths of every level of a function.
//
// Ball and Larus give increments to the branches, so that the sum along a path
// identifies it among the paths to the end. Here the increments sit on the edges
// into joins, so that the sum on reaching a block identifies the path among the
// paths *to that block*. The numbers that reach each back edge and each exit edge
// of a loop are then dense on their own, which lets an exit edge fold the loop's
// partial traversal into the outer register with one multiplication, and lets a
// register and a block decode the path so far.

import (
	"cmp"
	"slices"
	"sort"

	"pathspan/ir/flow"
)

// Limits of the numbering; zero fields take the defaults.
type Limits struct {
	// Array is the largest number of paths that a level may have before the loops in
	// it count their partial traversals themselves. Default 65,536. Levels above it,
	// and those of more than largestArray paths, are counted in a hash table.
	Array uint64
	// Node is the largest number of paths that may reach one block; a level that
	// would pass it is cut at a join. Default 2^56, which leaves room for the sum
	// over the ends of a level in 64 bits.
	Node uint64
}

// WithDefaults returns the limits with those that are 0 replaced.
func (l Limits) WithDefaults() Limits {
	if l.Array == 0 {
		l.Array = 1 << 16
	}
	if l.Node == 0 {
		l.Node = 1 << 56
	}
	return l
}

// largestArray is the largest number of paths of a level that is counted in an array. A
// larger one would be nearly empty in any run, and yet be searched for counts at its end;
// counting in a hash table costs some instructions more.
const largestArray = 4096

// Request says what to number.
type Request struct {
	CFG *flow.CFG
	// Restarts lists the blocks that control can reach a second time from
	// elsewhere (the continuation of setjmp): paths end before them.
	Restarts []int
	// KeepWhole reports blocks where a cut would lose the correlation of
	// sections; cuts are placed elsewhere when they can be. May be nil.
	KeepWhole func(block int) bool
	// Empty reports blocks that hold nothing but a jump. May be nil.
	Empty  func(block int) bool
	Limits Limits
}

// Sink is one place where paths of a level end. Its paths have the ids
// Offset <= id < Offset+Count.
type Sink struct {
	Kind   SinkKind
	Edge   flow.Edge // the edge taken; for EndFunction only Edge.From is meaningful
	Offset uint64
	Count  uint64
}

// Level is the numbering of one level of a function.
type Level struct {
	Loop      int // index into CFG.Loops, -1 for the function's body
	Sinks     []Sink
	Paths     uint64 // number of path ids, the sum of the sinks' counts
	Collapsed bool   // its partial traversals are counted here, not in the outer level
	Cuts      []int  // blocks where paths were cut, ascending
	Degraded  bool   // every join is a cut: setjmp can return into a loop of the level
}

// Hashed reports whether the level needs a hash table under the limits.
func (l *Level) Hashed(lim Limits) bool {
	return l.Paths > min(lim.WithDefaults().Array, largestArray)
}

// Numbering numbers the paths of one function. Levels[0] is the function's body,
// Levels[i+1] is loop i.
type Numbering struct {
	CFG    *flow.CFG
	Levels []Level
	Limits Limits

	fromBlock []uint64   // paths of the block's level that reach it
	fromLoop  []uint64   // paths of the loop's parent level that reach the loop
	inOffset  [][]uint64 // [block][successor]: increment on entering the target's node
	sinkOf    [][]int32  // [block][successor]: sink in the level of the edge, or -1
	partial   []map[flow.Edge]int
	start     []map[int]uint64 // [loop][entry block]: register on entering there
	cut       []bool           // by block
	cutLoop   []bool           // by loop: paths of its parent level end on entering it
	restarts  []bool
	endSink   []int32 // by block without successors: sink of level 0, or -1
	request   Request
	arrivals  map[node][]arrival // as far as decoding has asked
}

// LevelOf returns the index of the level that block b belongs to.
func (n *Numbering) LevelOf(b int) int { return n.CFG.LoopOf[b] + 1 }

// Number numbers every level of the function, innermost loops first.
func Number(req Request) *Numbering {
	c := req.CFG
	n := &Numbering{
		CFG: c, Levels: make([]Level, len(c.Loops)+1), Limits: req.Limits.WithDefaults(),
		fromBlock: make([]uint64, len(c.Succs)), fromLoop: make([]uint64, len(c.Loops)),
		inOffset: make([][]uint64, len(c.Succs)), sinkOf: make([][]int32, len(c.Succs)),
		partial: make([]map[flow.Edge]int, len(c.Loops)), start: make([]map[int]uint64, len(c.Loops)),
		cut: make([]bool, len(c.Succs)), cutLoop: make([]bool, len(c.Loops)),
		restarts: make([]bool, len(c.Succs)), endSink: make([]int32, len(c.Succs)), request: req,
	}
	for b, succs := range c.Succs {
		n.inOffset[b] = make([]uint64, len(succs))
		n.sinkOf[b] = make([]int32, len(succs))
		for k := range succs {
			n.sinkOf[b][k] = -1
		}
	}
	for i := range n.Levels {
		n.Levels[i].Loop = i - 1
	}
	for b := range n.endSink {
		n.endSink[b] = -1
	}
	for _, b := range req.Restarts {
		n.restart(b)
	}
	// CFG.Loops lists outer loops before inner ones.
	for l := len(c.Loops) - 1; l >= -1; l-- {
		n.numberLevel(l)
	}
	// Only now is it known which loops count their partial traversals themselves.
	for i := range n.Levels {
		n.layOutSinks(i - 1)
	}
	return n
}

// restart cuts at b. Inside a loop the registers of the enclosing levels are
// stale after the second return, so all of those levels count edges only.
func (n *Numbering) restart(b int) {
	n.cut[b], n.restarts[b] = true, true
	for l := n.CFG.LoopOf[b]; l >= 0; l = n.CFG.Loops[l].Parent {
		n.Levels[l+1].Degraded = true
		if n.CFG.Loops[l].Parent < 0 {
			n.Levels[0].Degraded = true
		}
	}
}

// node identifies a node of a level's graph: a block of the level itself, or a
// loop directly inside it.
type node struct {
	block int // -1 for a loop
	loop  int
}

// nodeIn returns the node of level l that holds block b.
func (n *Numbering) nodeIn(l, b int) node {
	m := n.CFG.LoopOf[b]
	if m == l {
		return node{block: b, loop: -1}
	}
	for n.CFG.Loops[m].Parent != l {
		m = n.CFG.Loops[m].Parent
	}
	return node{block: -1, loop: m}
}

// reaching returns how many paths of level l run along edge e, which starts in l
// or in a loop inside it, before the increment of its target is added. The result
// saturates.
func (n *Numbering) reaching(l int, e flow.Edge) uint64 {
	count := n.fromBlock[e.From]
	for m := n.CFG.LoopOf[e.From]; m != l; m = n.CFG.Loops[m].Parent {
		if n.Levels[m+1].Collapsed {
			count = 1
		}
		count = MulSat(count, n.fromLoop[m])
	}
	return count
}

// numberLevel numbers level l; the loops inside it are numbered already.
func (n *Numbering) numberLevel(l int) {
	g := n.levelGraph(l)
	level := &n.Levels[l+1]
	if level.Degraded {
		for _, v := range g.order {
			if v.block >= 0 {
				n.cut[v.block] = v.block != g.start
			} else {
				n.cutLoop[v.loop] = true
				n.collapse(v.loop)
			}
		}
	}
	total := n.assign(l, g)
	if total > n.Limits.Array && !level.Degraded {
		total = n.shrink(l, g, total)
	}
	if total > n.Limits.Node {
		n.cutDown(l, g)
	}
}

// shrink collapses the loops of level l, those with most partial paths first,
// until the level can be counted in an array. When that cannot be reached the
// level is hashed anyway, so the correlation is kept unless the paths would pass
// the limit of a node; the loops with fewest partial paths get it back first.
func (n *Numbering) shrink(l int, g *levelGraph, total uint64) uint64 {
	var loops []int
	for _, v := range g.order {
		if v.loop >= 0 && !n.Levels[v.loop+1].Collapsed && n.partialPaths(v.loop) > 1 && n.collapsible(v.loop) {
			loops = append(loops, v.loop)
		}
	}
	if len(loops) == 0 {
		return total
	}
	slices.SortStableFunc(loops, func(a, b int) int { return cmp.Compare(n.partialPaths(b), n.partialPaths(a)) })
	// with returns the paths of the level when the first k loops are collapsed: the
	// more there are, the fewer paths.
	with := func(k int) uint64 {
		for i, m := range loops {
			n.Levels[m+1].Collapsed = i < k
		}
		return n.assign(l, g)
	}
	limit := n.Limits.Array
	if with(len(loops)) > limit {
		limit = n.Limits.Node // hashed in any case
	}
	return with(sort.Search(len(loops), func(k int) bool { return with(k) <= limit }))
}

// partialPaths returns the largest number of partial paths to one exit of loop m.
func (n *Numbering) partialPaths(m int) uint64 {
	var most uint64
	for _, e := range n.CFG.Loops[m].Exits {
		most = max(most, n.reaching(m, e))
	}
	return most
}

// collapsible reports whether loop m can count its partial paths itself and still
// be counted in an array.
func (n *Numbering) collapsible(m int) bool {
	var total uint64
	for _, e := range n.CFG.Loops[m].Latches {
		total = AddSat(total, n.reaching(m, e))
	}
	for _, e := range n.CFG.Loops[m].Exits {
		total = AddSat(total, n.reaching(m, e))
	}
	return total <= n.Limits.Array
}

func (n *Numbering) collapse(m int) { n.Levels[m+1].Collapsed = true }

// assign computes, for level l in topological order, how many paths reach each
// node and which increment each edge into a node carries. It returns the number
// of paths of the level.
func (n *Numbering) assign(l int, g *levelGraph) uint64 {
	for _, v := range g.order {
		n.assignNode(l, g, v)
	}
	return n.total(l, g)
}

// total returns the number of paths of level l.
func (n *Numbering) total(l int, g *levelGraph) uint64 {
	var total uint64
	for _, e := range n.ends(l, g) {
		total = AddSat(total, e.Count)
	}
	return total
}

// assignNode does so for one node and returns how many paths reach it.
func (n *Numbering) assignNode(l int, g *levelGraph, v node) uint64 {
	isCut := n.isCut(v)
	var from uint64
	if isCut || v.block >= 0 && v.block == g.start {
		from = 1
	}
	for _, t := range g.secondary(v) {
		if isCut {
			n.start[l][t] = 0
			continue
		}
		n.start[l][t] = from
		from = AddSat(from, 1)
	}
	for _, e := range n.incoming(l, v) {
		if isCut {
			n.inOffset[e.From][e.Index] = 0
			continue
		}
		n.inOffset[e.From][e.Index] = from
		from = AddSat(from, n.reaching(l, e))
	}
	if v.block >= 0 {
		n.fromBlock[v.block] = from
	} else {
		n.fromLoop[v.loop] = from
	}
	return from
}

func (n *Numbering) isCut(v node) bool {
	if v.block >= 0 {
		return n.cut[v.block]
	}
	return n.cutLoop[v.loop]
}

// incoming lists the edges of level l into node v, the one that should carry no
// increment first: an edge out of an otherwise empty block, where an increment
// would keep a block alive that a direct jump could replace.
func (n *Numbering) incoming(l int, v node) []flow.Edge {
	in := n.edgesInto(l, v)
	slices.SortStableFunc(in, func(a, b flow.Edge) int {
		return cmp.Or(n.costlyEdge(b)-n.costlyEdge(a), n.CFG.Pos[a.From]-n.CFG.Pos[b.From], a.Index-b.Index)
	})
	return in
}

// costlyEdge ranks how much an increment on e would cost beyond its addition: an
// edge that may have to be split most, an otherwise empty block less.
func (n *Numbering) costlyEdge(e flow.Edge) int {
	switch {
	case len(n.CFG.Succs[e.From]) > 1:
		return 2
	case n.request.Empty != nil && n.request.Empty(e.From):
		return 1
	}
	return 0
}

// ends lists the sinks of level l with their counts, offsets not yet laid out.
func (n *Numbering) ends(l int, g *levelGraph) []Sink {
	c := n.CFG
	var sinks []Sink
	if l >= 0 {
		for _, e := range c.Loops[l].Latches {
			sinks = append(sinks, Sink{Kind: EndIteration, Edge: e, Count: n.reaching(l, e)})
		}
	}
	for _, v := range g.order {
		if n.isCut(v) {
			for _, e := range n.incoming(l, v) {
				sinks = append(sinks, Sink{Kind: EndCut, Edge: e, Count: n.reaching(l, e)})
			}
		}
		if v.block < 0 {
			continue
		}
		if len(c.Succs[v.block]) == 0 {
			sinks = append(sinks, Sink{Kind: EndFunction, Edge: flow.Edge{From: v.block}, Count: n.fromBlock[v.block]})
		}
	}
	if l >= 0 && n.Levels[l+1].Collapsed {
		for _, e := range c.Loops[l].Exits {
			sinks = append(sinks, Sink{Kind: EndPartial, Edge: e, Count: n.reaching(l, e)})
		}
	}
	return sinks
}

// layOutSinks gives the sinks of level l their ranges of ids.
func (n *Numbering) layOutSinks(l int) {
	level := &n.Levels[l+1]
	level.Sinks = n.ends(l, n.levelGraph(l))
	if l >= 0 {
		n.partial[l] = make(map[flow.Edge]int)
	}
	level.Paths = 0
	for i := range level.Sinks {
		s := &level.Sinks[i]
		s.Offset = level.Paths
		level.Paths = AddSat(level.Paths, s.Count)
		switch s.Kind {
		case EndPartial:
			n.partial[l][s.Edge] = i
		case EndIteration, EndCut:
			n.sinkOf[s.Edge.From][s.Edge.Index] = int32(i)
		case EndFunction:
			n.endSink[s.Edge.From] = int32(i)
		}
	}
	blocks := n.CFG.Order
	if l >= 0 {
		blocks = n.CFG.Loops[l].Blocks
	}
	for _, b := range blocks {
		if n.cut[b] && n.CFG.LoopOf[b] == l {
			level.Cuts = append(level.Cuts, b)
		}
	}
	slices.Sort(level.Cuts)
}
