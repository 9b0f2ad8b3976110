package measure

// This file writes a mapping as the run-time library of parallel runs reads it
// (pathprof/runtime/team.c).

import (
	"fmt"
	"strings"

	"pathspan/mapping"
)

// Mapping is a mapping to measure.
type Mapping struct {
	Name     string
	Resolved *mapping.Resolved
	// CPUs is the processor of this machine for each of the platform's, -1 to leave its
	// thread to the operating system.
	CPUs []int
	Spin int // how often a waiting thread looks before it sleeps
}

// Text spells the mapping for the variable PATHSPAN_MAPPING, which names a file of it.
func (m *Mapping) Text() string {
	var b strings.Builder
	r := m.Resolved
	fmt.Fprintf(&b, "processors %d serial %d spin %d regions %d\n", len(r.Platform.Processors), r.Serial, m.Spin, len(r.Regions))
	for _, c := range m.CPUs {
		fmt.Fprintf(&b, "cpu %d\n", c)
	}
	for i := range r.Regions {
		g := &r.Regions[i]
		named := 0
		if g.Explicit {
			named = 1
		}
		fmt.Fprintf(&b, "region explicit %d constructs %d\n", named, len(g.Proc))
		for c, proc := range g.Proc {
			fmt.Fprintf(&b, "construct %d", len(proc))
			for _, s := range g.Order[c] {
				fmt.Fprintf(&b, " %d %d", s, proc[s])
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}
