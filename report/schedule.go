package report

// This file says how worksharing loops share their iterations.

import (
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/mapping"
)

// ScheduleText says how a loop shares its iterations: "dynamic,4", "static, chunk computed by
// the program", or "static, shares 2:1".
func ScheduleText(l *mapping.LoopMap, of *ir.Loop) string {
	text := l.Text(of)
	if l.Computed {
		text += ", chunk computed by the program"
	}
	if l.Shares != nil {
		var shares []string
		for _, s := range l.Shares {
			shares = append(shares, strconv.FormatFloat(s, 'g', -1, 64))
		}
		text += ", shares " + strings.Join(shares, ":")
	}
	return text
}

// parallelText counts what a region has: "3 sections, 1 loop".
func parallelText(sections, loops int) string {
	switch {
	case loops == 0:
		return Count(sections, "section")
	case sections == 0:
		return Count(loops, "loop")
	}
	return Count(sections, "section") + ", " + Count(loops, "loop")
}
