package estimate

// This file says of which pipelines buffers may have other depths than the run had.

import (
	"fmt"
	"slices"

	"pathspan/ir"
)

// WhyNotDeeper says what else than its buffers decides when stages of a pipeline begin.
const WhyNotDeeper = "its tasks wait for others as well, which other depths would change"

// Deepens reports why nothing is known of other depths of a pipeline's buffers: its stages waited for other tasks than
// those of its items, or for what lies elsewhere among them.
func (e *Estimator) Deepens(pipeline int) error {
	x, of := e.Bundle.Executions, &e.Bundle.Program.Pipelines[pipeline]
	if x == nil {
		return fmt.Errorf("depths of pipeline %s: the profile keeps no executions of its stages", of.Name)
	}
	for i := range x.Entries {
		entry := &x.Entries[i]
		if !entry.OfTasks {
			continue
		}
		if _, form := entry.Task(e.Bundle.Program); form != ir.Dependent || len(entry.Lanes) < 2 {
			continue
		}
		held := entry.Lanes[1]
		if len(held) != 1 || held[0].Entry < 0 || !x.Entries[held[0].Entry].OfTasks {
			continue
		}
		task, _ := x.Entries[held[0].Entry].Task(e.Bundle.Program)
		at, stage := e.Bundle.Program.StageOf(task)
		if task < 0 || at != pipeline {
			continue
		}
		usual := of.Waits(stage, of.Depths)
		if slices.ContainsFunc(x.WaitsFor(entry, e.Bundle.Program), func(d uint64) bool { return !slices.Contains(usual, d) }) {
			return fmt.Errorf("depths of pipeline %s: %s", of.Name, WhyNotDeeper)
		}
	}
	return nil
}
