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
				models = append(models, report.Built(name, m.Describe()))
			}
			for _, p := range plugin.List() {
				models = append(models, report.Plugin("plugin:"+p.Name, p.Path))
			}
			if asJSON {
				return report.ModelsJSON(cmd.OutOrStdout(), models)
			}
			return report.ModelsText(textOut(cmd), models)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}
