package main

// This file assembles the subcommands and turns errors into one line and a status.

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/procmodels/plugin"
)

// exitStatus is an error that ends pathspan with a status and without a message:
// that of the profiled program.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// run executes one command line and returns its exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) (status int) {
	defer plugin.Cleanup()
	defer func() {
		if r := recover(); r != nil {
			fmt.Fprintf(stderr, "pathspan: internal error: %v; please report it with the command line and the files\n", r)
			if debugging() {
				stderr.Write(debug.Stack())
			}
			status = 70
		}
	}()
	root := &cobra.Command{
		Use:           "pathspan",
		Short:         "Profile a program once, estimate the speed-up of any mapping of its OpenMP sections",
		SilenceErrors: true,
		SilenceUsage:  true,
		Version:       version(),
		CompletionOptions: cobra.CompletionOptions{
			HiddenDefaultCmd: true,
		},
	}
	root.SetVersionTemplate("pathspan {{.Version}}\n")
	root.AddCommand(profileCmd(), mergeCmd(), inspectCmd(), graphCmd(), estimateCmd(), exploreCmd(), whyCmd(), serveCmd(), replayCmd(), measureCmd(), validateCmd(), modelCmd(), doctorCmd())
	for _, c := range root.Commands() {
		c.DisableFlagsInUseLine = true
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		// The reason in terms of Go's parser tells a user nothing.
		what, _, _ := strings.Cut(err.Error(), ": strconv.")
		return fmt.Errorf("%s; %s --help lists the flags", what, cmd.CommandPath())
	})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.Execute()
	var own exitStatus
	switch {
	case err == nil:
		return 0
	case errors.As(err, &own):
		return int(own)
	case strings.HasPrefix(err.Error(), "unknown command"):
		err = fmt.Errorf("%s; pathspan --help lists them", strings.Split(err.Error(), "\n")[0])
	}
	fmt.Fprintf(stderr, "pathspan: %s\n", strings.TrimSpace(err.Error()))
	return 1
}

// version is that of the module's build.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "(devel)"
	}
	return info.Main.Version
}
