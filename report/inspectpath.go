package report

// This file names functions' places, loops and paths by source lines.

import (
	"fmt"
	"path/filepath"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/pathprof"
)

// location tells where a function is defined, "" when nothing says it.
func location(p *ir.Program, fn *ir.Func) string {
	if at := p.LocString(fn.Loc); at != "?" {
		return filepath.Clean(at)
	}
	return ""
}

// LoopPlace names a loop by the place of its header, or by the header itself.
func LoopPlace(p *ir.Program, fn *ir.Func, header int) string { return loopName(p, fn, header) }

// PathEnd names how a path ends, as inspect does.
func PathEnd(k pathprof.SinkKind) string { return endNames[k] }

// BlockLoc returns the first source position of a block; its File is -1 without one.
func BlockLoc(b *ir.Block) ir.Loc { return blockLoc(b) }

// loopName names a loop by the place of its header.
func loopName(p *ir.Program, fn *ir.Func, header int) string {
	if name := p.UserString(p.UserBlockLoc(fn, header)); name != "" {
		return filepath.Clean(name)
	}
	return "code without lines"
}

// blockLoc returns the first source position of a block.
func blockLoc(b *ir.Block) ir.Loc {
	for i := range b.Instrs {
		if l := b.Instrs[i].Loc; l.Line > 0 && l.File >= 0 {
			return l
		}
	}
	return ir.Loc{File: -1}
}

func inspectPath(p *ir.Program, fn *ir.Func, c *flow.CFG, path *pathprof.Path) InspectPath {
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
// the standard library, and has numbers that would mislead.
func pathLines(p *ir.Program, fn *ir.Func, c *flow.CFG, path *pathprof.Path, file int) string {
	var lines []string
	any := false
	add := func(s string) {
		if len(lines) == 0 || lines[len(lines)-1] != s {
			lines = append(lines, s)
		}
	}
	for _, s := range path.Steps {
		if l := s.Loop(); l >= 0 {
			header := fn.Blocks[c.Loops[l].Header]
			switch at := blockLoc(header); {
			case at.Line == 0:
				add("L(" + header.Name + ")*")
			case file >= 0 && at.File != file:
				add("L(" + filepath.Base(p.LocString(at)) + ")*")
			default:
				add(fmt.Sprintf("L%d*", at.Line))
			}
			continue
		}
		b := fn.Blocks[s]
		for i := range b.Instrs {
			if at := b.Instrs[i].Loc; at.Line > 0 && (file < 0 || at.File == file) {
				add(fmt.Sprint(at.Line))
				any = true
			}
		}
	}
	if !any && file >= 0 {
		return ""
	}
	return strings.Join(lines, " ")
}
