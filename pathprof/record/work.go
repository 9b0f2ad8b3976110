package record

// This file meters the work of sections, so that the bundle knows how it went together.

import (
	"context"

	"pathspan/ir/asm"
	"pathspan/ir/probe"
	"pathspan/pathprof"
	"pathspan/procmodels"
)

// referenceModel tells the reference cycles of a block. Which model it is matters
// little: work is only compared with the same section's work in other executions.
const referenceModel = "generic"

// meterWork puts the meter of sections into the module, if it has any. Where paths alone
// are asked for, marks still tell which section runs.
func (r *Recorder) meterWork(ctx context.Context, b *Built, m *asm.Module) error {
	if b.Options.PathsOnly {
		if len(b.Program.Regions) == 0 || b.Instr.Planner.Plan.Threads {
			return nil
		}
		return probe.Meter(m, b.Program, &probe.Meters{Root: -1})
	}
	model, err := procmodels.Open(referenceModel, "")
	if err != nil {
		return err
	}
	costs, err := model.Costs(ctx, &procmodels.Subject{Program: b.Program})
	if err != nil {
		return err
	}
	meters := pathprof.WorkMeters(b.Program, b.Instr.Planner.Plan.Threads, func(fn, block int) float64 {
		return costs.Blocks[fn][block].Cycles
	})
	if meters == nil {
		return nil
	}
	// An execution is not kept in any case where the end of a function is missing from it.
	meters.Pending = !r.atOnce
	return probe.Meter(m, b.Program, meters)
}
