package shim

// This file takes the figures of a component in.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/procmodels"
)

// figure is the cost of one opcode, or of one access to memory, for operands of up to a
// width. Best <= Typical <= Worst, and none is negative.
type figure struct {
	Range
	given   float64 // typical as the file has it, perhaps negative
	inBits  int     // 0: any
	outBits int     // 0: any
	lanes   int     // 0, 1: scalar
	factor  string  // names the range
}

var llvmOpcodes = procmodels.Opcodes()

func isOpcode(op string) bool { return slices.Contains(llvmOpcodes, op) }

func nearestOpcode(op string) string { return nearest(strings.ToLower(op), llvmOpcodes) }

// figureOf takes a range of a file in. Negative values count as 0, and what
// contradicts the typical value as the typical value: odd says that something does.
func figureOf(r Range) (f figure, odd bool) {
	typical := max(r.Typical, 0)
	taken := Range{min(max(r.Best, 0), typical), typical, max(r.Worst, typical)}
	return figure{Range: taken, given: r.Typical}, r.Best > r.Typical || r.Worst < r.Typical
}

// read takes the figures of a component in; what it has to choose it warns of.
func (t *model) read(path, name string, m *Master, opt options) {
	warn := func(format string, args ...any) {
		t.warnings = append(t.warnings, fmt.Sprintf("%s: %s: ", path, name)+fmt.Sprintf(format, args...))
	}
	type key struct {
		op                     string
		inBits, outBits, lanes int
	}
	first := map[key]Range{}
	told := map[string]bool{}
	var misspelt []Instruction
	var all []float64
	var disordered []string
	add := func(op string, in *Instruction) {
		r := opt.of(in.Pitch, in.Latency)
		f, odd := figureOf(r)
		f.inBits, f.outBits, f.lanes = in.InputBits, in.OutputBits, in.SIMDWidth
		all = append(all, r.Typical)
		k := key{op, f.inBits, f.outBits, max(f.lanes, 1)}
		if other, ok := first[k]; ok {
			if r != other && !told[op] {
				told[op] = true
				warn("opcode %s has several figures for the same widths; the first counts", op)
			}
			return
		}
		first[k] = r
		if odd && !slices.Contains(disordered, op) {
			disordered = append(disordered, op)
		}
		t.figures[op] = append(t.figures[op], f)
	}
	for _, u := range m.Units {
		for i := range u.Instructions {
			if in := &u.Instructions[i]; isOpcode(in.Operation) {
				add(in.Operation, in)
			} else {
				misspelt = append(misspelt, *in)
			}
		}
	}
	for i := range misspelt {
		in := &misspelt[i]
		if told[in.Operation] {
			continue
		}
		told[in.Operation] = true
		op := nearestOpcode(in.Operation)
		if op == "" || t.figures[op] != nil {
			warn("%q is no LLVM opcode; left out", clip(in.Operation))
			continue
		}
		warn("%q is no LLVM opcode; taken as %q", clip(in.Operation), op)
		add(op, in)
	}
	for op, list := range t.figures {
		nameFactors(list, op, slices.Contains(byOutput, op))
	}
	if len(disordered) > 0 {
		warn("best, typical and worst are out of order for %s; what contradicts the typical value is left out", strings.Join(disordered, ", "))
	}
	if len(all) == 0 {
		t.other = 1
		warn("none of its instructions is one of LLVM's; each is taken as 1 cycle")
		return
	}
	slices.Sort(all)
	t.other = max(all[(len(all)-1)/2], 0)
	if all[0] == all[len(all)-1] && len(all) >= enough {
		warn("all %d figures are %g cycles: placeholders, not measurements; pathspan model shim lint says more", len(all), all[0])
	}
	if t.desc.ClockMHz == 0 {
		warn("the file gives no clock")
	}
}

// nameFactors names the ranges of figures: by what they are of, and by width where
// there are several.
func nameFactors(list []figure, what string, byOutput bool) {
	for i := range list {
		f := &list[i]
		f.factor = what
		bits := f.inBits
		if byOutput {
			bits = f.outBits
		}
		switch {
		case len(list) == 1:
		case f.lanes > 1:
			f.factor += fmt.Sprintf(" %d x %d bits", f.lanes, bits)
		case bits == 0:
			f.factor += " any width"
		default:
			f.factor += fmt.Sprintf(" %d bits", bits)
		}
	}
}
