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
	var text []string
	p := base
	if i > 0 {
		p = a.value(&text, "p", "getelementptr inbounds i64, %s %s, i64 %d", a.i64ptr, base, i)
	}
	return append(text, fmt.Sprintf("store i64 %s, %s %s, align 8", value, a.i64ptr, p))
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
func (a *applier) frame(fr Frame) {
	b := a.blocks[fr.Block]
	musttail, err := keepsStack(b)
	if a.failed(err); musttail {
		return
	}
	if !fr.Linked {
		base := a.fresh("base")
		text := append([]string{a.loadTop(base)}, a.raise(base, fmt.Sprint(fr.Site), len(fr.Regs))...)
		for i, r := range fr.Regs {
			v := a.load(&text, r)
			text = append(text, a.word(base, 2+i, v)...)
		}
		a.own[fr.Block] = base
		a.atEnd(b, a.storeTop(base))
		a.atStart(b, text...)
		return
	}
	text := a.word(base, 0, fmt.Sprint(fr.Site))
	if i := len(fr.Regs) - 1; fr.Regs[i] >= 0 {
		text = append(text, a.op(Op{Kind: Publish, Register: fr.Regs[i], Counter: i})...)
	}
	switch last := lastCall(b); {
	case b.Term() != nil && b.Term().Op() == "invoke":
		a.onEdge(a.f, b, 0, a.word(base, 0, noSite)...)
	case last >= 0 && a.again[fr.Block]: // what returns a second time returns to no published block
		a.insert(b, last, a.word(base, 0, noSite)...)
	default:
		a.atEnd(b, a.word(base, 0, noSite)...)
	}
	a.atStart(b, text...)
}

// link puts the record on the stack where the plan says and takes it off where control
// leaves the blocks inside. Wherever else control comes back to the function, by an
// exception or by a jump, the records above its own go.
func (a *applier) link(l *Link) {
	for _, x := range l.Inside {
		b := a.blocks[x]
		_, err := keepsStack(b)
		a.failed(err)
		if t := b.Term(); t != nil && (t.Op() == "ret" || t.Op() == "resume") {
			a.atEnd(b, a.storeTop(base))
		}
	}
	for _, e := range l.Leaving {
		a.atEnd(a.blocks[e.From], a.storeTop(base))
	}
	for _, b := range a.blocks {
		if i := landingPad(b); i >= 0 {
			text, end := a.recordEnd(base, l.Words)
			a.insert(b, i+1, append([]string{text, a.storeTop(end)}, a.word(base, 0, noSite)...)...)
		}
	}
	for _, r := range l.Again {
		if i := a.lastCall(a.blocks[r.Block]); i >= 0 {
			a.insert(a.blocks[r.Block], i+1, fmt.Sprintf("call void @%s(i64 %d, %s %s)", returnedFn, r.Number, a.i64ptr, base))
		}
	}
	raise := a.raise(base, noSite, l.Words)
	if !a.linksAll() {
		raise = append([]string{a.loadTop(base)}, raise...)
	}
	a.atStart(a.blocks[l.At], raise...)
}

// landingPad returns the index of a block's landing pad, or -1.
func landingPad(b *asm.Block) int {
	if i := b.FirstNonPhi(); i < len(b.Instrs) && b.Instrs[i].Op() == "landingpad" {
		return i
	}
	return -1
}

// linksAll reports whether all of the function knows its record: where exceptions may
// leave it, its landing pads take off what lies above.
func (a *applier) linksAll() bool {
	return a.fp.Link.At == 0 || len(a.fp.Unwinds) > 0
}
