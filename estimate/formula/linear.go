package formula

// This file computes with linear forms: sums of nodes times coefficients.

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"pathspan/estimate"
)

// linear is a sum of terms in ascending order of nodes, without zeros. Nil is 0.
type linear []term

type term struct {
	node int32
	coef float64
}

// weighted is a linear form times a weight.
type weighted = estimate.Weighted[linear]

func add(parts []weighted) linear {
	n := 0
	for i := range parts {
		n += len(parts[i].Value)
	}
	all := make(linear, 0, n)
	for i := range parts {
		if parts[i].Weight == 0 {
			continue
		}
		for _, t := range parts[i].Value {
			all = append(all, term{t.node, t.coef * parts[i].Weight})
		}
	}
	slices.SortStableFunc(all, func(a, b term) int { return cmp.Compare(a.node, b.node) })
	out := all[:0]
	for _, t := range all {
		if k := len(out) - 1; k >= 0 && out[k].node == t.node {
			out[k].coef += t.coef
		} else {
			out = append(out, t)
		}
	}
	return slices.DeleteFunc(out, func(t term) bool { return t.coef == 0 })
}

// covers reports whether every coefficient of f is at least that of g, and none less than 0.
func (f linear) covers(g linear) bool {
	for _, t := range f {
		for len(g) > 0 && g[0].node < t.node {
			if g[0].coef > 0 {
				return false
			}
			g = g[1:]
		}
		c := 0.0
		if len(g) > 0 && g[0].node == t.node {
			c, g = g[0].coef, g[1:]
		}
		if t.coef < c {
			return false
		}
	}
	for _, t := range g {
		if t.coef > 0 {
			return false
		}
	}
	return true
}

// shared returns what all forms contain.
func shared(forms []linear) linear {
	out := slices.Clone(forms[0])
	for _, f := range forms[1:] {
		out = slices.DeleteFunc(out, func(t term) bool { return f.of(t.node) == 0 })
		for i := range out {
			out[i].coef = math.Min(out[i].coef, f.of(out[i].node))
		}
	}
	return out
}

// of returns the coefficient of a node.
func (f linear) of(node int32) float64 {
	i, ok := slices.BinarySearchFunc(f, node, func(t term, n int32) int { return cmp.Compare(t.node, n) })
	if !ok {
		return 0
	}
	return f[i].coef
}

// key identifies a form.
func (f linear) key(to []byte) []byte {
	to = binary.LittleEndian.AppendUint32(to, uint32(len(f)))
	for _, t := range f {
		to = binary.LittleEndian.AppendUint32(to, uint32(t.node))
		to = binary.LittleEndian.AppendUint64(to, math.Float64bits(t.coef))
	}
	return to
}
