package page

// This file holds what the templates read and the words that they use.

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/report"
	"pathspan/report/document"
)

// view is what the templates read.
type view struct {
	*document.Document
	Style     template.CSS
	Script    template.JS
	Hash      string
	Data      template.JS // JSON; encoding/json writes <, > and & as \u003c and so on
	Graphs    []graph
	Inputs    []input
	Fixed     string // which estimates no slider changes, and why
	Timelined []titled
}

// titled is a timeline with its title.
type titled struct {
	Title string
	Rows  []barRow
	// Longest marks the one with the most time, which is shown first.
	Longest bool
	Other   string // what is not shown, "" when all is
}

func newView(d *document.Document) (*view, error) {
	if n := len(d.Platform.Processors); d.Mapping.Serial < 0 || d.Mapping.Serial >= n {
		return nil, fmt.Errorf("the document's serial processor is %d of %d", d.Mapping.Serial, n)
	}
	v := &view{Document: d}
	style, err := joined(styles, "css", ".css", styleOrder)
	if err != nil {
		return nil, err
	}
	v.Style = template.CSS(style + techniqueStyle())
	script, hash, err := pageScript()
	if err != nil {
		return nil, err
	}
	v.Script, v.Hash = template.JS(script), hash
	text, err := json.Marshal(newData(d))
	if err != nil {
		return nil, err
	}
	v.Data = template.JS(text)
	if v.Graphs, err = newGraphs(d); err != nil {
		return nil, err
	}
	v.Inputs, v.Fixed = newInputs(d), fixed(d.Formula)
	longest, most := 0, -1.0
	for i := range d.Timelines {
		t := &d.Timelines[i]
		v.Timelined = append(v.Timelined, newTitled(d, t))
		if all := t.Seconds * t.Executions; all > most {
			longest, most = i, all
		}
	}
	if len(v.Timelined) > 0 {
		v.Timelined[longest].Longest = true
	}
	return v, nil
}

// functions are those that templates call.
var functions = template.FuncMap{
	"seconds": report.Seconds, "joules": report.Joules, "cycles": report.Cycles, "percent": report.Percent, "title": report.Title,
	"span": report.Speedups, "timespan": report.SecondsSpan, "demangled": report.Demangled, "count": counted, "times": report.Times,
	"speedup": func(x float64) string { return fmt.Sprintf("%.2f", x) },
	"micros":  report.Micros, "figure": figure, "width": width, "join": strings.Join, "base": path.Base, "at": newAt, "atPlace": atPlace,
	"technique": report.Words, "linesOf": linesOf, "unequal": unequal, "sectionLabel": ir.SectionLabel, "signed": signed,
	"lostNothing": textsOf(func(l *report.Loss) bool { return l.Modeled && l.Cycles == 0 }),
	"unmodeled":   textsOf(func(l *report.Loss) bool { return !l.Modeled }),
	"minus":       func(a, b float64) float64 { return a - b }, "over": over, "hundred": func(x float64) float64 { return 100 * x },
	"ways": func(p document.Path) int { return len(p.Ways) + p.WaysLeft }, "wayTexts": wayTexts,
	"atNamed": atNamed, "atSection": atSection,
	"short":     func(s string) string { return s[:min(12, len(s))] },
	"processor": processor,
	"courseAt":  courseAt, "coursePart": coursePart, "courseWords": document.CourseWords, "courseText": document.CourseText,
	"figures": func(t report.PipelineTable, column int) bool { return column < len(t.Head)-t.Names },
}

// processor names a processor, "" where there is none.
func processor(d *document.Document, i int) string {
	if i < 0 || i >= len(d.Platform.Processors) {
		return ""
	}
	return d.Platform.Processors[i].Name
}

// counted renders a number of things, which may be a mean.
func counted(n any, noun string) string {
	switch n := n.(type) {
	case int:
		return report.Count(n, noun)
	case float64:
		if n == math.Trunc(n) && n < 1e15 {
			return report.Count(int(n), noun)
		}
		return figure(n) + " " + noun + "s"
	}
	return fmt.Sprint(n, " ", noun)
}

// figure renders a count or a rate that may be whole.
func figure(x float64) string {
	if x == math.Trunc(x) || x >= 1e6 {
		return report.Cycles(x)
	}
	return strconv.FormatFloat(x, 'g', 5, 64)
}

// signed renders a difference of speed-ups.
func signed(x float64) string { return fmt.Sprintf("%+.2f", x) }

// width renders a share as a width, of bars.
func width(share float64) template.CSS {
	return template.CSS(strconv.FormatFloat(100*min(1, max(0, share)), 'f', 2, 64) + "%")
}

// at is a stretch of source lines, to be shown as a button where the text is there.
type at struct {
	File        string
	First, Last int
	Text        string
	Show        bool
}

func newAt(d *document.Document, file string, first, last int) at {
	a := at{File: file, First: first, Last: max(first, last), Show: first > 0 && hasSource(d, file)}
	a.Text = file
	if first > 0 {
		a.Text += ":" + strconv.Itoa(first)
	}
	if a.Last > first {
		a.Text += "-" + strconv.Itoa(last)
	}
	return a
}

// atPlace reads a place that is written file:line; others are text.
func atPlace(d *document.Document, written string) at {
	if file, line, ok := place(written); ok && hasSource(d, file) {
		a := newAt(d, file, line, line)
		a.Text = path.Base(file) + ":" + strconv.Itoa(line)
		return a
	}
	for _, r := range d.Mapping.Regions {
		if r.Name == written {
			a := newAt(d, r.File, r.Line, r.Line)
			a.Text = ir.RegionLabel(r.Name, r.Line)
			return a
		}
	}
	return at{Text: report.Demangled(written)}
}

// atNamed shows a stretch of lines under a name.
func atNamed(d *document.Document, name, file string, line int) at {
	a := newAt(d, file, line, line)
	a.Text = report.Demangled(name)
	return a
}

// atSection shows a section of a region by its number.
func atSection(d *document.Document, r document.MappedRegion, s document.MappedSection) at {
	text := section(s.Name, s.Line)
	if s.Schedule != "" {
		text += ", schedule " + s.Schedule
	}
	return atNamed(d, text, r.File, s.Line)
}

// wayTexts says of each way in which order it runs the lines, of those that run them in an
// order that is above: that they part within a line.
func wayTexts(p document.Path) []string {
	var all []string
	for i, w := range p.Ways {
		text := w.Text
		for k := range i {
			if p.Ways[k].Text == text {
				text = fmt.Sprintf("in the order of way %d, with another branch within a line", k+1)
				break
			}
		}
		all = append(all, text)
	}
	return all
}

// over returns a ratio, 0 where there is nothing to divide by.
func over(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}

// place splits what is written file:line.
func place(written string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(written, ':')
	if i < 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(written[i+1:])
	return written[:i], line, err == nil && line > 0
}

// unequal says whether some processor is not like the one of serial code.
func unequal(d *document.Document) bool {
	serial := d.Platform.Processors[d.Mapping.Serial]
	return slices.ContainsFunc(d.Platform.Processors, func(p document.Processor) bool {
		return p.Model != serial.Model || p.ClockMHz != serial.ClockMHz
	})
}

// textsOf lists kinds of losses that are of a sort.
func textsOf(sort func(*report.Loss) bool) func([]report.Loss) []string {
	return func(all []report.Loss) (out []string) {
		for i := range all {
			if sort(&all[i]) {
				out = append(out, all[i].Text)
			}
		}
		return out
	}
}
