package formula

// This file builds the computation while an estimate is traced: equal nodes are one,
// maxima that the coefficients decide are none.

import (
	"bytes"
	"slices"

	"pathspan/estimate"
)

// node is a step of the computation under construction.
type node struct {
	op    int
	input int
	node  int32
	forms []linear
	ids   []int32 // opSolve: unknowns
	name  string
}

// builder implements estimate.Builder.
type builder struct {
	nodes []node
	known map[string]int32
	// Inputs of each processor.
	clock, create, sync []int
}

var _ estimate.Builder[linear] = (*builder)(nil)

// intern returns the node that is equal to n.
func (b *builder) intern(n node) int32 {
	key := []byte{byte(n.op), byte(n.input), byte(n.input >> 8)}
	key = linear{{n.node, 0}}.key(key)
	for _, f := range n.forms {
		key = f.key(key)
	}
	if id, ok := b.known[string(key)]; ok {
		return id
	}
	id := b.append(n)
	b.known[string(key)] = id
	return id
}

func (b *builder) append(n node) int32 {
	b.nodes = append(b.nodes, n)
	return int32(len(b.nodes) - 1)
}

// Cycles returns the time of n cycles of a processor.
func (b *builder) Cycles(n float64, processor int) linear {
	if n == 0 {
		return nil
	}
	return linear{{b.intern(node{op: opSeconds, input: b.clock[processor]}), n}}
}

// Create returns the overhead of creating tasks on a processor.
func (b *builder) Create(processor int) linear { return b.overhead(b.create, processor) }

// Sync returns the overhead of synchronising tasks on a processor.
func (b *builder) Sync(processor int) linear { return b.overhead(b.sync, processor) }

func (b *builder) overhead(inputs []int, processor int) linear {
	cycle := b.intern(node{op: opSeconds, input: b.clock[processor]})
	return linear{{b.intern(node{op: opProduct, input: inputs[processor], node: cycle}), 1}}
}

// Sum adds up.
func (b *builder) Sum(parts []weighted) linear { return add(parts) }

// few is the most terms of a form that is worth repeating wherever it is used.
const few = 3

// Share makes a node of a long form.
func (b *builder) Share(f linear) linear {
	if len(f) <= few {
		return f
	}
	return b.single(f)
}

// Max returns the largest form. Forms that another covers are left out; what all have in
// common is taken out, so that maxima that differ in nothing else are one node.
func (b *builder) Max(forms []linear) linear {
	left := undecided(forms)
	switch len(left) {
	case 0:
		return nil
	case 1:
		return forms[left[0]]
	}
	rest := make([]linear, len(left))
	for i, k := range left {
		rest[i] = forms[k]
	}
	base := shared(rest)
	for i, f := range rest {
		rest[i] = add([]weighted{{Weight: 1, Value: f}, {Weight: -1, Value: base}})
	}
	slices.SortFunc(rest, func(f, g linear) int { return bytes.Compare(f.key(nil), g.key(nil)) })
	return add([]weighted{{Weight: 1, Value: base}, {Weight: 1, Value: linear{{b.intern(node{op: opMax, forms: rest}), 1}}}})
}

// undecided lists the forms that no other covers.
func undecided(forms []linear) []int {
	var left []int
	for i, f := range forms {
		if slices.ContainsFunc(left, func(k int) bool { return forms[k].covers(f) }) {
			continue
		}
		left = append(slices.DeleteFunc(left, func(k int) bool { return f.covers(forms[k]) }), i)
	}
	return left
}

// Classes adds up the largest loads of all classes. Loads are compared as what they are
// made of. Those that the inputs decide between are written in whole units of few nodes,
// which takes the fewest digits.
func (b *builder) Classes(count []float64, fixed []linear, works []estimate.Work[linear]) linear {
	lanes := make([][]int, len(fixed)) // works
	for i := range works {
		lanes[works[i].Lane] = append(lanes[works[i].Lane], i)
	}
	load, unit := make([]linear, len(fixed)), make([]linear, len(works))
	var sum, parts []weighted
	for c, n := range count {
		for lane, here := range lanes {
			parts = append(parts[:0], weighted{Weight: n, Value: fixed[lane]})
			for _, i := range here {
				parts = append(parts, weighted{Weight: works[i].Units[c], Value: works[i].Time})
			}
			load[lane] = add(parts)
		}
		left := undecided(load)
		if len(left) == 1 {
			sum = append(sum, weighted{Weight: 1, Value: load[left[0]]})
			continue
		}
		var loads []linear
		for _, lane := range left {
			parts = append(parts[:0], weighted{Weight: n, Value: b.single(fixed[lane])})
			for _, i := range lanes[lane] {
				if unit[i] == nil {
					unit[i] = b.single(works[i].Time)
				}
				parts = append(parts, weighted{Weight: works[i].Units[c], Value: unit[i]})
			}
			loads = append(loads, add(parts))
		}
		sum = append(sum, weighted{Weight: 1, Value: b.Max(loads)})
	}
	return add(sum)
}

// single makes a node of a form, unless it is one already, or 0.
func (b *builder) single(f linear) linear {
	if len(f) == 0 || len(f) == 1 && f[0].coef == 1 {
		return f
	}
	return linear{{b.intern(node{op: opSum, forms: []linear{f}}), 1}}
}

// Unknown begins or continues a system.
func (b *builder) Unknown() linear { return linear{{b.append(node{op: opUnknown}), 1}} }

// Solve ends a system.
func (b *builder) Solve(name string, unknowns, values []linear) {
	n := node{op: opSolve, name: name, forms: values}
	for _, u := range unknowns {
		n.ids = append(n.ids, u[0].node)
	}
	b.append(n)
}
