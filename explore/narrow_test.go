package explore

// This file holds ways to make loops that bounds leave to all of them, searched one by one.

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
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

func TestBoundsLeaveTheBestWays(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	bundle := profiled.Program{Source: file("loops.c", loopsProgram), Level: "1"}.Bundle(t)
	r := rand.New(rand.NewPCG(11, 12))
	left, ways, fronts := 0, 0, 0
	for trial := range 20 {
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
		platform := file("p.yaml", fmt.Sprintf("processors:\n  - {name: cpu, model: cortex-a7, clock_mhz: %d}\n  - {name: fpga, model: m.yaml, capacity: {LUT: %d, DSP: %d}}\noverheads: {create: %d, sync: 20}\n", 50+r.IntN(800), 100+r.IntN(700), 8+r.IntN(30), r.IntN(300)))
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
		for _, o := range []Options{{Objective: Time}, {Objective: Area}, {Pareto: []Objective{Time, Area}}} {
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
					makings, err := s.narrowed(0, options, count)
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
						s.problems, s.limit = append(s.problems, p), append(s.limit, math.Inf(1))
					}
					if err := s.choose(); err != nil {
						t.Fatal(err)
					}
				}
				found, err := s.Run(context.Background())
				if err != nil || !found.Proven {
					t.Fatalf("trial %d, narrow %v: %v, %+v", trial, narrow, err, found)
				}
				return found
			}
			got, want := run(true), run(false)
			text := func(f *Found) string {
				out := fmt.Sprintf("%.9g %.6f", f.Best.Metrics.Seconds, f.Best.Metrics.Area)
				last := ""
				for _, c := range f.Front { // times that rounding tells apart are one
					if x := fmt.Sprintf("; %.9g %.6f", c.Metrics.Seconds, c.Metrics.Area); x[:min(len(x), 12)] != last {
						out, last = out+x, x[:min(len(x), 12)]
					}
				}
				return out
			}
			if text(got) != text(want) {
				t.Errorf("trial %d, %v %v: %s, want %s\n%s", trial, o.Objective, o.Pareto, text(got), text(want), model)
			}
			if len(want.Front) > 3 {
				fronts++
			}
		}
	}
	t.Logf("bounds left %d of %d ways", left, ways)
	if fronts < 10 || left*4 > ways {
		t.Errorf("%d fronts of more than three, %d of %d ways left", fronts, left, ways)
	}
}
