package estimate

// This file sums up trials: intervals of results, and which of two mappings is better.

import (
	"math"
	"slices"
)

// Interval is where a result lies in the middle share Confidence of all trials.
type Interval struct {
	Low        float64 `json:"low"`
	High       float64 `json:"high"`
	Confidence float64 `json:"confidence"` // above 0, below 1
}

// intervalOf returns the percentile interval of values, of which there is one at least.
func intervalOf(values []float64, confidence float64) *Interval {
	slices.Sort(values)
	tail := (1 - confidence) / 2
	return &Interval{Low: quantile(values, tail), High: quantile(values, 1-tail), Confidence: confidence}
}

// quantile interpolates between the values around share q of ascending values.
func quantile(values []float64, q float64) float64 {
	at := q * float64(len(values)-1)
	low := int(at)
	if low+1 >= len(values) {
		return values[len(values)-1]
	}
	return values[low] + (at-float64(low))*(values[low+1]-values[low])
}

// SetIntervals fills the intervals of a result from its trials, if there are any.
func (r *Result) SetIntervals(trials []Trial, confidence float64) {
	if len(trials) == 0 {
		return
	}
	of := func(value func(Trial) float64) *Interval {
		values := make([]float64, len(trials))
		for i, t := range trials {
			values[i] = value(t)
		}
		return intervalOf(values, confidence)
	}
	r.SpeedupInterval = of(Trial.Speedup)
	r.ParallelSecondsInterval = of(func(t Trial) float64 { return t.Parallel })
	r.SequentialSecondsInterval = of(func(t Trial) float64 { return t.Sequential })
}

// Comparison says which of two mappings of one platform takes less time.
type Comparison struct {
	Technique  string  `json:"technique"`
	Processors int     `json:"processors"`
	Mapping    string  `json:"mapping"` // the one that is better more often
	Other      string  `json:"other"`
	Samples    int     `json:"samples"` // 0 when only the typical costs were compared
	Wins       float64 `json:"wins"`    // share of samples in which Mapping takes less time
	Ties       float64 `json:"ties"`    // share of samples in which both take the same
	Gain       float64 `json:"gain"`    // mean share of Other's time that Mapping saves
}

// sameTime is the relative difference below which two times are equal but for rounding.
const sameTime = 1e-9

// Compare compares two results of one platform and technique. The trials, of the same
// draws, are both empty where costs are exact or were not sampled.
func Compare(a, b *Result, trialsA, trialsB []Trial) Comparison {
	c := Comparison{Technique: a.Technique, Processors: a.Processors, Mapping: a.Mapping, Other: b.Mapping, Samples: len(trialsA)}
	if len(trialsA) == 0 {
		trialsA, trialsB = []Trial{{Parallel: a.ParallelSeconds}}, []Trial{{Parallel: b.ParallelSeconds}}
	}
	wins, losses, ties, gain, loss := 0, 0, 0, 0.0, 0.0
	n := float64(len(trialsA))
	for i := range trialsA {
		x, y := trialsA[i].Parallel, trialsB[i].Parallel
		switch {
		case math.Abs(x-y) <= sameTime*max(x, y):
			ties++
			continue
		case x < y:
			wins++
		default:
			losses++
		}
		gain += saved(x, y) / n
		loss += saved(y, x) / n
	}
	if losses > wins {
		c.Mapping, c.Other, wins, gain = c.Other, c.Mapping, losses, loss
	}
	c.Wins, c.Ties, c.Gain = float64(wins)/n, float64(ties)/n, gain
	return c
}

// saved returns the share of time y that x saves.
func saved(x, y float64) float64 {
	if y > 0 {
		return 1 - x/y
	}
	return 0
}
