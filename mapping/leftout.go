package mapping

// This file says what a mapping file leaves out, and where that goes.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
)

// LeftOut says, a line a region, which sections a mapping file leaves out and where they
// run. The mapping is one that Resolve made of the file, which goes by a name in the text.
func (r *Resolved) LeftOut(prog *ir.Program, file string) []string {
	var all []string
	for i := range prog.Regions {
		reg, rm := &prog.Regions[i], &r.Regions[i]
		var places []string
		sections := sectionsOf(reg)
		for n, s := range sections {
			if slices.Contains(r.Defaulted, reg.Constructs[s.construct].Sections[s.section].Name) {
				places = append(places, fmt.Sprintf("section %d to %s", n+1, r.Platform.Processors[rm.Proc[s.construct][s.section]].Name))
			}
		}
		switch {
		case places == nil:
		case !rm.Explicit:
			all = append(all, fmt.Sprintf("region %s is not in %s: OpenMP's static schedule places its sections", reg.Name, file))
		default:
			all = append(all, fmt.Sprintf("%s names region %s and leaves out %d of its %d sections: OpenMP's static schedule sends %s, after what the file lists there; list them to say otherwise",
				file, reg.Name, len(places), len(sections), strings.Join(places, ", ")))
		}
	}
	return all
}
