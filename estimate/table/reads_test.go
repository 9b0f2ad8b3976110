package table_test

// This file tests what tasks wait for lines that others wrote.

import (
	"math"
	"testing"

	"pathspan/estimate/table"
)

// A section makes tasks of two places one after the other, and waits between those of the first and those of the second. What reads
// waits half its time where all that it reads is with another processor.
func TestTasksRead(t *testing.T) {
	const own, waits = 100.0, 0.5
	c := table.Crossing{0, waits * own} // by whether two processors are apart
	for _, of := range []struct {
		name       string
		processors int
		reads      table.Reads // of the second place
		want       float64
	}{
		{"nothing", 2, table.Reads{}, 2 * own},
		{"alone", 1, table.Reads{Met: c, Maker: c, Kin: c}, 4 * own},
		// Of two processors the other waits; the construct ends when it does.
		{"met", 2, table.Reads{Met: c}, 2*own + waits*own},
		{"maker", 2, table.Reads{Maker: c}, 2*own + waits*own},
		// Half of what the first two wrote is elsewhere for each: of what made all there is next to nothing.
		{"kin", 2, table.Reads{Kin: c}, 2*own + waits*own/2},
		{"others", 2, table.Reads{Others: []table.Crossing{c, nil, nil}}, 2*own + waits*own/2},
		{"section", 2, table.Reads{Others: []table.Crossing{nil, nil, c}}, 2*own + waits*own},
		// What the other wrote is read where the construct was met.
		{"back", 2, table.Reads{Back: table.Crossing{0, waits}}, 2*own + waits*own},
		// Beside one other, or none.
		{"crowd", 2, table.Reads{Crowd: table.Crossing{0, 0.1}}, 2*own + 0.1*own},
		{"no crowd", 1, table.Reads{Crowd: table.Crossing{0}}, 4 * own},
	} {
		m := taskMachine(of.processors)
		m.Reads = []*table.Reads{nil, &of.reads, nil}
		for p := range of.processors {
			m.Apart, m.Near = append(m.Apart, nil), append(m.Near, nil)
			for q := range of.processors {
				m.Apart[p], m.Near[p] = append(m.Apart[p], min(1, max(p-q, q-p))), append(m.Near[p], true)
			}
		}
		build := table.NewBuilder(m, 1)
		const little = 1e-6 // of the section, so that it is known where it ran
		lane := []table.Part{part(little, -1, 1)}
		for _, place := range []int{0, 0, -1, 1, 1} {
			x := build.Task(table.Wait, -1, nil, nil)
			if place >= 0 {
				x = build.Task(table.Deferred, place, nil, []table.Part{part(own, -1, 1)})
			}
			lane = append(lane, part(0, build.Only(x), 1))
		}
		build.Root(build.Execution(0, 0, 1, [][]table.Part{lane}), 1)
		tab, err := build.Table([]float64{0})
		if err != nil {
			t.Fatal(err)
		}
		v := tab.NewValuer()
		for range 2 { // the second knows nothing of the first
			got, err := v.Value(onTeam(of.processors))
			if err != nil {
				t.Fatal(err)
			}
			if math.Abs(got-of.want) > 1e-3 {
				t.Errorf("%s: %g, want %g", of.name, got, of.want)
			}
		}
		if err := tab.NewValuer().Play(onTeam(of.processors), func(p *table.Played) {
			end := 0.0
			for _, e := range p.Events {
				end = max(end, e.End)
			}
			if math.Abs(p.Span-of.want) > 1e-3 || math.Abs(end-of.want) > 1e-3 {
				t.Errorf("%s: it ends at %g, its events at %g, want %g", of.name, p.Span, end, of.want)
			}
		}); err != nil {
			t.Error(err)
		}
	}
}
