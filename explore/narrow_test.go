package explore

// This file holds ways to make loops that bounds leave to all of them, searched one by one.

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	_ "pathspan/procmodels/accelerator"
	"pathspan/testdata/profiled"
)

// loopsProgram has sections that come to loops of functions, two of them to the same, and one behind them.
const loopsProgram = `#define N 64
float a[N], b[N], c[N], d[N];
#define LOOP _Pragma("clang loop unroll(disable) vectorize(disable)") for (int i = 0; i < N; i++)
__attribute__((noinline)) void one(float by)
{
  LOOP
    a[i] = b[i] * by + a[i];
}
__attribute__((noinline)) void two(float by)
{
  LOOP
    c[i] = c[i] / by;
}
__attribute__((noinline)) void three(float by)
{
  LOOP
    d[i] = a[i] + by * d[i] * d[i];
}
int main(void)
{
  for (int n = 1; n < 5; n++) {
#pragma omp parallel sections
    {
#pragma omp section
      one(n);
#pragma omp section
      {
        two(n);
        if (n % 2)
          three(n);
      }
#pragma omp section
      for (int k = 0; k < n; k++)
        two(k + 1);
    }
    one(n + 1);
  }
  return 0;
}
`

// tasksProgram has tasks that come to loops, one of them waiting for another.
const tasksProgram = `#define N 64
float a[N], b[N], c[N], d[N];
#define LOOP _Pragma("clang loop unroll(disable) vectorize(disable)") for (int i = 0; i < N; i++)
__attribute__((noinline)) void one(float by)
{
  LOOP
    a[i] = b[i] * by + a[i];
}
__attribute__((noinline)) void two(float by)
{
  LOOP
    c[i] = c[i] / by;
}
__attribute__((noinline)) void three(float by)
{
  LOOP
    d[i] = a[i] + by * d[i] * d[i];
}
int main(void)
{
  char done;
#pragma omp parallel
#pragma omp single
  for (int n = 1; n < 4; n++) {
#pragma omp task depend(out : done)
    one(n);
#pragma omp task
    two(n);
#pragma omp task depend(in : done)
    three(n);
  }
  return 0;
}
`

func TestBoundsLeaveTheBestWays(t *testing.T) {
	fast := Constraints{MinSpeedup: 1.3}
	testWays(t, loopsProgram, 8, 10, 0.25, []Options{
		{Objective: Time}, {Objective: Area}, {Pareto: []Objective{Time, Area}}, {Objective: Energy}, {Pareto: []Objective{Energy, Time}},
		{Pareto: []Objective{Time, Energy, Area}}, {Objective: Energy, Constraints: fast}, {Objective: Area, Constraints: Constraints{MinSpeedup: 8}}, {Pareto: []Objective{Energy, Area}, Constraints: fast},
	})
}

func TestBoundsLeaveTheBestWaysOfTasks(t *testing.T) {
	testWays(t, tasksProgram, 2, 2, 0.5, []Options{{Pareto: []Objective{Time, Area}}, {Objective: Area}, {Pareto: []Objective{Time, Energy}, Constraints: Constraints{MinSpeedup: 1.1}}})
}

// sharedProgram has loops whose iterations threads take as they go, which come to loops of functions, and sections.
const sharedProgram = `#define N 64
float a[8][N], b[N], c[8][N], d[N];
#define LOOP _Pragma("clang loop unroll(disable) vectorize(disable)") for (int i = 0; i < N; i++)
__attribute__((noinline)) void one(float *a, float by)
{
  LOOP
    a[i] = b[i] * by + a[i];
}
__attribute__((noinline)) void two(float *c, float by)
{
  LOOP
    c[i] = c[i] / by;
}
__attribute__((noinline)) void three(float by)
{
  LOOP
    d[i] = b[i] + by * d[i] * d[i];
}
int main(void)
{
#pragma omp parallel for schedule(dynamic, 1)
  for (int n = 0; n < 7; n++) {
    one(a[n], n);
    if (n % 3)
      two(c[n], n + 1);
  }
#pragma omp parallel sections
  {
#pragma omp section
    three(2);
#pragma omp section
    for (int k = 0; k < 3; k++)
      b[k] = k;
  }
  return 0;
}
`

func TestBoundsLeaveTheBestWaysOfProcessors(t *testing.T) {
	testWays(t, loopsProgram, 4, 4, 0.5, []Options{
		{Objective: Processors}, {Pareto: []Objective{Time, Processors}}, {Pareto: []Objective{Time, Processors, Area}}, {Pareto: []Objective{Energy, Processors}},
		{Objective: Processors, Constraints: Constraints{MinSpeedup: 1.3}}, {Objective: Time, Constraints: Constraints{MaxProcessors: 2}},
	})
	testWays(t, tasksProgram, 1, 1, 0.9, []Options{{Pareto: []Objective{Time, Processors, Area}}})
}

func TestBoundsLeaveTheBestWaysOfSharedIterations(t *testing.T) {
	testWays(t, sharedProgram, 2, 3, 0.5, []Options{{Objective: Time}, {Pareto: []Objective{Time, Area}}, {Pareto: []Objective{Time, Processors, Area}}, {Objective: Energy}})
}

// testWays holds what bounds leave of ways to make a program's loops, which is at most such a share, to all of them; so many fronts
// have more than three.
func testWays(t *testing.T, program string, trials, wide int, most float64, questions []Options) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bundle := profiled.Program{Source: file("loops.c", program), Level: "1"}.Bundle(t).WithTeams(2)
	r := rand.New(rand.NewPCG(11, 12))
	left, ways, fronts, unmet, small := 0, 0, 0, 0, 0
	for trial := range trials {
		model := "schema: pathspan.accelerator/1\nname: m\nextends: ku060\nloops:\n"
		for _, line := range []int{6, 11, 16} {
			var takes, shares, factors []string
			for f := 1; f <= 16; f *= 2 {
				if r.IntN(4) == 0 {
					continue
				}
				takes = append(takes, fmt.Sprintf("%d: %d", f, r.IntN(40)+f*(5+r.IntN(20))))
				shares = append(shares, fmt.Sprintf("%d: %d", f, f*(1+r.IntN(3))))
				factors = append(factors, fmt.Sprint(f))
			}
			if len(factors) > 1 {
				model += fmt.Sprintf("  loops.c:%d: {unroll: %s, takes: {LUT: {%s}}, shares: {DSP: {%s}}, try: {unroll: [%s], partition: [1, 8]}}\n", line, factors[0], strings.Join(takes, ", "), strings.Join(shares, ", "), strings.Join(factors, ", "))
			}
		}
		file("m.yaml", model)
		platform := file("p.yaml", fmt.Sprintf("processors:\n  - {name: cpu, model: cortex-a7, clock_mhz: %d, power: {active: 0.5, idle: 0.1}}\n  - {name: fpga, model: m.yaml, power: {active: 0.2, idle: 0.05}, capacity: {LUT: %d, DSP: %d}}\noverheads: {create: %d, sync: 20}\n", 50+r.IntN(800), 100+r.IntN(700), 8+r.IntN(30), r.IntN(300)))
		pl, err := mapping.LoadPlatform(platform)
		if err != nil {
			t.Fatal(err)
		}
		pricer := &estimate.Pricer{Program: bundle.Program, Module: bundle.Module}
		price := func(pl *mapping.Platform) (estimate.Processors, error) {
			return pricer.Processors(context.Background(), pl)
		}
		procs, err := price(pl)
		if err != nil {
			t.Logf("trial %d: %v", trial, err) // what the file has to begin with is too large
			continue
		}
		a, err := estimate.Prepare(bundle, "")
		if err != nil {
			t.Fatal(err)
		}
		e, err := a.On(procs)
		if err != nil {
			t.Fatal(err)
		}
		technique, err := estimate.ParseTechnique("eb")
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range questions {
			o.Technique, o.Price, o.Evaluations = technique, price, 1<<40
			run := func(narrow bool) *Found {
				s, err := New(e, o)
				if err != nil {
					t.Fatalf("trial %d: %v", trial, err)
				}
				if narrow {
					options, _, err := s.loops(0)
					if err != nil {
						t.Fatal(err)
					}
					count := 1.0
					for _, list := range options {
						count *= float64(len(list))
					}
					makings, err := s.narrowed(0, options, count, mostDesigns)
					if err != nil && o.Constraints.MinSpeedup > 0 && strings.Contains(err.Error(), "meets the constraints") {
						return nil
					}
					if err != nil {
						t.Fatalf("trial %d: %v", trial, err)
					}
					ways, left = ways+int(count), left+len(makings)
					s.problems, s.limit = nil, nil
					for i := range makings {
						p, err := s.newProblem(0, makings[i])
						if err != nil {
							t.Fatal(err)
						}
						s.problems, s.limit = append(s.problems, p), append(s.limit, s.limitOf(p))
					}
					if err := s.choose(); err != nil {
						t.Fatal(err)
					}
				}
				found, err := s.Run(context.Background())
				if err != nil && strings.HasPrefix(err.Error(), "no mapping meets a speed-up") {
					return nil
				}
				if err != nil || !found.Proven {
					t.Fatalf("trial %d, narrow %v: %v, %+v", trial, narrow, err, found)
				}
				return found
			}
			got, want := run(true), run(false)
			if want == nil || got == nil {
				if unmet++; want != nil || got != nil {
					t.Errorf("trial %d, %v: %v, want %v", trial, o.Objective, got, want)
				}
				continue
			}
			text := func(f *Found) string { return whatCounts(&o, f) }
			few := o
			few.Evaluations = 5 * chains
			s, err := New(e, few)
			if err == nil && len(s.problems) > 5 {
				t.Fatalf("trial %d: with a budget of %d evaluations %d ways are searched", trial, few.Evaluations, len(s.problems))
			}
			if err == nil {
				if f, err := s.Run(context.Background()); err == nil && f.Proven && text(f) != text(want) {
					t.Errorf("trial %d, %v %v: %s is called proven with a small budget, want %s", trial, o.Objective, o.Pareto, text(f), text(want))
				}
				small++
			}
			if text(got) != text(want) {
				t.Errorf("trial %d, %v %v: %s, want %s\n%s", trial, o.Objective, o.Pareto, text(got), text(want), model)
			}
			if len(want.Front) > 3 {
				fronts++
			}
		}
	}
	t.Logf("bounds left %d of %d ways, %d times none met a speed-up", left, ways, unmet)
	if small == 0 {
		t.Error("no search with a small budget finds ways")
	}
	if fronts < wide || float64(left) > most*float64(ways) {
		t.Errorf("%d fronts of more than three, %d of %d ways left", fronts, left, ways)
	}
}

// whatCounts lists what the best costs, and the candidates of a front, of what a search is for: those that rounding tells
// apart once.
func whatCounts(o *Options, f *Found) string {
	of, all := o.Pareto, f.Front
	if len(of) == 0 {
		of, all = []Objective{o.Objective, Time}, []Candidate{*f.Best}
	}
	lines := map[string]bool{}
	for i := range all {
		line := ""
		for _, x := range of {
			line += fmt.Sprintf("%v %.9g ", x, all[i].Metrics.of(x))
		}
		lines[line] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(lines)), "; ")
}
