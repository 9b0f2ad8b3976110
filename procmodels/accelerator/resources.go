package accelerator

// This file foretells what a design takes of an accelerator, from designs that were made.

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"pathspan/yamlstrict"
)

// measured is what designs of a loop took of one resource, by unroll factor.
type measured struct{ factors, amounts []float64 }

// at is what a design with another factor takes: what was measured, or where nothing was on the
// line through what was (least squares).
func (m *measured) at(factor float64) float64 {
	if i := slices.Index(m.factors, factor); i >= 0 {
		return m.amounts[i]
	}
	if len(m.factors) == 1 {
		return m.amounts[0]
	}
	base, slope := stat.LinearRegression(m.factors, m.amounts, nil, false)
	return max(0, base+slope*factor)
}

// resources adds up what loops take: of what each has for itself all, and of operators that
// they share what the greatest needs (eq. 6.2, without the multiplexers of what is shared).
type resources struct{ own, shared map[string]float64 }

// read reads what one loop takes with an unroll factor.
func (s *resources) read(takes, shares yamlstrict.Value, unroll int) {
	for name, amount := range amounts(takes, unroll) {
		s.own[name] += amount
	}
	for name, amount := range amounts(shares, unroll) {
		s.shared[name] = max(s.shared[name], amount)
	}
}

func amounts(v yamlstrict.Value, unroll int) map[string]float64 {
	all := map[string]float64{}
	if !v.Has() {
		return all
	}
	for _, e := range v.Entries() {
		var m measured
		for _, point := range e.Value.Entries() {
			factor, err := strconv.Atoi(point.Key)
			if err != nil || factor < 1 || factor > mostUnroll {
				point.Value.Fail("%q is no unroll factor: want a whole number from 1 to %d, and what a design with it takes", point.Key, mostUnroll)
				return all
			}
			m.factors, m.amounts = append(m.factors, float64(factor)), append(m.amounts, point.Value.NonNegative())
		}
		if len(m.factors) == 0 || len(m.factors) == 1 && m.factors[0] != float64(unroll) {
			e.Value.Fail("%s of unroll factor %d cannot be foretold: give what designs with two factors or more take, such as {4: 2911, 8: 5032, 16: 9252}", e.Key, unroll)
			return all
		}
		all[e.Key] = m.at(float64(unroll))
	}
	return all
}

// taken returns what all loops take, by name, and the names in order.
func (s *resources) taken() (names []string, all map[string]float64) {
	all = maps.Clone(s.own)
	for name, amount := range s.shared {
		all[name] += amount
	}
	return slices.Sorted(maps.Keys(all)), all
}

// fit refuses a design that takes more than there is, and says what it takes.
func (s *resources) fit(capacity yamlstrict.Value) string {
	names, all := s.taken()
	limits := map[string]float64{}
	if capacity.Has() {
		for _, e := range capacity.Entries() {
			limit := e.Value.NonNegative()
			limits[e.Key] = limit
			amount, ok := all[e.Key]
			if !ok {
				e.Value.Fail("capacity of %s: no loop takes any; give takes or shares of a loop, or leave it out", e.Key)
				return ""
			}
			if amount = math.Ceil(amount - 1e-9); amount > limit {
				e.Value.Fail("the design takes %g %s, of %g that there are: unroll less", amount, e.Key, limit)
				return ""
			}
		}
	}
	var parts []string
	for _, name := range names {
		part := strconv.FormatFloat(math.Ceil(all[name]-1e-9), 'f', -1, 64) + " " + name
		if limit, ok := limits[name]; ok {
			part += " of " + strconv.FormatFloat(limit, 'f', -1, 64)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "The design takes " + strings.Join(parts, ", ") + "."
}
