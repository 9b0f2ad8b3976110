package probe

// This file finds worksharing loops all of whose work their own function keeps: nothing that
// is called in them can add to a meter. What meters hold is then none of theirs, so that an
// execution that goes by neither empties nor reads them. And where few chords are in such a
// loop, few kinds of work say all: what it does is one sum and so many times each chord's, so
// that two executions that agree in as many kinds as those are independent agree in all.

import (
	"math/big"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/ir/flow"
)

type construct struct{ region, number int }

// ownLoop is what is known of such a loop.
type ownLoop struct {
	ask uint32 // kinds that say all, a bit each

	begins, ends int        // marks
	known        bool       // chords tell what it adds
	adds         [][]uint64 // of those in it
}

// findOwn finds those loops, once the functions are metered and before events are written.
func (w *meterWriter) findOwn(funcs []*asm.Func) {
	w.own = map[construct]*ownLoop{}
	if !w.plan.PutOff {
		return
	}
	not := map[construct]bool{}
	for i, f := range funcs {
		view := w.p.Funcs[i]
		begins, ends := map[construct][]int{}, map[construct][]int{}
		for bi, b := range view.Blocks {
			if b.Mark == nil || loopOf(w.p, b.Mark) == nil {
				continue
			}
			of := construct{b.Mark.Region, b.Mark.Construct}
			if b.Mark.Kind == ir.SectionBegin {
				begins[of] = append(begins[of], bi)
			} else {
				ends[of] = append(ends[of], bi)
			}
		}
		for of := range ends {
			if begins[of] == nil {
				not[of] = true
			}
		}
		for of, at := range begins {
			inside := between(view, at, ends[of])
			if inside == nil || !w.pending[f.Name()] || !callsNothing(f, view, inside, at) {
				not[of] = true
				continue
			}
			l := w.own[of]
			if l == nil {
				l = &ownLoop{known: true}
				w.own[of] = l
			}
			l.begins, l.ends = l.begins+len(at), l.ends+len(ends[of])
			c := w.chords[f.Name()]
			if l.known = l.known && c != nil; !l.known {
				continue
			}
			in := func(e flow.Edge) bool { return inside[e.From] }
			for _, on := range c.on {
				if in(on.edge) {
					l.adds = append(l.adds, on.add)
				}
			}
			for _, n := range c.nests {
				for _, on := range n.counted {
					if in(on.edge) {
						l.adds = append(l.adds, on.add)
					}
				}
			}
		}
	}
	for of := range not {
		delete(w.own, of)
	}
	for _, l := range w.own {
		// Of several copies each has a sum of its own to begin with.
		if l.ask = 1<<w.plan.Count - 1; l.known && l.begins == 1 && l.ends == 1 {
			l.ask = independent(l.adds, w.plan.Count)
		}
	}
}

// between tells the blocks that control passes from begins to ends, or nil where it can come
// there, or leave, in another way.
func between(view *ir.Func, begins, ends []int) map[int]bool {
	inside, end := map[int]bool{}, map[int]bool{}
	for _, b := range ends {
		end[b] = true
	}
	begin := map[int]bool{}
	work := append([]int(nil), begins...)
	for _, b := range begins {
		begin[b], inside[b] = true, true
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if len(view.Blocks[b].Succs) == 0 {
			return nil
		}
		for _, s := range view.Blocks[b].Succs {
			if begin[s] {
				return nil
			}
			if !end[s] && !inside[s] {
				inside[s] = true
				work = append(work, s)
			}
		}
	}
	for b := range view.Blocks {
		for _, s := range view.Blocks[b].Succs {
			if !inside[b] && !begin[s] && (inside[s] || end[s]) {
				return nil
			}
		}
	}
	return inside
}

// callsNothing reports blocks without other marks, in which nothing is called but what has no
// code of the program behind it.
func callsNothing(f *asm.Func, view *ir.Func, inside map[int]bool, begins []int) bool {
	for bi := range inside {
		b := view.Blocks[bi]
		if b.TaskMark != nil || b.Locking != nil || len(b.Atomics) > 0 || b.Mark != nil && !slices.Contains(begins, bi) {
			return false
		}
		for _, in := range f.Block(b.Name).Instrs {
			if c := in.Call(); c != nil && (c.Indirect || c.Asm || !quietCallee(c.Callee)) {
				return false
			}
		}
	}
	return true
}

func quietCallee(name string) bool {
	for _, prefix := range []string{"llvm.", "__kmpc_for_static_", "__kmpc_dispatch_"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == ir.MarkerFunc
}

// independent chooses kinds, a bit each, such that a sum of multiples of vectors is nothing
// where it is nothing in those: the pivots of Gauss's elimination. Numbers are whole and below
// zero where their highest bit is set.
func independent(vectors [][]uint64, kinds int) (ask uint32) {
	rows := make([][]*big.Rat, kinds) // by pivot
	for _, v := range vectors {
		row := make([]*big.Rat, kinds)
		for k := range row {
			row[k] = new(big.Rat).SetInt64(int64(v[k]))
		}
		for k := range row {
			if row[k].Sign() == 0 {
				continue
			}
			if rows[k] == nil {
				rows[k], ask = row, ask|1<<k
				break
			}
			factor := new(big.Rat).Quo(row[k], rows[k][k])
			for j := k; j < kinds; j++ {
				row[j].Sub(row[j], new(big.Rat).Mul(factor, rows[k][j]))
			}
		}
	}
	return ask
}
