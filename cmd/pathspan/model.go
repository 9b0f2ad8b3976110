package main

// This file is the subcommand model: what can be done with processor models, of which it
// lists and shows them itself.

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"pathspan/procmodels"
	"pathspan/procmodels/accelerator"
	"pathspan/procmodels/pipeline"
	"pathspan/procmodels/plugin"
	"pathspan/report"
)

func modelCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "List, show, check and compare processor models",
		Long: `A processor model says what the blocks of a program cost. It is a built-in name, a file
(a weight table, a line table, a pipeline, an accelerator, a fitted model), a component
of a SHIM file, or a plugin.`,
		Example: "  pathspan model list\n  pathspan model show arm922t\n  pathspan model new mycore",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelListCmd(), modelShowCmd(), modelCheckCmd(), modelCompareCmd(), modelFitCmd(), modelCallsCmd(), modelNewCmd(), modelShimCmd())
	return cmd
}

// builtIn names the models that come with pathspan, as references have them.
func builtIn() []string {
	all := procmodels.Names()
	for _, name := range pipeline.Names() {
		all = append(all, "pipeline:"+name)
	}
	for _, name := range accelerator.Names() {
		all = append(all, "accelerator:"+name)
	}
	return all
}

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
			for _, name := range builtIn() {
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
			m, err := openModel(args[0])
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

// openModel opens a model that an argument names.
func openModel(name string) (procmodels.Model, error) {
	m, err := procmodels.Open(name, "")
	if err != nil {
		return nil, fileError("model", name, err)
	}
	return m, nil
}
