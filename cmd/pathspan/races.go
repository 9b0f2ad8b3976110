package main

// This file is the subcommand races.

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"pathspan/report"
)

func racesCmd() *cobra.Command {
	var items int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "races APP.pspan",
		Short: "Say which iterations, sections and tasks are not independent",
		Long: `Races lists what OpenMP lets run at the same time though it touches the same memory,
one side writing, by what a run with profile --memory did: both lines, the object, and
how often. Reductions, ordered parts, atomic accesses, what is done under a common lock,
and variables of which each thread has its own are none. What no recorded run did is not
found, nor all that the optimiser hides: a profile at -O0 tells most.`,
		Example: "  pathspan profile --memory app.c && pathspan races app.pspan",
		Args:    oneBundle("pathspan races app.pspan"),
	}
	f := cmd.Flags()
	f.IntVar(&items, "items", 20, "`number` of pairs to show, 0 for all")
	addJSON(f, &asJSON, " with everything")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if items < 0 {
			return fmt.Errorf("--items %d: want a number of pairs, or 0 for all", items)
		}
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		out, err := report.RacesOf(b)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		out.Bundle, out.Notes = filepath.Base(args[0]), report.RaceNotes(b)
		return show(cmd, asJSON, out, func(w io.Writer) error { return out.Text(w, items) })
	}
	return cmd
}
