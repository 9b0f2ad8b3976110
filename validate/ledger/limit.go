package ledger

// This file holds PB's mean error against a limit.

import (
	"fmt"
	"slices"
)

// judged is the technique that limits apply to.
const judged = "pb"

// Above returns an error when the mean absolute error of pb passes the limit for some
// reference and model: over the programs that are not known to lose correlation, or over
// all where there are no others.
func (l *Ledger) Above(limit float64) error {
	kept := func(r *Row) bool {
		p := l.Program(r.Program)
		return p == nil || len(p.Lost) == 0
	}
	all := !slices.ContainsFunc(l.Rows, func(r Row) bool { return kept(&r) })
	var done []Series
	for _, s := range l.Series() {
		s.Group = ""
		if slices.Contains(done, s) {
			continue
		}
		done = append(done, s)
		m := l.Mean(func(r *Row) bool {
			return r.Technique == judged && s.like(r) && (all || kept(r))
		})
		if m.Absolute > limit {
			return fmt.Errorf("--fail-above: the mean error of %s against %s with model %s is %.3f %%, above %.3g %%", judged, s.Reference, s.Model, 100*m.Absolute, 100*limit)
		}
	}
	return nil
}

// like reports whether a row is of the series, whatever its group.
func (s Series) like(r *Row) bool {
	return r.Reference == s.Reference && r.Model == s.Model && r.Size == s.Size && r.Host == s.Host && (r.Mapping != "") == s.Mapped
}

// Grown returns an error when the mean absolute error of pb grew by more than the limit
// in some series, over the rows of both ledgers, or when there is no row in both.
func (c *Comparison) Grown(limit float64) error {
	if c.Both == 0 {
		return fmt.Errorf("--fail-above: the ledgers have no row in common")
	}
	for _, d := range c.Changes {
		if grown := d.After.Absolute - d.Before.Absolute; d.Technique == judged && grown > limit {
			return fmt.Errorf("--fail-above: the mean error of %s against %s with model %s grew from %.3f %% to %.3f %%, by more than %.3g %%", judged, d.Series.Reference, d.Series.Model, 100*d.Before.Absolute, 100*d.After.Absolute, 100*limit)
		}
	}
	return nil
}
