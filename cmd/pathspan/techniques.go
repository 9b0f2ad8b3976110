package main

// This file says in flags and help texts what the techniques are, by their registry.

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/estimate"
	"pathspan/profile"
	"pathspan/report"
)

// described lists techniques and what each does.
func described(techniques []estimate.Technique) string {
	all := make([]string, len(techniques))
	for i, t := range techniques {
		all[i] = t.String() + " (" + t.Entry().Words + ")"
	}
	return strings.Join(all, ", ")
}

// everyTechnique describes all; accounted those that all commands can go by.
func everyTechnique() string { return described(estimate.Techniques()) }
func accounted() string      { return described(estimate.TechniquesThat(estimate.HaveRows)) }

// addTechnique defines --technique of commands that go by one that has rows.
func addTechnique(f *pflag.FlagSet, to *string, what string) {
	f.StringVar(to, "technique", "", "`technique` "+what+": "+accounted()+" ("+answeringText()+")")
}

// addTechniques defines --technique of commands that take several.
func addTechniques(f *pflag.FlagSet, to *[]string, shown []string, what, more string) {
	f.StringSliceVar(to, "technique", shown, strings.TrimSpace("`techniques` "+what)+": "+everyTechnique()+more)
}

// techniqueTable lists all for a help text.
func techniqueTable() string {
	var lines strings.Builder
	for _, t := range estimate.Techniques() {
		fmt.Fprintf(&lines, "  %-12s %s: %s\n", t, t.Entry().Name, t.Entry().Words)
	}
	return lines.String()
}

// answeringTechniques lists those whose figure is the answer, where the profile allows.
func answeringTechniques() []estimate.Technique {
	return estimate.TechniquesThat(func(x *estimate.Entry) bool { return x.Answers })
}

// answeringText says which it is where nobody names one.
func answeringText() string {
	var all []string
	for _, t := range answeringTechniques() {
		if t.Entry().Executions {
			all = append(all, t.String()+" where the profile keeps executions")
			continue
		}
		return "default " + strings.Join(append(all, "else "+t.String()), ", ")
	}
	return "default " + strings.Join(all, ", ")
}

// shownTechniques are those that results show where nobody names any.
func shownTechniques() []string { return estimate.IDs(estimate.TechniquesThat(estimate.AreShown)) }

// parseTechniques reads the techniques of a flag, which must name one at least.
func parseTechniques(names []string) ([]estimate.Technique, error) {
	if len(names) == 0 {
		return nil, errors.New("--technique: none named; want " + estimate.Choice(estimate.Techniques()))
	}
	var all []estimate.Technique
	for _, name := range names {
		t, err := estimate.ParseTechnique(name)
		if err != nil {
			return nil, fmt.Errorf("--%w", err)
		}
		all = append(all, t)
	}
	return all, nil
}

// decider returns the technique that --technique names, of those that have rows, or
// that which answers where it names none.
func decider(b *profile.Bundle, name string) (estimate.Technique, error) {
	if name == "" {
		return estimate.Answering(b), nil
	}
	rows := estimate.TechniquesThat(estimate.HaveRows)
	t, err := estimate.ParseTechnique(name)
	switch {
	case err != nil || !slices.Contains(rows, t):
		return 0, fmt.Errorf("--technique %q: want %s", name, estimate.Choice(rows))
	case !t.Suits(b):
		return 0, unsuited(t)
	}
	return t, nil
}

// unsuited says that a profile keeps no executions for a technique.
func unsuited(t estimate.Technique) error {
	return fmt.Errorf("--technique %s: %s; leave --technique out", t, report.NoExecutions)
}

// completeTechniques completes lists of techniques, in the order of the help.
func completeTechniques(cmd *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
	var all []string
	for _, t := range estimate.Techniques() {
		all = append(all, t.String()+"\t"+t.Entry().Words)
	}
	return list(all...)(cmd, args, to)
}
