package ir

// This file tells which function of the source code was written in, where another function
// holds it, and where the source's loops stand.

import (
	"cmp"
	"strconv"
	"strings"

	"pathspan/ir/asm"
)

// Scope is a function of the source with one call of it that was inlined: its code lies in
// the function that holds the call.
type Scope struct {
	Name   string // in the source
	Loc    Loc    // where it is defined
	Parent int    // what Instr.Scope is of the code that held the call
	Call   Loc    // where that was
}

// LoopLines is where a loop of the source stands. A loop has as many as it has back edges;
// copies that the compiler made of it have the same.
type LoopLines struct {
	Block int // it ends in a back edge of the loop
	Loc   Loc // of the loop's statement
	End   int // the statement's last line; 0 where it was lost
	Word  LoopWord
	Label string // of the statement; "" for none, or not known
}

// scope returns what Instr.Scope is of code at DILocation id.
func (b *builder) scope(id int) int {
	if id < 0 {
		return 0
	}
	at := b.place(id)
	if !at.scoped {
		s := b.inlinedScope(id)
		at.scoped, at.scope = true, s
	}
	return at.scope
}

func (b *builder) inlinedScope(id int) int {
	n := b.m.Meta(id)
	if n == nil || n.Kind != "DILocation" {
		return 0
	}
	call := n.Ref("inlinedAt")
	if call < 0 {
		return 0
	}
	key := [2]int{b.subprogram(n.Ref("scope")), call}
	if s, ok := b.scopes[key]; ok {
		return s
	}
	b.scopes[key] = 0 // a location that was inlined into itself is in no module that LLVM passes
	parent := b.scope(call)
	sp := b.m.Meta(key[0])
	if sp == nil {
		b.scopes[key] = parent
		return parent
	}
	s := Scope{Name: cmp.Or(sp.Str("name"), sp.Str("linkageName")), Loc: Loc{File: b.file(sp.Ref("file")), Line: sp.Int("line")}, Parent: parent, Call: b.loc(call)}
	b.p.Scopes = append(b.p.Scopes, s)
	b.scopes[key] = len(b.p.Scopes)
	return len(b.p.Scopes)
}

// loopLines notes where the loop stands that a block ends an iteration of.
func (b *builder) loopLines(g *Func, block int, term *asm.Instr) {
	var ids []int
	for _, id := range b.m.Meta(LoopID(term)).Refs() {
		if n := b.m.Meta(id); n != nil && n.Kind == "DILocation" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return
	}
	l := LoopLines{Block: block, Loc: b.loc(ids[0])}
	if l.End = l.Loc.Line; len(ids) > 1 {
		l.End = max(l.End, b.loc(ids[1]).Line)
	}
	if l.Loc.File >= 0 && l.Loc.Line > 0 {
		g.Loops = append(g.Loops, l)
	}
}

// LoopID returns the number of the metadata that says of a branch which loop it is a back edge of, -1 for
// none.
func LoopID(term *asm.Instr) int {
	number, ok := strings.CutPrefix(term.Attachment("!llvm.loop"), "!")
	id, err := strconv.Atoi(number)
	if !ok || err != nil {
		return -1
	}
	return id
}

// Holder is the function of the source that an instruction was written in, and where that
// is defined.
func (p *Program) Holder(f *Func, in *Instr) (name string, at Loc) {
	if in.Scope > 0 {
		return p.Scopes[in.Scope-1].Name, p.Scopes[in.Scope-1].Loc
	}
	return f.Source, f.Loc
}
