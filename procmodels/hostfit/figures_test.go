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

	"pathspan/mapping"
	"pathspan/procmodels/pipeline"
)

// known is what repetitions take on a processor by hand: eight operations of each chain, sixteen of each stream.
var known = map[string]float64{
	"multiply": 24, "divide": 88, "divide_long": 104.2, "add_float": 16, "multiply_float": 24, "divide_float": 80, "divide_double": 104, "root": 176, // of a sum of 2 cycles

	"convert": 48,                                        // 3 there, 3 back
	"load":    32, "forward": 8, "forward_float": 8 * 12, // an addition of 1 and of 2 cycles in each
	"adds": 16.25, "multiplies": 8, "divides": 96, "divides_long": 128, "adds_float": 8, "multiplies_float": 8, "divides_float": 48, "divides_double": 64, "roots": 128,
	"converts": 16, "accesses": 4, "nothing": 16.25, "jumps": 17, "queue": 16.5, "window": 72, // of 104 at once
	"loads": 5.3, "stores": 8, "foretold": 6, "chance": 16.5, "calls": 32,
}

func TestFiguresOfOperations(t *testing.T) {
	f := figuresOf(known)
	text := func(f pipeline.Figures) string {
		m, err := pipeline.OutOfOrder(f)
		if err != nil {
			t.Fatal(err)
		}
		return m.Figures()
	}
	want := "{issue: 4, window: 384, forward: 0, forward_float: 10, penalty: 20, taken: 1, waiting: 45, units: {access: 4, alu: 4, fadd: 2, fconvert: 2, fmul: 2, load: 3, mul: 2, store: 2}, " +
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
