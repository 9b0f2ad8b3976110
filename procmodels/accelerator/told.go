package accelerator

// This file asks what runs told of memory whether accesses met from one iteration to another.

import (
	"slices"

	"pathspan/memory"
)

// apart reports that runs of the loop told of its memory, and that no iteration loaded what a
// store had written in one before. How many iterations before, runs do not tell.
func (r *grapher) apart(store, load *access) bool {
	d := r.told
	if d == nil {
		return false
	}
	loop := -1
	for i := range d.Loops {
		if d.Loops[i].Func == r.fi && d.Loops[i].Header == r.loop.Header {
			loop = i
		}
	}
	wrote, read := r.places(store), r.places(load)
	if loop < 0 || wrote == nil || read == nil {
		return false
	}
	// Where loops are one pipeline, iterations of the outer ones overlap as well.
	around := []int{loop}
	if slices.ContainsFunc(r.m.loops, func(g given) bool { return g.flatten }) {
		for up := d.Loops[loop].Parent; up >= 0; up = d.Loops[up].Parent {
			around = append(around, up)
		}
	}
	for i := range d.Carried {
		if c := &d.Carried[i]; slices.Contains(around, c.Loop) && c.Kind == memory.FlowDependence && wrote[c.From.Place] && read[c.To.Place] {
			return false
		}
	}
	return true
}

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
