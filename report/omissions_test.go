package report

// This file holds notes on what estimates leave out of synchronisation.

import (
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/profile"
)

func TestOmissionsOfSynchronisation(t *testing.T) {
	b := &profile.Bundle{Program: &ir.Program{
		Regions: []ir.Region{{File: "a.c", Constructs: []ir.Construct{{Line: 4, NoWait: true}, {Line: 9, NoWait: true}}}},
		Locks:   []ir.Lock{{Name: "critical till"}, {Name: "shelf"}},
	}}
	wait := "nowait at a.c:4: estimated as if threads waited for each other behind the construct, which takes no less time"
	without := "critical till, shelf: time spent waiting for another thread is not estimated, as the bundle keeps no executions"
	if got := Omissions(b); !slices.Contains(got, wait) || !slices.Contains(got, without) {
		t.Errorf("without executions: %q", got)
	}
	b.Executions = &profile.Executions{}
	with := "critical till, shelf: time spent waiting for another thread is estimated execution by execution (EB), not by paths, averages or maxima"
	if got := Omissions(b); !slices.Contains(got, with) || slices.Contains(got, without) {
		t.Errorf("with executions: %q", got)
	}
	b.Program.Regions[0].Constructs = b.Program.Regions[0].Constructs[1:]
	if got := NoWaitNotes(b.Program); got != nil {
		t.Errorf("nothing follows the last construct: %q", got)
	}
}
