package main

// This file is the subcommand measure.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/bounded"
	"pathspan/build/record"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/measure"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/report"
)

type measureFlags struct {
	buildFlags
	targetFlags
	runs      int
	json      bool
	overheads bool
	output    string
	clock     float64
}

const measureUsage = "measure [-p N[,N...]] [--platform P.yaml] [--mapping M.yaml] APP.pspan|SOURCE... [-- ARGUMENTS...]"

func measureCmd() *cobra.Command {
	var o measureFlags
	cmd := &cobra.Command{
		Use:   measureUsage,
		Short: "Time a program on this machine, sequential and with its sections in parallel",
		Long: `Measure builds the program twice, plain and parallel, and runs both in turn on this
machine. Each processor of the platform is a pinned thread; each section runs on the
thread that the mapping says, in its order, and worksharing loops share their iterations
among the threads and by the schedule that it says. The models, clocks and overheads of a
platform play no part: its processors all are this machine's. A program that makes tasks
runs with LLVM's OpenMP library, which takes no more of a mapping than how many processors
there are.

A bundle stands for its sources, as they were profiled, its flags and its arguments.

Every run must print and exit with what the plain program does. What it prints goes to
standard error, once; --quiet drops it.

With --overheads measure times regions with sections of equal length instead and writes
what creating and synchronising cost here as a platform file.`,
		Example: "  pathspan measure -p 2 app.c -- input.dat\n  pathspan measure -p 4 --mapping m.yaml -n 20 app.c\n  pathspan measure --overheads -p 2 --model host.yaml -o host-platform.yaml",
	}
	f := cmd.Flags()
	o.timed = true
	o.buildFlags.add(f)
	o.targetFlags.add(f, "2")
	addRuns(f, &o.runs, "runs of each, after one that is not counted")
	f.BoolVar(&o.overheads, "overheads", false, "measure creating and synchronising instead of a program")
	f.StringVarP(&o.output, "output", "o", "", "platform `file` to write with --overheads (default: standard output)")
	f.Float64Var(&o.clock, "clock-mhz", 0, "clock of this machine in `MHz`, to give --overheads in cycles (default: the model's)")
	addJSON(f, &o.json, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.conflicts(f, args); err != nil {
			return err
		}
		ctx, caught, done := interruptible(cmd.Context())
		defer done()
		if o.overheads {
			return o.measureOverheads(ctx, cmd)
		}
		sources, arguments, err := split(cmd, args, measureUsage)
		if err != nil {
			return err
		}
		bundle, err := o.recorded(cmd, sources, &arguments)
		if err != nil {
			return err
		}
		err = o.run(ctx, cmd, bundle, sources, arguments)
		if s := caught(); err != nil && s != 0 {
			return stopped(s, "measure: stopped by a signal; nothing was reported")
		}
		return err
	}
	return cmd
}

// conflicts reports flags that exclude each other or do nothing together.
func (o *measureFlags) conflicts(f *pflag.FlagSet, args []string) error {
	switch {
	case o.runs < 1:
		return fmt.Errorf("-n %d: want a number of runs from 1", o.runs)
	case o.overheads && len(args) > 0:
		return fmt.Errorf("--overheads measures a program of its own; leave out %s", args[0])
	case o.overheads && (o.platform != "" || o.mappings != nil):
		return errors.New("--overheads takes -p N, no platform or mapping")
	case o.overheads && o.planFile != "":
		return errors.New("--overheads measures a program of its own; leave out --plan")
	case o.overheads && o.json:
		return errors.New("--overheads writes a platform file in YAML; leave out --json")
	case !o.overheads && (o.output != "" || f.Changed("clock-mhz")):
		return errors.New("-o and --clock-mhz belong to --overheads; add it")
	case !o.overheads && o.model != "":
		return errors.New("--model plays no part in a measurement; it names the model of the platform that --overheads writes")
	}
	return o.targetFlags.check()
}

func (o *measureFlags) run(ctx context.Context, cmd *cobra.Command, bundle *profile.Bundle, sources, arguments []string) error {
	name := sources[0]
	if bundle != nil {
		var err error
		if sources, err = recordedSources(bundle, name); err != nil {
			return err
		}
	}
	platforms, err := o.platforms(2)
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
	b, err := w.Costed(ctx, w.options)
	if err != nil {
		return compilerError(cmd, err)
	}
	if bundle != nil {
		if err := sameRegions(bundle, name, b); err != nil {
			return err
		}
	}
	if b, err = o.deepened(ctx, cmd, w, b, platforms, files); err != nil {
		return err
	}
	plan := measure.Plan{Recorder: w.Recorder, Args: arguments, Repeat: o.runs}
	if plan.Plain, err = w.Plain(ctx, b); err != nil {
		return compilerError(cmd, err)
	}
	if plan.Parallel, err = w.Parallel(ctx, b); err != nil {
		return compilerError(cmd, err)
	}
	if plan.Input, err = input(cmd.InOrStdin()); err != nil {
		return err
	}
	plan.Stdout, plan.Stderr = cmd.ErrOrStderr(), cmd.ErrOrStderr() // nowhere with --quiet
	plan.Progress = func(done, all int) {
		w.shown.part(float64(done)/float64(all), "run %d of %d", done+1, all)
		w.shown.setPaused(done == 0) // the first run prints
	}
	host, err := measure.ThisHost()
	if err != nil {
		return err
	}
	out := &report.Measurements{Program: filepath.Base(name), Processors: len(host.CPUs), Cores: host.Cores}
	var names []report.Measurement
	for _, pl := range platforms {
		n := len(pl.Processors)
		program := b.Program.WithTeams(n)
		for _, file := range files {
			m, err := mapping.Resolve(pl, file.mapping, program)
			if err != nil {
				return err
			}
			p := measure.Mapping{Name: file.in(program), Resolved: m}
			enough := false
			p.CPUs, p.Spin, enough = host.Place(n)
			if program.HasTasks() {
				p.Threads = m.LargestTeam()
				out.Notes = addNotes(out.Notes, "the program makes tasks, so LLVM's OpenMP library runs it and decides where its tasks, sections and iterations go: of a mapping only how many processors the largest team has counts")
			}
			plan.Mappings = append(plan.Mappings, p)
			names = append(names, report.Measurement{Result: estimate.Result{Technique: "measure", Processors: n, Mapping: file.in(program)}})
			if !enough {
				out.Notes = append(out.Notes, fmt.Sprintf("%d threads share %d cores of this machine: their speed-up is not that of %d processors", n, host.Cores, n))
			}
			out.Notes = addNotes(out.Notes, m.LeftOut(program, file.name)...)
		}
	}
	out.Notes = append(append(out.Notes, b.PlanNotes()...), busy()...)
	w.shown.step("comparing what the programs print")
	res, err := plan.Run(ctx)
	w.shown.done()
	if err != nil {
		return fmt.Errorf("measure: %w", err)
	}
	if res.OneThread {
		out.Notes = append(out.Notes, "without OpenMP the program computes something else (private variables, for example); the sequential runs are those of the parallel program on one thread")
	}
	out.Fill(res.Sequential.Summary(), names, res.Parallel)
	return show(cmd, o.json, out, out.Text)
}

// deepened builds the program again where mappings have other depths for buffers of pipelines than its plan: it is one
// program that runs, so that all of them must have the same.
func (o *measureFlags) deepened(ctx context.Context, cmd *cobra.Command, w *workshop, b *record.Built, platforms []*mapping.Platform, files []mappingFile) (*record.Built, error) {
	var first *mapping.Resolved
	for _, pl := range platforms {
		program := b.Program.WithTeams(len(pl.Processors))
		for _, file := range files {
			m, err := mapping.Resolve(pl, file.mapping, program)
			if err != nil {
				return nil, err
			}
			if first == nil {
				first = m
			}
			if !mapping.SameDepths(first, m, program) {
				return nil, fmt.Errorf("%s and %s have other depths for the buffers of stages, which are built into the program: measure one after the other", files[0].name, file.name)
			}
		}
	}
	if first == nil || first.Depths == nil {
		return b, nil
	}
	var err error
	if w.options.Plan, err = b.Deepened(first.Pipelines(b.Program)); err != nil {
		return nil, err
	}
	again, err := w.Costed(ctx, w.options)
	if err != nil {
		return nil, compilerError(cmd, err)
	}
	return again, nil
}

// input reads standard input for all runs; a terminal is left alone.
func input(r io.Reader) ([]byte, error) {
	if f, ok := r.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return nil, nil
		}
	}
	data, err := bounded.Read(r, bounded.Profile)
	if err != nil {
		return nil, fmt.Errorf("measure: standard input, which every run gets: %w", err)
	}
	return data, nil
}

// busy says when others load this machine, as far as the operating system tells.
func busy() []string {
	data, err := os.ReadFile("/proc/loadavg")
	var load float64
	if err != nil {
		return nil
	}
	if _, err := fmt.Sscan(string(data), &load); err != nil || load < 0.5 {
		return nil
	}
	return []string{fmt.Sprintf("other work kept %.1f of this machine's processors busy before the runs", load)}
}

// measureOverheads writes what our run-time library costs here as a platform.
func (o *measureFlags) measureOverheads(ctx context.Context, cmd *cobra.Command) error {
	n := 2
	if o.processors != nil {
		n = o.processors[0]
	}
	if len(o.processors) > 1 {
		return errors.New("--overheads measures one number of processors; give one with -p")
	}
	if o.output != "" {
		if err := writable(o.output); err != nil {
			return err
		}
	}
	clock, err := o.hostClock()
	if err != nil {
		return err
	}
	w, err := o.workshop(cmd, []string{"overheads.c"})
	if err != nil {
		return err
	}
	defer w.close()
	w.shown.step("measuring what regions cost on %d threads", n)
	over, err := measure.MeasureOverheads(ctx, w.Recorder, n)
	w.shown.done()
	if err != nil {
		return err
	}
	var notes []string
	if host, err := measure.ThisHost(); err == nil && n > host.Cores {
		notes = append(notes, fmt.Sprintf("%d threads shared %d cores of this machine", n, host.Cores))
	}
	notes = append(notes, busy()...)
	text := report.OverheadsYAML(over, o.model, clock, notes)
	if o.output == "" {
		_, err = io.WriteString(cmd.OutOrStdout(), text)
		return err
	}
	if err := writeFile(o.output, []byte(text)); err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: creating %s, synchronising %s (medians of %d regions); wrote %s\n", over.Create.Median, over.Sync.Median, over.Executions, o.output)
	return nil
}

// hostClock returns the clock that turns times into cycles, in MHz.
func (o *measureFlags) hostClock() (float64, error) {
	if o.clock < 0 {
		return 0, fmt.Errorf("--clock-mhz %g: want a clock above 0", o.clock)
	}
	if o.clock > 0 {
		return o.clock, nil
	}
	if o.model != "" {
		m, err := procmodels.Open(o.model, "")
		if err != nil {
			return 0, fileError("--model", o.model, fmt.Errorf("--model: %w", err))
		}
		defer closeModel(m)
		if mhz := m.Describe().ClockMHz; mhz > 0 {
			return mhz, nil
		}
	}
	return 0, errors.New("--overheads gives cycles: name this machine's model with --model (pathspan model fit --host -o host.yaml makes one), or its clock with --clock-mhz")
}
