package accelerator

// This file schedules blocks and iterations, and counts what pipelines need of operators and ports.

import "math"

// schedule returns how long a block takes, or one iteration by itself: operations begin in the program's order, each when
// what it waits for is there and an operator and a port of its array are free.
func (p *pricer) schedule(g *graph) float64 {
	begins, end := make([]float64, len(g.nodes)), 0.0
	operators := make([][]float64, len(p.m.units))
	for i, u := range p.m.units {
		operators[i] = make([]float64, u.count)
	}
	ports := make([][]float64, len(g.arrays))
	for i := range ports {
		ports[i] = make([]float64, p.m.ports)
	}
	outside := 0.0
	into := g.into()
	for i := range g.nodes {
		n := &g.nodes[i]
		at := 0.0
		for _, w := range into[i] {
			at = max(at, begins[w.from]+w.latency)
		}
		if n.outside {
			at = max(at, outside)
			outside = at + n.latency
		}
		more := 0.0
		if n.class >= 0 {
			if c := &p.m.classes[n.class]; c.unit >= 0 {
				at, more = take(operators[c.unit], at, c.every, n.parts)
			}
		}
		if n.array >= 0 {
			at, _ = take(ports[n.array], at, 1, 1)
		}
		begins[i] = at + more // its last part
		end = max(end, begins[i]+n.latency)
	}
	return end
}

// take lets parts begin on what is free first, from a time on, and returns when the first does
// and how much later the last.
func take(free []float64, at, every float64, parts int) (first, more float64) {
	if len(free) == 0 {
		return at, 0
	}
	for i := range parts {
		least := 0
		for k := range free {
			if free[k] < free[least] {
				least = k
			}
		}
		begin := max(at, free[least])
		if i == 0 {
			first = begin
		}
		free[least], more = begin+every, begin-first
	}
	return first, more
}

// needed returns how many cycles operators, ports and calls need between iterations of which so
// many are executed at once, with arrays in so many parts.
func (p *pricer) needed(g *graph, unroll, partition int) float64 {
	units, arrays, outside := make([]float64, len(p.m.units)), make([]float64, len(g.arrays)), 0.0
	for i := range g.nodes {
		n := &g.nodes[i]
		if n.outside {
			outside += n.latency
		}
		if n.array >= 0 {
			arrays[n.array]++
		}
		if n.class >= 0 {
			if c := &p.m.classes[n.class]; c.unit >= 0 {
				units[c.unit] += c.every * float64(n.parts)
			}
		}
	}
	most := outside * float64(unroll)
	for i, busy := range units {
		most = max(most, busy*float64(unroll)/float64(p.m.units[i].count))
	}
	if p.m.ports > 0 {
		for _, n := range arrays {
			most = max(most, n*float64(unroll)/float64(p.m.ports*partition))
		}
	}
	return math.Ceil(most - 1e-9)
}
