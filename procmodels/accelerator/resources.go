package accelerator

// This file foretells what a design takes of an accelerator, from designs that were made (Y. Choi,
// section 6.3.1 and eq. 6.2, without the multiplexers of what is shared).

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// measured is what designs of a loop took of one resource, by unroll factor or by parts of arrays.
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

// foretells reports whether it can say what a design with a factor takes.
func (m *measured) foretells(factor int) bool {
	return len(m.factors) > 1 || len(m.factors) == 1 && m.factors[0] == float64(factor)
}

// fit says how well a line goes through what was measured, "" where nothing is foretold.
func (m *measured) fit() string {
	switch len(m.factors) {
	case 1:
		return ""
	case 2:
		return "through 2 designs, which do not tell how straight it is"
	}
	base, slope := stat.LinearRegression(m.factors, m.amounts, nil, false)
	off := 0.0
	for i, x := range m.factors {
		if m.amounts[i] != 0 {
			off = max(off, math.Abs((base+slope*x)/m.amounts[i]-1))
		}
	}
	text := fmt.Sprintf("through %d designs, at most %.1f%% off them", len(m.factors), 100*off)
	if r2 := stat.RSquared(m.factors, m.amounts, nil, base, slope); !math.IsNaN(r2) {
		text += fmt.Sprintf(" (R2 %.4f)", r2)
	}
	return text
}

// resources is what designs of a loop took, by resource: for itself and of operators that loops
// share by unroll factor, of memory by parts of its arrays.
type resources struct{ takes, shares, banks map[string]measured }

// measurements reads what designs took, by resource and factor.
func measurements(v yamlstrict.Value) map[string]measured {
	all := map[string]measured{}
	for _, e := range v.Entries() {
		var m measured
		for _, point := range e.Value.Entries() {
			factor, err := strconv.Atoi(point.Key)
			if err != nil || factor < 1 || factor > mostUnroll {
				point.Value.Fail("%q is no factor: want a whole number from 1 to %d, and what a design with it takes", point.Key, mostUnroll)
				return all
			}
			m.factors, m.amounts = append(m.factors, float64(factor)), append(m.amounts, point.Value.NonNegative())
		}
		all[e.Key] = m
	}
	return all
}

// unforetold names a resource of which it is not known what a design takes, "" for none.
func (s *resources) unforetold(unroll, partition int) string {
	for _, k := range []struct {
		of     map[string]measured
		what   string
		factor int
	}{{s.takes, "unroll factor", unroll}, {s.shares, "unroll factor", unroll}, {s.banks, "partition", partition}} {
		for _, name := range slices.Sorted(maps.Keys(k.of)) {
			if m := k.of[name]; !m.foretells(k.factor) {
				return fmt.Sprintf("%s of %s %d cannot be foretold: give what designs with two factors or more take, such as {4: 2911, 8: 5032, 16: 9252}", name, k.what, k.factor)
			}
		}
	}
	return ""
}

// of is what a design takes.
func (s *resources) of(unroll, partition int) (own, shared map[string]float64) {
	own, shared = map[string]float64{}, map[string]float64{}
	for name, m := range s.takes {
		own[name] += m.at(float64(unroll))
	}
	for name, m := range s.banks {
		own[name] += m.at(float64(partition))
	}
	for name, m := range s.shares {
		shared[name] = m.at(float64(unroll))
	}
	return own, shared
}

// fits says of each resource of a loop how well it is foretold.
func (g *given) fits() (all []string) {
	for _, k := range []struct {
		of   map[string]measured
		what string
	}{{g.takes, "by unroll factor"}, {g.shares, "that loops share, by unroll factor"}, {g.banks, "by partition"}} {
		for _, name := range slices.Sorted(maps.Keys(k.of)) {
			m := k.of[name]
			if fit := m.fit(); fit != "" {
				all = append(all, fmt.Sprintf("%s of the loop at %s %s: a line %s", name, g.name, k.what, fit))
			}
		}
	}
	return all
}

// fit refuses a design that takes more than there is, and says what it takes.
func (m *Model) fit(capacity yamlstrict.Value) string {
	all := procmodels.TakenBy(m.Loops())
	for name, x := range m.reportTakes() {
		all[name] = max(all[name], x)
	}
	for _, e := range capacity.Entries() {
		limit := e.Value.NonNegative()
		if m.capacity == nil {
			m.capacity = map[string]float64{}
		}
		m.capacity[e.Key] = limit
		amount, ok := all[e.Key]
		if !ok {
			e.Value.Fail("capacity of %s: no loop takes any; give takes, shares or banks of a loop, or leave it out", e.Key)
			return ""
		}
		if amount = math.Ceil(amount - 1e-9); amount > limit {
			e.Value.Fail("the design takes %g %s, of %g that there are: unroll less", amount, e.Key, limit)
			return ""
		}
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(all)) {
		part := strconv.FormatFloat(math.Ceil(all[name]-1e-9), 'f', -1, 64) + " " + name
		if limit, ok := m.capacity[name]; ok {
			part += " of " + strconv.FormatFloat(limit, 'f', -1, 64)
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return ""
	}
	return "The design takes " + strings.Join(parts, ", ") + "."
}
