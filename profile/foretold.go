package profile

// This file says how often a predictor of branches is wrong, by the paths that were executed.

import (
	"encoding/binary"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
)

// turn is how often a branch went each way behind one history.
type turn []uint64

// Mistaken returns the share of its executions that going from a block to a successor was not
// foretold, by function, block and successor. It is nil for functions without counts, and for blocks with one successor.
//
// history is how many outcomes of each branch the predictor remembers. It has a counter of two bits for each branch behind each path, from the header of the loop around it or from where control left one inside.
// Where one way is taken with the chance p whatever was before, a counter is wrong in q*q/(p*p+q*q) of these, q = 1-p (J. E. Smith, A Study
// of Branch Prediction Strategies, ISCA 1981: the chain of four states). Where there are more
// than two ways, the last is foretold: wrong in q. A loop that goes round the same few times
// whenever it is entered, as its mean being a whole number is taken to say, is foretold.
//
// Where a run told of branches (--branches), flow.LongHistory asks for what it told; else that remembers few.
func (b *Bundle) Mistaken(history int) [][][]float64 {
	if history == flow.LongHistory {
		if b.Branches != nil {
			return b.told()
		}
		history = fewOutcomes
	}
	all := make([][][]float64, len(b.Program.Funcs))
	for fi, p := range b.Funcs {
		if p != nil {
			all[fi] = mistaken(b.Program.Funcs[fi], p, history)
		}
	}
	return all
}

// TellsBranches reports whether a run told which branches a predictor of long histories foretells, or there are none to tell of.
func (b *Bundle) TellsBranches() bool {
	return b.Branches != nil || !slices.ContainsFunc(b.Program.Funcs, func(f *ir.Func) bool {
		return slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { return len(b.Succs) > 1 })
	})
}

func mistaken(f *ir.Func, p *FuncProfile, history int) [][]float64 {
	g := flow.Analyze(f)
	seen := make([]map[string]turn, len(f.Blocks))
	var key []byte
	count := func(from int, way int, n uint64) {
		if seen[from] == nil {
			seen[from] = map[string]turn{}
		}
		t := seen[from][string(key)]
		if t == nil {
			t = make(turn, len(f.Blocks[from].Succs))
			seen[from][string(key)] = t
		}
		t[way] = pathprof.AddSat(t[way], n)
	}
	for path := range p.paths() {
		key = key[:0]
		last := -1 // the block before, if control went from there
		for i, s := range path.Steps {
			at := int(s)
			if l := s.Loop(); l >= 0 {
				at = g.Loops[l].Header
				if i+1 < len(path.Steps) && int(path.Steps[i+1]) == at {
					continue
				}
			}
			if last >= 0 && len(f.Blocks[last].Succs) > 1 {
				if way := slices.Index(f.Blocks[last].Succs, at); way >= 0 {
					count(last, way, path.Count)
				}
			}
			if l := g.LoopOf[at]; l >= 0 && g.Loops[l].Header == at || last >= 0 && g.LoopOf[last] != l {
				key = key[:0]
			}
			if last = at; s.Loop() >= 0 { // how it was left, its own level tells
				last, key = -1, key[:0]
				continue
			}
			key = binary.AppendUvarint(key, uint64(at))
		}
		if path.Edge >= 0 && last >= 0 && len(f.Blocks[last].Succs) > 1 {
			count(last, path.Edge, path.Count)
		}
	}
	steady := steady(g, p, seen, history)
	wrong := make([][]float64, len(f.Blocks))
	for bi, histories := range seen {
		if histories == nil {
			continue
		}
		w, taken := make([]float64, len(f.Blocks[bi].Succs)), make([]float64, len(f.Blocks[bi].Succs))
		for _, t := range histories {
			sum := 0.0
			for _, n := range t {
				sum += float64(n)
			}
			for way, n := range t {
				q := 1 - float64(n)/sum
				if len(t) == 2 {
					q = q * q / (q*q + (1-q)*(1-q))
				}
				w[way] += q * float64(n)
				taken[way] += float64(n)
			}
		}
		for way := range w {
			if w[way] /= max(taken[way], 1); steady[bi] {
				w[way] = 0
			}
		}
		wrong[bi] = w
	}
	return wrong
}

// steady tells which branches alone leave a loop, in this run, that goes round the same few times.
func steady(g *flow.CFG, p *FuncProfile, seen []map[string]turn, history int) []bool {
	out := make([]bool, len(g.Succs))
	entries := p.EntriesOf()
	for li, l := range g.Loops {
		n := p.Levels[li+1].Iterations() // completed
		if entries[li] == 0 || n%entries[li] != 0 || n/entries[li] > uint64(history) {
			continue
		}
		left := -1
		for _, e := range l.Exits {
			for _, t := range seen[e.From] {
				if t[e.Index] > 0 && left >= 0 && left != e.From {
					left = len(out)
				} else if t[e.Index] > 0 {
					left = e.From
				}
			}
		}
		if left >= 0 && left < len(out) {
			out[left] = true
		}
	}
	return out
}
