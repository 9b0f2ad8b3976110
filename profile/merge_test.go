package profile

// This file tests merging: counts add up, and programs that differ are refused with
// the reason.

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
)

func TestMergeAdds(t *testing.T) {
	for seed := range 30 {
		a, b := randomBundle(int64(seed), 1), randomBundle(int64(seed), 2)
		a.Funcs[0].Levels[0].MaxTrips, b.Funcs[0].Levels[0].MaxTrips = 3, 9
		b.Notes = append(b.Notes, "another")
		sum, err := Merge(a, b)
		if err != nil {
			t.Fatal(err)
		}
		for fn := range a.Funcs {
			if a.Funcs[fn] == nil {
				if sum.Funcs[fn] != nil {
					t.Errorf("seed %d: function %d never ran and has a profile", seed, fn)
				}
				continue
			}
			n := len(a.Program.Funcs[fn].Blocks)
			x, y, z := a.Funcs[fn].BlockCounts(n), b.Funcs[fn].BlockCounts(n), sum.Funcs[fn].BlockCounts(n)
			for i := range z {
				if z[i] != x[i]+y[i] {
					t.Fatalf("seed %d: function %d block %d: %d + %d = %d", seed, fn, i, x[i], y[i], z[i])
				}
			}
			for level := range sum.Funcs[fn].Levels {
				l := &sum.Funcs[fn].Levels[level]
				for i := 1; i < len(l.Paths); i++ {
					if comparePaths(l.Paths[i-1], l.Paths[i]) >= 0 {
						t.Fatalf("seed %d: paths out of order or not joined", seed)
					}
				}
			}
		}
		if sum.Funcs[0].Levels[0].MaxTrips != 9 {
			t.Errorf("maximum is %d, want 9", sum.Funcs[0].Levels[0].MaxTrips)
		}
		if sum.Targets[0].Count != 6 || sum.Targets[1].Count != 8 || len(sum.Targets) != 2 {
			t.Errorf("targets %v", sum.Targets)
		}
		if len(sum.Provenance.Runs) != 2 || len(sum.Notes) != 2 {
			t.Errorf("%d runs, notes %q", len(sum.Provenance.Runs), sum.Notes)
		}
		// Neither operand has changed, and the order does not matter for counts.
		if fresh := randomBundle(int64(seed), 1); !reflect.DeepEqual(a.Funcs[1], fresh.Funcs[1]) {
			t.Errorf("seed %d: merging changed its operand", seed)
		}
		other, err := Merge(b, a)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(other.Funcs, sum.Funcs) {
			t.Errorf("seed %d: the order of merging changes the counts", seed)
		}
	}
}

// TestMergeListsRuns merges a bundle with itself again and again: its list of runs stays small,
// the runs that it leaves out are counted, and one that was stopped in a section stays.
func TestMergeListsRuns(t *testing.T) {
	b := randomBundle(1, 1)
	b.Notes = nil
	b.Provenance.Runs = []Run{{Counted: 1}, {Counted: 2}, {Counted: 3}}
	stopped := randomBundle(1, 1)
	stopped.Provenance.Runs = []Run{{Signal: 15, Inside: &ir.Mark{Kind: ir.SectionBegin}}}
	var err error
	for range 20 {
		if b, err = Merge(b, b); err != nil {
			t.Fatal(err)
		}
	}
	if len(b.Provenance.Runs) != mostRuns || !slices.Equal(b.Notes, []string{fmt.Sprintf(moreRuns, 3<<20-mostRuns)}) {
		t.Errorf("%d runs are listed, and the notes are %q", len(b.Provenance.Runs), b.Notes)
	}
	all := &Bundle{Provenance: Provenance{Runs: slices.Concat(b.Provenance.Runs, stopped.Provenance.Runs)}}
	all.listRuns(7)
	if len(all.Provenance.Runs) != mostRuns || all.Provenance.Runs[0].Inside == nil || !slices.Equal(all.Notes, []string{fmt.Sprintf(moreRuns, 8)}) {
		t.Errorf("the first of %d runs is %+v, and the notes are %q", len(all.Provenance.Runs), all.Provenance.Runs[0], all.Notes)
	}
}

func TestMergeOfOneIsItself(t *testing.T) {
	a := randomBundle(5, 1)
	got, err := Merge(a)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, randomBundle(5, 1)) {
		t.Error("it changed")
	}
	if _, err := Merge(); err == nil {
		t.Error("merging nothing is no error")
	}
}

func TestMergeRefusesOtherPrograms(t *testing.T) {
	for says, change := range map[string]func(b *Bundle){
		`compiled by "clang 14" and by "clang 19"`: func(b *Bundle) { b.Provenance.Clang = "clang 19" },
		"for x86_64-pc-linux-gnu and for mips":     func(b *Bundle) { b.Program.Triple = "mips" },
		"-O2 and with -O0":                         func(b *Bundle) { b.Provenance.OptLevel = "-O0" },
		"-DX=2":                                    func(b *Bundle) { b.Provenance.Flags = []string{"-DX=2"} },
		"1 sources and 2 sources":                  func(b *Bundle) { b.Provenance.Sources = append(b.Provenance.Sources, Source{Name: "c.c"}) },
		"source a.c has other content":             func(b *Bundle) { b.Provenance.Sources[0].SHA256[0]++ },
		"function g stands in the place of f1":     func(b *Bundle) { b.Program.Funcs[1].Name = "g" },
		"function f2 is in one of them only":       func(b *Bundle) { b.Program.Funcs = b.Program.Funcs[:2] },
		"a header changed":                         func(b *Bundle) { b.Program.Funcs[0].Blocks[1].Instrs[0].Op = "add" },
	} {
		b := randomBundle(5, 2)
		b.Program.DataLayout = "e-p:16:16" // whatever else differs, the programs do
		change(b)
		_, err := Merge(randomBundle(5, 1), b)
		if err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, says)
		}
	}
	b := randomBundle(5, 2)
	b.Funcs[0].Levels[0].StaticPaths++
	if _, err := Merge(randomBundle(5, 1), b); err == nil || !strings.Contains(err.Error(), "function f0: level 0 is numbered in two ways") {
		t.Errorf("another numbering gives %v", err)
	}
}

// Counts that would wrap are refused, wherever they add up.
func TestMergeOfTooMany(t *testing.T) {
	for what, change := range map[string]func(b *Bundle){
		"one path":      func(b *Bundle) { b.Funcs[0].Levels[0].Paths[0].Count = 1 << 62 },
		"a call target": func(b *Bundle) { b.Targets[0].Count = 1 << 62 },
		"executions": func(b *Bundle) {
			b.Executions = oneWay(1<<62, 1, 2)
			b.Executions.Vectors = make([][][]uint32, len(b.Funcs))
		},
		"their work": func(b *Bundle) {
			b.Executions = oneWay(1<<40, 1<<22, 2)
			b.Executions.Vectors = make([][][]uint32, len(b.Funcs))
		},
	} {
		b := randomBundle(5, 1)
		change(b)
		if err := b.Check(); err != nil {
			t.Fatal(what, err)
		}
		if _, err := Merge(b, b); !errors.Is(err, ErrTooMany) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: twice gives %v", what, err)
		}
		if _, err := Merge(b, b, b, b, b); !errors.Is(err, ErrTooMany) {
			t.Errorf("%s: five times, which wraps twice, gives %v", what, err)
		}
	}
	b := randomBundle(5, 1)
	b.Funcs[0].Levels[0].Paths[0].Count = 1<<63 - 1 // each fits, their sum does not
	if err := b.Check(); !errors.Is(err, ErrTooMany) {
		t.Errorf("a sum beyond the bound gives %v", err)
	}
}

// TestCells compares the grid with its description: linear up to its number of cells,
// then so many to a factor of two, each holding an interval.
func TestCells(t *testing.T) {
	for _, grid := range []uint64{1, 2, 8, 32} {
		last := uint64(0)
		for x := uint64(0); x < 5000; x++ {
			if c := cell(x, grid); c < last || x < grid && c != x {
				t.Fatalf("grid %d: %d is in cell %d behind %d", grid, x, c, last)
			} else {
				last = c
			}
		}
		for _, x := range []uint64{1 << 40, 1<<63 - 1, 1 << 63, math.MaxUint64} {
			if grid > 1 && cell(x, grid) < cell(x/2, grid)+grid-1 {
				t.Errorf("grid %d: %d and half of it are in cells %d and %d", grid, x, cell(x, grid), cell(x/2, grid))
			}
		}
	}
	for _, c := range [][3]uint64{{5, 32, 5}, {32, 32, 32 + 5*32}, {33, 32, 32 + 5*32 + 1}, {48, 32, 32 + 5*32 + 16}, {1 << 20, 1, 21}, {math.MaxUint64, 1, 64}} {
		if got := cell(c[0], c[1]); got != c[2] {
			t.Errorf("cell(%d, %d) = %d, want %d", c[0], c[1], got, c[2])
		}
	}
}
