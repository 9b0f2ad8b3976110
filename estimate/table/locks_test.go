package table

// This file holds what waiting for locks comes to against schedules that were drawn by hand.

import (
	"math/rand/v2"
	"testing"

	"pathspan/mapping"
)

// underLocks is a table of one construct whose lanes take locks, and a mapping with each lane
// on a processor of its own. Each lane is steps of work, lock (-1: none) and work under it.
func underLocks(t *testing.T, lock float64, lanes ...[][3]float64) (*Table, *mapping.Resolved) {
	t.Helper()
	n := len(lanes)
	m := Machine{KindOf: make([]int, n), Kinds: 1, Create: make([]float64, n), Sync: make([]float64, n), Lock: make([]float64, n), Atomic: make([]float64, n)}
	pl := mapping.Homogeneous(n, "")
	rm := mapping.RegionMap{Explicit: true, Proc: [][]int{nil}, Order: [][]int{nil}}
	b := NewBuilder(m, 1)
	var parts [][]Part
	for p, steps := range lanes {
		m.Lock[p] = lock
		rm.Proc[0], rm.Order[0] = append(rm.Proc[0], p), append(rm.Order[0], p)
		var lane []Part
		for _, s := range steps {
			if s[1] < 0 {
				lane = append(lane, Part{Own: []float64{s[0]}, Set: -1})
				continue
			}
			held := b.Only(b.Stretch(int(s[1]), 1, []Part{{Own: []float64{s[2]}, Set: -1}}))
			lane = append(lane, Part{Own: []float64{s[0]}, Set: held, Times: 1})
		}
		parts = append(parts, lane)
	}
	b.Root(b.Execution(0, 0, 1, parts), 1)
	table, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	return table, &mapping.Resolved{Platform: pl, Regions: []mapping.RegionMap{rm}}
}

func TestLocksAreWaitedFor(t *testing.T) {
	for _, c := range []struct {
		name  string
		lock  float64
		want  float64
		lanes [][][3]float64
	}{
		{"one after another", 0, 31, [][][3]float64{{{1, 0, 10}}, {{1, 0, 10}}, {{1, 0, 10}}}},
		{"with what a lock costs", 2, 37, [][][3]float64{{{1, 0, 10}}, {{1, 0, 10}}, {{1, 0, 10}}}},
		{"different locks", 0, 11, [][][3]float64{{{1, 0, 10}}, {{1, 1, 10}}}},
		{"first come first served", 0, 20 + 5, [][][3]float64{{{5, 0, 10}, {0, -1, 0}}, {{6, 0, 10}}}},
		// 0: 0-4 work, 4-8 held; 1: 5 arrives, 8-12 held; 0 again: 9 arrives, 12-16.
		{"again", 0, 16, [][][3]float64{{{4, 0, 4}, {1, 0, 4}}, {{5, 0, 4}}}},
		{"work behind goes on", 0, 112, [][][3]float64{{{1, 0, 10}, {100, -1, 0}}, {{2, 0, 10}, {91, -1, 0}}}},
	} {
		table, m := underLocks(t, c.lock, c.lanes...)
		v := table.NewValuer()
		got, err := v.Value(m)
		if err != nil {
			t.Fatal(err)
		}
		if got != c.want {
			t.Errorf("%s: %v cycles, want %v", c.name, got, c.want)
		}
		waited, busy := 0.0, 0.0
		if err := v.Play(m, func(p *Played) {
			for _, e := range p.Events {
				if e.Kind == LockWait {
					waited += e.End - e.Start
				} else {
					busy += e.End - e.Start
				}
			}
			for q := range p.Busy {
				busy -= p.Busy[q] + p.Overhead[q]
			}
		}); err != nil {
			t.Fatal(err)
		}
		if waited == 0 != (c.name == "different locks") || busy != 0 {
			t.Errorf("%s: waits of %v cycles; events differ from sums by %v", c.name, waited, busy)
		}
	}
}

// Lanes of random stretches take no less than the longest of them and than all that is done
// under one lock, and no more than all one after the other; and no candidate of a search
// beats its bounds. Where locks within locks are taken in different orders, play goes on.
func TestLocksWithinBounds(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lanes [][][3]float64
		total, longest, under := 0.0, 0.0, [2]float64{}
		for range 2 + r.IntN(4) {
			var lane [][3]float64
			sum := 0.0
			for range 1 + r.IntN(5) {
				s := [3]float64{float64(r.IntN(20)), float64(r.IntN(3) - 1), float64(r.IntN(20))}
				if s[1] < 0 {
					s[2] = 0
				} else {
					under[int(s[1])] += s[2]
				}
				sum += s[0] + s[2]
				lane = append(lane, s)
			}
			total, longest = total+sum, max(longest, sum)
			lanes = append(lanes, lane)
		}
		table, m := underLocks(t, 0, lanes...)
		got, err := table.NewValuer().Value(m)
		if err != nil {
			t.Fatal(err)
		}
		if least := max(longest, under[0], under[1]); got < least || got > total {
			t.Errorf("seed %d: %v cycles, want %v to %v", seed, got, least, total)
		}
	}
	b := NewBuilder(Machine{KindOf: []int{0, 0}, Kinds: 1, Create: []float64{0, 0}, Sync: []float64{0, 0}}, 1)
	nested := func(outer, inner int) []Part {
		in := b.Only(b.Stretch(inner, 1, []Part{{Own: []float64{5}, Set: -1}}))
		return []Part{{Own: []float64{0}, Set: b.Only(b.Stretch(outer, 1, []Part{{Own: []float64{10}, Set: in, Times: 1}})), Times: 1}}
	}
	b.Root(b.Execution(0, 0, 1, [][]Part{nested(0, 1), nested(1, 0)}), 1)
	table, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	_, m := underLocks(t, 0, [][3]float64{{1, -1, 0}}, [][3]float64{{1, -1, 0}})
	if got, err := table.NewValuer().Value(m); err != nil || got < 15 || got > 30 {
		t.Errorf("locks that wait for each other: %v, %v", got, err)
	}

	// Who has a nested lock may take it again, and the other waits for the last release.
	b = NewBuilder(Machine{KindOf: []int{0, 0}, Kinds: 1, Create: []float64{0, 0}, Sync: []float64{0, 0}}, 1)
	b.Root(b.Execution(0, 0, 1, [][]Part{append(nested(0, 0), Part{Own: []float64{0}, Set: -1}), nested(0, 0)}), 1)
	if table, err = b.Table([]float64{0}); err != nil {
		t.Fatal(err)
	}
	if got, err := table.NewValuer().Value(m); err != nil || got != 30 {
		t.Errorf("a lock within itself: %v, %v, want 30", got, err)
	}
}

// Work that a processor does in no time is told all the same, as the serial processor takes some for it.
func TestWorkWithoutTime(t *testing.T) {
	n := make([]float64, 2)
	b := NewBuilder(Machine{KindOf: []int{0, 1}, Kinds: 2, Create: n, Sync: n}, 1)
	held := b.Only(b.Stretch(0, 1, []Part{{Own: []float64{5, 7}, Set: -1}}))
	b.Root(b.Execution(0, 0, 1, [][]Part{{{Own: []float64{10, 0}, Set: held, Times: 1}, {Own: []float64{3, 4}, Set: -1}}}), 1)
	table, err := b.Table(n)
	if err != nil {
		t.Fatal(err)
	}
	m := &mapping.Resolved{Platform: mapping.Homogeneous(2, ""), Regions: []mapping.RegionMap{{Explicit: true, Proc: [][]int{{1}}, Order: [][]int{{0}}}}}
	serial := 0.0
	if err := table.NewValuer().Play(m, func(p *Played) {
		for _, e := range p.Events {
			serial += e.Serial
		}
	}); err != nil || serial != 18 {
		t.Errorf("%v: events of %v cycles, want 18", err, serial)
	}
}
