package shim

// This file finds the clocks of components: elements of their own in SHIM 1.0,
// references to operating points in 2.0.

import (
	"math"
	"strings"
)

const maxHz = 1e15 // far above any clock

var hzOf = map[string]float64{"": 1, "HZ": 1, "KHZ": 1e3, "MHZ": 1e6, "GHZ": 1e9}

// clocks sets the clocks of the system and of its components. A cluster's clock is
// that of the components in it that have none; the outermost cluster's is the
// system's.
func (l *loader) clocks(config, top *node, sys *System) {
	any := false
	sys.ClockHz = l.clockFrequency(config)
	if hz := l.pointOf(top); hz != 0 {
		sys.ClockHz, any = hz, true
	}
	l.clockSet(top, &sys.Root, 0, &any)
	if sys.ClockHz != 0 || any {
		return
	}
	// A file with one operating point that nobody refers to means it for all.
	var points []*node
	if set := config.first("FrequencyVoltageSet"); set != nil {
		set.walk(func(n *node) {
			if n.name == "OperatingPoint" {
				points = append(points, n)
			}
		})
	}
	if len(points) == 1 {
		sys.ClockHz = l.frequency(points[0])
	}
}

// clockSet mirrors componentSet, which made set of n.
func (l *loader) clockSet(n *node, set *ComponentSet, inherited int64, any *bool) {
	clock := func(c *node) int64 {
		if hz := l.clockFrequency(c); hz != 0 {
			return hz
		}
		if hz := l.pointOf(c); hz != 0 {
			*any = true
			return hz
		}
		return inherited
	}
	for i, c := range n.all("ComponentSet") {
		l.clockSet(c, &set.Sets[i], clock(c), any)
	}
	caches := 0
	for i, c := range n.all("MasterComponent") {
		set.Masters[i].ClockHz = clock(c)
		for range c.all("Cache") {
			set.Caches[caches].ClockHz = set.Masters[i].ClockHz
			caches++
		}
	}
	for i, c := range n.all("SlaveComponent") {
		set.Slaves[i].ClockHz = clock(c)
	}
	for i, c := range n.all("Cache") {
		set.Caches[caches+i].ClockHz = clock(c)
	}
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
	return l.frequency(at)
}
