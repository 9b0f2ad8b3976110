package validate

// This file reads figures measured elsewhere - on a board, by a cycle-accurate
// simulator - and writes the template to fill in.

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"pathspan/mapping"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
)

// Figure is how long a run of a program took on a number of processors.
type Figure struct {
	Program    string
	Size       bench.Size // "" for any
	Level      string
	Processors int
	Mapping    string           // a file, as the line names it; "" for OpenMP's static schedule
	File       *mapping.Mapping // what that holds
	Cycles     float64          // 0 when seconds are given
	Seconds    float64
	Source     string // what measured it
	Where      string // file:line
}

// columns of the file: first those of the template, in its order. Size and mapping may be left out, and of
// cycles and seconds one.
var columns = []string{"program", "size", "level", "processors", "cycles", "seconds", "source", "mapping"}

// ReadFigures reads a CSV file with a header line that names its columns, in any order.
// Lines without a figure are passed over, so that the template can be filled in bit by
// bit; lines that begin with # are comments. name stands before errors. Mapping files are not read.
func ReadFigures(name string, r io.Reader) ([]Figure, error) {
	c := csv.NewReader(r)
	c.Comment, c.TrimLeadingSpace, c.ReuseRecord = '#', true, true
	header, err := c.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: empty; pathspan validate --reference-template prints what it should hold", name)
	}
	if err != nil {
		return nil, csvError(name, err)
	}
	at, err := columnsOf(header)
	if err != nil {
		return nil, fmt.Errorf("%s:1: %w", name, err)
	}
	var all []Figure
	for {
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return nil, csvError(name, err)
		}
		line, _ := c.FieldPos(0)
		where := fmt.Sprintf("%s:%d", name, line)
		f, err := figure(func(column string) string {
			if i, ok := at[column]; ok {
				return strings.TrimSpace(record[i])
			}
			return ""
		})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", where, err)
		}
		if f.Cycles == 0 && f.Seconds == 0 {
			continue
		}
		f.Where = where
		all = append(all, f)
	}
}

// csvError turns the reader's error into one line with the file's name.
func csvError(name string, err error) error {
	var pe *csv.ParseError
	if !errors.As(err, &pe) {
		return fmt.Errorf("%s: %w", name, err)
	}
	if errors.Is(pe.Err, csv.ErrFieldCount) {
		return fmt.Errorf("%s:%d: more or fewer columns than the header line has", name, pe.Line)
	}
	return fmt.Errorf("%s:%d: %w", name, pe.Line, pe.Err)
}

func columnsOf(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i, h := range header {
		h = strings.TrimSpace(strings.TrimPrefix(h, "\ufeff"))
		if !slices.Contains(columns, h) {
			return nil, fmt.Errorf("column %.40q: want %s", h, strings.Join(columns, ", "))
		}
		if _, twice := at[h]; twice {
			return nil, fmt.Errorf("column %s is there twice", h)
		}
		at[h] = i
	}
	for _, need := range []string{"program", "level", "processors", "source"} {
		if _, ok := at[need]; !ok {
			return nil, fmt.Errorf("no column %s", need)
		}
	}
	_, cycles := at["cycles"]
	_, seconds := at["seconds"]
	if !cycles && !seconds {
		return nil, errors.New("no column cycles and none of seconds: one of them holds the figures")
	}
	return at, nil
}

// figure checks one line.
func figure(field func(column string) string) (Figure, error) {
	f := Figure{Program: field("program"), Size: bench.Size(field("size")), Mapping: field("mapping"), Source: field("source")}
	var err error
	switch {
	case f.Program == "":
		return f, errors.New("program: empty; name one that pathspan validate knows")
	case f.Size != "" && !slices.Contains(bench.Sizes(), f.Size):
		return f, fmt.Errorf("size %q: want tiny, small, large or nothing for any", f.Size)
	case f.Source == "":
		return f, errors.New("source: empty; say what measured it, such as \"board\"")
	case f.Source == ledger.Replay || f.Source == ledger.Measured:
		return f, fmt.Errorf("source %q is the name of a reference that pathspan makes; take another", f.Source)
	case strings.ContainsFunc(f.Program+f.Source+f.Mapping, func(r rune) bool { return !unicode.IsPrint(r) }):
		return f, errors.New("program, source and mapping: want printable characters")
	}
	f.Level = strings.TrimPrefix(strings.TrimPrefix(field("level"), "-"), "O")
	if !slices.Contains([]string{"0", "1", "2", "3", "s"}, f.Level) {
		return f, fmt.Errorf("level %q: want 0, 1, 2, 3 or s", field("level"))
	}
	if f.Processors, err = strconv.Atoi(field("processors")); err != nil || f.Processors < 1 || f.Processors > 4096 {
		return f, fmt.Errorf("processors %q: want a number from 1 to 4096", field("processors"))
	}
	if f.Processors == 1 && f.Mapping != "" {
		return f, fmt.Errorf("mapping %.40q: a run on 1 processor has none", f.Mapping)
	}
	if f.Cycles, err = within(field("cycles"), 1, 1e18); err != nil {
		return f, fmt.Errorf("cycles %w", err)
	}
	if f.Seconds, err = within(field("seconds"), 1e-9, 1e9); err != nil {
		return f, fmt.Errorf("seconds %w", err)
	}
	if f.Cycles > 0 && f.Seconds > 0 {
		return f, errors.New("cycles and seconds are both given: leave one of them empty")
	}
	return f, nil
}

// within reads a figure as something measures it, 0 when there is none. Go's own notations (0x1p4) are none of a CSV file.
func within(s string, low, high float64) (float64, error) {
	if s == "" {
		return 0, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || !(x >= low && x <= high) || strings.ContainsAny(s, "xX_") {
		return 0, fmt.Errorf("%.40q: want a number from %g to %g, or nothing", s, low, high)
	}
	return x, nil
}

// WriteTemplate writes the file that ReadFigures reads, without figures.
func WriteTemplate(w io.Writer, programs []*bench.Program, size bench.Size, levels []string, processors []int) error {
	var b strings.Builder
	b.WriteString("# How long each run takes: cycles or seconds, one of them. One processor is the\n" +
		"# sequential program. source names what measured it; lines without a figure are\n" +
		"# passed over. A column mapping may name mapping files beside this one; where it is\n" +
		"# empty, sections go where OpenMP's static schedule puts them. pathspan validate\n" +
		"# --reference FILE reads this file.\n")
	b.WriteString(strings.Join(columns[:len(columns)-1], ",") + "\n")
	if !slices.Contains(processors, 1) {
		processors = append([]int{1}, processors...)
	}
	for _, p := range programs {
		for _, level := range levels {
			for _, n := range processors {
				fmt.Fprintf(&b, "%s,%s,%s,%d,,,board\n", p.Name, size, level, n)
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// compareFigures compares the unit's estimates with the figures of its program, which
// [Validation.Check] has passed.
func (u *unit) compareFigures() {
	one := map[string]*Figure{}
	for i := range u.v.References {
		if f := &u.v.References[i]; u.of(f) && f.Processors == 1 {
			one[f.Source] = f
		}
	}
	for i := range u.v.References {
		f := &u.v.References[i]
		seq := one[f.Source]
		if !u.of(f) || f.Processors == 1 || seq == nil || (seq.Cycles > 0) != (f.Cycles > 0) {
			continue
		}
		for _, t := range u.targets {
			if len(t.procs.Costs) != f.Processors || t.file != f.File {
				continue
			}
			for k := range t.results {
				row := u.row(t, k)
				row.Reference = f.Source
				row.ReferenceSequentialCycles, row.ReferenceParallelCycles = seq.Cycles, f.Cycles
				row.ReferenceSequentialSeconds, row.ReferenceParallelSeconds = seq.Seconds, f.Seconds
				u.add(row)
			}
			u.compared(t)
		}
	}
}

// of reports whether a figure is of the unit's program, level and size. A figure of any
// size gives way to one of this size.
func (u *unit) of(f *Figure) bool {
	if f.Program != u.program.Name || f.Level != u.level {
		return false
	}
	if f.Size == "" {
		return !slices.ContainsFunc(u.v.References, func(o Figure) bool {
			return o.Program == f.Program && o.Level == f.Level && o.Processors == f.Processors && o.Mapping == f.Mapping && o.Source == f.Source && o.Size == u.v.Size
		})
	}
	return f.Size == u.v.Size
}
