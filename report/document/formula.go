package document

// This file records the estimates as a computation over overheads and clocks.

import (
	"encoding/json"
	"slices"

	"pathspan/estimate/formula"
	"pathspan/report"
)

// formula records what the answer's estimates do with other overheads and clocks. Without
// a region that ran there is nothing to choose.
func (b *builder) formula() error {
	if !slices.Contains(report.RegionsRan(b.e.Bundle), true) {
		return nil
	}
	f, err := formula.Record(b.e, b.m, b.techniques)
	if err != nil {
		return err
	}
	b.d.Formula, err = json.Marshal(f)
	return err
}
