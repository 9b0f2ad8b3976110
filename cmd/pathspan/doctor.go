package main

// This file is the subcommand doctor.

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"pathspan/doctor"
	"pathspan/report"
)

func doctorCmd() *cobra.Command {
	var clang string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Check what pathspan can do here, and say what to install",
		Long: `Doctor looks for LLVM and the tools that commands use, profiles a small program from
its source to an estimate, and lists plugins, caches and what it knows of the terminal.
For what is missing it gives the command that installs it on Debian and Ubuntu. It
ends with status 1 when nothing can be profiled.`,
		Example: "  pathspan doctor\n  pathspan doctor --clang 19 --json",
		Args:    cobra.NoArgs,
	}
	cmd.Flags().StringVar(&clang, "clang", "", "`clang` to check, as for profile")
	addJSON(cmd.Flags(), &asJSON, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		shown := newProgress(cmd)
		r := doctor.Examine(cmd.Context(), doctor.Options{Clang: clang, Version: version(), Terminal: terminal(cmd), Step: func(s string) { shown.step("%s", s) }})
		shown.done()
		w := cmd.OutOrStdout()
		if asJSON {
			if err := report.JSON(w, r); err != nil {
				return err
			}
		} else {
			p := paintFor(cmd, w)
			if err := r.Text(w, func(state, line string) string {
				switch state {
				case "":
					return p.bold(line)
				case doctor.Missing:
					return p.bad(line)
				case doctor.Optional:
					return p.note(line)
				}
				return line
			}); err != nil {
				return err
			}
		}
		if !r.Usable {
			return errors.New("doctor: pathspan profile cannot work here; see above for what to install")
		}
		return nil
	}
	return cmd
}

// terminal tells what is known of standard output and error.
func terminal(cmd *cobra.Command) []string {
	kind := func(w any) string {
		if isTerminal(w) {
			return "a terminal"
		}
		return "no terminal"
	}
	colours := "without colours"
	if paintFor(cmd, cmd.OutOrStdout()) {
		colours = "with colours"
	}
	return []string{fmt.Sprintf("standard output is %s, %s (TERM=%s, NO_COLOR=%s); standard error is %s", kind(cmd.OutOrStdout()), colours, os.Getenv("TERM"), os.Getenv("NO_COLOR"), kind(cmd.ErrOrStderr()))}
}
