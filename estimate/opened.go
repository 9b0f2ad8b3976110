package estimate

// This file finds what blocks of a function lie in that others open and close: sections, and
// what is done under locks.

import "pathspan/ir"

// opened returns, by block, what has been opened and not closed on a way there, the innermost
// last; all ways agree. edge says what a block opens or closes, and which of both.
func opened[T any](f *ir.Func, edge func(b *ir.Block) (what T, opens, closes bool)) [][]T {
	around := make([][]T, len(f.Blocks))
	seen := make([]bool, len(f.Blocks))
	type state struct {
		block  int
		inside []T
	}
	seen[0] = true
	for work := []state{{0, nil}}; len(work) > 0; {
		x := work[len(work)-1]
		work = work[:len(work)-1]
		inside := x.inside
		switch what, opens, closes := edge(f.Blocks[x.block]); {
		case opens:
			inside = append(inside[:len(inside):len(inside)], what)
		case closes && len(inside) > 0:
			inside = inside[:len(inside)-1]
		}
		around[x.block] = inside
		for _, next := range f.Blocks[x.block].Succs {
			if !seen[next] {
				seen[next] = true
				work = append(work, state{next, inside})
			}
		}
	}
	return around
}

func sectionEdge(b *ir.Block) (what lane, opens, closes bool) {
	m := b.Mark
	if m == nil {
		return lane{}, false, false
	}
	return lane{m.Region, m.Construct, m.Section}, m.Kind == ir.SectionBegin, m.Kind == ir.SectionEnd
}

// lockEdge tells locks by their numbers, from 1.
func lockEdge(b *ir.Block) (what int, opens, closes bool) {
	l := b.Locking
	if l == nil {
		return 0, false, false
	}
	return l.Lock + 1, l.Takes, !l.Takes
}
