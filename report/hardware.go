package report

// This file says what hardware takes that is made of loops.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
)

// HardwareNotes says what of their resources processors take for the loops that come to them under a mapping.
func HardwareNotes(p estimate.Processors, prog *ir.Program, m *mapping.Resolved, name string) (notes []string) {
	for _, t := range p.Hardware(prog, m) {
		if len(t.Loops) == 0 && t.Buffers == 0 || len(t.Resources) == 0 {
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
			if r.Amount == 0 { // of loops that are not made
				continue
			}
			text := fmt.Sprintf("%g %s", r.Amount, r.Name)
			if r.Limited {
				text += fmt.Sprintf(" of %g", r.Limit)
			}
			takes = append(takes, text)
		}
		if takes == nil {
			continue
		}
		what, on := "", p.Platform.Processors[t.Processor].Name
		switch {
		case len(loops) == 0:
			what = "buffers of stages on " + on
		case t.Buffers == 0:
			what = fmt.Sprintf("loops that are made on %s (%s)", on, strings.Join(loops, "; "))
		default:
			what = fmt.Sprintf("loops that are made on %s (%s) and buffers of its stages", on, strings.Join(loops, "; "))
		}
		notes = append(notes, fmt.Sprintf("%s: %s take %s", name, what, strings.Join(takes, ", ")))
	}
	if len(prog.Pipelines) > 0 && !p.PricesBuffers() && slices.ContainsFunc(p.Platform.Processors, func(x mapping.Processor) bool { return x.FIFO != nil }) {
		notes = append(notes, "what buffers take of processors with fifo is not known and counts as nothing: profile --flow or --memory tells how many bytes stages pass on")
	}
	return notes
}
