package shim

// This file reads attributes leniently: numbers, sizes, words of a list, figures.

import (
	"math"
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
func (l *loader) word(n *node, name, otherwise string, words ...string) string {
	v, has := n.lookup(name)
	if !has || v == "" {
		return otherwise
	}
	v = strings.ToUpper(v)
	if to, ok := renamed[v]; ok {
		v = to
	}
	for _, w := range words {
		if v == w {
			return w
		}
	}
	l.warn(n, "%s: %s is %q; taken as %q", n.label(), name, clip(n.attr(name)), otherwise)
	return otherwise
}

// rw reads an attribute of the letters of RWX.
func (l *loader) rw(n *node, otherwise string) string {
	return l.word(n, "rwType", otherwise, "RW", "WX", "RX", "R", "W", "X", "RWX")
}

// count reads a whole number that is not negative.
func (l *loader) count(n *node, name string, otherwise int) int {
	return int(l.whole(n, name, int64(otherwise), 0, math.MaxInt32))
}

func (l *loader) whole(n *node, name string, otherwise, low, high int64) int64 {
	v, has := n.lookup(name)
	if !has || v == "" {
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

// figure reads a Pitch or a Latency beneath n, a Performance; ok is false where it
// says nothing.
func (l *loader) figure(n *node, child string) (r Range, ok bool) {
	f := n.first(child)
	if f == nil {
		return r, false
	}
	read := func(name string) (float64, bool) {
		v, has := f.lookup(name)
		if !has {
			return 0, false
		}
		x, ok := parseNumber(v)
		if !ok || math.Abs(x) > maxCycles {
			l.warn(f, "%s: %s is %q, want a number of cycles; left out", f.label(), name, clip(v))
			return 0, false
		}
		return x, true
	}
	best, hasBest := read("best")
	typical, hasTypical := read("typical")
	worst, hasWorst := read("worst")
	if !hasTypical {
		switch {
		case hasBest && hasWorst:
			typical = best + (worst-best)/2
		case hasBest:
			typical = best
		case hasWorst:
			typical = worst
		default:
			l.warn(f, "%s has no typical figure; left out", f.label())
			return r, false
		}
		l.warn(f, "%s has no typical figure; taken as %g", f.label(), typical)
	}
	if !hasBest {
		best = typical
	}
	if !hasWorst {
		worst = typical
	}
	if min(best, typical, worst) < 0 {
		l.warn(f, "%s of %s: %g cycles are negative", f.label(), what(n), min(best, typical, worst))
	}
	return Range{best, typical, worst}, true
}

// performance reads pitch and latency. Where one is missing the other stands for it.
func (l *loader) performance(n *node) (pitch, latency Range, ok bool) {
	pitch, hasPitch := l.figure(n, "Pitch")
	latency, hasLatency := l.figure(n, "Latency")
	switch {
	case !hasPitch && !hasLatency:
		l.warn(n, "%s has neither pitch nor latency; left out", what(n))
		return pitch, latency, false
	case !hasPitch:
		l.warn(n, "%s has no pitch; taken as its latency", what(n))
		pitch = latency
	case !hasLatency:
		l.warn(n, "%s has no latency; taken as its pitch", what(n))
		latency = pitch
	}
	return pitch, latency, true
}

// what names the element that a Performance belongs to.
func what(n *node) string {
	for n.parent != nil && (n.name == "Performance" || n.name == "PerformanceSet") {
		n = n.parent
	}
	return n.label()
}
