package report

// This file says what hardware takes that is made of loops.

import (
	"fmt"
	"strings"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
)

// HardwareNotes says what of their resources processors take for the loops that come to them under a mapping.
func HardwareNotes(p estimate.Processors, prog *ir.Program, m *mapping.Resolved, name string) (notes []string) {
	for _, t := range p.Hardware(prog, m) {
		if len(t.Loops) == 0 || len(t.Resources) == 0 {
			continue
		}
		var loops, takes []string
		for _, l := range t.Loops {
			text := fmt.Sprintf("%s by %d", l.Loop, l.Unroll)
			if l.Partition != l.Unroll {
				text += fmt.Sprintf(", arrays in %d", l.Partition)
			}
			loops = append(loops, text)
		}
		for _, r := range t.Resources {
			text := fmt.Sprintf("%g %s", r.Amount, r.Name)
			if r.Limited {
				text += fmt.Sprintf(" of %g", r.Limit)
			}
			takes = append(takes, text)
		}
		notes = append(notes, fmt.Sprintf("%s: loops that are made on %s (%s) take %s", name, p.Platform.Processors[t.Processor].Name, strings.Join(loops, "; "), strings.Join(takes, ", ")))
	}
	return notes
}
