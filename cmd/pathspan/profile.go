package main

// This file is the subcommand profile.

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/report"
)

func debugging() bool { return os.Getenv("PATHSPAN_DEBUG") != "" }

func profileCmd() *cobra.Command {
	var o buildFlags
	var output string
	var keep, asJSON bool
	cmd := &cobra.Command{
		Use:   "profile [-o app.pspan] [-O2] [--cflags FLAGS] SOURCE... [-- ARGUMENTS...]",
		Short: "Compile a program, run it once and write its profile bundle",
		Long: `Profile compiles SOURCE (.c, .cc, .cpp, .ll or .bc, any number), makes its OpenMP
sections sequential and delimited, counts the paths of one run with ARGUMENTS, and
writes a bundle that estimate, inspect and graph read.

--plan names loops and statements of a program without pragmas that are to be parallel,
by lines or by functions; the result is that of the program with the pragmas written
(docs/plans.md). That the parts do not depend on each other is for its writer to know.

The program keeps its standard streams, working directory and arguments, and its
exit status becomes that of pathspan. So --json prints to standard error.

With --target it is built for another machine and runs under qemu-user; pathspan doctor
says what that takes (docs/targets.md).`,
		Example: "  pathspan profile -o app.pspan main.c util.c -- input.dat\n  pathspan profile --cflags '-Iinclude -DSMALL' app.c\n  pathspan profile --target aarch64-linux-gnu app.c\n  pathspan profile --plan plan.yaml app.c",
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "bundle `file` to write (default: the first source's name with .pspan)")
	o.add(f)
	addTarget(f, &o.target)
	f.BoolVarP(&keep, "keep", "k", false, "keep the intermediate files in a folder beside the bundle")
	var pathsOnly, withMemory bool
	f.BoolVar(&withMemory, "memory", false, "record memory as well: who reads how many bytes of what others wrote, what iterations, sections and tasks leave to each other, reuse of lines of 64 bytes; the run takes 7 to 41 times as long")
	var withFlow bool
	var statements []string
	f.BoolVar(&withFlow, "flow", false, "record the flow of data as well: which calls read what others returned or wrote (pathspan flow)")
	f.StringSliceVar(&statements, "statements", nil, "`functions` whose calls --flow tells apart (default: those that call no function of the program; of a plan its stages or tasks)")
	f.BoolVar(&pathsOnly, "paths-only", false, "count paths alone: a faster run, and no execution-based estimates (eb)")
	f.BoolVar(&o.threads, "threads", false, "the program starts threads in a library: count atomically")
	addWritten(f, &asJSON, ", on standard error")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sources, arguments, err := split(cmd, args, "profile [-o app.pspan] SOURCE... [-- ARGUMENTS...]")
		if err != nil {
			return err
		}
		opt, tc, err := o.options(sources)
		if err != nil {
			return err
		}
		if pathsOnly && withMemory {
			return errors.New("profile: --paths-only leaves out what --memory tells of tasks by; give one of them")
		}
		opt.PathsOnly, opt.Memory = pathsOnly, withMemory
		if opt.Flow, err = flowOption(withFlow, statements); err != nil {
			return err
		}
		if output == "" && !f.Changed("output") {
			base := filepath.Base(sources[0])
			output = strings.TrimSuffix(base, filepath.Ext(base)) + ".pspan"
		}
		if err := writable(output); err != nil {
			return err
		}
		dir, clean, err := workFolder(keep, output+".files")
		if err != nil {
			return err
		}
		defer clean()
		shown := newProgress(cmd)
		defer shown.done()
		r := &record.Recorder{Toolchain: tc, Dir: dir, Warnings: shown.above(cmd.ErrOrStderr()), Progress: shown.part, Notice: noticeTo(cmd)}
		// Until the program runs, signals end the build; then they are the program's.
		building, caught, done := interruptible(cmd.Context())
		defer done()
		built, err := r.Build(building, opt)
		shown.pause() // the terminal is the program's, or the error's
		if err != nil {
			if s := caught(); s != 0 {
				return stopped(s, "profile: stopped by a signal before the program ran; no bundle was written")
			}
			return compilerError(cmd, err)
		}
		ours := leaveSignals(cmd.Context())
		defer ours()
		done()
		// A closed pipe behind the program is no reason for us to die before the bundle
		// is written. Caught rather than ignored, for the program would inherit that.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		bundle, status, err := r.Run(cmd.Context(), built, arguments, record.Streams{Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: errorsTo(cmd)})
		ours()
		if err != nil {
			return err
		}
		bundle.Provenance.Tool = version()
		if err := writeBundle(bundle, output); err != nil {
			return err
		}
		if asJSON {
			if err := report.JSON(errorsTo(cmd), report.NewProfile(bundle, output)); err != nil {
				return err
			}
		} else {
			report.Profiled(cmd.ErrOrStderr(), bundle, output)
			if keep {
				fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: intermediate files are in %s.files\n", output)
			}
		}
		if status.Signal != 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: the program %s; the bundle holds what ran until then\n", status)
			return exitStatus(statusSignal + int(status.Signal))
		}
		if status.Exit != 0 {
			return exitStatus(status.Exit)
		}
		return nil
	}
	return cmd
}

// flowOption is what --flow and --statements ask for, nil for nothing.
func flowOption(flow bool, statements []string) (*record.Flow, error) {
	switch {
	case !flow && len(statements) > 0:
		return nil, errors.New("profile: --statements says what --flow tells apart; give both")
	case !flow:
		return nil, nil
	}
	return &record.Flow{Functions: statements}, nil
}

// compilerError prints a tool's own messages in full before the one-line summary,
// which says it all where there is only one.
func compilerError(cmd *cobra.Command, err error) error {
	var te *toolchain.Error
	if errors.As(err, &te) && strings.Count(strings.TrimSpace(te.Stderr), "\n") > 0 {
		fmt.Fprint(errorsTo(cmd), te.Stderr)
	}
	return err
}
