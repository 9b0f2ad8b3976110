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

	"github.com/kballard/go-shellquote"
	"github.com/spf13/cobra"

	"pathspan/ir/toolchain"
	"pathspan/pathprof/record"
	"pathspan/report"
)

func debugging() bool { return os.Getenv("PATHSPAN_DEBUG") != "" }

func profileCmd() *cobra.Command {
	var output, level, clang string
	var cflags []string
	var keep, vectorize, threads, quiet bool
	cmd := &cobra.Command{
		Use:   "profile [-o app.pspan] [-O2] [--cflags FLAGS] SOURCE... [-- ARGUMENTS...]",
		Short: "Compile a program, run it once and write its profile bundle",
		Long: `Profile compiles SOURCE (.c, .cc, .cpp, .ll or .bc, any number), makes its OpenMP
sections sequential and delimited, counts the paths of one run with ARGUMENTS, and
writes a bundle that estimate, inspect and graph read.

The program keeps its standard streams, working directory and arguments, and its
exit status becomes that of pathspan.`,
		Example: "  pathspan profile -o app.pspan main.c util.c -- input.dat\n  pathspan profile --cflags '-Iinclude -DSMALL' app.c",
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "bundle `file` to write (default: the first source's name with .pspan)")
	f.StringVarP(&level, "optimise", "O", "2", "optimisation `level`: 0, 1, 2, 3 or s")
	f.StringArrayVar(&cflags, "cflags", nil, "`flags` for the compiler, as in a shell; may be repeated")
	f.StringVar(&clang, "clang", "", "`clang` to use: a path, a command or a version (default: $"+toolchain.EnvClang+", else the newest of 14 to 22)")
	f.BoolVarP(&keep, "keep", "k", false, "keep the intermediate files in a folder beside the bundle")
	f.BoolVar(&vectorize, "vectorize", false, "let the optimiser vectorise, for targets that have vectors")
	f.BoolVar(&threads, "threads", false, "the program starts threads in a library: count atomically")
	f.BoolVarP(&quiet, "quiet", "q", false, "print nothing but errors")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		sources, arguments := args, []string(nil)
		if at := cmd.ArgsLenAtDash(); at >= 0 {
			sources, arguments = args[:at], args[at:]
		}
		if len(sources) == 0 {
			return errors.New("profile: no source given; usage: pathspan profile [-o app.pspan] SOURCE... [-- ARGUMENTS...]")
		}
		if err := toolchain.CheckLevel(level); err != nil {
			return err
		}
		var flags []string
		for _, s := range cflags {
			words, err := shellquote.Split(s)
			if err != nil {
				return fmt.Errorf("--cflags %q: %s; quote it as in a shell", s, strings.ToLower(err.Error()))
			}
			flags = append(flags, words...)
		}
		if err := toolchain.CheckExtra(flags); err != nil {
			return err
		}
		tc, err := toolchain.Find(clang)
		if err != nil {
			return err
		}
		if output == "" && !f.Changed("output") {
			base := filepath.Base(sources[0])
			output = strings.TrimSuffix(base, filepath.Ext(base)) + ".pspan"
		}
		if err := writable(output); err != nil {
			return err
		}
		dir := output + ".files"
		if keep {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return fmt.Errorf("-k: folder %s cannot be made: %w", dir, reason(err))
			}
		} else {
			if dir, err = os.MkdirTemp("", "pathspan-"); err != nil {
				return fmt.Errorf("no folder for temporary files in %s: %w; set TMPDIR to one that can be written", os.TempDir(), reason(err))
			}
			defer os.RemoveAll(dir)
		}
		if dir, err = filepath.Abs(dir); err != nil {
			return err
		}
		r := &record.Recorder{Toolchain: tc, Dir: dir, Warnings: cmd.ErrOrStderr()}
		// Until the program runs, signals end the build; then they are the program's.
		building, done := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
		defer done()
		built, err := r.Build(building, record.Options{Sources: sources, Level: level, CFlags: flags, Vectorize: vectorize, Threads: threads})
		if err != nil {
			if building.Err() != nil {
				return errors.New("profile: stopped by a signal before the program ran; no bundle was written")
			}
			return compilerError(cmd, err)
		}
		done()
		// A closed pipe behind the program is no reason for us to die before the bundle
		// is written. Caught rather than ignored, for the program would inherit that.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
		bundle, status, err := r.Run(cmd.Context(), built, arguments, record.Streams{Stdin: cmd.InOrStdin(), Stdout: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr()})
		if err != nil {
			return err
		}
		bundle.Provenance.Tool = version()
		if err := writeBundle(bundle, output); err != nil {
			return err
		}
		if !quiet {
			report.Profiled(cmd.ErrOrStderr(), bundle, output)
			if keep {
				fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: intermediate files are in %s.files\n", output)
			}
		}
		if status.Signal != 0 {
			fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: the program %s; the bundle holds what ran until then\n", status)
			return exitStatus(128 + int(status.Signal))
		}
		if status.Exit != 0 {
			return exitStatus(status.Exit)
		}
		return nil
	}
	return cmd
}

// compilerError prints a tool's own messages in full before the one-line summary,
// which says it all where there is only one.
func compilerError(cmd *cobra.Command, err error) error {
	var te *toolchain.Error
	if errors.As(err, &te) && strings.Count(strings.TrimSpace(te.Stderr), "\n") > 0 {
		fmt.Fprint(cmd.ErrOrStderr(), te.Stderr)
	}
	return err
}
