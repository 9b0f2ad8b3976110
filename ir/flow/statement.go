package flow

// This file finds the statement of the source that a loop of a graph was.

import "pathspan/ir"

// Statement is a loop of the source.
type Statement struct {
	Loc  ir.Loc // column 0 where only the line is known; File -1 where nothing is
	End  int    // last line
	Word ir.LoopWord
	In   *ir.Instr // of the loop, whose scope is that of the statement; nil where no lines are known
}

// Statement returns the loop of the source that a loop of the function's graph is, or a copy of it.
func (c *CFG) Statement(p *ir.Program, f *ir.Func, loop int) Statement {
	latches := c.Loops[loop].Latches
	for _, latch := range latches {
		for k := len(f.Loops) - 1; k >= 0; k-- {
			if l := f.Loops[k]; l.Block == latch.From && l.End > 0 {
				return Statement{l.Loc, l.End, l.Word, f.Blocks[latch.From].Terminator()}
			}
		}
	}
	// What unrolling leaves behind has lost its lines; the branch back has those of the loop.
	for _, latch := range latches {
		if t := f.Blocks[latch.From].Terminator(); t.Loc.File >= 0 && t.Loc.Line > 0 {
			s := Statement{Loc: t.Loc, End: t.Loc.Line, In: t}
			for _, l := range f.Loops {
				if l.Loc == s.Loc {
					s.End, s.Word = max(s.End, l.End), l.Word
				}
			}
			return s
		}
	}
	s := Statement{Loc: p.UserBlockLoc(f, c.Loops[loop].Header)}
	s.Loc.Col, s.End = 0, s.Loc.Line
	return s
}
