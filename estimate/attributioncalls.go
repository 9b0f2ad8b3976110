package estimate

// This file finds how often the bodies of an attribution are called, and from where.

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// count finds how often each body is called, callers first, those of a recursion at
// once: x = C'x + the calls from outside of it.
func (a *attribution) count() error {
	members := map[int][]int{} // by component of the call graph
	for i := range a.bodies {
		c := a.e.scc[a.bodies[i].Func]
		members[c] = append(members[c], i)
	}
	for c := len(a.e.cyclic) - 1; c >= 0; c-- {
		if err := a.component(members[c]); err != nil {
			return err
		}
	}
	for c := len(a.e.cyclic) - 1; c >= 0; c-- {
		for range members[c] { // what one of a recursion knows may reach all
			for _, i := range members[c] {
				a.callers(i)
			}
		}
	}
	return nil
}

// callers notes where all calls of a body come from. Those of a recursion among its own
// functions come from where its first call does.
func (a *attribution) callers(body int) {
	b := &a.bodies[body]
	var at []callSite
	var places []Place
	for _, s := range ordered(a.calls[body]) {
		from := &a.bodies[s.body]
		if a.calls[body][s] == 0 || from.Calls == 0 {
			continue
		}
		at = append(at, s)
		place := s.place
		b.InSections = b.InSections || place.Section >= 0 || from.InSections
		if place.Section < 0 {
			if a.e.scc[from.Func] == a.e.scc[b.Func] {
				continue
			}
			place = from.Within
		}
		if !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	if body == 0 {
		return // the root is called from outside as well
	}
	if len(at) == 1 {
		b.Caller, b.Block, b.Instr = at[0].body, at[0].block, at[0].instr
	}
	if len(places) == 1 {
		b.Within = places[0]
	}
}

func (a *attribution) component(bodies []int) error {
	n := len(bodies)
	if n == 0 {
		return nil
	}
	place := map[int]int{}
	for k, i := range bodies {
		place[i] = k
	}
	c, from, recursive := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil), false
	for k, i := range bodies {
		c.Set(k, k, 1)
		outside := 0.0
		if i == 0 {
			outside = 1 // the root
		}
		for _, s := range ordered(a.calls[i]) {
			if j, ok := place[s.body]; ok {
				c.Set(k, j, c.At(k, j)-a.calls[i][s])
				recursive = true
			} else {
				outside += a.bodies[s.body].Calls * a.calls[i][s]
			}
		}
		from.SetVec(k, outside)
		a.bodies[i].Calls = outside
	}
	if !recursive {
		return nil
	}
	x, err := solveCalls(c, from)
	if err != nil {
		return err
	}
	for k, i := range bodies {
		a.bodies[i].Calls = x.AtVec(k)
	}
	return nil
}

func ordered(sites map[callSite]float64) []callSite {
	var all []callSite
	for s := range sites {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b callSite) int {
		return cmp.Or(cmp.Compare(a.body, b.body), cmp.Compare(a.block, b.block), cmp.Compare(a.instr, b.instr), a.place.compare(b.place))
	})
	return all
}
