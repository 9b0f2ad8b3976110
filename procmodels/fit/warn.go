package fit

// This file says which coefficients not to trust, and why.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/procmodels/fitted"
)

const (
	// inflated is the variance inflation from which a coefficient counts as collinear:
	// its standard error is then more than three times what it would be alone.
	inflated = 10
	// alike is the cosine from which two columns cannot be told apart in practice.
	alike = 0.999
)

// machines are the kinds of processors that samples were compiled for, as far as they say.
func (d *design) machines() []string {
	var kinds []string
	for _, s := range d.samples {
		if e, ok := s.Counter.(interface{ Machine() string }); ok && e.Machine() != "" && !slices.Contains(kinds, e.Machine()) {
			kinds = append(kinds, e.Machine())
		}
	}
	slices.Sort(kinds)
	return kinds
}

func (d *design) warn(s *solution, m *fitted.Model) {
	f := &m.Fit
	if machines := d.machines(); len(machines) > 1 {
		f.Warnings = append(f.Warnings, "samples are of several kinds of processors, whose code differs: "+strings.Join(machines, ", "))
	}
	if n, p := len(d.samples), len(m.Coefficients); n < p {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%d samples for %d coefficients: the samples do not determine them; measure more programs", n, p))
	}
	if rare := slices.DeleteFunc(slices.Clone(d.rare), func(f string) bool { return d.timed[f] > 0 }); len(rare) > 0 {
		f.Warnings = append(f.Warnings, "executed too rarely to be fitted, priced by default: "+strings.Join(rare, ", "))
	}
	if s.cov == nil {
		f.Warnings = append(f.Warnings, "standard errors are unknown: no degrees of freedom are left")
	}
	if len(d.groups) < 2 {
		f.Warnings = append(f.Warnings, "all samples are of one group: the error on other programs is unknown")
	}
	inv := inverse(s.gram)
	at := 0
	for j, name := range d.features {
		if !s.seen[j] {
			continue
		}
		c := &m.Coefficients[at]
		at++
		if samples, groups := d.executed(j); groups < fewGroups {
			c.Warnings = append(c.Warnings, fmt.Sprintf("executed by only %d of %d samples", samples, len(d.samples)))
		}
		k, free := slices.BinarySearch(s.free, j)
		if !free {
			c.Warnings = append(c.Warnings, "pinned at zero")
		}
		with, cosine := d.mostLike(s, j)
		switch {
		case with >= 0 && cosine > alike:
			c.Warnings = append(c.Warnings, fmt.Sprintf("collinear: cannot be told from %s", d.features[with]))
		case free && inv == nil && !fitted.IsLibrary(name):
			c.Warnings = append(c.Warnings, "collinear: the samples alone do not determine it")
		case free && inv != nil:
			if vif := inv.At(k, k) * s.gram.At(k, k); vif > inflated {
				t := fmt.Sprintf("collinear: variance inflated %.0f times", vif)
				if with >= 0 {
					t += fmt.Sprintf(", most like %s (cosine %.3f)", d.features[with], cosine)
				}
				c.Warnings = append(c.Warnings, t)
			}
		}
	}
}

// mostLike finds the column with the largest cosine to column j, -1 when there is none.
func (d *design) mostLike(s *solution, j int) (with int, cosine float64) {
	with = -1
	n, p := s.columns.Dims()
	for k := range p {
		if k == j || !s.seen[k] {
			continue
		}
		jj, kk, jk := 0.0, 0.0, 0.0
		for i := range n {
			a, b := s.columns.At(i, j), s.columns.At(i, k)
			jj, kk, jk = jj+a*a, kk+b*b, jk+a*b
		}
		if c := jk / math.Sqrt(jj*kk); c > cosine {
			with, cosine = k, c
		}
	}
	return with, cosine
}
