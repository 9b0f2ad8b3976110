package main

// This file is the subcommand why.

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/report"
)

type whyFlags struct {
	targetFlags
	technique string
	json      bool
	items     int
}

func whyCmd() *cobra.Command {
	var o whyFlags
	cmd := &cobra.Command{
		Use:   "why APP.pspan [-p N] [--platform P.yaml] [--mapping M.yaml]",
		Short: "Say what keeps a mapping from the ideal speed-up",
		Long: `Why accounts for the parallel time of one mapping: the time that the processors
would take if they shared the work evenly, and what is lost to serial code, to
waiting within regions, to overheads and so on, by source line, region and
section. The terms add up to the estimate. It also says in which executions average
and maximal task times mislead.`,
		Example: "  pathspan why app.pspan -p 4\n  pathspan why app.pspan --platform soc.yaml --mapping m.yaml --items 0",
		Args:    oneBundle("pathspan why app.pspan"),
	}
	f := cmd.Flags()
	o.targetFlags.addOne(f, "2")
	addFunction(f, &o.function)
	addJSON(f, &o.json, "")
	addTechnique(f, &o.technique, "whose time is accounted for")
	addItems(f, &o.items, "places to list of each loss")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(o.processors) > 1:
			return errors.New("-p: why accounts for one platform; give one number of processors")
		case len(o.mappings) > 1:
			return errors.New("--mapping: why accounts for one mapping; give it once")
		case o.items < 0:
			return fmt.Errorf("--items %d: want a number of places, or 0 for all", o.items)
		}
		if err := o.targetFlags.check(); err != nil {
			return err
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

func (o *whyFlags) run(cmd *cobra.Command, path string) error {
	q, err := o.open(path)
	if err != nil {
		return err
	}
	all, err := q.ask(cmd.Context(), &o.targetFlags, 2)
	if err != nil {
		return err
	}
	technique, err := decider(q.Bundle, o.technique)
	if err != nil {
		return err
	}
	a := all[0]
	out, err := report.LossesOf(a.Estimator, a.mappings[0], technique)
	if err != nil {
		return err
	}
	out.Bundle, out.Function, out.Mapping = q.name, q.function, a.names[0]
	out.Models = report.AddModels(nil, a.Processors)
	if technique == estimate.ExecutionBased {
		if out.Pipelines, err = report.HeldUpOf(a.Estimator, a.mappings[0]); err != nil {
			return err
		}
	}
	out.Notes = slices.Concat(out.UnusedNote(a.Platform), q.notes())
	return show(cmd, o.json, out, func(w io.Writer) error { return out.Text(w, o.items) })
}
