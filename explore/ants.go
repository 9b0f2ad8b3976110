package explore

// This file is an ant colony, as the paper's own mappings come from one (Ferrandi,
// Pilato, Tumeo, Sciuto, "Mapping and Scheduling of Parallel C Applications with Ant
// Colony Optimization onto Heterogeneous Reconfigurable MPSoCs"). It is the max-min ant
// system (Stuetzle, Hoos) over the choices of Space: tasks are not walked in an order of
// their own, since the sections of a construct have none.

const (
	colony     = 16   // ants between two updates
	evaporates = 0.1  // share of the pheromone
	highest    = 1.0  // pheromone
	lowest     = 0.02 // so that no choice is ever lost
)

// march lets ants choose values by pheromone; the best of each round, or the best so far
// every fourth round, leaves more.
func (w *worker) march() {
	trail := make([][]float64, len(w.allowed))
	for _, g := range w.free {
		trail[g] = make([]float64, len(w.allowed[g]))
		for i := range trail[g] {
			trail[g][i] = highest
		}
	}
	genes, round := w.p.start(w.allowed), w.p.start(w.allowed)
	ever, least := w.p.start(w.allowed), 0.0
	w.f.Set(ever)
	if !w.more() {
		return
	}
	least = w.look()
	if w.item.number < len(w.s.problems) {
		w.list()
		if w.best != nil && w.more() {
			copy(ever, w.best.Genes)
			w.f.Set(ever)
			least = w.look()
		}
	}
	for n := 0; w.more(); n++ {
		shortest := 0.0
		for ant := range colony {
			if !w.more() {
				return
			}
			for _, g := range w.free {
				genes[g] = w.follow(g, trail[g])
			}
			w.f.Set(genes)
			if x := w.look(); ant == 0 || x < shortest {
				shortest = x
				copy(round, genes)
			}
		}
		if shortest < least {
			least = shortest
			copy(ever, round)
		}
		leader := round
		if n%4 == 3 {
			leader = ever
		}
		for _, g := range w.free {
			for i, v := range w.allowed[g] {
				x := trail[g][i] * (1 - evaporates)
				if v == leader[g] {
					x += evaporates * highest
				}
				trail[g][i] = max(x, lowest)
			}
		}
	}
}

// follow chooses a value of a gene by its pheromone.
func (w *worker) follow(g int, trail []float64) int32 {
	total := 0.0
	for _, x := range trail {
		total += x
	}
	at := w.random.Float64() * total
	for i, x := range trail {
		if at -= x; at < 0 {
			return w.allowed[g][i]
		}
	}
	return w.allowed[g][len(trail)-1]
}
