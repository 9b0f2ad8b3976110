package explore

// This file takes from profiles that tell of memory how much sections need of it.

import (
	"cmp"
	"fmt"
	"slices"
)

// footprints are what sections take that nobody said: the lines that one execution of each used,
// the most that there were. Data that several sections use count for each.
func (s *Search) footprints(l *limits) {
	s.e.EachFootprint(func(region, construct, number int, bytes float64) {
		x := section{region, construct, number}
		l.demand[x], l.measured[x] = bytes, true
	})
}

// roomFor reports the first section, by number, that no processor has room for that may run it.
func (s *Search) roomFor(l *limits) error {
	var all []section
	for x := range l.demand {
		all = append(all, x)
	}
	slices.SortFunc(all, func(x, y section) int {
		return cmp.Or(cmp.Compare(x.region, y.region), cmp.Compare(x.construct, y.construct), cmp.Compare(x.section, y.section))
	})
	for _, x := range all {
		most := -1
		for p := range l.memory {
			if l.may(x, p) && (most < 0 || l.memory[p] > l.memory[most]) {
				most = p
			}
		}
		if most < 0 || l.memory[most] >= l.demand[x] {
			continue
		}
		how := "as it was told"
		if l.measured[x] {
			how = "by its footprint in the profile; --demand says otherwise"
		}
		return fmt.Errorf("section %s takes %.0f bytes, %s, and no processor that may run it has as much memory (%s has %.0f): raise memory: of one in the platform or the constraints, or divide the section",
			s.e.Bundle.Program.Regions[x.region].Constructs[x.construct].Sections[x.section].Name, l.demand[x], how, s.e.Platform.Processors[most].Name, l.memory[most])
	}
	return nil
}

// takenByFootprint says what a message about limits should.
func (s *Search) takenByFootprint() string {
	if len(s.limits.measured) == 0 {
		return ""
	}
	sum := 0.0
	for x := range s.limits.measured {
		sum += s.limits.demand[x]
	}
	return fmt.Sprintf(" (%d sections take %.0f bytes together, by their footprints in the profile: --demand says otherwise)", len(s.limits.measured), sum)
}

// Footprints tells how many sections take what the profile says where processors have limits of
// memory that matter.
func (s *Search) Footprints() int {
	if !s.limits.tied {
		return 0
	}
	return len(s.limits.measured)
}
