package shim

// This file finds the clocks of components: elements of their own in SHIM 1.0,
// references to operating points in 2.0.

import (
	"math"
	"strings"
)

const maxHz = 1e15 // far above any clock

var hzOf = map[string]float64{"": 1, "HZ": 1, "KHZ": 1e3, "MHZ": 1e6, "GHZ": 1e9}

// systemClock is the clock of what has none of its own, 0 when unknown.
func (l *loader) systemClock(config *node) int64 {
	hz := l.clockFrequency(config)
	if top := l.pointOf(l.top); top != 0 {
		return top
	}
	set := config.first("FrequencyVoltageSet")
	if hz != 0 || l.pointed || set == nil {
		return hz
	}
	// A file with one operating point that nobody refers to means it for all.
	var points []*node
	set.walk(func(n *node) {
		if n.name == "OperatingPoint" {
			points = append(points, n)
		}
	})
	if len(points) != 1 {
		return 0
	}
	return l.frequency(points[0])
}

// clock is the clock of a component or of the cluster that it lies in; 0 where that is the
// outermost, whose clock is the system's.
func (l *loader) clock(n *node) int64 {
	hz, known := l.hz[n]
	if known || n == l.top {
		return hz
	}
	if hz = l.clockFrequency(n); hz == 0 {
		hz = l.pointOf(n)
	}
	if hz == 0 && n.parent != nil {
		hz = l.clock(n.parent)
	}
	l.hz[n] = hz
	return hz
}

// clockFrequency reads the ClockFrequency of SHIM 1.0 beneath an element, in Hz.
func (l *loader) clockFrequency(n *node) int64 {
	c := n.first("ClockFrequency")
	if c == nil {
		return 0
	}
	hz, ok := parseNumber(c.attr("clockValue"))
	return l.hertz(c, "clockValue", hz, ok)
}

// frequency reads an OperatingPoint, in Hz.
func (l *loader) frequency(n *node) int64 {
	f, ok := parseNumber(n.attr("frequency"))
	unit, known := hzOf[strings.ToUpper(n.attr("frequencyUnit"))]
	if !known {
		l.warn(n, "%s: frequencyUnit is %q; clock unknown", n.label(), clip(n.attr("frequencyUnit")))
		return 0
	}
	return l.hertz(n, "frequency", f*unit, ok)
}

func (l *loader) hertz(n *node, name string, hz float64, ok bool) int64 {
	if !ok || hz < 1 || hz > maxHz {
		l.warn(n, "%s: %s is %q, want a frequency of 1 Hz or more; clock unknown", n.label(), name, clip(n.attr(name)))
		return 0
	}
	return int64(math.Round(hz))
}

// pointOf reads the clock that a component's operatingPointRef stands for, in Hz.
// The attribute is a string in the schema: an id or a name, of an operating point
// or of a set of them, of which the first counts.
func (l *loader) pointOf(n *node) int64 {
	ref := n.attr("operatingPointRef")
	if ref == "" {
		return 0
	}
	at := l.index.findNamed(ref)
	if at != nil && at.name == "OperatingPointSet" {
		points := l.index.children(at)["OperatingPoint"]
		if len(points) > 1 {
			l.warn(n, "%s has %d operating points; taken at the first", n.label(), len(points))
		}
		at = nil
		if len(points) > 0 {
			at = points[0]
		}
	}
	if at == nil || at.name != "OperatingPoint" {
		l.warn(n, "%s: no operating point is %q; clock unknown", n.label(), clip(ref))
		return 0
	}
	hz := l.frequency(at)
	l.pointed = l.pointed || hz != 0
	return hz
}
