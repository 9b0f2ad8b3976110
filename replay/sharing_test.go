package replay_test

// This file holds estimates of lines that go back and forth to replay, of a program whose sections, iterations and
// tasks do nothing but count, each in a word of its own.

import (
	"math"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/testdata/programs"
)

// Where the words lie side by side the program takes up to 2.5 times as long on four processors as where each is in a line of its own, and
// on one processor as long.
func TestNeighboursInLines(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	var took [2][]float64
	for n, apart := range []string{"1", "8"} {
		c := &built{r: &record.Recorder{Toolchain: tc, Dir: t.TempDir()}}
		if c.b, err = c.r.Build(t.Context(), record.Options{Sources: []string{"testdata/neighbours.c"}, CFlags: []string{"-DAPART=" + apart}, Level: "2", Memory: true}); err != nil {
			t.Fatal(err)
		}
		c.profile(t, programs.Run{})
		c.bundle = c.bundle.WithTeams(4)
		c.b.Program = c.bundle.Program
		var cands []candidate
		for _, processors := range []int{1, 2, 4} {
			cands = append(cands, c.onMemory(t, 8, processors, ""))
		}
		sims, _, _, err := c.replayed(t, programs.Run{}, "main", cands)
		if err != nil {
			t.Fatal(err)
		}
		a, err := estimate.Prepare(c.bundle, "main")
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range cands {
			_, r := k.byExecutions(t, a)
			took[n] = append(took[n], r.ParallelCycles)
			off := r.ParallelCycles/sims[i].Parallel() - 1
			t.Logf("%s words apart, %d processors: %.0f cycles, %+.2g%% off", apart, len(k.procs.Costs), r.ParallelCycles, 100*off)
			if limit := []float64{0.035, 0.001}[n]; math.Abs(off) > limit {
				t.Errorf("estimates are %.2g%% off", 100*off)
			}
		}
	}
	for i, least := range []float64{0.999, 1.6, 2.4} {
		if ratio := took[0][i] / took[1][i]; ratio < least || i == 0 && ratio > 1.001 {
			t.Errorf("side by side it takes %.3f times as long", ratio)
		}
	}
}
