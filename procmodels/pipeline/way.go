package pipeline

// This file says where blocks lie in memory: in the function's order, but for those that only
// lead on, which leave no code.

import (
	"cmp"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// way is how control goes from block to block of a function.
type way struct {
	preds [][]int
	empty []bool // there is nothing but a branch: what leads here goes where it leads
	next  []int  // the block behind in memory
	leads []int  // where one gets to who enters a block: itself, unless it is empty
}

// newWay takes blocks that only lead on for code where that is plain.
func newWay(f *ir.Func, plain bool) *way {
	n := len(f.Blocks)
	w := &way{preds: make([][]int, n), empty: make([]bool, n), next: make([]int, n), leads: make([]int, n)}
	for bi, b := range f.Blocks {
		for _, s := range b.Succs {
			if n := len(w.preds[s]); n == 0 || w.preds[s][n-1] != bi {
				w.preds[s] = append(w.preds[s], bi)
			}
		}
		w.empty[bi] = !plain && len(b.Instrs) == 1 && b.Instrs[0].Op == "br" && len(b.Succs) == 1
		w.leads[bi] = bi
	}
	for bi := range f.Blocks {
		for hops := 0; w.empty[w.leads[bi]] && hops < n; hops++ { // empty blocks may go round
			w.leads[bi] = f.Blocks[w.leads[bi]].Succs[0]
		}
	}
	next := n
	for bi := n - 1; bi >= 0; bi-- {
		if w.next[bi] = next; !w.empty[bi] {
			next = bi
		}
	}
	return w
}

// round is how often loops go round where nothing is known.
const round = 16

// arrange lays blocks out as compilers do that know of no run: chains of blocks, each behind the
// one that most often leads to it for all that loops tell (K. Pettis and R. C. Hansen, Profile Guided
// Code Positioning, PLDI 1990).
func (w *way) arrange(f *ir.Func, g *flow.CFG) {
	type link struct {
		from, to int
		weight   float64
	}
	var links []link
	often := make([]float64, len(f.Blocks))
	often[0] = 1
	for _, bi := range g.Order {
		l := g.LoopOf[bi]
		if l >= 0 && g.Loops[l].Header == bi {
			often[bi] *= round
		}
		succs := f.Blocks[bi].Succs
		weights, sum := make([]float64, len(succs)), 0.0
		for k, s := range succs {
			weights[k] = 1
			if l >= 0 && !g.InLoop(l, s) {
				weights[k] = 1.0 / (round - 1)
			} else if last := f.Blocks[s].Instrs; last[len(last)-1].Op == "unreachable" {
				weights[k] = 1e-3
			}
			sum += weights[k]
		}
		for k, s := range succs {
			weight := often[bi] * weights[k] / sum
			if g.Pos[s] > g.Pos[bi] {
				often[s] += weight
			}
			if to := w.leads[s]; !w.empty[bi] && !w.empty[to] {
				links = append(links, link{bi, to, weight})
			}
		}
	}
	slices.SortStableFunc(links, func(a, b link) int { return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.from, b.from)) })
	n := len(f.Blocks)
	chain, behind := make([]int, n), make([]bool, n)
	for bi := range chain {
		chain[bi], w.next[bi] = bi, n
	}
	root := func(b int) int {
		for chain[b] != b {
			b = chain[b]
		}
		return b
	}
	for _, l := range links {
		if l.to != 0 && w.next[l.from] == n && !behind[l.to] && root(l.from) != root(l.to) {
			w.next[l.from], behind[l.to] = l.to, true
			chain[root(l.to)] = root(l.from)
		}
	}
}

// follows tells whether one who goes from a block to a successor goes on in memory.
func (w *way) follows(from, to int) bool { return w.leads[to] == w.next[from] }

// expected is the successor that static prediction expects of a conditional branch: one back,
// else the next block, else the second.
func (w *way) expected(b *ir.Block) int {
	for _, s := range b.Succs {
		if w.leads[s] <= b.Index {
			return s
		}
	}
	for _, s := range b.Succs {
		if w.follows(b.Index, s) {
			return s
		}
	}
	return b.Succs[1]
}

// mostBehind bounds how many blocks one is played behind.
const mostBehind = 4

// behind returns how control came to a block, which is the last: through blocks that alone lead on to
// the next, or alone do from inside of its loop.
func (w *way) behind(block int) []int {
	list := []int{block}
	for len(list) < mostBehind {
		from := -1
		for _, pred := range w.preds[list[0]] {
			if from >= 0 && pred < list[0] == (from < list[0]) {
				return list
			}
			if from < 0 || pred >= list[0] {
				from = pred
			}
		}
		if from < 0 {
			return list
		}
		list = slices.Insert(list, 0, from)
	}
	return list
}
