package flow

// This file holds the definitions of everything the package computes, in the
// most direct form and at any cost, as an oracle. It shares no code with it.

import (
	"fmt"
	"slices"
	"sort"
)

// brute is a graph and its reachability relation.
type brute struct {
	succs [][]int
	live  []bool
}

func newBrute(succs [][]int) *brute {
	b := &brute{succs: succs}
	b.live = b.from(0, -1, nil)
	return b
}

// from marks what v reaches, itself included, without removed and along edges
// that keep, when given, holds for.
func (b *brute) from(v, removed int, keep func(u, w int) bool) []bool {
	seen := make([]bool, len(b.succs))
	var visit func(v int)
	visit = func(v int) {
		if v == removed || seen[v] {
			return
		}
		seen[v] = true
		for _, w := range b.succs[v] {
			if keep == nil || keep(v, w) {
				visit(w)
			}
		}
	}
	visit(v)
	return seen
}

// dominators returns the relation dom[a][b], a dominates b, for root 0.
func (b *brute) dominators() [][]bool {
	dom := make([][]bool, len(b.succs))
	for a := range dom {
		dom[a] = make([]bool, len(b.succs))
		if !b.live[a] {
			continue
		}
		without := b.from(0, a, nil)
		for v := range without {
			dom[a][v] = b.live[v] && !without[v]
		}
	}
	return dom
}

// immediate picks from a dominance relation the strict dominator of each block
// that all its other strict dominators dominate, -1 for none.
func immediateOf(dom [][]bool) []int {
	idom := make([]int, len(dom))
	for v := range dom {
		idom[v] = -1
		for d := range dom {
			if d == v || !dom[d][v] {
				continue
			}
			nearest := true
			for x := range dom {
				if x != v && dom[x][v] && !dom[x][d] {
					nearest = false
				}
			}
			if nearest {
				idom[v] = d
			}
		}
	}
	return idom
}

// bruteLoop is a loop by the recursive definition.
type bruteLoop struct {
	header, parent int
	blocks         []int // ascending
	entries        []int // ascending, without the header
}

// loops applies the recursive definition. Back edges are returned too, as pairs
// of blocks.
func (b *brute) loops() (all []bruteLoop, back map[[2]int]bool) {
	back = make(map[[2]int]bool)
	rpo := b.reversePostorder()
	preds := make([][]int, len(b.succs))
	for u, ss := range b.succs {
		for _, w := range ss {
			if b.live[u] {
				preds[w] = append(preds[w], u)
			}
		}
	}
	var level func(set []bool, parent int)
	level = func(set []bool, parent int) {
		keep := func(u, w int) bool { return set[u] && set[w] && !back[[2]int{u, w}] }
		reaches := make([][]bool, len(b.succs)) // by one edge or more
		for u := range b.succs {
			reaches[u] = make([]bool, len(b.succs))
			for _, w := range b.succs[u] {
				if keep(u, w) {
					for v, yes := range b.from(w, -1, keep) {
						reaches[u][v] = reaches[u][v] || yes
					}
				}
			}
		}
		done := make([]bool, len(b.succs))
		for u := range b.succs {
			if done[u] || !reaches[u][u] {
				continue
			}
			l := bruteLoop{header: -1, parent: parent}
			in := make([]bool, len(b.succs))
			for v := range b.succs {
				if reaches[u][v] && reaches[v][u] {
					in[v], done[v] = true, true
					l.blocks = append(l.blocks, v)
				}
			}
			for _, v := range l.blocks {
				entered := v == 0
				for _, p := range preds[v] {
					entered = entered || !in[p]
				}
				if !entered {
					continue
				}
				if l.header < 0 || rpo[v] < rpo[l.header] {
					l.header = v
				}
				if v != 0 || slices.ContainsFunc(preds[v], func(p int) bool { return !in[p] }) {
					l.entries = append(l.entries, v)
				}
			}
			l.entries = slices.DeleteFunc(l.entries, func(v int) bool { return v == l.header })
			for _, v := range l.blocks {
				if slices.Contains(b.succs[v], l.header) {
					back[[2]int{v, l.header}] = true
				}
			}
			all = append(all, l)
			level(in, l.header)
		}
	}
	level(b.live, -1)
	sort.Slice(all, func(i, j int) bool { return all[i].header < all[j].header })
	return all, back
}

func (b *brute) reversePostorder() []int {
	number := make([]int, len(b.succs))
	seen := make([]bool, len(b.succs))
	next := len(b.succs)
	var visit func(v int)
	visit = func(v int) {
		seen[v] = true
		for _, w := range b.succs[v] {
			if !seen[w] {
				visit(w)
			}
		}
		next--
		number[v] = next
	}
	visit(0)
	return number
}

// augmented returns the graph on the live blocks with the virtual exit n and the
// virtual entry n+1, reversed, so that postdominators are its dominators, and
// renumbered so that the exit is node 0: node v+1 is block v, node n+1 the entry.
func (b *brute) augmented(loops []bruteLoop) *brute {
	n := len(b.succs)
	reversed := make([][]int, n+2)
	edge := func(u, w int) { reversed[w] = append(reversed[w], u) }
	for u, ss := range b.succs {
		if !b.live[u] {
			continue
		}
		for _, w := range ss {
			edge(u+1, w+1)
		}
		if len(ss) == 0 {
			edge(u+1, 0)
		}
	}
	for _, l := range loops {
		left := false
		for _, u := range l.blocks {
			for _, w := range b.succs[u] {
				left = left || !slices.Contains(l.blocks, w)
			}
		}
		if !left {
			edge(l.header+1, 0)
		}
	}
	edge(n+1, 1)
	edge(n+1, 0)
	return newBrute(reversed)
}

// dependence is a control dependence on successor index of block from.
type dependence struct{ from, index int }

// dependences lists each block's control dependences by the definition: the
// block postdominates the edge's target, and does not strictly postdominate its
// source. kept decides which are carried by no loop.
func (b *brute) dependences(pdom [][]bool, kept func(v, u, w int) bool) [][]dependence {
	n := len(b.succs)
	deps := make([][]dependence, n)
	for v := range n {
		if !b.live[v] {
			continue
		}
		if pdom[v+1][1] { // edge from the virtual entry, which nothing but the exit postdominates
			deps[v] = append(deps[v], dependence{-1, 0})
		}
		for u, ss := range b.succs {
			if !b.live[u] {
				continue
			}
			for i, w := range ss {
				if pdom[v+1][w+1] && (v == u || !pdom[v+1][u+1]) && kept(v, u, w) {
					deps[v] = append(deps[v], dependence{u, i})
				}
			}
		}
	}
	return deps
}

// groups partitions the blocks by equal lists.
func groups(deps [][]dependence, live []bool) map[string][]int {
	by := make(map[string][]int)
	for v := range deps {
		if live[v] {
			key := fmt.Sprint(deps[v])
			by[key] = append(by[key], v)
		}
	}
	return by
}

// collapses reports whether T1 and T2 shrink the live graph to one node.
func (b *brute) collapses() bool {
	succs := make(map[int]map[int]bool)
	for v := range b.succs {
		if b.live[v] {
			succs[v] = make(map[int]bool)
			for _, w := range b.succs[v] {
				succs[v][w] = true
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for v := range succs {
			delete(succs[v], v)
			var preds []int
			for u := range succs {
				if succs[u][v] {
					preds = append(preds, u)
				}
			}
			if v != 0 && len(preds) == 1 {
				u := preds[0]
				delete(succs[u], v)
				for w := range succs[v] {
					succs[u][w] = true
				}
				delete(succs, v)
				changed = true
				break
			}
		}
	}
	return len(succs) == 1
}
