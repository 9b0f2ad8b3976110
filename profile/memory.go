package profile

// This file keeps in bundles what runs told of memory.

import (
	"fmt"
	"slices"

	"pathspan/memory"
	"pathspan/profile/bundlepb"
)

func memoryLists(m *bundlepb.Memory) [21]*[]int64 {
	return [...]*[]int64{&m.Places, &m.Loops, &m.Lanes, &m.Objects, &m.Paths, &m.Guards, &m.Foreign, &m.Flows, &m.Writes, &m.Carried, &m.Reuse, &m.Spans, &m.Shared, &m.Sets, &m.Between, &m.Nearest, &m.SetReads, &m.Fresh, &m.FreshLast, &m.Taken, &m.Turns}
}

func memoryToProto(d *memory.Data) *bundlepb.Memory {
	if d == nil {
		return nil
	}
	m, w := &bundlepb.Memory{}, d.Words()
	for i, list := range memoryLists(m) {
		*list = w.Lists[i]
	}
	for _, n := range w.Names {
		m.Names = append(m.Names, []byte(n))
	}
	return m
}

func memoryFromProto(m *bundlepb.Memory) (*memory.Data, error) {
	if m == nil {
		return nil, nil
	}
	w := &memory.Words{}
	for i, list := range memoryLists(m) {
		w.Lists[i] = *list
	}
	for _, n := range m.Names {
		w.Names = append(w.Names, string(n))
	}
	return memory.FromWords(w)
}

// mergeMemory adds up what bundles tell of memory. All must tell of it, or none.
func mergeMemory(bundles []*Bundle) (*memory.Data, error) {
	silent := slices.IndexFunc(bundles, func(b *Bundle) bool { return b.Memory == nil })
	if i := slices.IndexFunc(bundles, func(b *Bundle) bool { return b.Memory != nil }); i >= 0 && silent >= 0 {
		return nil, fmt.Errorf("bundle %d tells of memory and bundle %d does not; profile all of them with --memory, or none", i+1, silent+1)
	}
	sum := bundles[0].Memory
	for _, b := range bundles[1:] {
		if sum == nil {
			break
		}
		var err error
		if sum, err = memory.Merge(sum, b.Memory); err != nil {
			return nil, err
		}
	}
	return sum, nil
}
