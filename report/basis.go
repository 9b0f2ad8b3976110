package report

// This file says what estimates rest on: models, defaults, and what there was to run.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// Describe tells which models priced the program, what rests on defaults of the mapping's
// serial processor, and what ran outside the function.
func (out *Estimates) Describe(e *estimate.Estimator, m *mapping.Resolved) {
	out.Models = AddModels(out.Models, e.Processors)
	out.Defaults = e.Defaults(m.Serial).Reasons
	out.Limits = limitsOf(e, m.Serial)
	if out.Function != estimate.DefaultRoot {
		return // everything around the function ran outside it, which is no surprise
	}
	out.Unattributed = e.Unattributed(m.Serial)
}

// AddModels adds the models that priced processors to a list, each once.
func AddModels(models []string, p estimate.Processors) []string {
	for _, c := range p.Costs {
		if !slices.Contains(models, c.Model) {
			models = append(models, c.Model)
		}
	}
	return models
}

// ModelAccuracies lists what the models say of how far to trust them.
func ModelAccuracies(p *estimate.Pricer) []ModelAccuracy {
	var all []ModelAccuracy
	for _, m := range p.Models {
		if len(m.Description.Accuracy) > 0 {
			all = append(all, ModelAccuracy{Model: m.Costs.Model, Reference: m.Ref, Remarks: m.Description.Accuracy})
		}
	}
	return all
}

// Notes says what estimates on a platform leave out, and what makes them hard to compare.
func Notes(pricer *estimate.Pricer, e *estimate.Estimator) []string {
	return slices.Concat(e.Notes, RegionNotes(e.Bundle), PlatformNotes(pricer, e.Processors), MemoryNotes(e))
}

// SuggestionNotes says the same for suggestions, which programs without regions have as well.
func SuggestionNotes(pricer *estimate.Pricer, e *estimate.Estimator) []string {
	return slices.Concat(e.Notes, idleNotes(e.Bundle), Omissions(e.Bundle), PlatformNotes(pricer, e.Processors), MemoryNotes(e), defaultNotes(pricer, e.Processors), pricer.Warnings)
}

// OverheadNotes says where overheads come from that the platform does not give, for a program
// that has regions. Those that create and sync have in them (fork, join and the like) are no
// matter of a note. Mappings say how loops share their iterations; none: in any way.
func OverheadNotes(pricer *estimate.Pricer, procs estimate.Processors, mappings ...*mapping.Resolved) []string {
	if len(pricer.Program.Regions) == 0 {
		return nil
	}
	return append(defaultNotes(pricer, procs), freeNotes(pricer.Program, procs.Platform, mappings)...)
}

// freeNotes says what costs nothing as the platform does not say what it costs.
func freeNotes(prog *ir.Program, pl *mapping.Platform, mappings []*mapping.Resolved) []string {
	var notes []string
	if slices.ContainsFunc(prog.Locks, func(l ir.Lock) bool { return !l.Ordered() && !l.Atomic() }) && !pl.Other.Lock.Given {
		notes = append(notes, "taking a lock that is free costs nothing: overheads: in a platform file says what it costs, with lock")
	}
	if slices.ContainsFunc(prog.Locks, ir.Lock.Atomic) && !pl.Other.Atomic.Given {
		notes = append(notes, "updating atomically what another processor updates, too, costs no more than what it does not: overheads: in a platform file says what it costs, with atomic")
	}
	if !pl.Other.Reduction.Given && slices.ContainsFunc(prog.Regions, func(r ir.Region) bool {
		return slices.ContainsFunc(r.Constructs, func(c ir.Construct) bool { return c.Reduces })
	}) {
		notes = append(notes, "combining what threads reduced costs nothing: overheads: in a platform file says what it costs, with reduction")
	}
	if prog.HasTasks() && !(pl.Other.Task.Given && pl.Other.Steal.Given) {
		notes = append(notes, "making and stealing tasks costs nothing but what overheads: in a platform file says, with task and steal")
	}
	if !pl.Other.Dispatch.Given && chunksAreTaken(prog, mappings) {
		notes = append(notes, "taking a chunk of a loop that is not static costs nothing, so that the smallest chunks look best: overheads: in a platform file says what it costs, with dispatch")
	}
	return notes
}

// chunksAreTaken reports whether threads may take chunks of a loop as they come.
func chunksAreTaken(prog *ir.Program, mappings []*mapping.Resolved) bool {
	if len(mappings) == 0 {
		return slices.ContainsFunc(prog.Regions, func(r ir.Region) bool {
			return slices.ContainsFunc(r.Constructs, func(c ir.Construct) bool { return c.Loop != nil })
		})
	}
	return slices.ContainsFunc(mappings, func(m *mapping.Resolved) bool {
		return slices.ContainsFunc(m.Regions, func(r mapping.RegionMap) bool {
			return slices.ContainsFunc(r.Loops, func(l *mapping.LoopMap) bool { return l != nil && l.Shares == nil && l.Schedule.Kind != loops.Static })
		})
	})
}

func defaultNotes(pricer *estimate.Pricer, procs estimate.Processors) []string {
	pl := procs.Platform
	if !pl.CreateDefaulted && !pl.SyncDefaulted {
		return nil
	}
	var notes []string
	defaults := false
	for i, c := range procs.Costs {
		known := pricer.Description(c).Overheads
		defaults = defaults || known == nil
		if known == nil || slices.Contains(procs.Costs[:i], c) {
			continue
		}
		over := procs.Overheads[i]
		notes = append(notes, fmt.Sprintf("overheads are those of model %s: creating tasks costs %g cycles, synchronising %g, for each region and processor; overheads: in a platform file go before them", c.Model, over.Create, over.Sync))
	}
	if defaults {
		what := "overheads are defaults"
		if notes != nil {
			what = "overheads on other processors are defaults"
		}
		notes = append(notes, fmt.Sprintf("%s: creating tasks costs %g cycles, synchronising %g, for each region and processor; set overheads: in a platform file", what, pl.Create, pl.Sync))
	}
	return notes
}

// PlatformNotes says what makes times of a platform's processors hard to compare: models
// that mean different things by a cycle, clocks that are assumed beside others that are not.
func PlatformNotes(pricer *estimate.Pricer, procs estimate.Processors) []string {
	var units, models, assumed, given []string
	for i, c := range procs.Costs {
		d := pricer.Description(c)
		if !slices.Contains(units, d.Unit) {
			units, models = append(units, d.Unit), append(models, fmt.Sprintf("%s: %q", c.Model, d.Unit))
		}
		if p := &procs.Platform.Processors[i]; p.ClockMHz == 0 && d.ClockMHz == 0 {
			assumed = append(assumed, p.Name)
		} else {
			given = append(given, p.Name)
		}
	}
	var notes []string
	if len(units) > 1 {
		notes = append(notes, fmt.Sprintf("the models mean different things by a cycle (%s), so times compare between their processors only as far as these do", strings.Join(models, "; ")))
	}
	if assumed != nil && given != nil {
		notes = append(notes, fmt.Sprintf("neither the platform nor the model gives a clock for %s: %g MHz is assumed, beside %s whose clocks are given; set clock_mhz", strings.Join(assumed, ", "), mapping.DefaultClockMHz, strings.Join(given, ", ")))
	}
	return notes
}

// RegionNotes says why nothing can run in parallel, when nothing can, which regions never
// ran, and what the profile leaves out.
func RegionNotes(b *profile.Bundle) []string {
	if len(b.Program.Regions) == 0 {
		none := "the program has no parallel region, so nothing can run in parallel; pathspan suggest says where a region would pay, and profile --plan tries one without touching the sources"
		return append([]string{none}, Omissions(b)...)
	}
	return append(idleNotes(b), Omissions(b)...)
}

// idleNotes says which regions never ran.
func idleNotes(b *profile.Bundle) []string {
	ran := RegionsRan(b)
	var notes, idle []string
	for i, r := range b.Program.Regions {
		if !ran[i] {
			idle = append(idle, r.Label())
		}
	}
	const most = 3
	switch {
	case len(idle) == 1:
		notes = append(notes, fmt.Sprintf("region %s never ran in this profile; profile with an input that reaches it", idle[0]))
	case idle != nil:
		notes = append(notes, fmt.Sprintf("regions %s never ran in this profile; profile with inputs that reach them", listed(idle, most)))
	}
	return notes
}

// RegionsRan tells which regions were executed in the profile.
func RegionsRan(b *profile.Bundle) []bool {
	ran := make([]bool, len(b.Program.Regions))
	for i, f := range b.Funcs {
		if f == nil {
			continue
		}
		fn := b.Program.Funcs[i]
		for block, n := range f.BlockCounts(len(fn.Blocks)) {
			if m := fn.Blocks[block].Mark; m != nil && n > 0 {
				ran[m.Region] = true
			}
		}
	}
	return ran
}

// NoExecutions is the note of what estimates go by for a bundle that keeps no executions.
const NoExecutions = "the bundle keeps no executions (it was made with --paths-only, or the program starts threads), so that estimates go path by path (PB), not execution by execution (EB)"

// UnusedNote names processors that an account's ideal leaves out.
func (l *Losses) UnusedNote(pl *mapping.Platform) []string {
	var unused []string
	for i := range pl.Processors {
		name := pl.Processors[i].Name
		if !slices.ContainsFunc(l.Processors, func(p LossProcessor) bool { return p.Name == name }) {
			unused = append(unused, name)
		}
	}
	if unused == nil {
		return nil
	}
	return []string{fmt.Sprintf("no section that ran is on %s; the ideal counts the processors in use", strings.Join(unused, ", "))}
}
