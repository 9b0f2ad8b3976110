package table

// This file holds what atomic updates come to against schedules that were drawn by hand.

import "testing"

// An update is some work and then so many updates of a line (-1: none).
type update struct {
	work  float64
	line  int
	times float64
}

// updating is the time of lanes, each on a processor of its own, where a line takes 10 cycles to
// come from another.
func updating(t *testing.T, lanes ...[]update) float64 {
	t.Helper()
	_, m := underLocks(t, 0, make([][][3]float64, len(lanes))...)
	none := make([]float64, len(lanes))
	machine := Machine{KindOf: make([]int, len(lanes)), Kinds: 1, Create: none, Sync: none}
	b := NewBuilder(machine, 1)
	for range lanes {
		machine.Atomic = append(machine.Atomic, 10)
	}
	b.t.Atomic = machine.Atomic
	var parts [][]Part
	for _, lane := range lanes {
		var of []Part
		for _, u := range lane {
			p := Part{Own: []float64{u.work}, Set: -1}
			if u.line >= 0 {
				p.Set, p.Times = b.Only(b.Updates(u.line, u.times)), 1
			}
			of = append(of, p)
		}
		parts = append(parts, of)
	}
	b.Root(b.Execution(0, 0, 1, parts), 1)
	table, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	got, err := table.NewValuer().Value(m)
	if err != nil {
		t.Fatal(err)
	}
	if alone := table.Sequential(0); alone > got*float64(len(lanes)) {
		t.Errorf("%v cycles on %d processors, %v on one", got, len(lanes), alone)
	}
	waited := 0.0
	if err := table.NewValuer().Play(m, func(p *Played) {
		for _, e := range p.Events {
			if e.Kind == Lock || e.Kind == LockWait {
				waited += e.End - e.Start
			}
		}
		for _, busy := range p.Busy {
			waited += busy
		}
	}); err != nil {
		t.Fatal(err)
	}
	if longest := got * float64(len(lanes)); waited > longest*(1+1e-9) {
		t.Errorf("processors work and wait for %v cycles, of %v", waited, longest)
	}
	return got
}

func TestUpdatesHandLinesOver(t *testing.T) {
	often := func(n int, work float64) (lane []update) {
		for range n {
			lane = append(lane, update{work, 0, 1})
		}
		return lane
	}
	for _, c := range []struct {
		name  string
		want  float64
		lanes [][]update
	}{
		{"one's own", 12, [][]update{{{5, 0, 1}, {5, 0, 1}, {2, -1, 0}}, {{7, -1, 0}}}},
		{"lines of their own", 11, [][]update{{{5, 0, 1}, {5, 0, 1}}, {{6, 1, 1}, {5, 1, 1}}}},
		{"at one time", 15, [][]update{{{5, 0, 1}}, {{5, 0, 1}}}},
		// 0 updates at 5; 1 asks at 6 and has it at 16; 0 asks at 10, 1 at 21.
		{"by turns", 36, [][]update{{{5, 0, 1}, {5, 0, 1}}, {{6, 0, 1}, {5, 0, 1}}}},
		{"far apart", 220, [][]update{{{100, 0, 1}, {100, 0, 1}}, {{50, 0, 1}, {100, 0, 1}}}},
		{"saturated", 2991, [][]update{often(100, 1), often(100, 1), often(100, 1)}},
		// Four at once find that one other was between.
		{"no more often than others", 110, [][]update{{{1, 0, 4}, {99, 0, 4}}, {{5, 0, 1}}}},
		{"as often as others", 140, [][]update{{{1, 0, 4}, {99, 0, 4}}, {{5, 0, 9}}}},
	} {
		if got := updating(t, c.lanes...); got != c.want {
			t.Errorf("%s: %v cycles, want %v", c.name, got, c.want)
		}
	}
}
