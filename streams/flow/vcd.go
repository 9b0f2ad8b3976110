package flow

// This file writes schedules as waveforms.

import (
	"cmp"
	"io"
	"slices"

	"pathspan/streams/waves"
)

// VCD writes what each statement reads, executes and writes in each cycle, as numbers of
// executions; names are those of statements. A unit of time is a cycle.
func (s *Schedule) VCD(out io.Writer, names []string) error {
	w := waves.New(out, "a unit of time is a cycle; values are executions")
	w.Scope("flow")
	type change struct {
		at     int64
		signal int
		value  int64
	}
	var changes []change
	declare := func(name string, stage Stage, statement int) {
		signal := w.Number(name, 32)
		for _, step := range s.Profile(stage, statement) {
			changes = append(changes, change{step.At, signal, int64(step.Active)})
		}
	}
	declare("executing", Executing, -1)
	for i, name := range names {
		w.Scope(name)
		for stage, what := range []string{Reading: "read", Executing: "execute", Writing: "write"} {
			declare(what, Stage(stage), i)
		}
		w.Up()
	}
	w.Up()
	slices.SortStableFunc(changes, func(a, b change) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.signal, b.signal))
	})
	for _, c := range changes {
		w.Set(c.at, c.signal, c.value)
	}
	return w.End(s.Finish)
}
