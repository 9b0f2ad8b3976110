package main

// This file is the subcommand validate.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/bounded"
	"pathspan/build/toolchain"
	"pathspan/report"
	"pathspan/testdata/bench"
	"pathspan/validate"
	"pathspan/validate/ledger"
)

type validateFlags struct {
	levels                     []string
	processors                 []int
	models                     []string
	size, platform, overheads  string
	clang, host                string
	cflags                     []string
	plan                       string
	output, against, failAbove string
	worse                      float64 // points of a per cent
	references                 []string
	jobs, runs                 int
	measure, template, memory  bool
	json, summary              bool
	target                     string // the machine that programs are for
	index                      []*bench.Program
}

func validateCmd() *cobra.Command {
	var o validateFlags
	cmd := &cobra.Command{
		Use:   "validate [DIR|PROGRAM...|SOURCE... [-- ARGUMENTS...]]",
		Short: "Hold estimates against exact replay, measured runs and figures of your own",
		Long: `Validate builds, profiles, estimates and replays benchmarks, and prints how far the
estimates of the speed-up are from the references, in tables like those of the paper.
Without arguments it takes the benchmarks that are part of pathspan; PROGRAM names some
of them, DIR is a folder with a bench.yaml of your own; SOURCE... are those of one
program, with the arguments of its run.

References: exact replay, always; runs on this machine with --measure, for numbers of
processors that it has; figures measured elsewhere with --reference FILE, a CSV file
whose template --reference-template prints.

Of figures measured elsewhere it says what the error comes from: technique, memory (with
--memory), block costs, overheads (of three programs or more), and the rest; and of which
pairs of runs the faster one was foreseen. Rows that match no program are errors.

The error is that of the speed-up, estimated / reference - 1. --fail-above holds the
mean absolute error of pb against a limit, for each reference and model: alone, the
error on programs whose index does not say that pb loses something; with --against, the
increase of the error on rows that both ledgers have.

A program that prints something else than expected in any of its runs fails, and with
it the validation; the others go on. Of sources the first run says what is expected.`,
		Example: "  pathspan validate\n  pathspan validate --levels 2 -p 2 app.c -- input.dat\n  pathspan validate dijkstra jpeg --levels 2 -p 2,4\n  pathspan validate -o ledger.json --against committed --fail-above 0.5%\n  pathspan validate --measure --model host.yaml -p 2 --size large\n  pathspan validate --reference-template > board.csv",
	}
	f := cmd.Flags()
	f.StringSliceVar(&o.levels, "levels", []string{"0", "2"}, "optimisation `levels`")
	o.processors = []int{2, 3, 4}
	addProcessors(f, &o.processors, "`numbers` of processors, as 1-4,8")
	f.StringVar(&o.size, "size", string(bench.Small), "`size` of the inputs: tiny, small or large")
	f.StringSliceVar(&o.models, "model", nil, "processor `models`: built-in names or files (default generic)")
	f.StringVar(&o.platform, "platform", "", "platform `file` (YAML), whose first processors are taken; default: equal processors")
	f.StringVar(&o.overheads, "overheads", "", "`CREATE,SYNC` cycles of each region and processor; default: the platform's or model's, measured ones for --measure")
	f.BoolVar(&o.measure, "measure", false, "time parallel runs on this machine; wants --model of this machine, or --platform")
	addRuns(f, &o.runs, "timed runs of each program, sequential and parallel")
	f.StringVar(&o.host, "host", "", "`name` of this machine in the ledger (default: its processor's)")
	f.Var(listFlag{&o.references}, "reference", "CSV `files` of figures measured elsewhere")
	f.BoolVar(&o.template, "reference-template", false, "print the CSV file to fill in, and do nothing else")
	f.StringVarP(&o.output, "output", "o", "", "ledger `file` to write (JSON)")
	f.StringVar(&o.against, "against", "", "ledger `file` to compare with; committed is that of this version")
	f.Float64Var(&o.worse, "worse", 0.1, "with --against, list rows whose error grew by more than this many `points` of a per cent")
	f.StringVar(&o.failAbove, "fail-above", "", "`limit` of pb's mean error, or of its increase with --against: 1% or 1")
	f.IntVar(&o.jobs, "jobs", 0, "`programs` to build and run at a time, timed runs excepted (default: the number of processors)")
	f.StringArrayVar(&o.cflags, "cflags", nil, "`flags` to compile sources with, as in a shell; may be repeated")
	addPlan(f, &o.plan)
	addClang(f, &o.clang, "")
	addTarget(f, &o.target)
	f.BoolVar(&o.memory, "memory", false, "record and replay accesses, for a --platform with memory: takes 7 to 41 times as long")
	f.BoolVar(&o.summary, "summary", false, "print mean errors only")
	f.BoolVar(&o.json, "json", false, "print the ledger")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		limit, err := o.check(f)
		if err != nil {
			return err
		}
		programs, err := o.programs(cmd, args)
		if err != nil {
			return err
		}
		if o.template {
			return validate.WriteTemplate(cmd.OutOrStdout(), programs, bench.Size(o.size), o.levels, o.processors)
		}
		return o.run(cmd, programs, limit)
	}
	return cmd
}

// check reports flags that exclude each other or make no sense, and reads the limit,
// which is negative when there is none.
func (o *validateFlags) check(f *pflag.FlagSet) (limit float64, err error) {
	limit = -1
	switch {
	case len(o.levels) == 0:
		return 0, errors.New("--levels: none named; want some of 0, 1, 2, 3 and s")
	case len(o.processors) == 0:
		return 0, errors.New("-p: no number of processors named")
	case !slices.Contains(bench.Sizes(), bench.Size(o.size)):
		return 0, fmt.Errorf("--size %q: want tiny, small or large", o.size)
	case o.measure && o.target != "":
		return 0, errors.New("--measure times runs on this machine, and --target is another; leave one of them out")
	case o.models != nil && o.platform != "":
		return 0, errors.New("--model and --platform exclude each other: the platform file names its processors' models")
	case o.measure && o.models == nil && o.platform == "":
		return 0, errors.New("--measure compares with a model of this machine: make one with pathspan model fit and name it with --model")
	case o.measure && len(o.models) > 1:
		return 0, errors.New("--measure compares with one model; give --model once")
	case !o.measure && (f.Changed("runs") || f.Changed("host")):
		return 0, errors.New("--runs and --host are about timed runs; add --measure")
	case o.runs < 1:
		return 0, fmt.Errorf("--runs %d: want 1 or more", o.runs)
	case f.Changed("jobs") && o.jobs < 1:
		return 0, fmt.Errorf("--jobs %d: want 1 or more", o.jobs)
	case o.against == "" && f.Changed("worse"):
		return 0, errors.New("--worse chooses what --against lists; add --against")
	case !(o.worse >= 0):
		return 0, fmt.Errorf("--worse %g: want 0 or more", o.worse)
	case o.json && o.summary:
		return 0, errors.New("--json prints the whole ledger; leave --summary out")
	}
	for i, level := range o.levels {
		if err := toolchain.CheckLevel(level); err != nil {
			return 0, err
		}
		if slices.Contains(o.levels[:i], level) {
			return 0, fmt.Errorf("--levels: %s is there twice", level)
		}
	}
	if o.failAbove != "" {
		return percentFlag("fail-above", o.failAbove)
	}
	return limit, nil
}

// programs returns what is to be validated: the program that sources are of, or benchmarks.
func (o *validateFlags) programs(cmd *cobra.Command, args []string) ([]*bench.Program, error) {
	names, arguments := args, []string(nil)
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		names, arguments = args[:at], args[at:]
	}
	if !slices.ContainsFunc(names, isSource) {
		switch {
		case o.cflags != nil:
			return nil, errors.New("--cflags are for sources; benchmarks have theirs in " + bench.IndexName)
		case o.plan != "":
			return nil, errors.New("--plan is for sources; benchmarks have pragmas")
		case arguments != nil:
			return nil, errors.New("arguments behind -- are for sources; benchmarks have theirs in " + bench.IndexName)
		}
		list, index, err := validated(names)
		o.index = index
		for _, p := range list {
			if err == nil && !p.Has(bench.Size(o.size)) {
				err = fmt.Errorf("--size %s: %s has no input of that size; give it one in its %s", o.size, p.Name, bench.IndexName)
			}
		}
		return list, err
	}
	if f := cmd.Flags(); f.Changed("size") || o.template || o.references != nil {
		return nil, errors.New("--size, --reference and --reference-template are about benchmarks; leave them out, or put the program into a folder with a " + bench.IndexName)
	}
	opt, _, err := (&buildFlags{level: "2", cflags: o.cflags, clang: o.clang, planFile: o.plan, target: o.target}).options(names)
	if err != nil {
		return nil, err
	}
	program := bench.Of(names, opt.CFlags, arguments)
	program.Plan = opt.Plan
	return []*bench.Program{program}, nil
}

// isSource tells a source from the name of a benchmark or of a folder.
func isSource(name string) bool {
	info, err := os.Stat(name)
	return len(filepath.Ext(name)) > 1 && (err != nil || !info.IsDir())
}

// validated returns the programs that the arguments name, a folder's, those of this
// binary, or some of them, and all that these are of.
func validated(args []string) (chosen, list []*bench.Program, err error) {
	list, err = bench.Load()
	where := "pathspan validate --reference-template lists them"
	if len(args) > 0 {
		if info, e := os.Stat(args[0]); e == nil && info.IsDir() {
			dir := args[0]
			args, where = args[1:], filepath.Join(dir, bench.IndexName)+" lists them"
			if list, err = bench.Read(os.DirFS(dir)); err != nil {
				err = fmt.Errorf("%s: %w", dir, err)
			}
		}
	}
	if err != nil || len(args) == 0 {
		return list, list, err
	}
	for _, name := range args {
		i := slices.IndexFunc(list, func(p *bench.Program) bool { return p.Name == name })
		switch {
		case i < 0:
			return nil, nil, fmt.Errorf("%s: no benchmark of that name, and no folder; %s", name, where)
		case slices.Contains(chosen, list[i]):
			return nil, nil, fmt.Errorf("%s is named twice", name)
		}
		chosen = append(chosen, list[i])
	}
	return chosen, list, nil
}

// run validates, shows and judges.
func (o *validateFlags) run(cmd *cobra.Command, programs []*bench.Program, limit float64) error {
	old, err := o.older()
	if err != nil {
		return err
	}
	if o.output != "" {
		if err := writable(o.output); err != nil {
			return err
		}
	}
	v := &validate.Validation{Programs: programs, Size: bench.Size(o.size), Levels: o.levels, Jobs: o.parallelJobs(), Memory: o.memory}
	if v.Platforms, err = o.platforms(); err != nil {
		return err
	}
	if o.memory && v.Platforms[0].Hierarchy == nil {
		return errors.New("--memory is for a --platform that says what memory takes (memory:)")
	}
	if v.References, err = o.figures(); err != nil {
		return err
	}
	if err := o.checkFigures(cmd, v); err != nil {
		return err
	}
	if o.measure {
		v.Measure = &validate.Measuring{Repeat: o.runs, Host: o.hostName()}
	}
	_, v.Toolchain, err = (&buildFlags{level: "2", clang: o.clang, target: o.target}).options(programs[0].Files)
	if err != nil {
		return err
	}
	dir, clean, err := workFolder(false, "")
	if err != nil {
		return err
	}
	defer clean()
	v.Dir = dir
	shown := newProgress(cmd)
	defer shown.done()
	v.Progress = func(begun, all int, step string) {
		shown.part(float64(begun-1)/float64(all), "%d of %d: %s", begun, all, step)
	}
	ctx, caught, done := interruptible(cmd.Context())
	defer done()
	res, err := v.Run(ctx)
	shown.done()
	if err != nil {
		if s := caught(); s != 0 {
			return stopped(s, "validate: stopped by a signal; no ledger was written")
		}
		return err
	}
	if !o.measure {
		res.Notes = append(res.Notes, "no parallel runs were timed; --measure does so, with --model of this machine (pathspan model fit --host)")
	}
	to := textOut(cmd)
	if o.json {
		to = cmd.OutOrStdout()
	}
	return o.show(to, res, old, limit)
}

// show prints the result, writes the ledger and says whether the validation holds.
func (o *validateFlags) show(w io.Writer, res *validate.Result, old *ledger.Ledger, limit float64) error {
	var failures []string
	for _, f := range res.Failures {
		failures = append(failures, f.String())
	}
	var comparison *ledger.Comparison
	if old != nil {
		comparison = res.Ledger.Against(old, o.worse/100)
	}
	if o.json {
		if err := res.Ledger.Write(w); err != nil {
			return err
		}
	} else {
		if err := report.AccuracyText(w, &report.Accuracy{Ledger: res.Ledger, Summary: o.summary, Failures: failures, Notes: res.Notes}); err != nil {
			return err
		}
		if comparison != nil {
			fmt.Fprintln(w)
			if err := report.AgainstText(w, o.against, comparison); err != nil {
				return err
			}
		}
	}
	if n := len(failures); n > 0 {
		return fmt.Errorf("validate: %d of the builds failed, the first: %s", n, failures[0])
	}
	if o.output != "" {
		if err := res.Ledger.WriteFile(o.output); err != nil {
			return fmt.Errorf("-o %s: %w", o.output, bounded.Reason(err))
		}
	}
	if limit < 0 {
		return nil
	}
	if comparison != nil {
		return found(comparison.Grown(limit))
	}
	return found(res.Ledger.Above(limit))
}
