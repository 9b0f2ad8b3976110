package hostfit

// This file holds what is made of the cycles of single operations to a processor whose figures are known.

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/mapping"
	"pathspan/procmodels/fit"
	"pathspan/procmodels/pipeline"
)

// known is what repetitions take on a processor by hand: eight operations of each chain, sixteen of each stream.
var known = map[string]float64{
	"multiply": 24, "divide": 88, "divide_long": 104.2, "add_float": 16, "multiply_float": 24, "divide_float": 80, "divide_double": 104, "root": 176, // of a sum of 2 cycles

	"convert": 48,                                        // 3 there, 3 back
	"load":    32, "forward": 8, "forward_float": 8 * 12, // an addition of 1 and of 2 cycles in each
	"adds": 4.25, "multiplies": 8, "divides": 96, "divides_long": 128, "adds_float": 8, "multiplies_float": 8, "divides_float": 48, "divides_double": 64, "roots": 128,
	"loads": 5.3, "stores": 8, "foretold": 6, "chance": 16.5, "calls": 32,
}

func TestFiguresOfOperations(t *testing.T) {
	f := figuresOf(known)
	f.Issue = 4
	text := func(f pipeline.Figures) string {
		m, err := pipeline.OutOfOrder(f)
		if err != nil {
			t.Fatal(err)
		}
		return m.Figures()
	}
	want := "{issue: 4, window: 384, forward: 0, forward_float: 10, penalty: 20, units: {alu: 4, fadd: 2, fmul: 2, load: 3, mul: 2, store: 2}, " +
		"latency: {convert: 3, divide: 11, dividedouble: 13, dividefloat: 10, dividelong: 13, float: 2, load: 4, loadfloat: 6, multiply: 3, multiplyfloat: 3, root: 20}, " +
		"occupancy: {divide: 6, dividedouble: 4, dividefloat: 3, dividelong: 8, jump: 2, root: 8}}"
	if got := text(f); got != want {
		t.Errorf("figures %s, want %s", got, want)
	}
	for name, cycles := range known {
		changed := map[string]float64{}
		for k, v := range known {
			changed[k] = v
		}
		changed[name] = 3 * cycles
		if f := figuresOf(changed); fmt.Sprint(f) == fmt.Sprint(figuresOf(known)) {
			t.Errorf("%s, three times as slow, changes no figure", name)
		}
	}
	if len(known) != len(operations) {
		t.Errorf("%d operations are timed, %d are known", len(operations), len(known))
	}
	// A machine so noisy that operations seem to take nothing has figures that a model can have.
	text(figuresOf(map[string]float64{}))
}

// The width is the one of widths with which samples left out are nearest.
func TestWidthIsTheNearest(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	ctx := context.Background()
	r, err := Measure(ctx, Options{Toolchain: tc, Dir: t.TempDir(), Files: []string{"library"}, Rounds: 3, Seconds: 0.0005, Timer: &fakeTimer{runs: map[string]int{}}})
	if err != nil {
		t.Fatal(err)
	}
	r.Samples = r.Samples[:6] // of the first three kernels
	chosen, err := r.Fit(ctx, fit.Options{Ridge: -1}, false)
	if err != nil {
		t.Fatal(err)
	}
	least, at := 0.0, 0
	for _, width := range widths {
		figures := r.Figures
		figures.Issue = width
		opt := fit.Options{Ridge: -1}
		if opt.Scheme.Machine, err = pipeline.OutOfOrder(figures); err != nil {
			t.Fatal(err)
		}
		m, err := r.fit(ctx, opt)
		if err != nil {
			t.Fatal(err)
		}
		if at == 0 || m.Fit.Error.Mean < least {
			least, at = m.Fit.Error.Mean, width
		}
	}
	if got := chosen.Scheme.Machine.Width(); got != at || chosen.Fit.Error.Mean != least || !strings.Contains(chosen.Fit.Method, fmt.Sprintf("%d instructions a cycle", at)) {
		t.Errorf("%d instructions a cycle with an error of %v (%s), want %d with %v", got, chosen.Fit.Error.Mean, chosen.Fit.Method, at, least)
	}
}

// ladderTimer is a processor of 1 GHz: 4 cycles for what 32 KiB have, 14 and 50 behind, then 400.
type ladderTimer struct{}

func (ladderTimer) Time(_ context.Context, _ string, args ...string) (float64, error) {
	var size, loads int
	fmt.Sscanf(args[0], "wander:%d", &size)
	fmt.Sscan(args[1], &loads)
	each := 400e-9
	for _, c := range []struct {
		size int
		ns   float64
	}{{32 << 10, 4e-9}, {1 << 20, 14e-9}, {8 << 20, 50e-9}} {
		if size <= c.size {
			each = c.ns
			break
		}
	}
	return 1e-9*float64(size) + float64(loads)*each, nil
}

func TestLadder(t *testing.T) {
	cpus := t.TempDir()
	for i, c := range []string{"Data 1 32K 64 8 0", "Instruction 1 32K 64 8 0", "Unified 2 1024K 64 16 0", "Unified 3 8192K 64 16 0-1"} {
		dir := filepath.Join(cpus, "cpu0/cache", fmt.Sprintf("index%d", i))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for k, name := range []string{"type", "level", "size", "coherency_line_size", "ways_of_associativity", "shared_cpu_list"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Fields(c)[k]+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	opt := Options{Rounds: 1, Timer: ladderTimer{}, CPUs: cpus}
	var r Result
	var err error
	if r.Caches, r.Main, err = opt.ladder(context.Background(), "figures", 1e-9); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "host.yaml")
	if err := os.WriteFile(path, r.Platform("host", "generic", 2), 0o644); err != nil {
		t.Fatal(err)
	}
	pl, err := mapping.LoadPlatform(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := pl.Hierarchy.Of(0, 1000)
	if len(seen.Caches) != 3 || seen.Caches[1].Size != 1<<20 || !seen.Shared[2] || seen.Shared[1] || !seen.Buffered || fmt.Sprintf("%.1f", seen.Longer) != "[10.0 46.0 396.0]" {
		t.Errorf("a platform of %+v", seen)
	}
	if one := r.Platform("host", "generic", 1); bytes.Contains(one, []byte("shared")) {
		t.Error("one processor shares a cache")
	}
	none := Options{Rounds: 1, Timer: ladderTimer{}, CPUs: t.TempDir()}
	if r.Caches, r.Main, err = none.ladder(context.Background(), "figures", 1e-9); err != nil || r.Platform("host", "generic", 2) != nil {
		t.Errorf("a platform of a system that describes no cache: %v, %v", r.Caches, err)
	}
}
