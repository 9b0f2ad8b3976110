package explore

// This file takes back schedules of loops that pay in the loop alone: which thread has which line is
// handed on to other loops, which the search does not see, as each loop is a unit of its own.

import (
	"slices"

	"pathspan/estimate/table"
)

// handedOn replaces the best candidate of a search by one some of whose loops are as they are written,
// where the whole takes less time so; nil where there is none.
func (s *Search) handedOn(best *Candidate) (*Candidate, error) {
	p := s.problems[best.Problem]
	if s.Objective != Speedup && s.Objective != Time || len(s.Pareto) > 0 || best.Violation > 0 || p.e.Platform.Hierarchy == nil || p.e.Bundle.Memory == nil {
		return nil, nil
	}
	c := &Candidate{Problem: best.Problem, Genes: slices.Clone(best.Genes)}
	seconds := func() (float64, error) {
		r, err := s.Estimator(c).Estimate(s.Mapping(c), s.Technique)
		return r.ParallelSeconds, err
	}
	least, err := seconds()
	changed := false
	for g := 0; g < len(c.Genes) && err == nil; g++ {
		if p.space.Genes[g].Kind != table.Sharing {
			continue
		}
		was := c.Genes[g]
		written, ok := p.space.AsShared(g)
		if !ok || was == written || !slices.Contains(p.allowed[g], written) {
			continue
		}
		c.Genes[g] = written
		x := 0.0
		if x, err = seconds(); x < least {
			least, changed = x, true
		} else {
			c.Genes[g] = was
		}
	}
	if err != nil || !changed {
		return nil, err
	}
	w := s.newWorker(best.Problem, 0, 1)
	w.item.problem = best.Problem
	w.f.Set(c.Genes)
	c.Metrics, c.Violation = w.metrics(), w.violation(w.f.Seconds())
	if c.Violation > 0 {
		return nil, nil
	}
	return c, nil
}
