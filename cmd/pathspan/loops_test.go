package main

// This file tests what mapping files and platforms say of worksharing loops, and that what
// explore finds is what estimate reads.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/yamlstrict/keytest"
)

// loopsFolder returns a folder with the program's bundle and a platform of unequal processors.
func loopsFolder(t *testing.T) string {
	t.Helper()
	if len(toolchain.All()) == 0 {
		t.Skip(toolchain.ErrNoClang)
	}
	dir := t.TempDir()
	program, err := os.ReadFile("../../testdata/loops/mixed.c")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"loops.c": string(program), "p.yaml": "processors: [{name: slow, clock_mhz: 100}, {name: fast, clock_mhz: 300}, {name: third, clock_mhz: 250}]\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "profile", "-q", "-o", filepath.Join(dir, "loops.pspan"), filepath.Join(dir, "loops.c"))
	return dir
}

func TestKeysOfLoops(t *testing.T) {
	dir := loopsFolder(t)
	text := `regions:
  loops.c:main#1:
    fast: [1, 2]
    loops:
      1: {schedule: static, processors: [slow, fast], shares: [1, 2]}
      2: {schedule: "dynamic,4"}
`
	keytest.Check(t, []string{"../../mapping/loop.go"}, text,
		func(t *testing.T, text string) string {
			name := filepath.Join(dir, "m.yaml")
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			o := pathspan("", "estimate", filepath.Join(dir, "loops.pspan"), "--platform", filepath.Join(dir, "p.yaml"), "--mapping", name)
			if problem := o.refusal(); o.status != 0 && problem != "" {
				t.Error(problem)
			}
			return o.stdout + o.stderr
		},
		[]keytest.Change{
			{Key: "schedule", Old: "dynamic,4", New: "static,50"}, {Key: "processors", Old: "[slow, fast]", New: "[third, fast]"},
			{Key: "shares", Old: "[1, 2]}", New: "[1, 3]}"},
		})
}

func TestBadLoops(t *testing.T) {
	dir := loopsFolder(t)
	bundle, platform, file := filepath.Join(dir, "loops.pspan"), filepath.Join(dir, "p.yaml"), filepath.Join(dir, "m.yaml")
	for text, want := range map[string]string{
		"3: {schedule: static}":                              `m.yaml:4: loop "3" of region loops.c:main#1 does not exist: want 1 to 2`,
		"0: {schedule: static}":                              `loop "0" of region`,
		"01: {schedule: static}":                             `loop "01" of region`,
		"one: {schedule: static}":                            `loop "one" of region`,
		`1: {schedule: "static,0"}`:                          `m.yaml:4: schedule "static,0": chunk "0" (want a whole number from 1`,
		`1: {schedule: "fast"}`:                              `unknown kind "fast"`,
		`1: {schedule: runtime}`:                             `a mapping says what runtime stands for`,
		"1: {processors: [slow, fast, slow]}":                `m.yaml:4: processor "slow" runs two threads of one loop: name each once`,
		"1: {processors: [quick]}":                           `processor "quick" is not on platform`,
		"1: {processors: []}":                                `m.yaml:4: processors is empty`,
		"1: {schedule: static, shares: []}":                  `m.yaml:4: shares is empty`,
		"1: {shares: [1, 2]}":                                `2 shares for 3 threads`,
		"1: {processors: [slow, fast], shares: [0, 0]}":      `the shares are all 0`,
		"1: {processors: [slow, fast], shares: [1, -1]}":     `want a number from 0 to 1e+09`,
		"2: {processors: [slow, fast], shares: [1, 2]}":      `m.yaml:4: shares want schedule: static, without a chunk (it is nonmonotonic:dynamic,8)`,
		`1: {schedule: "static,4", shares: [1, 2, 3]}`:       `shares want schedule: static, without a chunk`,
		"1: {schedule: static}\n      1: {schedule: static}": `m.yaml:5: `,
		"1: {threads: 2}":                                    `threads`,
		"1: [slow]":                                          `want a mapping`,
	} {
		if err := os.WriteFile(file, []byte("regions:\n  loops.c:main#1:\n    loops:\n      "+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if line := fail(t, "estimate", bundle, "--platform", platform, "--mapping", file); !strings.Contains(line, want) {
			t.Errorf("%s: %s, want %s", text, line, want)
		}
	}
	if err := os.WriteFile(file, []byte("processors: [{name: a}, {name: loops}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line := fail(t, "estimate", bundle, "--platform", file); !strings.Contains(line, `m.yaml:1: processor "loops": mapping files have worksharing loops under that word`) {
		t.Error(line)
	}
	if err := os.WriteFile(file, []byte("regions: {\"fun0.c:fun_0#1\": {loops: {1: {schedule: static}}}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if line := fail(t, "estimate", "testdata/fun0a.pspan", "--function", "fun_0", "-p", "2", "--mapping", file); !strings.Contains(line, "want none, as it has no worksharing loop") {
		t.Error(line)
	}
}

var bestCycles = regexp.MustCompile(`best mapping +\d+ +(\S+ \S+) +(\S+)`)

func TestWhatExploreFindsForLoops(t *testing.T) {
	dir := loopsFolder(t)
	bundle, platform, best := filepath.Join(dir, "loops.pspan"), filepath.Join(dir, "p.yaml"), filepath.Join(dir, "best.yaml")
	text := succeed(t, "explore", bundle, "--platform", platform, "-o", best)
	found := bestCycles.FindStringSubmatch(text)
	if found == nil || !strings.Contains(text, "proven optimal") || !strings.Contains(text, "    loops:\n      1: {") {
		t.Fatal(text)
	}
	if got := succeed(t, "estimate", bundle, "--platform", platform, "--mapping", best); !strings.Contains(got, found[1]) || !strings.Contains(got, found[2]) {
		t.Errorf("explore found %s, %s; estimate says\n%s", found[1], found[2], got)
	}
	// The same by way of JSON, which report takes.
	search, page := filepath.Join(dir, "found.json"), filepath.Join(dir, "r.md")
	if err := os.WriteFile(search, []byte(succeed(t, "explore", bundle, "--platform", platform, "--json")), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "report", bundle, "--platform", platform, "--explored", search, "-o", page)
	data, err := os.ReadFile(page)
	if err != nil || !strings.Contains(string(data), "speed-up "+found[2]+" on 3 processors") || !strings.Contains(string(data), "loop 1, thread 0: schedule ") {
		t.Errorf("%v\n%.3000s", err, data)
	}
	shown := succeed(t, "inspect", bundle)
	for _, want := range []string{"2 sections, 2 loops, 3 executions", "loop 1 (line 6): schedule static, 1 execution of 300 iterations", "loop 2 (line 10): schedule dynamic,8, 1 execution of 200 iterations"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in\n%s", want, shown)
		}
	}
}
