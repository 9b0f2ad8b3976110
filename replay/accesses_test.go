package replay_test

// This file holds caches that are simulated access by access to what can be counted by hand.

import (
	"context"
	"io"
	"math"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/replay"
	"pathspan/testdata/programs"
)

// private is a first level for each of two processors and main memory behind it, or behind a
// second level that they share, in which a line is there after so many cycles.
func private(size, ways, second int64) *replay.Memory {
	m := &replay.Memory{Levels: []replay.Level{{Size: size, Line: 64, Ways: ways, Of: []int{0, 1}, Cycles: []float64{0, 0}}}, Far: []float64{100, 100}}
	if second > 0 {
		m.Levels = append(m.Levels, replay.Level{Size: 1 << 20, Line: 64, Ways: 16, Of: []int{0, 0}, Cycles: []float64{float64(second), float64(second)}})
	}
	return m
}

func TestAccessesByHand(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	ctx := context.Background()
	c := &built{r: &record.Recorder{Toolchain: tc, Dir: t.TempDir()}}
	if c.b, err = c.r.Build(ctx, record.Options{Sources: []string{"testdata/lines.c"}, Level: "2", Memory: true}); err != nil {
		t.Fatal(err)
	}
	p := c.b.Program.WithTeams(2)
	c.b.Program = p
	pl := mapping.Homogeneous(2, "")
	procs, err := (&estimate.Pricer{Program: p}).Processors(ctx, pl)
	if err != nil {
		t.Fatal(err)
	}
	const line, lines = 100.0, 256.0 // cycles of one from main memory; of an array
	for _, of := range []struct {
		name            string
		crossed         bool
		memory          *replay.Memory
		alone, together float64 // cycles for memory, but for a few lines of the stack and such
	}{
		// The first level holds all three arrays: each line comes once. Thread 1 copies what
		// the other processor wrote.
		{"large", false, private(1<<20, 16, 0), 3 * lines * line, (1 + 0.5 + 0.5) * lines * line},
		// One level of 8 KiB holds half an array, and each pass begins anew. The copy uses two at once.
		{"small", false, private(8<<10, 0, 0), (2 + 2 + 2) * lines * line, (1 + 1 + 1) * lines * line},
		// Sections that read are elsewhere: all lines come from main memory, or from the level that is shared.
		// Then thread 0 copies the first half of a, which the other processor read.
		{"crossed", true, private(1<<20, 16, 0), 3 * lines * line, (1 + 1 + 0.5) * lines * line},
		{"shared", true, private(1<<20, 16, 10), 3 * lines * line, lines*line + lines*10 + lines/2*line},
	} {
		t.Run(of.name, func(t *testing.T) {
			m := mapping.Default(pl, p)
			if of.crossed {
				m.Regions[1].Proc[0] = []int{1, 0}
			}
			k := candidate{procs, m}
			plan, sims := plainAnd(t, p, k, of.memory)
			exe, err := c.r.Metered(ctx, c.b, &plan.Meters)
			if err != nil {
				t.Fatal(err)
			}
			follow(t, c, exe, plan, sims)
			alone, together := sims[1].Sequential()-sims[0].Sequential(), sims[1].Parallel()-sims[0].Parallel()
			if math.Abs(alone-of.alone) > 12*line || math.Abs(together-of.together) > 12*line {
				t.Errorf("waits for memory %.0f cycles in sequence, %.0f in parallel; want %.0f and %.0f", alone, together, of.alone, of.together)
			}
		})
	}
}

// plainAnd makes simulators without memory and with it.
func plainAnd(t *testing.T, p *ir.Program, k candidate, m *replay.Memory) (*replay.Plan, []*replay.Simulator) {
	t.Helper()
	plan, err := replay.NewPlan(p, p.Func("main").Index, k.procs.Costs)
	if err != nil {
		t.Fatal(err)
	}
	var sims []*replay.Simulator
	for range 2 {
		sim, err := replay.NewSimulator(plan, k.m, k.procs.Costs, k.procs.ClockMHz, k.procs.Overheads, p)
		if err != nil {
			t.Fatal(err)
		}
		sims = append(sims, sim)
	}
	if err := sims[1].Through(m); err != nil {
		t.Fatal(err)
	}
	return plan, sims
}

func follow(t *testing.T, c *built, exe string, plan *replay.Plan, sims []*replay.Simulator) {
	t.Helper()
	s, _ := streams(t, programs.Run{})
	if _, err := c.r.Follow(context.Background(), c.b, exe, nil, s, func(events io.Reader) error {
		_, err := replay.Read(events, plan, sims)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
