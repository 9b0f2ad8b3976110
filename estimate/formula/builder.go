package formula

// This file builds the computation while an estimate is traced: equal nodes are one,
// maxima that the coefficients decide are none.

import (
	"slices"

	"pathspan/estimate"
)

// node is a step of the computation under construction.
type node struct {
	op     int
	input  int
	node   int32
	forms  []linear
	number float64
	ids    []int32 // opSolve: unknowns
	name   string
}

// builder implements estimate.Builder.
type builder struct {
	nodes []node
	known map[string]int32
	// Inputs of each processor.
	clock, create, sync []int
	systems             []int32 // first unknowns of systems that are not solved yet
}

var _ estimate.Builder[linear] = (*builder)(nil)

// intern returns the node that is equal to n.
func (b *builder) intern(n node) int32 {
	key := []byte{byte(n.op), byte(n.input), byte(n.input >> 8)}
	key = linear{{n.node, n.number}}.key(key)
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
	return linear{{b.intern(node{op: opSum, forms: []linear{f}}), 1}}
}

// Max returns the largest form. Forms that another covers are left out; what all have in
// common is taken out, so that maxima that differ in nothing else are one node.
func (b *builder) Max(forms []linear) linear {
	var left []linear
	for _, f := range forms {
		if slices.ContainsFunc(left, func(g linear) bool { return g.covers(f) }) {
			continue
		}
		left = append(slices.DeleteFunc(left, f.covers), f)
	}
	if len(left) == 0 {
		return nil
	}
	if len(left) == 1 {
		return left[0]
	}
	base := common(left)
	rest := make([]linear, len(left))
	for i, f := range left {
		rest[i] = add([]weighted{{Weight: 1, Value: f}, {Weight: -1, Value: base}})
	}
	slices.SortFunc(rest, func(f, g linear) int { return slices.Compare(f.key(nil), g.key(nil)) })
	return add([]weighted{{Weight: 1, Value: base}, {Weight: 1, Value: linear{{b.intern(node{op: opMax, forms: rest}), 1}}}})
}

// Classes adds up the largest loads of all classes.
func (b *builder) Classes(weight []float64, fixed []linear, works []estimate.Work[linear]) linear {
	var sum []weighted
	load := make([]linear, len(fixed))
	parts := make([][]weighted, len(fixed))
	for c, w := range weight {
		for lane := range fixed {
			parts[lane] = append(parts[lane][:0], weighted{Weight: 1, Value: fixed[lane]})
		}
		for i := range works {
			x := &works[i]
			parts[x.Lane] = append(parts[x.Lane], weighted{Weight: x.Ratio[c], Value: x.Time})
		}
		for lane := range load {
			load[lane] = add(parts[lane])
		}
		sum = append(sum, weighted{Weight: w, Value: b.Max(load)})
	}
	return add(sum)
}

// Near chooses between forms. Where every coefficient decides alike, so do the sums.
func (b *builder) Near(x, y linear, tolerance float64, then, otherwise linear) linear {
	part := func(w float64, v linear) weighted { return weighted{Weight: w, Value: v} }
	above := add([]weighted{part(1+tolerance, y), part(-1, x)}) // x no more than so
	below := add([]weighted{part(1, x), part(-(1 - tolerance), y)})
	switch {
	case above.covers(nil) && below.covers(nil):
		return then
	case slices.Equal(then, otherwise):
		return then
	}
	return linear{{b.intern(node{op: opNear, number: tolerance, forms: []linear{x, y, then, otherwise}}), 1}}
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
