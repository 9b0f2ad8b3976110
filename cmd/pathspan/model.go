package main

// This file is the subcommand model: what can be done with processor models.

import (
	"github.com/spf13/cobra"
)

func modelCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "List, show, check and compare processor models",
		Long: `A processor model says what the blocks of a program cost. It is a built-in name, a file
(a weight table, a line table, a fitted model), a component of a SHIM file, or a plugin.`,
		Example: "  pathspan model list\n  pathspan model show arm922t\n  pathspan model new mycore",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelListCmd(), modelShowCmd(), modelCheckCmd(), modelCompareCmd(), modelFitCmd(), modelNewCmd(), modelShimCmd())
	return cmd
}
