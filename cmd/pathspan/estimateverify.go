package main

// This file is what estimate --verify does: each result a second time, by slow computations
// that share nothing with the first.

import (
	"errors"
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/verify"
	"pathspan/report"
)

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
