package pathprof

// This file packs the lines that code of other files was inlined into: most functions have
// none, and the others long runs.

import (
	"errors"
	"math"

	"pathspan/ir"
	"pathspan/pathprof/bundlepb"
)

func intoToProto(m *bundlepb.Func, f *ir.Func) {
	used := 0 // runs up to the last that has a line
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			line := uint32(b.Instrs[i].Into)
			if n := len(m.IntoLines); n > 0 && m.IntoLines[n-1] == line {
				m.IntoCounts[n-1]++
			} else {
				m.IntoCounts, m.IntoLines = append(m.IntoCounts, 1), append(m.IntoLines, line)
			}
			if line > 0 {
				used = len(m.IntoLines)
			}
		}
	}
	m.IntoCounts, m.IntoLines = m.IntoCounts[:used:used], m.IntoLines[:used:used]
	if used == 0 {
		m.IntoCounts, m.IntoLines = nil, nil
	}
}

func intoFromProto(f *ir.Func, m *bundlepb.Func) error {
	bad := errors.New("the lines that code was inlined into do not fit its instructions")
	if len(m.IntoCounts) != len(m.IntoLines) {
		return bad
	}
	run, left := -1, uint32(0)
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			for left == 0 {
				if run++; run >= len(m.IntoCounts) {
					return nil
				}
				if left = m.IntoCounts[run]; m.IntoLines[run] > math.MaxInt32 {
					return bad
				}
			}
			b.Instrs[i].Into = int(m.IntoLines[run])
			left--
		}
	}
	if left > 0 || run+1 < len(m.IntoCounts) {
		return bad
	}
	return nil
}
