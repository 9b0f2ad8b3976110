package page

// This file lists the bars of a timeline, for those who read them in a table.

import (
	"fmt"
	"strconv"

	"pathspan/estimate/account"
	"pathspan/ir"
	"pathspan/report"
	"pathspan/report/document"
)

type barRow struct {
	Path, What, Processor    string
	Start, Stop, Length, New string // New is set on the first bar of a row
}

func newTitled(d *document.Document, t *account.Timeline) titled {
	x := titled{Title: fmt.Sprintf("%s, %s on average, ran %s", timelineTitle(t), report.Seconds(t.Seconds), often(t.Executions))}
	add := func(name string, bars []account.Bar) {
		for i, b := range bars {
			r := barRow{Path: name, What: what(b), Processor: processor(d, b.Processor), Start: report.Seconds(b.Start), Stop: report.Seconds(b.Stop), Length: report.Seconds(b.Stop - b.Start)}
			if i == 0 {
				r.New = "first"
			}
			x.Rows = append(x.Rows, r)
		}
	}
	add("all", t.Bars)
	for k := range t.Rows {
		add(fmt.Sprint(k+1), t.Rows[k].Bars)
	}
	if t.OtherRows > 0 {
		x.Other = fmt.Sprintf("%s more, with %s of the time, are not shown.", report.Count(t.OtherRows, "way"), report.Percent(t.OtherShare))
	}
	return x
}

// overheads says what the bars are that are no sections, by kind.
var overheads = map[string]string{
	account.BarCreate: "creating tasks", account.BarSync: "synchronising tasks", account.BarFork: "forking the region", account.BarJoin: "joining the region",
	account.BarCombine: "combining what threads reduced", account.BarDispatch: "taking chunks", account.BarTeamOfOne: "setting up a region of one processor",
	account.BarMake: "making tasks", account.BarSteal: "taking tasks of others", account.BarFetch: "waiting for data of other processors", account.BarContend: "waiting for main memory",
	account.BarLock: "taking a lock", account.BarWait: "waiting for a lock",
}

func what(b account.Bar) string {
	if text, ok := overheads[b.Kind]; ok {
		if b.Kind == account.BarLock || b.Kind == account.BarWait {
			text += ": " + b.Name
		}
		return text
	}
	if b.Stage > 0 {
		return fmt.Sprintf("stage %s, line %d", report.SectionNumber(b.Name), b.Line)
	}
	return section(b.Name, b.Line)
}

// section names a section by its number and line.
func section(name string, line int) string {
	text := ir.SectionLabel(name)
	if line > 0 {
		text += ", line " + strconv.Itoa(line)
	}
	return text
}

// often renders executions per execution of the root, which may not be whole.
func often(n float64) string {
	if n == 1 {
		return "once"
	}
	return figure(n) + " times"
}
