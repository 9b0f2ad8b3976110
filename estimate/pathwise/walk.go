package pathwise

// This file values levels and functions by walking all of their paths.

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/profile"
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
	if t := slices.Index(names[:], name); t >= 0 {
		return Technique(t), nil
	}
	return 0, fmt.Errorf("technique %q: no second way to compute it", name)
}

// spot is a level of a function on a processor. Where it forks, the sections of its groups
// run where the mapping says; else all of it stays.
type spot struct {
	fn, level, proc int
	forks           bool
}

// walker values one mapping under one technique, in microseconds.
type walker struct {
	p         *Program
	m         *mapping.Resolved
	technique Technique
	levels    map[spot]float64 // values of levels that are known
	pooled    map[spot]float64 // values of partial traversals, where all have one
	values    map[spot]float64 // values of recursive functions, known or assumed
	assumed   map[int][]spot   // by circle that is being solved: functions with assumed values
	average   *walker          // path-based values of the same mapping, for MaximalTime
	err       error
}

func (p *Program) walker(m *mapping.Resolved, t Technique) *walker {
	return &walker{
		p: p, m: m, technique: t, levels: map[spot]float64{}, pooled: map[spot]float64{},
		values: map[spot]float64{}, assumed: map[int][]spot{},
	}
}

// call returns the value of a call by a function. The largest depth of a recursion is
// not profiled, so that for maximal times calls within one count as path-based.
func (w *walker) call(caller int, callee spot) float64 {
	if c := w.p.circle[callee.fn]; w.technique == MaximalTime && c >= 0 && c == w.p.circle[caller] {
		if w.average == nil {
			w.average = w.p.walker(w.m, PathBased)
		}
		x := w.average.function(callee)
		if w.err == nil {
			w.err = w.average.err
		}
		return x
	}
	return w.function(callee)
}

// function returns the value of a function, whose body is the level of the spot.
func (w *walker) function(at spot) float64 {
	c := w.p.circle[at.fn]
	if c < 0 || w.technique == MaximalTime {
		return w.level(at)
	}
	if x, ok := w.values[at]; ok {
		return x
	}
	if w.values[at] = 0; w.assumed[c] != nil {
		w.assumed[c] = append(w.assumed[c], at)
		return 0
	}
	w.assumed[c] = []spot{at}
	w.solve(c)
	delete(w.assumed, c)
	return w.values[at]
}

// solve solves a recursion. Regions lie outside of its sections, so that the values of its
// functions are sums of one another: x = A*x + b, where each x that is assumed to be
// something else than 0 shows a column of A.
func (w *walker) solve(circle int) {
	all := func() []float64 {
		of := func(at spot, _ float64) bool { return w.p.circle[at.fn] == circle }
		maps.DeleteFunc(w.levels, of)
		maps.DeleteFunc(w.pooled, of)
		var out []float64
		for i := 0; i < len(w.assumed[circle]); i++ { // more may be found
			out = append(out, w.level(w.assumed[circle][i]))
		}
		return out
	}
	base := all()
	n, scale := len(base), max(1, slices.Max(base))
	a, x := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for j, at := range w.assumed[circle] {
		w.values[at] = scale
		for i, y := range all() {
			a.Set(i, j, -(y-base[i])/scale)
		}
		w.values[at] = 0
		a.Set(j, j, 1+a.At(j, j))
	}
	err := x.SolveVec(a, mat.NewVecDense(n, base))
	for i, at := range w.assumed[circle] {
		w.values[at] = x.AtVec(i)
		if x := x.AtVec(i); !(x >= -1e-9) || math.IsInf(x, 1) || err != nil && !isCondition(err) {
			w.err = fmt.Errorf("verify: the recursion of %s has no solution", w.p.funcs[at.fn].fn.Name)
		}
	}
	all() // so that no level is known by what was assumed
}

// isCondition reports whether a system was solved, if inexactly.
func isCondition(err error) bool {
	c, ok := err.(mat.Condition)
	return ok && !math.IsInf(float64(c), 0)
}

// level returns the value of a level for one entry (eq. 11).
func (w *walker) level(at spot) float64 {
	if v, ok := w.levels[at]; ok {
		return v
	}
	f, total := w.p.funcs[at.fn], 0.0
	switch w.technique {
	case MaximalTime:
		total = w.maximal(at)
	case AverageTime:
		sum := w.none(at)
		w.paths(at, func(_ *profile.Path, count float64, times []float64) { add(sum, times, count) })
		total = w.end(at, sum)
	default:
		w.paths(at, func(_ *profile.Path, count float64, times []float64) { total += count * w.end(at, times) })
	}
	for _, stray := range f.strays[at.level] {
		total += w.level(w.task(at, f.graphs.LoopTask(at.level, stray-1), stray))
	}
	if w.technique != MaximalTime {
		total /= f.entries[at.level]
	}
	w.levels[at] = total
	return total
}

// paths visits the paths of a level with their task times.
func (w *walker) paths(at spot, visit func(path *profile.Path, count float64, times []float64)) {
	f := w.p.funcs[at.fn]
	for i := range f.levels[at.level].Paths {
		if path := &f.levels[at.level].Paths[i]; path.Count > 0 {
			visit(path, float64(path.Count), w.times(at, f.stepsOf(at.level, path)))
		}
	}
}

// none are times of no tasks of a level.
func (w *walker) none(at spot) []float64 {
	return make([]float64, len(w.p.funcs[at.fn].graphs.Levels[at.level].Tasks))
}

func add(sum, times []float64, count float64) {
	for t := range sum {
		sum[t] += count * times[t]
	}
}

func raise(most, times []float64) {
	for t := range most {
		most[t] = max(most[t], times[t])
	}
}

// maximal returns the largest number of iterations times the longest schedule of the
// largest task times, and once that of the last traversals that the level counts. A
// level that is cut has paths in pieces: the largest times of pieces that start at one
// block, added over those blocks.
func (w *walker) maximal(at spot) float64 {
	type part struct {
		starts []pathprof.Step
		most   [][]float64
		any    bool // a path of this part alone
	}
	var whole, last part
	into := func(p *part, start pathprof.Step, times []float64) {
		i := slices.Index(p.starts, start)
		if i < 0 {
			i = len(p.starts)
			p.starts, p.most = append(p.starts, start), append(p.most, w.none(at))
		}
		raise(p.most[i], times)
	}
	completed := 0.0
	w.paths(at, func(path *profile.Path, count float64, times []float64) {
		cut := at.level > 0 && path.End == pathprof.EndCut // in the middle of either
		iteration := at.level == 0 || path.End == pathprof.EndIteration
		whole.any, last.any = whole.any || iteration, last.any || !iteration && !cut
		if iteration {
			completed += count
		}
		if iteration || cut {
			into(&whole, path.Steps[0], times)
		}
		if !iteration || cut {
			into(&last, path.Steps[0], times)
		}
	})
	value := func(p *part) float64 {
		if !p.any {
			return 0
		}
		sum := w.none(at)
		for _, most := range p.most {
			add(sum, most, 1)
		}
		return w.end(at, sum)
	}
	f, trips := w.p.funcs[at.fn], 1.0
	if at.level > 0 {
		trips = math.Ceil(completed / f.entries[at.level])
		if prof := &f.levels[at.level]; prof.MaxKnown { // below the average only where an entry that never ended was lost
			trips = max(trips, float64(prof.MaxTrips))
		}
	}
	return trips*value(&whole) + value(&last)
}

// partial returns the value of a partial traversal of a loop that reaches a region.
// Average and maximal times know one value for all of the loop.
func (w *walker) partial(at spot, steps []step) float64 {
	if w.technique == PathBased || w.technique == PathBasedUnmapped {
		return w.end(at, w.times(at, steps))
	}
	if v, ok := w.pooled[at]; ok {
		return v
	}
	times, n := w.none(at), 1.0
	if w.technique == AverageTime {
		n = 0
	}
	w.p.funcs[at.fn].partials(at.level, func(steps []step, count float64) {
		if w.technique == MaximalTime {
			raise(times, w.times(at, steps))
		} else {
			add(times, w.times(at, steps), count)
			n += count
		}
	})
	w.pooled[at] = w.end(at, times) / n
	return w.pooled[at]
}
