package report

// This file shows how processor models differ on a program.

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pathspan/procmodels/compare"
)

// opcodeRows is how many opcodes the text shows.
const opcodeRows = 8

// ModelComparison is where models differ on a bundle.
type ModelComparison struct {
	Schema string `json:"schema" is:"pathspan.model-compare/1"`
	Bundle string `json:"bundle"`
	*compare.Comparison
}

// Text writes a comparison for people: totals, then for each model but
// the first the lines and opcodes where it differs most from the first, at most lines
// of them; 0 shows all.
func (c *ModelComparison) Text(out io.Writer, lines int) error {
	w := bufio.NewWriter(out) // keeps the first error
	label := labels(c.Comparison)
	fmt.Fprintf(w, "%s, all functions that ran, on one processor\n\n", c.Bundle)
	tab := newColumns(w)
	tab.row("model", "cycles", "clock", "time", "ratio", "on defaults")
	for _, m := range c.Models {
		time, ratio := "", ""
		if m.ClockMHz > 0 {
			time = Seconds(m.Seconds)
		}
		if m.Ratio > 0 {
			ratio = fmt.Sprintf("%.2f", m.Ratio)
		}
		tab.row(label[m.Model], Cycles(m.Cycles), clock(m.ClockMHz), time, ratio, Percent(m.Defaults))
	}
	tab.Flush()
	for _, p := range c.Pairs {
		fmt.Fprintf(w, "\n%s against %s: where their shares of the cycles differ most\n\n", label[p.Other], label[p.First])
		comparisonRows(w, "line", label[p.First], label[p.Other], p.Lines, lines)
		if !p.ByInstruction {
			fmt.Fprintln(w, "\nnote: not both models price instructions one by one: the cycles of a block are divided evenly among its instructions, and there is no table of opcodes")
		} else {
			fmt.Fprintln(w)
			comparisonRows(w, "opcode", label[p.First], label[p.Other], p.Opcodes, opcodeRows)
		}
	}
	if len(c.Warnings) > 0 {
		fmt.Fprintln(w)
	}
	printNotes(w, c.Warnings)
	return w.Flush()
}

// labels shortens the references of models to what follows their last slash, where that
// still tells them apart.
func labels(c *compare.Comparison) map[string]string {
	short, seen := map[string]string{}, map[string]int{}
	for _, m := range c.Models {
		short[m.Model] = m.Model[strings.LastIndexByte(m.Model, '/')+1:]
	}
	for _, s := range short {
		seen[s]++
	}
	for ref, s := range short {
		if s == "" || seen[s] > 1 {
			short[ref] = ref
		}
	}
	return short
}

func comparisonRows(w io.Writer, what, first, other string, rows []compare.Row, most int) {
	hidden := 0
	if most > 0 && len(rows) > most {
		hidden = len(rows) - most
		rows = rows[:most]
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(tw, "difference\t%s\tshare\t%s\tshare\texecutions\t  %s\n", first, other, what)
	for _, r := range rows {
		where := Demangled(r.Where)
		if where == "?" {
			where = "code without a source line"
		}
		fmt.Fprintf(tw, "%+.1f%%\t%s\t%s\t%s\t%s\t%s\t  %s\n", 100*r.Difference, Cycles(r.FirstCycles), Percent(r.FirstShare),
			Cycles(r.OtherCycles), Percent(r.OtherShare), group(r.Executions), where)
	}
	tw.Flush()
	if hidden > 0 {
		fmt.Fprintf(w, "and %s with smaller differences\n", Count(hidden, what))
	}
}
