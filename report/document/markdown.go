package document

// This file writes a document as Markdown that GitHub renders: tables, text drawings in
// code blocks, and task graphs in Mermaid.

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"pathspan/estimate"
	"pathspan/report"
)

// WriteMarkdown writes the document as Markdown. It leaves out the formula and the text
// of sources.
func (d *Document) WriteMarkdown(out io.Writer) error {
	w := &markdown{Writer: bufio.NewWriter(out), d: d} // keeps the first error
	w.answer()
	if len(d.Timelines) > 0 { // else everything is serial
		w.curve()
		w.losses()
		w.correlation()
	}
	w.mapping()
	w.timelines()
	w.pipelines()
	w.paths()
	w.graphs()
	w.defaults()
	w.notes()
	w.provenance()
	return w.Flush()
}

// markdown writes one document.
type markdown struct {
	*bufio.Writer
	d      *Document
	behind bool // the line before ends a table
}

func (w *markdown) line(format string, args ...any) {
	fmt.Fprintf(w, format+"\n", args...)
	w.behind = false
}

func (w *markdown) heading(level int, format string, args ...any) {
	w.line("\n%s %s\n", strings.Repeat("#", level), escape(fmt.Sprintf(format, args...)))
}

// table writes a table; columns whose heading ends in ":" are aligned to the right. A line lies
// between two, which would be one else.
func (w *markdown) table(head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	if w.behind {
		w.line("")
	}
	titles, rules := make([]string, len(head)), make([]string, len(head))
	for i, h := range head {
		titles[i], rules[i] = strings.TrimSuffix(h, ":"), "---"
		if strings.HasSuffix(h, ":") {
			rules[i] = "---:"
		}
	}
	w.line("| %s |", strings.Join(titles, " | "))
	w.line("| %s |", strings.Join(rules, " | "))
	for _, r := range rows {
		w.line("| %s |", strings.Join(r, " | "))
	}
	w.behind = true
}

var escapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "<", "&lt;", ">", "&gt;", "`", "\\`", "[", `\[`, "~", `\~`)

// escape makes a text mean itself in Markdown. An underscore within a word does so.
func escape(s string) string {
	s = escapes.Replace(strings.ReplaceAll(s, "\n", " "))
	if strings.HasPrefix(s, "#") {
		s = `\` + s
	}
	var out strings.Builder
	for i := range len(s) {
		if s[i] == '_' && (i == 0 || i+1 == len(s) || !inWord(s[i-1]) || !inWord(s[i+1])) {
			out.WriteByte('\\')
		}
		out.WriteByte(s[i])
	}
	return out.String()
}

func inWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

// code makes a text a span of code, in a table as well.
func code(s string) string {
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	pad := ""
	if len(fence) > 1 {
		pad = " "
	}
	return fence + pad + strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`) + pad + fence
}

func (w *markdown) processor(i int) string { return escape(w.d.Platform.Processors[i].Name) }

// place is file:line, or what is known of it.
func place(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line == 0:
		return code(file)
	}
	return code(fmt.Sprintf("%s:%d", file, line))
}

func (w *markdown) answer() {
	d, a := w.d, &w.d.Answer
	w.line("# %s: speed-up %.2f on %s\n", escape(d.Bundle), a.Speedup, report.Count(len(d.Platform.Processors), "processor"))
	text := fmt.Sprintf("One execution of %s takes **%s** on the %s of %s, and %s on %s alone: a speed-up of **%.2f**", code(d.Function),
		report.Seconds(a.ParallelSeconds), report.Count(len(d.Platform.Processors), "processor"), escape(d.Platform.Name), report.Seconds(a.SequentialSeconds), w.processor(d.Mapping.Serial), a.Speedup)
	if a.Interval != nil {
		text += fmt.Sprintf(", %s in %g%% of %d draws of the uncertain costs", report.Speedups(a.Interval), 100*a.Interval.Confidence, a.Sampling.Samples)
	}
	w.line("%s (%s, mapping %s, model %s).", text, techniqueText(a.Technique), escape(d.Mapping.Name), escape(strings.Join(a.Models, ", ")))
	if k := a.KnownError; k != nil {
		text := fmt.Sprintf("\nKnown error: against exact replay, %s is off by %s on average over %s", report.Title(k.Technique), report.Percent(k.MeanError), report.Count(k.Programs, "benchmark"))
		if k.HardPrograms > 0 {
			text += fmt.Sprintf(", by %s over %d that are made to be hard", report.Percent(k.HardMeanError), k.HardPrograms)
		}
		if k.Model != "" {
			text += " (model " + escape(k.Model) + ")"
		}
		w.line("%s. That is the technique alone; what the model gets wrong of a processor comes on top.", text)
	}
	for _, m := range a.Accuracy {
		w.line("\nAccuracy of model %s: %s.", escape(m.Model), escape(strings.TrimSuffix(m.Remarks[0], ".")))
	}
	if a.DefaultCostShare > 0 {
		w.line("\n%s of the cycles rest on default costs (below).", report.Percent(a.DefaultCostShare))
	} else {
		w.line("\nNo cycle rests on a default cost.")
	}
	w.line("")
	interval, energy := a.Interval != nil, slices.ContainsFunc(a.Estimates, func(r estimate.Result) bool { return r.Joules > 0 })
	head := []string{"technique", "speed-up:", "parallel time:"}
	if interval {
		head = []string{"technique", "speed-up:", "interval:", "parallel time:"}
	}
	if energy {
		head = append(head, "energy:")
	}
	var rows [][]string
	for _, r := range a.Estimates {
		row := []string{techniqueText(r.Technique), fmt.Sprintf("%.2f", r.Speedup)}
		if interval {
			row = append(row, report.Speedups(r.SpeedupInterval))
		}
		row = append(row, report.Seconds(r.ParallelSeconds))
		if cell := ""; energy {
			if r.Joules > 0 {
				cell = report.Joules(r.Joules)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	w.table(head, rows)
	if len(d.Timelines) == 0 {
		w.line("\nNothing runs in parallel: the notes say why.")
	}
	if a.Apart != "" {
		w.line("\n**Mind:** %s.", escape(a.Apart))
	}
}

func techniqueText(t string) string { return report.Title(t) + ", " + report.Words(t) }

func (w *markdown) curve() {
	c := &w.d.Curve
	w.heading(2, "Speed-up against processors")
	w.line("On %s. No mapping is above Amdahl's bound, which knows serial code, nor, by PB, above that of the span, the longest chain of tasks of each path. The last column is Cilkview's lower estimate, from work and burdened span. All three are for processors like the serial one.\n", escape(c.Basis))
	head, rows := []string{"processors:"}, make([][]string, len(c.Points))
	for i, p := range c.Points {
		rows[i] = []string{fmt.Sprint(p.Processors)}
		for _, s := range p.Speedups {
			if i == 0 {
				head = append(head, report.Title(s.Technique)+":")
			}
			rows[i] = append(rows[i], fmt.Sprintf("%.2f", s.Speedup))
		}
		for _, bound := range []float64{p.Amdahl, p.Span, p.Burdened} {
			rows[i] = append(rows[i], fmt.Sprintf("%.2f", bound))
		}
	}
	head = append(head, "at most: Amdahl:", "at most: span:", "burdened:")
	w.table(head, rows)
	w.workSpan()
}

func (w *markdown) workSpan() {
	if len(w.d.WorkSpan) == 0 {
		return
	}
	w.line("\nWork, and span with a processor for every section; the burdened span counts creating and synchronising.\n")
	var rows [][]string
	for _, x := range w.d.WorkSpan {
		name := code(x.Name)
		if x.Within {
			name += " (runs lie within each other: work and spans add up to more than there is)"
		}
		rows = append(rows, []string{
			name, place(x.File, x.Line), often(x.Executions), report.Seconds(x.Work), report.Seconds(x.Span),
			fmt.Sprintf("%.2f", x.Parallelism), fmt.Sprintf("%.2f", x.BurdenedParallelism),
		})
	}
	w.table([]string{"what", "where", "executions:", "work:", "span:", "parallelism:", "burdened:"}, rows)
}

// often renders how often something is executed.
func often(n float64) string {
	if whole := math.Round(n); n >= 1000 || math.Abs(n-whole) <= 1e-6*n {
		return report.Cycles(whole)
	}
	return number(n)
}
