package main

// This file is the subcommand model shim: SHIM files checked.

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"pathspan/procmodels/shim"
)

func modelShimCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shim",
		Short: "Work with SHIM (IEEE 2804) descriptions",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("model shim: no subcommand %q; pathspan model shim --help lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	var all bool
	lint := &cobra.Command{
		Use:     "lint FILE",
		Short:   "Say what is wrong with a SHIM file; exit status 1 when something is",
		Example: "  pathspan model shim lint board.xml",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("model shim lint: give one file; usage: pathspan model shim lint board.xml")
			}
			return lintShim(cmd.OutOrStdout(), args[0], all)
		},
	}
	lint.Flags().BoolVar(&all, "all", false, "one line for each place, where findings alike share one")
	cmd.AddCommand(lint)
	return cmd
}

func lintShim(w io.Writer, path string, all bool) error {
	findings := shim.Lint(path)
	if len(findings) == 0 {
		fmt.Fprintf(w, "%s: nothing wrong\n", path)
		return nil
	}
	if all {
		for _, f := range findings {
			fmt.Fprintln(w, f)
		}
	} else {
		groups := shim.GroupFindings(findings)
		for _, g := range groups {
			fmt.Fprintln(w, g)
		}
		if len(groups) < len(findings) {
			fmt.Fprintf(w, "%d findings of %d kinds; --all lists each\n", len(findings), len(groups))
		}
	}
	return exitStatus(1)
}
