package accelerator

// This file says what sums over iterations take where a design makes partial sums of them, which
// add in another order than the program.

import "math"

// transform is how a loop's sums are made.
type transform uint8

const (
	asWritten transform = iota
	tree                // partial sums, and a tree that adds them up
	scan                // all prefixes, level by level (Kogge and Stone)
)

// adds are the operations that may be made in another order.
var adds = map[string]bool{"fadd": true, "fsub": true, "add": true, "sub": true, "fmul": true, "mul": true}

// sum reports whether what goes around from iteration to iteration is one operation that may be
// made in another order, through memory or not.
func (r *priced) sum(g *graph, around []int) bool {
	sums := 0
	for _, i := range around {
		n := &g.nodes[i]
		if i == start || n.latency == 0 || n.array >= 0 {
			continue
		}
		in := &r.f.Blocks[n.block].Instrs[n.instr]
		if !adds[in.Op] && !(in.Call != nil && sumOf(in.Call.Name)) {
			return false
		}
		sums++
	}
	return sums == 1
}

// transformed returns II and IL of a loop whose sums are made so (eq. 6.4, 6.5), one of them
// taking so many cycles: of all partial sums side by side, each behind its own last one, and one
// cycle more than the sum for each level of the tree; or of as many levels as prefixes of the
// given length need, the first of which copies, one behind the other.
func (p *pricer) transformed(g *graph, how *given, sum int) (ii, il float64) {
	free := p.needed(g, how.unroll, how.partition)
	length := max(1, p.schedule(g))
	if how.transform == tree {
		levels := math.Ceil(math.Log2(float64(how.unroll)))
		return max(1, float64(sum), free), length + float64(sum+1)*levels
	}
	levels := math.Ceil(math.Log2(float64(how.scan))) + 1
	return max(1, free) * levels, length * levels
}
