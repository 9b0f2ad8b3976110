package explore

// This file is a genetic algorithm with elitism.

const (
	population = 32
	elite      = 2
)

// evolve breeds candidates: parents win tournaments of two, children take each unit from
// one parent or each gene from either, and some genes change at random. One of the first
// generation is from list scheduling in the first item of a problem.
func (w *worker) evolve() {
	n := len(w.allowed)
	now, next := make([][]int32, population), make([][]int32, population)
	fit, born := make([]float64, population), make([]float64, population)
	for i := range now {
		now[i], next[i] = make([]int32, n), make([]int32, n)
		copy(now[i], w.p.start(w.allowed))
		if i > 0 {
			w.scatter(now[i])
		}
	}
	if w.item.number < len(w.s.problems) {
		w.list()
		if w.best != nil {
			copy(now[0], w.best.Genes)
		}
	}
	for i := range now {
		if !w.more() {
			return
		}
		w.f.Set(now[i])
		fit[i] = w.look()
	}
	for w.more() {
		// The best go on as they are.
		first, second := 0, 1
		if fit[second] < fit[first] {
			first, second = second, first
		}
		for i := 2; i < population; i++ {
			if fit[i] < fit[first] {
				first, second = i, first
			} else if fit[i] < fit[second] {
				second = i
			}
		}
		for i, from := range [elite]int{first, second} {
			copy(next[i], now[from])
			born[i] = fit[from]
		}
		for i := elite; i < population; i++ {
			if !w.more() {
				return
			}
			w.breed(next[i], now[w.winner(fit)], now[w.winner(fit)])
			w.f.Set(next[i])
			born[i] = w.look()
		}
		now, next, fit, born = next, now, born, fit
	}
}

func (w *worker) winner(fit []float64) int {
	a, b := w.random.IntN(population), w.random.IntN(population)
	if fit[b] < fit[a] {
		return b
	}
	return a
}

func (w *worker) breed(child, a, b []int32) {
	byUnit := w.random.IntN(2) == 0
	from, unit := a, -1
	for g := range child {
		if u := w.p.space.Genes[g].Unit; !byUnit || u != unit {
			unit = u
			if from = a; w.random.IntN(2) == 0 {
				from = b
			}
		}
		child[g] = from[g]
	}
	for _, g := range w.free {
		if w.random.IntN(len(w.free)) == 0 {
			child[g] = w.allowed[g][w.random.IntN(len(w.allowed[g]))]
		}
	}
}
