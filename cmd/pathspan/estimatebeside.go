package main

// This file is what estimate does beside each result: uncertain costs, comparisons of
// mappings, and, with --verify, each result a second time.

import (
	"errors"
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/verify"
	"pathspan/report"
)

// usualSamples is how often uncertain costs are drawn when nobody says.
var usualSamples = 200

const (
	maxSamples = 100000
	allPairs   = 4 // as many mappings are compared each with each; of more, the first with the others
)

// intervals fills the intervals of the estimates and the comparisons of mappings.
// Estimates are in order of cases, mappings and techniques.
func (o *estimateFlags) intervals(out *report.Estimates, a *estimate.Analysis, all []*priced, techniques []estimate.Technique) error {
	var cases []estimate.Case
	for _, x := range all {
		cases = append(cases, estimate.Case{Processors: x.Processors, Mappings: x.mappings})
	}
	spreads, err := a.Spread(cases, techniques, o.samples, o.seed)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(cases, func(c estimate.Case) bool { return !c.Exact() }) {
		out.Sampling = &report.Sampling{Samples: o.samples, Seed: o.seed, Confidence: o.confidence / 100}
	}
	next := 0
	for k, c := range cases {
		results := out.Estimates[next : next+len(c.Mappings)*len(techniques)]
		next += len(results)
		trials := make([][]estimate.Trial, len(results))
		if s := spreads[k]; s != nil {
			for i := range results {
				trials[i] = s[i/len(techniques)][i%len(techniques)]
				results[i].SetIntervals(trials[i], o.confidence/100)
			}
		}
		for x := range c.Mappings {
			for y := x + 1; y < len(c.Mappings); y++ {
				if x > 0 && len(c.Mappings) > allPairs {
					continue
				}
				i, j := x*len(techniques), y*len(techniques)
				out.Comparisons = append(out.Comparisons, estimate.Compare(&results[i], &results[j], trials[i], trials[j]))
			}
		}
	}
	return nil
}

// verifyAll compares the results of the last platform, which end out.Estimates in order of
// mappings and techniques. Intervals and shares of default costs are not recomputed.
func verifyAll(out *report.Estimates, a *priced, techniques []estimate.Technique) error {
	v, err := verify.New(a.Estimator)
	if err != nil {
		return err
	}
	results := out.Estimates[len(out.Estimates)-len(a.mappings)*len(techniques):]
	for i := range results {
		r := &results[i]
		err := v.Result(a.mappings[i/len(techniques)], techniques[i%len(techniques)], r)
		switch {
		case errors.Is(err, verify.ErrNone):
			if !slices.Contains(out.Unverified, r.Technique) {
				out.Unverified = append(out.Unverified, r.Technique)
			}
		case err != nil:
			return found(fmt.Errorf("--verify: technique %s, %d processors, mapping %s: %w; please report it with the bundle, the platform and the mapping", r.Technique, r.Processors, r.Mapping, err))
		default:
			out.Verified++
		}
	}
	return nil
}
