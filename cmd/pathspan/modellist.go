package main

// This file is the subcommand model list.

import (
	"errors"

	"github.com/spf13/cobra"

	"pathspan/procmodels"
	"pathspan/procmodels/plugin"
	"pathspan/report"
)

func modelListCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list [--json]",
		Short: "List the built-in models and the plugins, and how others are named",
		Long: `List the models that are part of pathspan and the plugins that were found, and say how
others are named: files, SHIM components, programs.`,
		Example: "  pathspan model list",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 0 {
				return errors.New("model list: it takes no arguments; pathspan model show NAME shows one model")
			}
			var models []report.ListedModel
			for _, name := range procmodels.Names() {
				m, err := procmodels.Open(name, "")
				if err != nil {
					return err
				}
				d := m.Describe()
				models = append(models, report.ListedModel{Name: name, Kind: d.Kind, ClockMHz: d.ClockMHz, Source: d.Source})
			}
			for _, p := range plugin.List() {
				models = append(models, report.ListedModel{Name: "plugin:" + p.Name, Kind: "plugin", Source: p.Path})
			}
			out := report.NewModels(models)
			return show(cmd, asJSON, out, out.Text)
		},
	}
	addJSON(cmd.Flags(), &asJSON, "")
	return cmd
}
