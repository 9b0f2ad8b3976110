package main

// This file tests that figures are right where profiles, platforms or results are unusual,
// and that every command says what its figures leave out.

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// estimated is a result as estimate --json prints it.
type estimated struct {
	Technique         string   `json:"technique"`
	Processors        int      `json:"processors"`
	Mapping           string   `json:"mapping"`
	SequentialCycles  float64  `json:"sequential_cycles"`
	ParallelCycles    float64  `json:"parallel_cycles"`
	SequentialSeconds float64  `json:"sequential_seconds"`
	ParallelSeconds   float64  `json:"parallel_seconds"`
	Speedup           float64  `json:"speedup"`
	Joules            float64  `json:"joules"`
	Interval          *spanned `json:"speedup_interval"`
}

// spanned is an interval.
type spanned struct{ Low, High float64 }

// estimatesOf runs estimate --json.
func estimatesOf(t *testing.T, args ...string) (all []estimated, notes []string) {
	t.Helper()
	var out struct {
		Estimates []estimated
		Notes     []string
	}
	if err := json.Unmarshal([]byte(succeed(t, append([]string{"estimate", "--json"}, args...)...)), &out); err != nil {
		t.Fatal(err)
	}
	return out.Estimates, out.Notes
}

// speedupBy is the speed-up on two equal processors.
func speedupBy(t *testing.T, technique string, args ...string) float64 {
	t.Helper()
	all, _ := estimatesOf(t, append([]string{"-p", "2", "--technique", technique}, args...)...)
	return all[0].Speedup
}

func near(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance*math.Abs(b) }

func TestFigures(t *testing.T) {
	dir := profileAll(t)
	at := func(name string) string { return filepath.Join(dir, name+".pspan") }
	t.Run("omissions", func(t *testing.T) { testOmissions(t, dir, at) })
	t.Run("answers", func(t *testing.T) { testAnswers(t, dir, at) })
	t.Run("random answers", func(t *testing.T) { testRandomAnswers(t, dir) })
	t.Run("random tasks", func(t *testing.T) { testRandomTasks(t, dir) })
	t.Run("optimum", func(t *testing.T) { testOptimum(t, dir, at) })
	t.Run("places of tasks", func(t *testing.T) { testPlaces(t, dir) })
	t.Run("feet", func(t *testing.T) { testFeet(t, at) })
	t.Run("schemas", func(t *testing.T) { testSchemas(t, dir, at) })
	t.Run("limits", func(t *testing.T) { testLimits(t, at) })
	t.Run("ranges", func(t *testing.T) { testRanges(t, at) })
	t.Run("main never returned", func(t *testing.T) { testNeverReturned(t, at) })
	t.Run("outside of main", func(t *testing.T) { testOutside(t, at) })
	t.Run("merged with paths only", func(t *testing.T) { testMixed(t, at) })
	t.Run("merged with itself", func(t *testing.T) { testMergedTwice(t, at) })
	t.Run("left out", func(t *testing.T) { testLeftOut(t, at) })
	t.Run("explored elsewhere", func(t *testing.T) { testExploredElsewhere(t, at) })
	t.Run("units", func(t *testing.T) { testUnits(t, at) })
	t.Run("large", func(t *testing.T) { testLarge(t, at) })
	t.Run("matrix", func(t *testing.T) { testMatrix(t, dir, at) })
}

// Intervals of a platform do not depend on which others are asked for, and there are some
// on every program with executions, by default flags.
func testRanges(t *testing.T, at func(string) string) {
	for _, name := range []string{"sizes", "nested", "recursion", "merged"} {
		together, _ := estimatesOf(t, at(name), "--model", "arm922t")
		for i := range together {
			alone, _ := estimatesOf(t, at(name), "--model", "arm922t", "-p", strconv.Itoa(together[i].Processors), "--technique", together[i].Technique)
			switch a, b := together[i].Interval, alone[0].Interval; {
			case a == nil || b == nil:
				t.Errorf("%s: no interval", name)
			case *a != *b || together[i].ParallelCycles != alone[0].ParallelCycles:
				t.Errorf("%s, %s on %d processors: %v and %v together, %v and %v alone", name, together[i].Technique, together[i].Processors,
					together[i].ParallelCycles, *a, alone[0].ParallelCycles, *b)
			}
		}
	}
}

// The paths of main and of what it called had no end, and are counted all the same.
func testNeverReturned(t *testing.T, at func(string) string) {
	all, notes := estimatesOf(t, at("never"), "-p", "2")
	for _, r := range all {
		// One section takes 4 to 5 times as long as the other, and each calls the same function.
		if r.Technique == "eb" && !near(r.Speedup, 1.22, 0.01) || !(r.Speedup > 1 && r.Speedup <= 2) {
			t.Errorf("%s: speed-up %v of %v cycles", r.Technique, r.Speedup, r.SequentialCycles)
		}
	}
	if text := strings.Join(notes, "\n"); strings.Contains(text, "missing") || strings.Contains(text, "keeps") {
		t.Errorf("%q", notes)
	}
}

// The longest section of each execution bounds the speed-up, whatever paths average.
func testLimits(t *testing.T, at func(string) string) {
	var out struct {
		Estimates []estimated
		Limits    *struct{ Parallelism float64 }
	}
	if err := json.Unmarshal([]byte(succeed(t, "estimate", "--json", "-p", "3", at("sizes"))), &out); err != nil {
		t.Fatal(err)
	}
	if out.Limits == nil || out.Limits.Parallelism < out.Estimates[0].Speedup || out.Limits.Parallelism > out.Estimates[0].Speedup*1.02 {
		t.Errorf("limits %+v, and with a processor for each section %+v", out.Limits, out.Estimates[0])
	}
}

// Nine of ten executions are those of a handler, which main's time does not hold.
func testOutside(t *testing.T, at func(string) string) {
	if got := speedupBy(t, "eb", at("handler")); !near(got, 1.71, 0.01) {
		t.Errorf("speed-up %v, want that of main's own executions", got)
	}
}

// keptPart is what is said of executions that are kept in part.
const keptPart = "keeps a part of the executions"

func testMixed(t *testing.T, at func(string) string) {
	whole, mixed := speedupBy(t, "eb", at("merged")), speedupBy(t, "eb", at("mixed"))
	if !near(mixed, whole, 0.005) {
		t.Errorf("speed-up %v where executions of some runs are missing, %v where they are not", mixed, whole)
	}
	again := filepath.Join(t.TempDir(), "mixed.pspan")
	for _, args := range [][]string{
		{"merge", "-o", again, at("sizes"), at("paths-only")}, {"merge", "--json", "-o", again, at("sizes"), at("paths-only")},
		{"inspect", at("mixed")}, {"estimate", at("mixed")}, {"estimate", "--json", at("mixed")}, {"why", at("mixed")}, {"explore", "-p", "2", at("mixed")}, {"explore", "-p", "1,2", at("mixed")},
		{"serve", at("mixed")}, {"diff", at("mixed"), at("merged")}, {"diff", "--json", at("mixed"), at("merged")}, {"export", "--format", "csv", at("mixed")},
		{"report", at("mixed"), "-o", "-", "--format", "md"}, {"report", at("mixed"), "-o", "-", "--format", "html"}, {"report", at("mixed"), "-o", "-", "--format", "json"},
	} {
		o := pathspan("", args...)
		if o.status != 0 || !strings.Contains(o.stdout+o.stderr, keptPart) {
			t.Errorf("%q: status %d, and nothing is said of the executions that are missing: %s", args, o.status, o.stderr)
		}
	}
	if o := pathspan("", "estimate", at("merged")); strings.Contains(o.stdout, keptPart) {
		t.Errorf("all executions are there, and it says %s", o.stdout)
	}
}

func testMergedTwice(t *testing.T, at func(string) string) {
	dir := t.TempDir()
	twin := filepath.Join(dir, "twin.pspan")
	data, err := os.ReadFile(at("sizes"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(twin, data, 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.pspan")
	for _, c := range []struct {
		with string
		want string
	}{
		{at("sizes"), "sizes.pspan is merged with itself: its run counts twice"},
		{twin, "sizes.pspan and twin.pspan hold the same counts of runs with the same arguments"},
	} {
		if o := pathspan("", "merge", "-o", out, at("sizes"), c.with); o.status != 0 || !strings.Contains(o.stderr, c.want) {
			t.Errorf("status %d: %s, want %s", o.status, o.stderr, c.want)
		}
		if o := pathspan("", "merge", "--json", "-o", out, at("sizes"), c.with); !strings.Contains(o.stdout, c.want) {
			t.Errorf("JSON says nothing: %s", o.stdout)
		}
		if o := pathspan("", "inspect", out); !strings.Contains(o.stdout, c.want) {
			t.Errorf("the bundle does not keep it: %s", o.stdout)
		}
	}
	if o := pathspan("", "merge", "-o", out, at("sizes"), at("more")); o.status != 0 || strings.Contains(o.stderr, "twice") {
		t.Errorf("two runs: status %d: %s", o.status, o.stderr)
	}
}

func testLeftOut(t *testing.T, at func(string) string) {
	file := filepath.Join(t.TempDir(), "part.yaml")
	region := regionsOf(t, at("sizes"))[0].Name
	label := regexp.QuoteMeta("region "+region) + ` \(line \d+\) is not in part\.yaml: OpenMP's static schedule places its sections`
	if err := os.WriteFile(file, []byte("regions:\n  "+region+": {cpu1: [2]}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	want := "leaves out 2 of its 3 sections: OpenMP's static schedule sends section 1 to cpu0, section 3 to cpu1"
	for _, args := range [][]string{
		{"estimate"}, {"estimate", "--json"}, {"why"}, {"why", "--json"}, {"suggest"}, {"suggest", "--json"}, {"diff", at("more")}, {"export", "--format", "csv"}, {"export", "--format", "chrome"},
		{"report", "-o", "-", "--format", "md"}, {"report", "-o", "-", "--format", "json"},
	} {
		o := pathspan("", append(args, at("sizes"), "-p", "2", "--mapping", file)...)
		if o.status != 0 || !strings.Contains(o.stdout+o.stderr, want) {
			t.Errorf("%q: status %d, and nothing is said of the sections that are left out: %s", args, o.status, o.stderr)
		}
	}
	if err := os.WriteFile(file, []byte("serial: cpu1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out := succeed(t, "estimate", at("sizes"), "-p", "2", "--mapping", file); !regexp.MustCompile(label).MatchString(out) {
		t.Errorf("a region that is left out: %s", out)
	}
}

func testExploredElsewhere(t *testing.T, at func(string) string) {
	dir := t.TempDir()
	best := filepath.Join(dir, "best.json")
	if err := os.WriteFile(best, []byte(succeed(t, "explore", "--json", "-p", "2", at("more"))), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out.md")
	succeed(t, "report", at("more"), "--explored", best, "-o", out)
	for _, other := range []string{"sizes", "nested"} {
		line := fail(t, "report", at(other), "--explored", best, "-o", filepath.Join(dir, "none.md"))
		if !strings.Contains(line, "a search on more.pspan, does not fit "+other+".pspan") || !strings.Contains(line, "run explore on "+other+".pspan") {
			t.Errorf("%s: %s", other, line)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "none.md")); err == nil {
		t.Error("a report was written")
	}
}

// writeText writes a file of a test.
func writeText(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Models that mean something else by a cycle, and clocks that are assumed beside others.
func testUnits(t *testing.T, at func(string) string) {
	dir := t.TempDir()
	write := func(name, text string) string { return writeText(t, dir, name, text) }
	write("lines.yaml", "schema: pathspan.linetable/1\nname: lines\nsource: a test\ndefault: 2\nlines:\n  - {file: sizes.c, line: 14, cycles: 3}\n")
	mixed := write("mixed.yaml", "processors:\n  - {name: a, model: lines.yaml}\n  - {name: b, model: arm922t}\n")
	equal := write("equal.yaml", "processors:\n  - {name: a, model: arm922t, clock_mhz: 100}\n  - {name: b, model: generic}\n  - {name: c, model: arm922t}\n")
	for _, args := range [][]string{
		{"estimate"}, {"why"}, {"suggest"}, {"explore"}, {"serve"}, {"diff", at("more")}, {"export", "--format", "csv"}, {"report", "-o", "-", "--format", "md"},
	} {
		o := pathspan("", append(args, at("sizes"), "--platform", mixed)...)
		for _, want := range []string{"the models mean different things by a cycle", "100 MHz is assumed"} {
			if o.status != 0 || !strings.Contains(o.stdout+o.stderr, want) {
				t.Errorf("%q: status %d, nothing says that %s: %s", args, o.status, want, o.stderr)
			}
		}
		if o := pathspan("", append(args, at("sizes"), "--platform", equal)...); o.status != 0 || strings.Contains(o.stdout+o.stderr, "different things by a cycle") || strings.Contains(o.stdout+o.stderr, "is assumed") {
			t.Errorf("%q: status %d on models of one unit: %s%s", args, o.status, o.stdout, o.stderr)
		}
	}
}

// Figures that are too large are printed so that they can be read, or refused.
func testLarge(t *testing.T, at func(string) string) {
	dir := t.TempDir()
	write := func(name, text string) string { return writeText(t, dir, name, text) }
	write("dear.yaml", "schema: pathspan.weights/1\nname: dear\nextends: generic\nsource: a test\nweights: {add: 1e12, mul: 1e12, load: 1e12}\n")
	dear := write("platform.yaml", "processors:\n  - {name: p0, model: dear.yaml, clock_mhz: 1e-6, power: 1e9}\n  - {name: p1, model: dear.yaml, clock_mhz: 1e9}\noverheads: {create: 1e15, sync: 1e15}\n")
	for _, command := range bundleCommands {
		c := &cell{bundle: "sizes", dir: dir, target: []string{"--platform", dear, "-p", "2"}, model: filepath.Join(dir, "dear.yaml"), count: 2, technique: "pb"}
		c.check(t, at, command)
	}
	out := succeed(t, "estimate", at("sizes"), "--platform", dear, "--technique", "pb")
	if !strings.Contains(out, "e+1") || strings.Contains(out, "9,223,372,036,854,775,808") {
		t.Errorf("cycles past 2^63 are printed as\n%s", out)
	}
	for text, want := range map[string]string{
		"processors: [{name: a, clock_mhz: 1e-300}]":                              "clock_mhz is \"1e-300\": want a number from 1e-06 to 1e+09",
		"processors: [{name: a, clock_mhz: 1e300}]":                               "clock_mhz is \"1e300\": want a number from 1e-06 to 1e+09",
		"processors: [{name: a}, {name: b}]\noverheads: {create: 1e300, sync: 1}": "overheads.create is \"1e300\": want a number from 0 to 1e+15",
		"processors: [{name: a, power: 1e300}]":                                   "power is \"1e300\": want a number from 0 to 1e+09",
	} {
		if line := fail(t, "estimate", at("sizes"), "--platform", write("bad.yaml", text)); !strings.Contains(line, want) {
			t.Errorf("%s: %s, want %s", text, line, want)
		}
	}
	for _, sweep := range []string{"clock_mhz=1e300", "create=1e300"} {
		if line := fail(t, "explore", at("sizes"), "-p", "2", "--sweep", sweep); !strings.Contains(line, "is no number that") {
			t.Errorf("--sweep %s: %s", sweep, line)
		}
	}
}
