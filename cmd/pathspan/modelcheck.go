package main

// This file is the subcommand model check.

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pathspan/procmodels"
	"pathspan/procmodels/conform"
	"pathspan/procmodels/costcache"
	"pathspan/report"
)

func modelCheckCmd() *cobra.Command {
	var asJSON bool
	limit := conform.DefaultLimit
	cmd := &cobra.Command{
		Use:   "check NAME [--limit TIME] [--json]",
		Short: "Hold a model to the contract of processor models; exit status 3 when it breaks it",
		Long: `Check asks a model about invented programs, ordinary and unusual ones, and holds its
answers to the contract: complete, finite, the same each time and in any order, additive
where the model claims it, with ranges that fit and with what was assumed reported. A
model that needs a program's module is asked about modules of a compiler. Whether the
figures are right it cannot tell.`,
		Example: "  pathspan model check mycore.yaml\n  pathspan model check 'plugin:./mymodel?cpu=cortex-a9'",
		Args:    oneArgument("one model", "pathspan model check NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit <= 0 {
				return fmt.Errorf("--limit %v: want a time above 0, such as 60s", limit)
			}
			// What was kept from an earlier run would answer in the plugin's place.
			if err := os.Setenv(costcache.Variable, "off"); err != nil {
				return err
			}
			open := func() (procmodels.Model, error) { return openModel(args[0]) }
			m, err := open()
			if err != nil {
				return err // no model is no finding
			}
			closeModel(m)
			shown := newProgress(cmd)
			shown.step("asking %s", args[0])
			r := conform.Check(cmd.Context(), open, limit)
			shown.done()
			err = show(cmd, asJSON, report.NewModelCheck(args[0], r), func(w io.Writer) error { return report.ModelCheckText(w, args[0], r) })
			if err != nil {
				return err
			}
			if r.Err() != nil {
				return exitStatus(statusFound)
			}
			return nil
		},
	}
	addJSON(cmd.Flags(), &asJSON, "")
	cmd.Flags().DurationVar(&limit, "limit", limit.Round(time.Second), "`time` that the model may take for one answer")
	return cmd
}
