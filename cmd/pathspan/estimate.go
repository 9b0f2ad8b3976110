package main

// This file is the subcommand estimate.

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/bounded"
	"pathspan/estimate"
	"pathspan/estimate/averaged"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report"
	"pathspan/streams/flow"
	"pathspan/validate/ledger"
)

type estimateFlags struct {
	targetFlags
	techniques            []string
	chosen                bool // techniques were named
	json, explain, verify bool
	depths                bool
	level, paths, samples int
	seed                  uint64
	confidence            float64 // per cent
}

func estimateCmd() *cobra.Command {
	var o estimateFlags
	cmd := &cobra.Command{
		Use:   "estimate APP.pspan [-p N[,N...]] [--platform P.yaml] [--mapping M.yaml]",
		Short: "Estimate the speed-up of mappings of a profiled program",
		Long: `Estimate schedules the sections of a profiled program on a platform, once for each
path, and prints the speed-up. Without files it takes 1, 2, 4 and 8 equal
processors and the mapping that OpenMP's static schedule gives.

Techniques, those that know most first:
` + techniqueTable() + `
Where models know how uncertain their costs are, the costs are drawn many times and
intervals are printed. Given several mappings, estimate says which of two takes less
time, and in how many of the samples.`,
		Example: "  pathspan estimate app.pspan\n  pathspan estimate app.pspan --platform soc.yaml --mapping m.yaml --json\n  pathspan estimate app.pspan -p 2 --function filter --explain\n  pathspan estimate app.pspan --platform soc.yaml --mapping a.yaml --mapping b.yaml",
		Args:    oneBundle("pathspan estimate app.pspan"),
	}
	f := cmd.Flags()
	o.targetFlags.add(f, "1,2,4,8")
	addFunction(f, &o.function)
	addTechniques(f, &o.techniques, shownTechniques(), "", "")
	f.IntVar(&o.samples, "samples", usualSamples, "`number` of draws of uncertain costs for the intervals, 0 for none")
	f.Uint64Var(&o.seed, "seed", 1, "`seed` of the draws")
	f.Float64Var(&o.confidence, "confidence", 90, "`per cent` of the draws that lie in an interval")
	addJSON(f, &o.json, "")
	f.BoolVar(&o.verify, "verify", false, "compute each result a second time, by what shares no code with the first, and fail where it differs")
	f.IntVar(&o.tasks.Final, "task-final", 0, "`depth` from which tasks are taken to be final, so that what they make runs where it is made; 1 for those that sections make (default as the program has it)")
	f.IntVar(&o.tasks.Grain, "task-grain", 0, "`number` of tasks of a place, made one after the other, that are taken to be one: so many times the grain size of a taskloop (default each its own)")
	f.Float64Var(&o.tasks.Least, "task-least", 0, "least `number` of instructions that tasks execute, with all that they make; smaller ones are taken to run where they are made (default as the program has it)")
	f.BoolVar(&o.depths, "depths", false, "play the pipelines of the plan with other depths of their buffers, and find the least that are as fast as any")
	f.BoolVar(&o.explain, "explain", false, "print the paper's intermediate tables for one level of the function")
	f.IntVar(&o.level, "level", 0, "`level` to explain: 0 is the function's body, N the loop that inspect calls N")
	f.IntVar(&o.paths, "paths", 20, "`number` of paths to explain, 0 for all")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.conflicts(f); err != nil {
			return err
		}
		o.chosen = f.Changed("technique")
		return o.run(cmd, args[0])
	}
	return cmd
}

// conflicts reports flags that exclude each other or do nothing together.
func (o *estimateFlags) conflicts(f *pflag.FlagSet) error {
	if err := o.targetFlags.check(); err != nil {
		return err
	}
	switch {
	case o.explain && f.Changed("technique") && !slices.Equal(o.techniques, []string{estimate.PathBased.String()}):
		return errors.New("--explain shows the path-based technique (pb); leave --technique out")
	case o.explain && len(o.processors) > 1:
		return errors.New("--explain shows one platform; give one number of processors with -p")
	case !o.explain && (f.Changed("level") || f.Changed("paths")):
		return errors.New("--level and --paths choose what --explain prints; add --explain")
	case o.explain && o.depths:
		return errors.New("--depths plays executions of stages, and --explain prints tables of paths; leave one out")
	case o.depths && f.Changed("technique") && !slices.Contains(o.techniques, estimate.ExecutionBased.String()):
		return errors.New("--depths plays executions of stages: add eb to --technique, or leave --depths out")
	case o.explain && o.verify:
		return errors.New("--verify recomputes results, and --explain prints tables instead; leave one out")
	case o.explain && len(o.mappings) > 1:
		return errors.New("--explain shows one mapping; give --mapping once")
	case f.Changed("task-final") && o.tasks.Final < 1:
		return fmt.Errorf("--task-final %d: want a depth of tasks from 1", o.tasks.Final)
	case f.Changed("task-grain") && o.tasks.Grain < 2:
		return fmt.Errorf("--task-grain %d: want a number of tasks from 2", o.tasks.Grain)
	case f.Changed("task-least") && !(o.tasks.Least >= 1 && o.tasks.Least <= mapping.MaxOverhead):
		return fmt.Errorf("--task-least %g: want a number of instructions from 1 to %g", o.tasks.Least, mapping.MaxOverhead)
	case o.explain && o.tasks != (profile.TaskCutOff{}):
		return errors.New("--explain shows paths, which know no tasks; leave --task-final, --task-grain and --task-least out")
	case o.samples < 0 || o.samples > maxSamples:
		return fmt.Errorf("--samples %d: want a number from 0 to %d", o.samples, maxSamples)
	case !(o.confidence > 0 && o.confidence < 100):
		return fmt.Errorf("--confidence %g: want per cent above 0 and below 100", o.confidence)
	case o.samples == 0 && (f.Changed("seed") || f.Changed("confidence")):
		return errors.New("--seed and --confidence choose what --samples draws; leave out --samples 0")
	case o.paths < 0:
		return fmt.Errorf("--paths %d: want a number of paths, or 0 for all", o.paths)
	}
	return nil
}

// fileError says which flag names a file that cannot be read. Other errors of a file
// name it themselves.
func fileError(flag, path string, err error) error {
	if why := bounded.Reason(err); why != err {
		return fmt.Errorf("%s %s: %w", flag, path, why)
	}
	return err
}

// run estimates every platform asked for.
func (o *estimateFlags) run(cmd *cobra.Command, path string) error {
	techniques, err := parseTechniques(o.techniques)
	if err != nil {
		return err
	}
	q, err := o.open(path)
	if err != nil {
		return err
	}
	out := &report.Estimates{Bundle: q.name, Function: q.function}
	unsuited := func(t estimate.Technique) bool { return !t.Suits(q.Bundle) && len(q.Bundle.Program.Regions) > 0 }
	if slices.ContainsFunc(techniques, unsuited) {
		// Nothing to base them on: they would be others under another name.
		if o.chosen {
			q.basis = append(q.basis, report.NoExecutions)
		} else {
			techniques = slices.DeleteFunc(techniques, unsuited)
		}
	}
	counts := []int{1, 2, 4, 8}
	if o.explain {
		counts = []int{2}
	}
	shown := newProgress(cmd)
	defer shown.done()
	shown.step("pricing %s", q.name)
	all, err := q.ask(cmd.Context(), &o.targetFlags, counts...)
	if err != nil {
		return err
	}
	if o.explain {
		shown.done()
		return o.printExplanation(cmd.OutOrStdout(), all[0], q.function)
	}
	channels := flow.StageChannels(q.Bundle)
	for _, a := range all {
		for k, m := range a.mappings {
			for _, t := range techniques {
				r, err := a.Estimate(m, t)
				if err != nil {
					return err
				}
				r.Mapping = a.names[k]
				out.Estimates = append(out.Estimates, r)
			}
			if slices.Contains(techniques, estimate.ExecutionBased) {
				pipelines, err := report.PipelinesOf(a.Estimator, m, a.names[k], channels, o.depths)
				if err != nil {
					return err
				}
				out.Pipelines = append(out.Pipelines, pipelines...)
			}
			if slices.Contains(techniques, estimate.ExecutionBased) && a.Bundle.Program.HasTasks() {
				least, most, err := a.Stealing(m, report.Stealing)
				if err != nil {
					return err
				}
				if note := report.StealingNote(a.names[k], len(a.Platform.Processors), least, most); most > 0 && note != "" {
					q.basis = addNotes(q.basis, note)
				}
			}
		}
		if o.verify {
			shown.step("computing everything a second time")
			if err := verifyAll(out, a, techniques); err != nil {
				return err
			}
		}
	}
	if o.depths && len(out.Pipelines) == 0 {
		return fmt.Errorf("--depths: %s has no pipeline of a plan that ran, with its executions; leave it out", q.name)
	}
	out.Describe(all[0].Estimator, all[0].mappings[0])
	shown.step("drawing %d samples of uncertain costs", o.samples)
	if err := o.intervals(out, q.Analysis, all, techniques); err != nil {
		return err
	}
	shown.done()
	out.Accuracy = report.ModelAccuracies(q.pricer)
	known, err := ledger.Committed()
	if err != nil {
		return err
	}
	outside, err := ledger.Outside()
	if err != nil {
		return err
	}
	out.Techniques, out.References = report.TechniqueAccuracies(known, out), report.ReferenceAccuracies(outside, out, all[0].KnowsMemory())
	out.Differences = report.Differences(out)
	if d := report.PartedFromExecutions(out); d != nil {
		for _, a := range all {
			if k := slices.Index(a.names, d.Mapping); len(a.Platform.Processors) == d.Processors && k >= 0 {
				if out.Averaged, err = averaged.Blame(a.Estimator, a.mappings[k]); err != nil {
					return err
				}
			}
		}
	}
	out.Notes = addNotes(q.notes(q.defaults...), slices.Concat(report.PipelineNotes(q.Bundle, channels), report.SizedNotes(q.Bundle, out.Pipelines))...)
	return show(cmd, o.json, out, out.Text)
}

func (o *estimateFlags) printExplanation(w io.Writer, a *priced, fn string) error {
	x, err := a.Explain(a.mappings[0], fn, o.level)
	if err != nil {
		return err
	}
	if o.json {
		return report.JSON(w, &report.Explained{Explanation: x})
	}
	return x.WriteTables(w, o.paths)
}
