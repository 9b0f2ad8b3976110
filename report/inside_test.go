package report

import (
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// A loop within another region, or a region within a loop, is named where the mapping shares both out and threads
// take iterations as they go, or have several to come back from, and these wait for their turn.
func TestInsideNotes(t *testing.T) {
	region := func(name string, loop, ordered bool) ir.Region {
		c := ir.Construct{Sections: make([]ir.Section, 2)}
		if loop {
			c.Loop = &ir.Loop{Ordered: ordered}
		}
		return ir.Region{Name: name, Line: 7, Constructs: []ir.Construct{c}}
	}
	for _, c := range []struct {
		outer, inner string
		same, unsaid bool // all of the outer region on one processor; the mapping does not name the inner one
		want         bool
		ordered      bool // iterations wait for their turn
	}{
		{"sections", "sections", false, false, false, true},
		{"sections", "static", false, false, true, true},
		{"sections", "dynamic", false, false, true, true},
		{"sections", "dynamic", false, true, false, true},
		{"sections", "dynamic", true, false, false, true},
		{"static", "sections", false, false, true, true},
		{"static", "sections", true, false, false, true},
		{"dynamic", "static", false, false, true, true},
		{"dynamic", "dynamic", false, false, false, false},
	} {
		p := &ir.Program{Regions: []ir.Region{region("a.c:f#1", c.outer != "sections", c.ordered), region("a.c:g#1", c.inner != "sections", c.ordered)}}
		x := &profile.Executions{Entries: []profile.Execution{
			{Region: 1, Loop: c.inner != "sections", Count: 4, Lanes: [][]profile.ExecutionPart{{{Entry: -1, Times: 1}}}},
			{Region: 0, Loop: c.outer != "sections", Count: 1, Lanes: [][]profile.ExecutionPart{{{Entry: 0, Times: 4}}}},
		}}
		m := &mapping.Resolved{Regions: make([]mapping.RegionMap, 2)}
		for r, kind := range []string{c.outer, c.inner} {
			rm := &m.Regions[r]
			rm.Explicit, rm.Proc, rm.Loops = r == 1 && !c.unsaid, [][]int{{0, 1}}, make([]*mapping.LoopMap, 1)
			if r == 0 && c.same {
				rm.Proc[0][1] = 0
			}
			if kind != "sections" {
				rm.Loops[0] = &mapping.LoopMap{Schedule: loops.Schedule{Kind: map[string]loops.Kind{"static": loops.Static, "dynamic": loops.Dynamic}[kind]}, Threads: 2}
			}
		}
		notes := InsideNotes(&profile.Bundle{Program: p, Executions: x}, m, "m.yaml")
		if said := len(notes) == 1 && strings.HasPrefix(notes[0], "a.c:g#1 (line 7): ") && strings.Contains(notes[0], "m.yaml"); said != c.want || len(notes) > 1 {
			t.Errorf("%+v: %q", c, notes)
		}
		ahead := InsideAhead(&profile.Bundle{Program: p, Executions: x}) // whatever a mapping makes of loops
		if want := c.ordered && (c.outer != "sections" || c.inner != "sections"); (len(ahead) == 1 && strings.HasPrefix(ahead[0], "a.c:g#1 (line 7): ")) != want || len(ahead) > 1 {
			t.Errorf("%+v, before any mapping: %q", c, ahead)
		}
	}
}
