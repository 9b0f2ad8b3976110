package pathwise

// This file values levels and functions by walking all of their paths.

import (
	"fmt"
	"math"

	"pathspan/mapping"
	"pathspan/pathprof"
)

// Technique is a way to estimate, as package estimate defines it.
type Technique uint8

// The techniques.
const (
	PathBased         Technique = iota // schedule each path, average the ends
	PathBasedUnmapped                  // the same with a processor for each section
	AverageTime                        // average the task times, schedule once
	MaximalTime                        // schedule the largest task times once
)

var names = [...]string{PathBased: "pb", PathBasedUnmapped: "pb-unmapped", AverageTime: "at", MaximalTime: "mt"}

// ParseTechnique returns the technique that package estimate knows by that name.
func ParseTechnique(name string) (Technique, error) {
	for t, n := range names {
		if n == name {
			return Technique(t), nil
		}
	}
	return 0, fmt.Errorf("technique %q: no second way to compute it", name)
}

// walker values one mapping under one technique.
type walker struct {
	p         *Program
	m         *mapping.Resolved
	technique Technique
	layouts   map[spot]*layout
	levels    map[spot]amount // values of levels that are known
	pooled    map[spot]amount // values of partial traversals, where all have one
	solved    map[spot]float64
	solving   map[int]*system // by component
	average   *walker         // path-based values of the same mapping, for MaximalTime
	err       error
}

func (p *Program) walker(m *mapping.Resolved, t Technique) *walker {
	return &walker{
		p: p, m: m, technique: t, layouts: map[spot]*layout{}, levels: map[spot]amount{},
		pooled: map[spot]amount{}, solved: map[spot]float64{}, solving: map[int]*system{},
	}
}

// call returns the value of a call by a function. The largest depth of a recursion is
// not profiled, so that for maximal times calls within one count as path-based.
func (w *walker) call(caller, callee int, p place) amount {
	if c := w.p.component[callee]; w.technique == MaximalTime && c >= 0 && c == w.p.component[caller] {
		if w.average == nil {
			w.average = w.p.walker(w.m, PathBased)
		}
		a := w.average.function(spot{callee, 0, p.proc, p.inside})
		if w.err == nil {
			w.err = w.average.err
		}
		return a
	}
	return w.function(spot{callee, 0, p.proc, p.inside})
}

// function returns the value of a function, whose body is the level of the spot.
func (w *walker) function(at spot) amount {
	if w.p.component[at.fn] < 0 || w.technique == MaximalTime {
		return w.level(at)
	}
	return w.recursive(at)
}

// level returns the value of a level for one entry (eq. 11).
func (w *walker) level(at spot) amount {
	if v, ok := w.levels[at]; ok {
		return v
	}
	f := w.p.funcs[at.fn]
	l := w.layOut(at)
	var total amount
	switch w.technique {
	case MaximalTime:
		total = w.maximal(at)
	case AverageTime:
		sum := make([]amount, len(l.places))
		w.paths(at, func(_ *pathprof.Path, count float64, times []amount) { add(sum, times, count) })
		total = l.bar.longest(sum)
	default:
		w.paths(at, func(_ *pathprof.Path, count float64, times []amount) {
			total = total.plus(l.bar.longest(times), count)
		})
	}
	for _, stray := range f.strays[at.level] {
		total = total.plus(w.level(w.loop(at, stray-1)), 1)
	}
	if w.technique != MaximalTime {
		total = total.over(f.entries[at.level])
	}
	w.levels[at] = total
	return total
}

// paths visits the paths of a level with their task times.
func (w *walker) paths(at spot, visit func(path *pathprof.Path, count float64, times []amount)) {
	f := w.p.funcs[at.fn]
	for i := range f.levels[at.level].Paths {
		if path := &f.levels[at.level].Paths[i]; path.Count > 0 {
			visit(path, float64(path.Count), w.times(at, f.stepsOf(at.level, path)))
		}
	}
}

func add(sum, times []amount, count float64) {
	for t := range sum {
		sum[t] = sum[t].plus(times[t], count)
	}
}

func raise(most, times []amount) {
	for t := range most {
		most[t] = larger(most[t], times[t])
	}
}

// maximal returns the largest number of iterations times the longest schedule of the
// largest task times, and once that of the last traversals that the level counts. A
// level that is cut has paths in pieces: the largest times of pieces that start at one
// block, added over those blocks.
func (w *walker) maximal(at spot) amount {
	f := w.p.funcs[at.fn]
	prof := &f.levels[at.level]
	n := len(w.layOut(at).places)
	type part struct {
		starts []pathprof.Step
		most   [][]amount
		any    bool // a path of this part alone
	}
	var whole, last part
	into := func(p *part, start pathprof.Step, times []amount) {
		for i, s := range p.starts {
			if s == start {
				raise(p.most[i], times)
				return
			}
		}
		p.starts, p.most = append(p.starts, start), append(p.most, make([]amount, n))
		raise(p.most[len(p.most)-1], times)
	}
	w.paths(at, func(path *pathprof.Path, _ float64, times []amount) {
		cut := at.level > 0 && path.End == pathprof.EndCut // in the middle of either
		iteration := at.level == 0 || path.End == pathprof.EndIteration
		whole.any, last.any = whole.any || iteration, last.any || !iteration && !cut
		if iteration || cut {
			into(&whole, path.Steps[0], times)
		}
		if !iteration || cut {
			into(&last, path.Steps[0], times)
		}
	})
	value := func(p *part, trips float64) amount {
		if !p.any {
			return amount{}
		}
		sum := make([]amount, n)
		for _, most := range p.most {
			add(sum, most, 1)
		}
		return amount{}.plus(w.layOut(at).bar.longest(sum), trips)
	}
	trips := 1.0
	if at.level > 0 {
		n := 0.0
		for _, path := range prof.Paths {
			if path.End == pathprof.EndIteration {
				n += float64(path.Count)
			}
		}
		trips = math.Ceil(n / f.entries[at.level])
		if prof.MaxKnown { // below the average only where an entry that never ended was lost
			trips = math.Max(trips, float64(prof.MaxTrips))
		}
	}
	return value(&whole, trips).plus(value(&last, 1), 1)
}

// partial returns the value of a partial traversal of a loop that reaches a region.
// Average and maximal times know one value for all of the loop.
func (w *walker) partial(at spot, steps []step) amount {
	l := w.layOut(at)
	if w.technique == PathBased || w.technique == PathBasedUnmapped {
		return l.bar.longest(w.times(at, steps))
	}
	if v, ok := w.pooled[at]; ok {
		return v
	}
	times, n := make([]amount, len(l.places)), 0.0
	w.p.funcs[at.fn].partials(at.level, func(steps []step, count float64) {
		if w.technique == MaximalTime {
			raise(times, w.times(at, steps))
		} else {
			add(times, w.times(at, steps), count)
			n += count
		}
	})
	v := l.bar.longest(times)
	if w.technique == AverageTime {
		v = v.over(n)
	}
	w.pooled[at] = v
	return v
}

// partials visits every partial traversal of a level that the paths of the levels
// around it hold.
func (f *function) partials(level int, visit func(steps []step, count float64)) {
	var within func(around int, steps []step, count float64)
	within = func(around int, steps []step, count float64) {
		_, inner := f.split(around, steps)
		for _, t := range inner {
			if t.loop+1 == level {
				visit(t.steps, count)
			} else {
				within(t.loop+1, t.steps, count)
			}
		}
	}
	for l := range f.levels {
		for i := range f.levels[l].Paths {
			if p := &f.levels[l].Paths[i]; p.Count > 0 {
				within(l, f.stepsOf(l, p), float64(p.Count))
			}
		}
	}
}
