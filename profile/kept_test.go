package profile

// This file tests what is said of executions that a bundle does not keep, and of counts
// that cannot be added up.

import (
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/pathprof"
)

// oneWay are executions of the first construct that all went alike.
func oneWay(count uint64, work ...float64) *Executions {
	e := Execution{Count: count}
	for _, w := range work {
		e.Lanes = append(e.Lanes, []ExecutionPart{{Work: []float64{w}, Entry: -1, Times: 1}})
	}
	return &Executions{Kinds: []string{"add"}, Weights: []uint32{1}, Vectors: make([][][]uint32, 1), Entries: []Execution{e}, Roots: []ExecutionRoot{{0, count}}, Grid: finestGrid}
}

// twoSections is a program whose main runs a region of two sections, with a profile of n
// executions of which some are kept.
func twoSections(ran, kept uint64) *Bundle {
	mark := func(kind ir.MarkKind, section int) *ir.Mark { return &ir.Mark{Kind: kind, Section: section} }
	br := []ir.Instr{{Op: "br", Loc: ir.Loc{File: -1}}}
	f := &ir.Func{Name: "main", Source: "main", Loc: ir.Loc{File: -1}}
	for i, m := range []*ir.Mark{nil, mark(ir.RegionBegin, 0), mark(ir.SectionBegin, 0), mark(ir.SectionEnd, 0), mark(ir.SectionBegin, 1), mark(ir.SectionEnd, 1), mark(ir.RegionEnd, 0)} {
		f.Blocks = append(f.Blocks, &ir.Block{Index: i, Instrs: br, Succs: []int{i + 1}, Mark: m})
	}
	last := f.Blocks[len(f.Blocks)-1]
	last.Instrs, last.Succs = []ir.Instr{{Op: "ret", Loc: ir.Loc{File: -1}}}, nil
	b := &Bundle{Program: &ir.Program{Funcs: []*ir.Func{f}, Regions: []ir.Region{{Name: "r", Constructs: []ir.Construct{{Line: 3, Sections: []ir.Section{{Name: "r/1"}, {Name: "r/2"}}}}}}}}
	b.Funcs = []*FuncProfile{{Levels: []LevelProfile{{Loop: -1, Paths: []Path{{End: pathprof.EndFunction, Count: ran, Steps: []pathprof.Step{0, 1, 2, 3, 4, 5, 6}, Edge: -1}}}}}}
	if kept > 0 {
		b.Executions = oneWay(kept, 1, 2)
	}
	return b
}

func TestIncomplete(t *testing.T) {
	for _, c := range []struct {
		ran, kept uint64
		want      string // in the note, "" for none
	}{
		{7, 7, ""}, {7, 0, ""}, // none at all is another matter
		{7, 5, "keeps a part of the executions (it is merged with one of --paths-only, regions are nested too deep, or a signal ended the program in a region): 5 of the 7 of region r; EB (execution by execution) takes the others"},
		{7, 9, "keeps executions whose paths are lost (the program left functions without an end): 9 of region r, which has paths of 7; EB (execution by execution) counts those"},
	} {
		b := twoSections(c.ran, c.kept)
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		notes := b.KeptNotes()
		if len(notes) > 1 || (len(notes) == 1) != (c.want != "") || c.want != "" && !strings.Contains(notes[0], c.want) {
			t.Errorf("%d of %d: %q, want %q", c.kept, c.ran, notes, c.want)
		}
		if k := b.Incomplete(); c.want != "" && (len(k) != 1 || k[0] != Kept{0, 0, c.kept, c.ran}) {
			t.Errorf("%d of %d: %+v", c.kept, c.ran, k)
		}
	}
	// An execution that a signal ended is not kept.
	b := twoSections(7, 7)
	b.Funcs[0].Levels[0].Paths = append(b.Funcs[0].Levels[0].Paths, Path{End: pathprof.EndIncomplete, ID: 1, Count: 1, Steps: []pathprof.Step{0, 1, 2, 3, 4}, Edge: -1})
	if notes := b.KeptNotes(); len(notes) != 1 || !strings.Contains(notes[0], "or a signal ended the program in a region): 7 of the 8 of region r") {
		t.Errorf("%q", notes)
	}
}
