package probe

// This file lets functions keep what they add to meters in variables of their own,
// which need no memory in loops whatever is called there.

import (
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/ir/asm"
)

func pendingName(k int) string { return fmt.Sprintf("%%ps.pending.%d", k) }

// mayKeep reports a function into which nothing returns a second time, and in which no
// call takes the place of its end.
func mayKeep(f *asm.Func, view *ir.Func) bool {
	for bi, b := range view.Blocks {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && c.ReturnsTwice {
				return false
			}
		}
		for _, in := range f.Blocks[bi].Instrs {
			if c := in.Call(); c != nil && c.Tail == "musttail" {
				return false
			}
		}
	}
	return true
}

// kept is a call before which a function gives away what it keeps.
type kept struct {
	call  *asm.Instr
	block int
}

// handingOver lists the calls before which a function gives away what it keeps: those out
// of which an exception leaves it unnoticed (an invoke would notice), and those that may
// reach marks.
func (w *meterWriter) handingOver(f *asm.Func, view *ir.Func, mf *MeteredFunc) []kept {
	var calls []kept
	unwinds := !f.HasAttr("nounwind")
	for bi, b := range view.Blocks {
		for i := range b.Instrs {
			c := b.Instrs[i].Call
			before := slices.Contains(mf.Before, InstrAt{bi, i})
			if c == nil || !before && (!unwinds || c.NoUnwind) {
				continue
			}
			at := ir.InstrAt(f.Blocks[bi], i)
			if at < 0 {
				w.failed(fmt.Errorf("block %s: instruction %d is not there", b.Name, i))
				return nil
			}
			if in := f.Blocks[bi].Instrs[at]; before || in.Op() == "call" {
				calls = append(calls, kept{in, bi})
			}
		}
	}
	return calls
}

// keep makes the variables of a function that keeps what it adds, and gives their sums
// to the meters where it ends or may be left.
func (w *meterWriter) keep(f *asm.Func, view *ir.Func, mf *MeteredFunc, calls []kept) {
	over := make([]bool, len(view.Blocks))
	for _, c := range calls {
		over[c.block] = true
	}
	for bi := range view.Blocks {
		over[bi] = over[bi] || view.Blocks[bi].Tells()
	}
	blocks := slices.Clone(f.Blocks)
	edges := !slices.ContainsFunc(mf.Blocks, func(b MeteredBlock) bool { return b.After != nil })
	var c *chords
	if edges {
		c = placeChords(f, view, mf, w.plan.Count, over, func(loop int) bool {
			return slices.ContainsFunc(w.counted[f.Name()], func(l counted) bool { return l.loop.Index == loop })
		})
	}
	if c != nil {
		w.chords[f.Name()] = c
		w.addChords(f, c)
	} else {
		for i := range mf.Blocks {
			w.block(view, blocks[mf.Blocks[i].Block], &mf.Blocks[i])
		}
	}
	at := func(block int) []uint64 {
		if c == nil {
			return nil
		}
		return c.potential[block]
	}
	for _, k := range calls {
		b := k.call.Block()
		w.insert(b, b.Index(k.call), w.addAllPending(at(k.block))...)
	}
	for bi, b := range blocks {
		if t := b.Term(); t != nil && (t.Op() == "ret" || t.Op() == "resume") {
			w.atEnd(b, w.addAllPending(at(bi))...)
		}
	}
	var text []string
	for k := range w.plan.Count {
		text = append(text, fmt.Sprintf("%s = alloca i64, align 8", pendingName(k)), w.store(pendingName(k), "0"))
	}
	w.insert(f.Blocks[0], 0, text...)
}

func (w *meterWriter) addAllPending(at []uint64) []string {
	var text []string
	for k := range w.plan.Count {
		w.addPending(&text, k, at)
	}
	return text
}

// addPending moves what the function keeps to meter k. Where it adds on few edges, at is
// the potential, which belongs to it.
func (w *meterWriter) addPending(text *[]string, k int, at []uint64) {
	p := int64(potential(at, k))
	w.increase(text, meterName(k), w.value(text, "m", "add i64 %s, %d", w.load(text, pendingName(k)), p))
	*text = append(*text, w.store(pendingName(k), fmt.Sprint(-p)))
}

// potential is that of meter k, 0 where the function does not add on few edges.
func potential(at []uint64, k int) uint64 {
	if at == nil {
		return 0
	}
	return at[k]
}
