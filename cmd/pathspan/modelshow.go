package main

// This file is the subcommand model show.

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"pathspan/procmodels"
	"pathspan/report"
)

func modelShowCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show NAME [--json]",
		Short: "Show what a model says of itself: a built-in name, a table, shim:FILE#COMPONENT, plugin:NAME",
		Long: `Show what a model says of itself: its kind, clock, source, parameters and overheads, how
exact it is, and what it does not know.`,
		Example: "  pathspan model show arm922t\n  pathspan model show mycore.yaml\n" +
			"  pathspan model show 'shim:board.xml?figure=pitch#cpu0'",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("model show: give one model; usage: pathspan model show NAME")
			}
			m, err := procmodels.Open(args[0], "")
			if err != nil {
				return err
			}
			defer closeModel(m)
			if asJSON {
				return report.ModelJSON(cmd.OutOrStdout(), args[0], m.Describe())
			}
			return report.ModelText(textOut(cmd), m.Describe())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// closeModel ends a model that holds something, a plugin's process. What goes wrong then
// changes no figure.
func closeModel(m procmodels.Model) {
	if c, ok := m.(io.Closer); ok {
		_ = c.Close()
	}
}
