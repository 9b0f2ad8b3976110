package estimate

// This file solves the program on one processor with maximal times: the sequential
// time that the maximal-time technique compares with.

// solveMaximal fills maximal, callees first. Calls within a recursion count with
// their average, since the largest depth is not profiled.
func (e *Estimator) solveMaximal(levels [][]level) {
	e.maximal = make([]constants, len(e.funcs))
	var times []float64
	for _, f := range e.CalleesFirst() {
		v := newConstants(levels[f], len(e.kinds), true)
		e.maximal[f] = v
		for k := range e.kinds {
			cell := func(t *costTable, i int) float64 {
				x := t.base[k][i]
				for n := t.first[i]; n < t.first[i+1]; n++ {
					w := t.weight[k][n]
					switch id := t.terms[n]; {
					case id.fn < 0:
						x += w * v.of(id, k)
					case e.scc[id.fn] == e.scc[f]:
						x += w * e.serial[id.fn].levels[0][k]
					default:
						x += w * e.maximal[id.fn].levels[0][k]
					}
				}
				return x
			}
			for l := len(levels[f]) - 1; l >= 0; l-- {
				lev := &levels[f][l]
				if lev.parts.rows > 0 {
					times = lev.worstPart(&lev.parts, times, cell, nil)
					v.parts[l][0][k] = total(times)
				}
				for _, half := range halves {
					if n := lev.passes(half); n > 0 {
						times = lev.worst(&lev.class, half, times, cell, nil)
						v.levels[l][k] += n * total(times)
					}
				}
				for _, o := range lev.orphans {
					v.levels[l][k] += v.levels[o][k]
				}
			}
		}
	}
}

func total(times []float64) float64 {
	sum := 0.0
	for _, x := range times {
		sum += x
	}
	return sum
}

// halves lists the two parts of an execution of a loop. A function's body is one
// iteration.
var halves = [...]ending{inIteration, inPartial}

// passes returns how often the part of a level's execution is taken at most.
func (l *level) passes(part ending) float64 {
	only := false
	for _, e := range l.ends {
		only = only || e == part
	}
	switch {
	case !only:
		return 0
	case part == inIteration:
		return l.trips
	}
	return 1
}

// worst returns the largest time of each task over the paths of one part. Where a
// level is cut, a path is several segments, one for each place where segments start at
// most, so that the largest times of those places add up. extra, when given, adds
// the overhead of a class to its task times.
func (l *level) worst(t *costTable, part ending, times []float64, cell func(t *costTable, cell int) float64, extra func(class int, times []float64)) []float64 {
	n := t.tasks
	times = append(times[:0], make([]float64, 3*n)...)
	sum := times[:n]
	for start := range l.starts {
		most := t.largest(times[n:], func(c int) bool { return l.ends[c]&part != 0 && int(l.start[c]) == start }, cell, extra)
		for task, x := range most {
			sum[task] += x
		}
	}
	return sum
}

// largest returns the largest time of each task over some rows of a table.
func (t *costTable) largest(times []float64, of func(row int) bool, cell func(t *costTable, cell int) float64, extra func(row int, times []float64)) []float64 {
	most, row := times[:t.tasks], times[t.tasks:2*t.tasks]
	clear(most)
	for r := range t.rows {
		if !of(r) {
			continue
		}
		for task := range row {
			row[task] = cell(t, r*t.tasks+task)
		}
		if extra != nil {
			extra(r, row)
		}
		for task, x := range row {
			most[task] = max(most[task], x)
		}
	}
	return most
}

// worstPart returns the largest time of each task over the partial traversals that
// paths of outer levels hold.
func (l *level) worstPart(t *costTable, times []float64, cell func(t *costTable, cell int) float64, extra func(row int, times []float64)) []float64 {
	times = append(times[:0], make([]float64, 2*t.tasks)...)
	return t.largest(times, func(int) bool { return true }, cell, extra)
}
