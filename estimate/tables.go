package estimate

// This file prints an explanation as the tables of Appendix A.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// WriteTables prints the explanation in the order of Tables 11 to 17. Columns without
// a cycle are left out, and so are blocks and regions; at most limit paths are printed,
// all when limit is 0.
func (o *Explanation) WriteTables(w io.Writer, limit int) error {
	p := &tablePrinter{o: o, w: tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight), paths: len(o.Paths)}
	if limit > 0 && limit < p.paths {
		p.paths = limit
	}
	p.used()
	p.printf("function %s, ", o.Function)
	if o.Level == 0 {
		p.printf("its body\n\n")
	} else {
		p.printf("level %d: loop at %s\n\n", o.Level, o.Loop)
	}
	p.tasks()
	p.pathList()
	p.matrix("BC: blocks by task (cycles)", "block", p.blockNames(), o.BC, true)
	p.matrix("BC-bar: with the loops inside", "block", p.blockNames(), o.BCBar, true)
	p.matrix("CC: control dependence regions by task", "region", o.Regions, o.CC, true)
	p.matrix("TPC: paths by task", "path", p.pathNames(), o.TPC, false)
	if o.Differences > 0 {
		why := "paths run through part of a region, or through sections in the last traversal of a loop"
		if o.predecessors {
			why += ", or the model knows blocks by the one before"
		}
		p.matrix(fmt.Sprintf("TPC by regions: differs in %d cells: %s", o.Differences, why), "path", p.pathNames(), o.ByRegions, false)
	}
	p.matrix("TPC-bar: with overheads", "path", p.pathNames(), o.TPCBar, false)
	p.matrix("START", "path", p.pathNames(), o.Start, false)
	p.matrix("STOP", "path", p.pathNames(), o.Stop, false)
	p.printf("PC: end of each path\n")
	for i := range p.paths {
		p.printf("%s\t%s\tx %d\t\n", p.pathNames()[i], number(o.PC[i]), o.Paths[i].Count)
	}
	p.printf("\n")
	if o.Level == 0 {
		p.printf("HTC = %s cycles per call, over %s\n", number(o.HTC), times(o.Entries, "call", "calls"))
	} else {
		p.printf("HTC = %s cycles per entry: %s each, over %s\n", number(o.HTC), times(o.Iterations, "iteration", "iterations"), times(o.Entries, "entry", "entries"))
	}
	if p.err == nil {
		p.err = p.w.Flush()
	}
	return p.err
}

type tablePrinter struct {
	o       *Explanation
	w       *tabwriter.Writer
	err     error
	paths   int
	columns []int // tasks that are printed
}

func (p *tablePrinter) printf(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format, args...)
	}
}

// used chooses the tasks with any cycles, all when there are none.
func (p *tablePrinter) used() {
	for t := range p.o.Tasks {
		if k := p.o.Tasks[t].Kind; k == "entry" || k == "exit" {
			continue
		}
		has := func(r []float64) bool { return r[t] != 0 }
		if slices.ContainsFunc(p.o.BCBar, has) || slices.ContainsFunc(p.o.TPCBar, has) || len(p.o.Tasks) <= 12 {
			p.columns = append(p.columns, t)
		}
	}
}

func (p *tablePrinter) tasks() {
	p.printf("task\tkind\tprocessor\tname\t\n")
	for _, t := range p.columns {
		x := p.o.Tasks[t]
		p.printf("%s\t%s\t%s\t%s\t\n", x.Label, x.Kind, x.Processor, x.Name)
	}
	p.printf("\n")
}

func (p *tablePrinter) pathList() {
	p.printf("paths, their control dependence regions and counts\n")
	for i := range p.paths {
		x := &p.o.Paths[i]
		p.printf("%s\t%s\t%d\t\n", p.pathNames()[i], strings.Join(x.CRP, ","), x.Count)
	}
	if n := len(p.o.Paths) - p.paths; n > 0 {
		p.printf("and %d more paths\n", n)
	}
	p.printf("\n")
	for i := range p.paths {
		p.printf("  path %s: %s\n", p.pathNames()[i], p.o.Paths[i].Text)
	}
	p.printf("\n")
}

func (p *tablePrinter) matrix(title, corner string, names []string, rows [][]float64, skipZero bool) {
	p.printf("%s\n%s\t", title, corner)
	for _, t := range p.columns {
		p.printf("%s\t", p.o.Tasks[t].Label)
	}
	p.printf("\n")
	for i, r := range rows {
		if !skipZero && i >= p.paths {
			break
		}
		if skipZero && !slices.ContainsFunc(p.columns, func(t int) bool { return r[t] != 0 }) {
			continue
		}
		p.printf("%s\t", names[i])
		for _, t := range p.columns {
			p.printf("%s\t", number(r[t]))
		}
		p.printf("\n")
	}
	p.printf("\n")
}

func (p *tablePrinter) blockNames() []string {
	names := make([]string, len(p.o.Blocks))
	for i, b := range p.o.Blocks {
		names[i] = b.Name
		if b.Line > 0 {
			names[i] += ":" + strconv.Itoa(b.Line)
		}
		names[i] += " " + b.Region
	}
	return names
}

func (p *tablePrinter) pathNames() []string {
	names := make([]string, len(p.o.Paths))
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return names
}

// number prints a time with at most two decimals.
func number(x float64) string { return strconv.FormatFloat(math.Round(x*100)/100, 'f', -1, 64) }

// times renders a count with its noun.
func times(n float64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}
