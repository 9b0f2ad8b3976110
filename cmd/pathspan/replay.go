package main

// This file is the subcommand replay.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/spf13/cobra"

	"pathspan/build/record"
	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/replay"
	"pathspan/report"
	"pathspan/streams/flow"
)

type replayFlags struct {
	buildFlags
	targetFlags
	json, regions bool
}

const replayUsage = "replay [-p N[,N...]] [--platform P.yaml] [--mapping M.yaml] APP.pspan|SOURCE... [-- ARGUMENTS...]"

func replayCmd() *cobra.Command {
	var o replayFlags
	cmd := &cobra.Command{
		Use:   replayUsage,
		Short: "Run a program once and simulate mappings exactly as it runs",
		Long: `Replay compiles the sources as profile does and runs the program once. As it runs,
each execution of a parallel region is scheduled with its own times, under all
mappings at once: no averages, so the result is exact for the model's costs. It is
what estimates are judged against; estimate needs no run for each mapping.

A bundle stands for its program: the code is in it, and the arguments are those of the
profiled run unless others are given.

What the program prints goes to standard error, so that standard output holds the
result alone; with --quiet it is dropped.`,
		Example: "  pathspan replay -p 2,4 app.c -- input.dat\n  pathspan replay app.pspan\n  pathspan replay --platform soc.yaml --mapping a.yaml --mapping b.yaml --regions app.c",
	}
	f := cmd.Flags()
	o.buildFlags.add(f)
	addTarget(f, &o.target)
	o.targetFlags.add(f, "1,2,4,8")
	f.StringVar(&o.function, "function", "", "`name` of the function to follow (default "+estimate.DefaultRoot+")")
	f.BoolVar(&o.regions, "regions", false, "print how long the executions of each region took")
	addJSON(f, &o.json, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sources, arguments, err := split(cmd, args, replayUsage)
		if err != nil {
			return err
		}
		bundle, err := o.recorded(cmd, sources, &arguments)
		if err != nil {
			return err
		}
		return o.run(cmd, bundle, sources, arguments)
	}
	return cmd
}

// candidate is a platform with a mapping to simulate.
type candidate struct {
	name     string
	procs    estimate.Processors
	resolved *mapping.Resolved
	sim      *replay.Simulator
}

func (o *replayFlags) run(cmd *cobra.Command, bundle *profile.Bundle, sources, arguments []string) error {
	if err := o.targetFlags.check(); err != nil {
		return err
	}
	platforms, err := o.platforms(1, 2, 4, 8)
	if err != nil {
		return err
	}
	files, err := o.mappingFiles()
	if err != nil {
		return err
	}
	w, err := o.workshop(cmd, sources)
	if err != nil {
		return err
	}
	defer w.close()
	building, caught, done := interruptible(cmd.Context())
	defer done()
	var b *record.Built
	if bundle != nil {
		b = w.FromBundle(bundle, w.options)
	} else if b, err = w.Costed(building, w.options); err != nil {
		w.shown.done()
		return o.buildError(cmd, caught(), err)
	}
	if pathprof.StartsThreads(b.Program) {
		return errors.New("replay: the program starts threads of its own; replay follows one thread")
	}
	fn, err := findFunction(b.Program, o.function)
	if err != nil {
		return err
	}
	if err := report.Replayable(b.Program, b.Notes, filepath.Base(sources[0])); err != nil {
		return err
	}
	out := &report.Replays{Program: filepath.Base(sources[0]), Function: fn.Name}
	cands, plan, err := o.candidates(building, out, b, fn, platforms, files, bundle)
	if err != nil {
		return err
	}
	exe, err := w.Metered(building, b, &plan.Meters)
	if err != nil {
		w.shown.done()
		return foreignHint(bundle, o.buildError(cmd, caught(), err))
	}
	ours := leaveSignals(cmd.Context())
	defer ours()
	done()
	w.shown.done()             // the terminal is the program's
	shown := cmd.ErrOrStderr() // nowhere with --quiet
	var sims []*replay.Simulator
	for i := range cands {
		sims = append(sims, cands[i].sim)
	}
	var totals replay.Totals
	status, err := w.Follow(cmd.Context(), b, exe, arguments, record.Streams{Stdin: cmd.InOrStdin(), Stdout: shown, Stderr: shown}, func(events io.Reader) (err error) {
		totals, err = replay.Read(events, plan, sims)
		return err
	})
	ours()
	switch {
	case errors.Is(err, replay.ErrCut):
		return fmt.Errorf("replay: %w: the program %s", err, status)
	case err != nil:
		return fmt.Errorf("replay: %w", err)
	case status.Signal != 0 && sims[0].Unended() != nil:
		return fmt.Errorf("replay: the program %s inside %s, which never ended, so there is nothing to replay; sections run one after another: one that waits for another must not, and a long one must be let end", status, b.Program.SectionString(sims[0].Unended()))
	case sims[0].Runs() == 0:
		return fmt.Errorf("--function %s: it never ran, or was inlined wherever it was called; name another, or give arguments that reach it", fn.Source)
	}
	if status != (record.Status{}) {
		out.Notes = append(out.Notes, fmt.Sprintf("the program %s; the figures are those of what ran until then", status))
	}
	var inner []string
	for r := range b.Program.Regions {
		if sims[0].Inner(r) {
			inner = append(inner, b.Program.Regions[r].Name)
		}
	}
	if inner != nil {
		out.Notes = append(out.Notes, report.InnerTasksNote(inner))
	}
	out.Events, out.Executions = totals.Events, sims[0].Runs()
	o.fill(out, cands, b.Program)
	return show(cmd, o.json, out, out.Text)
}

func (o *replayFlags) buildError(cmd *cobra.Command, caught syscall.Signal, err error) error {
	if caught != 0 {
		return stopped(caught, cmd.Name()+": stopped by a signal before the program ran")
	}
	return compilerError(cmd, err)
}

// candidates prices the platforms and makes a simulator for each mapping on each.
func (o *replayFlags) candidates(ctx context.Context, out *report.Replays, b *record.Built, fn *ir.Func, platforms []*mapping.Platform, files []mappingFile, bundle *profile.Bundle) ([]candidate, *replay.Plan, error) {
	most := 1
	for _, pl := range platforms {
		most = max(most, len(pl.Processors))
	}
	prog := b.Program.WithTeams(most)
	pricer := &estimate.Pricer{Program: prog, Module: b.Module}
	if bundle != nil {
		pricer.Memory, pricer.Run, pricer.ItemBits = bundle.Memory, bundle, flow.ItemBits(bundle)
	}
	var cands []candidate
	for _, pl := range platforms {
		var made *mapping.Platform
		var procs estimate.Processors
		var mappings []*mapping.Resolved
		for i, file := range files {
			var err error
			if i == 0 || !mapping.SameDesigns(files[i-1].mapping, file.mapping) {
				if made, err = pl.Designed(file.mapping); err != nil {
					return nil, nil, err
				}
				if procs, err = pricer.Processors(ctx, made); err != nil {
					return nil, nil, err
				}
			}
			m, err := mapping.Resolve(made, file.mapping, prog)
			if err != nil {
				return nil, nil, err
			}
			if err := procs.Fits(prog, m); err != nil {
				return nil, nil, err
			}
			mappings = append(mappings, m)
			out.Notes = addNotes(out.Notes, report.HardwareNotes(procs, prog, m, file.in(prog))...)
			cands = append(cands, candidate{name: file.in(prog), procs: procs, resolved: m})
			out.Notes = addNotes(out.Notes, m.LeftOut(prog, file.name)...)
		}
		out.Notes = addNotes(out.Notes, slices.Concat(report.OverheadNotes(pricer, procs, mappings...), report.PlatformNotes(pricer, procs))...)
		out.Models = report.AddModels(out.Models, procs)
		if pl.Hierarchy != nil && pricer.Memory == nil {
			out.Notes = addNotes(out.Notes, report.AssumedSizes(procs)...)
		}
	}
	var all []*procmodels.Costs
	for i := range cands {
		all = append(all, cands[i].procs.Costs...)
	}
	plan, err := replay.NewPlan(prog, fn.Index, all)
	if err != nil {
		return nil, nil, err
	}
	for i := range cands {
		if cands[i].procs.Platform.Other.Atomic.Cycles > 0 {
			plan.TellUpdates()
		}
	}
	if !plan.Exact {
		out.Notes = append(out.Notes, fmt.Sprintf("block costs are rounded to 1/%g of a cycle, since no small fraction of a cycle divides them all", plan.Scale))
	}
	for i := range cands {
		c := &cands[i]
		if c.sim, err = replay.NewSimulator(plan, c.resolved, c.procs.Costs, c.procs.ClockMHz, c.procs.Overheads, prog); err != nil {
			return nil, nil, err
		}
		if h := c.procs.Platform.Hierarchy; h != nil {
			err := c.sim.Through(replay.MemoryOf(h, c.procs.ClockMHz))
			b.Options.Memory = b.Options.Memory || err == nil
			inTime, _ := c.sim.InTime()
			out.Notes = addNotes(out.Notes, report.ReplayedMemory(c.name, inTime, c.sim.Copies(), err))
		}
	}
	out.Notes = append(out.Notes, pricer.Warnings...)
	if len(b.Program.Regions) == 0 {
		out.Notes = append(out.Notes, "the program has no parallel region, so nothing can run in parallel")
	}
	out.Notes = append(append(out.Notes, report.ConstructNotes(b.Notes)...), report.WaitingNotes(b.Program)...)
	return cands, plan, nil
}

// fill reads the results off the simulators.
func (o *replayFlags) fill(out *report.Replays, cands []candidate, prog *ir.Program) {
	for i := range cands {
		c := &cands[i]
		hertz := c.procs.ClockMHz[c.resolved.Serial] * 1e6
		e := estimate.Result{Technique: "replay", Processors: len(c.procs.Costs), Mapping: c.name,
			SequentialCycles: c.sim.Sequential(), ParallelCycles: c.sim.Parallel(), Speedup: 1}
		e.SequentialSeconds, e.ParallelSeconds = e.SequentialCycles/hertz, e.ParallelCycles/hertz
		if e.ParallelCycles > 0 {
			e.Speedup = e.SequentialCycles / e.ParallelCycles
		}
		if _, but := c.sim.InTime(); but > 0 {
			out.Notes = append(out.Notes, report.PlayedInSequence(c.name, but))
		}
		out.Estimates = append(out.Estimates, e)
		if !o.regions {
			continue
		}
		for r := range prog.Regions {
			d := c.sim.Region(r)
			if d.Count == 0 {
				continue
			}
			g := report.RegionReplay{Region: prog.Regions[r].Name, Line: prog.Regions[r].Line, Processors: e.Processors, Mapping: c.name, Executions: d.Count,
				Min: d.Min, P5: d.Quantile(0.05), Median: d.Quantile(0.5), P95: d.Quantile(0.95), Max: d.Max, Mean: d.Parallel / float64(d.Count), Speedup: 1}
			if d.Parallel > 0 {
				g.Speedup = d.Sequential / d.Parallel
			}
			out.Regions = append(out.Regions, g)
		}
	}
}
