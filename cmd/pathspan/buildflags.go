package main

// This file holds the flags of the subcommands that compile and run a program.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/bounded"
	"pathspan/build/plan"
	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/scratch"
)

// buildFlags say how to compile a program.
type buildFlags struct {
	level, clang       string
	cflags             []string
	vectorize, threads bool
	recordedFlags      []string // of a bundle in place of sources; before cflags
	target             string
	timed              bool // the program's time counts, so it must be this machine's
	planFile           string
	plan               *plan.Plan // of planFile, or of a bundle
}

func (o *buildFlags) add(f *pflag.FlagSet) {
	f.StringVarP(&o.level, "optimise", "O", "2", "optimisation `level`: 0, 1, 2, 3 or s")
	f.StringArrayVar(&o.cflags, "cflags", nil, "`flags` for the compiler, as in a shell; may be repeated")
	addClang(f, &o.clang, "")
	f.BoolVar(&o.vectorize, "vectorize", false, "let the optimiser vectorise, for targets that have vectors")
	addPlan(f, &o.planFile)
}

// addTarget is for subcommands that run programs of other machines.
func addTarget(f *pflag.FlagSet, to *string) {
	f.StringVar(to, "target", "", "`machine` that the program is for: aarch64-linux-gnu, arm-linux-gnueabihf or riscv64-linux-gnu; it runs under qemu-user here (default: this one)")
}

func addPlan(f *pflag.FlagSet, file *string) {
	f.StringVar(file, "plan", "", "plan `file`: loops and statements to take as parallel, as if the sources had the pragmas")
}

// readPlan reads the plan that --plan names.
func (o *buildFlags) readPlan() error {
	if o.planFile == "" {
		return nil
	}
	text, err := bounded.ReadFile(o.planFile, bounded.Text)
	if err != nil {
		return fmt.Errorf("--plan %s: %w", o.planFile, bounded.Reason(err))
	}
	o.plan, err = plan.Parse(o.planFile, text)
	return err
}

// split separates the sources from the program's arguments, which stand behind "--".
func split(cmd *cobra.Command, args []string, usage string) (sources, arguments []string, err error) {
	sources = args
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		sources, arguments = args[:at], args[at:]
	}
	if len(sources) == 0 {
		return nil, nil, errors.New(cmd.Name() + ": no source given; usage: pathspan " + usage)
	}
	return sources, arguments, nil
}

// options checks the flags and finds the compiler.
func (o *buildFlags) options(sources []string) (record.Options, *toolchain.Toolchain, error) {
	opt := record.Options{Sources: sources, Level: o.level, Vectorize: o.vectorize, Threads: o.threads, CFlags: slices.Clone(o.recordedFlags)}
	if err := toolchain.CheckLevel(o.level); err != nil {
		return opt, nil, err
	}
	for _, s := range o.cflags {
		words, err := shellquote.Split(s)
		if err != nil {
			return opt, nil, fmt.Errorf("--cflags %q: %s; quote it as in a shell", s, strings.ToLower(err.Error()))
		}
		opt.CFlags = append(opt.CFlags, words...)
	}
	if o.target != "" {
		opt.CFlags = append(opt.CFlags, "--target="+o.target)
	}
	if err := toolchain.CheckExtra(opt.CFlags); err != nil {
		return opt, nil, err
	}
	if err := o.readPlan(); err != nil {
		return opt, nil, err
	}
	opt.Plan = o.plan
	tc, err := record.Toolchain(o.clang)
	if err == nil {
		tc, err = tc.For(opt.CFlags)
	}
	if err == nil && o.timed && tc.Target != nil {
		err = fmt.Errorf("%s is a program of %s, and an emulator's time is no processor's; estimate and replay it, or time it there", sources[0], tc.Target.Name)
	}
	if err == nil {
		err = tc.Ready(slices.ContainsFunc(sources, toolchain.IsCXX), true)
	}
	return opt, tc, err
}

// workshop is where a program is built and run again: nothing of it stays.
type workshop struct {
	*record.Recorder
	options record.Options
	shown   *progress
	clean   func()
}

// workshop finds the compiler and makes a temporary folder; close ends it.
func (o *buildFlags) workshop(cmd *cobra.Command, sources []string) (*workshop, error) {
	opt, tc, err := o.options(sources)
	if err != nil {
		return nil, err
	}
	dir, clean, err := workFolder(false, "")
	if err != nil {
		return nil, err
	}
	shown := newProgress(cmd)
	r := &record.Recorder{Toolchain: tc, Dir: dir, Warnings: shown.above(cmd.ErrOrStderr()), Progress: shown.part, Notice: noticeTo(cmd)}
	return &workshop{r, opt, shown, clean}, nil
}

func (w *workshop) close() {
	w.shown.done()
	w.clean()
}

// workFolder makes the folder for intermediate files: dir when it is kept, else a
// temporary one that clean removes.
func workFolder(keep bool, dir string) (path string, clean func(), err error) {
	clean = func() {}
	if keep {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return "", nil, fmt.Errorf("-k: folder %s cannot be made: %w", dir, bounded.Reason(err))
		}
	} else {
		scratch.Sweep()
		if dir, err = scratch.Folder("pathspan-"); err != nil {
			return "", nil, err
		}
		clean = func() { scratch.Remove(dir) }
	}
	path, err = filepath.Abs(dir)
	return path, clean, err
}
