package main

// This file is the subcommand explore.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/explore"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/report"
)

func exploreCmd() *cobra.Command {
	var o exploreFlags
	cmd := &cobra.Command{
		Use:   "explore APP.pspan [--platform P.yaml] [--algorithm NAME] [-o BEST.yaml]",
		Short: "Search for the best mapping of a profiled program",
		Long: `Explore searches for the mapping with the highest speed-up and prints it as a
mapping file, for estimate --mapping; what is known of it is in the comments. With
several platforms (--platforms, -p, --sweep) it prints the best speed-up on each.

Algorithms: exhaustive and branch-and-bound, which prove their result, list (by work,
as HEFT), annealing, genetic, ants, random; auto picks one and says why. Whatever the
algorithm, a lower bound on the time says how far from the best its result can be.

A budget of evaluations gives the same result on any number of cores, also when the
search is interrupted and goes on from its --state; a budget of time does not.

Sections that never ran stay with the serial processor. The memory that a section needs
is not in the profile: give it by --demand or in a constraints file.`,
		Example: "  pathspan explore app.pspan --platform soc.yaml -o best.yaml\n  pathspan explore app.pspan --platform soc.yaml --pareto speedup,energy\n  pathspan explore app.pspan -p 1-8 --sweep create=50,500\n  pathspan explore app.pspan --platform soc.yaml --algorithm annealing --budget 1e7 --state search.json",
	}
	o.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errors.New("explore: give one bundle; usage: pathspan explore app.pspan")
		}
		if err := o.check(cmd.Flags()); err != nil {
			return err
		}
		data, err := load(args[0])
		if err != nil {
			return err
		}
		b, err := parseBundle(args[0], data)
		if err != nil {
			return err
		}
		return o.run(cmd, b, data, filepath.Base(args[0]))
	}
	return cmd
}

// run searches every platform asked for.
func (o *exploreFlags) run(cmd *cobra.Command, b *pathprof.Bundle, data []byte, name string) error {
	platforms, err := o.platforms()
	if err != nil {
		return err
	}
	a, err := o.prepare(b, name)
	if err != nil {
		return err
	}
	if o.goal.Technique, err = decider(b, o.technique); err != nil {
		return err
	}
	if o.output != "" {
		if err := writable(o.output); err != nil {
			return err
		}
	}
	out := &report.Exploration{Bundle: name, Function: b.Program.Funcs[a.Root].Name, Technique: o.goal.Technique.String(), Objective: o.goal.Objective.String(), Seed: o.goal.Seed, Budget: o.budget}
	for _, p := range o.goal.Pareto {
		out.Pareto = append(out.Pareto, p.String())
	}
	out.Notes = append(slices.Clone(a.Notes), report.RegionNotes(b)...)
	ctx, caught, done := interruptible(cmd.Context())
	defer done()
	shown := newProgress(cmd)
	defer shown.done()
	pricer := &estimate.Pricer{Program: b.Program, Module: b.Module}
	var best *mapping.Resolved
	for i := range platforms {
		procs, err := pricer.Processors(ctx, platforms[i].platform)
		if err != nil {
			return err
		}
		if i == 0 {
			out.Notes = append(out.Notes, report.OverheadNotes(pricer, procs)...)
		}
		out.Notes = addNotes(out.Notes, report.PlatformNotes(pricer, procs)...)
		out.Models = report.AddModels(out.Models, procs)
		s, m, err := o.search(ctx, shown, a, procs, platforms[i].name, data)
		if err != nil {
			if len(platforms) > 1 {
				err = fmt.Errorf("platform %s: %w", platforms[i].name, err)
			}
			return err
		}
		out.Searches = append(out.Searches, *s)
		out.Notes = addNotes(out.Notes, s.Notes...)
		if best == nil {
			best = m
		}
		if s.Interrupted {
			break
		}
	}
	shown.done()
	out.Notes = append(out.Notes, pricer.Warnings...)
	if o.output != "" {
		if err := writeFile(o.output, best.YAML(b.Program)); err != nil {
			return err
		}
	}
	write, to := report.ExplorationText, textOut(cmd)
	if o.json {
		write, to = report.ExplorationJSON, cmd.OutOrStdout()
	}
	if err := write(to, out); err != nil {
		return err
	}
	if s := caught(); s != 0 {
		what := "--state FILE keeps what was done, to go on from there"
		if o.state != "" {
			what = "the same command goes on from " + o.state
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: interrupted; %s\n", what)
		return exitStatus(statusSignal + int(s))
	}
	return nil
}

// prepare analyses the bundle for the function asked for.
func (o *exploreFlags) prepare(b *pathprof.Bundle, name string) (*estimate.Analysis, error) {
	fn, err := estimatedFunction(b, name, o.function)
	if err != nil {
		return nil, err
	}
	return estimate.Prepare(b, fn.Name)
}

// search searches one platform.
func (o *exploreFlags) search(ctx context.Context, shown *progress, a *estimate.Analysis, procs estimate.Processors, name string, data []byte) (*report.Searched, *mapping.Resolved, error) {
	e, err := a.On(procs)
	if err != nil {
		return nil, nil, err
	}
	goal := o.goal
	if goal.Serial, goal.AnySerial, err = o.serialOf(procs.Platform); err != nil {
		return nil, nil, err
	}
	if goal.State, err = o.loadState(procs, a, data); err != nil {
		return nil, nil, err
	}
	if goal.State != nil {
		goal.Save = o.saveState
	}
	shown.step("searching")
	goal.Progress = shown.search
	s, err := explore.New(e, goal)
	if err != nil {
		return nil, nil, err
	}
	found, err := s.Run(ctx)
	if err != nil {
		if o.state != "" {
			err = fmt.Errorf("--state %s: %w", o.state, err)
		}
		return nil, nil, err
	}
	x := report.NewSearched(name, found, a.Bundle.Program)
	if err := o.judge(e, &x, found, s); err != nil {
		return nil, nil, err
	}
	if found.Spread {
		x.Notes = append(x.Notes, "the best spreads regions within regions: a thread that waits at the end of one is taken to run other sections of its processor meanwhile, as measure does; run-time libraries that do not need --keep-nested, which leaves such regions on their threads")
	}
	return &x, found.Mapping, nil
}

// judge estimates what was found, and OpenMP's static schedule beside it.
func (o *exploreFlags) judge(e *estimate.Estimator, x *report.Searched, found *explore.Found, s *explore.Search) error {
	static := mapping.DefaultFrom(e.Platform, found.Mapping.Serial, e.Bundle.Program)
	techniques := []estimate.Technique{o.goal.Technique}
	for _, t := range estimate.TechniquesThat(estimate.AreShown) {
		if t != o.goal.Technique && t.Suits(e.Bundle) {
			techniques = append(techniques, t)
		}
	}
	for _, t := range techniques {
		for _, m := range []struct {
			name string
			m    *mapping.Resolved
			to   *[]estimate.Result
		}{{"best", found.Mapping, &x.Best.Estimates}, {"OpenMP static", static, &x.Static}} {
			r, err := e.Estimate(m.m, t)
			if err != nil {
				return err
			}
			r.Mapping = m.name
			*m.to = append(*m.to, r)
		}
	}
	// The same but for the order of additions; programs compare last digits.
	x.Best.Speedup, x.Best.Seconds = x.Best.Estimates[0].Speedup, x.Best.Estimates[0].ParallelSeconds
	for i := range found.Front {
		c := &found.Front[i]
		m := s.Mapping(c)
		r, err := e.Estimate(m, o.goal.Technique)
		if err != nil {
			return err
		}
		chosen := report.NewChosen(c.Metrics, m, e.Bundle.Program)
		chosen.Speedup, chosen.Seconds = r.Speedup, r.ParallelSeconds
		x.Front = append(x.Front, chosen)
	}
	return nil
}
