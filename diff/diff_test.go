package diff

// This file tests comparisons of bundles and of results, their figures and limits.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/report"
)

func bundle(t testing.TB, name string) Input {
	t.Helper()
	b, err := profile.ReadFile(filepath.Join("..", "cmd", "pathspan", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return Input{name, b}
}

func options() Options {
	return Options{Platforms: []*mapping.Platform{mapping.Homogeneous(2, ""), mapping.Homogeneous(4, "")}, Mappings: []Mapping{{Name: "OpenMP static"}},
		Techniques: []estimate.Technique{estimate.ExecutionBased, estimate.PathBased}, Functions: [2]string{"main", "main"}}
}

func compareBundles(t testing.TB, a, b Input) *Diff {
	t.Helper()
	d, err := Bundles(context.Background(), a, b, options())
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEqualBundles(t *testing.T) {
	a := bundle(t, "fun0a.pspan")
	d := compareBundles(t, a, bundle(t, "fun0a.pspan"))
	var text bytes.Buffer
	if err := d.Text(&text, 5, Paint{}); err != nil {
		t.Fatal(err)
	}
	if !d.Equal || !strings.HasSuffix(text.String(), "\nno difference\n") || len(d.Above(0, true)) != 0 {
		t.Errorf("equal %v:\n%s", d.Equal, &text)
	}
}

// What is compared is what each bundle gives alone; turned round, all changes turn.
func TestBundlesTurned(t *testing.T) {
	a, b := bundle(t, "fun0a.pspan"), bundle(t, "fun0b.pspan")
	d, e := compareBundles(t, a, b), compareBundles(t, b, a)
	if len(d.Figures) != len(e.Figures) || len(d.Paths) != len(e.Paths) || len(d.Lines) != len(e.Lines) || len(d.Functions) != len(e.Functions) {
		t.Fatalf("%+v\n%+v", d, e)
	}
	for i := range d.Figures {
		if f, g := &d.Figures[i], &e.Figures[i]; f.A != g.B || f.B != g.A || f.Name != g.Name || f.Worse() > 0 && g.Worse() >= 0 {
			t.Errorf("%+v, turned %+v", f, g)
		}
	}
	for _, p := range d.Paths {
		if p.Function != "fun_0" && p.Function != "main" {
			t.Errorf("path of %s", p.Function)
		}
	}
	an, err := estimate.Prepare(b.Bundle, "main")
	if err != nil {
		t.Fatal(err)
	}
	pricer := &estimate.Pricer{Program: b.Bundle.Program, Module: b.Bundle.Module}
	pl := mapping.Homogeneous(4, "")
	procs, err := pricer.Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	est, err := an.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := est.Estimate(mapping.Default(pl, b.Bundle.Program), estimate.PathBased)
	if err != nil {
		t.Fatal(err)
	}
	for i := range d.Figures {
		if f := &d.Figures[i]; f.Name == "speed-up" && strings.HasPrefix(f.Of, "4 ") && f.B != r.Speedup {
			t.Errorf("speed-up %g, estimated alone %g", f.B, r.Speedup)
		}
	}
}

// behind is a model for which blocks cost twice as much behind all but their own block.
type behind struct{}

func (behind) Describe() procmodels.Description {
	return procmodels.Description{Name: "behind", Kind: "test", Version: "1"}
}

func (behind) Costs(_ context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	c := &procmodels.Costs{Model: "behind"}
	for _, f := range s.Program.Funcs {
		blocks := make([]procmodels.BlockCost, len(f.Blocks))
		for b := range blocks {
			blocks[b].Cycles = float64(10 + b)
		}
		for b, blk := range f.Blocks {
			for _, to := range blk.Succs {
				after := procmodels.AfterCost{Pred: b, Cycles: float64(20 + 3*b + to)}
				if !slices.ContainsFunc(blocks[to].After, func(x procmodels.AfterCost) bool { return x.Pred == b }) {
					blocks[to].After = append(blocks[to].After, after)
				}
			}
		}
		c.Blocks = append(c.Blocks, blocks)
	}
	return c, nil
}

func init() {
	procmodels.RegisterScheme("behind", func(string, string) (procmodels.Model, error) { return behind{}, nil })
}

// Cycles of all functions, and of their paths and lines, are the sequential cycles of the
// estimate, also where blocks cost another time behind their predecessors and where calls
// are included in the block that makes them.
func TestSharesAddUp(t *testing.T) {
	for _, name := range []string{"fun0a.pspan", "nested.pspan"} {
		for _, model := range []string{"", "arm922t", "behind:", filepath.Join("..", "testdata", "fun0", "table1.yaml")} {
			if filepath.Base(model) == "table1.yaml" && name != "fun0a.pspan" {
				continue // has no lines of it
			}
			a, o := bundle(t, name), options()
			o.Platforms = []*mapping.Platform{mapping.Homogeneous(2, model)}
			p, err := predict(context.Background(), a, o, "main", []estimate.Technique{estimate.PathBased}, nil)
			if err != nil {
				t.Fatal(err)
			}
			s := newSide(p)
			if want := p.results[0].SequentialCycles; math.Abs(s.total-want) > 1e-9*want {
				t.Errorf("%s, model %q: cycles of the paths are %g, the estimate's %g", name, model, s.total, want)
			}
			share, lines := 0.0, 0.0
			for i := range a.Bundle.Funcs {
				c, _, _ := s.function(i)
				share += c.Share
				if a.Bundle.Funcs[i] != nil {
					for _, l := range s.lines(i) {
						lines += l.Share
					}
				}
			}
			if math.Abs(share-1) > 1e-9 || lines > share+1e-9 || lines < 0.8 {
				t.Errorf("%s, model %q: shares of functions add up to %g, of lines to %g", name, model, share, lines)
			}
		}
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		better      string
		a, b, limit float64
		worse, any  bool
	}{
		{Higher, 2, 1.91, 0.05, false, false}, {Higher, 2, 1.89, 0.05, true, true}, {Higher, 2, 3, 0.05, false, true},
		{Lower, 2, 2.2, 0.05, true, true}, {Lower, 2, 1, 0.05, false, true}, {"", 2, 3, 0.05, false, true},
		{Lower, 0, 1, 0.05, true, true}, {Higher, 0, 1, 0.05, false, true}, {Lower, 0, 0, 0, false, false},
	} {
		for _, anyDirection := range []bool{false, true} {
			d := &Diff{A: "a", B: "b"}
			d.Figures = append(d.Figures, newFigure("x", "", "", c.better, c.a, c.b, false))
			want := c.worse || anyDirection && c.any
			if got := len(d.Above(c.limit, anyDirection)) == 1; got != want {
				t.Errorf("%+v, any direction %v: fails %v", c, anyDirection, got)
			}
		}
	}
	d := &Diff{A: "a", B: "b"}
	d.Figures = append(d.Figures, newFigure("x", "", "", Lower, 1, 2, false))
	d.Figures[0].Judged = false
	if failed := d.Above(0, true); len(failed) != 0 {
		t.Errorf("a figure that is not judged fails: %q", failed)
	}
	f := newFigure("error", "", "", Lower, -0.01, 0.03, true)
	if math.Abs(f.Worse()-0.02) > 1e-12 {
		t.Errorf("an error that grows from -1 to 3 %% is worse by %g", f.Worse())
	}
}

// Limits go by the prediction, whatever other techniques say.
func TestLimitsGoByThePrediction(t *testing.T) {
	judged := func(d *Diff) (of []string) {
		for _, f := range d.Figures {
			if f.Judged && f.Name == "speed-up" {
				of = append(of, f.Of)
			}
		}
		return of
	}
	d := compareBundles(t, bundle(t, "nested.pspan"), bundle(t, "nested.pspan"))
	if got := judged(d); !slices.Equal(got, []string{"2 processors, OpenMP static, EB", "4 processors, OpenMP static, EB"}) {
		t.Errorf("judged: %q", got)
	}
	d = compareBundles(t, bundle(t, "fun0a.pspan"), bundle(t, "fun0b.pspan")) // without executions
	if got := judged(d); !slices.Equal(got, []string{"2 processors, OpenMP static, PB", "4 processors, OpenMP static, PB"}) {
		t.Errorf("judged without executions: %q", got)
	}
	const estimates = `{"schema":"pathspan.estimate/1","estimates":[{"technique":"pb","speedup":%g},{"technique":"eb","speedup":%g}]}`
	d, err := Results("a", []byte(fmt.Sprintf(estimates, 1.8, 1.2)), "b", []byte(fmt.Sprintf(estimates, 1.5, 1.3)))
	if err != nil {
		t.Fatal(err)
	}
	if failed := d.Above(0.01, false); len(failed) != 0 {
		t.Errorf("EB improved, and it fails: %q", failed)
	}
	if failed := d.Above(0.01, true); len(failed) != 1 || !strings.HasPrefix(failed[0], "speed-up (eb)") {
		t.Errorf("any direction: %q", failed)
	}
}

// What matters comes first, and what hardly changed is counted, not listed.
func TestOrderBySize(t *testing.T) {
	d := &Diff{A: "a", B: "b"}
	add := func(of string, a, b float64, judged bool) {
		f := newFigure("speed-up", of, "", Higher, a, b, false)
		f.Judged = judged
		d.Figures = append(d.Figures, f)
	}
	add("tiny", 2, 1.99986, true)
	add("other", 1, 3, false)
	add("small", 2, 2.1, true)
	add("large", 2, 1, true)
	text := func(items int) string {
		var b bytes.Buffer
		if err := d.Text(&b, items, Paint{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	order := func(text string, want ...string) {
		at := -1
		for _, w := range want {
			i := strings.Index(text, w)
			if i <= at {
				t.Errorf("want %q in this order:\n%s", want, text)
			}
			at = i
		}
	}
	order(text(5), "(large)", "(small)", "1 smaller change below 0.1%", "other techniques", "(other)")
	if s := text(5); strings.Contains(s, "tiny") {
		t.Error(s)
	}
	order(text(0), "(large)", "(small)", "(tiny)", "(other)")
	if s := text(0); !strings.Contains(s, "-0.007%          speed-up (tiny)") {
		t.Errorf("a change of 0.007 %% is called worse:\n%s", s)
	}
}

const result = `{"schema":"pathspan.estimate/1","estimates":[
 {"technique":"pb","processors":2,"mapping":"m","speedup":%g,"parallel_seconds":2},
 {"technique":"at","processors":2,"mapping":"m","speedup":3,"parallel_seconds":1}],"notes":[%s]}`

func TestResults(t *testing.T) {
	a := fmt.Sprintf(result, 2.0, `"one"`)
	// The order of entries plays no part.
	turned := strings.NewReplacer(`"pb"`, `"at"`, `"at"`, `"pb"`, `:2,"par`, `:3,"par`, `:3,"par`, `:2,"par`, `seconds":2`, `seconds":1`, `seconds":1`, `seconds":2`).Replace(a)
	for _, b := range []string{a, turned} {
		d, err := Results("a", []byte(a), "b", []byte(b))
		if err != nil || !d.Equal || len(d.Figures) != 4 {
			t.Errorf("%v: %+v", err, d)
		}
	}
	d, err := Results("a", []byte(a), "b", []byte(fmt.Sprintf(result, 1.5, `"one","two"`)))
	if err != nil {
		t.Fatal(err)
	}
	if failed := d.Above(0.2, false); len(failed) != 1 || failed[0] != "speed-up (pb, processors 2, m) changed from 2.000 to 1.500, by -25.0%, which is worse" {
		t.Errorf("failed %q", failed)
	}
	if len(d.Values) != 1 || d.Values[0].Key != "notes[two]" || d.Values[0].A != nil {
		t.Errorf("values %+v", d.Values)
	}
	// An entry that only one has is told once, behind what both have.
	more := strings.Replace(a, `"notes"`, `"extra":{"x":1,"y":[2,3]},"notes"`, 1)
	d, err = Results("a", []byte(more), "b", []byte(fmt.Sprintf(strings.Replace(result, `"at"`, `"mt"`, 1), 2.0, `"one"`)))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := d.Text(&text, 0, Paint{}); err != nil {
		t.Fatal(err)
	}
	if got, want := text.String(), `a: a    b: b

other values:
  estimates[at, processors 2, m]: only in a: 5 values
  extra: only in a: 3 values
  estimates[mt, processors 2, m]: only in b: 5 values
`; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct{ a, b, want string }{
		{a, `{"schema":"pathspan.replay/1"}`, "a holds a pathspan.estimate and b a pathspan.replay"},
		{a, `{"x":1}`, "b: it has no schema"},
		{"{\n,", a, "a: not a JSON object of pathspan: line 2"},
		{a, a + a, "b: more follows"},
		{a, "[1]", "b: not a JSON object"},
	} {
		if _, err := Results("a", []byte(c.a), "b", []byte(c.b)); err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// The JSON object is as the schema in docs describes it.
func TestSchema(t *testing.T) {
	s, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "docs", "schema", "diff-1.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	bundles := compareBundles(t, bundle(t, "fun0a.pspan"), bundle(t, "fun0b.pspan"))
	bundles.Above(0.01, true)
	results, err := Results("a", []byte(fmt.Sprintf(result, 2.0, `"x"`)), "b", []byte(fmt.Sprintf(result, 0.0, `"y"`)))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []*Diff{bundles, results, {Kind: "bundle"}} {
		var data bytes.Buffer
		if err := report.JSON(&data, d); err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); err != nil {
			t.Errorf("%v\n%s", err, data.Bytes())
		}
	}
}

// FuzzResults holds that any input gives a comparison that can be printed, or one line.
func FuzzResults(f *testing.F) {
	f.Add([]byte(fmt.Sprintf(result, 2.0, `"x"`)), []byte(fmt.Sprintf(result, 0.0, "")))
	f.Add([]byte(`{"schema":"pathspan.x/1","a":[[1,{"name":"x"}],null]}`), []byte(`{"schema":"pathspan.x/2","a":[]}`))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		d, err := Results("a", a, "b", b)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		d.Above(0.01, true)
		if err := d.Text(&bytes.Buffer{}, 3, Paint{}); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(d); err != nil {
			t.Error(err)
		}
	})
}

// What is listed comes by what it adds to the program's cycles, sections by what they add to
// their construct's work; what adds next to nothing is counted in one line.
func TestSmallChangesAreOneLine(t *testing.T) {
	counts := func(cycles float64) Counts { return Counts{Count: 1, Cycles: cycles, Share: cycles / 1e6} }
	d := &Diff{A: "a", B: "b"}
	d.cycles = 1e6
	d.Lines = []Line{
		{File: "x.c", LineA: 1, LineB: 1, A: counts(500_000), B: counts(600_000)},
		{File: "x.c", LineA: 2, LineB: 2, A: counts(100_000), B: counts(100_070)}, // 0.007 %
		{File: "x.c", LineA: 3, LineB: 3, A: counts(50), B: counts(500)},          // ten times as much of nothing
	}
	d.Executions = []Executions{
		{Region: "all", CountA: 10, CountB: 10, ClassesA: 2, ClassesB: 2, WorkA: []float64{50, 100_000, 900_000}, WorkB: []float64{90, 100_070, 990_000}},
		{Region: "none", CountA: 10, CountB: 10, ClassesA: 2, ClassesB: 2, WorkA: []float64{100_000}, WorkB: []float64{100_007}},
	}
	d.Values = []Value{{Key: "large", A: 1.0, B: 2.0}, {Key: "small", A: 1.0, B: 1.00007}}
	text := func(items int) string {
		var b bytes.Buffer
		if err := d.Text(&b, items, Paint{}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	few, all := text(5), text(0)
	for _, want := range []string{"x.c:2", "x.c:3", "section 1:", "section 2:", "none:", "small:"} {
		if strings.Contains(few, want) {
			t.Errorf("%s is listed in\n%s", want, few)
		}
		if !strings.Contains(all, want) {
			t.Errorf("%s is missing among all in\n%s", want, all)
		}
	}
	for _, want := range []string{"+10.0%", "x.c:1", "section 3:", "large:"} {
		if !strings.Contains(few, want) {
			t.Errorf("%s is not listed in\n%s", want, few)
		}
	}
	if n := strings.Count(few, "(--items 0 shows them)"); n != 4 || strings.Contains(all, "--items") {
		t.Errorf("%d lines count what is small, want one for lines, sections, constructs and values each:\n%s", n, few)
	}
}

// Regions and sections of results go by their names, which stay where lines move.
func TestResultsOfMovedRegions(t *testing.T) {
	const at = `{"schema":"pathspan.replay/1","regions":[{"region":"a.c:f#1","line":%d,"speedup":%g},{"region":"a.c:f#2","line":%d,"speedup":3}]}`
	d, err := Results("a", fmt.Appendf(nil, at, 10, 2.0, 20), "b", fmt.Appendf(nil, at, 20, 1.5, 30))
	if err != nil {
		t.Fatal(err)
	}
	var moved []string
	for _, v := range d.Values {
		moved = append(moved, fmt.Sprint(v.Key, " ", v.A, " ", v.B))
	}
	if want := []string{"regions[a.c:f#1].line line 10 line 20", "regions[a.c:f#2].line line 20 line 30"}; !slices.Equal(moved, want) {
		t.Errorf("values %q, want %q", moved, want)
	}
	if failed := d.Above(0.2, false); len(failed) != 1 || !strings.Contains(failed[0], "a.c:f#1") {
		t.Errorf("failed %q", failed)
	}
}
