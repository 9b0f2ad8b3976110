package main

// This file is the subcommand model show.

import (
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
		Args: oneArgument("one model", "pathspan model show NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			m, err := procmodels.Open(args[0], "")
			if err != nil {
				return err
			}
			defer closeModel(m)
			d := m.Describe()
			return show(cmd, asJSON, report.NewModel(args[0], d), func(w io.Writer) error { return report.ModelText(w, d) })
		},
	}
	addJSON(cmd.Flags(), &asJSON, "")
	return cmd
}

// closeModel ends a model that holds something, a plugin's process. What goes wrong then
// changes no figure.
func closeModel(m procmodels.Model) {
	if c, ok := m.(io.Closer); ok {
		_ = c.Close()
	}
}
