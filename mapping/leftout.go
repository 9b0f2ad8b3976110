package mapping

// This file says what a mapping file leaves out, and where that goes.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
)

// LeftOut says which sections a mapping file leaves out and where they run: a line for each
// region that it names, and one for those that it does not. The mapping is one that Resolve made of the file, which goes by a name in the text.
func (r *Resolved) LeftOut(prog *ir.Program, file string) []string {
	var all, absent []string
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
			absent = append(absent, reg.Label())
		default:
			all = append(all, fmt.Sprintf("%s names region %s and leaves out %d of its %d sections: OpenMP's static schedule sends %s, after what the file lists there; list them to say otherwise",
				file, reg.Label(), len(places), len(sections), strings.Join(places, ", ")))
		}
	}
	const most = 3
	switch n := len(absent); {
	case n == 0:
	case n == 1:
		all = append(all, fmt.Sprintf("region %s is not in %s: OpenMP's static schedule places its sections", absent[0], file))
	default:
		if n > most {
			absent = append(absent[:most], fmt.Sprintf("%d more", n-most))
		}
		all = append(all, fmt.Sprintf("regions %s are not in %s: OpenMP's static schedule places their sections", strings.Join(absent, ", "), file))
	}
	return all
}
