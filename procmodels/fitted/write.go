package fitted

// This file writes model files, so that people can read them and read gives the same
// model back, to six digits.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Marshal returns the model as a file.
func (m *Model) Marshal() []byte {
	w := &writer{}
	w.line("# How far to trust each figure stands beside it; error is one standard error in cycles.")
	w.line("schema: %s", schema)
	w.text("", "name", m.Name)
	w.text("", "unit", m.Unit)
	w.text("", "source", m.Source)
	w.text("", "notes", m.Notes)
	w.text("", "machine", m.Machine)
	if m.ClockMHz > 0 {
		w.line("clock_mhz: %s", number(m.ClockMHz))
	}
	w.line("features: {widths: %t, pairs: %t}", m.Scheme.Widths, m.Scheme.Pairs)
	if m.Scheme.Machine != nil {
		w.line("pipeline: %s # that blocks are played on", m.Scheme.Machine.Figures())
	}
	w.fit(&m.Fit)
	w.line("coefficients: # cycles for one execution")
	for i := range m.Coefficients {
		c := &m.Coefficients[i]
		s := fmt.Sprintf("  - {feature: %s, cycles: %s", inFlow(c.Feature), number(c.Cycles))
		if c.Known() {
			s += ", error: " + number(c.Error)
		}
		s += fmt.Sprintf(", samples: %d", c.Samples)
		if len(c.Warnings) > 0 {
			var quoted []string
			for _, t := range c.Warnings {
				quoted = append(quoted, inFlow(t))
			}
			s += ", warnings: [" + strings.Join(quoted, ", ") + "]"
		}
		w.line("%s}", s)
	}
	w.table("covariance: # of the coefficients with an error, in their order; lower triangle", m.Covariance)
	if len(m.Fit.Held) > 0 {
		w.line("samples: # cycles measured, and as predicted by the other groups of samples")
		for _, h := range m.Fit.Held {
			w.line("  - {name: %s, measured: %s, predicted: %s}", inFlow(h.Name), number(h.Measured), number(h.Predicted))
		}
	}
	return w.Bytes()
}

type writer struct{ bytes.Buffer }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// text writes a key with text, unless it is empty.
func (w *writer) text(indent, key, value string) {
	if value != "" {
		w.line("%s%s: %s", indent, key, scalar(value))
	}
}

func (w *writer) texts(indent, key string, list []string) {
	if len(list) == 0 {
		return
	}
	w.line("%s%s:", indent, key)
	for _, s := range list {
		w.line("%s  - %s", indent, scalar(s))
	}
}

func (w *writer) fit(f *Fit) {
	w.line("fit:")
	w.text("  ", "method", f.Method)
	w.line("  samples: %d", f.Samples)
	w.line("  groups: %d", f.Groups)
	w.line("  mean_instruction: %s # cycles", number(f.MeanInstruction))
	w.line("  residual: %s # relative standard deviation of samples about the fit", number(f.Residual))
	if f.Error.WorstSample != "" {
		w.line("  error: {mean: %s, median: %s, worst: %s, worst_sample: %s} # relative, each group left out in turn",
			number(f.Error.Mean), number(f.Error.Median), number(f.Error.Worst), inFlow(f.Error.WorstSample))
	}
	w.line("  fitted_error: %s # relative, nothing left out", number(f.Fitted))
	w.texts("  ", "warnings", f.Warnings)
	w.texts("  ", "sources", f.Sources)
}

func (w *writer) table(title string, rows [][]float64) {
	if len(rows) == 0 {
		return
	}
	w.line("%s", title)
	for _, row := range rows {
		var cells []string
		for _, v := range row {
			cells = append(cells, strconv.FormatFloat(v, 'g', 10, 64))
		}
		w.line("  - [%s]", strings.Join(cells, ", "))
	}
}

// number writes six digits.
func number(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }

// scalar quotes text where YAML needs it.
func scalar(s string) string {
	out, err := yaml.Marshal(strings.Join(strings.Fields(s), " "))
	text := strings.TrimSuffix(string(out), "\n")
	if err != nil || strings.Contains(text, "\n") {
		return strconv.Quote(s)
	}
	return text
}

// inFlow quotes text within braces and brackets.
func inFlow(s string) string {
	if strings.ContainsAny(s, ",[]{}") {
		return strconv.Quote(s)
	}
	return scalar(s)
}
