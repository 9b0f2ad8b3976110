package estimate

// This file tells how much memory sections use.

import (
	"pathspan/mapping/caches"
	"pathspan/memory"
)

// EachFootprint visits the sections of which the profile tells how much memory they use, with the
// most bytes that one execution used, in whole lines.
func (e *Estimator) EachFootprint(visit func(region, construct, section int, bytes float64)) {
	d := e.Bundle.Memory
	if d == nil {
		return
	}
	for _, span := range d.Spans {
		if of := d.Lanes[span.Lane]; of.Kind == memory.InSection {
			visit(of.Region, of.Construct, of.Section, float64(span.Most*caches.RecordedLine))
		}
	}
}
