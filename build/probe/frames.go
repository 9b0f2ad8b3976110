package probe

// This file publishes activations, so that the run-time library can write the paths
// under way when a callee ends the program or jumps out of the function. A record is
// (site, number of registers, registers); records lie one above the other, the
// innermost last, on a stack of their own that the program's own stack cannot
// overwrite. The run-time library makes it and finds its end in __pathspan_top.

import (
	"fmt"
	"strings"

	"pathspan/ir/asm"
)

// noSite is the site of a linked record while control is in no published block.
const noSite = "-1"

// base is the record of the activation, where it has one.
const base = "%ps.base"

// recordEnd returns the pointer behind a record of some registers, and what makes it.
func (a *applier) recordEnd(base string, registers int) (text, end string) {
	end = a.fresh("end")
	return fmt.Sprintf("%s = getelementptr inbounds i64, %s %s, i64 %d", end, a.i64ptr, base, 2+registers), end
}

// word stores a value in word i of a record.
func (a *applier) word(base string, i int, value string) []string {
	p := a.fresh("p")
	return []string{
		fmt.Sprintf("%s = getelementptr inbounds i64, %s %s, i64 %d", p, a.i64ptr, base, i),
		fmt.Sprintf("store i64 %s, %s %s, align 8", value, a.i64ptr, p),
	}
}

func (a *applier) loadTop(name string) string {
	return fmt.Sprintf("%s = load %s, %s @%s, align 8", name, a.i64ptr, a.m.Pointer(a.i64ptr), top)
}

func (a *applier) storeTop(value string) string {
	return fmt.Sprintf("store %s %s, %s @%s, align 8", a.i64ptr, value, a.m.Pointer(a.i64ptr), top)
}

// raise puts a record on the stack. The end moves first, so that what a signal handler
// publishes in between does not overwrite it.
func (a *applier) raise(base, site string, registers int) []string {
	text, end := a.recordEnd(base, registers)
	out := []string{text, a.storeTop(end)}
	out = append(out, a.word(base, 0, site)...)
	return append(out, a.word(base, 1, fmt.Sprint(registers))...)
}

// keepsStack takes back the promise of a block's tail calls, which replace the
// activation. It reports a call that must be one.
func keepsStack(b *asm.Block) (musttail bool, err error) {
	for _, in := range b.Instrs {
		switch c := in.Call(); {
		case c == nil:
		case c.Tail == "musttail":
			musttail = true
		case c.Tail == "tail":
			if err := in.SetText(strings.Replace(in.Text(), "tail call", "call", 1)); err != nil {
				return false, err
			}
		}
	}
	return musttail, nil
}

// frame publishes the activation from the start of a block to its end.
func (a *applier) frame(fr Frame) error {
	b := a.blocks[fr.Block]
	if musttail, err := keepsStack(b); err != nil || musttail {
		return err
	}
	if !fr.Linked {
		base := a.fresh("base")
		text := append([]string{a.loadTop(base)}, a.raise(base, fmt.Sprint(fr.Site), len(fr.Regs))...)
		for i, r := range fr.Regs {
			load, v := a.load(r)
			text = append(append(text, load), a.word(base, 2+i, v)...)
		}
		a.own[fr.Block] = base
		if err := b.InsertAtEnd(a.storeTop(base)); err != nil {
			return err
		}
		return b.InsertAtStart(text...)
	}
	text := a.word(base, 0, fmt.Sprint(fr.Site))
	if i := len(fr.Regs) - 1; fr.Regs[i] >= 0 {
		text = append(text, a.op(Op{Kind: Publish, Register: fr.Regs[i], Counter: i})...)
	}
	switch last := lastCall(b); {
	case b.Term() != nil && b.Term().Op() == "invoke":
		if _, err := a.f.InsertOnEdge(b, 0, a.word(base, 0, noSite)...); err != nil {
			return err
		}
	case last >= 0 && a.again[fr.Block]: // what returns a second time returns to no published block
		if err := b.InsertBefore(last, a.word(base, 0, noSite)...); err != nil {
			return err
		}
	default:
		if err := b.InsertAtEnd(a.word(base, 0, noSite)...); err != nil {
			return err
		}
	}
	return b.InsertAtStart(text...)
}

// link puts the record on the stack where the plan says and takes it off where control
// leaves the blocks inside. Wherever else control comes back to the function, by an
// exception or by a jump, the records above its own go.
func (a *applier) link(l *Link) error {
	for _, x := range l.Inside {
		b := a.blocks[x]
		if _, err := keepsStack(b); err != nil {
			return err
		}
		if t := b.Term(); t != nil && (t.Op() == "ret" || t.Op() == "resume") {
			if err := b.InsertAtEnd(a.storeTop(base)); err != nil {
				return err
			}
		}
	}
	for _, e := range l.Leaving {
		if err := a.blocks[e.From].InsertAtEnd(a.storeTop(base)); err != nil {
			return err
		}
	}
	for _, b := range a.blocks {
		if len(b.Instrs) == 0 || b.FirstNonPhi() < 0 {
			continue
		}
		i := b.FirstNonPhi()
		if i >= len(b.Instrs) || b.Instrs[i].Op() != "landingpad" {
			continue
		}
		text, end := a.recordEnd(base, l.Words)
		out := append([]string{text, a.storeTop(end)}, a.word(base, 0, noSite)...)
		if err := b.InsertBefore(i+1, out...); err != nil {
			return err
		}
	}
	for _, r := range l.Again {
		b := a.blocks[r.Block]
		i := lastCall(b)
		if i < 0 {
			return fmt.Errorf("block %s holds no call", b.Name())
		}
		if err := b.InsertAfter(i, fmt.Sprintf("call void @%s(i64 %d, %s %s)", returnedFn, r.Number, a.i64ptr, base)); err != nil {
			return err
		}
	}
	raise := a.raise(base, noSite, l.Words)
	if !a.linksAll() {
		raise = append([]string{a.loadTop(base)}, raise...)
	}
	return a.blocks[l.At].InsertAtStart(raise...)
}

// linksAll reports whether all of the function knows its record: where exceptions may
// leave it, its landing pads take off what lies above.
func (a *applier) linksAll() bool {
	return a.fp.Link.At == 0 || len(a.fp.Unwinds) > 0
}
