package replay_test

// This file holds estimates of lines that go back and forth to replay, of a program whose sections, iterations and
// tasks do nothing but count in words of their own.

import (
	"math"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/testdata/programs"
)

func TestNeighboursInLines(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	took := map[string]float64{}
	for _, apart := range []string{"1", "8"} {
		c := &built{r: &record.Recorder{Toolchain: tc, Dir: t.TempDir()}}
		if c.b, err = c.r.Build(t.Context(), record.Options{Sources: []string{"testdata/neighbours.c"}, CFlags: []string{"-DAPART=" + apart}, Level: "2", Memory: true}); err != nil {
			t.Fatal(err)
		}
		c.profile(t, programs.Run{})
		c.bundle = c.bundle.WithTeams(4)
		c.b.Program = c.bundle.Program
		var cands []candidate
		for _, processors := range []int{1, 2, 4} {
			cands = append(cands, c.onMemory(t, 8, processors))
		}
		sims, _, _, err := c.replayed(t, programs.Run{}, "main", cands)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range c.bundle.Memory.Shared { t.Logf("shared %+v lane %+v", x, c.bundle.Memory.Lanes[x.Lane]) }
		a, err := estimate.Prepare(c.bundle, "main")
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range cands {
			e, r := k.byExecutions(t, a)
			off := r.ParallelCycles/sims[i].Parallel() - 1
			t.Logf("%s words apart, %d processors: %.0f cycles, %+.2g%% off; %.2g of the time of one", apart, len(k.procs.Costs), r.ParallelCycles, 100*off, r.ParallelCycles/r.SequentialCycles)
			est := map[int]float64{}
			e.Play(k.m, estimate.ExecutionBased, func(rows *table.Table, p *table.Played) { r, _ := rows.Construct(p.Execution); est[r] += p.Weight*p.Span })
			for reg := range c.b.Program.Regions {
				t.Logf("   region %d: %.0f est %.0f", reg, sims[i].Region(reg).Parallel, est[reg])
			}
			if math.Abs(off) > 0.04 {
				t.Errorf("estimates are %.2g%% off", 100*off)
			}
		}
		took[apart] = 0
	}
}
