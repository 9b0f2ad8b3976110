package formula

// This file writes the tape: nodes that results depend on, in an order that lets equal
// shapes stand together, so that they are written once.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// encoder orders the nodes of a builder and writes them.
type encoder struct {
	nodes []node
	used  []bool
	depth []int32
	shape []string // of maxima
	order []int32
	value []int // by node: its value on the tape
	tape  []float64
}

// encode writes the nodes that the outputs need.
func encode(nodes []node, outputs []linear) ([]float64, error) {
	x := &encoder{nodes: nodes, used: make([]bool, len(nodes)), depth: make([]int32, len(nodes)), shape: make([]string, len(nodes)), value: make([]int, len(nodes))}
	x.mark(outputs)
	x.arrange()
	x.write(outputs)
	for _, c := range x.tape {
		if math.IsNaN(c) || math.IsInf(c, 0) {
			return nil, fmt.Errorf("formula: a time is %g: nothing to compute with", c)
		}
	}
	return x.tape, nil
}

// mark finds what is used, users before what they use. A system is used where one of its
// unknowns is, and then needs all of its equations.
func (x *encoder) mark(outputs []linear) {
	use := func(forms []linear) {
		for _, f := range forms {
			for _, t := range f {
				x.used[t.node] = true
			}
		}
	}
	solves := make([]int32, len(x.nodes)) // by unknown
	for i := range x.nodes {
		for _, u := range x.nodes[i].ids {
			solves[u] = int32(i)
		}
	}
	use(outputs)
	for changed := true; changed; { // unknowns are used by what stands behind them
		changed = false
		for i := len(x.nodes) - 1; i >= 0; i-- {
			n := &x.nodes[i]
			if !x.used[i] {
				continue
			}
			use(n.forms)
			if n.op == opProduct {
				x.used[n.node] = true
			}
			if s := solves[i]; n.op == opUnknown && !x.used[s] {
				x.used[s], changed = true, true
				for _, u := range x.nodes[s].ids {
					x.used[u] = true
				}
			}
		}
	}
}

// arrange orders the used nodes. Between the ends of systems, nodes may change places: by
// depth, so that they stay behind what they use, then by shape.
func (x *encoder) arrange() {
	from := 0
	flush := func() {
		slices.SortStableFunc(x.order[from:], func(a, b int32) int {
			return cmp.Or(cmp.Compare(x.depth[a], x.depth[b]), cmp.Compare(x.nodes[a].op, x.nodes[b].op), cmp.Compare(x.shape[a], x.shape[b]))
		})
		from = len(x.order)
	}
	for i := range x.nodes {
		if !x.used[i] {
			continue
		}
		n, id := &x.nodes[i], int32(i)
		if n.op == opUnknown || n.op == opSolve {
			flush()
			x.order = append(x.order, id)
			from = len(x.order)
			continue
		}
		deepest := int32(-1)
		if n.op == opProduct {
			deepest = x.depth[n.node]
		}
		var shape []byte
		for _, f := range n.forms {
			shape = binary.BigEndian.AppendUint32(shape, uint32(len(f)))
			for _, t := range f {
				deepest = max(deepest, x.depth[t.node])
				shape = binary.BigEndian.AppendUint32(shape, uint32(t.node))
			}
		}
		x.depth[i] = deepest + 1
		if n.op == opMax {
			x.shape[i] = string(shape)
		}
		x.order = append(x.order, id)
	}
	flush()
}

func (x *encoder) put(numbers ...int) {
	for _, n := range numbers {
		x.tape = append(x.tape, float64(n))
	}
}

// form writes a form in the order of the tape's values.
func (x *encoder) form(f linear) {
	f = slices.Clone(f)
	slices.SortFunc(f, func(a, b term) int { return cmp.Compare(x.value[a.node], x.value[b.node]) })
	x.put(len(f))
	for i := 0; i < len(f); {
		j := i + 1
		for j < len(f) && x.value[f[j].node] == x.value[f[i].node]+j-i {
			j++
		}
		if j-i > 2 {
			x.put(i-j, x.value[f[i].node])
			for _, t := range f[i:j] {
				x.tape = append(x.tape, t.coef)
			}
			i = j
			continue
		}
		x.put(x.value[f[i].node])
		x.tape = append(x.tape, f[i].coef)
		i++
	}
}

func (x *encoder) write(outputs []linear) {
	values := 0
	for i, id := range x.order {
		x.value[id] = values + i
		if x.nodes[id].op == opSolve {
			values--
		}
	}
	for i := 0; i < len(x.order); i++ {
		n := &x.nodes[x.order[i]]
		x.put(n.op)
		switch n.op {
		case opSeconds:
			x.put(n.input)
		case opProduct:
			x.put(n.input, x.value[n.node])
		case opSum:
			x.form(n.forms[0])
		case opMax:
			i = x.maxima(i)
		case opSolve:
			x.put(x.value[n.ids[0]], len(n.ids))
			for k, u := range n.ids {
				x.put(x.value[u])
				x.form(n.forms[k])
			}
		}
	}
	x.put(opOutputs, len(outputs))
	for _, f := range outputs {
		x.form(f)
	}
}

// maxima writes the nodes from place i of the order on that have one shape and depth, and
// returns the place of the last.
func (x *encoder) maxima(i int) int {
	first := x.order[i]
	j := i + 1
	for j < len(x.order) {
		if id := x.order[j]; x.nodes[id].op != opMax || x.depth[id] != x.depth[first] || x.shape[id] != x.shape[first] {
			break
		}
		j++
	}
	rows := make([][]float64, 0, j-i)
	for _, id := range x.order[i:j] {
		var row []float64
		for _, f := range x.nodes[id].forms {
			for _, t := range f {
				row = append(row, t.coef)
			}
		}
		rows = append(rows, row)
	}
	alike := common(rows)
	x.put(len(x.nodes[first].forms), len(rows))
	at := 0
	for _, f := range x.nodes[first].forms {
		x.put(len(f))
		for _, t := range f {
			if alike[at] {
				x.put(-1 - x.value[t.node])
			} else {
				x.put(x.value[t.node])
			}
			at++
		}
	}
	for _, row := range rows {
		if k := slices.Index(alike, true); k >= 0 {
			x.tape = append(x.tape, row[k])
		}
		for k, c := range row {
			if !alike[k] {
				x.tape = append(x.tape, c)
			}
		}
	}
	return j - 1
}

// mostCommon is the most coefficients for which a row has one number on the tape.
const mostCommon = 8

// common finds the most places, two or more, at which the coefficients of each row are all
// the same: overheads count as often as their class does.
func common(rows [][]float64) []bool {
	best := make([]bool, len(rows[0]))
	most := 1
	for p := range best {
		var same []int
		for q := p; q < len(best) && len(same) < mostCommon; q++ {
			if !slices.ContainsFunc(rows, func(row []float64) bool { return row[q] != row[p] }) {
				same = append(same, q)
			}
		}
		if len(same) > most {
			most = len(same)
			clear(best)
			for _, q := range same {
				best[q] = true
			}
		}
	}
	return best
}
