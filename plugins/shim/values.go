package shim

// This file reads attributes leniently: numbers, sizes, words of a list, figures.

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// renamed holds words of SHIM 1.0 that 2.0 spells otherwise.
var renamed = map[string]string{"HARD": "HARDWARE", "SOFT": "SOFTWARE", "ORDERD": "ORDERED", "UNORDERD": "UNORDERED"}

// unitBytes holds the units of sizes, largest first for the writer.
var unitBytes = []struct {
	unit  string
	bytes int64
}{{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"B", 1}}

// word reads an attribute that is one of several words; otherwise is its value where
// it is absent or something else.
func (l *loader) word(n *node, a *attrType, otherwise string) string {
	v := strings.ToUpper(n.attr(a.name))
	if v == "" {
		return otherwise
	}
	if to, ok := renamed[v]; ok {
		v = to
	}
	if slices.Contains(a.words, v) {
		return v
	}
	l.warn(n, "%s: %s is %q; taken as %q", n.label(), a.name, clip(n.attr(a.name)), otherwise)
	return otherwise
}

func (l *loader) whole(n *node, name string, otherwise, low, high int64) int64 {
	v := n.attr(name)
	if v == "" {
		return otherwise
	}
	i, ok := parseWhole(v)
	if !ok || i < low || i > high {
		l.warn(n, "%s: %s is %q, want a whole number from %d to %d; taken as %d", n.label(), name, clip(v), low, high, otherwise)
		return otherwise
	}
	return i
}

// parseWhole reads whole numbers, those written as 4.0 or 3.3E9 too.
func parseWhole(v string) (int64, bool) {
	if i, err := strconv.ParseInt(v, 10, 64); err == nil {
		return i, true
	}
	f, ok := parseNumber(v)
	if !ok || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// parseNumber reads a finite number in decimal notation.
func parseNumber(v string) (float64, bool) {
	if strings.ContainsAny(v, "xXpP_") {
		return 0, false // Go's notations, not those of XML Schema
	}
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || math.IsNaN(f) || math.IsInf(f, 0) {
		return 0, false
	}
	return f + 0, true // no negative zero
}

// bytes reads a size with its unit.
func (l *loader) bytes(n *node, name, unitName string) int64 {
	size := l.whole(n, name, 0, 0, math.MaxInt64)
	unit := n.attr(unitName)
	for _, u := range unitBytes {
		if strings.EqualFold(u.unit, unit) || unit == "" && u.unit == "B" {
			if size > math.MaxInt64/u.bytes {
				l.warn(n, "%s: %d %s is beyond any memory; taken as 0", n.label(), size, u.unit)
				return 0
			}
			return size * u.bytes
		}
	}
	l.warn(n, "%s: %s is %q; taken as B", n.label(), unitName, clip(unit))
	return size
}

// maxCycles bounds a figure: far above any access or instruction.
const maxCycles = 1e12

// figure reads a Pitch or a Latency beneath n, a Performance; false where it says
// nothing.
func (l *loader) figure(n *node, child string, r *Range) bool {
	f := n.first(child)
	if f == nil {
		return false
	}
	given := map[string]float64{}
	for _, name := range figureNames {
		v, has := f.lookup(name)
		x, ok := parseNumber(v)
		switch {
		case has && ok && math.Abs(x) <= maxCycles:
			given[name] = x
		case has:
			l.warn(f, "%s: %s is %q, want a number of cycles; left out", f.label(), name, clip(v))
		}
	}
	or := func(name string, otherwise float64) float64 {
		if x, ok := given[name]; ok {
			return x
		}
		return otherwise
	}
	if len(given) == 0 {
		l.warn(f, "%s has no typical figure; left out", f.label())
		return false
	}
	typical, ok := given["typical"]
	if !ok {
		best, worst := or("best", given["worst"]), or("worst", given["best"])
		typical = best + (worst-best)/2
		l.warn(f, "%s has no typical figure; taken as %g", f.label(), typical)
	}
	*r = Range{or("best", typical), typical, or("worst", typical)}
	if low := min(r.Best, r.Typical, r.Worst); low < 0 {
		l.warn(f, "%s of %s: %g cycles are negative", f.label(), what(n), low)
	}
	return true
}

// figureNames are the attributes of a Pitch and of a Latency.
var figureNames = []string{"best", "typical", "worst"}

// performance reads pitch and latency. Where one is missing the other stands for it; false
// where both are.
func (l *loader) performance(n *node, pitch, latency *Range) bool {
	hasPitch, hasLatency := l.figure(n, "Pitch", pitch), l.figure(n, "Latency", latency)
	switch {
	case !hasPitch && !hasLatency:
		l.warn(n, "%s has neither pitch nor latency; left out", what(n))
	case !hasPitch:
		l.warn(n, "%s has no pitch; taken as its latency", what(n))
		*pitch = *latency
	case !hasLatency:
		l.warn(n, "%s has no latency; taken as its pitch", what(n))
		*latency = *pitch
	}
	return hasPitch || hasLatency
}

// what names the element that a Performance belongs to.
func what(n *node) string {
	for n.parent != nil && (n.name == "Performance" || n.name == "PerformanceSet") {
		n = n.parent
	}
	return n.label()
}
