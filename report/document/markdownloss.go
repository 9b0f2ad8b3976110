package document

// This file writes the account of losses and the correlation gap.

import (
	"fmt"
	"math"
	"strings"

	"pathspan/report"
)

// nothing is the share of the time below which a loss is none but for rounding.
const nothing = 1e-9

// lossItems is how many places of a loss are listed.
const lossItems = 5

func (w *markdown) losses() {
	l := w.d.Losses
	if l == nil {
		return
	}
	w.heading(2, "Where the time goes")
	w.line("The account of %s. The ideal is the work of %s shared evenly; everything below it adds up to the time predicted.\n", report.Title(l.Technique), escape(strings.Join(l.Names(), ", ")))
	rows := [][]string{{"ideal", report.Cycles(l.IdealCycles), l.Part(l.IdealCycles), fmt.Sprintf("%.2f", l.IdealSpeedup), ""}}
	for i := range l.Losses {
		x := &l.Losses[i]
		if math.Abs(x.Cycles) <= nothing*l.ParallelCycles {
			continue
		}
		var where []string
		for k, item := range x.Items {
			if k == lossItems {
				where = append(where, report.Count(len(x.Items)-k, "more place"))
				break
			}
			where = append(where, itemText(&item))
		}
		rows = append(rows, []string{escape(x.Text), report.Signed(x.Cycles), report.SignedShare(x.Share), report.Lost(x.Speedup), strings.Join(where, "<br>")})
	}
	rows = append(rows, []string{"**predicted**", "**" + report.Cycles(l.ParallelCycles) + "**", l.Part(l.ParallelCycles), fmt.Sprintf("**%.2f**", l.Speedup), ""})
	w.table([]string{"", "cycles:", "of the time:", "speed-up:", "where"}, rows)
	if left := l.Unmodeled(); left != nil {
		w.line("\nNot modelled: %s.", strings.Join(left, ", "))
	}
	for _, n := range l.Notes {
		w.line("\n%s.", escape(n))
	}
}

// atLine follows the name of a region, whose line is 0 when unknown.
func atLine(line int) string {
	if line == 0 {
		return ""
	}
	return fmt.Sprintf(" (line %d)", line)
}

func itemText(x *report.LossItem) string {
	text := report.SignedShare(x.Share) + " " + code(clean(x.Place)) + atLine(x.At)
	switch {
	case x.Inside != "":
		text += " in " + code(report.Demangled(x.Inside))
	case x.Sec != "":
		text += ", " + escape(report.SectionText(x.Sec, x.Line))
	}
	return text
}

// correlation says what average and largest task times overlook.
func (w *markdown) correlation() {
	if w.d.Losses == nil {
		return
	}
	g, l := &w.d.Losses.Gap, w.d.Losses
	w.heading(2, "What averages and maxima overlook")
	w.line("%s.", l.Predictions())
	any := false
	for i := range g.Regions {
		r := &g.Regions[i]
		if !r.Varies() {
			continue
		}
		any = true
		w.line("\n%s takes %s cycles, %s with average task times, %s with the largest.\n", code(r.Region)+atLine(r.Line), report.Cycles(r.Cycles), report.Cycles(r.AverageCycles), report.Cycles(r.MaximalCycles))
		var rows [][]string
		for _, s := range r.Sections {
			rows = append(rows, []string{escape(report.SectionText(s.Section, s.Line)), report.Cycles(s.Least), report.Cycles(s.Mean), report.Cycles(s.Greatest)})
		}
		w.table([]string{"section", "least cycles:", "mean:", "greatest:"}, rows)
		w.line("")
		rows = nil
		rest, others := 0.0, 0
		for k := range r.Classes {
			if k >= lossItems {
				rest, others = rest+r.Classes[k].Share, others+1
				continue
			}
			rows = append(rows, []string{report.Percent(r.Classes[k].Share), escape(r.Classes[k].Text()), report.Cycles(r.Classes[k].Cycles)})
		}
		if others > 0 {
			rows = append(rows, []string{report.Percent(rest), "other classes: " + fmt.Sprint(others), ""})
		}
		w.table([]string{"of executions:", "together", "cycles:"}, rows)
	}
	if !any {
		w.line("\n%s", l.NothingVaries())
	}
}
