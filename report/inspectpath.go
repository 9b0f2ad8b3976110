package report

// This file names functions' places, loops and paths by source lines.

import (
	"fmt"
	"path/filepath"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
	"pathspan/profile"
)

// location tells where a function is defined, "" when nothing says it.
func location(p *ir.Program, fn *ir.Func) string {
	if at := p.LocString(fn.Loc); at != "?" {
		return filepath.Clean(at)
	}
	return ""
}

// PathEnd names how a path ends, as inspect does.
func PathEnd(k pathprof.SinkKind) string { return endNames[k] }

// LoopPlace names a loop by its line in the source, as suggest and models of hardware do.
func LoopPlace(p *ir.Program, fn *ir.Func, c *flow.CFG, loop int) string {
	if name := p.UserString(LoopLoc(p, fn, c, loop)); name != "" {
		return filepath.Clean(name)
	}
	return "code without lines"
}

// LoopLoc is where the statement stands that a loop was, or else, where the compiler lost it, its header: in the user's sources.
func LoopLoc(p *ir.Program, fn *ir.Func, c *flow.CFG, loop int) ir.Loc {
	for _, latch := range c.Loops[loop].Latches {
		for _, l := range fn.Loops {
			if l.Block == latch.From && l.Loc.File >= 0 && l.Loc.Line > 0 && !ir.Foreign(p.Files[l.Loc.File]) {
				return l.Loc
			}
		}
	}
	return p.UserBlockLoc(fn, c.Loops[loop].Header)
}

func inspectPath(p *ir.Program, fn *ir.Func, c *flow.CFG, path *profile.Path) InspectPath {
	out := InspectPath{Count: path.Count, End: endNames[path.End]}
	for _, s := range path.Steps {
		if l := s.Loop(); l >= 0 {
			out.Steps = append(out.Steps, "L("+fn.Blocks[c.Loops[l].Header].Name+")*")
		} else {
			out.Steps = append(out.Steps, fn.Blocks[s].Name)
		}
	}
	if out.Lines = pathLines(p, fn, c, path, fn.Loc.File); out.Lines == "" {
		out.Lines = pathLines(p, fn, c, path, -1)
	}
	return out
}

// pathLines lists the lines of one source file, or of any with a file of -1, that a
// path runs. Code of other files comes from functions inlined there, such as those of
// the standard library: it stands at the line that it was inlined into.
func pathLines(p *ir.Program, fn *ir.Func, c *flow.CFG, path *profile.Path, file int) string {
	var lines []string
	any := false
	add := func(s string) {
		if len(lines) == 0 || lines[len(lines)-1] != s {
			lines = append(lines, s)
		}
	}
	for _, s := range path.Steps {
		if l := s.Loop(); l >= 0 {
			switch at := LoopLoc(p, fn, c, l); {
			case at.Line == 0:
				add("L*")
			case file >= 0 && at.File != file:
				add("L(" + filepath.Base(p.UserString(at)) + ")*")
			default:
				add(fmt.Sprintf("L%d*", at.Line))
			}
			continue
		}
		b := fn.Blocks[s]
		for i := range b.Instrs {
			line := b.Instrs[i].Loc.Line
			if file >= 0 {
				line = fn.OwnLine(&b.Instrs[i])
			}
			if line > 0 {
				add(fmt.Sprint(line))
				any = true
			}
		}
	}
	if !any && file >= 0 {
		return ""
	}
	return strings.Join(lines, " ")
}
