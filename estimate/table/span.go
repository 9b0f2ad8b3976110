package table

// This file computes the longest chains of parts, whatever the mapping: what a program
// takes with a processor like the serial one for each section, those of nested constructs
// included. No mapping onto such processors takes less (R. L. Graham, "Bounds on
// multiprocessing timing anomalies", 1969).

import (
	"gonum.org/v1/gonum/mat"

	"pathspan/estimate/recursion"
	"pathspan/mapping"
)

// longer is by which part another lane has to be longer than the one that was found longest.
const longer = 1e-12

// Chains holds the longest chains.
type Chains struct {
	t      *Table
	kind   int
	serial int       // the processor whose overheads count; -1 for none
	over   float64   // cycles for each section of constructs that have several
	sets   []float64 // by set: of one execution
	lane   []int32   // by execution of a recursion: its longest lane
	tasks  spans     // of lanes that make tasks
}

// Chains finds the longest chains on processors like the serial one, with what creating and
// synchronising a task costs there, or without. The error is that of a recursion without an
// end.
func (t *Table) Chains(serial int, overheads bool) (*Chains, error) {
	return t.ChainsUnder(&mapping.Resolved{Serial: serial}, overheads)
}

// ChainsUnder finds them where buffers of pipelines are as deep as a mapping says, of which no more counts than its
// serial processor.
func (t *Table) ChainsUnder(m *mapping.Resolved, overheads bool) (*Chains, error) {
	serial := m.Serial
	c := &Chains{t: t, kind: t.KindOf[serial], serial: -1, sets: make([]float64, len(t.sets)), lane: make([]int32, len(t.executions))}
	if overheads {
		c.serial, c.over = serial, t.Create[serial]+t.Sync[serial]
	}
	order, err := t.setOrder()
	if err != nil {
		return nil, err
	}
	c.tasks = spans{t: t, known: map[int]chain{}, own: func(part int) float64 { return t.own[part*t.Kinds+c.kind] }, set: func(set int) float64 { return c.sets[set] }, waits: t.waitsUnder(m)}
	if overheads {
		c.tasks.make, c.tasks.atOnce, c.tasks.steal = t.Task[serial], t.Undeferred[serial], t.Steal[serial]
	}
	for _, component := range order {
		if s := component[0]; !t.cyclic[s] {
			for k, x := range t.sets[s].Executions {
				if t.executions[x].role == NoTask {
					c.sets[s] += t.sets[s].Shares[k] * c.Execution(x)
				}
			}
			continue
		}
		if err := c.solve(component); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Program returns the longest chain of one execution of the program, in cycles of
// processor 0.
func (c *Chains) Program() float64 {
	total := c.t.Base[c.kind]
	for _, r := range c.t.Roots {
		total += r.Weight * c.Execution(r.Execution)
	}
	return total
}

// Execution returns the longest chain of an execution, in cycles of processor 0.
func (c *Chains) Execution(x int) float64 {
	_, longest := c.longest(x, -1)
	return longest
}

// longest finds the longest lane of an execution; before is one that is kept unless another
// is longer, or -1.
func (c *Chains) longest(x int, before int32) (lane int32, cycles float64) {
	e := &c.t.executions[x]
	lane = before
	if before >= 0 {
		cycles = c.of(x, before) * (1 + longer)
	}
	for s := range e.lanes {
		if l := e.first + s; c.t.lanes[l].parts > 0 {
			if y := c.of(x, l); lane < 0 || y > cycles {
				lane, cycles = l, y
			}
		}
	}
	return lane, cycles
}

func (c *Chains) of(x int, lane int32) float64 {
	total := c.overhead(x)
	l := c.t.lanes[lane]
	if c.t.makes[x] {
		return total + c.tasks.lane(lane, c.t.asks[x]).all
	}
	for i := l.first; i < l.first+l.parts; i++ {
		p := &c.t.parts[i]
		own := c.t.own[int(i)*c.t.Kinds+c.kind]
		if p.set >= 0 {
			own += c.sets[p.set]
		}
		total += p.times * own
	}
	return total
}

// overhead is what each section of an execution bears for its task.
func (c *Chains) overhead(x int) float64 {
	e, several := &c.t.executions[x], 0
	for l := e.first; l < e.first+e.lanes; l++ {
		if c.t.lanes[l].parts > 0 {
			several++
		}
	}
	if c.serial < 0 {
		return 0
	}
	if e.atomic { // by one processor
		return 0
	}
	if e.lock > 0 {
		return c.t.Lock[c.serial] * e.acquires
	}
	if several < 2 {
		return c.t.single(e.region, e.construct, c.serial) * e.runs
	}
	before, after := c.t.around(e.region, e.construct, c.serial)
	return (before + c.over + after) * e.runs
}

// solve finds the chains of the sets of a component: by policy iteration, as they are sums
// and maxima of one another. The lanes that are longest so far are taken to be longest,
// which gives linear equations, until none is longer; each step comes closer from below.
func (c *Chains) solve(component []int) error {
	for _, s := range component {
		for _, x := range c.t.sets[s].Executions {
			c.lane[x] = -1
		}
	}
	for {
		changed := false
		for _, s := range component {
			for _, x := range c.t.sets[s].Executions {
				lane, _ := c.longest(x, c.lane[x])
				changed = changed || lane != c.lane[x]
				c.lane[x] = lane
			}
		}
		if !changed {
			return nil
		}
		own := []float64{0}
		if err := c.t.solve(component, 1, c.sets, func(x int, visit func(part, []float64)) {
			own[0] = c.overhead(x)
			visit(part{set: -1, times: 1}, own)
			if c.lane[x] < 0 {
				return
			}
			l := c.t.lanes[c.lane[x]]
			for i := l.first; i < l.first+l.parts; i++ {
				own[0] = c.t.own[int(i)*c.t.Kinds+c.kind]
				visit(c.t.parts[i], own)
			}
		}); err != nil {
			return err
		}
	}
}

// Often returns how often each execution happens in one execution of the program, inside
// others as well.
func (t *Table) Often() ([]float64, error) {
	order, err := t.setOrder()
	if err != nil {
		return nil, err
	}
	often, met := make([]float64, len(t.executions)), make([]float64, len(t.sets))
	inside := func(x int, n float64, except func(set int32) bool) {
		often[x] += n
		t.eachPart(x, func(_ int, p part) {
			if p.set >= 0 && !except(p.set) {
				met[p.set] += n * p.times
			}
		})
	}
	for _, r := range t.Roots {
		inside(r.Execution, r.Weight, func(int32) bool { return false })
	}
	for i := len(order) - 1; i >= 0; i-- { // outer ones first
		component, place := order[i], map[int32]int{}
		for k, s := range component {
			place[int32(s)] = k
		}
		if t.cyclic[component[0]] {
			if err := t.meetings(component, place, met); err != nil {
				return nil, err
			}
		}
		for _, s := range component {
			for k, x := range t.sets[s].Executions {
				inside(x, met[s]*t.sets[s].Shares[k], func(set int32) bool { _, ok := place[set]; return ok })
			}
		}
	}
	return often, nil
}

// meetings solves how often the sets of a recursion are met: met = C'*met + what is met
// from outside of it.
func (t *Table) meetings(component []int, place map[int32]int, met []float64) error {
	n := len(component)
	c, from := mat.NewDense(n, n, nil), mat.NewDense(n, 1, nil)
	for i, s := range component {
		from.Set(i, 0, met[s])
		for k, x := range t.sets[s].Executions {
			t.eachPart(x, func(_ int, p part) {
				if j, ok := place[p.set]; ok {
					c.Set(j, i, c.At(j, i)+t.sets[s].Shares[k]*p.times)
				}
			})
		}
	}
	x, ok := recursion.Linear(c, from)
	if !ok {
		return t.endless(component)
	}
	for i, s := range component {
		met[s] = x.At(i, 0)
	}
	return nil
}
