package estimate_test

// This file takes the paper's example from C source through the executable to the
// estimate and holds every figure against the paper (Lattuada, Pilato, Ferrandi,
// Table 3, Tables 11 to 17, eq. 13 to 15).

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
)

const fun0Folder = "../testdata/fun0/"

func TestPaperFromSource(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		_, err := toolchain.Find("")
		t.Skipf("nothing to compile the example with: %v", err)
	}
	for _, tc := range all {
		t.Run("llvm"+strconv.Itoa(tc.Version), func(t *testing.T) {
			build := newPaperBuild(t, tc, fun0Folder+"fun0.c")
			for _, situation := range []string{"a", "b"} {
				d := &differences{}
				bundle := build.run(t, situation)
				checkTotals(t, d, bundle, situation)
				checkLevel0(t, d, explainPaper(t, bundle, 0), situation)
				checkLevel5(t, d, explainPaper(t, bundle, 1), "5")
				d.report(t, "situation ("+situation+")")
			}
			// Path 6 of the tables never runs, c3 being always true. Here it does.
			d := &differences{}
			checkLevel5(t, d, explainPaper(t, newPaperBuild(t, tc, elseBranch(t)).run(t, "a"), 1), "6")
			d.report(t, "c3 always false")
		})
	}
}

// paperBuild is the example built with one LLVM; both situations run it.
type paperBuild struct {
	recorder *record.Recorder
	built    *record.Built
}

func newPaperBuild(t *testing.T, tc *toolchain.Toolchain, source string) *paperBuild {
	t.Helper()
	r := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
	built, err := r.Build(context.Background(), record.Options{Sources: []string{source}, Level: "0"})
	if err != nil {
		t.Fatal(err)
	}
	return &paperBuild{r, built}
}

func (p *paperBuild) run(t *testing.T, situation string) *profile.Bundle {
	t.Helper()
	b, status, err := p.recorder.Run(context.Background(), p.built, []string{situation}, record.Streams{Stdout: io.Discard, Stderr: os.Stderr})
	if err != nil || status.Exit != 0 {
		t.Fatalf("fun0 %s: %v, %v", situation, status, err)
	}
	return b
}

// elseBranch writes a copy of the example whose main gives c3 = 0, on the same lines.
func elseBranch(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(fun0Folder + "fun0.c")
	if err != nil {
		t.Fatal(err)
	}
	const call = "fun_0(c1, c2, 1, array)"
	if strings.Count(string(text), call) != 1 {
		t.Fatalf("fun0.c does not hold %q once", call)
	}
	path := filepath.Join(t.TempDir(), "fun0.c")
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), call, "fun_0(c1, c2, 0, array)", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// onPaperPlatform prices a bundle for the paper's processors and resolves a mapping.
func onPaperPlatform(t *testing.T, b *profile.Bundle, mappingFile string) (*estimate.Estimator, *mapping.Resolved) {
	t.Helper()
	pl, err := mapping.LoadPlatform(fun0Folder + "platform.yaml")
	if err != nil {
		t.Fatal(err)
	}
	file, err := mapping.LoadMapping(fun0Folder + mappingFile)
	if err != nil {
		t.Fatal(err)
	}
	a, err := estimate.Prepare(b, "fun_0")
	if err != nil {
		t.Fatal(err)
	}
	procs, err := (&estimate.Pricer{Program: b.Program}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Resolve(pl, file, b.Program)
	if err != nil {
		t.Fatal(err)
	}
	return e, m
}

// paperTotals holds the parallel and sequential cycles behind Table 3. "Real" is what
// the path-based technique must give: eq. 14 and 15 for SolB. AT and MT are the same
// in both situations.
var paperTotals = []struct {
	situation, mapping   string
	technique            estimate.Technique
	parallel, sequential float64
}{
	{"a", "solB", estimate.PathBased, 2648.5, 3123},
	{"b", "solB", estimate.PathBased, 2122, 3123},
	{"a", "solA", estimate.PathBased, 2155.5, 3123},
	{"b", "solA", estimate.PathBased, 2648.5, 3123},
	{"ab", "solA", estimate.AverageTime, 2155.5, 3123},
	{"ab", "solB", estimate.AverageTime, 2122, 3123},
	{"ab", "solA", estimate.MaximalTime, 3180, 5172},
	{"ab", "solB", estimate.MaximalTime, 4171, 5172},
}

// paperSpeedups are those of Table 3, which truncates MT and AT of SolA; rounded.
var paperSpeedups = map[string]string{
	"a solB pb": "1.18", "b solB pb": "1.47", "a solA pb": "1.45", "b solA pb": "1.18",
	"a solA at": "1.45", "b solA at": "1.45", "a solB at": "1.47", "b solB at": "1.47",
	"a solA mt": "1.63", "b solA mt": "1.63", "a solB mt": "1.24", "b solB mt": "1.24",
}

func checkTotals(t *testing.T, d *differences, b *profile.Bundle, situation string) {
	t.Helper()
	for _, w := range paperTotals {
		if !strings.Contains(w.situation, situation) {
			continue
		}
		e, m := onPaperPlatform(t, b, w.mapping+".yaml")
		r, err := e.Estimate(m, w.technique)
		if err != nil {
			t.Fatal(err)
		}
		key := situation + " " + w.mapping + " " + w.technique.String()
		d.number("3", key, "parallel cycles", r.ParallelCycles, w.parallel)
		d.number("3", key, "sequential cycles", r.SequentialCycles, w.sequential)
		d.text("3", key, "speed-up", strconv.FormatFloat(r.Speedup, 'f', 2, 64), paperSpeedups[key])
		d.number("3", key, "share of default costs", r.DefaultCostShare, 0)
	}
}
