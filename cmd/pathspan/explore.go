package main

// This file is the subcommand explore.

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/explore"
	"pathspan/mapping"
	"pathspan/report"
	"pathspan/streams/flow"
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

Worksharing loops are searched with them: the schedule and chunk of each, its
processors, and their shares of the iterations. So are loops that accelerators make in
hardware, where their files have try: how each is unrolled, and its arrays parted;
--pareto time,area shows what that takes of the accelerator's capacity. --depths tries
other depths of the buffers between the stages of pipelines.

Sections that never ran stay with the serial processor. Where processors have limits of
memory, a section takes what --demand or a constraints file says, else the most lines that
one execution of it used, if profile --memory told of them, else nothing.`,
		Example: "  pathspan explore app.pspan --platform soc.yaml -o best.yaml\n  pathspan explore app.pspan --platform soc.yaml --pareto speedup,energy\n  pathspan explore app.pspan -p 1-8 --sweep create=50,500\n  pathspan explore app.pspan --platform soc.yaml --algorithm annealing --budget 1e7 --state search.json",
		Args:    oneBundle("pathspan explore app.pspan"),
	}
	o.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd.Flags()); err != nil {
			return err
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

// run searches every platform asked for.
func (o *exploreFlags) run(cmd *cobra.Command, path string) error {
	q, err := o.open(path)
	if err != nil {
		return err
	}
	platforms, err := o.platforms()
	if err != nil {
		return err
	}
	if o.goal.Technique, err = decider(q.Bundle, o.technique); err != nil {
		return err
	}
	if o.output != "" {
		if err := writable(o.output); err != nil {
			return err
		}
	}
	out := &report.Exploration{Bundle: q.name, Function: q.function, Technique: o.goal.Technique.String(), Objective: o.goal.Objective.String(), Seed: o.goal.Seed}
	for _, p := range o.goal.Pareto {
		out.Pareto = append(out.Pareto, p.String())
	}
	ctx, caught, done := interruptible(cmd.Context())
	defer done()
	shown := newProgress(cmd)
	defer shown.done()
	var best *mapping.Resolved
	for i := range platforms {
		a, err := q.on(ctx, platforms[i].platform)
		if err != nil {
			return err
		}
		out.Models = report.AddModels(out.Models, a.Processors)
		s, m, err := o.search(ctx, shown, q, a.Estimator, platforms[i].name)
		if err != nil {
			if len(platforms) > 1 {
				err = fmt.Errorf("platform %s: %w", platforms[i].name, err)
			}
			return err
		}
		out.Searches = append(out.Searches, *s)
		q.basis = addNotes(q.basis, s.Notes...)
		if best == nil {
			best = m
		}
		if s.Interrupted {
			break
		}
	}
	shown.done()
	out.Budget = o.budget
	out.Notes = q.notes(q.defaults...)
	if o.output != "" {
		if err := writeFile(o.output, best.YAML(q.Bundle.Program)); err != nil {
			return err
		}
	}
	if err := show(cmd, o.json, out, out.Text); err != nil {
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

func (o *exploreFlags) search(ctx context.Context, shown *progress, q *question, e *estimate.Estimator, name string) (*report.Searched, *mapping.Resolved, error) {
	var err error
	goal := o.goal
	if goal.Serial, goal.AnySerial, err = o.serialOf(e.Platform); err != nil {
		return nil, nil, err
	}
	if goal.State, err = o.loadState(e.Processors, q); err != nil {
		return nil, nil, err
	}
	if goal.State != nil {
		goal.Save = o.saveState
	}
	if goal.Depths != nil {
		pipelines, needs := q.Bundle.Program.Pipelines, flow.Needs(q.Bundle)
		goal.Sound = func(pipeline int, depths []int) bool {
			x := pipelines[pipeline]
			x.Depths = depths
			return !slices.ContainsFunc(needs, func(n flow.Need) bool { return n.Pipeline == pipeline && !n.Met(&x) })
		}
	}
	shown.step("searching")
	goal.Progress = shown.search
	goal.Price = func(pl *mapping.Platform) (estimate.Processors, error) { return q.pricer.Processors(ctx, pl) }
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
	x := report.NewSearched(name, found, q.Bundle.Program)
	if o.goal.Evaluations == 0 && o.goal.Time == 0 {
		if o.budget = strconv.FormatInt(s.Evaluations, 10); s.Evaluations < explore.DefaultEvaluations && !found.Proven {
			x.Notes = append(x.Notes, fmt.Sprintf("each candidate plays all tasks of the program, so that %s were tried, as take some seconds: --budget says how many are to be", report.Count(int(s.Evaluations), "candidate")))
		}
	}
	if err := o.judge(e, &x, found, s); err != nil {
		return nil, nil, err
	}
	if goal.Depths != nil && !flow.StagesTraced(q.Bundle) {
		x.Notes = append(x.Notes, "how many items the arrays have places for that stages pass on is not known: profile --flow tells, and leaves out depths that are too much")
	}
	if found.Loops > 0 {
		x.Notes = append(x.Notes, "of worksharing loops, static, dynamic and guided schedules were tried with chunks of powers of two, on teams of all sizes, and shares by speed where processors differ; what gains less than 0.01% is left out")
	}
	if n := s.Footprints(); n > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("%s without --demand: the memory taken is the most that one execution used, in lines of 64 bytes; data that several use count for each", report.Count(n, "section")))
	}
	if len(found.Fixed) > 0 {
		x.Notes = append(x.Notes, fmt.Sprintf("kept as written, so that nothing is proven: %s (%s)", strings.Join(found.Fixed, ", "), explore.WhyFixed))
	}
	if s.Technique == estimate.ExecutionBased && q.Bundle.Program.HasTasks() {
		least, most, err := s.Estimator(found.Best).Stealing(found.Mapping, report.Stealing)
		if err != nil {
			return nil, nil, err
		}
		if note := report.StealingNote("the best found", len(e.Platform.Processors), least, most); most > 0 && note != "" {
			if !found.Steady {
				note += ": searches find mappings under which the fixed order happens to do well"
			}
			x.Notes = append(x.Notes, note)
		}
		if found.Steady {
			x.Notes = append(x.Notes, "what does best in the fixed order of stealing owes that to the order: the mapping is one that takes less time over others (mean and standard deviation), and nothing is proven")
		}
	}
	if found.Spread {
		x.Notes = append(x.Notes, "the best spreads regions within regions: a thread that waits at the end of one is taken to run other sections of its processor meanwhile, as measure does; run-time libraries that do not need --keep-nested, which leaves such regions on their threads")
		x.Notes = append(x.Notes, report.InsideNotes(q.Bundle, found.Mapping, "the best found")...)
	}
	return &x, found.Mapping, nil
}

// judge estimates what was found, and what OpenMP gives beside it.
func (o *exploreFlags) judge(e *estimate.Estimator, x *report.Searched, found *explore.Found, s *explore.Search) error {
	static := mapping.DefaultFrom(e.Platform, found.Mapping.Serial, e.Bundle.Program)
	unfit := cmp.Or(e.Rooms(static), e.Fits(e.Bundle.Program, static))
	if err := unfit; err != nil {
		x.Notes, x.Static = append(x.Notes, "OpenMP's mapping is not compared: "+err.Error()), []estimate.Result{}
	}
	for _, t := range append([]estimate.Technique{o.goal.Technique}, report.Beside(o.goal.Technique, e.Bundle)...) {
		for _, m := range []struct {
			name string
			m    *mapping.Resolved
			to   *[]estimate.Result
		}{{"best", found.Mapping, &x.Best.Estimates}, {mapping.DefaultName(e.Bundle.Program), static, &x.Static}} {
			if m.m == static && unfit != nil {
				continue
			}
			of := e
			if m.m != static {
				of = s.Estimator(found.Best)
			}
			r, err := of.Estimate(m.m, t)
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
		r, err := s.Estimator(c).Estimate(m, o.goal.Technique)
		if err != nil {
			return err
		}
		chosen := report.NewChosen(c.Metrics, m, e.Bundle.Program)
		chosen.Speedup, chosen.Seconds = r.Speedup, r.ParallelSeconds
		x.Front = append(x.Front, chosen)
	}
	return nil
}
