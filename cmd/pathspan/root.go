package main

// This file assembles the subcommands and runs a command line.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/spf13/cobra"

	"pathspan/procmodels/plugin"
	"pathspan/report"
	"pathspan/workers"
)

// run executes one command line and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	root := newRoot(stdout)
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetErr(stderr)
	return execute(root, stderr)
}

// execute runs the command that a tree is set to, whatever becomes of it.
func execute(root *cobra.Command, stderr io.Writer) (status int) {
	defer plugin.Cleanup()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "pathspan: internal error: %v; please report it with the command line and the files\n", r)
			if debugging() {
				stack := debug.Stack()
				if p, ok := r.(*workers.Panic); ok {
					stack = p.Stack
				}
				stderr.Write(stack)
			}
			status = statusInternal
		}
	}()
	signals := watchSignals()
	defer signals.stop()
	ctx := context.WithValue(context.Background(), stderrKey{}, stderr)
	ctx = context.WithValue(ctx, watchKey{}, signals)
	cmd, err := root.ExecuteContextC(ctx)
	var not *report.NotEstimated
	if errors.As(err, &not) && cmd.Flag("json") != nil && cmd.Flag("json").Changed {
		if err := report.JSON(root.OutOrStdout(), not); err != nil {
			return statusOf(root, err, stderr)
		}
	}
	return statusOf(root, err, stderr)
}

// newRoot makes the tree of commands, with its standard output.
func newRoot(stdout io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "pathspan",
		Short: "Profile a program once, estimate the speed-up of any mapping of its OpenMP sections",
		Long: `Pathspan counts whole paths of one run of a sequential C or C++ program. From then on
it estimates the speed-up of any mapping of the program's OpenMP sections to the
processors of a multiprocessor, and says what keeps it from more.`,
		Example:       "  pathspan profile -o app.pspan app.c -- input.dat\n  pathspan estimate app.pspan -p 1,2,4\n  pathspan doctor",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
	}
	root.SetVersionTemplate("pathspan {{.Version}}\n")
	addGlobalFlags(root)
	root.AddCommand(
		profileCmd(), ccCmd(), cxxCmd(), mergeCmd(), inspectCmd(), graphCmd(), commCmd(), racesCmd(), flowCmd(), fifoCmd(),
		estimateCmd(), exploreCmd(), whyCmd(), suggestCmd(), exportCmd(), diffCmd(), reportCmd(), serveCmd(),
		replayCmd(), measureCmd(), validateCmd(), modelCmd(),
		doctorCmd(), manCmd(),
		exitCodesTopic(), environmentTopic(),
	)
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
	}
	root.SetOut(stdout) // before completion, which holds on to it
	completionCmd(root)
	addCompletion(root)
	root.SetFlagErrorFunc(flagError)
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		cmd.SetOut(textOut(cmd))
		help(cmd, args)
		cmd.SetOut(out)
	})
	return root
}

// version is that of the module's build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "(devel)"
	}
	return info.Main.Version
}
