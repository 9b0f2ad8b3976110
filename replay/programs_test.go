package replay_test

// This file replays the test programs and holds the result against what the counts of
// the path profile give: the sequential cycles must be the same to the last digit,
// since both add up the same costs, by ways that share nothing.

import (
	"bytes"
	"context"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pathspan/estimate"
	"pathspan/ir/toolchain"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/pathprof/record"
	"pathspan/procmodels"
	"pathspan/replay"
	"pathspan/testdata/programs"
)

const testdata = "../testdata"

// case is a program that was profiled and can be replayed.
type built struct {
	r      *record.Recorder
	b      *record.Built
	bundle *pathprof.Bundle
}

func build(t testing.TB, tc *toolchain.Toolchain, sources []string, level string) *built {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	r := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
	b, err := r.Build(ctx, record.Options{Sources: sources, Level: level})
	if err != nil {
		t.Fatal(err)
	}
	return &built{r: r, b: b}
}

// streams opens a run's input and keeps its output.
func streams(t testing.TB, run programs.Run) (record.Streams, *bytes.Buffer) {
	t.Helper()
	out := new(bytes.Buffer)
	s := record.Streams{Stdout: out, Stderr: io.Discard}
	if run.Stdin != "" {
		f, err := os.Open(filepath.Join(testdata, run.Stdin))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		s.Stdin = f
	}
	return s, out
}

func (c *built) profile(t testing.TB, run programs.Run) {
	t.Helper()
	s, _ := streams(t, run)
	var err error
	if c.bundle, _, err = c.r.Run(context.Background(), c.b, run.Args, s); err != nil {
		t.Fatal(err)
	}
}

// candidate is a platform and a mapping, priced.
type candidate struct {
	procs estimate.Processors
	m     *mapping.Resolved
}

// replayed replays one run under all candidates.
func (c *built) replayed(t testing.TB, run programs.Run, root string, cands []candidate) ([]*replay.Simulator, *replay.Plan, string, error) {
	t.Helper()
	p := c.b.Program
	plan, err := replay.NewPlan(p, p.Func(root).Index, allCosts(cands))
	if err != nil {
		t.Fatal(err)
	}
	var sims []*replay.Simulator
	for _, k := range cands {
		sim, err := replay.NewSimulator(plan, k.m, k.procs.Costs, k.procs.ClockMHz, fill(len(k.procs.Costs), k.procs.Platform.Create), fill(len(k.procs.Costs), k.procs.Platform.Sync), p)
		if err != nil {
			t.Fatal(err)
		}
		sims = append(sims, sim)
	}
	exe, err := c.r.Metered(context.Background(), c.b, &plan.Meters)
	if err != nil {
		t.Fatal(err)
	}
	s, out := streams(t, run)
	_, err = c.r.Follow(context.Background(), exe, run.Args, s, func(events io.Reader) error {
		_, err := replay.Read(events, plan, sims)
		return err
	})
	return sims, plan, out.String(), err
}

func TestProgramsProbe(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			c := build(t, tc, p.Paths(testdata), "2")
			run := p.Small()
			c.profile(t, run)
			a, err := estimate.Prepare(c.bundle, "main")
			if err != nil {
				t.Fatal(err)
			}
			pricer := &estimate.Pricer{Program: c.bundle.Program}
			var cands []candidate
			for _, n := range []int{2, 4} {
				pl := mapping.Homogeneous(n, "")
				procs, err := pricer.Processors(context.Background(), pl)
				if err != nil {
					t.Fatal(err)
				}
				cands = append(cands, candidate{procs, mapping.Default(pl, c.bundle.Program)})
			}
			sims, plan, _, err := c.replayed(t, run, "main", cands)
			if err != nil {
				t.Errorf("replay: %v", err)
				return
			}
			for i, k := range cands {
				e, err := a.On(k.procs)
				if err != nil {
					t.Fatal(err)
				}
				r, err := e.Estimate(k.m, estimate.PathBased)
				if err != nil {
					t.Fatal(err)
				}
				seq, par := sims[i].Sequential(), sims[i].Parallel()
				flag := ""
				if math.Abs(seq-r.SequentialCycles) > 1e-6*seq {
					flag = "SEQ"
				}
				t.Logf("%-24s exact %v %d: seq %.1f est %.1f; par %.1f est %.1f; su %.4f est %.4f err %.3f%% %s", p.Name, plan.Exact, i, seq, r.SequentialCycles, par, r.ParallelCycles, seq/par, r.Speedup, 100*(r.Speedup*par/seq-1), flag)
			}
		})
	}
}

func allCosts(cands []candidate) []*procmodels.Costs {
	var all []*procmodels.Costs
	for _, k := range cands {
		all = append(all, k.procs.Costs...)
	}
	return all
}

func fill(n int, x float64) []float64 { return slices.Repeat([]float64{x}, n) }
