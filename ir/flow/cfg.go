package flow

// This file declares the result of the analysis and the questions asked of it.

import (
	"fmt"
	"sync"

	"pathspan/ir"
)

// Edge names a control-flow edge by its source block and successor index; its
// target is Succs[From][Index]. From is -1 for the virtual edge that enters the
// function (see FunctionEntry).
type Edge struct{ From, Index int }

// FunctionEntry is the virtual edge into block 0. Blocks that are executed
// whenever the function is depend on it.
var FunctionEntry = Edge{From: -1, Index: 0}

// CFG is a control-flow graph and what follows from its shape. Slices are
// indexed by block unless said otherwise; they belong to the CFG and must not be
// changed.
type CFG struct {
	Succs [][]int // successors in the terminator's order, unreachable blocks included
	// Preds lists the edges into a block that leave reachable blocks, by source
	// block, then successor index.
	Preds     [][]Edge
	Reachable []bool
	// Order lists the reachable blocks in a topological order of the graph
	// without back edges. It is a reverse postorder taken loop by loop: inner
	// loops count as one node, so the blocks of each loop are consecutive, its
	// header first. Where the graph leaves a choice, lower successor indices
	// come first.
	Order []int
	Pos   []int // position in Order, -1 when unreachable
	Idom  []int // immediate dominator, -1 for the entry and unreachable blocks
	// Ipdom is the immediate postdominator, Exit() for the virtual exit, -1 when
	// unreachable. A loop that is never left counts as if its header (that of
	// the outermost such loop) could go to the exit.
	Ipdom    []int
	Loops    []*Loop  // by position of the header in Order, so outer loops before inner ones
	LoopOf   []int    // innermost loop of the block, -1 when in none
	Regions  []Region // control dependence regions; Regions[0] is that of entry and exit
	RegionOf []int    // region of the block, -1 when unreachable

	dom, pdom tree
	backward  [][]int // reversed graph with Exit() as its root
	deps      *dependences
	listing   sync.Once
	listed    [][]Edge // dependences by region, once they were asked for
}

// Analyze analyses the control flow of f.
func Analyze(f *ir.Func) *CFG { return AnalyzeGraph(successors(f)) }

// Graphs returns the graphs of a program's functions, by index, each made when it is first
// asked for.
func Graphs(p *ir.Program) func(fn int) *CFG {
	made := make([]*CFG, len(p.Funcs))
	return func(fn int) *CFG {
		if made[fn] == nil {
			made[fn] = Analyze(p.Funcs[fn])
		}
		return made[fn]
	}
}

func successors(f *ir.Func) [][]int {
	succs := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		succs[i] = b.Succs
	}
	return succs
}

// AnalyzeLoops analyses the loops of f alone, at a third of the cost: the result knows no
// dominators and no regions. It also tells how much the loops around all blocks and edges
// are together, which lists of loops, and whoever walks them, take time and memory for.
// Where that is more than most, there is no result.
func AnalyzeLoops(f *ir.Func, most int) (c *CFG, nested int) {
	c = &CFG{Succs: successors(f)}
	s := search(c.Succs, 0)
	c.Reachable = s.reachable
	c.forest(s)
	for b, succs := range c.Succs {
		if l := c.LoopOf[b]; l >= 0 {
			nested += c.Loops[l].Depth * (1 + len(succs))
		}
	}
	if nested > most {
		return nil, nested
	}
	c.loops()
	return c, nested
}

// AnalyzeForward analyses f but for what comes of looking back from its ends, at half the
// cost: the result knows neither postdominators nor regions.
func AnalyzeForward(f *ir.Func) *CFG {
	return forward(successors(f))
}

func forward(succs [][]int) *CFG {
	c := &CFG{Succs: succs}
	s := search(succs, 0)
	c.Reachable = s.reachable
	c.predecessors()
	c.forest(s)
	c.loops()
	c.dominators(s)
	return c
}

// AnalyzeGraph analyses the graph with the given successor lists, whose entry
// is node 0. It keeps succs and panics when a successor is not a node.
func AnalyzeGraph(succs [][]int) *CFG {
	for b, ss := range succs {
		for _, s := range ss {
			if s < 0 || s >= len(succs) {
				panic(fmt.Sprintf("flow: AnalyzeGraph: block %d has successor %d, want one of 0..%d", b, s, len(succs)-1))
			}
		}
	}
	c := forward(succs)
	c.postdominators()
	c.regions()
	return c
}

// predecessors fills Preds from one array.
func (c *CFG) predecessors() {
	counts := make([]int, len(c.Succs))
	total := 0
	for b, ss := range c.Succs {
		if c.Reachable[b] {
			for _, s := range ss {
				counts[s]++
			}
			total += len(ss)
		}
	}
	edges := make([]Edge, total)
	c.Preds = make([][]Edge, len(c.Succs))
	for b, k := range counts {
		c.Preds[b], edges = edges[:0:k], edges[k:]
	}
	for b, ss := range c.Succs {
		if c.Reachable[b] {
			for i, s := range ss {
				c.Preds[s] = append(c.Preds[s], Edge{b, i})
			}
		}
	}
}

// Exit returns the number of the virtual exit, the root of the postdominators.
func (c *CFG) Exit() int { return len(c.Succs) }

// Target returns the block that e leads to.
func (c *CFG) Target(e Edge) int {
	if e == FunctionEntry {
		return 0
	}
	return c.Succs[e.From][e.Index]
}

// IsBack reports whether e is a back edge: it leads from inside a loop to the
// loop's header. Edges out of unreachable blocks are not.
func (c *CFG) IsBack(e Edge) bool {
	if e.From < 0 {
		return false
	}
	t := c.Succs[e.From][e.Index]
	l := c.LoopOf[t]
	return l >= 0 && c.Loops[l].Header == t && c.InLoop(l, e.From)
}

// InLoop reports whether block is in the loop of that index or in one nested in
// it. Loop -1 stands for the whole function, which holds every block.
func (c *CFG) InLoop(loop, block int) bool {
	if loop < 0 {
		return true
	}
	l := c.Loops[loop]
	at := c.Pos[block] - c.Pos[l.Header]
	return at >= 0 && at < len(l.Blocks)
}

// CommonLoop returns the innermost loop that holds both blocks, -1 when only
// the function does.
func (c *CFG) CommonLoop(a, b int) int {
	l := c.LoopOf[a]
	for !c.InLoop(l, b) {
		l = c.Loops[l].Parent
	}
	return l
}

// Preceding visits the sources of the edges to a block, for Reached.
func (c *CFG) Preceding(block int, visit func(int)) {
	for _, e := range c.Preds[block] {
		visit(e.From)
	}
}

// DominatorPreorder lists the reachable blocks so that those that one block dominates follow
// it without gaps. It is to be read only.
func (c *CFG) DominatorPreorder() []int { return c.dom.nodes }

// Dominates reports whether every path from the entry to b passes a. A block
// dominates itself; unreachable blocks neither dominate nor are dominated.
func (c *CFG) Dominates(a, b int) bool {
	return c.Reachable[a] && c.Reachable[b] && c.dom.above(a, b)
}
