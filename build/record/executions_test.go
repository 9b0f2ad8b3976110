package record

// This file holds the executions of a bundle to the events of the same program, metered in
// each block, and reads them as they were.

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/probe"
	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/profile"
	"pathspan/testdata/programs"
)

// sameExecutions compares all but how means of works are rounded.
func sameExecutions(t testing.TB, what string, got, want *profile.Executions) {
	t.Helper()
	if len(got.Entries) != len(want.Entries) || got.Grid != want.Grid || got.Depth != want.Depth {
		t.Errorf("%s: %d entries (grid %d, depth %d), want %d (%d, %d)", what, len(got.Entries), got.Grid, got.Depth, len(want.Entries), want.Grid, want.Depth)
		return
	}
	g, w := totals(got), totals(want)
	if !maps.Equal(g, w) {
		t.Errorf("%s: executions add up to %v, want %v", what, g, w)
	}
}

// totals adds up what executions did: by construct and section the work of each kind, and
// how often what was executed there.
func totals(x *profile.Executions) map[string]uint64 {
	out := map[string]uint64{}
	for _, r := range x.Roots {
		e := &x.Entries[r.Entry]
		out[fmt.Sprintf("root %d.%d", e.Region, e.Construct)] += r.Count
	}
	for i := range x.Entries {
		e := &x.Entries[i]
		out[fmt.Sprintf("%d.%d", e.Region, e.Construct)] += e.Count
		for s, lane := range e.Lanes {
			for _, p := range lane {
				n := e.Count * p.Times
				for k, w := range p.Work {
					if sum := uint64(math.Round(w * float64(n))); sum > 0 {
						out[fmt.Sprintf("%d.%d/%d %d", e.Region, e.Construct, s, k)] += sum
					}
				}
				if p.Entry >= 0 {
					c := &x.Entries[p.Entry]
					out[fmt.Sprintf("%d.%d/%d holds %d.%d", e.Region, e.Construct, s, c.Region, c.Construct)] += n
				}
			}
		}
	}
	return out
}

// followed adds up the same from the events of a program.
type followed struct {
	out   map[string]uint64
	open  []*ir.Mark // sections under way, outermost first, and nil for regions in no section
	sizes func(region, construct int) int
}

func (f *followed) event(mark *ir.Mark, work []uint64) {
	for i := len(f.open) - 1; i >= 0; i-- {
		if m := f.open[i]; m != nil {
			for k, n := range work {
				if n > 0 {
					f.out[fmt.Sprintf("%d.%d/%d %d", m.Region, m.Construct, m.Section, k)] += n
				}
			}
			break
		}
	}
	if mark == nil {
		return
	}
	top := len(f.open) - 1
	switch mark.Kind {
	case ir.RegionBegin:
		f.open = append(f.open, nil)
	case ir.RegionEnd:
		f.open = f.open[:top]
	case ir.SectionBegin:
		f.open[top] = mark
	case ir.SectionEnd:
		f.open[top] = nil
		if mark.Section+1 < f.sizes(mark.Region, mark.Construct) {
			return
		}
		name := fmt.Sprintf("%d.%d", mark.Region, mark.Construct)
		f.out[name]++
		for i := top - 1; i >= 0; i-- {
			if m := f.open[i]; m != nil {
				f.out[fmt.Sprintf("%d.%d/%d holds %s", m.Region, m.Construct, m.Section, name)]++
				return
			}
		}
		f.out["root "+name]++
	}
}

func TestExecutionsAreThoseOfEvents(t *testing.T) {
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	source := filepath.Join(t.TempDir(), "leaving.cc")
	if err := os.WriteFile(source, []byte(leaving), 0o644); err != nil {
		t.Fatal(err)
	}
	type run struct {
		name string
		opt  Options
		args programs.Run
	}
	runs := []run{{"nested sorting", Options{Sources: []string{filepath.Join(testdata, "bench/own/nested_regions.c")}, Level: "2"}, programs.Run{Args: []string{"small"}}}}
	for _, p := range list {
		switch p.Name {
		case "openmp/nested", "openmp/recursive_region", "openmp/loop_and_branch", "openmp/objects", "mixer", "dijkstra", "strsearch":
			for _, level := range []string{"0", "2"} {
				runs = append(runs, run{p.Name + " -O" + level, optionsOf(p, level), p.Small()})
			}
		}
	}
	for _, r := range runs {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			rec := &Recorder{Toolchain: tc, Dir: t.TempDir()}
			built, err := rec.Build(ctx, r.opt)
			if err != nil {
				t.Fatal(err)
			}
			bundle, _, err := rec.Run(ctx, built, r.args.Args, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			if got, want := totals(bundle.Executions), eventTotals(t, rec, built, r.args.Args); !maps.Equal(got, want) {
				t.Errorf("executions add up to %v, events to %v", got, want)
			}
		})
	}
}

// eventTotals adds up what the events of a program say that is metered and followed.
func eventTotals(t *testing.T, rec *Recorder, built *Built, args []string) map[string]uint64 {
	t.Helper()
	ctx := t.Context()
	meters := built.Instr.Work.Meters(built.Program, false)
	exe, err := rec.Metered(ctx, built, meters)
	if err != nil {
		t.Fatal(err)
	}
	f := &followed{out: map[string]uint64{}, sizes: func(region, construct int) int {
		return len(built.Program.Regions[region].Constructs[construct].Sections)
	}}
	_, err = rec.Follow(ctx, built, exe, args, Streams{}, func(events io.Reader) error {
		words := make([]byte, 8*(1+meters.Count))
		for {
			if _, err := io.ReadFull(events, words); err != nil {
				return err
			}
			event := binary.LittleEndian.Uint64(words)
			work := make([]uint64, meters.Count)
			for k := range work {
				work[k] = binary.LittleEndian.Uint64(words[8+8*k:])
			}
			f.event(probe.MarkOf(event), work)
			if event>>56 == probe.StreamEnd {
				return nil
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return f.out
}

// goingBy executes loops so often that most of their executions go by without a call of the
// library: alike, with as many iterations as the round says, with other work in each round, in
// turns, in a region that stays, and with what is not expected once they go by: a lock, a
// region, a jump, and the end of the program.
const goingBy = `
#include <math.h>
#include <setjmp.h>
#include <stdlib.h>
#define N 200
static double a[N], b[N];
static int x[N];
static long s;
static jmp_buf back;
static __attribute__((noinline)) void inner(int n)
{
	#pragma omp parallel for
	for (int i = 0; i < n; i++) b[i] += sqrt(a[i]);
}
static __attribute__((noinline)) int step(int v) { for (int k = v & 3; k > 0; k--) v = v * 5 + k; return v; }
/* Loops whose function keeps all that they do, behind work of nobody, which meters hold then. */
static __attribute__((noinline)) void kept(int r)
{
	s += step(r);
	#pragma omp parallel for
	for (int i = 0; i < N; i++) a[i] += 0.5 * i;
	s += step(r + 1);
	#pragma omp parallel for reduction(+ : s)
	for (int i = 0; i < N; i++) if ((x[i] ^ (r & 64)) & 512) s += i; else s ^= x[i] * 3;
	s += step(r + 2);
}
int main(int argc, char **argv)
{
	volatile int rounds = argc > 1 ? atoi(argv[1]) : 9000, last = rounds;
	for (int i = 0; i < N; i++) { a[i] = i; x[i] = i * 7919 & 1023; }
	for (volatile int r = 0; r < rounds; r++) {
		kept(r);
		#pragma omp parallel for
		for (int i = 0; i < N; i++) b[i] += 2.5 * a[i];
		#pragma omp parallel for schedule(dynamic, 4) reduction(+ : s)
		for (int i = 0; i < 20 + r % 3; i++) s += x[i] & 64 ? x[i] : -3;
		#pragma omp parallel for schedule(static, 8) reduction(+ : s)
		for (int i = 0; i < N; i++) s += step(x[i] + r);
		#pragma omp parallel
		{
			#pragma omp for
			for (int i = 0; i < N; i++) b[i] *= 0.5;
			#pragma omp for reduction(+ : s)
			for (int i = 0; i < N; i++) if ((x[i] ^ i) & 8) s += i;
		}
		if (setjmp(back)) continue;
		#pragma omp parallel for
		for (int i = 0; i < 30; i++) {
			x[i] = x[i] & 256 ? x[i] - 1 : x[i] + 256;
			if (i == 11 && r == 7000) inner(50);
			if (i == 12 && r % 1999 == 1998) {
				#pragma omp critical
				s += i;
			}
			if (i == 13 && r == 8000) longjmp(back, 1);
			if (i == 14 && r == last - 1) exit(s & 1);
		}
	}
	#pragma omp parallel
	for (int r = 0; r < rounds; r++) {
		#pragma omp for
		for (int i = 0; i < N; i++) b[i] += a[i];
		#pragma omp for reduction(+ : s)
		for (int i = 0; i < N; i++) if (x[i] & 8) s += i;
	}
	return s == 1;
}`

// TestLoopsThatGoByAreThoseOfEvents: work and executions are exact whatever was told of.
func TestLoopsThatGoByAreThoseOfEvents(t *testing.T) {
	t.Parallel()
	for what, text := range map[string]string{
		"to its end": strings.Replace(strings.Replace(goingBy, "longjmp(back, 1)", "s++", 1), "exit(s & 1)", "s++", 1),
		"jumps":      strings.Replace(goingBy, "exit(s & 1)", "s++", 1),
		"exits":      strings.Replace(goingBy, "longjmp(back, 1)", "s++", 1),
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			r, built := buildC(t, "2", text)
			bundle, _, err := r.Run(t.Context(), built, nil, Streams{})
			if err != nil {
				t.Fatal(err)
			}
			got, want := totals(bundle.Executions), eventTotals(t, r, built, nil)
			// What was left is an execution as well, of which no event tells the end. The
			// second lane of a loop is its iterations, and what blocks of the first end with
			// is no event.
			for _, m := range []map[string]uint64{got, want} {
				maps.DeleteFunc(m, func(name string, _ uint64) bool {
					return what != "to its end" && !strings.Contains(name, "/") || strings.Contains(name, "/1 ") || strings.Contains(name, "holds")
				})
			}
			lock := len(built.Program.Regions) + 1
			for k := range built.Instr.Work.Kinds { // events know no locks
				under := fmt.Sprintf("%d.0/0 %d", lock, k)
				if got[under] > 0 {
					got[fmt.Sprintf("7.0/0 %d", k)] += got[under]
					delete(got, under)
				}
			}
			maps.DeleteFunc(got, func(name string, _ uint64) bool { return !strings.Contains(name, "/") && want[name] == 0 })
			if len(want) < 14 || !maps.Equal(got, want) {
				t.Errorf("executions add up to %v, events to %v", got, want)
			}
		})
	}
}
