package main

// This file is the subcommand inspect.

import (
	"io"

	"github.com/spf13/cobra"

	"pathspan/report"
)

func inspectCmd() *cobra.Command {
	var opt report.InspectOptions
	var functions int
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect APP.pspan",
		Short: "Show what a bundle holds: provenance, functions, loops, paths",
		Long: `Inspect prints where a bundle comes from, the parallel regions it knows, and for each
function that ran its loops and the paths that were taken most, by source lines.`,
		Example: "  pathspan inspect app.pspan\n  pathspan inspect app.pspan --function main --paths 0",
		Args:    oneBundle("pathspan inspect app.pspan"),
	}
	f := cmd.Flags()
	f.StringVar(&opt.Function, "function", "", "only the function of this `name`")
	f.IntVar(&opt.Paths, "paths", 5, "`number` of paths to show of each level, 0 for all")
	f.IntVar(&functions, "functions", 20, "`number` of functions to show, 0 for all")
	addJSON(f, &asJSON, " with everything")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		if asJSON {
			opt.Paths = 0
		}
		in, err := report.Inspect(b, opt)
		if err != nil {
			return err
		}
		return show(cmd, asJSON, in, func(w io.Writer) error { return in.Text(w, functions) })
	}
	return cmd
}
