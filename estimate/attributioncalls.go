package estimate

// This file finds how often the bodies of an attribution are called, and from where.

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"pathspan/estimate/recursion"
)

// count finds how often each body is called, callers first, those of a recursion at
// once: x = C'x + the calls from outside of it.
func (a *attribution) count() error {
	a.from = make([]map[Place]float64, len(a.bodies))
	for i := range a.from {
		a.from[i] = map[Place]float64{}
	}
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
	for i := range a.bodies {
		a.callers(i)
	}
	return nil
}

// callers notes where all calls of a body come from.
func (a *attribution) callers(body int) {
	if body == 0 {
		return // the root is called from outside as well
	}
	var at []callSite
	for _, s := range ordered(a.calls[body]) {
		if a.calls[body][s] > 0 && a.bodies[s.body].Calls > 0 {
			at = append(at, s)
		}
	}
	if len(at) == 1 {
		b := &a.bodies[body]
		b.Caller, b.Block, b.Instr = at[0].body, at[0].block, at[0].instr
	}
}

// component finds how often the bodies of a recursion, or one, are called, from each
// section apart.
func (a *attribution) component(bodies []int) error {
	n := len(bodies)
	if n == 0 {
		return nil
	}
	member := map[int]int{}
	for k, i := range bodies {
		member[i] = k
	}
	c, from, recursive := mat.NewDense(n, n, nil), map[Place][]float64{}, false
	add := func(place Place, k int, calls float64) {
		if from[place] == nil {
			from[place] = make([]float64, n)
		}
		from[place][k] += calls
	}
	for k, i := range bodies {
		if i == 0 {
			add(Outside, k, 1) // the root
		}
		for _, s := range ordered(a.calls[i]) {
			calls := a.calls[i][s]
			if j, ok := member[s.body]; ok {
				c.Set(k, j, c.At(k, j)+calls)
				recursive = true
				continue
			}
			if s.place != Outside {
				add(s.place, k, calls*a.bodies[s.body].Calls)
				continue
			}
			for _, place := range placesOf(a.from[s.body]) {
				add(place, k, calls*a.from[s.body][place])
			}
		}
	}
	if recursive {
		if err := a.settle(bodies, member, c, from); err != nil {
			return err
		}
	}
	for _, place := range placesOf(from) {
		for k, i := range bodies {
			if calls := from[place][k]; calls > 0 {
				a.from[i][place] = calls
				a.bodies[i].Calls += calls
			}
		}
	}
	return nil
}

// settle adds the calls of a recursion's bodies among each other: those from one of its
// sections come from there, whoever called the recursion.
func (a *attribution) settle(bodies []int, member map[int]int, c *mat.Dense, from map[Place][]float64) error {
	n := len(bodies)
	all := make([]float64, n)
	for _, place := range placesOf(from) {
		floats.Add(all, from[place])
	}
	calls, err := solveCalls(c, all)
	if err != nil {
		return err
	}
	inherited := mat.NewDense(n, n, nil)
	for k, i := range bodies {
		for _, s := range ordered(a.calls[i]) {
			j, ok := member[s.body]
			switch {
			case !ok:
			case s.place == Outside:
				inherited.Set(k, j, inherited.At(k, j)+a.calls[i][s])
			default:
				if from[s.place] == nil {
					from[s.place] = make([]float64, n)
				}
				from[s.place][k] += a.calls[i][s] * calls[j]
			}
		}
	}
	for _, place := range placesOf(from) {
		if from[place], err = solveCalls(inherited, from[place]); err != nil {
			return err
		}
	}
	return nil
}

// solveCalls solves a system of calls. It has no solution where the profile's averages say
// that each call leads to another.
func solveCalls(among *mat.Dense, from []float64) ([]float64, error) {
	x, ok := recursion.Linear(among, mat.NewDense(len(from), 1, from))
	if !ok {
		return nil, errors.New("estimate: how often a recursive function is called has no solution: each call leads to another on average; profile a run that ends by returning from main")
	}
	return x.RawMatrix().Data, nil
}

func placesOf[T any](of map[Place]T) []Place {
	return slices.SortedFunc(maps.Keys(of), Place.Compare)
}

func ordered(sites map[callSite]float64) []callSite {
	return slices.SortedFunc(maps.Keys(sites), func(a, b callSite) int {
		return cmp.Or(cmp.Compare(a.body, b.body), cmp.Compare(a.block, b.block), cmp.Compare(a.instr, b.instr), a.place.Compare(b.place))
	})
}
