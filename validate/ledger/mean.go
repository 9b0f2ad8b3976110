package ledger

// This file sums up the errors of many rows, as Table 6 of the paper does.

import (
	"cmp"
	"math"
	"slices"
)

// Mean describes the errors of some rows.
type Mean struct {
	Rows     int
	Programs int     // different programs among them
	Absolute float64 // mean of the absolute errors of the speed-up
	// Deviation is the standard deviation of the absolute errors, of the population.
	Deviation  float64
	Largest    float64 // largest absolute error
	Parallel   float64 // mean of the absolute errors of the parallel time
	Sequential float64 // mean of the absolute errors of the sequential time
}

// Mean sums up the rows that are asked for.
func (l *Ledger) Mean(of func(*Row) bool) Mean {
	var m Mean
	var squares float64
	programs := map[string]bool{}
	for i := range l.Rows {
		r := &l.Rows[i]
		if !of(r) {
			continue
		}
		x := math.Abs(r.Error)
		programs[r.Program] = true
		m.Rows++
		m.Absolute += x
		squares += x * x
		m.Largest = max(m.Largest, x)
		m.Parallel += math.Abs(r.ParallelError)
		m.Sequential += math.Abs(r.SequentialError)
	}
	if m.Rows == 0 {
		return m
	}
	n := float64(m.Rows)
	m.Programs = len(programs)
	m.Absolute, m.Parallel, m.Sequential = m.Absolute/n, m.Parallel/n, m.Sequential/n
	m.Deviation = math.Sqrt(max(0, squares/n-m.Absolute*m.Absolute))
	return m
}

// Series is what rows have in common that may be averaged.
type Series struct {
	Group            string // "" where a half is
	Half             string // of figures measured elsewhere: those that models may be made with, or that judge
	Reference, Model string
	Size, Host       string
	Mapped           bool // by files
}

// In reports whether a row belongs to the series.
func (s Series) In(l *Ledger, r *Row) bool {
	return l.seriesOf(r) == s
}

func (l *Ledger) seriesOf(r *Row) Series {
	s := Series{Reference: r.Reference, Model: r.Model, Size: r.Size, Host: r.Host, Mapped: r.Mapping != ""}
	p := l.Program(r.Program)
	switch {
	case p == nil:
	case p.Half != "" && r.Reference != Replay && r.Reference != Measured:
		s.Half = p.Half
	default:
		s.Group = p.Group
	}
	return s
}

func (l *Ledger) group(program string) string {
	if p := l.Program(program); p != nil {
		return p.Group
	}
	return ""
}

// Series lists the series of the ledger: replay before measured before other
// references, the paper's programs before others, runs under mapping files last.
func (l *Ledger) Series() []Series {
	var all []Series
	for i := range l.Rows {
		r := &l.Rows[i]
		s := l.seriesOf(r)
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	rank := func(order []string, x string) int {
		if i := slices.Index(order, x); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(all, func(a, b Series) int {
		return cmp.Or(rank([]string{Replay, Measured}, a.Reference)-rank([]string{Replay, Measured}, b.Reference),
			cmp.Compare(a.Reference, b.Reference), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Size, b.Size), cmp.Compare(a.Host, b.Host),
			cmp.Compare(b.Half, a.Half), rank([]string{"paper", "own"}, a.Group)-rank([]string{"paper", "own"}, b.Group), cmp.Compare(a.Group, b.Group),
			mappedLast(a.Mapped, b.Mapped))
	})
	return all
}

func mappedLast(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Of sums up the rows of a technique against exact replay, over the programs of a group.
// Rows of the model count if the ledger has any, else those of all models; of says which
// model it was, "" for all.
func (l *Ledger) Of(technique, group, model string) (m Mean, of string) {
	in := func(r *Row) bool {
		return r.Technique == technique && r.Reference == Replay && r.Mapping == "" && l.group(r.Program) == group
	}
	if m := l.Mean(func(r *Row) bool { return in(r) && r.Model == model }); m.Rows > 0 {
		return m, model
	}
	return l.Mean(in), ""
}
