package main

// This file adds a technique by one file and one line, and finds it in every command.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/spf13/cobra"

	"pathspan/estimate"
	"pathspan/report"
	"pathspan/validate/ledger"
)

func TestAnAddedTechniqueIsEverywhere(t *testing.T) {
	estimate.RegisterForTest(t, half) // the line

	a, b := filepath.Join("testdata", "fun0a.pspan"), filepath.Join("testdata", "fun0b.pspan")
	out := func(name string) string { return filepath.Join(t.TempDir(), name) }
	var result struct{ Estimates []estimate.Result }
	of := func(text string) map[string]estimate.Result {
		t.Helper()
		if err := json.Unmarshal([]byte(text), &result); err != nil {
			t.Fatal(err)
		}
		all := map[string]estimate.Result{}
		for _, r := range result.Estimates {
			all[r.Technique] = r
		}
		return all
	}
	known := of(succeed(t, "estimate", b, "-p", "2", "--technique", "half,pb,eb,at,mt", "--json"))
	want := known["half"]
	figure := fmt.Sprintf("%.2f", want.Speedup)
	for name, r := range known {
		if name != "half" && fmt.Sprintf("%.2f", r.Speedup) == figure {
			t.Fatalf("half and %s both give %s, so that nothing tells them apart", name, figure)
		}
	}
	near := func(what string, got float64, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%s gives %v, estimate %v", what, got, want)
		}
	}

	// Texts show its title and its figure, whether it is asked for or not.
	shows := func(text string, words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%.3000s", w, text)
			}
		}
	}
	shows(succeed(t, "estimate", b, "-p", "2"), "AT  HALF    MT", figure, "HALF every second execution in parallel")
	shows(succeed(t, "estimate", b, "-p", "2", "--technique", "half"), "HALF", figure)
	shows(succeed(t, "why", b, "-p", "2"), ", HALF "+figure)
	shows(succeed(t, "why", b, "-p", "2", "--technique", "half"), "HALF predicts "+figure)
	shows(succeed(t, "explore", b, "-p", "2"), "AT  HALF    MT", figure)
	shows(succeed(t, "explore", b, "-p", "2", "--technique", "half"), "highest speed-up by HALF", figure)
	shows(succeed(t, "diff", a, b, "-p", "2", "--technique", "half,pb"), "speed-up (2 processors, OpenMP static, HALF)", "HALF every second execution in parallel")

	// JSON is what its schema says, with another technique's name in place of its own.
	schema := func(name, text string) {
		t.Helper()
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.ReplaceAll(text, `"half"`, `"pb"`)))
		if err != nil {
			t.Fatal(err)
		}
		s, err := jsonschema.NewCompiler().Compile(schemaOf(v))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil || !strings.Contains(text, `"half"`) {
			t.Errorf("%s: half is there: %v; %v", name, strings.Contains(text, `"half"`), err)
		}
	}
	results := map[string]string{}
	for name, args := range map[string][]string{
		"estimate": {b, "-p", "2"}, "why": {b, "-p", "2", "--technique", "half"},
		"explore": {b, "-p", "2", "--technique", "half"}, "report": {b, "-p", "2", "--technique", "half"},
	} {
		results[name] = succeed(t, append([]string{name, "--json"}, args...)...)
		schema(name, results[name])
	}
	var account struct {
		Technique string
		Speedup   float64
	}
	var answer struct {
		Answer struct {
			Technique string
			Speedup   float64
		}
	}
	var explored struct {
		Searches []struct {
			Best   struct{ Speedup float64 }
			Static []estimate.Result `json:"openmp_static"`
		}
	}
	for text, to := range map[string]any{results["why"]: &account, results["report"]: &answer, results["explore"]: &explored} {
		if err := json.Unmarshal([]byte(text), to); err != nil {
			t.Fatal(err)
		}
	}
	near("why", account.Speedup, want.Speedup)
	near("report", answer.Answer.Speedup, want.Speedup)
	near("explore, of OpenMP's mapping,", explored.Searches[0].Static[0].Speedup, want.Speedup)
	if account.Technique != "half" || answer.Answer.Technique != "half" {
		t.Errorf("why goes by %q, report by %q", account.Technique, answer.Answer.Technique)
	}
	best := out("best.yaml")
	succeed(t, "explore", b, "-p", "2", "--technique", "half", "-o", best)
	again := of(succeed(t, "estimate", b, "-p", "2", "--mapping", best, "--technique", "half", "--json"))["half"]
	near("explore", explored.Searches[0].Best.Speedup, again.Speedup)
	if !(again.Speedup > want.Speedup) {
		t.Errorf("the best mapping gives %v, OpenMP's %v", again.Speedup, want.Speedup)
	}

	// Reports: the answer, the curve and its looks.
	shows(succeed(t, "report", b, "-p", "2", "--format", "md", "-o", "-"), "| HALF, every second execution in parallel |", " HALF |", figure)
	shows(succeed(t, "report", b, "-p", "2", "--technique", "half", "--format", "html", "-o", "-"), "HALF, every second execution in parallel", figure,
		`<th scope="col" class="n">HALF</th>`, ".series-half { --ink: #6b4c9a; }", ".series-half { --ink: #b79be0; }",
		`{"id":"half","name":"HALF","label":"HALF, every second execution in parallel","dash":"1 3","shape":"circle"`, `data-technique="half"`)

	// Serve.
	o := pathspan(`{"id":1,"sections":[0,1,0]}`+"\n"+`{"id":2,"sections":[0,1,0],"techniques":["half","pb"]}`+"\n", "serve", b, "-p", "2", "--technique", "half")
	lines := strings.Split(o.stdout, "\n")
	if o.status != 0 || len(lines) < 3 {
		t.Fatalf("serve: status %d: %s%s", o.status, o.stdout, o.stderr)
	}
	shows(lines[0], `"techniques":["half"]`)
	file := out("m.yaml")
	if err := os.WriteFile(file, []byte("regions:\n  fun0.c:fun_0#1:\n    cpu0: [1, 3]\n    cpu1: [2]\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	mapped := of(succeed(t, "estimate", b, "-p", "2", "--mapping", file, "--technique", "half", "--json"))["half"]
	for _, line := range lines[1:3] {
		var got struct{ Results []estimate.Result }
		if err := json.Unmarshal([]byte(line), &got); err != nil || got.Results[0].Technique != "half" {
			t.Fatalf("%v: %s", err, line)
		}
		near("serve", got.Results[0].Speedup, mapped.Speedup)
	}

	// Exports.
	shows(succeed(t, "export", b, "-p", "2", "--format", "csv"), ",half,2,", fmt.Sprint(want.Speedup))
	shows(succeed(t, "export", b, "-p", "2", "--format", "cilkscale", "--technique", "half"), fmt.Sprintf("%.10g", want.ParallelSeconds))
	p, err := profile.Parse(bytes.NewReader([]byte(succeed(t, "export", b, "-p", "2", "--format", "pprof", "--technique", "half"))))
	if err != nil {
		t.Fatal(err)
	}
	cycles := 0.0 // that the end waits for
	for _, sample := range p.Sample {
		cycles += float64(sample.Value[2])
	}
	if math.Abs(cycles-want.ParallelCycles) > 1 {
		t.Errorf("the profile's critical path takes %v cycles, the program %v", cycles, want.ParallelCycles)
	}
	trace := succeed(t, "export", b, "-p", "2", "--format", "chrome", "--technique", "half")
	if trace == succeed(t, "export", b, "-p", "2", "--format", "chrome", "--technique", "pb") {
		t.Error("the trace is that of pb")
	}

	// Results compared, and validations.
	for name, text := range map[string]string{"now.json": results["estimate"], "then.json": strings.ReplaceAll(results["estimate"], fmt.Sprint(want.Speedup), "1.01")} {
		if err := os.WriteFile(filepath.Join(filepath.Dir(file), name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	shows(succeed(t, "diff", filepath.Join(filepath.Dir(file), "now.json"), filepath.Join(filepath.Dir(file), "then.json")), "half")
	l := &ledger.Ledger{}
	for _, name := range []string{"half", "mt", "eb"} {
		l.Rows = append(l.Rows, ledger.Row{Program: "p", Size: "small", Level: "0", Processors: 2, Technique: name, Reference: ledger.Replay, Model: "m", Speedup: 1, ReferenceSpeedup: 1})
	}
	if got := strings.Join(l.Techniques(), " "); got != "mt half eb" {
		t.Errorf("a ledger's techniques: %s", got)
	}
	var tables bytes.Buffer
	if err := report.AccuracyText(&tables, &report.Accuracy{Ledger: l}); err != nil {
		t.Fatal(err)
	}
	shows(tables.String(), "Half in Parallel", "HALF 0.00")

	// Help, completion and refusals of every command that takes techniques.
	seen := 0
	for _, c := range commands() {
		if c.Flags().Lookup("technique") == nil {
			continue
		}
		seen++
		shows(succeed(t, c.Name(), "--help"), "half (every second execution in parallel)")
		shows(succeed(t, cobra.ShellCompRequestCmd, c.Name(), b, "--technique", "ha"), "half\tevery second execution in parallel")
		args := map[string][]string{"diff": {"diff", a, b}, "report": {"report", b, "-o", "-", "--format", "md"}, "export": {"export", b, "--format", "csv"}}[c.Name()]
		if args == nil {
			args = []string{c.Name(), b}
		}
		shows(fail(t, append(args, "--technique", "xx")...), "half")
	}
	if seen < 7 {
		t.Errorf("only %d commands take techniques", seen)
	}
}
