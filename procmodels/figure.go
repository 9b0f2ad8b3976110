package procmodels

// This file reads figures: numbers of cycles, perhaps known only as a range.

import "pathspan/yamlstrict"

// figure is what a table says something costs. A scalar has three equal values; a
// range {best: 1, typical: 2, worst: 12} moves with a factor of its own, as what
// decides within it (operands, neighbours, wait states) is not in the program.
type figure struct {
	best, typical, worst float64
	factor               string // what the range is of, "load i8"; "" for a scalar
}

// quantity is what a figure counts and how much of it is possible.
type quantity struct {
	unit string
	most float64
}

var inCycles = quantity{"cycles", maxCycles}

func exactly(x float64) figure { return figure{best: x, typical: x, worst: x} }

// readFigure reads a number or a range; name names the factor behind a range. Of a
// range typical is needed, best and worst are as typical where they are absent.
func readFigure(v yamlstrict.Value, name string, q quantity) figure {
	if !isRange(v) {
		return exactly(amount(v, q.unit, q.most))
	}
	fields := v.Fields("best", "typical", "worst")
	x := exactly(amount(fields.Need("typical"), q.unit, q.most))
	if b := fields.Get("best"); b.Has() {
		x.best = amount(b, q.unit, q.most)
	}
	if w := fields.Get("worst"); w.Has() {
		x.worst = amount(w, q.unit, q.most)
	}
	switch {
	case x.best > x.typical:
		v.Fail("best %g is above typical %g: want best <= typical <= worst", x.best, x.typical)
	case x.typical > x.worst:
		v.Fail("typical %g is above worst %g: want best <= typical <= worst", x.typical, x.worst)
	case x.best < x.worst:
		x.factor = name
	}
	return x
}

// isRange tells a range from a mapping by type.
func isRange(v yamlstrict.Value) bool {
	if v.IsScalar() {
		return false
	}
	for _, e := range v.Entries() {
		switch e.Key {
		case "best", "typical", "worst":
			return true
		}
	}
	return false
}

// price is the price of one thing that costs the figure.
func (x figure) price() Price {
	pr := Price{Cycles: x.typical}
	if x.factor != "" {
		pr.Varies = []Span{{x.factor, x.typical - x.best, x.worst - x.typical}}
	}
	return pr
}
