package probe

// This file notices exceptions that leave a function from a call: the call becomes an
// invoke, whose landing pad hands the paths under way to the run-time library and goes
// on unwinding. What does not throw runs as before.

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pathspan/ir/asm"
)

// personality returns a personality that the functions use, "" for none.
func personality(funcs []*asm.Func) string {
	for _, f := range funcs {
		if p := f.Personality(); p != "" {
			return p
		}
	}
	return ""
}

// unwinding finds the calls of the function's unwinds, before anything moves.
func (a *applier) unwinding() [][]*asm.Instr {
	if len(a.fp.Unwinds) == 0 || a.personality == "" {
		return nil
	}
	left := make([][]*asm.Instr, len(a.fp.Unwinds))
	for i, u := range a.fp.Unwinds {
		b := a.blocks[u.Block]
		nth := 0
		for _, in := range b.Instrs {
			if !counts(in) {
				continue
			}
			if slices.Contains(u.Calls, nth) && in.Call().Tail != "musttail" {
				if in.Op() != "call" {
					a.failed(fmt.Errorf("block %s: call %d is no call that can be invoked", b.Name(), nth))
				}
				left[i] = append(left[i], in)
			}
			nth++
		}
	}
	return left
}

// unwinds makes the calls invokes. It comes last, since it splits blocks.
func (a *applier) unwinds(left [][]*asm.Instr) {
	if a.err != nil {
		return
	}
	if a.p.Catches {
		a.seeAll()
	}
	if len(left) > 0 && a.f.Personality() == "" {
		a.failed(a.f.SetPersonality(a.personality))
	}
	for i, calls := range left {
		u := &a.fp.Unwinds[i]
		pad, lp := a.f.FreshName("ps.left"), a.fresh("lp")
		typ := fmt.Sprintf("{ %s, i32 }", a.m.Pointer("i8"))
		text := []string{fmt.Sprintf("%s = landingpad %s cleanup", lp, typ)}
		if record := a.own[u.Block]; record != "" {
			text = append(text, a.storeTop(record))
		} else if a.fp.Link != nil {
			text = append(text, a.storeTop(base))
		}
		args := []string{fmt.Sprintf("i64 %d", u.Site), fmt.Sprintf("i64 %d", len(u.Regs))}
		for _, r := range u.Regs {
			args = append(args, "i64 "+a.load(&text, r))
		}
		text = append(text, fmt.Sprintf("call void (i64, i64, ...) @%s(%s)", leftFn, strings.Join(args, ", ")), fmt.Sprintf("resume %s %s", typ, lp))
		_, err := a.f.AddBlock(pad, text...)
		a.failed(err)
		for _, in := range slices.Backward(calls) {
			_, err := a.f.Invoke(in, pad)
			a.failed(err)
		}
	}
}

var (
	clauses    = regexp.MustCompile(`\s(catch|filter)\s`)
	everything = regexp.MustCompile(`\scleanup\b|\scatch \S+ null\b`)
)

// seeAll lets the landing pads of the function see exceptions that they do not catch. The
// code behind them goes on unwinding then, as it does where a cleanup is theirs.
func (a *applier) seeAll() {
	for _, b := range a.f.Blocks {
		i := landingPad(b)
		if i < 0 {
			continue
		}
		text := b.Instrs[i].Text()
		clause := clauses.FindStringIndex(text)
		if clause == nil || everything.MatchString(text) {
			continue
		}
		a.failed(b.Instrs[i].SetText(text[:clause[0]] + " cleanup" + text[clause[0]:]))
	}
}
