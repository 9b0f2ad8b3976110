package validate

// This file plants errors in references that replay makes under other overheads, costs and
// memory, and asks which causes they are laid to.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pathspan/mapping"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
)

// shareSources are programs with short sections, of three different balances. In the last one
// an array of 64 KiB is walked through, and a loop's trips change, which PB averages.
func shareSources(t *testing.T) []*bench.Program {
	const work = "#include <stdio.h>\nstatic unsigned array[16384];\nstatic unsigned work(unsigned x, int n) { while (n--) x = x * 1664525u + 1013904223u; return x; }\n" +
		"static unsigned walk(unsigned x, int from) { for (int i = from; i < from + 4096; i++) x += array[i] += x; return x; }\n"
	const frame = "int main(void)\n{\n    unsigned a = 1, b = 2, c = 3;\n    for (int k = 0; k < 20; k++) {\n        c = work(c, %d);\n        #pragma omp parallel sections\n        {\n" +
		"            #pragma omp section\n            a = %s;\n            #pragma omp section\n            b = %s;\n            #pragma omp section\n            c = %s;\n        }\n    }\n    return (a ^ b ^ c) == 42;\n}\n"
	sources, expected := map[string]string{}, map[string]string{}
	for name, lanes := range map[string][3]string{
		"even": {"work(a, 100)", "work(b, 100)", "work(c, 100)"},
		"odd":  {"work(a, 300)", "work(b, 50)", "work(c, 20)"},
		"walk": {"walk(a, 0)", "work(walk(b, 8192), k % 2 * 4000)", "work(walk(c, 4096), 4000 - k % 2 * 4000)"},
	} {
		sources[name], expected[name] = work+fmt.Sprintf(frame, 80, lanes[0], lanes[1], lanes[2]), ""
	}
	return folder(t, sources, expected, "[3]")
}

// planted makes figures of what replay says in a ledger, times a factor.
func planted(l *ledger.Ledger, source string, factor float64) (all []Figure) {
	for _, r := range l.Rows {
		if r.Technique != "eb" || r.Reference != ledger.Replay {
			continue
		}
		f := Figure{Program: r.Program, Level: r.Level, Source: source, Where: "f"}
		if r.Processors == 2 {
			f.Processors, f.Cycles = 1, r.ReferenceSequentialCycles*factor
			all = append(all, f)
		}
		f.Processors, f.Cycles = r.Processors, r.ReferenceParallelCycles*factor
		all = append(all, f)
	}
	return all
}

func sharePlatforms(create, sync float64) (all []*mapping.Platform) {
	for _, n := range []int{2, 3} {
		pl := mapping.Homogeneous(n, "")
		pl.Create, pl.Sync, pl.CreateDefaulted, pl.SyncDefaulted = create, sync, false, false
		all = append(all, pl)
	}
	return all
}

// addUp reports rows whose shares are not their errors.
func addUp(t *testing.T, l *ledger.Ledger) {
	t.Helper()
	for i := range l.Rows {
		r := &l.Rows[i]
		var speedup, sequential float64
		for _, s := range r.Shares {
			speedup, sequential = speedup+s.Speedup, sequential+s.Sequential
		}
		if (r.Shares == nil) != (r.Reference == ledger.Replay) || r.Shares != nil && (math.Abs(speedup-r.Error) > 1e-9 || math.Abs(sequential-r.SequentialError) > 1e-9) {
			t.Errorf("%s: %+v for errors %g and %g", r.Key(), r.Shares, r.Error, r.SequentialError)
		}
	}
}

func TestPlantedErrors(t *testing.T) {
	programs := shareSources(t)
	run := func(platforms []*mapping.Platform, figures []Figure) *ledger.Ledger {
		t.Helper()
		v := &Validation{Programs: programs, Size: bench.Small, Levels: []string{"1"}, Platforms: platforms, References: figures}
		if _, wrong := v.Check(programs); wrong != nil {
			t.Fatal(wrong)
		}
		res := validated(t, v)
		if len(res.Failures) > 0 {
			t.Fatal(res.Failures)
		}
		return res.Ledger
	}
	own := run(sharePlatforms(100, 20), nil)
	var figures []Figure
	figures = append(figures, planted(own, "same", 1)...)
	figures = append(figures, planted(run(sharePlatforms(200, 40), nil), "doubled", 1)...)
	figures = append(figures, planted(run(sharePlatforms(100/1.3, 20/1.3), nil), "dearer", 1.3)...)
	for _, f := range planted(own, "late", 1) {
		if f.Program == "odd" && f.Processors == 3 {
			f.Cycles *= 1.1
		}
		figures = append(figures, f)
	}
	l := run(sharePlatforms(100, 20), figures)
	addUp(t, l)
	const cause = 0.01 // what must be seen of a planted cause at least
	seen := map[string]float64{}
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Reference == ledger.Replay {
			continue
		}
		share := func(cause string) float64 { s, _ := r.ShareOf(cause); return s.Speedup }
		of, factor, rest := ledger.OfTechnique, 1.0, 0.0
		switch r.Reference {
		case "doubled":
			of, factor = ledger.OfOverheads, 2
		case "dearer":
			of = ledger.OfBlockCosts
			if blocks, _ := r.ShareOf(of); math.Abs(blocks.Sequential-(1/1.3-1)) > 1e-6 {
				t.Errorf("%s: block costs have %g of the sequential error", r.Key(), blocks.Sequential)
			}
		case "late":
			if r.Program == "odd" && r.Processors == 3 {
				of, rest = ledger.OfRest, 0.1
			}
		}
		if math.Abs(r.OverheadFactor-factor) > 1e-3 {
			t.Errorf("%s: overheads times %g, want %g", r.Key(), r.OverheadFactor, factor)
		}
		for _, other := range []string{ledger.OfBlockCosts, ledger.OfOverheads, ledger.OfRest} {
			if other != of && math.Abs(share(other)) > 1e-3 {
				t.Errorf("%s: %s has %g", r.Key(), other, share(other))
			}
		}
		if of == ledger.OfRest && math.Abs(share(of)-rest) > 1e-3 {
			t.Errorf("%s: the rest has %g, want %g", r.Key(), share(of), rest)
		}
		// All but the technique's share is the same for every technique, and its share the error against replay.
		if k := rowOf(own, r.Program, r.Processors, r.Technique); math.Abs(share(ledger.OfTechnique)-k.Error*k.ReferenceSpeedup/r.ReferenceSpeedup) > 1e-6 {
			t.Errorf("%s: technique has %g, against replay %g", r.Key(), share(ledger.OfTechnique), k.Error)
		}
		if _, ok := r.ShareOf(ledger.OfMemory); ok {
			t.Errorf("%s: memory has a share where nobody asked", r.Key())
		}
		seen[r.Reference] = max(seen[r.Reference], math.Abs(share(of)))
	}
	for _, reference := range []string{"same", "doubled", "dearer", "late"} {
		if seen[reference] < cause {
			t.Errorf("the cause planted in %s is at most %g of an error", reference, seen[reference])
		}
	}
}

func rowOf(l *ledger.Ledger, program string, processors int, technique string) *ledger.Row {
	for i := range l.Rows {
		if r := &l.Rows[i]; r.Program == program && r.Processors == processors && r.Technique == technique && r.Reference == ledger.Replay {
			return r
		}
	}
	return nil
}

// A reference whose accesses wait as replay has it: what the estimate has otherwise of them is
// memory's share, and without it that of costs, which it lacks.
func TestPlantedMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "small.yaml")
	text := "processors: [{name: cpu, model: generic, clock_mhz: 100, count: 3}]\noverheads: {create: 100, sync: 20}\nmemory:\n  levels: [{name: L1, size: 8192, line: 64, ways: 4}]\n  main: {latency: 60}\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	pl, err := mapping.LoadPlatform(file)
	if err != nil {
		t.Fatal(err)
	}
	programs := shareSources(t)
	run := func(memory bool, figures []Figure) *ledger.Ledger {
		t.Helper()
		res := validated(t, &Validation{Programs: programs, Size: bench.Small, Levels: []string{"1"}, Platforms: []*mapping.Platform{pl}, References: figures, Memory: memory})
		if len(res.Failures) > 0 {
			t.Fatal(res.Failures)
		}
		return res.Ledger
	}
	var figures []Figure
	for _, r := range run(true, nil).Rows {
		if r.Technique == "eb" {
			figures = append(figures, Figure{Program: r.Program, Level: "1", Processors: 1, Cycles: r.ReferenceSequentialCycles, Source: "waits", Where: "f"},
				Figure{Program: r.Program, Level: "1", Processors: 3, Cycles: r.ReferenceParallelCycles, Source: "waits", Where: "f"})
		}
	}
	l := run(true, figures)
	addUp(t, l)
	const few = 0.005 // the stack does not lie in the same lines of caches in each run, which short programs feel
	for i := range l.Rows {
		if r := &l.Rows[i]; r.Reference == "waits" && r.Program == "walk" {
			for _, other := range []string{ledger.OfBlockCosts, ledger.OfOverheads, ledger.OfRest} {
				if s, ok := r.ShareOf(other); !ok || math.Abs(s.Speedup) > few || math.Abs(s.Sequential) > few {
					t.Errorf("%s: %s has %+v", r.Key(), other, s)
				}
			}
			s, ok := r.ShareOf(ledger.OfMemory)
			if !ok || r.Technique == "eb" && (math.Abs(s.Speedup) > 0.05 || math.Abs(s.Sequential) > 0.05) {
				t.Errorf("%s: memory has %+v", r.Key(), s)
			}
		}
	}
	l = run(false, figures)
	addUp(t, l)
	for i := range l.Rows {
		if r := &l.Rows[i]; r.Reference == "waits" && r.Program == "walk" && r.Technique == "eb" {
			if s, _ := r.ShareOf(ledger.OfBlockCosts); s.Sequential > -0.05 {
				t.Errorf("%s: block costs have %+v, though nothing waits in the estimate", r.Key(), s)
			}
		}
	}
}
