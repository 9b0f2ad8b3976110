package document

// This file writes mappings, timelines and paths.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/estimate/account"
	"pathspan/report"
)

func (w *markdown) mapping() {
	d := w.d
	w.heading(2, "Platform and mapping")
	var rows [][]string
	for i, p := range d.Platform.Processors {
		what := ""
		if i == d.Mapping.Serial {
			what = "serial code"
		}
		rows = append(rows, []string{escape(p.Name), escape(p.Model), number(p.ClockMHz) + " MHz", number(p.Create), number(p.Sync), what})
	}
	w.table([]string{"processor", "model", "clock:", "create cycles:", "sync cycles:", ""}, rows)
	if len(d.Platform.Overheads) > 0 {
		rows = nil
		for _, o := range d.Platform.Overheads {
			rows = append(rows, []string{o.What, number(o.Cycles)})
		}
		w.table([]string{"overhead", "cycles:"}, rows)
	}
	if len(d.Platform.Memory) > 0 {
		w.line("\nMemory:\n")
		for _, says := range d.Platform.Memory {
			w.line("- %s", escape(says))
		}
	}
	rows = nil
	for _, r := range d.Mapping.Regions {
		for i, s := range r.Sections {
			region := ""
			if i == 0 {
				region = code(r.Name) + atLine(r.Line)
				if !r.Ran {
					region += " (never ran)"
				}
			}
			section := report.SectionText(s.Name, 0)
			if s.Section == 0 && s.Schedule != "" {
				section += ": schedule " + s.Schedule
			}
			rows = append(rows, []string{region, escape(section), place(r.File, s.Line), w.processor(s.Processor)})
		}
	}
	if len(rows) > 0 {
		w.line("\nMapping %s:\n", escape(d.Mapping.Name))
		w.table([]string{"region", "section", "where", "processor"}, rows)
	}
}

// rowsDrawn is how many drawings of rows a construct has, besides the weighted one.
const rowsDrawn = 3

func (w *markdown) timelines() {
	if len(w.d.Timelines) == 0 {
		return
	}
	w.heading(2, "Timelines")
	w.line("From fork to join by %s, processor by processor. `c` is creating, `s` synchronising, digits are the number of the section, or of the stage of a pipeline, capital letters sections of constructs inside; executions are per execution of %s. The first drawing holds the mean start and stop of each bar over all executions, the others are ways in which the construct is executed.", report.Title(w.d.TimelinesBy), code(w.d.Function))
	for i := range w.d.Timelines {
		t := &w.d.Timelines[i]
		w.heading(3, "%s, line %d", t.Name, t.Line)
		text := fmt.Sprintf("In %s: %s, %s on average", code(report.Demangled(t.Function)), executed(t.Executions), report.Seconds(t.Seconds))
		if t.Executions != 1 {
			text += fmt.Sprintf(", %s in all", report.Seconds(t.Seconds*t.Executions))
		}
		if end := lastStop(t.Bars); end < 0.999*t.Seconds {
			text += fmt.Sprintf(". The mean bars end after %s already, since in different executions different processors end last", report.Seconds(end))
		}
		w.line("%s.\n", text)
		longest := t.Seconds
		for k := range t.Rows {
			longest = max(longest, t.Rows[k].Seconds)
		}
		left, drawn := 1.0, 0
		w.line("```text")
		w.drawn(t, "weighted over all executions", t.Bars, t.Seconds, longest)
		alike := w.alike(t, longest)
		for k, same := range alike {
			if k == rowsDrawn || len(alike) == 1 && t.OtherRows == 0 {
				break
			}
			first, share, count := &t.Rows[same[0]], 0.0, 0.0
			var numbers []string
			for _, p := range same {
				share, count = share+t.Rows[p].Share, count+t.Rows[p].Count
				numbers = append(numbers, fmt.Sprint(p+1))
			}
			noun := "way"
			if len(same) > 1 {
				noun = "ways"
			}
			w.line("")
			w.drawn(t, fmt.Sprintf("%s %s, %s of the time, %s", noun, strings.Join(numbers, ", "), report.Percent(share), executed(count)), first.Bars, first.Seconds, longest)
			left -= share
			drawn += len(same)
		}
		w.line("```")
		if rest := len(t.Rows) + t.OtherRows - drawn; rest > 0 && drawn > 0 {
			w.line("\n%s with %s of the time not drawn.", report.Count(rest, "more way"), report.Percent(max(0, left)))
		}
	}
}

// alike gathers the rows that are drawn alike, those with the most time first.
func (w *markdown) alike(t *account.Timeline, longest float64) [][]int {
	var out [][]int
	at := map[string]int{}
	for k := range t.Rows {
		drawing := ""
		for _, row := range gantt(t, t.Rows[k].Bars, longest) {
			drawing += fmt.Sprintln(row.processor, row.text)
		}
		n, ok := at[drawing]
		if !ok {
			n = len(out)
			at[drawing] = n
			out = append(out, nil)
		}
		out[n] = append(out[n], k)
	}
	slices.SortStableFunc(out, func(a, b []int) int {
		share := func(paths []int) (sum float64) {
			for _, p := range paths {
				sum += t.Rows[p].Share
			}
			return sum
		}
		return cmp.Compare(share(b), share(a))
	})
	return out
}

func lastStop(bars []account.Bar) float64 {
	end := 0.0
	for _, b := range bars {
		end = max(end, b.Stop)
	}
	return end
}

func executed(n float64) string {
	if n == 1 {
		return "executed once"
	}
	return "executed " + often(n) + " times"
}

func (w *markdown) drawn(t *account.Timeline, title string, bars []account.Bar, seconds, longest float64) {
	w.line("%s: %s", title, report.Seconds(seconds))
	for _, row := range gantt(t, bars, longest) {
		w.line("  %-*s |%s|", w.widest(), w.d.Platform.Processors[row.processor].Name, row.text)
	}
}

// widest is the length of the longest processor's name.
func (w *markdown) widest() int {
	n := 0
	for _, p := range w.d.Platform.Processors {
		n = max(n, len(p.Name))
	}
	return n
}

func (w *markdown) paths() {
	d := w.d
	if len(d.Paths) == 0 {
		return
	}
	w.heading(2, "Paths that matter")
	w.line("Executed paths that run through a region, those with most time first, loops and calls in them included, and their share of the parallel time, or of the time of all calls of a function whose calls lie within each other or run at the same time; how often and how long are per execution of %s. Lines that all of them run in one place are left out, where others are left. `L12*` stands for the loop at line 12, whose iterations are paths of their own.\n", code(d.Function))
	var rows [][]string
	for _, p := range d.Paths {
		where := code(p.Function)
		if p.Loop != "" {
			where += ", loop at " + code(p.Loop)
		}
		lines := code(shortened(p.Only, 120))
		if slices.ContainsFunc(d.Paths, func(o Path) bool {
			return o.Only != p.Only && shortened(o.Only, 120) == shortened(p.Only, 120)
		}) {
			lines = code(p.Only) // what tells them apart lies in what would be left out
		}
		if p.Only == "" {
			lines = "none but those of all; ends as " + p.End
			if !slices.ContainsFunc(d.Paths, func(o Path) bool {
				return o.Symbol == p.Symbol && o.Level == p.Level && (o.ID != p.ID || o.End != p.End)
			}) {
				lines = code(shortened(p.Text, 120))
			}
		} else if slices.ContainsFunc(d.Paths, func(o Path) bool {
			return o.Symbol == p.Symbol && o.Level == p.Level && o.Only == p.Only && o.End != p.End
		}) {
			lines += ", ends as " + p.End
		}
		share := report.Percent(p.Share)
		if p.ShareOf != "" {
			share += " of " + code(p.ShareOf)
		}
		rows = append(rows, []string{share, often(p.Count), report.Seconds(p.Seconds), where, lines})
	}
	w.table([]string{"of the time:", "executions:", "time:", "where", "lines that set it apart"}, rows)
	if d.PathsLeft > 0 {
		w.line("\n%s not listed.", report.Count(d.PathsLeft, "more path"))
	}
}

// shortened cuts a list of lines in the middle.
func shortened(s string, most int) string {
	if len(s) <= most {
		return s
	}
	head := strings.LastIndex(s[:most*2/3], ", ")
	tail := strings.Index(s[len(s)-most/3:], ", ")
	if head < 0 || tail < 0 {
		return s[:most] + " ..."
	}
	return s[:head] + ", ..., " + s[len(s)-most/3+tail+2:]
}

func (w *markdown) pipelines() {
	for i := range w.d.Pipelines {
		p := &w.d.Pipelines[i]
		w.heading(2, "Pipeline %s, line %d", p.Name, p.Line)
		w.line("%s: %s.", p.Pace(), escape(p.Limits()))
		for _, t := range p.Tables() {
			head := slices.Clone(t.Head)
			for k := range len(head) - t.Names {
				head[k] += ":"
			}
			rows := make([][]string, len(t.Rows))
			for k, r := range t.Rows {
				for _, cell := range r {
					rows[k] = append(rows[k], escape(cell))
				}
			}
			w.line("")
			w.table(head, rows)
		}
		for _, r := range p.Remarks() {
			w.line("\n%s.", escape(r))
		}
		if p.Course != nil {
			w.line("\n%s\n\n```text\n%s```", CourseWords(*p), CourseText(*p))
		}
	}
}
