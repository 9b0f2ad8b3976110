package document_test

// This file makes documents of the bundles that are at hand and holds them against the
// schema, against estimates, and against themselves.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report"
	"pathspan/report/document"
)

const (
	bundles    = "../../cmd/pathspan/testdata/"
	fun0Folder = "../../testdata/fun0/"
)

// input prepares a document of a committed bundle.
func input(t testing.TB, file, function string, pl *mapping.Platform, mappingFile string) document.Input {
	t.Helper()
	b, err := profile.ReadFile(bundles + file)
	if err != nil {
		t.Fatal(err)
	}
	a, err := estimate.Prepare(b, function)
	if err != nil {
		t.Fatal(err)
	}
	pricer := &estimate.Pricer{Program: b.Program, Module: b.Module}
	procs, err := pricer.Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	m, err := e.Resolve(mappingFile)
	if err != nil {
		t.Fatal(err)
	}
	return document.Input{
		Bundle: file, Estimator: e, Pricer: pricer, Mapping: m, MappingName: "test", Technique: estimate.Answering(b),
		Folders: []string{fun0Folder}, Samples: 200,
	}
}

// speedupBy returns what a technique gives at a point of the curve.
func speedupBy(t *testing.T, p *document.CurvePoint, technique string) float64 {
	t.Helper()
	i := slices.IndexFunc(p.Speedups, func(s document.TechniqueSpeedup) bool { return s.Technique == technique })
	if i < 0 {
		t.Fatalf("%d processors: no speed-up by %s", p.Processors, technique)
	}
	return p.Speedups[i].Speedup
}

func build(t testing.TB, in document.Input) *document.Document {
	t.Helper()
	d, err := document.Build(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func encoded(t testing.TB, d *document.Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := report.JSON(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func paperPlatform(t testing.TB) *mapping.Platform {
	t.Helper()
	pl, err := mapping.LoadPlatform(fun0Folder + "platform.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return pl
}

// inputs are documents of all sorts that the committed bundles give.
func inputs(t testing.TB) map[string]document.Input {
	bare := input(t, "fun0a.pspan", "", mapping.Homogeneous(1, ""), "")
	bare.Unsaid = document.Unsaid{Processors: true, Model: true, Mapping: true, Function: true, Technique: true}
	unequal := mapping.Homogeneous(3, "arm922t")
	unequal.Processors[1].Model, unequal.Processors[2].ClockMHz = "generic", 333
	uneven := input(t, "fun0b.pspan", "", unequal, "")
	uneven.PlatformFile = "unequal.yaml"
	paper := input(t, "fun0a.pspan", "fun_0", paperPlatform(t), fun0Folder+"solB.yaml")
	paper.PlatformFile = "platform.yaml"
	fitted := input(t, "fun0a.pspan", "fun_0", mapping.Homogeneous(2, "generic"), "")
	return map[string]document.Input{
		"one processor": bare, "unequal processors": uneven, "the paper": paper, "equal processors": fitted,
		"nested regions": input(t, "nested.pspan", "", mapping.Homogeneous(3, ""), ""),
		"no region":      input(t, "fun0a.pspan", "fun_1", mapping.Homogeneous(2, ""), ""),
	}
}

func TestDocumentsSatisfyTheSchema(t *testing.T) {
	schema := compiledSchema(t)
	for name, in := range inputs(t) {
		t.Run(name, func(t *testing.T) { validated(t, schema, encoded(t, build(t, in))) })
	}
}

func TestSchemaForbidsWhatItDoesNotKnow(t *testing.T) {
	schema := compiledSchema(t)
	data := encoded(t, build(t, inputs(t)["the paper"]))
	for _, change := range [][2]string{
		{`"schema": "pathspan.report/2"`, `"schema": "pathspan.report/1"`},
		{`"function": "fun_0"`, `"function": "fun_0", "more": 1`},
		{`"kind": "create"`, `"kind": "pause"`},
		{`"notes": [`, `"notes": null, "x": [`},
	} {
		if !bytes.Contains(data, []byte(change[0])) {
			t.Fatalf("the document holds no %s", change[0])
		}
		var doc any
		if err := json.Unmarshal(bytes.Replace(data, []byte(change[0]), []byte(change[1]), 1), &doc); err != nil {
			t.Fatal(err)
		}
		if schema.Validate(doc) == nil {
			t.Errorf("%s passes", change[1])
		}
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Max(math.Abs(a), math.Abs(b)) }

// The parts of a document come from different computations and agree.
func TestDocumentsAddUp(t *testing.T) {
	for name, in := range inputs(t) {
		t.Run(name, func(t *testing.T) {
			d := build(t, in)
			a := &d.Answer
			if !near(a.Speedup, a.SequentialSeconds/a.ParallelSeconds) {
				t.Errorf("speed-up %v, times %v and %v", a.Speedup, a.SequentialSeconds, a.ParallelSeconds)
			}
			l := d.Losses
			accounted, pb := a.Estimates[0], a.Estimates[0]
			for _, r := range a.Estimates {
				if r.Technique == l.Technique {
					accounted = r
				}
				if r.Technique == "pb" {
					pb = r
				}
			}
			if accounted.Technique != l.Technique || !near(l.ParallelCycles, accounted.ParallelCycles) || !near(l.SequentialCycles, accounted.SequentialCycles) {
				t.Errorf("the account of losses is of %v cycles by %s, which is %v", l.ParallelCycles, l.Technique, accounted.ParallelCycles)
			}
			if ws := d.WorkSpan[0]; !near(ws.Work, a.SequentialSeconds) || ws.Span > ws.Work*(1+1e-9) || ws.BurdenedSpan < ws.Span*(1-1e-9) {
				t.Errorf("%+v of %v s", ws, a.SequentialSeconds)
			}
			for _, tl := range d.Timelines {
				// Regions within regions run beside each other.
				if all := tl.Seconds * tl.Executions; all > pb.ParallelSeconds*float64(len(d.Platform.Processors))*(1+1e-9) {
					t.Errorf("%s takes %v s of %v s", tl.Name, all, pb.ParallelSeconds)
				}
				for _, b := range tl.Bars {
					if b.Processor >= len(d.Platform.Processors) {
						t.Errorf("%s: bar on processor %d", tl.Name, b.Processor)
					}
				}
			}
			own := d.Curve.Points[0]
			for _, p := range d.Curve.Points {
				if x := speedupBy(t, &p, "pb"); (p.Amdahl < x*(1-1e-9) || p.Span < x*(1-1e-9)) && in.PlatformFile == "" {
					t.Errorf("%d processors: PB %v above Amdahl's bound %v or that of the span, %v", p.Processors, x, p.Amdahl, p.Span)
				}
				if p.Processors == len(d.Platform.Processors) {
					own = p
				}
			}
			if own.Processors != len(d.Platform.Processors) {
				t.Errorf("the curve has no point at the platform's %d processors", len(d.Platform.Processors))
			}
			if in.Mapping.Regions == nil || !in.Mapping.Regions[0].Explicit {
				if x := speedupBy(t, &own, "pb"); !near(x, pb.Speedup) {
					t.Errorf("the curve gives %v at the platform's processors, the answer %v", x, pb.Speedup)
				}
			}
		})
	}
}

func TestDocumentsAreDeterministic(t *testing.T) {
	for name := range inputs(t) {
		first, second := build(t, inputs(t)[name]), build(t, inputs(t)[name])
		if !bytes.Equal(encoded(t, first), encoded(t, second)) {
			t.Errorf("%s: two documents differ", name)
		}
		var a, b bytes.Buffer
		if first.WriteMarkdown(&a) != nil || second.WriteMarkdown(&b) != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: two texts differ", name)
		}
	}
}

// Text of a source is in the document only if it is what was profiled.
func TestSources(t *testing.T) {
	in := inputs(t)["the paper"]
	d := build(t, in)
	text, err := os.ReadFile(fun0Folder + "fun0.c")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	if len(d.Sources) != 1 || d.Sources[0].Text != string(text) || d.Sources[0].SHA256 != hex.EncodeToString(sum[:]) {
		t.Errorf("sources %+v", d.Sources)
	}
	changed := t.TempDir()
	if err := os.WriteFile(filepath.Join(changed, "fun0.c"), append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, folders := range map[string][]string{"not found": nil, "changed since": {changed}} {
		in.Folders = folders
		if s := build(t, in).Sources[0]; s.Text != "" || !strings.HasPrefix(s.Why, want) {
			t.Errorf("folders %v: %q, %d bytes of text", folders, s.Why, len(s.Text))
		}
	}
	in.Folders = []string{changed, fun0Folder}
	if s := build(t, in).Sources[0]; s.Text != string(text) {
		t.Errorf("the file behind a changed one is not found: %q", s.Why)
	}
}

// Tables of the Markdown have as many cells in each row as in their heading.
func TestMarkdownTables(t *testing.T) {
	for name, in := range inputs(t) {
		var out bytes.Buffer
		if err := build(t, in).WriteMarkdown(&out); err != nil {
			t.Fatal(err)
		}
		cells, tables := 0, 0
		for _, line := range strings.Split(out.String(), "\n") {
			n := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|")
			switch {
			case !strings.HasPrefix(line, "|"):
				cells = 0
			case cells == 0:
				cells, tables = n, tables+1
			case n != cells:
				t.Errorf("%s: %d cells in %q, %d in the heading", name, n-1, line, cells-1)
			}
		}
		if tables < 4 {
			t.Errorf("%s: only %d tables", name, tables)
		}
	}
}

// TestTablesAreApart: tables of a report in Markdown have one head each, under a line that is no table's.
func TestTablesAreApart(t *testing.T) {
	in := input(t, "fun0a.pspan", "fun_0", mapping.Homogeneous(2, "generic"), "")
	in.Estimator.Platform.Other.Dispatch = mapping.Overhead{Cycles: 40, Given: true}
	d, err := document.Build(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := d.WriteMarkdown(&out); err != nil {
		t.Fatal(err)
	}
	tables, lines := 0, strings.Split(out.String(), "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "| ---") {
			if tables++; strings.HasPrefix(lines[i-2], "|") {
				t.Errorf("line %d: a table lies right behind another: %s", i, lines[i-1])
			}
		}
	}
	if tables < 5 || !strings.Contains(out.String(), "| overhead |") {
		t.Errorf("%d tables say little of that", tables)
	}
}
