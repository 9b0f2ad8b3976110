package accelerator

// This file finds what reports do not say: what an iteration takes outside of the loops in it,
// from a report for which each loop was told to have the same number of iterations.

import (
	"path"

	"pathspan/ir/flow"
	"pathspan/yamlstrict"
)

// total is what a loop of as many iterations as the report assumed takes.
func (r *priced) total(l *looped) (cycles float64, known bool) {
	trips := r.m.trips
	if l.given != nil && l.given.trips > 0 {
		trips = l.given.trips
	}
	switch {
	case l.given != nil && l.given.gone:
		return 0, true
	case l.flatten && len(l.loop.Children) == 1 && l.given.fromReport:
		return r.total(r.loops[l.loop.Children[0]])
	case l.pipelined && l.given != nil && l.given.trips > 0: // which are those of the unrolled loop
		return l.each*float64(l.given.unroll)*(trips-1) + l.first, true
	case l.pipelined:
		return l.each*(trips-1) + l.first, true
	case len(l.loop.Children) == 0 && !l.apart:
		return l.first * trips, true
	case !l.apart && !l.flatten:
		return l.most * trips, true
	}
	return 0, false
}

// recovered is what is left of a latency without the loops inside (eq. 3.7).
func (r *priced) recovered(at yamlstrict.Pos, what string, latency float64, inside []*looped, report bool) (float64, error) {
	for _, l := range inside {
		cycles, known := r.total(l)
		if !known {
			return 0, at.Errorf("latency of %s: that of the loop at %s in it is not given", what, l.name)
		}
		latency -= cycles
	}
	if latency < -1e-9 && !report { // where loops of hardware overlap
		return 0, at.Errorf("latency of %s: the loops in it take %g cycles more, with %g iterations each", what, -latency, r.m.trips)
	}
	return max(0, latency), nil
}

// unnest charges what an iteration of a loop around others takes outside of them: where some
// way leads around all of them, the least latency is that way's (eq. 3.8, 3.9), and what is
// more is charged where the first of them is entered.
func (r *priced) unnest(l *looped) error {
	if l.apart || l.flatten || l.pipelined || len(l.loop.Children) == 0 || l.given.gone {
		return nil
	}
	var inside []*looped
	for _, c := range l.loop.Children {
		inside = append(inside, r.loops[c])
	}
	own, err := r.recovered(l.given.latencyAt, "the loop at "+l.given.name, l.most, inside, l.given.fromReport)
	if err != nil && l.given.fromReport {
		r.assumes[l.loop.Header].add("loop at "+path.Base(l.name)+": what it takes outside of the loops in it is left out, as one of these is priced as found", 0)
		own, err = 0, nil
	}
	if err != nil {
		return err
	}
	l.first, l.each = own, own
	if l.least < l.most && r.passesBy(l.loop) && l.least < own {
		l.first, l.each = l.least, l.least
		r.enter(inside[0], own-l.least)
	}
	return nil
}

// passesBy reports whether an iteration can do without the loops inside.
func (r *priced) passesBy(l *flow.Loop) bool {
	seen := map[int]bool{}
	for stack := []int{l.Header}; len(stack) > 0; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range r.f.Blocks[b].Succs {
			switch {
			case s == l.Header:
				return true
			case r.c.LoopOf[s] == l.Index && !seen[s]:
				seen[s] = true
				stack = append(stack, s)
			}
		}
	}
	return false
}
