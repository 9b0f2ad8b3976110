package validate

// This file tests references whose runs are under mapping files.

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"pathspan/mapping"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
)

// All sections on one processor take as long as the sequential program; the rest of the rows, those of replay too,
// are of OpenMP's static schedule.
func TestFiguresUnderMappings(t *testing.T) {
	programs := shareSources(t)[:1]
	name := filepath.Join(t.TempDir(), "all.yaml")
	if err := os.WriteFile(name, []byte("schema: pathspan.mapping/1\nserial: cpu0\nregions:\n  even.c:main#1:\n    cpu0: [1, 2, 3]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	file, err := mapping.LoadMapping(name)
	if err != nil {
		t.Fatal(err)
	}
	figure := Figure{Program: "even", Level: "1", Processors: 1, Cycles: 1000, Source: "x", Where: "f"}
	static, mapped := figure, figure
	static.Processors, static.Cycles = 3, 500
	mapped.Processors, mapped.Cycles, mapped.Mapping, mapped.File = 3, 1050, "all.yaml", file
	v := &Validation{Programs: programs, Size: bench.Small, Levels: []string{"1"}, Platforms: sharePlatforms(1, 1), References: []Figure{figure, static, mapped}}
	if _, wrong := v.Check(programs); wrong != nil {
		t.Fatal(wrong)
	}
	res := validated(t, v)
	if len(res.Failures) > 0 {
		t.Fatal(res.Failures)
	}
	rows := map[string]int{}
	for i := range res.Ledger.Rows {
		r := &res.Ledger.Rows[i]
		if r.Technique != "eb" {
			continue
		}
		rows[r.Reference+" "+r.Mapping]++
		if one := r.Mapping == "all.yaml"; one != (math.Abs(r.Speedup-1) < 1e-9) || one && r.Processors != 3 || r.Reference == ledger.Replay && math.Abs(r.Error) > 1e-3 {
			t.Errorf("%s: speed-up %g, really %g", r.Key(), r.Speedup, r.ReferenceSpeedup)
		}
	}
	if len(rows) != 4 || rows["replay "] != 2 || rows["replay all.yaml"] != 1 || rows["x "] != 1 || rows["x all.yaml"] != 1 {
		t.Errorf("rows %v", rows)
	}
	addUp(t, res.Ledger)
	for _, w := range res.Ledger.Winners {
		if w.Technique == "eb" && (w.Pairs != 2 || w.Right != 2) {
			t.Errorf("got %+v", w)
		}
	}
	v.References[2].File, err = mapping.LoadMapping(other(t))
	if err != nil {
		t.Fatal(err)
	}
	if res := validated(t, v); len(res.Failures) != 1 {
		t.Errorf("a mapping of a region that there is not: %v", res.Failures)
	}
}

func other(t *testing.T) string {
	name := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(name, []byte("schema: pathspan.mapping/1\nregions:\n  odd.c:main#1:\n    cpu0: [1]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}
