package report

// This file says under which mappings regions inside of others are estimated less well.

import (
	"fmt"
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/profile"
)

// MappingNotes says what a mapping leaves out, and what its figures leave out that those of others have.
func MappingNotes(b *profile.Bundle, m *mapping.Resolved, name string) []string {
	return slices.Concat(m.LeftOut(b.Program, name), DepthNotes(b, m, name), InsideNotes(b, m, name))
}

// InsideNotes names the regions that a mapping shares out inside of others where rows know who takes which iterations as if each
// thread had its processor to itself: loops that threads take chunks of as they go, and what is inside of iterations, where
// iterations wait for their turn or make tasks.
func InsideNotes(b *profile.Bundle, m *mapping.Resolved, name string) []string {
	spread := func(region int) bool { return len(slices.Compact(slices.Concat(m.Regions[region].Proc...))) > 1 }
	names := inside(b, spread, func(region int) bool { return m.Regions[region].Explicit }, func(x *profile.Execution) bool {
		l := m.Regions[x.Region].Loops[x.Construct]
		return l.Threads > 1 && (l.Shares == nil && l.Schedule.Dispatched() || b.Program.Regions[x.Region].Constructs[x.Construct].Loop.Ordered)
	})
	if names == nil {
		return nil
	}
	return []string{insideNote(names, name)}
}

// InsideAhead is what InsideNotes says of mappings before any is known.
func InsideAhead(b *profile.Bundle) []string {
	several := func(region int) bool {
		return slices.ContainsFunc(b.Program.Regions[region].Constructs, func(c ir.Construct) bool { return c.Loop != nil || len(c.Sections) > 1 })
	}
	if names := inside(b, several, several, func(*profile.Execution) bool { return true }); names != nil {
		return []string{insideNote(names, "mappings that say so")}
	}
	return nil
}

func insideNote(names []string, mapping string) string {
	return fmt.Sprintf("%s: on several processors inside of other regions under %s: iterations wait for their turn or make tasks, and who takes which is estimated as if threads had processors to themselves, which was 50%% off and more; replay plays it", listed(names, 4), mapping)
}

// inside names the regions that are shared out inside of others, as far as they are spread and asked for, and what is inside of iterations
// that wait, or takes some of these as they go.
func inside(b *profile.Bundle, spread, asked func(region int) bool, taken func(*profile.Execution) bool) []string {
	if b.Executions == nil {
		return nil
	}
	all, regions := b.Executions.Entries, b.Program.Regions
	waits := func(x *profile.Execution) bool { // see the competing loops of rows
		return x.Loop && (regions[x.Region].Constructs[x.Construct].Loop.Ordered || slices.ContainsFunc(x.Lanes[0], func(p profile.ExecutionPart) bool { return p.Entry >= 0 && all[p.Entry].OfTasks }))
	}
	type state struct {
		entry           int
		inside, iterate bool
	}
	seen := map[state]bool{}
	var names []string
	var visit func(s state)
	visit = func(s state) {
		x := &all[s.entry]
		if seen[s] || x.OfTasks { // beside tasks regions stay on their threads
			return
		}
		seen[s] = true
		if x.Region < len(regions) && spread(x.Region) {
			region, loop := &regions[x.Region], waits(x)
			if s.inside && asked(x.Region) && (s.iterate || loop && taken(x)) && !slices.Contains(names, region.Label()) {
				names = append(names, region.Label())
			}
			s.inside, s.iterate = true, s.iterate || loop
		}
		for _, lane := range x.Lanes {
			for i := range lane {
				if p := &lane[i]; p.Entry >= 0 && !b.Executions.EndsBlock(p) {
					visit(state{p.Entry, s.inside, s.iterate})
				}
			}
		}
	}
	for i := range all {
		visit(state{entry: i})
	}
	slices.Sort(names)
	return names
}
