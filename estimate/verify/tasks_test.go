package verify

// This file holds the two simulators of tasks to each other, on random rows, and both to what
// no schedule can be beyond.

import (
	"math"
	"math/rand"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
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

// randomLane makes a lane of tasks, undeferred tasks, waits, groups and dependences.
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

// subject is an estimator of a program with a region of one section that makes tasks, on some
// processors of two kinds.
func subject(n int) (*estimate.Estimator, table.Machine) {
	costs := []*procmodels.Costs{{Model: "a"}, {Model: "b"}}
	e := &estimate.Estimator{Analysis: &estimate.Analysis{Bundle: &profile.Bundle{Program: &ir.Program{
		Tasks:   []ir.Task{{Name: "a.c:f/task1"}, {Name: "a.c:f/task2"}, {Name: "a.c:f/task3", Untied: true}},
		Regions: []ir.Region{{Name: "a.c:f#1", Constructs: []ir.Construct{{Single: true, Sections: []ir.Section{{Name: "a.c:f#1/1"}}}}}},
	}}}}
	e.Platform = mapping.Homogeneous(n, "generic")
	m := table.Machine{Kinds: 2}
	for p := range n {
		e.Costs, e.ClockMHz = append(e.Costs, costs[p%2]), append(e.ClockMHz, 100)
		e.Overheads = append(e.Overheads, procmodels.Overheads{Create: float64(p % 3), Sync: 2})
		m.KindOf = append(m.KindOf, p%2)
		m.Create, m.Sync = append(m.Create, float64(p%3)), append(m.Sync, 2)
	}
	m.Untied = []bool{false, false, true}
	// What tasks cost, on processors that are all as fast as the first.
	for range n {
		m.Task, m.Undeferred, m.Steal = append(m.Task, 3), append(m.Undeferred, 2), append(m.Steal, 11)
	}
	e.Platform.Other = mapping.Overheads{Task: mapping.Overhead{Cycles: 3}, Undeferred: mapping.Overhead{Cycles: 2}, Steal: mapping.Overhead{Cycles: 11}}
	return e, m
}

func TestRandomTasks(t *testing.T) {
	for seed := range int64(400) {
		r := rand.New(rand.NewSource(seed))
		n := 1 + r.Intn(5)
		e, machine := subject(n)
		b := table.NewBuilder(machine, 1)
		b.Root(b.Execution(0, 0, 1, [][]table.Part{randomLane(r, b, 4, 2)}), 1)
		rows, err := b.Table([]float64{0, 0})
		if err != nil {
			t.Fatal(err)
		}
		if len(rows.Roots) == 0 {
			continue
		}
		m := mapping.Default(e.Platform, e.Bundle.Program)
		if r.Intn(3) == 0 {
			m.Regions[0].Proc[0][0] = r.Intn(n)
		}
		if m.Regions[0].Team = mapping.Team(n, 0, 1+r.Intn(n)); r.Intn(4) == 0 {
			r.Shuffle(len(m.Regions[0].Team), func(i, k int) {
				m.Regions[0].Team[i], m.Regions[0].Team[k] = m.Regions[0].Team[k], m.Regions[0].Team[i]
			})
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
		if err := rows.NewValuer().Play(m, func(p *table.Played) {
			ends, total := map[int]float64{}, 0.0
			for _, ev := range p.Events {
				if ev.Start < ends[ev.Processor]-1e-9 || ev.End > p.Span+1e-9 {
					t.Errorf("seed %d: an event from %v to %v behind one that ends at %v", seed, ev.Start, ev.End, ends[ev.Processor])
				}
				if ends[ev.Processor] = ev.End; ev.Kind == table.Work {
					total += ev.Serial
				}
			}
			if work := rows.Sequential(0); math.Abs(total-work) > 1e-9*work {
				t.Errorf("seed %d: events of %v, work %v", seed, total, work)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
}
