package asm

// This file turns calls into invokes, so that what unwinds through them is noticed.

import (
	"fmt"
	"strings"
)

// Invoke turns the call in, which must not be marked musttail, into an invoke that
// unwinds to the block named unwind. The instructions behind it move to a block of
// their own, which is returned. A function that holds an invoke needs a personality.
func (f *Func) Invoke(in *Instr, unwind string) (*Block, error) {
	c := in.Call()
	if c == nil || in.op != "call" || c.Tail == "musttail" {
		return nil, fmt.Errorf("invoke in @%s: no call that can be invoked: %.80q", f.name, in.Text())
	}
	b := in.b
	i := b.Index(in)
	rest, err := f.SplitBlock(b, i+1, "")
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if in.result != "" {
		fmt.Fprintf(&text, "%s = ", LocalRef(in.result))
	}
	text.WriteString("invoke ")
	for _, w := range strings.Fields(c.RetAttrs) {
		if !fastMath[w] { // which an invoke cannot carry
			text.WriteString(w + " ")
		}
	}
	called, old := in.parse().called, in.Text()
	fmt.Fprintf(&text, "%s to label %s unwind label %s%s", old[called.s:called.e], LocalRef(rest.Name()), LocalRef(unwind), old[called.e:])
	if err := b.Delete(i + 1); err != nil {
		return nil, err
	}
	return rest, in.SetText(text.String())
}

var fastMath = map[string]bool{"fast": true, "nnan": true, "ninf": true, "nsz": true, "arcp": true,
	"contract": true, "afn": true, "reassoc": true}

// Personality returns the function's personality with its type, as spelled: "ptr
// @__gxx_personality_v0"; "" when it has none.
func (f *Func) Personality() string {
	h := f.header()
	if h.pers.e == h.pers.s {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(f.head[h.pers.s:h.pers.e], "personality"))
}

// SetPersonality gives a function without one a personality, spelled with its type.
func (f *Func) SetPersonality(text string) error {
	h := f.header()
	if !h.ok || h.pers.e > h.pers.s {
		return fmt.Errorf("set personality of @%s: %.60q has one, or was not understood", f.name, f.Header())
	}
	f.splice(span{h.clauses, h.clauses}, " personality "+text)
	return nil
}
