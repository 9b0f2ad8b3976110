// Package walks makes up control flow for tests, and says by definition which paths a walk
// through it takes: by keeping lists of steps, with no numbers.
//
//	c := flow.AnalyzeGraph(walks.Graph(r, 20))
//	rec := walks.NewRecorder(c)
//	rec.Take(flow.Edge{From: 0})
//
// It imports nothing of what it tests.
package walks

import (
	"fmt"
	"math/rand"

	"pathspan/ir/flow"
)

// Graph returns a graph of n blocks, entry 0 without predecessors, as successors by block.
// Some are reducible, some not, some have equal edges.
func Graph(r *rand.Rand, n int) [][]int {
	succs := make([][]int, n)
	for b := range succs {
		k := r.Intn(3)
		if b == 0 || r.Intn(3) > 0 {
			k = 1 + r.Intn(2)
		}
		for range k {
			t := 1 + r.Intn(n-1)
			if r.Intn(3) > 0 && b+1 < n { // mostly forward and near
				t = b + 1 + r.Intn(min(3, n-b-1))
			}
			succs[b] = append(succs[b], t)
			if r.Intn(12) == 0 {
				succs[b] = append(succs[b], t)
			}
		}
	}
	return succs
}

// How a path ends, as pathprof.SinkKind numbers it.
const (
	iteration = iota + 1
	Function
	cut
	partial
)

// Recorder keeps the path under way of each level, as blocks and, as -1 less its number, loops.
type Recorder struct {
	CFG       *flow.CFG
	Collapsed func(loop int) bool // partial traversals end in the loop's own level
	Cut       func(step int) bool // a path ends before the step
	Paths     [][]int             // by level: the body, then each loop
	Hits      map[string]uint64   // by Key
}

// NewRecorder returns a recorder of a function of which no path is cut.
func NewRecorder(c *flow.CFG) *Recorder {
	never := func(int) bool { return false }
	return &Recorder{CFG: c, Collapsed: never, Cut: never, Paths: make([][]int, len(c.Loops)+1), Hits: make(map[string]uint64)}
}

// Key names a path of a level that ends as kind says.
func Key(level, kind int, steps []int) string { return fmt.Sprint(level, kind, steps) }

// Start begins at the function's entry.
func (r *Recorder) Start() { r.Paths[0] = []int{0} }

// End ends the path under way of a level.
func (r *Recorder) End(level, kind int) { r.Hits[Key(level, kind, r.Paths[level])]++ }

// Take follows an edge.
func (r *Recorder) Take(e flow.Edge) {
	c := r.CFG
	t := c.Target(e)
	l := c.LoopOf[e.From]
	for l >= 0 && !c.InLoop(l, t) {
		parent := c.Loops[l].Parent
		if r.Collapsed(l) {
			r.End(l+1, partial)
		} else {
			r.Paths[parent+1] = append(r.Paths[parent+1], r.Paths[l+1]...)
		}
		r.Paths[l+1] = nil
		l = parent
	}
	if c.IsBack(e) {
		r.End(l+1, iteration)
		r.Paths[l+1] = []int{t}
		return
	}
	for {
		// Cross one boundary at a time: into block t, or into the loop around it.
		m, next := c.LoopOf[t], t
		if m != l {
			for c.Loops[m].Parent != l {
				m = c.Loops[m].Parent
			}
			next = -1 - m
		}
		if r.Cut(next) && len(r.Paths[l+1]) > 0 {
			r.End(l+1, cut)
			r.Paths[l+1] = nil
		}
		r.Paths[l+1] = append(r.Paths[l+1], next)
		if next >= 0 {
			return
		}
		l = m
		r.Paths[l+1] = nil
	}
}
