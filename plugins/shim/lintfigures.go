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
			do := "write an instruction of the LLVM Language Reference"
			if near := nearestOpcode(op); near != "" {
				do = fmt.Sprintf("write %q", near)
			}
			l.report(in, "opcode "+op, do, "%q is no LLVM opcode", clip(op))
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
	names, values := figuresOf(n)
	for i, x := range values {
		if x < 0 {
			l.report(n, "negative "+n.name, "cycles are 0 or more: measure again",
				"%s%s: %s is %g", n.name, of, names[i], x)
			return
		}
		if i > 0 && x < values[i-1] {
			l.report(n, "order "+n.name, "want best <= typical <= worst",
				"%s%s: %s %g is above %s %g", n.name, of, names[i-1], values[i-1], names[i], x)
			return
		}
	}
}

// figuresOf lists the numbers of a Pitch or a Latency, and what they are.
func figuresOf(n *node) (names []string, values []float64) {
	for _, name := range figureNames {
		if x, ok := parseNumber(n.attr(name)); ok {
			names, values = append(names, name), append(values, x)
		}
	}
	return names, values
}

// placeholders reports a part of a file whose pitches or latencies are all one number.
func (l *linter) placeholders(n *node, of string, set *node) {
	for _, kind := range []struct{ name, many string }{{"Pitch", "pitches"}, {"Latency", "latencies"}} {
		var all []float64
		count := 0 // of those that have any
		set.walk(func(f *node) {
			if f.name != kind.name {
				return
			}
			if _, values := figuresOf(f); len(values) > 0 {
				all = append(all, values...)
				count++
			}
		})
		if count >= enough && slices.Min(all) == slices.Max(all) {
			l.report(set, fmt.Sprintf("placeholder %s %s", of, kind.name), "measure them: they look like what an editor fills in",
				"%s: all %d %s are %g, best to worst", n.label(), count, kind.many, all[0])
		}
	}
}

// clocks reports components whose clock is nowhere in the file, unless a finding
// about a clock says why.
func (l *linter) clocks(root *node, dir string) {
	sys, _, err := load(root, dir)
	if err != nil {
		return
	}
	masters := sys.Masters()
	without := slices.DeleteFunc(slices.Clone(masters), func(m *Master) bool { return sys.ClockOf(m) != 0 })
	spoken := slices.ContainsFunc(l.findings, func(f Finding) bool { return f.like == "frequency" })
	if len(without) == 0 || spoken {
		return
	}
	do := "add a ClockFrequency"
	if root.name == "Shim" {
		do = "add an OperatingPoint and refer to it by operatingPointRef"
	}
	config, _ := systemOf(root)
	l.report(config, "clock", do, "no clock is given for %d of %d components, %q first", len(without), len(masters), clip(without[0].Name))
}
