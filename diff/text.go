package diff

// This file tells for people what changed, the biggest changes first.

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"pathspan/ir"
	"pathspan/report"
)

// Paint colours words of a text. The zero value leaves them as they are.
type Paint struct{ Bold, Good, Bad func(string) string }

func (p Paint) fill() Paint {
	plain := func(s string) string { return s }
	for _, f := range []*func(string) string{&p.Bold, &p.Good, &p.Bad} {
		if *f == nil {
			*f = plain
		}
	}
	return p
}

// Text writes the comparison, at most items entries of each kind, all with 0.
func (d *Diff) Text(out io.Writer, items int, p Paint) error {
	p = p.fill()
	w := bufio.NewWriter(out) // keeps the first error
	fmt.Fprintln(w, p.Bold("a: "+d.A+"    b: "+d.B))
	if d.Equal {
		fmt.Fprintln(w, "no difference")
	}
	d.figuresText(w, items, p)
	if len(d.Build) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Bold("made differently:"))
		for _, c := range d.Build {
			fmt.Fprintf(w, "  %s: %s\n", c.What, changeText(c))
		}
	}
	d.functionsText(w, items, p)
	d.linesText(w, items, p)
	d.pathsText(w, items, p)
	d.executionsText(w, items, p)
	d.valuesText(w, items, p)
	for _, n := range d.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	if d.Limit != nil && len(d.Limit.Failed) > 0 {
		fmt.Fprintf(w, "\n%s\n", p.Bold(fmt.Sprintf("above the limit of %s:", percentText(d.Limit.Above))))
		for _, f := range d.Limit.Failed {
			fmt.Fprintf(w, "  %s\n", p.Bad(f))
		}
	}
	return w.Flush()
}

func changeText(c Change) string {
	switch {
	case c.A == "":
		return "only in b: " + c.B
	case c.B == "":
		return "only in a: " + c.A
	}
	return c.A + " -> " + c.B
}

// table writes rows with aligned columns. Colours go on whole rows, outside of what is
// aligned.
func table(w io.Writer, head string, rows []string, paint []func(string) string, p Paint) {
	var text strings.Builder
	tw := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, head)
	for _, r := range rows {
		fmt.Fprintln(tw, r)
	}
	tw.Flush()
	for i, line := range strings.Split(strings.TrimRight(text.String(), "\n"), "\n") {
		line = strings.TrimRight(line, " ")
		switch {
		case i == 0:
			line = p.Bold(line)
		case i <= len(paint) && paint[i-1] != nil:
			line = paint[i-1](line)
		}
		fmt.Fprintln(w, line)
	}
}

// slight is a change that is too small to be listed unless everything is: how exact
// estimates are at best.
const slight = 0.001

func (d *Diff) figuresText(w io.Writer, items int, p Paint) {
	var judged, others []*Figure
	for i := range d.Figures {
		switch f := &d.Figures[i]; {
		case f.A == f.B:
		case f.Judged:
			judged = append(judged, f)
		default:
			others = append(others, f)
		}
	}
	figureTable(w, "", judged, 2*items, p)
	figureTable(w, "other techniques, which no limit judges:", others, items, p)
	if d.legend != "" && len(judged)+len(others) > 0 {
		fmt.Fprintf(w, "\n%s\n", d.legend)
	}
}

// figureTable lists figures that differ, the largest change first, at most items, all with 0.
func figureTable(w io.Writer, title string, all []*Figure, items int, p Paint) {
	if len(all) == 0 {
		return
	}
	fmt.Fprintln(w)
	if title != "" {
		fmt.Fprintln(w, p.Bold(title))
	}
	size := func(f *Figure) float64 {
		if f.Better == "" {
			return -1 / (1 + f.moved()) // behind what is better or worse
		}
		return f.moved()
	}
	slices.SortStableFunc(all, func(x, y *Figure) int { return cmp.Compare(size(y), size(x)) })
	large, small := large(all, items, func(f *Figure) bool { return f.moved() >= slight })
	var rows []string
	var paint []func(string) string
	for _, f := range cut(large, items) {
		verdict, style := "", (func(string) string)(nil)
		switch worse := f.Worse(); {
		case f.moved() < slight:
		case worse > 0:
			verdict, style = "worse", p.Bad
		case worse < 0:
			verdict, style = "better", p.Good
		}
		rows = append(rows, strings.Join([]string{"", f.value(f.A), f.value(f.B), f.change(), verdict}, "\t")+"\t  "+strings.TrimSuffix(f.Name+" ("+f.Of+")", " ()"))
		paint = append(paint, style)
	}
	if len(rows) > 0 {
		table(w, "\ta\tb\tchange\t\t  ", rows, paint, p)
	}
	rest(w, len(large)-len(rows), small)
}

// large takes those that are to be listed, all with items 0, and counts the others.
func large[T any](all []T, items int, is func(T) bool) (listed []T, small int) {
	for _, x := range all {
		if items == 0 || is(x) {
			listed = append(listed, x)
		}
	}
	return listed, len(all) - len(listed)
}

// rest says how many changes are not listed, those that are small among them.
func rest(w io.Writer, n, small int) {
	switch {
	case n > 0 && small > 0:
		fmt.Fprintf(w, "  %s, %d of them below 0.1%% (--items 0 shows them)\n", report.Count(n+small, "smaller change"), small)
	case n > 0:
		fmt.Fprintf(w, "  %s (--items 0 shows them)\n", report.Count(n, "smaller change"))
	case small > 0:
		fmt.Fprintf(w, "  %s below 0.1%% (--items 0 shows them)\n", report.Count(small, "smaller change"))
	}
}

func (f *Figure) value(x float64) string {
	switch {
	case f.points:
		return percentText(x)
	case f.Unit == "cycles":
		return report.Cycles(x)
	case f.Unit == "seconds":
		return report.Seconds(x)
	case f.Unit != "":
		return fmt.Sprintf("%.4g %s", x, f.Unit)
	case x == math.Trunc(x) && f.Better == "":
		return report.Cycles(x)
	}
	return fmt.Sprintf("%.3f", x)
}

// change renders by how much a figure changed.
func (f *Figure) change() string {
	switch {
	case f.Change == nil:
		return "from 0"
	case f.points:
		return fmt.Sprintf("%+.3g points", 100**f.Change)
	}
	return signed(*f.Change)
}

// signed renders a relative change, with more digits where it is small.
func signed(x float64) string {
	if math.Abs(x) < 0.0005 {
		return fmt.Sprintf("%+.2g%%", 100*x)
	}
	return fmt.Sprintf("%+.1f%%", 100*x)
}

func percentText(x float64) string { return fmt.Sprintf("%.4g%%", 100*x) }

// of tells two counts and by how much the second differs.
func of(a, b uint64) string {
	switch {
	case a == b:
		return report.Cycles(float64(a))
	case a == 0:
		return "0 -> " + report.Cycles(float64(b))
	}
	return fmt.Sprintf("%s -> %s (%s)", report.Cycles(float64(a)), report.Cycles(float64(b)), signed(float64(b)/float64(a)-1))
}

// share tells the shares of the cycles, and what the change adds to those of the program.
func (d *Diff) share(a, b *Counts) string {
	return fmt.Sprintf("\t%s\t%s\t%+.1f%%\t", report.Percent(a.Share), report.Percent(b.Share), 100*d.effect(a, b))
}

const shareHead = "\tshare in a\tin b\teffect\t  "

// effect returns by which part of the cycles of a whole program counts differ: those of all
// functions, or of all paths, add up to the change of what all runs took together.
func (d *Diff) effect(a, b *Counts) float64 {
	if d.cycles == 0 {
		return 0
	}
	return (b.Cycles - a.Cycles) / d.cycles
}

// shares lists what changed, at most items of all, and what it adds to the program's cycles.
// What adds less than 0.1 % is only counted.
func shares[T any](d *Diff, w io.Writer, p Paint, title string, all []T, items int, row func(*T) (a, b *Counts, text string)) {
	large, small := large(all, items, func(x T) bool {
		a, b, _ := row(&x)
		return math.Abs(d.effect(a, b)) >= slight
	})
	if len(all) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.Bold(title))
	var rows []string
	for i := range cut(large, items) {
		a, b, text := row(&large[i])
		rows = append(rows, d.share(a, b)+"  "+text)
	}
	if len(rows) > 0 {
		table(w, shareHead, rows, nil, p)
	}
	rest(w, len(large)-len(rows), small)
}

func (d *Diff) functionsText(w io.Writer, items int, p Paint) {
	shares(d, w, p, "functions, by what they add to the cycles of all runs (model "+d.Model+"):", d.Functions, items, func(f *Function) (*Counts, *Counts, string) {
		text := report.Demangled(f.Name) + ": "
		switch f.State {
		case "both ran":
			text += "executed " + of(f.A.Count, f.B.Count) + ", paths " + of(uint64(f.PathsA), uint64(f.PathsB)) + ", taken " + of(f.TakenA, f.TakenB)
		case "only a ran", "only in a":
			text += f.State + ", executed " + report.Times(f.A.Count)
		default:
			text += f.State + ", executed " + report.Times(f.B.Count)
		}
		return &f.A, &f.B, text
	})
}

func (d *Diff) linesText(w io.Writer, items int, p Paint) {
	shares(d, w, p, "source lines:", d.Lines, items, func(l *Line) (*Counts, *Counts, string) {
		place := fmt.Sprintf("%s:%d", l.File, cmp.Or(l.LineB, l.LineA))
		switch {
		case l.LineB == 0:
			place += " of a, not in b"
		case l.LineA == 0:
			place += ", not in a"
		case l.LineA != l.LineB:
			place += fmt.Sprintf(" (%d in a)", l.LineA)
		}
		return &l.A, &l.B, place + ", executed " + of(l.A.Count, l.B.Count)
	})
}

func (d *Diff) pathsText(w io.Writer, items int, p Paint) {
	lines := make([]string, len(d.Paths))
	for i := range d.Paths {
		lines[i] = d.Paths[i].Lines
	}
	short := map[string]string{}
	for i, text := range report.TellApart(lines, 60) {
		short[lines[i]] = text
	}
	shares(d, w, p, "paths that gained or lost most:", d.Paths, items, func(x *Path) (*Counts, *Counts, string) {
		where := report.Demangled(x.Function)
		if x.Loop != "" {
			where += ", loop at " + x.Loop
		}
		return &x.A, &x.B, fmt.Sprintf("%s, %s: lines %s; taken %s", where, x.End, short[x.Lines], of(x.A.Count, x.B.Count))
	})
}

func (d *Diff) executionsText(w io.Writer, items int, p Paint) {
	if len(d.Executions) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.Bold("executions of sections:"))
	large, small := large(d.Executions, items, func(e Executions) bool { return e.effect() >= slight })
	shown := cut(large, items)
	for i := range shown {
		e := &shown[i]
		fmt.Fprintf(w, "  %s: executed %s, in %s kinds\n", ir.RegionLabel(e.Region, cmp.Or(e.LineB, e.LineA)), of(e.CountA, e.CountB), of(uint64(e.ClassesA), uint64(e.ClassesB)))
		sections := make([]int, max(len(e.WorkA), len(e.WorkB)))
		for s := range sections {
			sections[s] = s
		}
		slices.SortStableFunc(sections, func(x, y int) int { return cmp.Compare(e.sectionEffect(y), e.sectionEffect(x)) })
		hidden := 0
		for _, s := range sections {
			a, b := at(e.WorkA, s), at(e.WorkB, s)
			switch {
			case close(a, b):
			case items > 0 && e.sectionEffect(s) < slight:
				hidden++
			default:
				if e.Loop && s == 1 {
					fmt.Fprintf(w, "    loop: mean iterations %s -> %s (%s)\n", report.Cycles(a), report.Cycles(b), ratio(a, b))
					continue
				}
				what := fmt.Sprintf("section %d", s+1)
				if e.Loop {
					what = "loop"
				}
				fmt.Fprintf(w, "    %s: mean work %s -> %s instructions (%s)\n", what, report.Cycles(a), report.Cycles(b), ratio(a, b))
			}
		}
		if hidden > 0 {
			rest(w, 0, hidden)
		}
	}
	rest(w, len(large)-len(shown), small)
}

func at(work []float64, section int) float64 {
	if section < len(work) {
		return work[section]
	}
	return 0
}

// sectionEffect returns by which part of the work of one execution a section's differs.
func (e *Executions) sectionEffect(section int) float64 {
	sum := 0.0
	for s := range max(len(e.WorkA), len(e.WorkB)) {
		sum += max(at(e.WorkA, s), at(e.WorkB, s))
	}
	if sum == 0 {
		return 0
	}
	return math.Abs(at(e.WorkB, section)-at(e.WorkA, section)) / sum
}

// effect returns by which part of the construct's work, or of its executions, it differs.
func (e *Executions) effect() float64 {
	most := 0.0
	for s := range max(len(e.WorkA), len(e.WorkB)) {
		most = max(most, e.sectionEffect(s))
	}
	if n := max(e.CountA, e.CountB); n > 0 {
		most = max(most, math.Abs(float64(e.CountB)-float64(e.CountA))/float64(n))
	}
	return most
}

func ratio(a, b float64) string {
	if a == 0 {
		return "from 0"
	}
	return signed(b/a - 1)
}

func (d *Diff) valuesText(w io.Writer, items int, p Paint) {
	if len(d.Values) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", p.Bold("other values:"))
	large, small := large(d.Values, items, func(v Value) bool { return valueChange(&v) >= slight })
	shown := cut(large, 2*items)
	for i := range shown {
		v := &shown[i]
		switch {
		case v.A == nil:
			fmt.Fprintf(w, "  %s: only in b: %s\n", v.Key, plain(v.B))
		case v.B == nil:
			fmt.Fprintf(w, "  %s: only in a: %s\n", v.Key, plain(v.A))
		default:
			fmt.Fprintf(w, "  %s: %s -> %s%s\n", v.Key, plain(v.A), plain(v.B), valueText(v))
		}
	}
	rest(w, len(large)-len(shown), small)
}

// plain renders a value of JSON, numbers that are not whole with six digits.
func plain(v any) string {
	if x, ok := v.(float64); ok && (x != math.Trunc(x) || math.Abs(x) >= 1e15) {
		return fmt.Sprintf("%.6g", x)
	} else if ok {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprint(v)
}

func valueText(v *Value) string {
	if x := valueChange(v); !math.IsInf(x, 1) {
		return " (" + ratio(v.A.(float64), v.B.(float64)) + ")"
	}
	return ""
}

func cut[T any](all []T, n int) []T {
	if n == 0 {
		return all
	}
	return all[:min(n, len(all))]
}
