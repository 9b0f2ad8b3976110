package record

// This file meters the work of sections, so that the bundle knows how it went together.

import (
	"pathspan/build/probe"
	"pathspan/ir/asm"
	"pathspan/pathprof"
)

// meterWork puts the meters of sections into the module, if it has any. Where paths alone
// are asked for, marks still tell which section runs. What it returns, nil where there are
// no marks, is to be finished once all probes are in.
func (r *Recorder) meterWork(b *Built, m *asm.Module) (*probe.Metered, error) {
	threads := b.Instr.Planner.Plan.Threads
	if b.Options.PathsOnly {
		if len(b.Program.Regions) == 0 || threads {
			return nil, nil
		}
		return probe.Meter(m, b.Program, &probe.Meters{Root: -1})
	}
	if b.Instr.Work = pathprof.WorkOf(b.Program, threads); b.Instr.Work == nil {
		return nil, nil
	}
	meters := b.Instr.Work.Meters(b.Program, threads)
	// An execution is not kept in any case where the end of a function is missing from it.
	meters.Pending = !r.atOnce
	meters.PutOff, meters.Updates = true, true
	return probe.Meter(m, b.Program, meters)
}
