package main

// This file runs go test on packages made for it and reads the report.

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// module writes packages, each one file of tests, and goes there.
func module(t *testing.T, packages map[string]string) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module example\n\ngo 1.25\n"}
	for name, text := range packages {
		files[filepath.Join(name, "x_test.go")] = "package x\n\nimport (\n\t\"os\"\n\t\"testing\"\n\t\"time\"\n)\n\nvar _, _, _ = os.Exit, testing.Short, time.Now\n\n" + text
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
}

var times = regexp.MustCompile(`\d+\.\d+ ?s|\d+:\d\d minutes`)

// report runs the tests and returns what is said of them, times as T.
func report(t *testing.T, wantStatus int, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	status, err := run(args, &out, false)
	if err != nil || status != wantStatus {
		t.Errorf("status %d (%v), want %d", status, err, wantStatus)
	}
	return regexp.MustCompile(` +T`).ReplaceAllString(times.ReplaceAllString(out.String(), "T"), " T")
}

func want(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("no\n%s\nin\n%s", part, got)
		}
	}
}

const good = `
func TestPasses(t *testing.T) { t.Log("nobody reads this") }

func TestSkips(t *testing.T) {
	t.Run("a", func(t *testing.T) { t.Log("before"); t.Skip("skipped: no such\ntool") })
	t.Run("b", func(t *testing.T) { t.Skip("no such tool") })
	t.Run("c", func(t *testing.T) { t.SkipNow() })
	t.Run("d/of/three", func(t *testing.T) { t.Run("parts", func(t *testing.T) {}) })
}
`

func TestSummary(t *testing.T) {
	module(t, map[string]string{"a": good, "b": "func TestB(t *testing.T) {}\n", "c": "", "d": `func TestSkipped(t *testing.T) { t.Skip("no such tool") }`})
	got := report(t, 0, "-note", "lint", "-note", "", "-count=1", "./...")
	want(t, got, "ok    example/a T  5 tests, 3 skipped\n", "ok    example/b T  1 test\n", "ok    example/d T  1 test, 1 skipped\n", `
7 tests in 3 packages, T: 3 passed, 0 failed, 4 skipped
  skipped   3: no such tool (example/`, `, ...)
  skipped   1: no reason given (example/a TestSkips/c)
  not done: lint
`)
	if strings.Contains(got, "nobody reads this") || strings.Contains(got, "example/c") || strings.Count(got, "not done") != 1 {
		t.Errorf("too much is said:\n%s", got)
	}
}

func TestFailures(t *testing.T) {
	module(t, map[string]string{"a": good, "b": `
func TestFails(t *testing.T) {
	t.Run("well", func(t *testing.T) { t.Log("nobody reads this") })
	t.Run("badly", func(t *testing.T) {
		t.Log("first")
		t.Error("second\nof two lines")
	})
	t.Log("last")
}

func TestAlone(t *testing.T) {
	t.Run("well", func(t *testing.T) {})
	t.Error("not by its subtest")
}
`, "c": `func TestBroken(t *testing.T) { undefined() }`,
		"d": `func TestPanics(t *testing.T) { t.Log("before"); panic("why") }`,
		"e": `func TestHangs(t *testing.T) { time.Sleep(time.Hour) }`,
		"f": `func TestMain(m *testing.M) { println("no licence"); os.Exit(7) }`})
	got := report(t, 1, "-count=1", "-timeout=5s", "./...")
	want(t, got, `example/b
    x_test.go:15: first
    x_test.go:16: second
        of two lines
--- FAIL: TestFails/badly (T)
    x_test.go:18: last
--- FAIL: TestFails (T)
`, "x_test.go:23: not by its subtest\n--- FAIL: TestAlone (T)\n", "FAIL  example/b T  4 tests\n",
		"c/x_test.go:11:33: undefined: undefined\n", "before\n", "panic: why", "panic: test timed out after 5s", "no licence\n", "FAIL  example/f T  0 tests\n",
		"passed, 4 failed, 3 skipped\n",
		"  failed: example/b TestFails/badly\n", "  failed: example/b TestAlone\n", "  failed: example/c (it does not build)\n",
		"  failed: example/d TestPanics", "  failed: example/e TestHangs (did not end)\n", "  failed: example/f\n")
	if strings.Contains(got, "nobody reads this") || strings.Contains(got, "example/b TestFails\n") {
		t.Errorf("too much is said:\n%s", got)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	module(t, map[string]string{"a": `func TestLeaves(t *testing.T) {
	if _, err := os.MkdirTemp("", "profile"); err != nil {
		t.Fatal(err)
	}
}
`})
	want(t, report(t, 1, "-count=1", "./..."), "1 passed, 0 failed", "  failed: left in the folder for temporary files: profile")
}

// TestProgress lets time pass: a terminal has a line that is renewed, a log is told when it
// was silent for a minute.
func TestProgress(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		var out bytes.Buffer
		s := newScreen(&out, terminal)
		at := s.began
		s.now = func() time.Time { return at }
		r := newResults(s)
		for _, e := range []event{{Action: "start", Package: "m/a"}, {Action: "run", Package: "m/a", Test: "TestA"}, {Action: "run", Package: "m/a", Test: "TestA/x"},
			{Action: "run", Package: "m/a", Test: "TestA/y"}, {Action: "pass", Package: "m/a", Test: "TestA/y"}, {Action: "start", Package: "m/b"}} {
			r.take(e)
		}
		for range 130 {
			at = at.Add(time.Second)
			s.show(r.underWay())
		}
		s.print("text\n")
		line := "1 test in 0 packages; now a (2:10, TestA/x)"
		want := "1:00 1 test in 0 packages; now a (1:00, TestA/x)\n2:00 1 test in 0 packages; now a (2:00, TestA/x)\ntext\n"
		got := out.String()
		if terminal {
			want = "2:10 " + line + "\r\x1b[Ktext\n"
			got = got[max(0, len(got)-len(want)):]
		}
		if got != want {
			t.Errorf("terminal %v: got %q, want %q", terminal, got, want)
		}
	}
}
