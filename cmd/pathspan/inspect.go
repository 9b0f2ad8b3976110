package main

// This file is the subcommand inspect.

import (
	"errors"

	"github.com/spf13/cobra"

	"pathspan/report"
)

func inspectCmd() *cobra.Command {
	var opt report.InspectOptions
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect APP.pspan",
		Short: "Show what a bundle holds: provenance, functions, loops, paths",
		Long: `Inspect prints where a bundle comes from, the parallel regions it knows, and for each
function that ran its loops and the paths that were taken most, by source lines.`,
		Example: "  pathspan inspect app.pspan\n  pathspan inspect app.pspan --function main --paths 0",
	}
	f := cmd.Flags()
	f.StringVar(&opt.Function, "function", "", "only the function of this `name`")
	f.IntVar(&opt.Paths, "paths", 5, "`number` of paths to show of each level, 0 for all")
	f.IntVar(&opt.Functions, "functions", 20, "`number` of functions to show, 0 for all")
	f.BoolVar(&asJSON, "json", false, "print one JSON object with everything")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errors.New("inspect: give one bundle; usage: pathspan inspect app.pspan")
		}
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		if asJSON {
			return report.InspectJSON(cmd.OutOrStdout(), b, opt)
		}
		return report.Inspect(textOut(cmd), b, opt)
	}
	return cmd
}
