package table_test

// This file tests tasks that use lines by turns while they are under way at the same time.

import (
	"math"
	"testing"

	"pathspan/estimate/table"
)

// A section makes tasks of 100 cycles, which processors execute at the same time: each waits for each other, as long as both
// are under way, and no more than it uses lines.
func TestTasksBeside(t *testing.T) {
	for _, c := range []struct {
		name       string
		tasks      []float64
		processors int
		apart      int // by how many siblings what uses lines by turns is
		longer     float64
		most       float64
		want       float64
	}{
		{"alone", []float64{100, 100}, 1, 1, 0.5, 1, 200},
		{"two", []float64{100, 100}, 2, 1, 0.5, 1, 150},
		{"two that use few lines", []float64{100, 100}, 2, 1, 0.5, 0.25, 125},
		{"others", []float64{100, 100}, 2, 2, 0.5, 1, 100},
		{"a short one", []float64{100, 10}, 2, 1, 0.5, 1, 105},
		// Each waits for the one before and the one behind it.
		{"three", []float64{100, 100, 100}, 3, 1, 0.5, 2, 200},
	} {
		m := taskMachine(c.processors)
		b := &table.Beside{Longer: make([]table.Crossing, c.apart+1), Most: table.Crossing{0, c.most}}
		b.Longer[c.apart] = table.Crossing{0, c.longer}
		m.Beside = [][]*table.Beside{{b}}
		for p := range c.processors {
			m.Apart = append(m.Apart, nil)
			for q := range c.processors {
				m.Apart[p] = append(m.Apart[p], min(1, max(p-q, q-p)))
			}
		}
		build := table.NewBuilder(m, 1)
		var lane []table.Part
		for _, own := range c.tasks {
			lane = append(lane, part(0, build.Only(build.Task(table.Deferred, 0, nil, []table.Part{part(own, -1, 1)})), 1))
		}
		build.Root(build.Execution(0, 0, 1, [][]table.Part{lane}), 1)
		tab, err := build.Table([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		if got := value(t, tab, c.processors); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
		// What is watched adds up to the same.
		if err := tab.NewValuer().Play(onTeam(c.processors), func(p *table.Played) {
			end := 0.0
			for _, e := range p.Events {
				end = max(end, e.End)
			}
			if math.Abs(p.Span-c.want) > 1e-9 || math.Abs(end-c.want) > 1e-9 {
				t.Errorf("%s: it ends at %g, its events at %g, want %g", c.name, p.Span, end, c.want)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}
