package measure

// This file runs test programs under real mappings: whatever the mapping, they must
// print what they print sequentially. No time is looked at.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/testdata/programs"
)

// turned is a mapping that OpenMP's own schedule never gives: sections in reverse
// order, dealt to the processors from the last on, nested regions spread as well, threads of
// loops likewise.
func turned(n int, prog *ir.Program) *mapping.Resolved {
	m := mapping.Default(mapping.Homogeneous(n, ""), prog)
	m.Serial = n - 1
	for r := range m.Regions {
		m.Regions[r].Explicit = true
		for c := range m.Regions[r].Proc {
			slices.Reverse(m.Regions[r].Order[c])
			for s := range m.Regions[r].Proc[c] {
				m.Regions[r].Proc[c][s] = (n - 1 - s%n)
			}
		}
	}
	return m
}

func buildTimed(t *testing.T, tc *toolchain.Toolchain, sources []string) (*Plan, *ir.Program) {
	t.Helper()
	r := &record.Recorder{Toolchain: tc, Dir: t.TempDir()}
	b, err := r.Costed(context.Background(), record.Options{Sources: sources, Level: "2"})
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{Recorder: r, Repeat: 1}
	if p.Plain, err = r.Plain(context.Background(), b); err != nil {
		t.Fatal(err)
	}
	if p.Parallel, err = r.Parallel(context.Background(), b); err != nil {
		if b.Program.HasTasks() && strings.Contains(err.Error(), "-lomp") {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return p, b.Program
}

func TestParallelRunsPrintTheSame(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	list, err := programs.Load("../testdata")
	if err != nil {
		t.Fatal(err)
	}
	// oneThread are programs whose clauses change what they compute: the plain build
	// knows no private variables.
	oneThread := []string{"openmp/clause_copies"}
	names := append([]string{"packet", "fun0-a", "openmp/nested", "openmp/recursive_region", "openmp/barrier", "openmp/single", "openmp/critical",
		"openmp/threadprivate", "openmp/reduction_int", "openmp/locks", "openmp/several_constructs", "openmp/if_clause", "openmp/with_parallel_for"}, oneThread...)
	for _, p := range list {
		if !slices.Contains(names, p.Name) {
			continue
		}
		names = slices.DeleteFunc(names, func(s string) bool { return s == p.Name })
		t.Run(strings.TrimPrefix(p.Name, "openmp/"), func(t *testing.T) {
			if p.Name == "openmp/threadprivate" && tc.Version < 16 {
				t.Skip("clang 14 leaves copyin out of its code") // what measure says of it is true
			}
			plan, prog := buildTimed(t, tc, p.Paths("../testdata"))
			run := p.Small()
			plan.Args = run.Args
			for n, m := range map[int]*mapping.Resolved{2: mapping.Default(mapping.Homogeneous(2, ""), prog.WithTeams(2)), 3: turned(3, prog.WithTeams(3))} {
				plan.Mappings = append(plan.Mappings, Mapping{Name: "a mapping", Resolved: m, CPUs: slices.Repeat([]int{-1}, n), Spin: 10})
			}
			var out bytes.Buffer
			plan.Stdout = &out
			res, err := plan.Run(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			if res.OneThread != slices.Contains(oneThread, p.Name) {
				t.Errorf("sequential runs on one thread of the parallel program: %v", res.OneThread)
			}
			if len(res.Sequential) != 1 || len(res.Parallel) != 2 || len(res.Parallel[0]) != 1 || res.Parallel[1][0].Elapsed <= 0 {
				t.Errorf("got %+v", res)
			}
			if run.Expect.Stdout != "" {
				want, err := os.ReadFile(filepath.Join("../testdata", run.Expect.Stdout))
				if err != nil {
					t.Fatal(err)
				}
				if out.String() != string(want) {
					t.Errorf("it printed %.200q, want %.200q", out.String(), want)
				}
			}
		})
	}
	if len(names) > 0 {
		t.Errorf("no test program is named %v", names)
	}
}

// Each section runs on the thread that the mapping says, in its order.
func TestSectionsRunWhereMapped(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	source := filepath.Join(t.TempDir(), "where.c")
	const text = `#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
static _Thread_local int here;
static int ran[4], order[4], threads;
static void section(int i)
{
    if (!here) here = __atomic_add_fetch(&threads, 1, __ATOMIC_SEQ_CST);
    static _Thread_local int n;
    ran[i] = here;
    order[i] = n++;
}
int main(void)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        section(0);
        #pragma omp section
        section(1);
        #pragma omp section
        section(2);
        #pragma omp section
        section(3);
    }
#ifdef _OPENMP
    if (ran[0] != ran[3] || ran[1] != ran[2] || ran[0] == ran[1]) puts("wrong thread");
    if (order[3] != 0 || order[0] != 1 || order[1] != 0 || order[2] != 1) puts("wrong order");
#endif
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	plan, prog := buildTimed(t, tc, []string{source})
	m := mapping.Default(mapping.Homogeneous(2, ""), prog)
	m.Regions[0].Proc[0] = []int{0, 1, 1, 0}
	m.Regions[0].Order[0] = []int{3, 0, 1, 2}
	mp := Mapping{Resolved: m, CPUs: []int{-1, -1}, Spin: 10}
	path := filepath.Join(t.TempDir(), "mapping")
	if err := os.WriteFile(path, []byte(mp.Text()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, status, err := plan.Recorder.Timed(context.Background(), plan.Parallel, nil, record.Streams{Stdout: &out, Stderr: &out}, "PATHSPAN_MAPPING="+path)
	if err != nil || status.Exit != 0 || out.Len() > 0 {
		t.Errorf("%v, %v: %s", err, status, out.String())
	}
}

// A program that makes tasks runs with LLVM's OpenMP library, on as many threads as asked for.
func TestTasksRunOnThreads(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	source := filepath.Join(t.TempDir(), "threads.c")
	const text = `#include <stdio.h>
#ifdef _OPENMP
int omp_get_num_threads(void);
#endif
int main(void)
{
    int threads = 1;
    #pragma omp parallel
    #pragma omp single
    {
        #pragma omp task shared(threads)
        {
#ifdef _OPENMP
            threads = omp_get_num_threads();
#endif
        }
    }
    printf("%d\n", threads);
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	plan, prog := buildTimed(t, tc, []string{source})
	if !prog.HasTasks() {
		t.Fatal("no tasks were found")
	}
	for threads := 1; threads <= 3; threads++ {
		m := Mapping{Threads: threads, CPUs: slices.Repeat([]int{-1}, threads)}
		var out bytes.Buffer
		_, status, err := plan.Recorder.Timed(context.Background(), plan.Parallel, nil, record.Streams{Stdout: &out, Stderr: &out}, m.environment("")...)
		if want := fmt.Sprintln(threads); err != nil || status.Exit != 0 || out.String() != want {
			t.Errorf("%v, %v: %q, want %q", err, status, out.String(), want)
		}
	}
	plan.Mappings = []Mapping{{Name: "one thread", Threads: 1}}
	if res, err := plan.Run(context.Background()); err != nil || res.OneThread || len(res.Parallel[0]) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
}

func TestADifferentOutputIsAnError(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	source := filepath.Join(t.TempDir(), "race.c")
	const text = `#include <stdio.h>
int main(void)
{
    static int order[2], n;
    #pragma omp parallel sections
    {
        #pragma omp section
        order[0] = n++;
        #pragma omp section
        order[1] = n++;
    }
    printf("%d %d\n", order[0], order[1]);
    return 0;
}
`
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	plan, prog := buildTimed(t, tc, []string{source})
	m := mapping.Default(mapping.Homogeneous(1, ""), prog)
	slices.Reverse(m.Regions[0].Order[0]) // a legal schedule that shows the dependence
	plan.Mappings = []Mapping{{Name: "reversed.yaml", Resolved: m, CPUs: []int{-1}, Spin: 10}}
	_, err = plan.Run(context.Background())
	if !errors.Is(err, ErrDiffers) || !strings.Contains(err.Error(), "reversed.yaml") {
		t.Errorf("got %v", err)
	}
}

func TestSummary(t *testing.T) {
	var times Times
	for _, ms := range []int{40, 10, 30, 20, 50} {
		times = append(times, record.Time{Elapsed: time.Duration(ms) * time.Millisecond, Used: time.Duration(2*ms) * time.Millisecond})
	}
	s := times.Summary()
	if s.Runs != 5 || s.Min != 10*time.Millisecond || s.Median != 30*time.Millisecond || s.Used != 60*time.Millisecond || s.Spread < 0.66 || s.Spread > 0.67 {
		t.Errorf("got %+v", s)
	}
}

func TestPlace(t *testing.T) {
	h := newHost([]int{0, 1, 2, 3}, func(c int) int { return c / 2 * 2 }) // two cores of two threads
	if !slices.Equal(h.CPUs, []int{0, 2, 1, 3}) || h.Cores != 2 {
		t.Fatalf("got %+v", h)
	}
	for n, want := range map[int]struct {
		cpus   []int
		enough bool
	}{2: {[]int{0, 2}, true}, 3: {[]int{0, 2, 1}, false}, 5: {[]int{-1, -1, -1, -1, -1}, false}} {
		if cpus, _, enough := h.Place(n); !slices.Equal(cpus, want.cpus) || enough != want.enough {
			t.Errorf("%d threads: got %v %v, want %v", n, cpus, enough, want)
		}
	}
}
