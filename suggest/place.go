package suggest

// This file says where prospects stand in the source.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
)

// Place is where something stands in the source.
type Place struct {
	File     string `json:"file"`     // as the compiler was given it, "" when unknown
	Line     int    `json:"line"`     // first line
	Column   int    `json:"column"`   // of a loop in a line with other loops that ran, else 0
	End      int    `json:"end_line"` // last line
	Function string `json:"function"` // of the source
}

// statement is a loop of the source, or what the compiler left of it.
type statement struct {
	loc     ir.Loc // of the statement; column 0 where only the line is known
	end     int
	scope   int // as Instr.Scope
	name    string
	library bool // of a header that is not the user's
	word    ir.LoopWord
}

// loopStatement is the loop of the source that a level's loop is, or a copy of it.
func (p *program) loopStatement(f *function, level int) statement {
	prog, is := p.bundle.Program, f.cfg.Statement(p.bundle.Program, f.fn, level-1)
	s := statement{loc: is.Loc, end: is.End, word: is.Word, name: f.fn.Source}
	if is.In != nil {
		s.scope = is.In.Scope
		s.name, _ = prog.Holder(f.fn, is.In)
	}
	s.library = s.loc.File >= 0 && ir.Foreign(prog.Files[s.loc.File])
	return s
}

func (p *program) place(s *statement) Place {
	out := Place{Function: s.name, Line: s.loc.Line, Column: s.loc.Col, End: max(s.end, s.loc.Line)}
	if s.loc.File >= 0 {
		out.File = p.bundle.Program.Files[s.loc.File]
	}
	return out
}

// String is FILE:LINE, or FILE:LINE:COLUMN where several loops are in the line.
func (p Place) String() string {
	if p.Column > 0 {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// nameByLine leaves columns to loops that need them: a line tells the others.
func nameByLine(loops []*prospect) {
	type line struct {
		file string
		line int
	}
	columns := map[line]map[int]bool{}
	for _, c := range loops {
		at := line{c.Place.File, c.Place.Line}
		if columns[at] == nil {
			columns[at] = map[int]bool{}
		}
		columns[at][c.Place.Column] = true
	}
	for _, c := range loops {
		if len(columns[line{c.Place.File, c.Place.Line}]) == 1 {
			c.Place.Column = 0
		}
	}
}

// Compare orders places by file and line.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.File, q.File), cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column), cmp.Compare(p.End, q.End), cmp.Compare(p.Function, q.Function))
}

// frames lists a scope and those around it, the function's own, 0, last.
func (p *program) frames(scope int) []int {
	out := []int{scope}
	for scope > 0 {
		scope = p.bundle.Program.Scopes[scope-1].Parent
		out = append(out, scope)
	}
	return out
}

// within returns the line of a frame's function that stands for code of a scope at a place:
// the code's own, or that of the call that leads to it. It reports false for code outside of
// the frame.
func (p *program) within(frame, scope int, at ir.Loc) (ir.Loc, bool) {
	for scope != frame {
		if scope == 0 {
			return ir.Loc{File: -1}, false
		}
		s := &p.bundle.Program.Scopes[scope-1]
		scope, at = s.Parent, s.Call
	}
	return at, true
}

// frameName is the function of the source that a frame is.
func (p *program) frameName(f *function, frame int) (string, ir.Loc) {
	if frame > 0 {
		return p.bundle.Program.Scopes[frame-1].Name, p.bundle.Program.Scopes[frame-1].Loc
	}
	return f.fn.Source, f.fn.Loc
}

// external names what code calls that is not in the profile, sorted.
func (p *program) external(f *function, blocks []int) []string {
	var names []string
	for _, b := range blocks {
		if f.parts.Blocks[b].Runs == 0 {
			continue
		}
		for _, c := range f.fn.Blocks[b].Calls() {
			if c.Callee < 0 && !c.Indirect && c.Name != "asm" && c.Name != "" && !intrinsic(c.Name) && !strings.HasPrefix(c.Name, "__kmpc_") {
				names = append(names, c.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func intrinsic(name string) bool { return len(name) > 5 && name[:5] == "llvm." }
