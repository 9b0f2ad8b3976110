package verify

// This file holds the two simulators of tasks to each other, on random rows, and both to what
// no schedule can be beyond.

import (
	"maps"
	"math"
	"math/rand"
	"slices"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/procmodels"
	"pathspan/profile"
)

func part(own float64, set int, times float64, kinds int) table.Part {
	p := table.Part{Set: set, Times: times}
	for k := range kinds {
		p.Own = append(p.Own, own*float64(2+k)/2)
	}
	return p
}

// randomLane makes a lane of tasks, undeferred tasks, waits, groups and dependences, and of regions
// inside with all of that.
func randomLane(r *rand.Rand, b *table.Builder, depth, kinds int) []table.Part {
	var out []table.Part
	put := func(role table.TaskRole, waits []uint64, lane []table.Part) {
		task := -1
		if role == table.Deferred {
			task = r.Intn(3)
		}
		out = append(out, part(float64(r.Intn(20)), b.Only(b.Task(role, task, waits, lane)), float64(1+r.Intn(3)), kinds))
	}
	made, groups := 0, 0
	for range 1 + r.Intn(8) {
		switch k := r.Intn(12); {
		case k < 5 && depth > 0:
			var waits []uint64
			for d := 1; d <= made && len(waits) < 3; d++ {
				if r.Intn(4) == 0 {
					waits = append(waits, uint64(d))
				}
			}
			put(table.Deferred, waits, randomLane(r, b, depth-1, kinds))
			made += int(out[len(out)-1].Times)
		case k < 6 && depth > 0:
			put(table.Undeferred, nil, randomLane(r, b, depth-1, kinds))
		case k == 6:
			put(table.Wait, nil, nil)
		case k == 10:
			number, long := r.Intn(2), 1+r.Intn(40)
			lock := b.Stretch(number, 1, []table.Part{part(float64(long), -1, 1, kinds)})
			if long%3 == 0 { // a line that is updated
				lock = b.Updates(ir.LocksOfOne+number, float64(1+long%4))
			}
			out = append(out, part(float64(r.Intn(30)), b.Only(lock), float64(1+r.Intn(2)), kinds))
		case k == 11 && depth > 1:
			lanes := [][]table.Part{randomLane(r, b, depth-2, kinds), randomLane(r, b, depth-2, kinds)}
			for i := range lanes {
				chunks := part(1, -1, 1, kinds)
				chunks.Asks = float64(r.Intn(3) * min(1, depth-2))
				lanes[i] = append(lanes[i], chunks)
			}
			inside := b.Execution(2, 0, 1, lanes)
			out = append(out, part(float64(r.Intn(30)), b.Only(inside), float64(1+r.Intn(2)), kinds))
		case k == 7 && made > 0:
			put(table.WaitFor, []uint64{uint64(1 + r.Intn(made))}, nil)
		case k == 8:
			out = append(out, part(0, b.Only(b.Task(table.GroupBegin, -1, nil, nil)), 1, kinds))
			groups++
		case k == 9 && groups > 0:
			out = append(out, part(3, b.Only(b.Task(table.GroupEnd, -1, nil, nil)), 1, kinds))
			groups--
		default:
			out = append(out, part(float64(r.Intn(100)), -1, 1, kinds))
		}
	}
	for ; groups > 0; groups-- {
		out = append(out, part(0, b.Only(b.Task(table.GroupEnd, -1, nil, nil)), 1, kinds))
	}
	return out
}

// randomLoop makes a loop whose iterations make tasks, of a schedule at random.
func randomLoop(r *rand.Rand, b *table.Builder, l *mapping.LoopMap, threads int) int {
	c := table.Chunks{N: int64(1 + r.Intn(40)), Threads: threads}
	switch k := r.Intn(5); {
	case k < 4:
		c.Schedule = loops.Schedule{Kind: []loops.Kind{loops.Static, loops.Dynamic, loops.Guided, loops.Dynamic}[k], Chunk: int64(r.Intn(4))}
		if k == 3 {
			c.Schedule.Order = loops.Nonmonotonic
		}
	default:
		for range threads {
			c.Shares = append(c.Shares, float64(1+r.Intn(3)))
		}
	}
	l.Schedule, l.Shares = c.Schedule, c.Shares
	lanes := make([][]table.Part, threads)
	taken := make([][]loops.Chunk, threads)
	if c.Shares != nil {
		for t, chunk := range loops.Weighted(c.N, c.Shares) {
			taken[t] = []loops.Chunk{chunk}
		}
	} else {
		work, _ := loops.NewCurve([]int64{0, c.N}, []float64{0, 1})
		_, taken = loops.Play(c.Schedule, slices.Repeat([]loops.Curve{work}, threads), c.N, nil, nil)
	}
	pieces := map[int64]int{}
	for t := range taken {
		lanes[t] = []table.Part{part(0, -1, 1, 2)}
		for _, chunk := range taken[t] {
			if chunk.Len() > 0 {
				pieces[chunk.Begin] = b.Task(table.Piece, -1, nil, randomLane(r, b, 2, 2))
				lanes[t] = append(lanes[t], part(0, b.Only(pieces[chunk.Begin]), 1, 2))
			}
		}
	}
	for _, begin := range slices.Sorted(maps.Keys(pieces)) {
		c.Begin, c.Piece = append(c.Begin, begin), append(c.Piece, pieces[begin])
	}
	return b.Execution(1, 0, 1, lanes, c)
}

// subject is an estimator of a program with a region of one section that makes tasks, on some
// processors of two kinds.
func subject(n int) (*estimate.Estimator, table.Machine) {
	costs := []*procmodels.Costs{{Model: "a"}, {Model: "b"}}
	e := &estimate.Estimator{Analysis: &estimate.Analysis{Bundle: &profile.Bundle{Program: &ir.Program{
		Locks: []ir.Lock{{Name: "critical"}, {Name: "atomic count"}},
		Tasks: []ir.Task{{Name: "a.c:f/task1"}, {Name: "a.c:f/task2"}, {Name: "a.c:f/task3", Untied: true}},
		Regions: []ir.Region{
			{Name: "a.c:f#1", Constructs: []ir.Construct{{Single: true, Sections: []ir.Section{{Name: "a.c:f#1/1"}}}}},
			{Name: "a.c:f#2", Constructs: []ir.Construct{{Loop: &ir.Loop{}, Sections: make([]ir.Section, n)}}},
			{Name: "a.c:f#3", Constructs: []ir.Construct{{Sections: make([]ir.Section, 2)}}},
		},
	}}}}
	e.Platform = mapping.Homogeneous(n, "generic")
	m := table.Machine{Kinds: 2}
	for p := range n {
		e.Costs, e.ClockMHz = append(e.Costs, costs[p%2]), append(e.ClockMHz, 100)
		e.Overheads = append(e.Overheads, procmodels.Overheads{Create: float64(p % 3), Sync: 2})
		m.KindOf = append(m.KindOf, p%2)
		m.Create, m.Sync = append(m.Create, float64(p%3)), append(m.Sync, 2)
	}
	m.Untied, m.Singles = []bool{false, false, true}, []bool{true, false, false}
	// What tasks cost, on processors that are all as fast as the first.
	for range n {
		m.Task, m.Undeferred, m.Steal = append(m.Task, 3), append(m.Undeferred, 2), append(m.Steal, 11)
	}
	for range n {
		m.Dispatch, m.Lock = append(m.Dispatch, 4), append(m.Lock, 6)
		m.Atomic = append(m.Atomic, 9)
	}
	e.Platform.Other = mapping.Overheads{Dispatch: mapping.Overhead{Cycles: 4}, Lock: mapping.Overhead{Cycles: 6}, Atomic: mapping.Overhead{Cycles: 9}, Task: mapping.Overhead{Cycles: 3}, Undeferred: mapping.Overhead{Cycles: 2}, Steal: mapping.Overhead{Cycles: 11}}
	return e, m
}

func TestRandomTasks(t *testing.T) {
	for seed := range int64(400) {
		r := rand.New(rand.NewSource(seed))
		n := 1 + r.Intn(5)
		e, machine := subject(n)
		b := table.NewBuilder(machine, 3)
		m := mapping.Default(e.Platform, e.Bundle.Program)
		if b.Root(b.Execution(0, 0, 1, [][]table.Part{randomLane(r, b, 4, 2)}), 1); r.Intn(2) == 0 {
			b.Root(randomLoop(r, b, m.Regions[1].Loops[0], n), 1)
		}
		rows, err := b.Table([]float64{0, 0})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows.Roots) == 0 || len(rows.Roots) > 1 && !rows.MakesTasks(rows.Roots[1].Execution) { // other loops are not told chunk by chunk
			continue
		}
		if r.Intn(3) == 0 {
			m.Regions[0].Proc[0][0] = r.Intn(n)
		}
		if m.Regions[0].Team = mapping.Team(n, 0, 1+r.Intn(n)); r.Intn(4) == 0 {
			r.Shuffle(len(m.Regions[0].Team), func(i, k int) {
				m.Regions[0].Team[i], m.Regions[0].Team[k] = m.Regions[0].Team[k], m.Regions[0].Team[i]
			})
		}
		if a := r.Intn(n); n > 1 && r.Intn(2) == 0 {
			m.Regions[2].Explicit, m.Regions[2].Proc[0] = true, []int{a, (a + 1 + r.Intn(n-1)) % n}
		}
		if r.Intn(2) == 0 { // a task of one processor, and one of two
			m.Tasks = [][]int{nil, {r.Intn(n)}, mapping.Team(n, r.Intn(n), min(2, n))}
		}
		got, err := rows.NewValuer().Value(m)
		if err != nil {
			t.Fatal(err)
		}
		want, err := byReplay(e, rows, m)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > tolerance*want {
			t.Errorf("seed %d: %d tasks on %d processors take %v, by replay %v", seed, len(rows.Roots), n, got, want)
		}
		chains, err := rows.Chains(0, false)
		if err != nil {
			t.Fatal(err)
		}
		if work := rows.Sequential(0); got < chains.Program()*(1-1e-9) || got < work/float64(n)*(1-1e-9) { // the first kind is the faster one
			t.Errorf("seed %d: %v on %d processors, work %v, span %v", seed, got, n, work, chains.Program())
		}
		// What the processors do adds up, and events of one follow each other.
		total := 0.0
		if err := rows.NewValuer().Play(m, func(p *table.Played) {
			ends := map[int]float64{}
			for _, ev := range p.Events {
				if ev.Start < ends[ev.Processor]-1e-9 || ev.End > p.Span+1e-9 {
					t.Errorf("seed %d: an event from %v to %v behind one that ends at %v", seed, ev.Start, ev.End, ends[ev.Processor])
				}
				if ends[ev.Processor] = ev.End; ev.Kind == table.Work {
					total += ev.Serial
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		if work := rows.Sequential(0); math.Abs(total-work) > 1e-9*work {
			t.Errorf("seed %d: events of %v, work %v", seed, total, work)
		}
	}
}
