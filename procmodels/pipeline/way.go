package pipeline

// This file says where blocks lie in memory: in the function's order, but for those that only
// lead on, which leave no code.

import "pathspan/ir"

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
