package explore

// This file cuts heuristic searches into work items, and holds the simplest of them.

import (
	"cmp"
	"slices"
)

// algorithm searches. Items of one batch do not depend on each other; items returns none
// when nothing is left to do.
type algorithm struct {
	name  string
	items func(s *Search, batch int, before []*Outcome) []item
	run   func(w *worker)
}

var algorithms = []algorithm{
	{"exhaustive", partItems, (*worker).exhaust},
	{"branch-and-bound", partItems, (*worker).branch},
	{"list", oneItem, (*worker).list},
	{"annealing", chainItems, (*worker).anneal},
	{"genetic", chainItems, (*worker).evolve},
	{"ants", chainItems, (*worker).march},
	{"random", chainItems, (*worker).guess},
}

// Algorithms lists the algorithms by name.
func Algorithms() []string {
	names := []string{"auto"}
	for i := range algorithms {
		names = append(names, algorithms[i].name)
	}
	return names
}

const (
	chains      = 8         // items of a search with a budget of evaluations, for each problem
	longest     = 2_000_000 // evaluations of an item, which is what an interruption may lose,
	mostChains  = 10_000    // unless there would be more items than this
	chainBatch  = 64        // items of a batch
	timedChunk  = 50_000    // evaluations of an item where the budget is time
	timedChains = 16        // items of a batch then
)

// chainItems gives independent searches that share the budget evenly.
func chainItems(s *Search, batch int, _ []*Outcome) []item {
	var all []item
	if s.Time > 0 {
		for i := range timedChains {
			n := batch*timedChains + i
			all = append(all, item{number: n, problem: n % len(s.problems), budget: timedChunk, unit: whole})
		}
		return all
	}
	n := int64(chains * len(s.problems))
	n = max(n, min((s.Evaluations+longest-1)/longest, mostChains))
	n = max(min(n, s.Evaluations), 1)
	for i := int64(batch) * chainBatch; i < min(n, int64(batch+1)*chainBatch); i++ {
		all = append(all, item{number: int(i), problem: int(i) % len(s.problems), budget: (s.Evaluations + n - 1 - i) / n, unit: whole})
	}
	return all
}

func oneItem(s *Search, batch int, _ []*Outcome) []item {
	if batch > 0 {
		return nil
	}
	var all []item
	for i := range s.problems {
		all = append(all, item{number: i, problem: i, budget: max(s.Evaluations/int64(len(s.problems)), 1), unit: whole})
	}
	return all
}

// guess looks at random candidates.
func (w *worker) guess() {
	genes := w.p.start(w.allowed)
	for w.more() {
		w.f.Set(genes)
		w.look()
		w.scatter(genes)
	}
}

// list places the sections one after the other, those with the most work first, each
// where the program then ends earliest: list scheduling by rank, as HEFT (Topcuoglu,
// Hariri, Wu) does, with two differences. Sections of a construct are all ready at once,
// so that their rank is their work; and "earliest" is the average over the paths, so that
// sections that are never long on the same path share a processor. What is not placed
// yet is on the serial processor. The result is the start of other searches.
func (w *worker) list() {
	genes := w.p.start(w.allowed)
	w.f.Set(genes)
	best := w.look()
	if w.p.space.HasGeneral() && w.more() { // step by step, what OpenMP does may be far from there
		w.f.Set(w.p.near(w.p.space.AsWritten(), w.allowed))
		if x := w.look(); x < best {
			best = x
		} else {
			w.f.Set(genes)
		}
	}
	for _, g := range w.byWork() {
		if !w.more() {
			return
		}
		from := w.f.Genes[g]
		to := from
		for _, v := range w.allowed[g] {
			if v == from {
				continue
			}
			w.f.Move(g, v)
			if x := w.look(); x < best {
				best, to = x, v
			}
			w.f.Undo()
		}
		if to != from {
			w.f.Move(g, to)
		}
	}
	// One more round: early sections were placed before the late ones were known.
	for improved := true; improved; {
		improved = false
		for _, g := range w.free {
			for _, v := range w.allowed[g] {
				if !w.more() {
					return
				}
				if v == w.f.Genes[g] {
					continue
				}
				w.f.Move(g, v)
				if x := w.look(); x < best {
					best, improved = x, true
				} else {
					w.f.Undo()
				}
			}
		}
	}
}

// byWork orders the genes with a choice by how much the time changes when they move.
func (w *worker) byWork() []int {
	work := make([]float64, len(w.allowed))
	for _, g := range w.free {
		work[g] = w.p.space.Work(g)
	}
	all := slices.Clone(w.free)
	slices.SortStableFunc(all, func(a, b int) int { return cmp.Compare(work[b], work[a]) })
	return all
}
