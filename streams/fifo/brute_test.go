package fifo_test

// This file plays networks a second time, without any thought for speed: each cycle by itself,
// iterations in flight as things that grow older, and causes of waits looked up when all is over.
// Random networks have to come out the same.

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"pathspan/streams/fifo"
)

type iteration struct{ number, age int64 }

// played is one module of the second simulator, and all that happened to it.
type played struct {
	flight       []iteration
	started      int64
	wait         int64 // until the next is to start, of its own clock
	over         bool
	finish       int64
	bubbles      []int64
	waits        []string // by cycle: "" while it did not wait, else how
	blockers     [][]int  // by cycle: FIFOs that it waited for
	missing      bool
	firstMissing int
}

const (
	bruteCycles = 20000
	side        = 1000 // what tells writes from reads in lists of FIFOs
)

func brute(n *fifo.Network) *fifo.Result {
	level := make([]int64, len(n.FIFOs))
	gauges := make([]fifo.Gauge, len(n.FIFOs))
	for f, q := range n.FIFOs {
		level[f], gauges[f].Most = q.Initial, q.Initial
	}
	modules := make([]*played, len(n.Modules))
	for i, m := range n.Modules {
		modules[i] = &played{wait: m.Pause, bubbles: make([]int64, len(level))}
	}
	now, dead := int64(0), false
	for ; !dead; now++ {
		if now > bruteCycles {
			panic("the second simulator comes to no end")
		}
		running, progress := false, false
		change := make([]int64, len(level))
		for i, p := range modules {
			m := n.Modules[i]
			p.waits, p.blockers = append(p.waits, ""), append(p.blockers, nil)
			if p.over {
				continue
			}
			running = true
			// What is to be done in this cycle.
			var blocked []int
			moves := make([]int64, len(level))
			do := func(number, age int64, readsOnly bool) (missing []int) {
				for k, list := range [][]fifo.Access{m.Reads, m.Writes} {
					for _, a := range list {
						if a.At != age || len(a.When) > 0 && !a.When[number%int64(len(a.When))] || readsOnly && k == 1 {
							continue
						}
						if k == 0 && level[a.FIFO] < a.Tokens || k == 1 && n.FIFOs[a.FIFO].Depth-level[a.FIFO] < a.Tokens {
							missing = append(missing, k*side+a.FIFO)
						}
						if !readsOnly {
							moves[a.FIFO] += a.Tokens * int64(2*k-1)
						}
					}
				}
				return missing
			}
			for _, it := range p.flight {
				blocked = append(blocked, do(it.number, it.age, false)...)
			}
			// Of several, the first read counts, then the first write.
			slices.Sort(blocked)
			total := m.Iterations * m.Runs
			starts := p.started < total && p.wait == 0
			again := false
			if len(blocked) == 0 && m.Flush && p.started < total && (starts || p.missing) {
				missing := do(p.started, 0, true)
				p.missing = len(missing) > 0
				if p.missing {
					p.firstMissing = missing[0]
					if len(p.flight) == 0 {
						p.waits[now], p.blockers[now] = "starves", missing
					} else if starts {
						p.bubbles[missing[0]]++
					}
					again, starts = starts, false
				}
			}
			if starts {
				blocked = append(blocked, do(p.started, 0, false)...)
			}
			if len(blocked) > 0 {
				p.waits[now], p.blockers[now] = "frozen", blocked
				continue
			}
			// All of it is done.
			for f := range change {
				change[f] += moves[f]
			}
			if starts {
				p.flight = append(p.flight, iteration{p.started, 0})
				p.started++
				p.wait = m.II
				if p.started%m.Iterations == 0 {
					p.wait = m.Latency + m.Pause
				}
				progress = true
			}
			if again {
				p.wait = m.II
			}
			if len(p.flight) > 0 || p.waits[now] == "" && p.wait > 0 {
				progress = true
			}
			if p.wait > 0 {
				p.wait--
			}
			for k := range p.flight {
				p.flight[k].age++
			}
			p.flight = slices.DeleteFunc(p.flight, func(it iteration) bool { return it.age == m.Latency })
			if p.started == total && len(p.flight) == 0 {
				p.over, p.finish = true, now+1
			}
		}
		if !running {
			break
		}
		if !progress {
			dead = true
			break
		}
		for f := range level {
			if level[f] >= n.FIFOs[f].Depth {
				gauges[f].Full++
			}
			if level[f] == 0 {
				gauges[f].Empty++
			}
			level[f] += change[f]
			gauges[f].Most = max(gauges[f].Most, level[f])
		}
	}
	// Charges: whole waits, to the first of what is missing in their last cycle.
	charged := make([][]int, len(modules))
	for i, p := range modules {
		charged[i] = make([]int, now)
		for c := int64(0); c < now; {
			e := c
			for e < now && p.waits[e] == p.waits[c] {
				e++
			}
			open := e == now && p.waits[c] != "" && p.waits[now] == p.waits[c]
			for k := c; k < e; k++ {
				charged[i][k] = -1
				if p.waits[c] != "" {
					charged[i][k] = p.blockers[e-1][0] % side
					if open {
						charged[i][k] = p.blockers[now][0] % side
					}
				}
			}
			if open {
				for k := c; k < e; k++ {
					charged[i][k] = -2 - charged[i][k] // it never ended
				}
			}
			c = e
		}
	}
	var cause func(i int, c int64) int
	cause = func(i int, c int64) int {
		switch f := charged[i][c]; {
		case f == -1:
			return i
		case f <= -2:
			return len(modules)
		case n.FIFOs[f].Writer == i:
			return cause(n.FIFOs[f].Reader, c)
		default:
			return cause(n.FIFOs[f].Writer, c)
		}
	}
	last := 0
	for i, p := range modules {
		if p.finish > modules[last].finish {
			last = i
		}
	}
	out := &fifo.Result{Cycles: now, FIFOs: gauges}
	for i, p := range modules {
		m := fifo.ModuleResult{Started: p.started, Finish: p.finish, Bubbles: p.bubbles, Stalled: make([]int64, len(level)), Causes: make([]int64, len(modules)+1)}
		for c := range now {
			f := charged[i][c]
			if f == -1 {
				continue
			}
			if f <= -2 {
				f = -2 - f
			}
			m.Stalled[f]++
			m.Causes[cause(i, c)]++
		}
		if !dead {
			m.After = make([]int64, len(modules))
			for c := p.finish; c < now; c++ {
				m.After[cause(last, c)]++
			}
		}
		out.Modules = append(out.Modules, m)
	}
	if dead {
		out.Deadlock = &fifo.Deadlock{}
	}
	return out
}

// network makes one up: any graph, so that some deadlock and some come to rest in a repetition.
func network(rng *rand.Rand) *fifo.Network {
	n := &fifo.Network{Modules: make([]fifo.Module, 1+rng.IntN(5))}
	iterations := int64(1 + rng.IntN(60))
	deep := rng.IntN(4) == 0 // FIFOs that take long to fill, and longer to drain
	if deep {
		iterations *= 5
	}
	long := rng.IntN(3) > 0
	for i := range n.Modules {
		m := &n.Modules[i]
		m.Name, m.Iterations, m.Runs = fmt.Sprint("m", i), iterations, 1
		if rng.IntN(4) == 0 {
			m.Iterations, m.Runs = 1+iterations/5, 5
		}
		m.II, m.Latency = int64(1+rng.IntN(3)), int64(1+rng.IntN(12))
		m.Flush = rng.IntN(2) == 0
		if rng.IntN(4) == 0 {
			m.Pause = int64(rng.IntN(6))
		}
	}
	for range len(n.Modules) - 1 + rng.IntN(4) {
		from, to := rng.IntN(len(n.Modules)), rng.IntN(len(n.Modules))
		if from > to && rng.IntN(4) > 0 {
			from, to = to, from
		}
		f := len(n.FIFOs)
		q := fifo.FIFO{Name: fmt.Sprint("f", f), Depth: int64(1 + rng.IntN(6)), Width: int64(1 + rng.IntN(3)), Writer: from, Reader: to}
		if deep {
			q.Depth += int64(rng.IntN(80))
		}
		tokens := [2]int64{1, 1}
		if rng.IntN(5) == 0 {
			tokens = [2]int64{int64(1 + rng.IntN(2)), int64(1 + rng.IntN(2))}
		}
		var when [2][]bool
		if rng.IntN(4) == 0 {
			for k := range when {
				for range 1 + rng.IntN(4) {
					when[k] = append(when[k], rng.IntN(2) == 0)
				}
				if !slices.Contains(when[k], true) {
					when[k][0] = true
				}
			}
			if rng.IntN(2) == 0 {
				when[1] = when[0]
			}
		}
		q.Depth = max(q.Depth, tokens[0], tokens[1])
		if from >= to {
			q.Initial = int64(rng.IntN(int(q.Depth) + 1))
		}
		access := func(m *fifo.Module, late bool, k int) (out []fifo.Access) {
			at := rng.Int64N(m.Latency)
			if late && rng.IntN(3) > 0 {
				at = m.Latency - 1
			} else if !late && rng.IntN(3) > 0 {
				at = 0
			}
			out = []fifo.Access{{FIFO: f, At: at, Tokens: tokens[k], When: when[k]}}
			if m.II > 1 && at+1 < m.Latency && rng.IntN(4) == 0 {
				out = append(out, fifo.Access{FIFO: f, At: at + 1, Tokens: tokens[k]})
			}
			return out
		}
		n.FIFOs = append(n.FIFOs, q)
		n.Modules[from].Writes = append(n.Modules[from].Writes, access(&n.Modules[from], true, 0)...)
		n.Modules[to].Reads = append(n.Modules[to].Reads, access(&n.Modules[to], false, 1)...)
	}
	if long { // one that all wait for, so that the others settle
		n.Modules[rng.IntN(len(n.Modules))].II += int64(rng.IntN(4))
	}
	return n
}

// TestRandom: cycles, levels, stalls, bubbles, causes and deadlocks are those of the second
// simulator, whether repetitions are passed over or not.
func TestRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	deadlocks, leaps, bubbles, waits := 0, 0, 0, 0
	for k := range 20000 {
		n := network(rng)
		if len(n.FIFOs) == 0 {
			continue
		}
		want := brute(n)
		got, err := fifo.Simulate(n)
		if err != nil {
			t.Fatal(err)
		}
		if got.Deadlock != nil {
			deadlocks++
		}
		if (got.Period > 0) != (got.Each != nil) {
			t.Fatalf("network %d: a period of %d, and %v", k, got.Period, got.Each)
		}
		if got.Period > 0 {
			leaps++
		}
		for i := range got.FIFOs {
			g := &got.FIFOs[i]
			*g = fifo.Gauge{Most: g.Most, Full: g.Full, Empty: g.Empty}
		}
		for _, m := range got.Modules {
			waits += int(m.Waited())
			for _, b := range m.Bubbles {
				bubbles += int(b)
			}
		}
		if got.Cycles != want.Cycles || (got.Deadlock == nil) != (want.Deadlock == nil) || !reflect.DeepEqual(got.Modules, want.Modules) || !reflect.DeepEqual(got.FIFOs, want.FIFOs) {
			t.Fatalf("network %d: %+v\n%+v\nwant\n%+v", k, n, got, want)
		}
	}
	if deadlocks < 1000 || leaps < 1000 || bubbles < 1000 || waits < 1000 {
		t.Errorf("%d deadlocks, %d repetitions, %d bubbles and %d waits: too few to tell", deadlocks, leaps, bubbles, waits)
	}
}
