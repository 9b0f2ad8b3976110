package main

// This file is the subcommand suggest.

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/report"
	"pathspan/suggest"
)

type suggestFlags struct {
	targetFlags
	output  string
	without []string
	json    bool
	items   int
}

func suggestCmd() *cobra.Command {
	var o suggestFlags
	cmd := &cobra.Command{
		Use:   "suggest APP.pspan [-p N] [--platform P.yaml] [--mapping M.yaml] [-o PLAN.yaml]",
		Short: "Say where parallel loops, sections or tasks would pay",
		Long: `Suggest looks for loops, sequences of statements and recursions of a profiled program,
with or without pragmas, that would save time if they ran in parallel on a platform.
They are ranked by what the whole program saves, each alone and together with those
above it; what would not pay is listed with the reason. Regions that the program has
stay as they are mapped.

Of a bundle that profile --memory made, loops whose iterations need each other, and
statements that read what others wrote, are left out with the lines that forbid it; other
loops say what threads need of their own or combine.
Else dependences are unchecked: whether iterations use each other's data is yours to know.
What cannot run in parallel is left out with --without, and what lies in it is seen.`,
		Example: "  pathspan suggest app.pspan -p 4\n  pathspan suggest app.pspan --without app.c:57\n  pathspan suggest app.pspan --platform soc.yaml -o plan.yaml",
		Args:    oneBundle("pathspan suggest app.pspan"),
	}
	f := cmd.Flags()
	o.addOne(f, "4")
	addFunction(f, &o.function)
	addJSON(f, &o.json, "")
	f.IntVar(&o.items, "items", 10, "`number` of suggestions, 0 for all")
	f.Var(listFlag{&o.without}, "without", "`places` that cannot run in parallel: FILE:LINE of loops or sequences to leave out, FILE:LINE:COLUMN of one of several loops")
	f.StringVarP(&o.output, "output", "o", "", "plan `file` to write, which profile --plan reads")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(o.processors) > 1:
			return errors.New("-p: suggest looks at one platform; give one number of processors")
		case len(o.mappings) > 1:
			return errors.New("--mapping: suggest measures on one mapping of the regions that there are; give it once")
		case o.items < 0:
			return fmt.Errorf("--items %d: want a number of suggestions, or 0 for all", o.items)
		}
		if err := o.check(); err != nil {
			return err
		}
		if f.Changed("output") {
			if err := writable(o.output); err != nil {
				return err
			}
		}
		return o.run(cmd, args[0])
	}
	return cmd
}

func (o *suggestFlags) run(cmd *cobra.Command, path string) error {
	q, err := o.read(path)
	if err != nil {
		return err
	}
	if err := report.Suggestable(q.Bundle, q.name); err != nil {
		return err
	}
	shown := newProgress(cmd)
	defer shown.done()
	shown.step("pricing %s", q.name)
	all, err := q.ask(cmd.Context(), &o.targetFlags, 4)
	if err != nil {
		return err
	}
	a := all[0]
	options := suggest.Options{Limit: o.items}
	for _, text := range o.without {
		l, err := linesOf(text)
		if err != nil {
			return err
		}
		options.Without = append(options.Without, l)
	}
	answer, err := suggest.Of(a.Estimator, a.mappings[0], options)
	var nothing *suggest.ErrNothing
	if errors.As(err, &nothing) {
		return fmt.Errorf("--without: %w; give the first line of a loop or sequence that suggest --items 0 lists", err)
	}
	if err != nil {
		return err
	}
	out := &report.Suggestions{Bundle: q.name, Function: q.function, Mapping: a.names[0], Platform: a.Platform.Name, Answer: *answer, Dependences: report.Unchecked}
	if q.Bundle.Memory != nil {
		out.Dependences = report.Recorded
	}
	for i := range a.Platform.Processors {
		out.Processors = append(out.Processors, a.Platform.Processors[i].Name)
	}
	out.Models = report.AddModels(nil, a.Processors)
	out.Notes = slices.Concat(report.SuggestionNotes(q.pricer, a.Estimator), report.MappingNotes(q.Bundle, a.mappings[0], a.names[0]))
	if o.output != "" {
		plan, any := suggest.PlanFile(answer.Suggestions)
		if !any {
			return fmt.Errorf("-o %s: there is no suggestion that a plan can try, so nothing is written", o.output)
		}
		if err := writeFile(o.output, plan); err != nil {
			return err
		}
		out.PlanFile = o.output
	}
	shown.done()
	return show(cmd, o.json, out, func(w io.Writer) error { return out.Text(w, o.items) })
}

// linesOf reads FILE:LINE or FILE:LINE:COLUMN.
func linesOf(text string) (suggest.Lines, error) {
	file, numbers := text, []int(nil)
	for len(numbers) < 2 {
		at := strings.LastIndexByte(file, ':')
		n, err := strconv.Atoi(file[at+1:])
		if at < 1 || err != nil || n < 1 {
			break
		}
		file, numbers = file[:at], append(numbers, n)
	}
	switch len(numbers) {
	case 1:
		return suggest.Lines{File: file, Line: numbers[0]}, nil
	case 2:
		return suggest.Lines{File: file, Line: numbers[1], Column: numbers[0]}, nil
	}
	return suggest.Lines{}, fmt.Errorf("--without %s: want FILE:LINE or FILE:LINE:COLUMN, such as app.c:57", text)
}
