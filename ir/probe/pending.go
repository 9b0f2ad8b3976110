package probe

// This file lets functions keep what they add to meters in variables of their own,
// which need no memory in loops whatever is called there.

import (
	"fmt"

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

// passing lists the calls out of which an exception leaves the function unnoticed: an
// invoke would notice.
func passing(f *asm.Func, view *ir.Func) ([]*asm.Instr, error) {
	if f.HasAttr("nounwind") {
		return nil, nil
	}
	var calls []*asm.Instr
	for bi, b := range view.Blocks {
		for i := range b.Instrs {
			c := b.Instrs[i].Call
			if c == nil || c.NoUnwind {
				continue
			}
			at := ir.InstrAt(f.Blocks[bi], i)
			if at < 0 {
				return nil, fmt.Errorf("block %s: instruction %d is not there", b.Name, i)
			}
			if in := f.Blocks[bi].Instrs[at]; in.Op() == "call" {
				calls = append(calls, in)
			}
		}
	}
	return calls, nil
}

// keep makes the variables of a function that keeps what it adds, and gives their sums
// to the meters where it ends or may be left.
func (w *meterWriter) keep(f *asm.Func, left []*asm.Instr) error {
	for _, in := range left {
		b := in.Block()
		if err := b.InsertBefore(b.Index(in), w.addAllPending()...); err != nil {
			return err
		}
	}
	for _, b := range f.Blocks {
		if t := b.Term(); t != nil && (t.Op() == "ret" || t.Op() == "resume") {
			if err := b.InsertAtEnd(w.addAllPending()...); err != nil {
				return err
			}
		}
	}
	var text []string
	for k := range w.plan.Count {
		text = append(text, fmt.Sprintf("%s = alloca i64, align 8", pendingName(k)), w.store(pendingName(k), "0"))
	}
	return f.Blocks[0].InsertBefore(0, text...)
}

func (w *meterWriter) addAllPending() []string {
	var text []string
	for k := range w.plan.Count {
		text = append(text, w.addPending(k)...)
	}
	return text
}

// addPending moves what the function keeps to meter k.
func (w *meterWriter) addPending(k int) []string {
	load, kept := w.load(pendingName(k))
	total, all := w.load(meterName(k))
	sum := w.fresh("m")
	return []string{load, total, fmt.Sprintf("%s = add i64 %s, %s", sum, all, kept),
		w.store(meterName(k), sum), w.store(pendingName(k), "0")}
}
