package explore

// This file looks for a mapping that does well in whatever order processors steal tasks, where
// the best that a search found owes its time to the one order that is played.

import (
	"context"
	"math"
	"slices"
)

// lucky is by which share of its time a mapping may take longer in other orders of stealing.
const lucky = 0.02

// In how many orders candidates are played, how many candidates and how many tasks in all, which
// takes some seconds, and how much that is worth at the least: one in a thousand.
const steadyOrders, steadyCandidates, steadyTasks, steadyGain = 16, 400, 1 << 22, 0.001

// steady replaces the best candidate of a search by one whose mean time over some
// orders of stealing, and standard deviation, are less together, where the best is lucky; nil where
// there is none. It climbs from what OpenMP does and from the best, one gene at a time.
func (s *Search) steady(ctx context.Context, best *Candidate) (*Candidate, error) {
	if s.Objective != Speedup && s.Objective != Time || len(s.Pareto) > 0 || best.Violation > 0 {
		return nil, nil
	}
	p := s.problems[best.Problem]
	rows := p.space.Table()
	usual := func(genes []int32) (float64, []float64, error) {
		times, err := rows.InOrders(s.Mapping(&Candidate{Problem: best.Problem, Genes: genes}), steadyOrders)
		if err != nil {
			return 0, nil, err
		}
		sum, squares := 0.0, 0.0
		for _, x := range times {
			sum += x
		}
		mean := sum / float64(len(times))
		for _, x := range times {
			squares += (x - mean) * (x - mean)
		}
		return mean + math.Sqrt(squares/float64(len(times))), times, nil
	}
	least, times, err := usual(best.Genes)
	if err != nil || slices.Max(times) <= times[0]*(1+lucky) {
		return nil, err
	}
	budget := min(steadyCandidates, int(steadyTasks/(steadyOrders*rows.TasksMade())))
	w := s.newWorker(best.Problem, 0, int64(budget))
	w.item.problem = best.Problem
	feasible := func(genes []int32) bool {
		w.f.Set(genes)
		return w.violation(w.f.Seconds()) == 0
	}
	limit, genes := least*(1-steadyGain), []int32(nil)
	for _, from := range [][]int32{p.near(p.space.AsWritten(), p.allowed), best.Genes} {
		at := slices.Clone(from)
		if !feasible(at) {
			continue
		}
		left := budget
		now, _, err := usual(at)
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
					x, _, err := usual(at)
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
