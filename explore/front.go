package explore

// This file keeps candidates that no other is better than in every objective.

import (
	"cmp"
	"slices"
)

// maxFront bounds a front that is not proven to be complete.
const maxFront = 500

// front is a set of candidates of which none dominates another.
type front struct {
	of      []Objective
	all     []Candidate
	thinned bool // some were left out
}

// dominates reports whether a is no worse than b in all objectives. Equal ones dominate
// each other.
func (f *front) dominates(a, b *Metrics) bool {
	return !slices.ContainsFunc(f.of, func(o Objective) bool { return a.of(o) > b.of(o) })
}

// covers reports whether the front has a candidate that is as good.
func (f *front) covers(m *Metrics) bool {
	return slices.ContainsFunc(f.all, func(x Candidate) bool { return f.dominates(&x.Metrics, m) })
}

// uncovered adds x to all, in place, unless one is as good, and takes out those that it is as
// good as.
func uncovered[T any](all []T, x T, covers func(a, b *T) bool) []T {
	if slices.ContainsFunc(all, func(o T) bool { return covers(&o, &x) }) {
		return all
	}
	return append(slices.DeleteFunc(all, func(o T) bool { return covers(&x, &o) }), x)
}

// add adds a candidate that is not dominated and takes out those that it dominates. The
// genes are kept.
func (f *front) add(c Candidate) {
	f.all = uncovered(f.all, c, func(a, b *Candidate) bool { return f.dominates(&a.Metrics, &b.Metrics) })
	if len(f.all) > maxFront {
		f.thin()
	}
}

// thin takes out the candidate whose neighbours in the first objective are nearest.
func (f *front) thin() {
	f.thinned = true
	f.sort()
	at, least := -1, 0.0
	for i := 1; i+1 < len(f.all); i++ {
		gap := relative(f.all[i+1].Metrics.of(f.of[0])-f.all[i-1].Metrics.of(f.of[0]), f.all[i].Metrics.of(f.of[0]))
		if at < 0 || gap < least {
			at, least = i, gap
		}
	}
	f.all = slices.Delete(f.all, at, at+1)
}

// sort orders the front by its objectives.
func (f *front) sort() {
	slices.SortStableFunc(f.all, func(a, b Candidate) int {
		for _, o := range f.of {
			if c := cmp.Compare(a.Metrics.of(o), b.Metrics.of(o)); c != 0 {
				return c
			}
		}
		return cmp.Or(a.Problem-b.Problem, slices.Compare(a.Genes, b.Genes))
	})
}
