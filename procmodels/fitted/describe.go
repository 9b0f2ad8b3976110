package fitted

// This file says what a model is and how far to trust it.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/procmodels"
)

// Describe implements procmodels.Model.
func (m *Model) Describe() procmodels.Description {
	notes := m.Notes
	if notes == "" {
		notes = "Linear in counts of instruction classes: caches, dependences and branch prediction are in the coefficients as they were on average in the samples."
	}
	if m.Notes == "" && m.Scheme.Machine != nil {
		notes = "Blocks are played out of order behind what led to them; a branch that goes where it goes less often is taken to be foretold wrongly as often as in the samples; every access hits the first cache."
	}
	return procmodels.Description{Name: m.Name, NeedsModule: m.Scheme.Machine != nil, NeedsOperands: m.Scheme.Machine != nil, Kind: Kind, Version: schema, Source: m.Source, Notes: notes,
		ClockMHz: m.ClockMHz, Unit: m.Unit, Additive: !m.Scheme.Pairs && m.Scheme.Machine == nil, Accuracy: m.accuracy()}
}

// accuracy lists the errors measured, first what matters to those who see one line, how far
// off the model is on what it was not fitted to; then how it was fitted, the fit's warnings
// and the coefficients'.
func (m *Model) accuracy() []string {
	f := &m.Fit
	var lines []string
	if f.Error.WorstSample != "" {
		lines = append(lines, fmt.Sprintf("error on samples left out of the fit: mean %s, median %s, worst %s (%s)",
			percent(f.Error.Mean), percent(f.Error.Median), percent(f.Error.Worst), f.Error.WorstSample))
	} else {
		lines = append(lines, "error on samples left out of the fit: unknown, there is only one group")
	}
	lines = append(lines, fmt.Sprintf("error on the fitted samples: mean %s", percent(f.Fitted)),
		fmt.Sprintf("%s%s, %s; %s", count(f.Samples, "sample"), of(f.Sources), count(f.Groups, "group"), f.Method))
	lines = append(lines, f.Warnings...)
	for i := range m.Coefficients {
		if c := &m.Coefficients[i]; len(c.Warnings) > 0 {
			lines = append(lines, fmt.Sprintf("%s = %.3g: %s", c.Feature, c.Cycles, strings.Join(c.Warnings, "; ")))
		}
	}
	if never := m.NeverExecuted(); len(never) > 0 {
		lines = append(lines, "never executed, priced by default: "+strings.Join(never, ", "))
	}
	return lines
}

// NeverExecuted lists the classes of instructions that no sample executed, library
// functions and vectors apart.
func (m *Model) NeverExecuted() []string {
	if m.Scheme.Machine != nil {
		return nil // it has a figure for each
	}
	have := map[string]bool{}
	for i := range m.Coefficients {
		name, _, _ := strings.Cut(m.Coefficients[i].Feature, ".")
		have[name] = true
	}
	var list []string
	for name, family := range familyOf {
		if name != "" && family != noFamily && name != other.name && !have[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// of names the files that samples are from.
func of(sources []string) string {
	if len(sources) == 0 {
		return ""
	}
	return " of " + strings.Join(sources, ", ")
}

func percent(x float64) string { return fmt.Sprintf("%.1f %%", 100*x) }

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
