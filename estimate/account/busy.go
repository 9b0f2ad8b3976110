package account

// This file says which blocks the busy cycles of a mapping are spent in.

import (
	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// Busy attributes the busy cycles of a mapping. The sums by processor are those of
// estimate.Busy. Rows that say only on average what is executed inside sections do not tell
// what each section works; they are those of paths, which do.
func Busy(e *estimate.Estimator, m *mapping.Resolved, t estimate.Technique) (*estimate.Attribution, error) {
	s, average := newSpent(), false
	err := e.Play(m, t, func(rows *table.Table, p *table.Played) {
		average = average || p.Mean
		for i := range p.Events {
			s.add(rows, &p.Events[i], p.Weight)
		}
	})
	if err != nil {
		return nil, err
	}
	if average {
		return e.Attribute(m, nil)
	}
	return s.attribution(e, m, t)
}
