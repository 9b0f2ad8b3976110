package main

// This file is what estimate --verify does: each result a second time, by a slow
// computation that shares nothing with the first.

import (
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/pathwise"
	"pathspan/mapping"
	"pathspan/report"
)

// verify compares the results of the last platform, which end out.Estimates in order of
// mappings and techniques. Techniques without a second way, intervals and shares of default costs are not recomputed.
func verify(out *report.Estimates, e *estimate.Estimator, mappings []*mapping.Resolved, techniques []estimate.Technique) error {
	p, err := report.Pathwise(e)
	if err != nil {
		return err
	}
	results := out.Estimates[len(out.Estimates)-len(mappings)*len(techniques):]
	for i := range results {
		r := &results[i]
		t, err := pathwise.ParseTechnique(r.Technique)
		if err != nil { // nothing to compare with
			if !slices.Contains(out.Unverified, r.Technique) {
				out.Unverified = append(out.Unverified, r.Technique)
			}
			continue
		}
		f, err := p.Estimate(mappings[i/len(techniques)], t)
		if err == nil {
			err = f.Compare(r.SequentialCycles, r.ParallelCycles)
		}
		if err != nil {
			return found(fmt.Errorf("--verify: technique %s, %d processors, mapping %s: %w; please report it with the bundle, the platform and the mapping", r.Technique, r.Processors, r.Mapping, err))
		}
		out.Verified++
	}
	return nil
}
