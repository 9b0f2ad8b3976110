package main

// This file is the subcommand why.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/report"
)

type whyFlags struct {
	targetFlags
	function, technique string
	json                bool
	items               int
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
	}
	f := cmd.Flags()
	o.targetFlags.add(f, "2")
	f.StringVar(&o.function, "function", "", "`name` of the function to estimate (default "+estimate.DefaultRoot+")")
	f.BoolVar(&o.json, "json", false, "print one JSON object")
	f.StringVar(&o.technique, "technique", "", "`technique` whose time is accounted for: "+accounted()+" ("+answeringText()+")")
	f.IntVar(&o.items, "items", 5, "`number` of places to list of each loss, 0 for all")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) != 1:
			return errors.New("why: give one bundle; usage: pathspan why app.pspan")
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
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		return o.run(cmd, b, filepath.Base(args[0]))
	}
	return cmd
}

func (o *whyFlags) run(cmd *cobra.Command, b *pathprof.Bundle, name string) error {
	platforms, err := o.platforms(2)
	if err != nil {
		return err
	}
	files, err := o.mappingFiles()
	if err != nil {
		return err
	}
	e, pricer, err := estimatorFor(cmd, b, name, o.function, platforms[0])
	if err != nil {
		return err
	}
	m, err := mapping.Resolve(platforms[0], files[0].mapping, b.Program)
	if err != nil {
		return err
	}
	technique, err := decider(b, o.technique)
	if err != nil {
		return err
	}
	out, err := report.LossesOf(e, m, technique)
	if err != nil {
		return err
	}
	out.Bundle, out.Function, out.Mapping = name, b.Program.Funcs[e.Root].Name, files[0].name
	out.Models = report.AddModels(nil, e.Processors)
	out.Notes = slices.Concat(out.Notes, out.UnusedNote(platforms[0]), e.Notes)
	out.Notes = append(out.Notes, m.LeftOut(b.Program, files[0].name)...)
	out.Notes = append(out.Notes, report.PlatformNotes(pricer, e.Processors)...)
	out.Notes = append(out.Notes, report.RegionNotes(b)...)
	out.Notes = append(out.Notes, pricer.Warnings...)
	if o.json {
		return report.LossesJSON(cmd.OutOrStdout(), out)
	}
	return report.LossesText(textOut(cmd), out, o.items)
}

// estimatorFor prices a bundle for a platform, to estimate the function of that name.
func estimatorFor(cmd *cobra.Command, b *pathprof.Bundle, name, function string, pl *mapping.Platform) (*estimate.Estimator, *estimate.Pricer, error) {
	fn, err := estimatedFunction(b, name, function)
	if err != nil {
		return nil, nil, err
	}
	a, err := estimate.Prepare(b, fn.Name)
	if err != nil {
		return nil, nil, err
	}
	pricer := &estimate.Pricer{Program: b.Program, Module: b.Module}
	procs, err := pricer.Processors(cmd.Context(), pl)
	if err != nil {
		return nil, nil, err
	}
	e, err := a.On(procs)
	return e, pricer, err
}
