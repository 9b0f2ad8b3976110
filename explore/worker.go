package explore

// This file values candidates for one work item and keeps the best.

import (
	"math"
	"math/rand/v2"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping"
)

// worker runs one item.
type worker struct {
	s      *Search
	p      *problem
	item   item
	before []*Outcome // of earlier batches
	f      *table.Fast
	random *rand.Rand
	left   int64 // evaluations
	used   int64
	told   int64 // of those, added to Search.spent
	cut    bool  // the search ended before the item

	allowed  [][]int32 // by gene
	free     []int     // genes with a choice that the item makes
	weights  []float64
	best     *Candidate
	front    *front
	parts    []Part
	complete bool
	busy     []float64
	mark     []bool
	memory   []float64
}

func (s *Search) newWorker(problem, number int, budget int64) *worker {
	p := s.problems[problem]
	n := len(p.class)
	w := &worker{
		s: s, p: p, f: p.space.NewFast(), left: budget,
		random: rand.New(rand.NewPCG(s.Seed, mixed(uint64(number)))),
		busy:   make([]float64, n), mark: make([]bool, n), memory: make([]float64, n),
	}
	w.limit(p.allowed, 0, len(p.allowed))
	if len(s.Pareto) > 0 {
		w.front = &front{of: s.Pareto}
		// Each item looks in a direction of its own.
		sum := 0.0
		for range s.Pareto {
			x := -math.Log(1 - w.random.Float64())
			w.weights = append(w.weights, x)
			sum += x
		}
		for i := range w.weights {
			w.weights[i] /= sum
		}
	}
	return w
}

// limit limits the item to some genes and values.
func (w *worker) limit(allowed [][]int32, first, count int) {
	w.allowed, w.free = allowed, w.free[:0]
	for g := first; g < first+count; g++ {
		if len(allowed[g]) > 1 {
			w.free = append(w.free, g)
		}
	}
}

// mixed spreads a number over 64 bits, so that neighbouring streams start far apart.
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// metrics values the candidate of f.
func (w *worker) metrics() Metrics {
	m := Metrics{Seconds: w.f.Seconds()}
	m.Area, _ = w.area()
	m.Processors = w.processors()
	if w.s.power.Known {
		m.Joules = w.joules(m.Seconds)
	}
	return m
}

func (w *worker) joules(seconds float64) float64 {
	clear(w.busy)
	w.f.BusySeconds(w.busy)
	return finite(w.s.power.Joules(seconds, w.busy))
}

// finite keeps a cost that has no solution in the range of numbers that JSON has.
func finite(x float64) float64 {
	if math.IsNaN(x) || x > math.MaxFloat64 {
		return math.MaxFloat64
	}
	return x
}

// processors counts the processors in use: the serial one and those that sections are
// placed on. A region that is not spread is on its thread, or where OpenMP's static
// schedule puts it when no region is active, so that then the busy times say, as they do of loops
// that are no decision.
func (w *worker) processors() int {
	clear(w.mark)
	w.mark[w.p.space.Serial] = true
	unspread := w.p.fixed
	for g, v := range w.f.Genes {
		switch w.p.space.Genes[g].Kind {
		case table.Placement:
			if at := w.p.spread[g]; at < 0 || w.f.Genes[at] == 1 {
				w.mark[v] = true
			}
		case table.Nested:
			unspread = unspread || v == 0
		case table.Team:
			for _, p := range mapping.Team(len(w.mark), w.p.space.Serial, int(v)+1) {
				w.mark[p] = true
			}
		case table.Sharing:
			for _, p := range w.p.space.Way(g, v).Processors {
				w.mark[p] = true
			}
		}
	}
	if unspread {
		clear(w.busy)
		w.f.BusySeconds(w.busy)
	}
	n := 0
	for p, used := range w.mark {
		if used || unspread && w.busy[p] > 0 {
			n++
		}
	}
	return n
}

// violation says by how much the candidate of f breaks the constraints that genes do not
// keep by themselves.
func (w *worker) violation(seconds float64) float64 {
	x := 0.0
	if n := w.s.Constraints.MaxProcessors; n > 0 && n < len(w.mark) {
		x += float64(max(0, w.processors()-n))
	}
	if w.s.limits.tied {
		x += w.overfull()
	}
	if w.s.buffers || w.s.tasked {
		_, over := w.area()
		x += over
	}
	x += w.unsound()
	if limit := w.s.limit[w.item.problem]; seconds > limit*(1+1e-12) {
		x += min(seconds/limit-1, 1e9)
	}
	return x
}

// overfull is by how much memories are exceeded, relative to them.
func (w *worker) overfull() float64 {
	clear(w.memory)
	for g, v := range w.f.Genes {
		if w.p.demand[g] > 0 {
			w.memory[v] += w.p.demand[g]
		}
	}
	x := 0.0
	for p, m := range w.memory {
		if limit := w.s.limits.memory[p]; m > limit {
			x += m/limit - 1
		}
	}
	return x
}

// look values the candidate of f, keeps it if it is the best, and returns its scalar.
func (w *worker) look() float64 {
	w.used++
	w.left--
	var m Metrics
	m.Seconds = w.f.Seconds()
	m.Area, _ = w.area()
	violation := w.violation(m.Seconds)
	if w.s.wants(Processors) {
		m.Processors = w.processors()
	}
	if w.s.wants(Energy) {
		m.Joules = w.joules(m.Seconds)
	}
	x := w.s.scalar(&m, violation, w.weights)
	if math.IsInf(m.Seconds, 1) {
		return x
	}
	if w.front != nil && violation == 0 && !w.front.covers(&m) {
		w.front.add(Candidate{w.item.problem, slices.Clone(w.f.Genes), w.metrics(), 0})
	}
	if w.improves(&m, violation) {
		w.best = &Candidate{w.item.problem, slices.Clone(w.f.Genes), w.metrics(), violation}
		w.s.show(w.best)
	}
	return x
}

// improves reports whether costs are better than the item's best. Of equal ones the first
// stays.
func (w *worker) improves(m *Metrics, violation float64) bool {
	if w.best == nil || violation != w.best.Violation {
		return w.best == nil || violation < w.best.Violation
	}
	x, best := m.of(w.s.Objective), w.best.Metrics.of(w.s.Objective)
	return x < best || x == best && m.Seconds < w.best.Metrics.Seconds
}

// pollEvery is how many evaluations pass between two looks at the clock.
const pollEvery = 256

// more reports whether the item may go on.
func (w *worker) more() bool {
	if w.used-w.told >= pollEvery {
		w.s.spent.Add(w.used - w.told)
		w.told = w.used
		if w.s.stop.Load() || w.s.late() {
			w.cut = true
		}
	}
	return w.left > 0 && !w.cut
}

func (w *worker) outcome() *Outcome {
	w.s.spent.Add(w.used - w.told)
	w.told = w.used
	o := &Outcome{Evaluations: w.used, Best: w.best, Parts: w.parts, Complete: w.complete}
	if w.front != nil {
		w.front.sort()
		o.Front = w.front.all
	}
	return o
}

// pick returns a random value of a gene, another than the one it has.
func (w *worker) pick(g int) int32 {
	values := w.allowed[g]
	at := w.random.IntN(len(values) - 1)
	if values[at] == w.f.Genes[g] {
		at = len(values) - 1
	}
	return values[at]
}

// scatter makes a random candidate, on a random set of processors where their number
// matters.
func (w *worker) scatter(genes []int32) {
	set := w.p.sets[0]
	if len(w.p.sets) > 1 || slices.Contains(set, false) {
		set = w.p.sets[w.random.IntN(len(w.p.sets))]
	} else {
		set = nil
	}
	for _, g := range w.free {
		values := w.allowed[g]
		at := w.random.IntN(len(values))
		for set != nil && !w.p.inside(g, values[at], set) { // fits says that some are
			at = w.random.IntN(len(values))
		}
		genes[g] = values[at]
	}
}
