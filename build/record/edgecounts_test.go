package record

// This file derives edge counts from paths and checks that flow is conserved.

import (
	"slices"
	"syscall"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile"
)

// graphCounts holds how often the blocks and edges of one function ran.
type graphCounts struct {
	cfg    *flow.CFG
	blocks []uint64
	// edges counts by block and target block: edges between the same two blocks
	// cannot be told apart in a path.
	edges      map[[2]int]uint64
	incomplete bool // a path was under way when the program ended
	unclear    bool // an edge could not be told from another
}

// countsOf adds up the paths of function fn, nil when it never ran.
func countsOf(b *profile.Bundle, fn int) *graphCounts {
	f := b.Funcs[fn]
	if f == nil {
		return nil
	}
	cfg := flow.Analyze(b.Program.Funcs[fn])
	g := &graphCounts{cfg: cfg, blocks: f.BlockCounts(len(cfg.Succs)), edges: make(map[[2]int]uint64)}
	for i := range f.Levels {
		for j := range f.Levels[i].Paths {
			p := &f.Levels[i].Paths[j]
			g.addPath(f, p)
			g.incomplete = g.incomplete || p.End == pathprof.EndIncomplete
		}
	}
	return g
}

// addPath counts the edges of one path. What follows a loop's step is the last
// traversal of the loop, which need not start where the loop was entered, so the
// edge into the loop is counted at the step. The last traversal of a collapsed loop
// is no part of the path: the loop's own partial paths count its edges, the exit
// included.
func (g *graphCounts) addPath(f *profile.FuncProfile, p *profile.Path) {
	from, collapsed := -1, false
	for _, s := range p.Steps {
		if l := s.Loop(); l >= 0 {
			if from >= 0 {
				g.edges[[2]int{from, g.entryBlock(from, l)}] += p.Count
			}
			from, collapsed = -1, f.Levels[l+1].Collapsed
			continue
		}
		if from >= 0 {
			g.edges[[2]int{from, int(s)}] += p.Count
		}
		from, collapsed = int(s), false
	}
	if p.Edge >= 0 && !collapsed {
		g.edges[[2]int{from, g.cfg.Target(flow.Edge{From: from, Index: p.Edge})}] += p.Count
	}
}

// entryBlock returns the block at which an edge out of a block enters loop l. Where
// the block has edges to several entries of an irreducible loop, a path does not
// tell which it took.
func (g *graphCounts) entryBlock(from, l int) int {
	entry := -1
	for _, t := range g.cfg.Succs[from] {
		if g.cfg.InLoop(l, t) {
			if entry >= 0 && entry != t {
				g.unclear = true
			}
			entry = t
		}
	}
	return entry
}

// checkFlow checks for every function that what enters a block runs it, and that
// what ran leaves it unless the program ended there, and that a loop's levels agree:
// entries and completed iterations make up the executions of its header. An exception
// that nothing catches ends the program inside activations of which no record is kept.
func (p *profiled) checkFlow(t *testing.T) {
	t.Helper()
	if p.status.Signal == syscall.SIGABRT {
		return
	}
	for fn, f := range p.bundle.Funcs {
		if f == nil {
			continue
		}
		name := p.bundle.Program.Funcs[fn].Name
		g := countsOf(p.bundle, fn)
		if g.unclear {
			continue
		}
		in, out := make([]uint64, len(g.blocks)), make([]uint64, len(g.blocks))
		in[0] = f.Invocations()
		for e, n := range g.edges {
			out[e[0]] += n
			in[e[1]] += n
		}
		again := returnsTwice(p.bundle.Program.Funcs[fn])
		for b, n := range g.blocks {
			if in[b] != n && !again[b] {
				t.Errorf("%s: block %s ran %d times and was entered %d times", name, p.bundle.Program.Funcs[fn].Blocks[b].Name, n, in[b])
			}
			if len(g.cfg.Succs[b]) > 0 && out[b] != n && !g.incomplete {
				t.Errorf("%s: block %s ran %d times and was left %d times", name, p.bundle.Program.Funcs[fn].Blocks[b].Name, n, out[b])
			}
		}
		for l, entries := range f.EntriesOf() {
			loop := g.cfg.Loops[l]
			if loop.Irreducible || slices.ContainsFunc(loop.Blocks, func(b int) bool { return again[b] }) {
				continue // a jump enters it, which is no edge
			}
			if header := g.blocks[loop.Header]; header != entries+f.Levels[l+1].Iterations() {
				t.Errorf("%s: header of loop %d ran %d times with %d entries and %d iterations", name, l, header, entries, f.Levels[l+1].Iterations())
			}
			if most := f.Levels[l+1].MaxTrips; f.Levels[l+1].MaxKnown && most*entries < f.Levels[l+1].Iterations() {
				t.Errorf("%s: loop %d completed %d iterations in %d entries, but at most %d in one", name, l, f.Levels[l+1].Iterations(), entries, most)
			}
		}
	}
}

// returnsTwice tells the blocks that a call which returns a second time reaches beside
// the edge behind it.
func returnsTwice(f *ir.Func) map[int]bool {
	again := map[int]bool{}
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && c.ReturnsTwice {
				again[b.Succs[0]] = true
			}
		}
	}
	return again
}
