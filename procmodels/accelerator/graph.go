package accelerator

// This file makes the graph of what waits for what, in a loop's body or in a block.

import (
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// node is an operation.
type node struct {
	block, instr int
	class        int     // -1: none of the file's
	latency      float64 // cycles
	parts        int     // elements of a vector, each an operation
	array        int     // that it accesses, -1 for none
	outside      bool    // a call that the library's table prices: one at a time
}

// wait says that a node begins so many cycles behind the begin of another, of an iteration so
// much earlier.
type wait struct {
	from, to int
	latency  float64
	distance int
	assumed  bool // that they meet is not known
}

// graph is what one body executes. Nodes are in an order in which waits of distance 0 lead on.
type graph struct {
	nodes  []node
	waits  []wait
	arrays []ir.Operand
	apart  bool // some accesses that cannot be compared met in no other iteration that ran
	far    bool // some met several iterations on, and in none before
}

// grapher makes graphs of a function.
type grapher struct {
	*pricer
	fi     int
	f      *ir.Func
	inside []bool // of the body in the making, by block
	loop   *flow.Loop
	g      *graph
	at     map[[2]int]int // node of an instruction's result, by block and instruction
	bc     *assumptions
}

// start is the node that every iteration begins with.
const start = 0

// graph makes the graph of a loop's body, or with nil of a block.
func (p *pricer) graph(fi int, loop *flow.Loop, block int, bc *assumptions) *graph {
	f := p.p.Funcs[fi]
	r := &grapher{pricer: p, fi: fi, f: f, inside: make([]bool, len(f.Blocks)), loop: loop, g: &graph{nodes: []node{{block: -1, class: -1, array: -1}}}, at: map[[2]int]int{}, bc: bc}
	blocks := []int{block}
	if loop != nil {
		blocks = loop.Blocks
	}
	for _, b := range blocks {
		r.inside[b] = true
	}
	for _, b := range blocks {
		r.block(b)
	}
	if loop != nil {
		r.carried()
		r.control()
	}
	r.memory()
	return r.g
}

func (r *grapher) wait(from, to int, latency float64, distance int) {
	r.g.waits = append(r.g.waits, wait{from: from, to: to, latency: latency, distance: distance})
}

// block adds a block's operations, and what they wait for in the same iteration.
func (r *grapher) block(bi int) {
	b := r.f.Blocks[bi]
	for i := range b.Instrs {
		in := &b.Instrs[i]
		uses := r.ops.Of(r.fi, bi, i)
		n := r.operation(b, in, i)
		if a, ok := r.ops.Address(r.fi, bi, i); ok {
			n.array = r.array(a.Base)
		}
		if add, ok := r.added(in); ok { // a product that is added to what is the third operand
			r.node(n, uses[:min(2, len(uses))])
			product := len(r.g.nodes) - 1
			add.block, add.instr, add.array = n.block, n.instr, -1
			r.node(add, uses[min(2, len(uses)):])
			r.wait(product, len(r.g.nodes)-1, n.latency, 0)
		} else {
			if in.Op == "phi" {
				uses = nil
			}
			r.node(n, uses)
		}
		r.at[[2]int{bi, i}] = len(r.g.nodes) - 1
		if in.Op == "phi" && !(r.loop != nil && bi == r.loop.Header) {
			r.merged(bi, i, len(r.g.nodes)-1)
		}
	}
}

// node adds a node that waits for what it uses.
func (r *grapher) node(n node, uses []ir.Operand) {
	r.g.nodes = append(r.g.nodes, n)
	for _, o := range uses {
		if from, ok := r.result(o); ok {
			r.wait(from, len(r.g.nodes)-1, r.g.nodes[from].latency, 0)
		}
	}
}

// result is the node that computes an operand in the body.
func (r *grapher) result(o ir.Operand) (int, bool) {
	if o.Kind != ir.Computed {
		return 0, false
	}
	n, ok := r.at[[2]int{int(o.Block), int(o.N)}]
	return n, ok
}

// merged lets a phi that is not of the header wait for its values.
func (r *grapher) merged(bi, i, at int) {
	for _, o := range r.ops.Of(r.fi, bi, i) {
		if from, ok := r.result(o); ok && from != at {
			r.wait(from, at, r.g.nodes[from].latency, 0)
		}
	}
}

// carried adds what phis of the header get from the iteration before.
func (r *grapher) carried() {
	b := r.f.Blocks[r.loop.Header]
	for i := range b.Instrs {
		if b.Instrs[i].Op != "phi" {
			continue
		}
		for _, o := range r.ops.Of(r.fi, b.Index, i) {
			if from, ok := r.result(o); ok {
				r.wait(from, r.at[[2]int{b.Index, i}], r.g.nodes[from].latency, 1)
			}
		}
	}
}

// control lets stores and calls wait for the conditions that they are under, and iterations
// for that of there being one, where it needs memory or a call.
func (r *grapher) control() {
	preds := make([][]int, len(r.f.Blocks))
	for _, b := range r.loop.Blocks {
		for _, s := range r.f.Blocks[b].Succs {
			if s != r.loop.Header && r.inside[s] {
				preds[s] = append(preds[s], r.last(b))
			}
		}
	}
	for _, bi := range r.loop.Blocks {
		b := r.f.Blocks[bi]
		for i := range b.Instrs {
			to, ok := r.at[[2]int{bi, i}]
			if op := b.Instrs[i].Op; !ok || op != "store" && op != "phi" && op != "call" && i != len(b.Instrs)-1 {
				continue
			}
			for _, from := range preds[bi] {
				r.wait(from, to, r.g.nodes[from].latency, 0)
			}
		}
	}
	for _, e := range r.loop.Exits {
		from := r.last(e.From)
		if !r.reads(from) {
			continue
		}
		r.wait(from, start, r.g.nodes[from].latency, 1)
	}
	for n := range r.g.nodes[1:] {
		r.wait(start, n+1, 0, 0)
	}
}

func (r *grapher) last(block int) int {
	return r.at[[2]int{block, len(r.f.Blocks[block].Instrs) - 1}]
}

// reads reports whether what a node computes hangs on memory or on a call of the iteration.
func (r *grapher) reads(n int) bool {
	into := make([][]int, len(r.g.nodes))
	for _, w := range r.g.waits {
		if w.distance == 0 {
			into[w.to] = append(into[w.to], w.from)
		}
	}
	seen := make([]bool, len(r.g.nodes))
	for stack := []int{n}; len(stack) > 0; {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		if seen[n] = true; r.g.nodes[n].array >= 0 || r.g.nodes[n].outside {
			return true
		}
		stack = append(stack, into[n]...)
	}
	return false
}

// array returns the number of the array that an address leads into.
func (r *grapher) array(base ir.Operand) int {
	for range 64 {
		if base.Kind != ir.Computed {
			break
		}
		op := r.f.Blocks[base.Block].Instrs[base.N].Op
		uses := r.ops.Of(r.fi, int(base.Block), int(base.N))
		if op != "getelementptr" && op != "bitcast" && op != "addrspacecast" || len(uses) == 0 {
			break
		}
		base = uses[0]
	}
	if i := slices.Index(r.g.arrays, base); i >= 0 {
		return i
	}
	r.g.arrays = append(r.g.arrays, base)
	return len(r.g.arrays) - 1
}

// operation is what an instruction takes.
func (r *grapher) operation(b *ir.Block, in *ir.Instr, i int) node {
	n := node{block: b.Index, instr: i, class: -1, parts: 1, array: -1}
	if in.Call != nil {
		if in.Call.Callee >= 0 {
			return n // what it takes is the callee's
		}
		if c, ok := r.m.callClass(in.Call.Name); ok {
			n.class = c
		} else if sumOf(in.Call.Name) {
			n.class, n.parts = r.classOf("fmul", in.Type)
		} else {
			pr := r.library(in)
			n.latency, n.outside = pr.Cycles, pr.Cycles > 0
			if pr.Reason != "" {
				r.bc.add(pr.Reason, pr.Defaulted)
			}
			return n
		}
	} else {
		n.class, n.parts = r.classOf(in.Op, in.Type)
	}
	n.latency = r.m.classes[n.class].latency
	return n
}

// sumOf reports whether an intrinsic computes a product and adds it to something.
func sumOf(name string) bool {
	return strings.HasPrefix(name, "llvm.fmuladd.") || strings.HasPrefix(name, "llvm.fma.")
}

// added is the sum of what computes a product and a sum.
func (r *grapher) added(in *ir.Instr) (node, bool) {
	if in.Call == nil || in.Call.Callee >= 0 || !sumOf(in.Call.Name) {
		return node{}, false
	}
	if _, ok := r.m.callClass(in.Call.Name); ok {
		return node{}, false
	}
	n := node{}
	n.class, n.parts = r.classOf("fadd", in.Type)
	n.latency = r.m.classes[n.class].latency
	return n, true
}
