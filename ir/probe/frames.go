package probe

// This file publishes activations, so that the run-time library can write the paths
// under way when a callee ends the program. A record is (outer record, site, number
// of registers, registers).

import (
	"fmt"
	"strings"
)

// noSite is the site of a linked record while control is in no published block.
const noSite = "-1"

// frameSize returns the number of words of the function's record, 0 without.
func (a *applier) frameSize() int {
	if a.fp.Link != nil {
		return 3 + a.fp.Link.Words
	}
	n := 0
	for _, f := range a.fp.Frames {
		n = max(n, 3+len(f.Regs))
	}
	return n
}

// word stores a value in word i of the record.
func (a *applier) word(i int, value string) []string {
	p, typ := a.fresh("p"), fmt.Sprintf("[%d x i64]", a.frameSize())
	return []string{
		fmt.Sprintf("%s = getelementptr inbounds %s, %s %%ps.frame, i64 0, i64 %d", p, typ, a.m.Pointer(typ), i),
		fmt.Sprintf("store i64 %s, %s %s, align 8", value, a.i64ptr, p),
	}
}

// push makes the record the innermost one.
func (a *applier) push() []string {
	self, typ := a.fresh("self"), fmt.Sprintf("[%d x i64]", a.frameSize())
	return []string{
		fmt.Sprintf("%s = ptrtoint %s %%ps.frame to i64", self, a.m.Pointer(typ)),
		fmt.Sprintf("store i64 %s, %s @%s, align 8", self, a.i64ptr, frames),
	}
}

// frame publishes the activation from the start of a block to its end.
func (a *applier) frame(fr Frame) error {
	b := a.blocks[fr.Block]
	// A tail call promises that the callee sees no stack slot of ours.
	for _, in := range b.Instrs {
		switch c := in.Call(); {
		case c == nil:
		case c.Tail == "musttail":
			return nil // it must be the last thing that happens here
		case c.Tail == "tail":
			if err := in.SetText(strings.Replace(in.Text(), "tail call", "call", 1)); err != nil {
				return err
			}
		}
	}
	if a.fp.Link != nil {
		text := a.word(1, fmt.Sprint(fr.Site))
		if i := len(fr.Regs) - 1; fr.Regs[i] >= 0 {
			text = append(text, a.op(Op{Kind: Publish, Register: fr.Regs[i], Counter: i})...)
		}
		if err := b.InsertAtEnd(a.word(1, noSite)...); err != nil {
			return err
		}
		return b.InsertAtStart(text...)
	}
	up := a.fresh("up")
	text := append([]string{fmt.Sprintf("%s = load i64, %s @%s, align 8", up, a.i64ptr, frames)}, a.word(0, up)...)
	text = append(text, a.word(1, fmt.Sprint(fr.Site))...)
	text = append(text, a.word(2, fmt.Sprint(len(fr.Regs)))...)
	for i, r := range fr.Regs {
		text = append(text, a.op(Op{Kind: Publish, Register: r, Counter: i})...)
	}
	if err := b.InsertAtEnd(fmt.Sprintf("store i64 %s, %s @%s, align 8", up, a.i64ptr, frames)); err != nil {
		return err
	}
	return b.InsertAtStart(append(text, a.push()...)...)
}

// link links the record where the plan says and unlinks it before the returns.
func (a *applier) link(l *Link) error {
	for _, b := range a.blocks {
		for _, in := range b.Instrs {
			if c := in.Call(); c != nil && c.Tail == "tail" {
				if err := in.SetText(strings.Replace(in.Text(), "tail call", "call", 1)); err != nil {
					return err
				}
			}
		}
	}
	for _, e := range l.Exits {
		b := a.blocks[e]
		if t := b.Term(); t == nil || t.Op() != "ret" {
			continue
		}
		if err := b.InsertAtEnd(fmt.Sprintf("store i64 %%ps.up, %s @%s, align 8", a.i64ptr, frames)); err != nil {
			return err
		}
	}
	text := append(a.word(0, "%ps.up"), a.word(1, noSite)...)
	text = append(text, a.word(2, fmt.Sprint(l.Words))...)
	return a.blocks[l.At].InsertAtStart(append(text, a.push()...)...)
}
