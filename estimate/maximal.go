package estimate

// This file solves the program on one processor with maximal times: the sequential
// time that the maximal-time technique compares with.

// solveMaximal fills maximal, callees first. Calls within a recursion count with
// their average, since the largest depth is not profiled.
func (e *Estimator) solveMaximal(levels [][]level) {
	e.maximal = make([][][]float64, len(e.funcs))
	var times []float64
	for _, f := range e.order {
		v := make([][]float64, len(levels[f]))
		for l := range v {
			v[l] = make([]float64, len(e.kinds))
		}
		e.maximal[f] = v
		for k := range e.kinds {
			for l := len(levels[f]) - 1; l >= 0; l-- {
				lev := &levels[f][l]
				cell := func(t *table, i int) float64 {
					x := t.base[k][i]
					for n := t.first[i]; n < t.first[i+1]; n++ {
						w := t.weight[k][n]
						switch id := t.terms[n]; {
						case !id.function():
							x += w * v[id.level()][k]
						case e.scc[id] == e.scc[f]:
							x += w * e.serial[id][0][k]
						default:
							x += w * e.maximal[id][0][k]
						}
					}
					return x
				}
				total := 0.0
				for _, part := range parts {
					if lev.passes(part) > 0 {
						times = lev.worst(&lev.class, part, times, cell, nil)
						sum := 0.0
						for _, x := range times {
							sum += x
						}
						total += lev.passes(part) * sum
					}
				}
				for _, o := range lev.orphans {
					total += v[o][k]
				}
				v[l][k] = total
			}
		}
	}
}

// parts lists the two parts of an execution of a loop. A function's body is one
// iteration.
var parts = [...]ending{inIteration, inPartial}

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
func (l *level) worst(t *table, part ending, times []float64, cell func(t *table, cell int) float64, extra func(class int, times []float64)) []float64 {
	n := t.tasks
	times = append(times[:0], make([]float64, 3*n)...)
	sum, most, row := times[:n], times[n:2*n], times[2*n:]
	for start := range l.starts {
		clear(most)
		for c := range l.count {
			if l.ends[c]&part == 0 || int(l.start[c]) != start {
				continue
			}
			for task := range row {
				row[task] = cell(t, c*n+task)
			}
			if extra != nil {
				extra(c, row)
			}
			for task, x := range row {
				most[task] = max(most[task], x)
			}
		}
		for task, x := range most {
			sum[task] += x
		}
	}
	return sum
}
