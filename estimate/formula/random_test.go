package formula_test

// This file holds formulas of random rows, with regions inside sections that compete for
// processors, against those rows valued anew, and the page's script against both.

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"math/rand"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate/formula"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/testdata/chromium"
)

// randomRows are rows of two kinds of processors under a mapping. An execution may hold
// those before it.
type randomRows struct {
	processors []formula.Processor // inputs: of each kind clock, create, sync
	kindOf     []int
	base       []float64
	executions []randomExecution
	roots      []float64 // by execution: weight
	m          *mapping.Resolved
}

type randomExecution struct {
	region int
	runs   float64
	lanes  [][]randomPart
}

type randomPart struct {
	own           []float64 // by kind, in its cycles
	inside, times int
}

const kinds, regions = 2, 5

func newRandomRows(r *rand.Rand) *randomRows {
	x := &randomRows{base: []float64{float64(r.Intn(50)), float64(r.Intn(50))}}
	n := 1 + r.Intn(4)
	for range n {
		k := r.Intn(kinds)
		x.kindOf = append(x.kindOf, k)
		x.processors = append(x.processors, formula.Processor{Clock: 3 * k, Create: 3*k + 1, Sync: 3*k + 2})
	}
	x.m = &mapping.Resolved{Platform: mapping.Homogeneous(n, ""), Serial: r.Intn(n)}
	var sections []int
	for range regions {
		sections = append(sections, 1+r.Intn(3))
		s := sections[len(sections)-1]
		var proc []int
		for range s {
			proc = append(proc, r.Intn(n))
		}
		x.m.Regions = append(x.m.Regions, mapping.RegionMap{Explicit: r.Intn(3) > 0, Proc: [][]int{proc}, Order: [][]int{r.Perm(s)}})
	}
	nested := r.Intn(3) > 0
	for range 1 + r.Intn(8) {
		e := randomExecution{region: r.Intn(regions), runs: 1}
		if r.Intn(5) == 0 {
			e.runs = 0
		}
		for range sections[e.region] {
			var lane []randomPart
			for range 1 + r.Intn(3) {
				p := randomPart{inside: -1, times: 1}
				for range kinds {
					p.own = append(p.own, float64(r.Intn(3)*r.Intn(40)))
				}
				if len(x.executions) > 0 && nested && r.Intn(2) == 0 {
					p.inside, p.times = r.Intn(len(x.executions)), 1+r.Intn(3)
				}
				lane = append(lane, p)
			}
			e.lanes = append(e.lanes, lane)
		}
		x.executions = append(x.executions, e)
		x.roots = append(x.roots, float64(r.Intn(4)))
	}
	return x
}

// table makes the table for some inputs, in cycles of the first processor.
func (x *randomRows) table(t *testing.T, inputs []float64) *table.Table {
	t.Helper()
	m := table.Machine{KindOf: x.kindOf, Kinds: kinds}
	factor := func(k int) float64 { return inputs[x.processors[0].Clock] / inputs[3*k] }
	for p, in := range x.processors {
		m.Create, m.Sync = append(m.Create, inputs[in.Create]*factor(x.kindOf[p])), append(m.Sync, inputs[in.Sync]*factor(x.kindOf[p]))
	}
	scaled := func(cycles []float64) (out []float64) {
		for k, c := range cycles {
			out = append(out, c*factor(k))
		}
		return out
	}
	b := table.NewBuilder(m, regions)
	var sets []int
	for i, e := range x.executions {
		var lanes [][]table.Part
		for _, lane := range e.lanes {
			var parts []table.Part
			for _, p := range lane {
				part := table.Part{Own: scaled(p.own), Set: -1}
				if p.inside >= 0 {
					part.Set, part.Times = sets[p.inside], float64(p.times)
				}
				parts = append(parts, part)
			}
			lanes = append(lanes, parts)
		}
		n := b.Execution(e.region, 0, e.runs, lanes)
		sets = append(sets, b.Set(table.Set{Executions: []int{n}, Shares: []float64{1}}))
		b.Root(n, x.roots[i])
	}
	out, err := b.Table(scaled(x.base))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// formula returns the formula of the rows.
func (x *randomRows) formula(t *testing.T) *formula.Formula {
	t.Helper()
	f := &formula.Formula{Inputs: make([]formula.Input, 3*kinds), Processors: x.processors, Serial: x.m.Serial}
	for k := range kinds {
		f.Inputs[3*k].Kind = formula.Clock
	}
	rows, err := x.table(t, []float64{1, 0, 0, 1, 0, 0}).Reduce(x.m, x.kindOf)
	if err != nil {
		t.Fatal(err)
	}
	f.Techniques = []formula.Technique{{Technique: "eb", Sequential: 1000, Rows: rows}}
	return f
}

// Clocks are powers of two and all other numbers whole, so that what ends at once in one
// computation ends at once in the other.
func TestFormulasOfRandomRows(t *testing.T) {
	flat, forks := 0, 0
	for seed := range int64(2000) {
		r := rand.New(rand.NewSource(seed))
		x := newRandomRows(r)
		f := x.formula(t)
		flat, forks = flat+len(f.Techniques[0].Rows.Flat), forks+len(f.Techniques[0].Rows.Forks)
		for range 4 {
			var inputs []float64
			for range kinds {
				inputs = append(inputs, math.Exp2(float64(r.Intn(7)-3)), float64(r.Intn(3)*r.Intn(30)), float64(r.Intn(20)))
			}
			got, err := f.Eval(inputs)
			if err != nil {
				t.Fatal(err)
			}
			cycles, err := x.table(t, inputs).NewValuer().Value(x.m)
			if err != nil {
				t.Fatal(err)
			}
			if want := cycles / (inputs[x.processors[0].Clock] * 1e6); math.Abs(got[0].ParallelSeconds-want) > 1e-12*want {
				t.Fatalf("seed %d, inputs %v: %v, want %v", seed, inputs, got[0].ParallelSeconds, want)
			}
		}
	}
	if t.Logf("%d groups of flat rows, %d forks", flat, forks); flat < 1000 || forks < 1000 {
		t.Error("hardly anything is tested")
	}
}

// Rows that say only on average what is inside, and that is spread, are refused.
func TestAveragedRowsAreRefused(t *testing.T) {
	b := table.NewBuilder(table.Machine{KindOf: []int{0, 0}, Kinds: 1, Create: []float64{0, 0}, Sync: []float64{0, 0}}, 2)
	work := []table.Part{{Own: []float64{9}, Set: -1}}
	inner := b.Execution(1, 0, 1, [][]table.Part{work, work})
	set := b.Set(table.Set{Executions: []int{inner}, Shares: []float64{1}})
	b.Root(b.Execution(0, 0, 1, [][]table.Part{{{Own: []float64{1}, Set: set, Times: 0.5}}, work}), 1)
	rows, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	spread := mapping.RegionMap{Explicit: true, Proc: [][]int{{0, 1}}, Order: [][]int{{0, 1}}}
	stays := spread
	stays.Explicit = false // so that the inner one stays on its processor
	m := &mapping.Resolved{Platform: mapping.Homogeneous(2, ""), Regions: []mapping.RegionMap{spread, spread}}
	var averaged *table.ErrAveraged
	if _, err := rows.Reduce(m, []int{0, 0}); !errors.As(err, &averaged) || averaged.Region != 0 {
		t.Errorf("%v", err)
	}
	m.Regions[1] = stays
	if _, err := rows.Reduce(m, []int{0, 0}); err != nil {
		t.Error(err)
	}
}

// script evaluates all formulas for all their inputs, and writes the bits of the figures.
const script = `
const bits = (x) => { const v = new DataView(new ArrayBuffer(8)); v.setFloat64(0, x); return v.getBigUint64(0).toString(16); };
const results = cases.map((c) => c.inputs.map((x) => { const f = evalFormula(c.formula, x).eb; return bits(f.sequential_seconds) + " " + bits(f.parallel_seconds); }).join("\n")).join("\n");
`

func TestTheScriptComputesTheSameBits(t *testing.T) {
	source, err := os.ReadFile("../../report/page/formula.js")
	if err != nil {
		t.Fatal(err)
	}
	type formulaCase struct {
		Formula *formula.Formula `json:"formula"`
		Inputs  [][]float64      `json:"inputs"`
	}
	var cases []formulaCase
	var want []string
	forks := 0
	for seed := range int64(500) {
		r := rand.New(rand.NewSource(seed))
		f := newRandomRows(r).formula(t)
		forks += len(f.Techniques[0].Rows.Forks)
		c := formulaCase{Formula: f}
		for range 3 {
			var inputs []float64
			for range kinds {
				inputs = append(inputs, 1+999*r.Float64(), 50*r.Float64(), float64(r.Intn(20)))
			}
			out, err := f.Eval(inputs)
			if err != nil {
				t.Fatal(err)
			}
			c.Inputs = append(c.Inputs, inputs)
			want = append(want, fmt.Sprintf("%x %x", math.Float64bits(out[0].SequentialSeconds), math.Float64bits(out[0].ParallelSeconds)))
		}
		cases = append(cases, c)
	}
	if forks < 200 {
		t.Errorf("only %d forks", forks)
	}
	data, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(interpret(t, fmt.Sprintf("%s\nconst cases = %s;\n%s", source, data, script)), "\n")
	if slices.Equal(got, want) {
		return
	}
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d: %.300s", len(got), len(want), got[0])
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("formula %d, inputs %d: %s, want %s", i/3, i%3, got[i], want[i])
		}
	}
}

var results = regexp.MustCompile(`(?s)<pre id="results">(.*?)</pre>`)

// interpret runs a script in a browser and returns its results.
func interpret(t *testing.T, program string) string {
	t.Helper()
	out := chromium.DumpDOM(t, chromium.Find(t), `<!doctype html><meta charset="utf-8"><pre id="results"></pre><script>
const say = (x) => { document.getElementById("results").textContent = x; };
onerror = (e) => say(e);
</script><script>`+program+`say(results);</script>`)
	found := results.FindStringSubmatch(out)
	if found == nil {
		t.Fatalf("no results in %.1000s", out)
	}
	return html.UnescapeString(found[1])
}
