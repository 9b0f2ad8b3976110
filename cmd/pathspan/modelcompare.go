package main

// This file is the subcommand model compare.

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"pathspan/procmodels/compare"
	"pathspan/report"
)

func modelCompareCmd() *cobra.Command {
	var asJSON bool
	lines := 15
	cmd := &cobra.Command{
		Use:   "compare NAME NAME [NAME...] APP.pspan [--lines N] [--json]",
		Short: "Show where models differ most on a profiled program, by source line and opcode",
		Long: `Compare prices a profiled program under each model and shows the totals, and where each
model differs most from the first: by source line, and by opcode where the models price
instructions one by one. Lines are ranked by how their shares of the model's own total
differ, so that one model's being slower everywhere does not hide the rest.`,
		Example: "  pathspan model compare arm922t cortex-m4 app.pspan\n  pathspan model compare generic measured.yaml app.pspan --lines 0",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) < 3 {
				return errors.New("model compare: give two models or more, then a bundle; usage: pathspan model compare arm922t cortex-m4 app.pspan")
			}
			if lines < 0 {
				return fmt.Errorf("--lines %d: want a number of lines, or 0 for all", lines)
			}
			refs, path := args[:len(args)-1], args[len(args)-1]
			b, err := readBundle(path)
			if err != nil {
				return err
			}
			if err := holdsCounts(b, path); err != nil {
				return err
			}
			var models []compare.Candidate
			for _, ref := range refs {
				m, err := openModel(ref)
				if err != nil {
					return err
				}
				defer closeModel(m)
				models = append(models, compare.Candidate{Ref: ref, Model: m})
			}
			c, err := compare.Run(cmd.Context(), b, models)
			if err != nil {
				return err
			}
			sayNotes(cmd, report.Omissions(b))
			out := &report.ModelComparison{Bundle: filepath.Base(path), Comparison: c}
			return show(cmd, asJSON, out, func(w io.Writer) error { return out.Text(w, lines) })
		},
	}
	cmd.Flags().IntVar(&lines, "lines", lines, "`number` of source lines to show, 0 for all")
	addJSON(cmd.Flags(), &asJSON, ", with all lines")
	return cmd
}
