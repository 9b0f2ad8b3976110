package ledger

// This file tests ledgers: their file, means, comparisons and limits.

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// row makes a row whose parallel cycles are given, sequential ones being 1000.
func row(program string, processors int, technique string, estimated, real float64) Row {
	r := Row{
		Program: program, Size: "small", Level: "2", Processors: processors, Technique: technique, Reference: Replay, Model: "generic",
		Speedup: 1000 / estimated, SequentialCycles: 1000, ParallelCycles: estimated, ReferenceSequentialCycles: 1000, ReferenceParallelCycles: real,
	}
	r.Finish()
	return r
}

func sample() *Ledger {
	l := &Ledger{Toolchain: "clang version 19.1.7", Target: "x86_64-pc-linux-gnu",
		Programs: []Program{{Name: "b", Group: "own", Correlated: true, Lost: []string{"loops"}}, {Name: "a", Group: "paper"}},
		Rows: []Row{
			row("b", 2, "pb", 400, 800), row("b", 2, "at", 200, 800),
			row("a", 4, "pb", 500, 505), row("a", 2, "pb", 500, 500), row("a", 2, "at", 500, 625), row("a", 4, "at", 250, 505),
		},
		Regions: []Region{{Program: "b", Size: "small", Level: "2", Processors: 2, Model: "generic", Region: "b.c:f:3", Difference: -0.5, SectionShare: 0.8, Causes: []Cause{{Loop, "b.c:5", 0.75, 1}}}},
	}
	l.Sort()
	return l
}

func TestErrorIsThatOfTheSpeedup(t *testing.T) {
	r := row("a", 2, "pb", 500, 625)
	if r.ReferenceSpeedup != 1.6 || r.Speedup != 2 || math.Abs(r.Error-0.25) > 1e-9 || math.Abs(r.ParallelError+0.2) > 1e-9 || r.SequentialError != 0 {
		t.Errorf("got %+v", r)
	}
	// Without cycles of the reference, seconds are compared.
	r = Row{Speedup: 1.5, SequentialCycles: 300, ParallelCycles: 200, SequentialSeconds: 3, ParallelSeconds: 2, ReferenceSequentialSeconds: 4, ReferenceParallelSeconds: 2}
	r.Finish()
	if r.ReferenceSpeedup != 2 || r.Error != -0.25 || r.ParallelError != 0 || r.SequentialError != -0.25 {
		t.Errorf("got %+v", r)
	}
}

func TestFileRoundTrip(t *testing.T) {
	l := sample()
	path := filepath.Join(t.TempDir(), "ledger.json")
	if err := l.WriteFile(path); err != nil {
		t.Fatal(err)
	}
	first, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(again.Rows) // the order of rows does not reach the file
	var second bytes.Buffer
	if err := again.Write(&second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, second.Bytes()) {
		t.Errorf("read and written anew:\n%s\nwant\n%s", second.Bytes(), first)
	}
}

func TestReadErrors(t *testing.T) {
	var good bytes.Buffer
	if err := sample().Write(&good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, new, want string }{
		{"accuracy/1", "accuracy/9", `schema "pathspan.accuracy/9"`},
		{`"processors":4`, `"processors":0`, "0 processors"},
		{`"processors":4`, `"processors":"4"`, "line"},
		{`"technique":"pb"`, `"technic":"pb"`, "technic"},
		{`"processors":4`, `"processors":2`, "two rows"},
		{`"error":1,`, `"error":3,`, "error 3 is not that"},
		{"\n]}\n", "\n]\n", "not a ledger"},
		{"\n]}\n", "\n]} {}\n", "follows"},
	} {
		text := strings.Replace(good.String(), c.old, c.new, 2)
		if text == good.String() {
			t.Fatalf("%q is not in the ledger", c.old)
		}
		if _, err := Read("x.json", []byte(text)); err == nil || !strings.HasPrefix(err.Error(), "x.json: ") || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s for %s: got %v, want %q", c.new, c.old, err, c.want)
		}
	}
	if _, err := ReadFile(filepath.Join(t.TempDir(), "none.json")); err == nil || strings.Contains(err.Error(), "open ") {
		t.Errorf("got %v", err)
	}
}

func TestMean(t *testing.T) {
	l := sample()
	m := l.Mean(func(r *Row) bool { return r.Program == "a" && r.Technique == "pb" })
	if m.Rows != 2 || m.Programs != 1 || math.Abs(m.Absolute-0.005) > 1e-9 || math.Abs(m.Deviation-0.005) > 1e-9 || math.Abs(m.Largest-0.01) > 1e-9 {
		t.Errorf("got %+v", m)
	}
	if got := l.Mean(func(*Row) bool { return false }); got != (Mean{}) {
		t.Errorf("of no rows: %+v", got)
	}
	if got := l.Series(); len(got) != 2 || got[0].Group != "paper" || got[1].Group != "own" {
		t.Errorf("series %+v", got)
	}
	if m, of := l.Of("pb", "paper", "generic"); of != "generic" || math.Abs(m.Absolute-0.005) > 1e-9 {
		t.Errorf("of model generic: %+v, %q", m, of)
	}
	if m, of := l.Of("pb", "own", "c6000"); of != "" || math.Abs(m.Absolute-1) > 1e-9 {
		t.Errorf("of a model without rows: %+v, %q", m, of)
	}
	if m, _ := l.Of("xy", "own", "generic"); m.Rows != 0 {
		t.Errorf("of an unknown technique: %+v", m)
	}
}

func TestAgainst(t *testing.T) {
	old, now := sample(), sample()
	now.Rows[slices.IndexFunc(now.Rows, func(r Row) bool { return r.Program == "a" && r.Processors == 2 && r.Technique == "pb" })] = row("a", 2, "pb", 400, 500)
	now.Rows = append(now.Rows, row("a", 3, "pb", 400, 400))
	now.Sort()
	old.Rows = append(old.Rows, row("c", 2, "pb", 400, 400))
	c := now.Against(old, 0.001)
	if c.Both != 6 || len(c.New) != 1 || len(c.Old) != 1 || c.Old[0].Program != "c" || len(c.Worse) != 1 || c.Worse[0].Key.Program != "a" {
		t.Errorf("got %+v", c)
	}
	i := slices.IndexFunc(c.Changes, func(d Drift) bool { return d.Series.Group == "paper" && d.Technique == "pb" })
	if d := c.Changes[i]; d.Changed != 1 || math.Abs(d.Before.Absolute-0.005) > 1e-9 || math.Abs(d.After.Absolute-0.13) > 1e-9 {
		t.Errorf("got %+v", d)
	}
	if err := c.Grown(0.12); err == nil {
		t.Error("a growth of 12.5 points is within 12")
	}
	if err := c.Grown(0.13); err != nil {
		t.Error(err)
	}
	if same := old.Against(old, 0); len(same.Worse) != 0 || same.Grown(0) != nil {
		t.Errorf("against itself: %+v", same)
	}
	if err := now.Against(&Ledger{}, 0).Grown(1); err == nil {
		t.Error("no common row is no comparison")
	}
}

// A limit applies to programs that are not known to lose correlation, if there are any.
func TestAbove(t *testing.T) {
	l := sample()
	if err := l.Above(0.0051); err != nil {
		t.Error(err)
	}
	if err := l.Above(0.0049); err == nil || !strings.Contains(err.Error(), "0.500 %") {
		t.Errorf("got %v", err)
	}
	l.Rows = slices.DeleteFunc(l.Rows, func(r Row) bool { return r.Program == "a" })
	if err := l.Above(0.5); err == nil {
		t.Error("the error of the only program, 100 %, is within 50 %")
	}
}

// What the ledger of this version must show: the means of
// the paper's fourteen, and that false parallelism is seen through.
func TestCommitted(t *testing.T) {
	l, err := Committed()
	if err != nil {
		t.Fatal(err)
	}
	if len(l.Rows) == 0 {
		t.Fatal("it is empty")
	}
	for _, s := range l.Series() {
		if s.Reference == Measured {
			t.Errorf("%+v is in it: no two machines measure the same", s)
		}
		if s.Reference != Replay || s.Group != "paper" {
			continue
		}
		mean := func(technique string) Mean {
			return l.Mean(func(r *Row) bool { return s.In(l, r) && r.Technique == technique })
		}
		pb := mean("pb")
		if pb.Programs != 14 || pb.Absolute > 0.01 || pb.Sequential != 0 {
			t.Errorf("model %s: PB %+v, want 14 programs and at most 1 %%", s.Model, pb)
		}
		for _, other := range []string{"at", "mt"} {
			if m := mean(other); m.Absolute < pb.Absolute {
				t.Errorf("model %s: %s has a mean error of %g, PB %g", s.Model, other, m.Absolute, pb.Absolute)
			}
		}
	}
	for i := range l.Rows {
		r := &l.Rows[i]
		if r.Program == "dijkstra" && r.Technique == "pb" && (r.Speedup > 1 || r.ReferenceSpeedup > 1) {
			t.Errorf("%s: a speed-up of %g, really %g", r.Key(), r.Speedup, r.ReferenceSpeedup)
		}
	}
}

func FuzzRead(f *testing.F) {
	var good bytes.Buffer
	if err := sample().Write(&good); err != nil {
		f.Fatal(err)
	}
	f.Add(good.Bytes())
	f.Add([]byte(`{"schema":"pathspan.accuracy/1"}`))
	f.Add([]byte("{"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Read("x", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %q", err)
			}
			return
		}
		var out bytes.Buffer
		if err := l.Write(&out); err != nil {
			t.Fatal(err)
		}
		if _, err := Read("again", out.Bytes()); err != nil {
			t.Errorf("what was written cannot be read: %v", err)
		}
	})
}
