package main

// This file is the subcommand export.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/estimate"
	"pathspan/export"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

type exportFlags struct {
	targetFlags
	format, output   string
	pipeline         string
	techniques       []string
	level, paths     int
	levelSet, chosen bool // --level, --technique are given
}

func exportCmd() *cobra.Command {
	var o exportFlags
	var list strings.Builder
	for _, f := range export.Formats {
		fmt.Fprintf(&list, "  %-10s %s\n", f.Name, f.What)
	}
	cmd := &cobra.Command{
		Use:   "export APP.pspan --format FORMAT [-o FILE] [-p N] [--platform P.yaml] [--mapping M.yaml]",
		Short: "Write estimates, schedules, profiles and task graphs for other tools",
		Long: `Export writes what estimates rest on in formats that other tools read:

` + list.String() + `
Without --format the end of the file's name decides, where it stands for one format
alone. Text goes to standard output unless -o names a file.`,
		Example: "  pathspan export app.pspan -p 4 -o app.pprof && go tool pprof -top app.pprof\n  pathspan export app.pspan --platform soc.yaml --mapping m.yaml -o app.trace\n  pathspan export app.pspan --format csv -p 1,2,4,8",
		Args:    oneBundle("pathspan export app.pspan --format pprof -o app.pprof"),
	}
	f := cmd.Flags()
	o.targetFlags.add(f, "2; csv 1,2,4,8")
	f.StringVar(&o.format, "format", "", "`format`: "+export.Names())
	f.StringVarP(&o.output, "output", "o", "", "`file` to write (default standard output)")
	f.StringVar(&o.function, "function", "", "`name` of the function to estimate, or whose task graph to write (default "+estimate.DefaultRoot+")")
	f.StringSliceVar(&o.techniques, "technique", shownTechniques(), "`techniques` of csv: "+everyTechnique()+"; of chrome, cilkscale and pprof one of "+estimate.Choice(estimate.TechniquesThat(estimate.HaveRows))+" ("+answeringText()+")")
	f.IntVar(&o.level, "level", 0, "`level` whose task graph to write: 0 is the function's body, N the loop that inspect calls N (default: where the sections with the most time are)")
	f.IntVar(&o.paths, "paths", 5, "`number` of ways in which each sections construct is executed in a trace")
	f.StringVar(&o.pipeline, "pipeline", "", "`name` of a pipeline of the plan to write (sdf3, vcd), as estimate calls it")
	var formats []string
	for _, f := range export.Formats {
		formats = append(formats, f.Name+"\t"+f.What)
	}
	// It fails only for flags that there are not.
	_ = cmd.RegisterFlagCompletionFunc("format", words(formats...))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		form, err := export.Find(o.format, o.output)
		if err != nil {
			return err
		}
		if err := o.conflicts(f, form); err != nil {
			return err
		}
		if f.Changed("output") {
			if err := writable(o.output); err != nil {
				return err
			}
		} else if form.Binary && isTerminal(cmd.OutOrStdout()) {
			return fmt.Errorf("--format %s is binary, and standard output is a terminal; name a file with -o", form.Name)
		}
		data, err := o.run(cmd, args[0], form)
		if err != nil {
			return err
		}
		if o.output != "" {
			return writeFile(o.output, data)
		}
		_, err = cmd.OutOrStdout().Write(data)
		return err
	}
	return cmd
}

// conflicts reports flags that say nothing to a format.
func (o *exportFlags) conflicts(f *pflag.FlagSet, form export.Format) error {
	if err := o.targetFlags.check(); err != nil {
		return err
	}
	graph := form.Name == "wfformat" || form.Name == "sdf3"
	o.levelSet, o.chosen = f.Changed("level"), f.Changed("technique")
	switch {
	case o.chosen && form.Name != "csv" && !byOne(form.Name):
		return fmt.Errorf("--technique chooses what --format csv lists, and what chrome, cilkscale and pprof go by; leave it out for %s", form.Name)
	case o.chosen && byOne(form.Name) && len(o.techniques) != 1:
		return fmt.Errorf("--technique: --format %s goes by one technique; name %s", form.Name, estimate.Choice(estimate.TechniquesThat(estimate.HaveRows)))
	case o.levelSet && !graph:
		return fmt.Errorf("--level chooses the task graph of --format wfformat or sdf3; leave it out for %s", form.Name)
	case f.Changed("pipeline") && form.Name != "sdf3" && form.Name != "vcd":
		return fmt.Errorf("--pipeline chooses what --format sdf3 or vcd writes; leave it out for %s", form.Name)
	case f.Changed("pipeline") && o.levelSet:
		return errors.New("--pipeline and --level exclude each other: one graph is written")
	case f.Changed("paths") && form.Name != "chrome":
		return fmt.Errorf("--paths chooses what --format chrome shows; leave it out for %s", form.Name)
	case o.paths < 0:
		return fmt.Errorf("--paths %d: want a number of ways, or 0 for mean executions alone", o.paths)
	case len(o.processors) > 1 && form.Name != "csv" && form.Name != "cilkscale":
		return fmt.Errorf("-p: --format %s shows one platform; give one number of processors", form.Name)
	case len(o.mappings) > 1 && form.Name != "csv":
		return fmt.Errorf("--mapping: --format %s shows one mapping; give it once", form.Name)
	}
	return nil
}

// byOne tells formats whose times are those of one technique.
func byOne(format string) bool {
	return format == "chrome" || format == "cilkscale" || format == "pprof"
}

func (o *exportFlags) run(cmd *cobra.Command, path string, form export.Format) ([]byte, error) {
	q, err := o.open(path)
	if err != nil {
		return nil, err
	}
	counts := []int{2}
	if form.Name == "csv" {
		counts = []int{1, 2, 4, 8}
	}
	all, err := q.ask(cmd.Context(), &o.targetFlags, counts...)
	if err != nil {
		return nil, err
	}
	only := ""
	if o.chosen && byOne(form.Name) {
		only = o.techniques[0]
	}
	technique, err := decider(q.Bundle, only)
	if err != nil {
		return nil, err
	}
	var subjects []*export.Subject
	for _, a := range all {
		for k, m := range a.mappings {
			subjects = append(subjects, &export.Subject{Bundle: q.name, MappingName: a.names[k], Version: version(), Estimator: a.Estimator, Mapping: m, Technique: technique})
		}
	}
	s := subjects[0]
	var pipeline []byte
	switch {
	case form.Name == "vcd":
		pipeline, err = export.VCD(s, o.pipeline)
	case o.pipeline != "":
		pipeline, err = export.SDF3Pipeline(s, o.pipeline)
	}
	if err != nil {
		return nil, err
	}
	sayNotes(cmd, append(q.notes(), o.apart(s, form)...)) // formats of other tools have no place for them
	if pipeline != nil {
		return pipeline, nil
	}
	switch form.Name {
	case "csv":
		return o.csv(subjects)
	case "cilkscale":
		var scales []export.Scale
		if o.processors != nil {
			for _, s := range subjects {
				c, err := export.ScaleOf(s)
				if err != nil {
					return nil, err
				}
				scales = append(scales, c)
			}
		}
		return export.Cilkscale(s, scales)
	case "chrome":
		return export.Chrome(s, o.paths)
	case "pprof":
		models, opened, err := additive(s.Estimator, q.pricer)
		for _, c := range opened {
			defer c.Close()
		}
		if err != nil {
			return nil, err
		}
		s.Models = models
		return export.Pprof(cmd.Context(), s)
	}
	g, err := o.graph(s)
	if err != nil {
		return nil, err
	}
	if form.Name == "sdf3" {
		return export.SDF3(s, g)
	}
	return export.WfFormat(s, g)
}

// apart says where a task graph is written, of which a pipeline's loop is one task, and stages are asked for otherwise.
func (o *exportFlags) apart(s *export.Subject, form export.Format) []string {
	all := s.Estimator.Bundle.Program.Pipelines
	if len(all) == 0 || o.pipeline != "" || o.levelSet || form.Name != "sdf3" && form.Name != "wfformat" {
		return nil
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return []string{fmt.Sprintf("this is the task graph, which shows no stages; --format sdf3 --pipeline NAME writes those of %s", yamlstrict.List(names))}
}

// additive opens the models that price instruction by instruction, by processor; nil
// stands for the others. What was opened is to be closed, also after an error.
func additive(e *estimate.Estimator, pricer *estimate.Pricer) (all []procmodels.Model, opened []io.Closer, err error) {
	for i := range e.Costs {
		p := &e.Platform.Processors[i]
		if k := slices.Index(e.Costs[:i], e.Costs[i]); k >= 0 {
			all = append(all, all[k])
			continue
		}
		if !pricer.Description(e.Costs[i]).Additive {
			all = append(all, nil)
			continue
		}
		m, err := procmodels.Open(p.Model, p.Dir)
		if err != nil {
			return nil, opened, err
		}
		if c, ok := m.(io.Closer); ok {
			opened = append(opened, c)
		}
		all = append(all, m)
	}
	return all, opened, nil
}

// csv estimates all subjects by all techniques. Those that need what the
// bundle does not keep would be others under another name.
func (o *exportFlags) csv(subjects []*export.Subject) ([]byte, error) {
	techniques, err := parseTechniques(o.techniques)
	if err != nil {
		return nil, err
	}
	if !o.chosen {
		techniques = slices.DeleteFunc(techniques, func(t estimate.Technique) bool { return !t.Suits(subjects[0].Estimator.Bundle) })
	}
	var rows []export.Row
	for _, s := range subjects {
		for _, t := range techniques {
			r, err := s.Estimator.Estimate(s.Mapping, t)
			if err != nil {
				return nil, err
			}
			r.Mapping = s.MappingName
			rows = append(rows, export.Row{Platform: s.Estimator.Platform.Name, Result: r})
		}
	}
	return export.CSV(rows)
}

// graph takes the task graph asked for.
func (o *exportFlags) graph(s *export.Subject) (*export.TaskGraph, error) {
	at := export.Level{Function: s.Estimator.Root, Level: o.level}
	if !o.levelSet {
		function := -1
		if o.function != "" {
			function = at.Function
		}
		var err error
		if at, err = export.HeaviestLevel(s, function); err != nil {
			return nil, err
		}
	} else if n := len(s.Estimator.Graphs[at.Function].Levels); at.Level < 0 || at.Level >= n {
		return nil, fmt.Errorf("--level %d: function %s has levels 0 to %d", at.Level, s.Estimator.Bundle.Program.Funcs[at.Function].Source, n-1)
	}
	return export.NewTaskGraph(s, at)
}
