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

// localRooms forbids sections on processors with a local memory that has no room for them, and reports the first that none is left for.
func (s *Search) localRooms(l *limits) (err error) {
	n := len(s.e.Platform.Processors)
	s.e.EachFootprint(func(region, construct, number int, bytes float64) {
		x, most, fits := section{region, construct, number}, -1, false
		largest := 0.0
		for p := range n {
			room, limited := s.e.Room(p)
			switch {
			case !limited || room >= bytes:
				fits = fits || l.may(x, p)
			default:
				if l.forbid[x] == nil {
					l.forbid[x] = make([]bool, n)
				}
				l.forbid[x][p] = true
				if room > largest {
					most, largest = p, room
				}
			}
		}
		if !fits && most >= 0 && err == nil {
			err = fmt.Errorf("section %s uses %.0f bytes, by its footprint in the profile, and no local memory of a processor that may run it is as large (%s has %.0f): divide the section, describe a larger memory, or one with copies: none",
				s.e.Bundle.Program.Regions[region].Constructs[construct].Sections[number].Name, bytes, s.e.Platform.Processors[most].Name, largest)
		}
	})
	return err
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
