package accelerator

// This file finds how soon an iteration can begin behind the one before.

import (
	"math"
	"slices"
)

// into lists the waits of distance 0 by who waits.
func (g *graph) into() [][]*wait {
	into := make([][]*wait, len(g.nodes))
	for i := range g.waits {
		if w := &g.waits[i]; w.distance == 0 {
			into[w.to] = append(into[w.to], w)
		}
	}
	return into
}

// recurrence returns the least whole number of cycles from so many iterations at once to as many next that
// waits allow, 0 where none leads back, and the nodes of what takes so long. Without assumed, waits
// that are not known to be are left out.
func (g *graph) recurrence(assumed bool, unroll int) (ii int, around []int) {
	inner := g.cyclic(assumed)
	total := 0.0
	for i := range inner {
		inner[i].latency *= float64(unroll)
		total += inner[i].latency
	}
	low, high := 0, int(math.Ceil(total))
	for low < high {
		mid := (low + high) / 2
		if cycle := g.tooLong(inner, mid); cycle != nil {
			low, around = mid+1, cycle
		} else {
			high = mid
		}
	}
	return low, around
}

// cyclic returns the waits that lie on cycles, those of distance 0 first in the order of nodes.
func (g *graph) cyclic(assumed bool) []wait {
	var all []wait
	for _, w := range g.waits {
		if assumed || !w.assumed {
			all = append(all, w)
		}
	}
	// What leads to nothing or comes of nothing is on none; then the next does.
	for {
		in, out := make([]bool, len(g.nodes)), make([]bool, len(g.nodes))
		for _, w := range all {
			in[w.to], out[w.from] = true, true
		}
		before := len(all)
		all = slices.DeleteFunc(all, func(w wait) bool { return !in[w.from] || !out[w.to] })
		if len(all) == before {
			break
		}
	}
	slices.SortStableFunc(all, func(a, b wait) int {
		if (a.distance == 0) != (b.distance == 0) {
			if a.distance == 0 {
				return -1
			}
			return 1
		}
		if a.to != b.to {
			return a.to - b.to
		}
		return a.from - b.from
	})
	return all
}

// tooLong returns the nodes of a cycle that takes longer than ii for each iteration that it
// goes back, nil where there is none: each pass over the waits takes all that lead on at once, so
// that a way without a cycle is done after as many passes as it has waits that go back.
func (g *graph) tooLong(waits []wait, ii int) []int {
	begins, from := make([]float64, len(g.nodes)), make([]int, len(g.nodes))
	for i := range from {
		from[i] = -1
	}
	back := map[int]bool{}
	for _, w := range waits {
		if w.distance > 0 {
			back[w.to] = true
		}
	}
	last := -1
	for range len(back) + 2 {
		last = -1
		for _, w := range waits {
			if at := begins[w.from] + w.latency - float64(ii*w.distance); at > begins[w.to]+1e-9 {
				begins[w.to], from[w.to], last = at, w.from, w.to
			}
		}
		if last < 0 {
			return nil
		}
	}
	for range g.nodes { // into the cycle
		if from[last] < 0 {
			return []int{last}
		}
		last = from[last]
	}
	cycle := []int{last}
	for n := from[last]; n != last && n >= 0; n = from[n] {
		cycle = append(cycle, n)
	}
	slices.Reverse(cycle)
	return cycle
}
