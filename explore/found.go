package explore

// This file puts together what the items found, and says how good it is.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
)

// Found is the result of a search.
type Found struct {
	Best      *Candidate
	Mapping   *mapping.Resolved // of Best
	Front     []Candidate       // of Options.Pareto, in order of its objectives
	Algorithm string
	Reason    string // why auto chose it, else ""
	// Proven says that no candidate is better: all were searched or left out by bounds.
	// Of a front it says that it is complete.
	Proven      bool
	Interrupted bool
	Evaluations int64
	// Candidates is how many there are, those that differ in the names of equal
	// processors counted once and independent units one by one.
	Candidates float64
	Bounds     table.Bounds // on the time, under the constraints
	// Short says that ways to make loops in hardware were left out, of which Bounds say nothing.
	Short bool
	// Spread says that Best maps regions within regions (see Options.KeepNested).
	Spread bool
	// Steady says that Best takes least time, with its standard deviation, over some orders in which
	// processors steal tasks: what was best in the one that is played owed that to it.
	Steady bool
	// Loops counts the worksharing loops of which ways to share iterations were tried, Fixed
	// names those that kept their clauses, with sections that kept their places for that, with which
	// nothing is proven.
	Loops int
	Fixed []string
}

// WhyFixed says why loops, and sections, are no decision.
const WhyFixed = "regions or tasks in iterations, iterations in sections, or threads that come from sections to a loop, or back, without waiting"

// Gap is by which share the best time is above the bound, 0 where nothing takes time.
func (f *Found) Gap() float64 {
	if f.Bounds.Combined > 0 {
		return max(f.Best.Metrics.Seconds/f.Bounds.Combined-1, 0)
	}
	return 0
}

// same is the relative difference below which a time equals its bound but for rounding.
const same = 1e-12

// conclude puts the outcomes together.
func (s *Search) conclude(ctx context.Context, outcomes []*Outcome, interrupted bool) (*Found, error) {
	found := &Found{Algorithm: s.choice.name, Reason: s.reason, Interrupted: interrupted, Candidates: s.size}
	all := &front{of: s.Pareto}
	take := func(best *Candidate, front []Candidate) {
		if best != nil && s.better(best, found.Best) {
			found.Best = best
		}
		for i := range front {
			all.add(front[i])
		}
	}
	found.Proven = len(s.pieces) > 0 && len(outcomes) == len(s.pieces)
	for _, o := range outcomes {
		found.Evaluations += o.Evaluations
		found.Proven = found.Proven && o.Complete
		take(o.Best, o.Front)
	}
	if len(s.pieces) > 0 && !s.whole() {
		found.Proven = s.assemble(outcomes, take) && found.Proven
	}
	if found.Best == nil { // stopped before the first
		for i := range s.problems {
			w := s.newWorker(i, 0, 1)
			w.item.problem = i
			w.f.Set(s.problems[i].start(s.problems[i].allowed))
			w.look()
			take(w.best, nil)
		}
	}
	if found.Best == nil {
		return nil, errors.New("no candidate has a solution: recursions lead to another call on average; lower the overheads")
	}
	if !found.Interrupted && found.Best.Violation > 0 {
		return nil, s.unmet(found)
	}
	all.sort()
	found.Front = all.all
	found.Proven = found.Proven && !all.thinned
	for _, p := range s.problems {
		found.Proven, found.Short = found.Proven && !p.short, found.Short || p.making.short
	}
	found.Bounds = s.bounds()
	if !found.Short && (s.Objective == Speedup || s.Objective == Time) && len(s.Pareto) == 0 && found.Best.Metrics.Seconds <= found.Bounds.Combined*(1+same) {
		found.Proven = true
	}
	switch steady, err := s.steady(ctx, found.Best); {
	case err != nil:
		return nil, err
	case steady != nil:
		found.Best, found.Steady, found.Proven = steady, true, false
	}
	switch written, err := s.handedOn(found.Best); {
	case err != nil:
		return nil, err
	case written != nil:
		found.Best, found.Proven = written, false
	}
	found.Mapping = s.Mapping(found.Best)
	space := s.problems[found.Best.Problem].space
	found.Fixed = space.Fixed()
	for g := range space.Genes {
		switch space.Genes[g].Kind {
		case table.Nested:
			found.Spread = found.Spread || found.Best.Genes[g] == 1
		case table.Sharing:
			found.Loops++
		}
	}
	return found, nil
}

// assemble adds up the parts of units, for each problem and set of processors.
func (s *Search) assemble(outcomes []*Outcome, take func(*Candidate, []Candidate)) bool {
	all := true
	for i := 0; i < len(s.pieces); {
		first := s.pieces[i]
		p := s.problems[first.problem]
		parts := make([][]Part, len(p.space.Units))
		for ; i < len(s.pieces) && s.pieces[i].problem == first.problem && s.pieces[i].set == first.set; i++ {
			if i >= len(outcomes) {
				continue
			}
			u := s.pieces[i].unit
			for _, x := range outcomes[i].Parts {
				parts[u] = uncovered(parts[u], x, s.covers)
			}
		}
		w := s.newWorker(first.problem, 0, math.MaxInt64)
		w.item.problem = first.problem
		all = w.combine(p.within(p.sets[first.set]), parts) && all
		if w.front != nil {
			take(w.best, w.front.all)
		} else {
			take(w.best, nil)
		}
	}
	return all
}

// unmet says which constraints no candidate seen meets.
func (s *Search) unmet(found *Found) error {
	what := "the constraints"
	switch {
	case s.buffers || s.tasked || s.depths != nil:
		what = "the constraints, with what loops and buffers take and what stages need of each other"
	case s.limits.tied && s.Constraints.MinSpeedup > 0:
	case s.limits.tied:
		what = "the limits of memory" + s.takenByFootprint()
	case s.Constraints.MinSpeedup > 0:
		what = fmt.Sprintf("a speed-up of %g", s.Constraints.MinSpeedup)
	}
	if found.Proven {
		return fmt.Errorf("no mapping meets %s", what)
	}
	return fmt.Errorf("none of the %d candidates tried meets %s; try a larger --budget, or lower the demands", found.Evaluations, what)
}

// bounds returns bounds over all problems and sets of processors.
func (s *Search) bounds() table.Bounds {
	least := table.Bounds{Critical: math.Inf(1), Capacity: math.Inf(1), Combined: math.Inf(1)}
	for _, p := range s.problems {
		sets := p.sets
		if len(sets) >= maxSets { // others were left out
			sets = [][]bool{slices.Repeat([]bool{true}, len(p.class))}
		}
		for _, set := range sets {
			b := p.space.Bounds(p.within(set))
			least.Critical, least.Capacity, least.Combined = min(least.Critical, b.Critical), min(least.Capacity, b.Capacity), min(least.Combined, b.Combined)
		}
	}
	return least
}

// place puts pinned sections that never ran where they are pinned to.
func (s *Search) place(m *mapping.Resolved) {
	for x, at := range s.limits.pin {
		if m.Regions[x.region].Explicit {
			m.Regions[x.region].Proc[x.construct][x.section] = at
		}
	}
}

// Estimator returns what estimates a candidate, with its designs of loops.
func (s *Search) Estimator(c *Candidate) *estimate.Estimator { return s.problems[c.Problem].e }

// Mapping returns a candidate of the search as a mapping.
func (s *Search) Mapping(c *Candidate) *mapping.Resolved {
	p := s.problems[c.Problem]
	m := p.space.Mapping(c.Genes)
	s.place(m)
	return m
}
