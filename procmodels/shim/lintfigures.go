package shim

// This file asks whether opcodes and figures of a file can be true.

import (
	"cmp"
	"fmt"
	"slices"
)

// enough is how many equal figures look like what an editor fills in.
const enough = 8

// opcodes checks the instructions of a component.
func (l *linter) opcodes(n *node) {
	first := map[string]*node{}
	n.walk(func(in *node) {
		if in.name != "Instruction" || l.full() {
			return
		}
		op := cmp.Or(in.attr("operation"), in.attr("name"))
		if op == "" {
			return // required attributes, of which others speak
		}
		if !isOpcode(op) {
			l.report(in, "opcode "+op, suggestOpcode(op), "%q is no LLVM opcode", clip(op))
			return
		}
		key := op
		for _, a := range []string{"inputBitWidth", "outputBitWidth", "SIMDWidth", "supportedSignedness", "operandAddressing", "immediateBitWidth"} {
			key += "\x00" + in.attr(a)
		}
		if other := first[key]; other != nil {
			l.report(in, "duplicate "+op, "keep one; the first counts",
				"opcode %q of %s is that of line %d again", op, n.label(), other.line)
			return
		}
		first[key] = in
	})
}

// figure checks one Pitch or Latency.
func (l *linter) figure(n *node) {
	of := ""
	if n.parent != nil {
		of = " of " + what(n.parent)
	}
	last, lastName := 0.0, ""
	for _, name := range []string{"best", "typical", "worst"} {
		x, ok := parseNumber(n.attr(name))
		if !ok {
			continue
		}
		if x < 0 {
			l.report(n, "negative "+n.name, "cycles are 0 or more: measure again",
				"%s%s: %s is %g", n.name, of, name, x)
			return
		}
		if lastName != "" && x < last {
			l.report(n, "order "+n.name, "want best <= typical <= worst",
				"%s%s: %s %g is above %s %g", n.name, of, lastName, last, name, x)
			return
		}
		last, lastName = x, name
	}
}

// placeholders reports a part of a file whose pitches or latencies are all one number.
func (l *linter) placeholders(n *node, of string, set *node) {
	if set == nil {
		return
	}
	for _, kind := range []struct{ name, many string }{{"Pitch", "pitches"}, {"Latency", "latencies"}} {
		values, count := figuresOf(set, kind.name)
		if count >= enough && slices.Min(values) == slices.Max(values) {
			l.report(set, fmt.Sprintf("placeholder %s %s", of, kind.name), "measure them: they look like what an editor fills in",
				"%s: all %d %s are %g, best to worst", n.label(), count, kind.many, values[0])
		}
	}
}

// figuresOf lists the numbers of the figures of a kind beneath an element, and counts
// the figures that have any.
func figuresOf(n *node, kind string) (values []float64, count int) {
	n.walk(func(f *node) {
		if f.name != kind {
			return
		}
		before := len(values)
		for _, name := range []string{"best", "typical", "worst"} {
			if x, ok := parseNumber(f.attr(name)); ok {
				values = append(values, x)
			}
		}
		if len(values) > before {
			count++
		}
	})
	return values, count
}

// addresses checks the bounds of a SubSpace.
func (l *linter) addresses(n *node) {
	start, ok := parseWhole(n.attr("start"))
	end, ok2 := parseWhole(n.attr("end"))
	if ok && ok2 && start > end {
		l.report(n, "addresses", "want the first and the last address", "%s: start %d is above end %d", n.label(), start, end)
	}
}

// frequency checks one clock.
func (l *linter) frequency(n *node, name string) {
	if f, ok := parseNumber(n.attr(name)); ok && f <= 0 {
		l.report(n, "frequency", "give the clock", "%s: %s is %g", n.label(), name, f)
	}
}

// clocks reports components whose clock is nowhere in the file, unless a finding
// about a clock says why.
func (l *linter) clocks(root *node, dir string) {
	sys, _, err := load(root, dir)
	if err != nil {
		return
	}
	var without []string
	masters := sys.Masters()
	for _, m := range masters {
		if sys.ClockOf(m) == 0 {
			without = append(without, fmt.Sprintf("%q", clip(m.Name)))
		}
	}
	spoken := slices.ContainsFunc(l.findings, func(f Finding) bool { return f.like == "frequency" })
	if len(without) == 0 || spoken {
		return
	}
	do := "add a ClockFrequency"
	if root.name == "Shim" {
		do = "add an OperatingPoint and refer to it by operatingPointRef"
	}
	config, _ := systemOf(root)
	l.report(config, "clock", do, "no clock is given for %d of %d components, %s first", len(without), len(masters), without[0])
}
