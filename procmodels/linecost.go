package procmodels

// This file prices blocks by a line table.

import (
	"context"
	"fmt"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// Describe implements Model.
func (t *lineTable) Describe() Description { return t.desc }

// Costs implements Model: each line is charged once per execution of its
// statement (see chargeLines) with the cycles of its entry.
func (t *lineTable) Costs(ctx context.Context, s *Subject) (*Costs, error) {
	p := s.Program
	m := &linePricing{
		t:     t,
		p:     p,
		tally: NewTally(t.desc.Name, p),
		find:  newLineFinder(t),
		entry: map[srcLine]int{},
		used:  make([]bool, len(t.entries)),
		moved: s.moved(),
	}
	if t.fallback != nil {
		m.weights = newPricer(t.fallback, m.moved)
	}
	for _, f := range p.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", t.desc.Name, err)
		}
		m.function(f)
	}
	m.tally.Costs.Warnings = t.unmatched(p, m.used)
	return m.tally.Finish(), nil
}

// srcLine is a source line: a file index of the program, and a line in it.
type srcLine struct{ file, line int }

// noLine is the line of instructions without a source position.
var noLine = srcLine{-1, 0}

func lineOf(in *ir.Instr) srcLine {
	if in.Loc.File < 0 || in.Loc.Line <= 0 {
		return noLine
	}
	return srcLine{in.Loc.File, in.Loc.Line}
}

// isCode says whether an instruction shows that its line is executed. A phi and a
// jump are where control flow meets, the latch of a while loop for one; markers and
// the intrinsics of debuggers are no part of the program.
func isCode(in *ir.Instr, b *ir.Block) bool {
	switch {
	case in.Op == "phi", in.Op == "alloca":
		return false
	case in.Op == "br":
		return len(b.Succs) > 1
	case in.Call != nil:
		return !isMarker(in) && !strings.HasPrefix(in.Call.Name, "llvm.dbg.") &&
			!strings.HasPrefix(in.Call.Name, "llvm.lifetime.")
	}
	return true
}

type linePricing struct {
	t       *lineTable
	p       *ir.Program
	tally   *Tally
	find    *lineFinder
	entry   map[srcLine]int // memory of find
	used    []bool          // entries that matched code
	moved   map[*ir.Call]float64
	weights *pricer // nil without a fallback
}

func (m *linePricing) function(f *ir.Func) {
	for bi, charged := range chargeLines(f, flow.Analyze(f)) {
		for _, l := range charged {
			if e := m.entryOf(l); e >= 0 {
				m.tally.Add(&m.tally.Costs.Blocks[f.Index][bi], &Price{Cycles: m.t.entries[e].cycles})
			} else if m.weights == nil && l != noLine {
				pr := Guess(m.t.other, "line %s without an entry", m.name(l))
				m.tally.Add(&m.tally.Costs.Blocks[f.Index][bi], &pr)
			}
		}
	}
	for bi, b := range f.Blocks {
		for i := range b.Instrs {
			m.instr(f.Index, bi, i, b)
		}
	}
}

// instr prices what goes by instructions, not by lines: callees, and everything on
// lines without an entry when there is a fallback.
func (m *linePricing) instr(fn, bi, i int, b *ir.Block) {
	in := &b.Instrs[i]
	l := lineOf(in)
	e := m.entryOf(l)
	if e < 0 {
		switch {
		case m.weights != nil:
			m.byWeight(fn, bi, in, b, l)
		case l == noLine && isCode(in, b):
			m.tally.Add(&m.tally.Costs.Blocks[fn][bi], &Price{Reason: "code without a source line"})
		}
	} else if isCode(in, b) {
		m.used[e] = true
	}
	if in.Call == nil || !isCode(in, b) || strings.HasPrefix(in.Call.Name, intrinsicPrefix) {
		return
	}
	if e >= 0 && m.t.entries[e].included {
		bc := &m.tally.Costs.Blocks[fn][bi]
		bc.Included = append(bc.Included, i)
		return
	}
	if in.Call.Callee >= 0 || e < 0 && m.weights != nil {
		return
	}
	pr := m.callee(in)
	m.tally.Add(&m.tally.Costs.Blocks[fn][bi], &pr)
}

// byWeight prices an instruction of a line without an entry by the fallback.
func (m *linePricing) byWeight(fn, bi int, in *ir.Instr, b *ir.Block, l srcLine) {
	pr := m.weights.instr(in, b)
	if pr.Reason != "" {
		m.tally.Add(&m.tally.Costs.Blocks[fn][bi], pr)
		return
	}
	if pr.Cycles == 0 {
		return
	}
	what := "code without a source line"
	if l != noLine {
		what = "line " + m.name(l) + " without an entry"
	}
	by := pr.Supposed("%s: priced by %s", what, m.t.fallback.desc.Name)
	m.tally.Add(&m.tally.Costs.Blocks[fn][bi], &by)
}

// runtimePrefix begins the names of the OpenMP runtime's functions, whose work is in
// the platform's overheads.
const runtimePrefix = "__kmpc_"

// callee prices what an external call on a line of calls: excluded runs; the call
// itself is in the line's cycles.
func (m *linePricing) callee(in *ir.Instr) Price {
	c := in.Call
	switch {
	case c.Indirect || c.Name == "":
		return Guess(0, "indirect call: only the call itself is modelled")
	case strings.HasPrefix(c.Name, runtimePrefix):
		return Price{}
	case c.Name == "asm":
		return Price{} // its line's figure is all there is to it
	case m.t.fallback != nil:
		if cost, ok := m.t.fallback.call(c.Name, in.Type); ok {
			return cost.priceOf(c, m.moved, "").Supposed("call to %s: priced by %s", c.Name, m.t.fallback.desc.Name)
		}
		return Guess(m.t.fallback.otherCall, "call to %s: not modelled", c.Name)
	}
	return Guess(0, "call to %s: not modelled", c.Name)
}

// entryOf returns the index of the entry for a line, or -1.
func (m *linePricing) entryOf(l srcLine) int {
	if l == noLine || l.file >= len(m.p.Files) {
		return -1
	}
	e, ok := m.entry[l]
	if !ok {
		e = m.find.find(m.p.Files[l.file], l.line)
		m.entry[l] = e
	}
	return e
}

func (m *linePricing) name(l srcLine) string {
	return m.p.LocString(ir.Loc{File: l.file, Line: l.line})
}
