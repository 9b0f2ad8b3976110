package profile

// This file packs what is said of instructions that were inlined: most functions have none,
// and the others long runs.

import (
	"errors"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/profile/bundlepb"
)

// runsOf packs a number of each instruction of a function as runs of equal ones, up to the
// last that is not 0.
func runsOf(f *ir.Func, number func(in *ir.Instr) int) (counts, numbers []uint32) {
	used := 0
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			x := uint32(number(&b.Instrs[i]))
			if n := len(numbers); n > 0 && numbers[n-1] == x {
				counts[n-1]++
			} else {
				counts, numbers = append(counts, 1), append(numbers, x)
			}
			if x > 0 {
				used = len(numbers)
			}
		}
	}
	if used == 0 {
		return nil, nil
	}
	return counts[:used:used], numbers[:used:used]
}

// eachRun unpacks runs; numbers go up to most.
func eachRun(f *ir.Func, counts, numbers []uint32, most int, set func(in *ir.Instr, x int)) error {
	bad := errors.New("what it says of inlined code does not fit its instructions")
	if len(counts) != len(numbers) {
		return bad
	}
	run, left := -1, uint32(0)
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			for left == 0 {
				if run++; run >= len(counts) {
					return nil
				}
				if left = counts[run]; int64(numbers[run]) > int64(most) {
					return bad
				}
			}
			set(&b.Instrs[i], int(numbers[run]))
			left--
		}
	}
	if left > 0 || run+1 < len(counts) {
		return bad
	}
	return nil
}

func inlinedToProto(m *bundlepb.Func, f *ir.Func) {
	m.IntoCounts, m.IntoLines = runsOf(f, func(in *ir.Instr) int { return in.Into })
	m.ScopeCounts, m.Scopes = runsOf(f, func(in *ir.Instr) int { return in.Scope })
	for _, l := range f.Loops {
		m.LoopBlocks, m.LoopLocs, m.LoopEnds = append(m.LoopBlocks, uint32(l.Block)), append(m.LoopLocs, locToProto(l.Loc)), append(m.LoopEnds, uint32(l.End))
		m.LoopWords = append(m.LoopWords, uint32(l.Word))
	}
	if slices.ContainsFunc(f.Loops, func(l ir.LoopLines) bool { return l.Label != "" }) {
		m.LoopLabels = each(f.Loops, func(l ir.LoopLines) []byte { return []byte(l.Label) })
	}
}

func inlinedFromProto(f *ir.Func, m *bundlepb.Func, p *bundlepb.Program) error {
	if err := eachRun(f, m.IntoCounts, m.IntoLines, math.MaxInt32, func(in *ir.Instr, x int) { in.Into = x }); err != nil {
		return err
	}
	if err := eachRun(f, m.ScopeCounts, m.Scopes, len(p.Scopes), func(in *ir.Instr, x int) { in.Scope = x }); err != nil {
		return err
	}
	bad := errors.New("where its loops stand does not fit its blocks")
	if len(m.LoopBlocks) != len(m.LoopLocs) || len(m.LoopBlocks) != len(m.LoopEnds) || len(m.LoopBlocks) != len(m.LoopWords) || len(m.LoopLabels) > 0 && len(m.LoopBlocks) != len(m.LoopLabels) {
		return bad
	}
	for i, block := range m.LoopBlocks {
		l, ok := locFromProto(m.LoopLocs[i], p)
		if !ok || int(block) >= len(f.Blocks) || i > 0 && block <= m.LoopBlocks[i-1] || m.LoopEnds[i] > math.MaxInt32 || m.LoopWords[i] > uint32(ir.DoLoop) {
			return bad
		}
		f.Loops = append(f.Loops, ir.LoopLines{Block: int(block), Loc: l, End: int(m.LoopEnds[i]), Word: ir.LoopWord(m.LoopWords[i])})
		if len(m.LoopLabels) > 0 {
			f.Loops[i].Label = name(m.LoopLabels[i])
		}
	}
	return nil
}

func scopesToProto(p *ir.Program) []*bundlepb.Scope {
	return each(p.Scopes, func(s ir.Scope) *bundlepb.Scope {
		return &bundlepb.Scope{Name: []byte(s.Name), Loc: locToProto(s.Loc), Parent: uint32(s.Parent), Call: locToProto(s.Call)}
	})
}

func scopesFromProto(m *bundlepb.Program) ([]ir.Scope, error) {
	var out []ir.Scope
	for i, s := range m.GetScopes() {
		loc, known := locFromProto(s.GetLoc(), m)
		call, placed := locFromProto(s.GetCall(), m)
		if !known || !placed || int64(s.GetParent()) > int64(i) {
			return nil, errors.New("a call that was inlined is at a place that does not exist")
		}
		out = append(out, ir.Scope{Name: name(s.GetName()), Loc: loc, Parent: int(s.GetParent()), Call: call})
	}
	return out, nil
}

func locToProto(l ir.Loc) *bundlepb.Loc {
	return &bundlepb.Loc{File: int32(l.File + 1), Line: int32(l.Line), Col: int32(l.Col)}
}

// locFromProto reads a place and reports whether there is one such.
func locFromProto(m *bundlepb.Loc, p *bundlepb.Program) (ir.Loc, bool) {
	l := ir.Loc{File: int(m.GetFile()) - 1, Line: int(m.GetLine()), Col: int(m.GetCol())}
	return l, l.File >= -1 && l.File < len(p.Files) && l.Line >= 0 && l.Col >= 0
}
