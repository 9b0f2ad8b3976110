package measure

// This file sums up the times of several runs.

import (
	"slices"
	"time"

	"pathspan/build/record"
)

// Times are those of runs of one program, in the order in which they ran.
type Times []record.Time

// Summary describes times.
type Summary struct {
	Runs        int
	Min, Median time.Duration // elapsed
	// Spread is how far the middle half of the runs reaches, as a share of the median.
	Spread float64
	// Used is the median of the time on all processors together.
	Used time.Duration
}

// Steady is the largest spread of runs that repeat themselves: what differs by less from a prediction is not told apart by others.
const Steady = 0.02

// Summary describes the times; zero when there is none.
func (t Times) Summary() Summary {
	if len(t) == 0 {
		return Summary{}
	}
	elapsed, used := make([]time.Duration, len(t)), make([]time.Duration, len(t))
	for i := range t {
		elapsed[i], used[i] = t[i].Elapsed, t[i].Used
	}
	slices.Sort(elapsed)
	slices.Sort(used)
	s := Summary{Runs: len(t), Min: elapsed[0], Median: quantile(elapsed, 0.5), Used: quantile(used, 0.5)}
	if s.Median > 0 {
		s.Spread = float64(quantile(elapsed, 0.75)-quantile(elapsed, 0.25)) / float64(s.Median)
	}
	return s
}

// quantile interpolates between sorted times.
func quantile(sorted []time.Duration, q float64) time.Duration {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + time.Duration((at-float64(i))*float64(sorted[i+1]-sorted[i]))
}
