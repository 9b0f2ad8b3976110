package estimate

// This file finds lower bounds on the time of any candidate of a space. Each bound is
// taken path by path and then averaged, so that paths that are slow for different
// reasons each count with their own.

import (
	"math"

	"pathspan/htg"
)

// Bounds are lower bounds on Fast.Seconds over all candidates whose sections stay on the
// allowed processors. They are 0 where none is known: for regions within regions by
// executions.
type Bounds struct {
	// Critical is the critical path: every section on its fastest processor, none
	// waiting for another.
	Critical float64
	// Capacity is work over capacity: every section may be split over all processors.
	Capacity float64
	// Combined takes the larger of both for each path, with overheads.
	Combined float64
}

// Bounds returns the lower bounds where gene i may have the values allowed[i]; nil stands
// for all of them.
//
// For the sections s of a construct on one path and processors p, any weights y of sum 1
// give a bound on the last end, since the largest of the loads is no less than their mean
// with these weights: sum over s of the least y(p)*t(s,p) (the dual of the linear
// relaxation of scheduling on unrelated machines, Lenstra, Shmoys and Tardos). Equal
// weights divide the least work by the number of processors; weights in proportion to
// speed divide the work by the capacity of uniform machines. The larger one counts.
func (s *Space) Bounds(allowed [][]int32) Bounds {
	var b Bounds
	if s.general >= 0 && s.technique == PathBased {
		b.Critical = s.lower(lowerCritical) * s.seconds
		b.Capacity = s.lower(lowerCapacity) * s.seconds
		b.Combined = s.lower(lowerCritical|lowerCapacity) * s.seconds
	} else if s.general < 0 {
		x := s.base * s.seconds
		b = Bounds{x, x, x}
	}
	for u := range s.Units {
		if u == s.general {
			continue
		}
		x := s.UnitBounds(u, allowed)
		b.Critical += x.Critical
		b.Capacity += x.Capacity
		b.Combined += x.Combined
	}
	return b
}

// UnitBounds returns the bounds of one unit, which must not be general.
func (s *Space) UnitBounds(unit int, allowed [][]int32) Bounds {
	u, t := &s.Units[unit], &s.tables[unit]
	kinds := len(s.e.kinds)
	may := make([][]bool, u.Count) // [section][kind]
	used := make([]bool, len(s.extra))
	rest := true // all of it may stay with the serial processor
	for i := range may {
		may[i] = make([]bool, kinds)
		serial := false
		s.values(allowed, u.First+i, func(p int) {
			may[i][s.e.kindOf[p]] = true
			used[p] = true
			serial = serial || p == s.Serial
		})
		rest = rest && serial
	}
	processors := make([]float64, kinds) // by kind: how many
	least := math.Inf(1)                 // overhead
	for p, yes := range used {
		if yes {
			processors[s.e.kindOf[p]]++
			least = min(least, s.extra[p])
		}
	}
	var out Bounds
	whole, combined := 0.0, 0.0
	work := make([]float64, kinds)
	for r, w := range t.weight {
		critical, onSerial := 0.0, 0.0
		for k := range work {
			work[k] = 0
			for i := range may {
				work[k] += t.column(k, i)[r]
			}
		}
		for i := range may {
			fastest := math.Inf(1)
			for k, yes := range may[i] {
				if yes {
					fastest = min(fastest, t.column(k, i)[r])
				}
			}
			critical = max(critical, fastest)
			onSerial += t.column(s.e.kindOf[s.Serial], i)[r]
		}
		capacity := 0.0
		for _, bySpeed := range []bool{false, true} {
			capacity = max(capacity, s.dual(t, r, may, processors, work, bySpeed))
		}
		out.Critical += w * critical
		out.Capacity += w * capacity
		combined += w * (max(critical, capacity) + least*t.runs[r])
		whole += w * onSerial
	}
	out.Combined = combined
	if rest {
		out.Combined = min(combined, whole)
		out.Critical, out.Capacity = min(out.Critical, whole), min(out.Capacity, whole)
	}
	return Bounds{out.Critical * s.seconds, out.Capacity * s.seconds, out.Combined * s.seconds}
}

// dual is the bound of one row with weights that are equal, or by speed: how fast a kind
// does all of the row's work.
func (s *Space) dual(t *unitTable, r int, may [][]bool, processors, work []float64, bySpeed bool) float64 {
	total := 0.0
	weight := func(k int) float64 {
		switch {
		case !bySpeed:
			return 1
		case work[k] > 0:
			return 1 / work[k]
		}
		return 0
	}
	for k, n := range processors {
		total += n * weight(k)
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return 0
	}
	bound := 0.0
	for i := range may {
		best := math.Inf(1)
		for k, yes := range may[i] {
			if yes {
				best = min(best, weight(k)*t.column(k, i)[r])
			}
		}
		bound += best
	}
	return bound / total
}

func (s *Space) values(allowed [][]int32, gene int, visit func(v int)) {
	if allowed != nil && allowed[gene] != nil {
		for _, v := range allowed[gene] {
			visit(int(v))
		}
		return
	}
	for v := range s.Genes[gene].Values {
		visit(v)
	}
}

// Which bound is taken of a group of sections.
const (
	lowerCritical = 1 << iota
	lowerCapacity
)

// lowerBound finds bounds where regions lie within regions: the least value that each
// function can have wherever it runs, and outside sections, where it runs on the serial
// processor. A nested construct finds all processors free, whatever else runs, so the
// work inside of a task does not count against the capacity outside of it: only the
// tasks of one level share processors.
type lowerBound struct {
	s        *Space
	mode     int
	anywhere []float64 // by hot function
	serial   []float64 // by hot function: outside sections
	levels   [2][]float64
	parts    [2][][]float64
}

// Places that a level can run in.
const (
	outside = iota
	inside
)

// lower returns the bound on everything but the flat units, in cycles of processor 0.
// Values of recursive functions start from 0, which is no more than any solution, and
// every further round stays below them, as all equations are increasing.
func (s *Space) lower(mode int) float64 {
	e := s.e
	root := e.hotOf[e.Root]
	if root < 0 {
		return e.serial[e.Root].levels[0][e.kindOf[s.Serial]]
	}
	const rounds = 50
	b := &lowerBound{s: s, mode: mode, anywhere: make([]float64, len(e.hot)), serial: make([]float64, len(e.hot))}
	for range rounds {
		again := false
		for h, f := range e.hot { // callees first
			b.serial[h] = b.function(f, outside)
			b.anywhere[h] = min(b.serial[h], b.function(f, inside))
			again = again || f.cyclic
		}
		if !again {
			break
		}
	}
	return b.serial[root]
}

// function bounds the value of a call.
func (b *lowerBound) function(f *hotFunc, place int) float64 {
	n := len(f.levels)
	for i := range b.levels {
		b.levels[i], b.parts[i] = make([]float64, n), make([][]float64, n)
	}
	for i := n - 1; i >= 0; i-- {
		hl := &f.levels[i]
		for at := range b.levels {
			if at == outside && place == inside {
				continue // a loop inside a section is inside wherever the function is
			}
			if !hl.on {
				b.levels[at][i] = b.constant(b.s.e.serial[f.fn].levels[i], at)
				continue
			}
			total := 0.0
			for c, count := range hl.count {
				total += count * b.series(hl, &hl.class, c, hl.graph.Series, at)
			}
			for _, o := range hl.orphans {
				from := at
				if hl.graph.Tasks[b.s.e.Graphs[f.fn].LoopTask(i, o-1)].Group >= 0 {
					from = inside
				}
				total += b.levels[from][o]
			}
			b.levels[at][i] = total / hl.denom
			b.parts[at][i] = make([]float64, hl.parts.rows)
			for r := range b.parts[at][i] {
				b.parts[at][i][r] = b.series(hl, &hl.parts, r, hl.graph.Series, at)
			}
		}
	}
	return b.levels[place][0]
}

// constant is the least of values by kind.
func (b *lowerBound) constant(byKind []float64, place int) float64 {
	if place == outside {
		return byKind[b.s.e.kindOf[b.s.Serial]]
	}
	least := byKind[0]
	for _, x := range byKind {
		least = min(least, x)
	}
	return least
}

// series bounds the time of stages one after the other on one path.
func (b *lowerBound) series(hl *hotLevel, t *costTable, row int, stages []htg.Stage, place int) float64 {
	total := 0.0
	for _, st := range stages {
		if st.Task >= 0 {
			total += b.task(hl, t, row, st.Task, place)
		} else {
			total += b.group(hl, t, row, &hl.graph.Groups[st.Group], place)
		}
	}
	return total
}

func (b *lowerBound) group(hl *hotLevel, t *costTable, row int, g *htg.Group, place int) float64 {
	if place == outside && b.s.flat[g.Region] {
		return 0 // a unit of its own
	}
	critical, work := 0.0, 0.0
	for i := range g.Sections {
		critical = max(critical, b.series(hl, t, row, g.Sections[i].Series, inside))
		for _, task := range g.Sections[i].Tasks {
			work += b.task(hl, t, row, task, inside)
		}
	}
	switch capacity := work / float64(len(b.s.extra)); b.mode {
	case lowerCritical:
		return critical
	case lowerCapacity:
		return capacity
	default:
		return max(critical, capacity)
	}
}

// task bounds the time of a task on one path.
func (b *lowerBound) task(hl *hotLevel, t *costTable, row, task, place int) float64 {
	cell := row*t.tasks + task
	least := math.Inf(1)
	for k := range b.s.e.kinds {
		if place == outside && k != b.s.e.kindOf[b.s.Serial] {
			continue
		}
		x := t.base[k][cell]
		for n := t.first[cell]; n < t.first[cell+1]; n++ {
			x += t.weight[k][n] * b.dep(hl.deps[t.deps[n]], place)
		}
		least = min(least, x)
	}
	return least
}

func (b *lowerBound) dep(d dep, place int) float64 {
	switch {
	case d.hot >= 0 && place == outside:
		return b.serial[d.hot]
	case d.hot >= 0:
		return b.anywhere[d.hot]
	case d.part < 0:
		return b.levels[place][d.level]
	}
	return b.parts[place][d.level][d.part]
}
