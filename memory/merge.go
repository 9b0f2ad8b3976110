package memory

// This file adds up what runs of one program told.

import (
	"errors"
	"slices"
)

// Merge returns the sum of data of one program. Paths, guards and objects of the heap are
// those of either.
func Merge(a, b *Data) (*Data, error) {
	if !slices.Equal(a.Places, b.Places) || !slices.Equal(a.Loops, b.Loops) || !slices.Equal(a.Lanes, b.Lanes) || len(a.Foreign) != len(b.Foreign) {
		return nil, errors.New("what they tell of memory is numbered in other ways; profile the program again")
	}
	out := &Data{Places: a.Places, Loops: a.Loops, Lanes: a.Lanes, Objects: slices.Clone(a.Objects), Paths: slices.Clone(a.Paths),
		Guards: slices.Clone(a.Guards), Foreign: slices.Clone(a.Foreign), Flows: slices.Clone(a.Flows), Writes: slices.Clone(a.Writes),
		Carried: slices.Clone(a.Carried), Reuse: slices.Clone(a.Reuse), Spans: slices.Clone(a.Spans), Shared: slices.Clone(a.Shared), Sets: slices.Clone(a.Sets), Between: slices.Clone(a.Between), Fresh: slices.Clone(a.Fresh), Taken: slices.Clone(a.Taken), Turns: slices.Clone(a.Turns)}
	for i := range b.Foreign {
		if out.Foreign[i].Name != b.Foreign[i].Name {
			return nil, errors.New("what they tell of memory is of other foreign functions; profile the program again")
		}
		out.Foreign[i].Calls += b.Foreign[i].Calls
	}
	paths := renumber(&out.Paths, b.Paths, func(p *Path) *int { return &p.Outer })
	guards := renumber(&out.Guards, b.Guards, func(g *Guard) *int { return &g.Outer })
	type key struct {
		kind               ObjectKind
		name               string
		fn, place, path, n int
	}
	// Variables of one name are told apart by their order.
	keys := func(list []Object, path func(int) int) []key {
		seen := make(map[key]int)
		out := make([]key, len(list))
		for i := range list {
			o := &list[i]
			k := key{o.Kind, o.Name, o.Func, o.Place, path(o.Path), 0}
			out[i] = k
			out[i].n = seen[k]
			seen[k]++
		}
		return out
	}
	known := make(map[key]int)
	for i, k := range keys(out.Objects, func(p int) int { return p }) {
		known[k] = i
	}
	objects := make([]int, len(b.Objects))
	for i, k := range keys(b.Objects, func(p int) int { return paths[p] }) {
		o := b.Objects[i]
		o.Path = paths[o.Path]
		at, ok := known[k]
		if !ok {
			at = len(out.Objects)
			out.Objects = append(out.Objects, o)
		} else {
			to := &out.Objects[at]
			to.Made += o.Made
			to.Size = max(to.Size, o.Size)
			to.Lanes = slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(to.Lanes), o.Lanes...))))
		}
		objects[i] = at
	}
	who := func(w Who) Who { w.Guard = guards[w.Guard]; return w }
	for _, f := range b.Flows {
		f.Object, f.From, f.To = objects[f.Object], who(f.From), who(f.To)
		out.Flows = append(out.Flows, f)
	}
	for _, w := range b.Writes {
		w.Object, w.By = objects[w.Object], who(w.By)
		out.Writes = append(out.Writes, w)
	}
	for _, c := range b.Carried {
		c.Object, c.From, c.To = objects[c.Object], who(c.From), who(c.To)
		out.Carried = append(out.Carried, c)
	}
	out.Reuse = append(out.Reuse, b.Reuse...)
	out.Spans = append(out.Spans, b.Spans...)
	out.Shared = append(out.Shared, b.Shared...)
	out.Sets = append(out.Sets, b.Sets...)
	out.Between = append(out.Between, b.Between...)
	out.Fresh = append(out.Fresh, b.Fresh...)
	out.Taken = append(out.Taken, b.Taken...)
	out.Turns = append(out.Turns, b.Turns...)
	return out.sorted(), nil
}

// renumber adds to a list what another has beside it, and tells where that stands now.
func renumber[T comparable](to *[]T, from []T, outer func(*T) *int) []int {
	known := make(map[T]int, len(*to))
	for i, e := range *to {
		known[e] = i
	}
	at := make([]int, len(from))
	for i, e := range from {
		if i > 0 {
			o := outer(&e)
			*o = at[*o]
		}
		at[i] = number(known, to, e)
	}
	return at
}
