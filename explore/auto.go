package explore

// This file chooses the algorithm.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

const (
	// timedExhaustive and branchable are numbers of candidates up to which auto takes
	// exhaustive search, when the budget is a time, and branch and bound.
	timedExhaustive = 2e6
	branchable      = 1e12
	// leastShare is how many evaluations each unit has at least in branch and bound.
	leastShare = 8000
)

// choose finds the algorithm asked for, or the one that suits, and says why.
func (s *Search) choose() error {
	s.size = s.count()
	choices := 0
	for _, p := range s.problems {
		choices += len(p.space.Genes)
	}
	if choices == 0 {
		for _, p := range s.problems {
			if fixed := p.space.Fixed(); fixed != nil {
				return fmt.Errorf("there is nothing to search: %s stay as written (%s)", strings.Join(fixed, ", "), WhyFixed)
			}
		}
		return errNothing
	}
	name := s.Algorithm
	limit := float64(s.Evaluations)
	if s.Time > 0 {
		limit = timedExhaustive
	}
	if name == "" || name == "auto" {
		switch {
		case s.size <= limit:
			name, s.reason = "exhaustive", Count(s.size)+fit(s.size)
		case s.boundable() == nil && s.size <= branchable && !s.general() && s.shares() >= leastShare:
			name, s.reason = "branch-and-bound", fmt.Sprintf("%s candidates are more than the budget, and bounds leave most of them out", Count(s.size))
		default:
			name, s.reason = "annealing", fmt.Sprintf("%s candidates are too many to search them all", Count(s.size))
		}
	}
	if s.reason != "" && s.narrowing != "" {
		s.reason += "; " + s.narrowing
	}
	at := slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == name })
	if at < 0 {
		return fmt.Errorf("algorithm %q: %s", name, nearest(name, Algorithms()))
	}
	if s.choice = &algorithms[at]; name == "branch-and-bound" {
		return s.boundable()
	}
	return nil
}

// shares is how many evaluations each unit has.
func (s *Search) shares() int64 {
	if s.Time > 0 {
		return leastShare
	}
	units := 0
	for _, p := range s.problems {
		units += len(p.sets) * len(p.space.Units)
	}
	return s.Evaluations / int64(max(units, 1))
}

// general reports whether regions lie within regions, of which bounds say little.
func (s *Search) general() bool {
	return slices.ContainsFunc(s.problems, func(p *problem) bool { return p.space.HasGeneral() })
}

// boundable reports why branch and bound does not prove what is asked for.
func (s *Search) boundable() error {
	time, energy := s.needs()
	switch {
	case len(s.Pareto) > 0:
		return fmt.Errorf("branch-and-bound proves one objective; use exhaustive or another algorithm for a front")
	case time && energy:
		return fmt.Errorf("branch-and-bound does not prove the least energy at a speed-up; use exhaustive")
	}
	if s.buffers && s.wants(Area) {
		return errors.New("branch-and-bound proves no area of buffers, which hangs on the mapping; use exhaustive")
	}
	if energy && slices.Min(s.power.More) < 0 {
		return fmt.Errorf("branch-and-bound needs processors that take no more idle than active")
	}
	return nil
}

// count returns how many candidates there are to try, those that differ in the names of
// interchangeable processors once: a sum over units where they are searched one by one.
func (s *Search) count() float64 {
	total := 0.0
	for _, p := range s.problems {
		for _, set := range p.sets {
			allowed := p.within(set)
			if s.whole() {
				total += p.count(0, len(allowed), allowed)
				continue
			}
			for _, u := range p.space.Units {
				total += p.count(u.First, u.Count, allowed)
			}
		}
	}
	return total
}

func fit(n float64) string {
	if n == 1 {
		return " candidate fits the budget"
	}
	return " candidates fit the budget"
}

// Count renders a number of candidates.
func Count(n float64) string {
	switch {
	case math.IsInf(n, 1):
		return "more than 10^300"
	case n < 1e7:
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1e", n)
}
