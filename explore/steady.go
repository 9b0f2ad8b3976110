package explore

// This file looks for a mapping that does well in whatever order processors steal tasks, where
// the best that a search found owes its time to the one order that is played.

import (
	"context"
	"slices"
)

// lucky is by which share of its time a mapping may take longer in other orders of stealing.
const lucky = 0.02

// In how many orders candidates are played, how many candidates, and how much that is worth at
// the least: one in a thousand.
const steadyOrders, steadyCandidates, steadyGain = 16, 400, 0.001

// steady replaces the best candidate of a search by one that takes less time on average over
// some orders of stealing, where the best is lucky, and reports whether there was one. It climbs
// from the best and from where the search began, one gene at a time.
func (s *Search) steady(ctx context.Context, best *Candidate) (*Candidate, error) {
	if s.Objective != Speedup && s.Objective != Time || len(s.Pareto) > 0 || best.Violation > 0 {
		return nil, nil
	}
	p := s.problems[best.Problem]
	rows := p.space.Table()
	mean := func(genes []int32) (float64, []float64, error) {
		times, err := rows.InOrders(s.Mapping(&Candidate{Problem: best.Problem, Genes: genes}), steadyOrders)
		sum := 0.0
		for _, x := range times {
			sum += x
		}
		return sum / float64(len(times)), times, err
	}
	least, times, err := mean(best.Genes)
	if err != nil || len(times) == 0 || slices.Max(times) <= times[0]*(1+lucky) {
		return nil, err
	}
	w := s.newWorker(best.Problem, 0, steadyCandidates)
	w.item.problem = best.Problem
	feasible := func(genes []int32) bool {
		w.f.Set(genes)
		return w.violation(w.f.Seconds()) == 0
	}
	limit, genes := least*(1-steadyGain), []int32(nil)
	left := steadyCandidates
	for _, from := range [][]int32{best.Genes, p.start(p.allowed)} {
		at := slices.Clone(from)
		if !feasible(at) {
			continue
		}
		now, _, err := mean(at)
		if err != nil {
			return nil, err
		}
		for better := true; better && left > 0; {
			better = false
			for _, g := range w.free {
				for _, value := range w.allowed[g] {
					was := at[g]
					if value == was || left == 0 || ctx.Err() != nil {
						continue
					}
					left--
					if at[g] = value; !feasible(at) {
						at[g] = was
						continue
					}
					x, _, err := mean(at)
					if err != nil {
						return nil, err
					}
					if x >= now*(1-steadyGain) {
						at[g] = was
						continue
					}
					now, better = x, true
				}
			}
		}
		if now < limit {
			limit, genes = now, at
		}
	}
	if genes == nil {
		return nil, nil
	}
	w.f.Set(genes)
	return &Candidate{best.Problem, slices.Clone(genes), w.metrics(), 0}, nil
}
