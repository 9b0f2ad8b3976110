package main

// This file is the subcommand flow.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/estimate"
	"pathspan/estimate/averaged"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report"
	"pathspan/streams/flow"
)

type flowFlags struct {
	costs, model, vcd  string
	function           string // that the model prices from
	units, unfold, cut []string
	unbounded          bool
	csv, json          bool
	items              int
}

func flowCmd() *cobra.Command {
	var o flowFlags
	cmd := &cobra.Command{
		Use:   "flow APP.pspan [--costs costs.yaml|--model NAME] [--unfold STATEMENT=N] [--cut STATEMENT=N]",
		Short: "Say how parallel the flow of data between calls is, whatever runs it",
		Long: `Flow takes each call in the source that profile --flow told apart as a process that reads
what others returned or wrote, and finds when its executions start at the earliest:
absolute, with one unit for each, and unbounded, with one for each execution. No design
without other changes is slower than the first or faster than the second. Channels
between them hold any number of tokens, and are classed by how these are read.

--costs names a file with the initiation interval and the latency of functions; else a
processor model prices them, and a unit takes the next when it is done. --units, --unfold
and --cut say what if a statement had more units.

Statements are calls or, where a plan has pipelines or tasks, their stages or these.`,
		Example: "  pathspan profile --flow app.c && pathspan flow app.pspan\n  pathspan flow app.pspan --costs costs.yaml --unfold filter=4 --vcd app.vcd",
		Args:    oneBundle("pathspan flow app.pspan"),
	}
	f := cmd.Flags()
	f.StringVar(&o.costs, "costs", "", "`file` of initiation intervals and latencies by function (docs/flow.md)")
	f.StringVar(&o.model, "model", "", "processor `model` that prices statements (default "+mapping.DefaultModel+")")
	f.StringVar(&o.function, "function", "", "`name` of the function that the model prices from (default "+estimate.DefaultRoot+")")
	f.StringSliceVar(&o.units, "units", nil, "what if: `STATEMENT=N` units, of which the one that is free first takes the next execution")
	f.StringSliceVar(&o.unfold, "unfold", nil, "what if: `STATEMENT=N` units, for iterations of its innermost loop modulo N")
	f.StringSliceVar(&o.cut, "cut", nil, "what if: `STATEMENT=N` units (default 2), each for a share of the iterations of its innermost loop")
	f.BoolVar(&o.unbounded, "unbounded", false, "statements, --csv and --vcd are those of the unbounded design")
	f.StringVar(&o.vcd, "vcd", "", "`file` to write waveforms to, for GTKWave")
	f.BoolVar(&o.csv, "csv", false, "print profiles over time as CSV")
	f.IntVar(&o.items, "items", 20, "`number` of statements and channels to show, 0 for all")
	addJSON(f, &o.json, " with everything")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) }
	return cmd
}

func (o *flowFlags) run(cmd *cobra.Command, path string) error {
	what := len(o.units) + len(o.unfold) + len(o.cut)
	switch {
	case o.items < 0:
		return fmt.Errorf("--items %d: want a number of statements, or 0 for all", o.items)
	case o.costs != "" && o.model != "":
		return errors.New("--costs and --model exclude each other: both say what statements take")
	case o.costs != "" && o.function != "":
		return errors.New("--function is for models, and --costs says what statements take: leave out one of them")
	case o.csv && o.json:
		return errors.New("--csv and --json exclude each other")
	case o.unbounded && what > 0:
		return errors.New("--unbounded gives each execution a unit; --units, --unfold and --cut give statements some: leave out one of them")
	}
	b, err := readBundle(path)
	if err != nil {
		return err
	}
	if b.Flow == nil {
		return fmt.Errorf("%s: %w", path, report.ErrNoFlow)
	}
	if b.Flow.Len() == 0 {
		return fmt.Errorf("%s: %w", path, report.ErrNothingFlows)
	}
	names := flow.Names(b.Flow, b.Program)
	prices, err := o.priced(cmd.Context(), b, names)
	if err != nil {
		return err
	}
	designs := []string{"absolute", "unbounded"}
	all := []*flow.Schedule{prices.on(b, flow.Absolute(b.Flow)), prices.on(b, flow.Unbounded(b.Flow))}
	shown := 0
	if o.unbounded {
		shown = 1
	}
	if what > 0 {
		placings, err := o.placings(b, names)
		if err != nil {
			return err
		}
		designs, all, shown = append(designs, "what if"), append(all, prices.on(b, placings)), 2
	}
	if o.vcd != "" {
		var text bytes.Buffer
		if err := all[shown].VCD(&text, names); err != nil {
			return err
		}
		if err := writeFile(o.vcd, text.Bytes()); err != nil {
			return fmt.Errorf("--vcd %s", strings.TrimPrefix(err.Error(), "-o "))
		}
	}
	if o.csv {
		return report.FlowCSV(cmd.OutOrStdout(), all[shown], names)
	}
	out := report.FlowOf(b, names, designs, all, shown)
	out.Bundle, out.Costs = filepath.Base(path), prices.by
	out.Notes = append(out.Notes, prices.notes...)
	return show(cmd, o.json, out, func(w io.Writer) error { return out.Text(w, o.items) })
}

// flowPrices is what statements take.
type flowPrices struct {
	by    string // a file or a model
	costs []flow.Cost
	took  []int64 // by execution; nil where a file prices statements
	notes []string
}

func (p *flowPrices) on(b *profile.Bundle, placings []flow.Placing) *flow.Schedule {
	return flow.Each(b.Flow, p.costs, p.took, placings)
}

// priced is what statements take. A model prices stages and tasks execution by execution, and others by what their calls took on
// average.
func (o *flowFlags) priced(ctx context.Context, b *profile.Bundle, names []string) (*flowPrices, error) {
	if o.costs != "" {
		text, err := bounded.ReadFile(o.costs, bounded.Text)
		if err != nil {
			return nil, fmt.Errorf("--costs %s: %w", o.costs, bounded.Reason(err))
		}
		costs, err := flow.ReadCosts(o.costs, text, b.Flow, b.Program)
		return &flowPrices{by: o.costs, costs: costs}, err
	}
	out := &flowPrices{by: cmp.Or(o.model, mapping.DefaultModel), costs: make([]flow.Cost, len(b.Flow.Statements)), took: make([]int64, b.Flow.Len())}
	a, err := estimate.Prepare(b, o.function)
	if err != nil {
		return nil, err
	}
	pricer := estimate.NewPricer(b)
	procs, err := pricer.Processors(ctx, mapping.Homogeneous(1, out.by))
	if err != nil {
		return nil, err
	}
	e, err := a.On(procs)
	if err != nil {
		return nil, err
	}
	each, err := e.Executed()
	if err != nil {
		return nil, err
	}
	var means, mixed []string
	walk := averaged.New(e, 0)
	for i, runs := range b.Flow.Entered() {
		fn := b.Flow.Statements[i].Func
		sum, n := 0.0, 0.0
		for _, at := range slices.Concat(runs...) {
			if each.Cycles[at] >= 0 {
				out.took[at] = flow.Sequential(each.Cycles[at]).Latency
				sum, n = sum+each.Cycles[at], n+1
			}
		}
		switch {
		case n > 0:
			out.costs[i] = flow.Sequential(sum / n)
			if slices.Contains(each.Mixed, i) {
				mixed = append(mixed, names[i])
			}
		case !e.Ran(fn):
			return nil, fmt.Errorf("%s is a statement, but no path of it was counted, so the model has no cycles for it: give --costs a file", b.Program.Funcs[fn].Name)
		default:
			out.costs[i] = flow.Sequential(e.CallCycles(0, fn))
			if walk.Differ(fn) {
				means = append(means, names[i])
			}
		}
	}
	out.notes = slices.Concat(e.Notes, report.FlowPriceNotes(means, mixed), pricer.Warnings)
	return out, nil
}

// placings is what --units, --unfold and --cut ask for.
func (o *flowFlags) placings(b *profile.Bundle, names []string) ([]flow.Placing, error) {
	out, by := flow.Absolute(b.Flow), make([]string, len(names))
	for _, x := range []struct {
		flag  string
		given []string
		how   flow.How
		units int // where none are given, 0: they must be
	}{{"--units", o.units, flow.Shared, 0}, {"--unfold", o.unfold, flow.Unfolded, 0}, {"--cut", o.cut, flow.Cut, 2}} {
		for _, text := range x.given {
			name, number, ok := strings.Cut(text, "=")
			units := x.units
			if ok {
				var err error
				if units, err = strconv.Atoi(number); err != nil {
					units = 0
				}
			}
			if name == "" || units < 1 || units > 1024 {
				return nil, fmt.Errorf("%s %s: want STATEMENT=N, with 1 to 1024 units", x.flag, text)
			}
			at, err := flow.Find(b.Flow, b.Program, names, name)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", x.flag, text, err)
			}
			for _, i := range at {
				if by[i] != "" {
					return nil, fmt.Errorf("%s %s: %s says already how many units %s has", x.flag, text, by[i], names[i])
				}
				by[i], out[i] = x.flag, flow.Placing{Units: units, How: x.how}
			}
		}
	}
	return out, nil
}
