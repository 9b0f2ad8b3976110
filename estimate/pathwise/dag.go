package pathwise

// This file holds HTG-bar: a graph of explicit edges, and its longest path.

// dag is an acyclic graph of tasks.
type dag struct {
	succs [][]int
	order []int // topological, once sorted
}

func newDag(tasks int) *dag { return &dag{succs: make([][]int, tasks)} }

func (d *dag) edge(from, to int) { d.succs[from] = append(d.succs[from], to) }

// sort finds a topological order, by removing tasks that wait for nothing.
func (d *dag) sort() {
	waits := make([]int, len(d.succs))
	for _, succs := range d.succs {
		for _, s := range succs {
			waits[s]++
		}
	}
	for t, n := range waits {
		if n == 0 {
			d.order = append(d.order, t)
		}
	}
	for i := 0; i < len(d.order); i++ {
		for _, s := range d.succs[d.order[i]] {
			if waits[s]--; waits[s] == 0 {
				d.order = append(d.order, s)
			}
		}
	}
	if len(d.order) != len(d.succs) {
		panic("pathwise: HTG-bar has a cycle")
	}
}

// stops returns when each task ends when tasks take the given times (eq. 8 and 9).
func (d *dag) stops(times []amount) []amount {
	stop := make([]amount, len(times)) // until a task is met: its start
	for _, t := range d.order {
		stop[t] = stop[t].plus(times[t], 1)
		for _, s := range d.succs[t] {
			if stop[t].micros > stop[s].micros {
				stop[s] = stop[t]
			}
		}
	}
	return stop
}

// longest returns the end of the last task (eq. 10).
func (d *dag) longest(times []amount) amount {
	stop := d.stops(times)
	return stop[len(stop)-1]
}
