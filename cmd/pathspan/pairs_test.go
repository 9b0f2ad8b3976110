package main

// This file chooses which combinations a test tries where all are too many: so many that
// any two choices meet in one of them.

import (
	"slices"
	"testing"
)

// coverPairs returns combinations of one choice of each dimension, whose sizes are given,
// such that every pair of choices of two dimensions is in one of them. It takes, again and
// again, the combination that is found greedily to hold the most pairs that are left, and
// is the same each time.
func coverPairs(sizes []int) [][]int {
	type pair struct{ d, x, e, y int }
	left := map[pair]bool{}
	for d := range sizes {
		for e := d + 1; e < len(sizes); e++ {
			for x := range sizes[d] {
				for y := range sizes[e] {
					left[pair{d, x, e, y}] = true
				}
			}
		}
	}
	// The largest dimensions come first: their choices decide how many there are.
	order := make([]int, len(sizes))
	for d := range order {
		order[d] = d
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[b] - sizes[a] })
	has := func(d, x, e, y int) bool {
		if d > e {
			d, x, e, y = e, y, d, x
		}
		return left[pair{d, x, e, y}]
	}
	var rows [][]int
	used := make([][]int, len(sizes)) // how often a choice was taken
	for d := range used {
		used[d] = make([]int, sizes[d])
	}
	for len(left) > 0 {
		row := make([]int, len(sizes))
		// The first two are a pair that is left, so that each row takes one at least.
		first, found := pair{}, false
		for d := 0; d < len(sizes) && !found; d++ {
			for x := 0; x < sizes[order[d]] && !found; x++ {
				for e := d + 1; e < len(sizes) && !found; e++ {
					for y := 0; y < sizes[order[e]] && !found; y++ {
						if has(order[d], x, order[e], y) {
							first, found = pair{order[d], x, order[e], y}, true
						}
					}
				}
			}
		}
		row[first.d], row[first.e] = first.x, first.y
		chosen := []int{first.d, first.e}
		for _, d := range order {
			if d == first.d || d == first.e {
				continue
			}
			best, most := 0, -1
			for x := range sizes[d] {
				n := 0
				for _, e := range chosen {
					if has(d, x, e, row[e]) {
						n++
					}
				}
				if n > most || n == most && used[d][x] < used[d][best] {
					best, most = x, n
				}
			}
			row[d] = best
			chosen = append(chosen, d)
		}
		for d := range row {
			used[d][row[d]]++
			for e := d + 1; e < len(row); e++ {
				delete(left, pair{d, row[d], e, row[e]})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func TestCoverPairs(t *testing.T) {
	for _, sizes := range [][]int{{2, 2}, {3, 1, 4}, {5, 4, 3, 2, 2}, {12, 7, 7, 3}} {
		rows := coverPairs(sizes)
		product := 1
		for _, n := range sizes {
			product *= n
		}
		sorted := slices.Sorted(slices.Values(sizes))
		if n, least := len(rows), sorted[len(sorted)-1]*sorted[len(sorted)-2]; n < least || n > product || 2*n > 3*least+6 {
			t.Errorf("%v: %d combinations, %d are the least", sizes, n, least)
		}
		for d := range sizes {
			for e := range d {
				for x := range sizes[d] {
					for y := range sizes[e] {
						if !slices.ContainsFunc(rows, func(r []int) bool { return r[d] == x && r[e] == y }) {
							t.Errorf("%v: no combination has %d of %d and %d of %d", sizes, x, d, y, e)
						}
					}
				}
			}
		}
		if again := coverPairs(sizes); !slices.EqualFunc(rows, again, slices.Equal[[]int]) {
			t.Errorf("%v: another choice the second time", sizes)
		}
	}
}
