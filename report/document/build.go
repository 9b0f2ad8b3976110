package document

// This file gathers a document.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/estimate/averaged"
	"pathspan/estimate/formula"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/report"
	"pathspan/streams/flow"
	"pathspan/validate/ledger"
)

// Input is what a document is made of.
type Input struct {
	Bundle    string // the file's name, for people
	Estimator *estimate.Estimator
	Pricer    *estimate.Pricer // that priced the estimator's processors
	Mapping   *mapping.Resolved
	// MappingName is the mapping's for people, PlatformFile the platform's file, "" for
	// equal processors.
	MappingName, PlatformFile string
	// Technique is the answer's, which must suit the bundle (estimate.Answering).
	Technique estimate.Technique
	// Unsaid tells what the user left open.
	Unsaid Unsaid
	// Folders are where source files may lie, besides where their names point.
	Folders []string
	// Samples are how many draws of uncertain costs intervals come from, 0: there are none.
	Samples int
	// Notes come first.
	Notes []string
	// Progress is called with what is done next; it may be nil.
	Progress func(what string)
}

// Unsaid tells what the user left open.
type Unsaid struct{ Processors, Model, Mapping, Function, Technique bool }

// How many are in a document.
const (
	timelineRows = 8  // of each construct
	mostPaths    = 12 // that matter
	mostWays     = 4  // to run the lines of one of them
	// seed of the draws of uncertain costs, and confidence of the intervals: those of estimate when
	// nobody says otherwise.
	seed       = 1
	confidence = 0.9
)

// builder is a document in the making.
type builder struct {
	Input
	ctx  context.Context
	e    *estimate.Estimator
	prog *ir.Program
	m    *mapping.Resolved
	d    *Document

	techniques []estimate.Technique // the answer's first
	sources    *sourceNames
	overlaps   overlaps
}

// Build gathers a document. Its estimator's processors and mapping must belong to each
// other, as mapping.Resolve makes them.
func Build(ctx context.Context, in Input) (*Document, error) {
	e := in.Estimator
	b := &builder{Input: in, ctx: ctx, e: e, prog: e.Bundle.Program, m: in.Mapping}
	root := b.prog.Funcs[e.Root]
	b.sources, b.overlaps = newSourceNames(e.Bundle), newOverlaps(e)
	b.d = &Document{
		Bundle: in.Bundle, Function: report.Demangled(root.Name), Provenance: report.ProvenanceOf(e.Bundle),
		Platform: b.platform(), Mapping: b.mapping(), Notes: slices.Clone(in.Notes),
	}
	for _, step := range []struct {
		what string
		do   func() error
	}{
		{"estimating", b.answer},
		{"estimating other numbers of processors", b.curve},
		{"playing the rows", b.timelines},
		{"measuring tasks and paths", b.graphsAndPaths},
		{"accounting for losses", b.losses},
		{"reducing the rows for sliders", b.formula},
	} {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if in.Progress != nil {
			in.Progress(step.what)
		}
		if err := step.do(); err != nil {
			return nil, err
		}
	}
	b.defaults()
	b.d.Sources = b.sources.read(in.Folders)
	return b.d, nil
}

func (b *builder) platform() Platform {
	pl := b.e.Platform
	out := Platform{Name: pl.Name, File: b.PlatformFile}
	for _, k := range mapping.OverheadKinds {
		if o := k.Of(&pl.Other); o.Given {
			out.Overheads = append(out.Overheads, Overhead{k.Key, k.What, o.Cycles})
		}
	}
	for i := range pl.Processors {
		out.Processors = append(out.Processors, Processor{
			Name: pl.Processors[i].Name, Model: b.e.Costs[i].Model, ClockMHz: b.e.ClockMHz[i],
			Create: b.e.Overheads[i].Create, Sync: b.e.Overheads[i].Sync,
		})
	}
	if pl.Hierarchy != nil {
		var names []string
		for i := range pl.Processors {
			names = append(names, pl.Processors[i].Name)
		}
		out.Memory = pl.Hierarchy.Says(names)
	}
	return out
}

func (b *builder) mapping() Mapping {
	out := Mapping{Name: b.MappingName, Serial: b.m.Serial}
	ran := report.RegionsRan(b.e.Bundle)
	for i := range b.prog.Regions {
		r, rm := &b.prog.Regions[i], &b.m.Regions[i]
		region := MappedRegion{
			Name: r.Name, Function: r.Function, File: b.sources.name(r.File), Line: r.Line,
			Explicit: rm.Explicit, Ran: ran[i],
		}
		for c := range rm.Order {
			schedule, order := "", rm.Order[c]
			if l := rm.Loop(c); l != nil {
				schedule, order = report.ScheduleText(l, r.Constructs[c].Loop), order[:l.Threads]
			}
			for _, s := range order {
				sec := &r.Constructs[c].Sections[s]
				region.Sections = append(region.Sections, MappedSection{Name: sec.Name, Construct: c, Section: s, Line: sec.Line, Processor: rm.Proc[c][s], Schedule: schedule})
			}
		}
		out.Regions = append(out.Regions, region)
	}
	return out
}

// answer estimates by all techniques, draws uncertain costs, and looks up what is known
// of the techniques.
func (b *builder) answer() error {
	b.techniques = append([]estimate.Technique{b.Technique}, report.Beside(b.Technique, b.e.Bundle)...)
	all := &report.Estimates{Function: b.prog.Funcs[b.e.Root].Name}
	for _, t := range b.techniques {
		r, err := b.e.Estimate(b.m, t)
		if err != nil {
			return err
		}
		r.Mapping = b.MappingName
		all.Estimates = append(all.Estimates, r)
	}
	all.Describe(b.e, b.m)
	a := &b.d.Answer
	cases := []estimate.Case{{Processors: b.e.Processors, Mappings: []*mapping.Resolved{b.m}}}
	spreads, err := b.e.Spread(cases, b.techniques, b.Samples, seed)
	if err != nil {
		return err
	}
	if s := spreads[0]; s != nil {
		a.Sampling = &report.Sampling{Samples: b.Samples, Seed: seed, Confidence: confidence}
		for i := range all.Estimates {
			all.Estimates[i].SetIntervals(s[0][i], confidence)
		}
	}
	known, err := ledger.Committed()
	if err != nil {
		return err
	}
	first := &all.Estimates[0]
	a.Technique, a.Speedup, a.Interval = first.Technique, first.Speedup, first.SpeedupInterval
	a.SequentialSeconds, a.ParallelSeconds, a.DefaultCostShare = first.SequentialSeconds, first.ParallelSeconds, first.DefaultCostShare
	a.Models, a.Estimates = all.Models, all.Estimates
	a.Accuracy, a.Techniques = report.ModelAccuracies(b.Pricer), report.TechniqueAccuracies(known, all)
	for i := range a.Techniques {
		if a.Techniques[i].Technique == a.Technique {
			a.KnownError = &a.Techniques[i]
		}
	}
	all.Differences = report.Differences(all)
	if report.PartedFromExecutions(all) != nil {
		if a.Averaged, err = averaged.Blame(b.e, b.m); err != nil {
			return err
		}
	}
	b.d.Unattributed = append(b.d.Unattributed, all.Unattributed...)
	for _, r := range all.Defaults {
		if r.Share > 0 {
			b.d.Defaults = append(b.d.Defaults, costDefault(r))
		}
	}
	a.Apart = b.apart()
	b.d.Notes = append(b.d.Notes, report.Notes(b.Pricer, b.e)...)
	if len(b.prog.Regions) > 0 && b.e.Bundle.Executions == nil {
		b.d.Notes = append(b.d.Notes, report.NoExecutions)
	}
	b.d.Notes = slices.Concat(b.d.Notes, report.OverheadNotes(b.Pricer, b.e.Processors, b.m), report.HardwareNotes(b.e.Processors, b.prog, b.m, b.MappingName), report.MappingNotes(b.e.Bundle, b.m, b.MappingName), b.Pricer.Warnings)
	return nil
}

// apart says that the answer is not that of PB, which a part of the document shows.
func (b *builder) apart() string {
	a := &b.d.Answer
	for _, r := range a.Estimates {
		if r.Technique == estimate.PathBased.String() && math.Abs(r.Speedup-a.Speedup) > report.Parted*a.Speedup {
			text := fmt.Sprintf("the answer is %s's, %.2f; paths and task times are those of PB, which gives %.2f", report.Title(a.Technique), a.Speedup, r.Speedup)
			if p := a.Averaged; p != nil {
				known := " paths know averages of what varies inside loops and calls: "
				if p.Waiting || p.Tasks {
					known = " "
				}
				text += ", since in " + ir.RegionLabel(p.Region, p.Line) + known + report.PartText(p)
			}
			return text
		}
	}
	return ""
}

// byRows is the technique of the answer, or another where that has no rows.
func (b *builder) byRows() estimate.Technique {
	if b.Technique.HasRows() {
		return b.Technique
	}
	return estimate.Answering(b.e.Bundle)
}

// losses is what why prints.
func (b *builder) losses() error {
	l, err := report.LossesOf(b.e, b.m, b.byRows())
	if err != nil {
		return err
	}
	l.Bundle, l.Function, l.Mapping, l.Models = b.Bundle, b.prog.Funcs[b.e.Root].Name, b.MappingName, b.d.Answer.Models
	if len(b.prog.Regions) > 0 {
		l.Notes = append(l.Notes, l.UnusedNote(b.e.Platform)...)
	}
	b.d.Losses = l
	return nil
}

// timelines plays the rows of the answer's technique, or of the one that answers by default
// where it has none.
func (b *builder) timelines() error {
	t := b.byRows()
	all, err := account.Timelines(b.e, b.m, t, timelineRows)
	for i := range all {
		all[i].File = b.sources.name(all[i].File)
		b.nameFiles(all[i].Bars)
		for k := range all[i].Rows {
			b.nameFiles(all[i].Rows[k].Bars)
		}
	}
	b.d.Timelines, b.d.TimelinesBy = all, t.String()
	if err == nil {
		channels := flow.StageChannels(b.e.Bundle)
		b.d.Pipelines, err = report.PipelinesOf(b.e, b.m, b.MappingName, channels, false)
		b.d.Notes = append(b.d.Notes, report.PipelineNotes(b.e.Bundle, channels)...)
	}
	if err == nil && len(b.d.Pipelines) > 0 {
		err = b.courses()
	}
	for i := range b.d.Pipelines {
		b.d.Pipelines[i].File = b.sources.name(b.d.Pipelines[i].File)
	}
	if len(all) == 0 && len(b.prog.Regions) > 0 {
		b.d.Notes = append(b.d.Notes, fmt.Sprintf("function %s reaches no region that ran, so that nothing of it runs in parallel", b.d.Function))
	}
	return err
}

// courses draws the pipelines over time.
func (b *builder) courses() error {
	all, err := account.Courses(b.e, b.m)
	for i := range all {
		for k := range b.d.Pipelines {
			if p := &b.d.Pipelines[k]; p.Name == all[i].Pipeline {
				p.Course = &all[i]
			}
		}
	}
	return err
}

func (b *builder) nameFiles(bars []account.Bar) {
	for i := range bars {
		bars[i].File = b.sources.name(bars[i].File)
	}
}

// formula is what the answer's estimates do with other overheads and clocks. Without a
// region that ran there is nothing to choose.
func (b *builder) formula() (err error) {
	if slices.Contains(report.RegionsRan(b.e.Bundle), true) {
		b.d.Formula, err = formula.Of(b.e, b.m, b.techniques)
	}
	return err
}
