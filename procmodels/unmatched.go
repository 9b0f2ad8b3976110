package procmodels

// This file warns of entries of a line table that match no code.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
)

// unmatched returns a warning for each entry that is not used, in the table's order.
func (t *lineTable) unmatched(p *ir.Program, used []bool) []string {
	if !slices.Contains(used, false) {
		return nil
	}
	lines := codeLines(p)
	var warnings []string
	for i := range t.entries {
		if e := &t.entries[i]; !used[i] {
			warnings = append(warnings, fmt.Sprintf("%s:%d: %s:%d holds no code; %s",
				t.file, e.at, e.file, e.line, whatDoes(p, lines, e)))
		}
	}
	return warnings
}

// codeLines lists the lines of each file that hold code, ascending.
func codeLines(p *ir.Program) [][]int {
	lines := make([][]int, len(p.Files))
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, l := range linesOf(b) {
				if l.file < len(lines) {
					lines[l.file] = append(lines[l.file], l.line)
				}
			}
		}
	}
	for i := range lines {
		slices.Sort(lines[i])
		lines[i] = slices.Compact(lines[i])
	}
	return lines
}

// whatDoes names lines near the entry's that hold code, or files that do.
func whatDoes(p *ir.Program, lines [][]int, e *lineEntry) string {
	var near []int
	var files []string
	for i, file := range p.Files {
		if len(lines[i]) == 0 {
			continue
		}
		files = append(files, file)
		if hasPathSuffix(file, e.file) {
			near = append(near, lines[i]...)
		}
	}
	const most = 3
	if len(near) == 0 {
		if len(files) > most {
			files = append(files[:most:most], "...")
		}
		return fmt.Sprintf("no file of that name has code (%s)", strings.Join(files, ", "))
	}
	slices.SortStableFunc(near, func(a, b int) int {
		return cmp.Compare(max(a-e.line, e.line-a), max(b-e.line, e.line-b))
	})
	near = slices.Compact(near)
	near = near[:min(len(near), most)]
	slices.Sort(near)
	return "nearest lines that do: " + strings.Trim(strings.Join(strings.Fields(fmt.Sprint(near)), ", "), "[]")
}
