package validate

// This file replays a program under all its platforms in one run.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"pathspan/build/record"
	"pathspan/estimate"
	"pathspan/estimate/averaged"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/replay"
	"pathspan/validate/ledger"
)

// replay follows one run under every platform, and under the largest of each model with each
// region alone in parallel, which tells where a difference comes from.
func (u *unit) replay(ctx context.Context) error {
	p := u.bundle.Program
	if pathprof.StartsThreads(p) {
		return errors.New("the program starts threads of its own; replay follows one thread")
	}
	var costs []*procmodels.Costs
	for _, t := range u.targets {
		costs = append(costs, t.procs.Costs...)
	}
	plan, err := replay.NewPlan(p, u.analysis.Root, costs)
	if err != nil {
		return err
	}
	for _, t := range u.targets {
		if t.procs.Platform.Other.Atomic.Cycles > 0 {
			plan.TellUpdates()
		}
	}
	var sims []*replay.Simulator
	add := func(t *target, m *mapping.Resolved, overheads []procmodels.Overheads, memory bool) (*replay.Simulator, error) {
		s, err := replay.NewSimulator(plan, m, t.procs.Costs, t.procs.ClockMHz, overheads, p)
		sims = append(sims, s)
		if err == nil && memory {
			err = s.Through(replay.MemoryOf(t.procs.Platform.Hierarchy, t.procs.ClockMHz))
		}
		return s, err
	}
	runs := make([]replayed, len(u.targets))
	for i, t := range u.targets {
		if runs[i], err = u.replayedOn(t, add); err != nil {
			return err
		}
	}
	var parts []*part
	for _, t := range u.largest() {
		x := &part{target: t}
		for r := range p.Regions {
			x.alone = append(x.alone, t.m.OnlyRegion(r))
			s, err := add(t, x.alone[r], t.procs.Overheads, t.memory && t.without != nil)
			if err != nil {
				return err
			}
			x.sims = append(x.sims, s)
		}
		parts = append(parts, x)
	}
	if err := u.follow(ctx, plan, sims); err != nil {
		return err
	}
	if !plan.Exact {
		u.notes = append(u.notes, fmt.Sprintf("model %s has costs that are no whole numbers of a small unit: replay rounds each to a millionth of a cycle", modelName(&u.targets[0].procs)))
	}
	for i, t := range u.targets {
		runs[i].read(t)
		exact := t.plain
		if t.without != nil { // of what the estimate counts
			exact = t.full
		}
		for k := range t.results {
			row := u.row(t, k)
			row.Reference = ledger.Replay
			row.ReferenceSequentialCycles, row.ReferenceParallelCycles = exact.sequential, exact.parallel
			u.add(row)
		}
	}
	for _, x := range parts {
		if err := u.findCauses(x); err != nil {
			return err
		}
	}
	return nil
}

// follow runs the program once and feeds the simulators.
func (u *unit) follow(ctx context.Context, plan *replay.Plan, sims []*replay.Simulator) error {
	exe, err := u.recorder.Metered(ctx, u.built, &plan.Meters)
	if err != nil {
		return err
	}
	var out bytes.Buffer
	status, err := u.recorder.Follow(ctx, u.built, exe, u.program.Args(u.v.Size), record.Streams{Stdout: &out, Stderr: io.Discard}, func(events io.Reader) error {
		_, err := replay.Read(events, plan, sims)
		return err
	})
	if err != nil {
		return fmt.Errorf("replay: %w", err)
	}
	return u.expected("the replayed run", out.Bytes(), status)
}

// part is a target with mappings that have one region each in parallel.
type part struct {
	*target
	alone []*mapping.Resolved // by region
	sims  []*replay.Simulator
}

// largest returns, for each model, the target of the most processors under OpenMP's static schedule.
func (u *unit) largest() []*target {
	var all []*target
	for _, t := range u.targets {
		if t.file != nil {
			continue
		}
		i := slices.IndexFunc(all, func(o *target) bool { return modelName(&o.procs) == modelName(&t.procs) })
		switch {
		case i < 0:
			all = append(all, t)
		case len(t.procs.Costs) > len(all[i].procs.Costs):
			all[i] = t
		}
	}
	return all
}

// findCauses compares PB with replay, one region in parallel at a time, and describes
// what the sections of each region spend their cycles in.
func (u *unit) findCauses(t *part) error {
	w := averaged.New(t.e, t.m.Serial)
	for r := range t.alone {
		est, err := t.e.Estimate(t.alone[r], estimate.PathBased)
		if err != nil {
			return err
		}
		out := ledger.Region{
			Program: u.program.Name, Size: string(u.v.Size), Level: u.level, Processors: len(t.procs.Costs),
			Model: modelName(&t.procs), Region: u.bundle.Program.Regions[r].Name,
		}
		if par := t.sims[r].Parallel(); par > 0 {
			out.Difference = est.ParallelCycles/par - 1
		}
		total, causes := w.Region(r)
		if est.SequentialCycles > 0 {
			out.SectionShare = total / est.SequentialCycles
		}
		out.Causes = causes
		u.regions = append(u.regions, out)
	}
	return nil
}
