package probe

// This file finds where a function that keeps what it adds has to add at all: on few
// edges, so that loops add as little as they can.
//
// It is the placement of T. Ball and J. R. Larus (Optimally profiling and tracing programs,
// 1994) for sums in place of counts. On the edges of a spanning tree nothing is added;
// every block has a potential, the sum of what blocks add along the tree to it; each other
// edge, a chord, adds what it gains over the potential of where it leads. What a function
// has added when it reaches a block is then what the chords gave and the block's potential,
// so that sums are exact wherever they are handed over. The tree takes the edges that are
// expected to run most, but for back edges of loops in which nothing is handed over. What
// such a nest of loops adds in its inner loops, and at its own back edge, is counted, and
// added so many times when the nest is left.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

// chords are what a function adds, and where.
type chords struct {
	add       [][]uint64 // by block: what it adds itself
	potential [][]uint64 // by block, with what it adds itself
	on        []chord    // that add at once
	nests     []nest
	around    []int // by loop: the nest that it is in, or -1
}

type chord struct {
	edge flow.Edge
	add  []uint64
}

// nest is a loop, with those inside it, in which nothing is handed over.
type nest struct {
	loop    *flow.Loop
	counted []chord
}

// top is the potential of a block before it adds anything.
func (c *chords) top(block int) []uint64 {
	out := slices.Clone(c.potential[block])
	for k := range out {
		out[k] -= c.add[block][k]
	}
	return out
}

// gain is what an edge has to add to a meter.
func (c *chords) gain(e edgeOf, k int) uint64 {
	return c.potential[e.From][k] + c.add[e.to][k] - c.potential[e.to][k]
}

// edgeOf is an edge with how often it is expected to run.
type edgeOf struct {
	flow.Edge
	to     int
	weight float64
}

// placeChords decides where a function adds. Blocks that hand over are told by over. It
// returns nil where an edge would have to add that nothing can be put on.
// In loops that are run often, of worksharing, all is counted.
func placeChords(f *asm.Func, view *ir.Func, mf *MeteredFunc, kinds int, over []bool, often func(loop int) bool) *chords {
	g := flow.Analyze(view)
	n := len(view.Blocks)
	c := &chords{add: make([][]uint64, n), potential: make([][]uint64, n)}
	all := make([]uint64, 2*n*kinds)
	for b := range n {
		c.add[b], all = all[:kinds:kinds], all[kinds:]
		c.potential[b], all = all[:kinds:kinds], all[kinds:]
	}
	for i := range mf.Blocks {
		copy(c.add[mf.Blocks[i].Block], mf.Blocks[i].Add)
	}
	around := c.findNests(f, g, over)
	c.around = around
	var edges []edgeOf
	for b, succs := range g.Succs {
		if !g.Reachable[b] {
			continue
		}
		for i, s := range succs {
			e := edgeOf{flow.Edge{From: b, Index: i}, s, frequency(g, b, s) / float64(len(succs))}
			if stiff(f, e.Edge) {
				e.weight = math.Inf(1)
			} else if at := g.LoopOf[b]; at >= 0 && around[at] >= 0 && g.IsBack(e.Edge) {
				e.weight = 0
			}
			edges = append(edges, e)
		}
	}
	rest := c.span(g, edges)
	for _, e := range rest {
		gain := make([]uint64, kinds)
		adds := 0
		for k := range gain {
			if gain[k] = c.gain(e, k); gain[k] != 0 {
				adds++
			}
		}
		if adds == 0 {
			continue
		}
		if stiff(f, e.Edge) && f.NumPreds(view.Blocks[e.to].Name) > 1 {
			return nil
		}
		if at := g.CommonLoop(e.From, e.to); adds > 1 && at >= 0 && around[at] >= 0 {
			if n := &c.nests[around[at]]; g.Loops[at] != n.loop || g.IsBack(e.Edge) || often(at) {
				n.counted = append(n.counted, chord{e.Edge, gain})
				continue
			}
		}
		c.on = append(c.on, chord{e.Edge, gain})
	}
	return c
}

// span finds the spanning tree and the potentials, and returns the chords.
func (c *chords) span(g *flow.CFG, edges []edgeOf) (rest []edgeOf) {
	slices.SortStableFunc(edges, func(a, b edgeOf) int { return cmp.Compare(b.weight, a.weight) })
	set := make([]int, len(g.Succs))
	for i := range set {
		set[i] = i
	}
	find := func(b int) int {
		for set[b] != b {
			set[b] = set[set[b]]
			b = set[b]
		}
		return b
	}
	near := make([][]edgeOf, len(g.Succs)) // edges of the tree at a block
	for _, e := range edges {
		if a, b := find(e.From), find(e.to); a != b {
			set[a] = b
			near[e.From], near[e.to] = append(near[e.From], e), append(near[e.to], e)
		} else {
			rest = append(rest, e)
		}
	}
	seen := make([]bool, len(g.Succs))
	copy(c.potential[0], c.add[0])
	seen[0] = true
	for work := []int{0}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range near[b] {
			switch {
			case e.From == b && !seen[e.to]:
				for k, p := range c.potential[b] {
					c.potential[e.to][k] = p + c.add[e.to][k]
				}
				seen[e.to], work = true, append(work, e.to)
			case e.to == b && !seen[e.From]:
				for k, p := range c.potential[b] {
					c.potential[e.From][k] = p - c.add[b][k]
				}
				seen[e.From], work = true, append(work, e.From)
			}
		}
	}
	return rest
}

// frequency is how often an edge between two blocks is expected to run.
func frequency(g *flow.CFG, from, to int) float64 {
	l := g.CommonLoop(from, to)
	if l < 0 {
		return 1
	}
	return math.Pow(8, float64(min(g.Loops[l].Depth, 40)))
}

// stiff tells whether an edge can hold instructions at its target only.
func stiff(f *asm.Func, e flow.Edge) bool {
	switch t := f.Blocks[e.From].Term(); t.Op() {
	case "br", "switch":
		return false
	case "invoke":
		return e.Index > 0
	}
	return true
}

// findNests finds the outermost loops in which nothing is handed over, and which are left by
// edges that can hold instructions. It returns the nest that each loop is in, or -1.
func (c *chords) findNests(f *asm.Func, g *flow.CFG, over []bool) []int {
	around := make([]int, len(g.Loops))
	for i, l := range g.Loops { // outer ones first
		if l.Parent >= 0 && around[l.Parent] >= 0 {
			around[i] = around[l.Parent]
			continue
		}
		around[i] = -1
		if !slices.ContainsFunc(l.Exits, func(e flow.Edge) bool { return stiff(f, e) }) &&
			!slices.ContainsFunc(l.Blocks, func(b int) bool { return over[b] }) {
			around[i] = len(c.nests)
			c.nests = append(c.nests, nest{loop: l})
		}
	}
	return around
}

// addChords writes what a function adds into it.
func (w *meterWriter) addChords(f *asm.Func, c *chords) {
	blocks := slices.Clone(f.Blocks)
	insert := func(e flow.Edge, text []string) { w.onEdge(f, blocks[e.From], e.Index, text...) }
	for _, chord := range c.on {
		var text []string
		for k, n := range chord.add {
			if n != 0 {
				w.increase(&text, w.place(k), fmt.Sprint(int64(n)))
			}
		}
		insert(chord.edge, text)
	}
	var entry []string
	for i := range c.nests {
		for j, chord := range c.nests[i].counted {
			entry = append(entry, timesName(i, j)+" = alloca i64, align 8", w.store(timesName(i, j), "0"))
			var text []string
			w.increase(&text, timesName(i, j), "1")
			insert(chord.edge, text)
		}
		for _, e := range c.nests[i].loop.Exits {
			insert(e, w.leaveNest(i, &c.nests[i]))
		}
	}
	if entry != nil {
		w.insert(f.Blocks[0], 0, entry...)
	}
}

// timesName is how often a chord of a nest was passed.
func timesName(nest, chord int) string { return fmt.Sprintf("%%ps.times.%d.%d", nest, chord) }

// leaveNest adds what was counted in a nest.
func (w *meterWriter) leaveNest(i int, n *nest) []string {
	var text, times []string
	for j := range n.counted {
		times = append(times, w.load(&text, timesName(i, j)))
		text = append(text, w.store(timesName(i, j), "0"))
	}
	for k := range w.plan.Count {
		all := ""
		for j, chord := range n.counted {
			if chord.add[k] == 0 {
				continue
			}
			if all == "" {
				all = w.load(&text, w.place(k))
			}
			product := w.value(&text, "m", "mul i64 %s, %d", times[j], int64(chord.add[k]))
			all = w.value(&text, "m", "add i64 %s, %s", all, product)
		}
		if all != "" {
			text = append(text, w.store(w.place(k), all))
		}
	}
	return text
}
