package report

// This file holds notes on what estimates leave out of synchronisation.

import (
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/profile"
)

func TestOmissionsOfSynchronisation(t *testing.T) {
	b := &profile.Bundle{Program: &ir.Program{
		Regions: []ir.Region{{File: "a.c", Constructs: []ir.Construct{{Line: 4, NoWait: true}, {Line: 9, NoWait: true}, {Line: 12, Single: true}}}},
		Locks:   []ir.Lock{{Name: "critical till"}, {Name: "shelf"}},
	}}
	wait := "nowait at a.c:4: estimated as if threads waited for each other behind the construct, which takes no less time, as the bundle keeps no executions"
	all := "nowait at a.c:9: estimated as if threads waited for each other behind the construct, which takes no less time: at what one thread executes while others execute its tasks"
	without := "critical till, shelf: time spent waiting for another thread is not estimated, as the bundle keeps no executions"
	if got := Omissions(b); !slices.Contains(got, wait) || !slices.Contains(got, without) || !slices.Contains(got, all) {
		t.Errorf("without executions: %q", got)
	}
	b.Executions = &profile.Executions{}
	with := "critical till, shelf: time spent waiting for another thread is estimated execution by execution (EB), not by paths, averages or maxima"
	on := "nowait at a.c:4: estimated execution by execution (EB), not by paths, averages or maxima, for which threads wait behind the construct"
	if got := Omissions(b); !slices.Contains(got, with) || slices.Contains(got, without) || !slices.Contains(got, on) || slices.Contains(got, wait) || !slices.Contains(got, all) {
		t.Errorf("with executions: %q", got)
	}
	b.Executions.Entries = []profile.Execution{{Region: 0, Construct: 3}, {Region: 0, Construct: 0}} // the end of iterations; by itself, as earlier versions told of it
	if got := Omissions(b); slices.Contains(got, on) || !slices.Contains(got, "nowait at a.c:4: estimated as if threads waited for each other behind the construct, which takes no less time, as an earlier version made the bundle: profile again") {
		t.Errorf("of an earlier version: %q", got)
	}
	b.Executions.Entries = append(b.Executions.Entries, profile.Execution{Region: 0, Construct: 3}, profile.Execution{Region: b.Program.StreakRegion()})
	if got := Omissions(b); !slices.Contains(got, on) {
		t.Errorf("with streaks: %q", got)
	}
	b.Program.Regions[0].Constructs = b.Program.Regions[0].Constructs[2:]
	if got := noWaitNotes(b); got != nil {
		t.Errorf("nothing follows the last construct: %q", got)
	}
}

func TestStealingNoteSaysWhatItCovers(t *testing.T) {
	if note := StealingNote("m.yaml", 2, 0.995, 1.005); note != "" {
		t.Errorf("%q", note)
	}
	note := StealingNote("m.yaml", 2, 0.967, 1.069)
	for _, want := range []string{"m.yaml on 2 processors takes 0.967 to 1.069 times", "replay may lie outside"} {
		if !strings.Contains(note, want) {
			t.Errorf("%q lacks %q", note, want)
		}
	}
}
