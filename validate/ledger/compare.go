package ledger

// This file compares a ledger with an older one, row by row.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/estimate"
)

// Comparison is what changed between two ledgers.
type Comparison struct {
	Both     int     // rows in both
	New, Old []Key   // rows in one of them only
	Changes  []Drift // by series and technique, over the rows in both
	Worse    []Worse // rows whose error grew, most first
	// Toolchains differ: then the compiler may have changed what is estimated.
	Before, After string
}

// Drift is the change of a mean error.
type Drift struct {
	Series        Series
	Technique     string
	Before, After Mean
	Changed       int // rows whose error differs
}

// Worse is a row whose absolute error grew.
type Worse struct {
	Key           Key
	Before, After float64 // errors
}

// Against compares the ledger with an older one. Rows count as worse when their
// absolute error grew by more than by.
func (l *Ledger) Against(old *Ledger, by float64) *Comparison {
	c := &Comparison{Before: old.Toolchain + " for " + old.Target, After: l.Toolchain + " for " + l.Target}
	before := map[Key]*Row{}
	for i := range old.Rows {
		before[old.Rows[i].Key()] = &old.Rows[i]
	}
	now, then := &Ledger{Programs: l.Programs}, &Ledger{Programs: l.Programs}
	type part struct {
		s Series
		t string
	}
	changed := map[part]int{}
	for i := range l.Rows {
		r := &l.Rows[i]
		was, ok := before[r.Key()]
		if !ok {
			c.New = append(c.New, r.Key())
			continue
		}
		delete(before, r.Key())
		c.Both++
		now.Rows, then.Rows = append(now.Rows, *r), append(then.Rows, *was)
		if r.Error != was.Error {
			changed[part{l.seriesOf(r), r.Technique}]++
		}
		if math.Abs(r.Error) > math.Abs(was.Error)+by {
			c.Worse = append(c.Worse, Worse{r.Key(), was.Error, r.Error})
		}
	}
	for k := range before {
		c.Old = append(c.Old, k)
	}
	slices.SortFunc(c.Old, compareKeys)
	slices.SortFunc(c.New, compareKeys)
	slices.SortFunc(c.Worse, func(a, b Worse) int {
		return cmp.Or(cmp.Compare(math.Abs(b.After)-math.Abs(b.Before), math.Abs(a.After)-math.Abs(a.Before)), compareKeys(a.Key, b.Key))
	})
	for _, s := range now.Series() {
		for _, t := range now.Techniques() {
			in := func(l *Ledger) Mean {
				return l.Mean(func(r *Row) bool { return r.Technique == t && s.In(l, r) })
			}
			if d := (Drift{Series: s, Technique: t, Before: in(then), After: in(now), Changed: changed[part{s, t}]}); d.After.Rows > 0 {
				c.Changes = append(c.Changes, d)
			}
		}
	}
	return c
}

// Techniques lists the techniques of the rows, worst informed first as in the paper's
// tables.
func (l *Ledger) Techniques() []string {
	order := estimate.IDs(estimate.Techniques())
	var all []string
	for i := range l.Rows {
		if !slices.Contains(all, l.Rows[i].Technique) {
			all = append(all, l.Rows[i].Technique)
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(slices.Index(order, b)-slices.Index(order, a), cmp.Compare(a, b))
	})
	return all
}
