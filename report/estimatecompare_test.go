package report

// This file tests the sentences about mappings.

import (
	"testing"

	"pathspan/estimate"
)

func TestComparisonSentences(t *testing.T) {
	on := &Sampling{Samples: 200}
	for _, x := range []struct {
		c    estimate.Comparison
		s    *Sampling
		want string
	}{
		{estimate.Comparison{Samples: 200, Wins: 0.93, Gain: 0.041}, on, "a beats b in 93% of 200 samples; it takes 4.1% less time on average."},
		{estimate.Comparison{Samples: 200, Wins: 0.51, Gain: -0.002}, on, "a beats b in 51% of 200 samples; it takes 0.2% more time on average."},
		{estimate.Comparison{Samples: 200, Wins: 0.6, Ties: 0.3, Gain: 1e-5}, on, "a beats b in 60% of 200 samples and takes the same time in 30%; it takes less than 0.1% less time on average."},
		{estimate.Comparison{Samples: 200, Wins: 1, Gain: 0.25}, on, "a beats b in all 200 samples; it takes 25.0% less time on average."},
		{estimate.Comparison{Samples: 20000, Wins: 0.99999, Gain: 0.25}, on, "a beats b in 99.9% of 20000 samples; it takes 25.0% less time on average."},
		{estimate.Comparison{Samples: 200, Ties: 1}, on, "a and b take the same time in all 200 samples."},
		{estimate.Comparison{Wins: 1, Gain: 0.041}, nil, "a beats b: it takes 4.1% less time (no interval: the models give exact costs)."},
		{estimate.Comparison{Ties: 1}, nil, "a and b take the same time (no interval: the models give exact costs)."},
		{estimate.Comparison{Wins: 1, Gain: 0.041}, &Sampling{}, "a beats b: it takes 4.1% less time (no interval: --samples is 0)."},
	} {
		x.c.Mapping, x.c.Other = "a", "b"
		if got := comparison(&x.c, x.s); got != x.want {
			t.Errorf("%+v: %q, want %q", x.c, got, x.want)
		}
	}
}

func TestIntervalsInTheUnitOfTheirEnd(t *testing.T) {
	for _, x := range []struct {
		in   estimate.Interval
		want string
	}{
		{estimate.Interval{Low: 0.9, High: 1.25}, "0.900-1.250 s"},
		{estimate.Interval{Low: 0.0009, High: 0.02}, "0.900-20.000 ms"},
		{estimate.Interval{Low: 1e-6, High: 2e-6}, "1.000-2.000 us"},
		{estimate.Interval{Low: 1e9, High: 2e20}, "1.000e+09-2.000e+20 s"},
	} {
		if got := SecondsSpan(&x.in); got != x.want {
			t.Errorf("%v: %q, want %q", x.in, got, x.want)
		}
	}
}
