package accelerator

// This file asks what runs told of memory whether accesses met from one iteration to another.

import (
	"slices"

	"pathspan/memory"
)

// met returns the least number of iterations from a store to a load of what it wrote, as runs told that did
// not tell of all inputs: 0 where none did that, 1 where nothing is known.
func (r *grapher) met(store, load *access) int {
	d := r.told
	if d == nil {
		return 1
	}
	loop := -1
	for i := range d.Loops {
		if d.Loops[i].Func == r.fi && d.Loops[i].Header == r.loop.Header {
			loop = i
		}
	}
	wrote, read := r.places(store), r.places(load)
	if loop < 0 || wrote == nil || read == nil {
		return 1
	}
	// Where loops are one pipeline, iterations of the outer ones overlap as well; how many of the innermost
	// lie between is not told of these.
	around := []int{loop}
	if slices.ContainsFunc(r.m.loops, func(g given) bool { return g.flatten }) {
		for up := d.Loops[loop].Parent; up >= 0; up = d.Loops[up].Parent {
			around = append(around, up)
		}
	}
	least := 0
	for i := range d.Carried {
		c := &d.Carried[i]
		if !slices.Contains(around, c.Loop) || c.Kind != memory.FlowDependence || !wrote[c.From.Place] || !read[c.To.Place] {
			continue
		}
		if c.Loop != loop || c.Nearest <= 1 {
			return 1
		}
		if n := int(min(c.Nearest, farthest)); least == 0 || n < least {
			least = n
		}
	}
	return least
}

// farthest bounds distances: an interval of one cycle is the least there is.
const farthest = 1 << 20

// places are those of an access as runs know them: its line in the function, nil for none.
func (r *grapher) places(a *access) (all map[int]bool) {
	n := &r.g.nodes[a.node]
	in := &r.f.Blocks[n.block].Instrs[n.instr]
	loc := in.Loc
	loc.Col = 0
	for i := range r.told.Places {
		if p := &r.told.Places[i]; p.Func == r.fi && p.Loc == loc && p.Into == in.Into {
			if all == nil {
				all = map[int]bool{}
			}
			all[i] = true
		}
	}
	return all
}
