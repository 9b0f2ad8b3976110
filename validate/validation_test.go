package validate

// This file validates a few benchmarks and small programs of its own.

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/replay"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
	"pathspan/workers"
)

func newest(t *testing.T) *toolchain.Toolchain {
	t.Helper()
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	return tc
}

// named returns some of the embedded benchmarks.
func named(t *testing.T, names ...string) []*bench.Program {
	t.Helper()
	list, err := bench.Load()
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(p *bench.Program) bool { return !slices.Contains(names, p.Name) })
	if len(list) != len(names) {
		t.Fatalf("not all of %v are benchmarks", names)
	}
	return list
}

// folder makes an index of programs, given their sources and what they must print. A
// program is named by its file.
func folder(t *testing.T, sources, expected map[string]string, regions string) []*bench.Program {
	t.Helper()
	files := fstest.MapFS{}
	index := "schema: pathspan.bench/1\nprograms:\n"
	var names []string
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		files[name+".c"] = &fstest.MapFile{Data: []byte(sources[name])}
		index += "  - {name: " + name + ", title: T, group: own, files: [" + name + ".c], arguments: {small: [], large: []}, regions: " + regions + ", correlated: false}\n"
		for _, size := range []string{"small", "large"} {
			files["own/"+name+"."+size+".expected"] = &fstest.MapFile{Data: []byte(expected[name])}
		}
	}
	files[bench.IndexName] = &fstest.MapFile{Data: []byte(index)}
	list, err := bench.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func validated(t *testing.T, v *Validation) *Result {
	t.Helper()
	ctx := t.Context()
	v.Toolchain, v.Dir, v.Size = newest(t), t.TempDir(), bench.Small
	res, err := v.Run(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func text(t *testing.T, l *ledger.Ledger) string {
	t.Helper()
	var out bytes.Buffer
	if err := l.Write(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Two benchmarks at one level: what they show, and that neither order nor number of jobs
// changes a byte. Figures measured elsewhere come in as a further reference.
func TestValidation(t *testing.T) {
	platforms := []*mapping.Platform{mapping.Homogeneous(2, ""), mapping.Homogeneous(4, "")}
	figures := []Figure{
		{Program: "grad", Level: "2", Processors: 1, Seconds: 3, Source: "board", Where: "f.csv:2"},
		{Program: "grad", Level: "2", Processors: 2, Seconds: 2, Source: "board", Where: "f.csv:3"},
		{Program: "grad", Level: "2", Processors: 8, Seconds: 1, Source: "board", Where: "f.csv:4"},
	}
	v := &Validation{Programs: named(t, "grad", "dijkstra"), Levels: []string{"2"}, Platforms: platforms, References: figures, Jobs: 2}
	res := validated(t, v)
	if len(res.Failures) > 0 {
		t.Fatalf("failures: %v", res.Failures)
	}
	if len(res.Ledger.Rows) != 2*2*5+5 {
		t.Errorf("%d rows", len(res.Ledger.Rows))
	}
	for i := range res.Ledger.Rows {
		r := &res.Ledger.Rows[i]
		switch {
		case r.Reference == "board":
			if r.Program != "grad" || r.Processors != 2 || r.ReferenceSpeedup != 1.5 || math.Abs(r.Error-(r.Speedup/1.5-1)) > 1e-9 || r.SequentialError == 0 {
				t.Errorf("%+v", r)
			}
		case r.Technique == "pb":
			if math.Abs(r.Error) > 1e-6 || r.SequentialError != 0 {
				t.Errorf("%s: error %g, of the sequential time %g", r.Key(), r.Error, r.SequentialError)
			}
			if r.Program == "dijkstra" && (r.Speedup > 1 || r.Speedup < 0.99) {
				t.Errorf("%s: speed-up %g of false parallelism", r.Key(), r.Speedup)
			}
		case r.Program == "dijkstra" && r.Technique == "at" && r.Error < 0.5:
			t.Errorf("%s: error %g; average times should not see the exclusion", r.Key(), r.Error)
		}
	}
	slices.Reverse(v.Programs)
	v.Jobs = 1
	if a, b := text(t, res.Ledger), text(t, validated(t, v).Ledger); a != b {
		t.Errorf("another order gives\n%s\nwant\n%s", b, a)
	}
}

// A program that prints something else, or fails, fails alone.
func TestFailures(t *testing.T) {
	const body = "#include <stdio.h>\nint main(void)\n{\n    int a = 0, b = 0;\n    #pragma omp parallel sections\n    {\n        #pragma omp section\n        a = 1;\n        #pragma omp section\n        b = 2;\n    }\n    printf(\"one\\n%d\\n\", a + b);\n    return RETURN;\n}\n"
	ok, fails := strings.Replace(body, "RETURN", "0", 1), strings.Replace(body, "RETURN", "3", 1)
	list := folder(t, map[string]string{"good": ok, "other": ok, "status": fails, "broken": "int main(void) { return x; }\n"},
		map[string]string{"good": "one\n3\n", "other": "one\n4\n", "status": "one\n3\n"}, "[2]")
	res := validated(t, &Validation{Programs: list, Levels: []string{"2"}, Platforms: []*mapping.Platform{mapping.Homogeneous(2, "")}, Jobs: 2})
	want := []string{"broken -O2: ", `other -O2: the profiled run prints something else than expected: line 2 is "3" instead of "4"`, "status -O2: the profiled run exited with status 3"}
	if len(res.Failures) != len(want) {
		t.Fatalf("failures %v", res.Failures)
	}
	for i := range want {
		if got := res.Failures[i].String(); !strings.HasPrefix(got, want[i]) {
			t.Errorf("got %q, want %q", got, want[i])
		}
	}
	for _, r := range res.Ledger.Rows {
		if r.Program != "good" {
			t.Errorf("a row of %s", r.Program)
		}
	}
}

// Where one section always decides, averages are all that is needed, and PB must agree
// with replay to the last digits: each section in turn is put on a processor of its own
// that is so slow that the rest never matters. Sections that share a callee are each
// charged its average over all of them, so that only their sum agrees. What PB differs
// by elsewhere is the maximum of averages, not the averages.
func TestAveragesAreExact(t *testing.T) {
	v := &Validation{Programs: named(t, "early_exits", "susan_corners_small"), Levels: []string{"2"}, Platforms: []*mapping.Platform{mapping.Homogeneous(2, "")}, Toolchain: newest(t), Dir: t.TempDir(), Size: bench.Small}
	ctx := t.Context()
	for _, u := range v.units() {
		if err := u.build(ctx); err != nil {
			t.Fatal(err)
		}
		if err := u.estimate(ctx); err != nil {
			t.Fatal(err)
		}
		base := u.targets[0]
		procs := base.procs
		procs.ClockMHz = []float64{1e6, 1}
		none := make([]procmodels.Overheads, 2)
		procs.Overheads = none
		g, err := u.on(procs, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := u.bundle.Program
		plan, err := replay.NewPlan(p, u.analysis.Root, procs.Costs)
		if err != nil {
			t.Fatal(err)
		}
		var maps []*mapping.Resolved
		var sims []*replay.Simulator
		var regions []int
		for r := range p.Regions {
			for c := range p.Regions[r].Constructs {
				for s := range p.Regions[r].Constructs[c].Sections {
					m := base.m.OnlyRegion(-1)
					m.Regions[r].Proc[c][s] = 1
					sim, err := replay.NewSimulator(plan, m, procs.Costs, procs.ClockMHz, make([]procmodels.Overheads, 2), p)
					if err != nil {
						t.Fatal(err)
					}
					maps, sims, regions = append(maps, m), append(sims, sim), append(regions, r)
				}
			}
		}
		if err := u.follow(ctx, plan, sims); err != nil {
			t.Fatal(err)
		}
		estimated, real := make([]float64, len(p.Regions)), make([]float64, len(p.Regions))
		for i, m := range maps {
			est, err := g.e.Estimate(m, estimate.PathBased)
			if err != nil {
				t.Fatal(err)
			}
			par := sims[i].Parallel()
			if u.program.Name == "early_exits" && math.Abs(est.ParallelCycles/par-1) > 1e-9 {
				t.Errorf("%s, mapping %d: PB says %.1f, replay %.1f", u.program.Name, i, est.ParallelCycles, par)
			}
			estimated[regions[i]] += est.ParallelCycles
			real[regions[i]] += par
		}
		for r := range real {
			if math.Abs(estimated[r]/real[r]-1) > 1e-9 {
				t.Errorf("%s, region %d: PB says %.1f in all, replay %.1f", u.program.Name, r, estimated[r], real[r])
			}
		}
	}
}

// What is averaged in sections, by hand: a loop of constant trips and a callee that
// always costs the same are kept, the others are named.
func TestCauses(t *testing.T) {
	const source = `#include <stdio.h>
static volatile int sink;
static void same(void) { for (int i = 0; i < 10; i++) sink++; }
static void differs(int n) { for (int i = 0; i < n; i++) sink++; }
static int deep(int n) { return n ? 1 + deep(n - 1) : sink; }
static void inner(int n)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        for (int i = 0; i < n; i++) sink++;
        #pragma omp section
        sink++;
    }
}
int main(void)
{
    for (int k = 0; k < 20; k++) {
        #pragma omp parallel sections
        {
            #pragma omp section
            same();
            #pragma omp section
            for (int i = 0; i < 10; i++) sink++;
        }
        #pragma omp parallel sections
        {
            #pragma omp section
            differs(k);
            #pragma omp section
            for (int i = 0; i < k; i++)
                sink++;
            #pragma omp section
            deep(k);
            #pragma omp section
            inner(k);
        }
    }
    puts("done");
    return 0;
}
`
	list := folder(t, map[string]string{"causes": source}, map[string]string{"causes": "done\n"}, "[2, 2, 4]")
	res := validated(t, &Validation{Programs: list, Levels: []string{"0"}, Platforms: []*mapping.Platform{mapping.Homogeneous(4, "")}})
	if len(res.Failures) > 0 {
		t.Fatalf("failures %v", res.Failures)
	}
	if len(res.Ledger.Regions) != 3 {
		t.Fatalf("regions %+v", res.Ledger.Regions)
	}
	want := map[string][]ledger.Cause{
		"causes.c:inner#1": {{Kind: ledger.Loop, Name: "causes.c:11"}},
		"causes.c:main#1":  nil,
		"causes.c:main#2":  {{Kind: ledger.Callee, Name: "differs"}, {Kind: ledger.Loop, Name: "causes.c:31"}, {Kind: ledger.Nested, Name: "inner"}, {Kind: ledger.Recursion, Name: "deep"}},
	}
	for _, g := range res.Ledger.Regions {
		expected, ok := want[g.Region]
		if !ok {
			t.Errorf("region %s", g.Region)
		}
		sum := 0.0
		var got []ledger.Cause
		for _, c := range g.Causes {
			sum += c.Share
			got = append(got, ledger.Cause{Kind: c.Kind, Name: c.Name})
		}
		slices.SortFunc(got, func(a, b ledger.Cause) int { return strings.Compare(a.Kind, b.Kind) })
		if !slices.Equal(got, expected) {
			t.Errorf("%s: causes %+v, want %+v", g.Region, g.Causes, expected)
		}
		if len(g.Causes) > 0 && (sum < 0.5 || sum > 1+1e-9) || g.SectionShare <= 0 || g.SectionShare >= 1 {
			t.Errorf("%s: causes make up %g, the sections %g of the program", g.Region, sum, g.SectionShare)
		}
	}
}

// A panic of a unit reaches whoever runs all, also where more units wait than run.
func TestPanicsOfUnits(t *testing.T) {
	v := &Validation{Jobs: 2}
	p := workers.Catch(func() { v.each(make([]*unit, 20), func(*unit) { panic("a unit") }) })
	if p == nil || p.Value != "a unit" {
		t.Errorf("each panics with %v", p)
	}
}
