package memory

// This file tests that data survives being kept, adds up, and is refused where it contradicts
// itself.

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"pathspan/ir"
)

func example() (*ir.Program, *Data) {
	block := &ir.Block{Instrs: []ir.Instr{{Op: "ret"}}}
	p := &ir.Program{Files: []string{"main.c"}, Funcs: []*ir.Func{{Name: "main", Blocks: []*ir.Block{block}}}, Locks: []ir.Lock{{Name: "critical"}},
		Regions: []ir.Region{{Constructs: []ir.Construct{{Sections: make([]ir.Section, 2)}}}}, Tasks: make([]ir.Task, 1)}
	lanes, _ := lanesOf(p)
	at := func(line int) ir.Loc { return ir.Loc{File: 0, Line: line} }
	one, two := Who{Lane: 2, Place: 0}, Who{Lane: 3, Guard: 1, Place: 1}
	return p, &Data{Lanes: lanes,
		Places:  []Place{{Loop: 0, Loc: at(3)}, {Loop: -1, Loc: at(5), Into: 2, Atomic: true}},
		Loops:   []Loop{{Parent: -1, Depth: 1, Lane: -1}},
		Objects: []Object{{Func: -1, Place: -1}, {Kind: Global, Name: "g", Func: -1, Place: -1, Size: 400}, {Kind: Heap, Path: 1, Size: 64, Made: 2, Lanes: []int{0, 3}}},
		Paths:   []Path{{Outer: -1, Func: -1}, {Loc: at(9)}},
		Guards:  []Guard{{Outer: -1, Lock: -1}, {Outer: 0, Lock: 3}},
		Foreign: []Foreign{{"strange", 3}},
		Flows:   []Flow{{1, Nobody, one, 8, 8}, {2, one, two, 100, 40}},
		Writes:  []Write{{2, one, 100}},
		Carried: []Carried{{Loop: 0, Lane: -1, From: one, To: two, Object: 1, Among: 1, Times: 2, Bytes: 8, Nearest: 3}, {Loop: -1, Lane: 2, Kind: AntiDependence, From: one, To: two, Object: 2, Among: 2, Times: 1, Bytes: 4}},
		Reuse:   []Reuse{{Lane: 2, First: true, From: -1, Lines: -1, Reads: 3}, {Lane: 3, From: -1, Lines: 24, Writes: 2, WriteBacks: -2}},
		Spans:   []Span{{0, 1, 20, 20}, {3, 2, 9, 5}},
		Shared:  []Shared{{Lane: 2, With: 3, Again: 4}, {Lane: 3, With: 3, Apart: 8, Fresh: 2, Again: 7}},
		Sets:    []Sets{{2, 0, 24, 5, 3}, {2, 3, 4, 5, 4}},
		Between: []Between{{2, 3, -1, 24, 5}, {2, 3, 0, 24, 60}},
		Fresh:   []Fresh{{2, 3, 1, 8, 7, 2, 1}},
		Taken:   []Taken{{Lane: 3, Threads: 2, Lines: 12, Reads: 5, Writes: 2, Outer: 3, Known: 9, Kept: 4}, {Lane: 3, Threads: 2, Chunk: 8, OthersChunk: true, Lines: 12, Known: 9, Kept: 4}},
		Turns:   []Turns{{3, 2, 0, 4, 7}, {3, 4, 16, 1, 9}},
	}
}

func TestDataIsKept(t *testing.T) {
	p, d := example()
	d.sorted()
	if err := d.Check(p); err != nil {
		t.Fatal(err)
	}
	back, err := FromWords(d.Words())
	if err != nil || !reflect.DeepEqual(back, d) {
		t.Errorf("%v: kept\n%+v, want\n%+v", err, back, d)
	}
}

func TestDataAddsUp(t *testing.T) {
	p, a := example()
	_, b := example()
	// The other run met other paths and locks, and made the object of a path of its own.
	b.Paths = append(b.Paths[:1:1], Path{Loc: ir.Loc{Line: 30}}, b.Paths[1])
	b.Guards = append(b.Guards[:1:1], Guard{0, 0}, Guard{1, 3}, Guard{0, 3})
	b.Objects[2].Path = 2
	b.Flows[1].To.Guard, b.Carried[0].To.Guard, b.Carried[1].To.Guard = 3, 3, 2
	sum, err := Merge(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if err := sum.Check(p); err != nil {
		t.Fatal(err)
	}
	if len(sum.Objects) != 3 || sum.Objects[2].Made != 4 || len(sum.Paths) != 3 || len(sum.Guards) != 4 {
		t.Errorf("objects %+v, paths %+v, guards %+v", sum.Objects, sum.Paths, sum.Guards)
	}
	if f := sum.Flows; len(f) != 2 || f[1].Bytes != 200 || f[1].Distinct != 80 || sum.Foreign[0].Calls != 6 {
		t.Errorf("flows %+v, foreign %+v", f, sum.Foreign)
	}
	if len(sum.Carried) != 3 { // under other locks it is another
		t.Errorf("carried %+v", sum.Carried)
	}
	b.Places[0].Loc.Line++
	if _, err := Merge(a, b); err == nil {
		t.Error("data of other places is added")
	}
}

// TestForgedDataIsRefused changes words at random: what is not refused is whole, and can be kept
// and added up.
func TestForgedDataIsRefused(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	refused := 0
	for range 20000 {
		p, d := example()
		w := d.Words()
		list := w.Lists[r.IntN(len(w.Lists))]
		list[r.IntN(len(list))] = []int64{-1, -2, 1, 4, 1000, 1 << 31, 1 << 62, -1 << 63}[r.IntN(8)]
		forged, err := FromWords(w)
		if err == nil {
			err = forged.Check(p)
		}
		if err != nil {
			refused++
			continue
		}
		if _, err := Merge(forged, forged); err != nil {
			t.Fatalf("%v of %+v", err, forged)
		}
	}
	if refused < 10000 {
		t.Errorf("%d of 20000 are refused", refused)
	}
}
