package profile

// This file tests that what would break a reader is refused.

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/pathprof"
)

// nested reads a bundle of a program with loops, regions, executions and recursion.
func nested(t testing.TB) *Bundle {
	t.Helper()
	b, err := ReadFile(filepath.Join("..", "cmd", "pathspan", "testdata", "nested.pspan"))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// looping returns a function that ran and has loops, with a path that has several steps.
func looping(t testing.TB, b *Bundle) (*FuncProfile, *Path) {
	t.Helper()
	for _, f := range b.Funcs {
		if f != nil && len(f.Levels) > 1 {
			for i := range f.Levels[1].Paths {
				if p := &f.Levels[1].Paths[i]; len(p.Steps) > 1 && p.End == pathprof.EndIteration {
					return f, p
				}
			}
		}
	}
	t.Fatal("no function has a loop")
	return nil, nil
}

func TestForgedBundles(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(b *Bundle, f *FuncProfile, p *Path)
		says   string
	}{
		{"a level too many", func(b *Bundle, f *FuncProfile, p *Path) {
			f.Levels = append(f.Levels, LevelProfile{Loop: len(f.Levels) - 1})
		}, "loops and a profile of"},
		{"a level too few", func(b *Bundle, f *FuncProfile, p *Path) { f.Levels = f.Levels[:len(f.Levels)-1] }, "loops and a profile of"},
		{"no levels", func(b *Bundle, f *FuncProfile, p *Path) { f.Levels = nil }, "loops and a profile of 0 levels"},
		{"levels in another order", func(b *Bundle, f *FuncProfile, p *Path) { f.Levels[0].Loop = 0 }, "level 0: it is that of loop 0"},
		{"profiles in another order", func(b *Bundle, f *FuncProfile, p *Path) { f.Func++ }, "stands in its place"},
		{"profiles of others", func(b *Bundle, f *FuncProfile, p *Path) { b.Funcs = b.Funcs[1:] }, "functions for a program of"},
		{"a path without steps", func(b *Bundle, f *FuncProfile, p *Path) { p.Steps = nil }, "0 steps"},
		{"a path never taken", func(b *Bundle, f *FuncProfile, p *Path) { p.Count = 0 }, "taken 0 times"},
		{"a block out of range", func(b *Bundle, f *FuncProfile, p *Path) { p.Steps[1] = math.MaxInt32 }, "is not in the level"},
		{"a loop out of range", func(b *Bundle, f *FuncProfile, p *Path) { p.Steps[1] = math.MinInt32 }, "is not in the level"},
		{"a block of another level", func(b *Bundle, f *FuncProfile, p *Path) { p.Steps[1] = 0 }, "is not in the level"},
		{"the level's own loop", func(b *Bundle, f *FuncProfile, p *Path) { p.Steps[1] = pathprof.LoopStep(0) }, "is not in the level"},
		{"a step that does not follow", func(b *Bundle, f *FuncProfile, p *Path) { p.Steps = append(p.Steps, p.Steps[0]) }, "does not follow"},
		{"an end of another kind", func(b *Bundle, f *FuncProfile, p *Path) { p.End = pathprof.EndFunction }, "does not end as it says"},
		{"an unknown end", func(b *Bundle, f *FuncProfile, p *Path) { p.End = 77 }, "does not end as it says"},
		{"an end without an edge", func(b *Bundle, f *FuncProfile, p *Path) { p.Edge = 5 }, "does not end as it says"},
		{"an edge of a path under way", func(b *Bundle, f *FuncProfile, p *Path) { p.End = pathprof.EndIncomplete }, "does not end as it says"},
		{"paths out of order", func(b *Bundle, f *FuncProfile, p *Path) {
			l := &f.Levels[1]
			l.Paths = append(l.Paths, l.Paths[0])
		}, "out of order, or twice"},
		{"counts beyond all sums", func(b *Bundle, f *FuncProfile, p *Path) { p.Count = math.MaxUint64 }, "more than 2^63"},
		{"a cut that does not exist", func(b *Bundle, f *FuncProfile, p *Path) { f.Levels[0].Cuts = []int{1 << 20} }, "does not exist"},
		{"cuts out of order", func(b *Bundle, f *FuncProfile, p *Path) { f.Levels[0].Cuts = []int{2, 1} }, "out of order"},
		{"an entry that is jumped to", func(b *Bundle, f *FuncProfile, p *Path) {
			b.Program.Funcs[f.Func].Blocks[1].Succs = []int{0}
		}, "not counting the entry"},
		{"a successor out of range", func(b *Bundle, f *FuncProfile, p *Path) {
			b.Program.Funcs[f.Func].Blocks[1].Succs = []int{1 << 20}
		}, "leads to block"},
		{"a function in no file", func(b *Bundle, f *FuncProfile, p *Path) { b.Program.Funcs[f.Func].Loc.File = 99 }, "a place that does not exist"},
		{"a region at no line", func(b *Bundle, f *FuncProfile, p *Path) { b.Program.Regions[0].Line = -1 }, "is at line -1"},
		{"a region of -1 threads", func(b *Bundle, f *FuncProfile, p *Path) { b.Program.Regions[0].NumThreads = -1 }, "of -1 threads"},
		{"a construct without sections", func(b *Bundle, f *FuncProfile, p *Path) { b.Program.Regions[0].Constructs[0].Sections = nil }, "has 0 sections"},
		{"a target of no call", func(b *Bundle, f *FuncProfile, p *Path) {
			b.Targets = []CallTarget{{Func: f.Func, Instr: len(b.Program.Funcs[f.Func].Blocks[0].Instrs) - 1, Target: -1, Count: 1}}
		}, "which is no indirect call"},
		{"a target out of range", func(b *Bundle, f *FuncProfile, p *Path) {
			b.Targets = []CallTarget{{Func: f.Func, Target: 1 << 20, Count: 1}}
		}, "refers to function"},
		{"a call out of range", func(b *Bundle, f *FuncProfile, p *Path) {
			b.Targets = []CallTarget{{Func: f.Func, Instr: 1 << 20, Target: 1, Count: 1}}
		}, "refers to instruction"},
		{"a target twice", func(b *Bundle, f *FuncProfile, p *Path) {
			in := &b.Program.Funcs[f.Func].Blocks[0].Instrs[0]
			in.Call = &ir.Call{Callee: -1, Indirect: true}
			b.Targets = []CallTarget{{Func: f.Func, Target: 1, Count: 1}, {Func: f.Func, Target: 1, Count: 1}}
		}, "out of order, or twice"},
	} {
		b := nested(t)
		f, p := looping(t, b)
		c.change(b, f, p)
		err := b.Check()
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.what, err, c.says)
		}
		var data bytes.Buffer
		if err := b.Write(&data); err != nil {
			t.Fatal(err)
		}
		// Profiles stand at their functions in a file.
		if _, err := Read(data.Bytes()); err == nil && c.what != "profiles of others" {
			t.Errorf("%s: it is read", c.what)
		}
	}
}

// deepNest is a bundle of one function whose loops nest so deep, and leave all at once.
func deepNest(depth int) *Bundle {
	f := &ir.Func{Name: "main", Loc: ir.Loc{File: -1}}
	add := func(succs ...int) {
		f.Blocks = append(f.Blocks, &ir.Block{Index: len(f.Blocks), Name: fmt.Sprint("b", len(f.Blocks)), Succs: succs,
			Instrs: []ir.Instr{{Op: "br", Loc: ir.Loc{File: -1}}}})
	}
	exit := 2*depth + 1
	for i := range depth + 1 { // the entry, and a header for each loop
		add(i + 1)
	}
	for i := range depth { // a latch for each loop, from the inmost on
		add(depth-i, depth+2+i, exit)
	}
	add()
	return &Bundle{Program: &ir.Program{Funcs: []*ir.Func{f}}, Funcs: make([]*FuncProfile, 1)}
}

func TestNestingIsBounded(t *testing.T) {
	if err := deepNest(500).Check(); err != nil {
		t.Error(err)
	}
	if err := deepNest(100_000).Check(); !errors.Is(err, errNesting) {
		t.Error(err)
	}
}
