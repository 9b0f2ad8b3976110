package document

// This file lists what nobody said and what was taken instead.

import (
	"fmt"
	"slices"
	"strconv"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/report"
)

func costDefault(r estimate.Reason) Default {
	return Default{
		Kind: "cost", What: report.Demangled(r.Reason), Value: report.Percent(r.Share) + " of the cycles", Share: r.Share, Count: r.Count,
		Change: "a model that knows it (pathspan model new, --model, or model: of a processor in a platform file)",
	}
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// defaults puts what was left open before the costs, which are there already.
func (b *builder) defaults() {
	var all []Default
	add := func(kind, what, value, change string) {
		all = append(all, Default{Kind: kind, What: what, Value: value, Change: change})
	}
	if b.Unsaid.Function {
		add("function", "the function whose execution is estimated", b.d.Function, "--function")
	}
	if b.Unsaid.Processors {
		add("processors", "the number of processors, all equal", fmt.Sprint(len(b.d.Platform.Processors)), "-p, or --platform")
	}
	if b.Unsaid.Model {
		add("model", "the model of the processors", b.d.Platform.Processors[0].Model, "--model, or --platform")
	}
	if b.Unsaid.Mapping {
		add("mapping", "where sections run", "OpenMP's static schedule", "--mapping, or --explored")
	} else if n := len(b.m.Defaulted); n > 0 {
		add("mapping", fmt.Sprintf("where %s that the mapping leaves out %s", report.Count(n, "section"), runs(n)), "OpenMP's static schedule", "the mapping file")
	}
	if b.Unsaid.Technique {
		add("technique", "the technique of the answer", report.Title(b.d.Answer.Technique), "--technique")
	}
	b.clocks(add)
	b.overheads(add)
	if s := b.d.Answer.Sampling; s != nil {
		add("samples", "draws of uncertain costs", fmt.Sprintf("%d, seed %d, %g%% intervals", s.Samples, s.Seed, 100*s.Confidence), "pathspan estimate --samples, --seed, --confidence")
	}
	b.d.Defaults = append(all, b.d.Defaults...)
}

func runs(n int) string {
	if n == 1 {
		return "runs"
	}
	return "run"
}

// clocks lists the clocks that the platform leaves open, equal ones once.
func (b *builder) clocks(add func(kind, what, value, change string)) {
	var seen []string
	for i := range b.e.Platform.Processors {
		p := &b.e.Platform.Processors[i]
		if p.ClockMHz > 0 {
			continue
		}
		model := b.e.Costs[i].Model
		what := fmt.Sprintf("the clock of processors of model %s, which is the model's", model)
		if b.Pricer.Description(b.e.Costs[i]).ClockMHz == 0 {
			what = fmt.Sprintf("the clock of processors of model %s, which names none (it scales times, not speed-ups)", model)
		}
		if slices.Contains(seen, what) {
			continue
		}
		seen = append(seen, what)
		add("clock", what, number(b.e.ClockMHz[i])+" MHz", "clock_mhz: of a processor in a platform file")
	}
}

// overheads lists those that the platform leaves open, equal ones once.
func (b *builder) overheads(add func(kind, what, value, change string)) {
	pl := b.e.Platform
	if len(b.prog.Regions) == 0 {
		return
	}
	for _, o := range []struct {
		open bool
		key  string
		text string
		of   func(i int) float64
	}{
		{pl.CreateDefaulted, "create", "creating the tasks of a sections construct, on each processor", func(i int) float64 { return b.e.Overheads[i].Create }},
		{pl.SyncDefaulted, "sync", "synchronising and ending them", func(i int) float64 { return b.e.Overheads[i].Sync }},
	} {
		if !o.open {
			continue
		}
		var seen []string
		for i := range pl.Processors {
			what := o.text + " (the example of the paper, not a measurement)"
			if b.Pricer.Description(b.e.Costs[i]).Overheads != nil {
				what = fmt.Sprintf("%s (of model %s)", o.text, b.e.Costs[i].Model)
			}
			if !slices.Contains(seen, what) {
				seen = append(seen, what)
				add("overheads", what, number(o.of(i))+" cycles", "overheads: {"+o.key+": ...} in a platform file; pathspan measure --overheads measures this machine's")
			}
		}
	}
	for _, k := range mapping.OverheadKinds {
		if o := k.Of(&pl.Other); !o.Given {
			add("overheads", k.What, number(o.Cycles)+" cycles", "overheads: {"+k.Key+": ...} in a platform file; pathspan measure --overheads measures this machine's")
		}
	}
}
