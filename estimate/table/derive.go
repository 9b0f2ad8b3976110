package table

// This file computes what follows from a table's rows alone: the time of each lane with
// all that is inside it on one processor, which regions are reached inside, and whether a
// row says exactly what is executed.

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"pathspan/estimate/recursion"
	"pathspan/ir/flow"
)

// derive fills what follows from the rows.
func (t *Table) derive() error {
	order, err := t.setOrder()
	if err != nil {
		return err
	}
	t.setAlone = make([]float64, len(t.sets)*t.Kinds)
	setAlone := t.setAlone
	t.setReaches, t.setLocks = make([]RegionSet, len(t.sets)), make([]bool, len(t.sets))
	setReaches := t.setReaches
	setExact := make([]bool, len(t.sets))
	t.cyclic = make([]bool, len(t.sets))
	for _, component := range order {
		if err := t.solveAlone(component, setAlone); err != nil {
			return err
		}
		reaches := t.newRegionSet()
		cyclic := len(component) > 1
		exact, locks := true, false
		for _, s := range component {
			setReaches[s] = reaches
		}
		for _, s := range component {
			for _, x := range t.sets[s].Executions {
				if t.executions[x].role == NoTask && t.executions[x].lock == 0 {
					reaches.Add(int(t.executions[x].region))
				}
				if t.executions[x].lock > 0 {
					locks = true
					t.locks = max(t.locks, int(t.executions[x].lock))
				}
				t.eachPart(x, func(_ int, p part) {
					if p.set < 0 {
						return
					}
					reaches.Union(setReaches[p.set])
					locks = locks || t.setLocks[p.set]
					inside := setExact[p.set]
					for _, other := range component {
						if int(p.set) == other {
							cyclic, inside = true, false
						}
					}
					exact = exact && inside && p.times == math.Trunc(p.times)
				})
			}
			exact = exact && len(t.sets[s].Executions) == 1
		}
		for _, s := range component {
			setExact[s] = exact && !cyclic
			t.cyclic[s], t.setLocks[s] = cyclic, locks
		}
	}
	t.alone = make([]float64, len(t.lanes)*t.Kinds)
	t.exact, t.reaches = make([]bool, len(t.executions)), make([]RegionSet, len(t.executions))
	for x := range t.executions {
		t.exact[x], t.reaches[x] = true, t.newRegionSet()
		t.eachPart(x, func(l int, p part) {
			if p.set >= 0 {
				t.reaches[x].Union(setReaches[p.set])
				t.exact[x] = t.exact[x] && setExact[p.set] && p.times == math.Trunc(p.times)
			}
		})
		e := &t.executions[x]
		for l := e.first; l < e.first+e.lanes; l++ {
			for i := t.lanes[l].first; i < t.lanes[l].first+t.lanes[l].parts; i++ {
				for k := range t.Kinds {
					p, v := t.parts[i], t.own[int(i)*t.Kinds+k]
					if p.set >= 0 {
						v += setAlone[int(p.set)*t.Kinds+k]
					}
					t.alone[int(l)*t.Kinds+k] += p.times * v
				}
			}
		}
	}
	if err := t.findTasks(); err != nil {
		return err
	}
	t.findLeast(order)
	t.makeStages()
	return nil
}

// eachPart visits the parts of an execution's lanes with the index of their own times.
func (t *Table) eachPart(x int, visit func(at int, p part)) {
	e := &t.executions[x]
	for l := e.first; l < e.first+e.lanes; l++ {
		for i := t.lanes[l].first; i < t.lanes[l].first+t.lanes[l].parts; i++ {
			visit(int(i), t.parts[i])
		}
	}
}

// setOrder returns the components of sets that hold one another, inner ones first.
func (t *Table) setOrder() ([][]int, error) {
	for s := range t.sets {
		if len(t.sets[s].Executions) == 0 {
			return nil, fmt.Errorf("table: set %d is empty", s)
		}
	}
	return flow.Components(len(t.sets), func(s int, visit func(int)) {
		for _, x := range t.sets[s].Executions {
			t.eachPart(x, func(_ int, p part) {
				if p.set >= 0 {
					visit(int(p.set))
				}
			})
		}
	}), nil
}

// solveAlone fills the time of an execution of each set of a component with everything
// on one processor.
func (t *Table) solveAlone(component []int, alone []float64) error {
	return t.solve(component, t.Kinds, alone, func(x int, visit func(part, []float64)) {
		t.eachPart(x, func(at int, p part) { visit(p, t.own[at*t.Kinds:(at+1)*t.Kinds]) })
	})
}

// solve fills what an execution of each set of a component takes, so many figures each,
// where parts visits the parts of an execution that count, with the figures of their own:
// out = C*out + own, where C holds how often the sets execute one another.
func (t *Table) solve(component []int, figures int, out []float64, parts func(x int, visit func(p part, own []float64))) error {
	n := len(component)
	place := map[int]int{}
	for i, s := range component {
		place[s] = i
	}
	c := mat.NewDense(n, n, nil)
	recursive := false
	o := make([]float64, n*figures)
	for i, s := range component {
		for k, x := range t.sets[s].Executions {
			share := t.sets[s].Shares[k]
			parts(x, func(p part, own []float64) {
				for f := range figures {
					o[i*figures+f] += share * p.times * own[f]
				}
				if p.set < 0 {
					return
				}
				if j, ok := place[int(p.set)]; ok {
					recursive = true
					c.Set(i, j, c.At(i, j)+share*p.times)
					return
				}
				for f := range figures {
					o[i*figures+f] += share * p.times * out[int(p.set)*figures+f]
				}
			})
		}
	}
	if !recursive {
		for i, s := range component {
			copy(out[s*figures:(s+1)*figures], o[i*figures:])
		}
		return nil
	}
	x, ok := recursion.Linear(c, mat.NewDense(n, figures, o))
	if !ok {
		return t.endless(component)
	}
	for i, s := range component {
		copy(out[s*figures:(s+1)*figures], x.RawRowView(i))
	}
	return nil
}

// ErrEndless is wrapped by the error of a table whose recursion has no end on average.
type ErrEndless struct{ Region int }

func (e *ErrEndless) Error() string {
	return fmt.Sprintf("table: the recursion through region %d has no end: each execution leads to another on average", e.Region)
}

func (t *Table) endless(component []int) error {
	return &ErrEndless{int(t.executions[t.sets[component[0]].Executions[0]].region)}
}
