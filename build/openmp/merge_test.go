package openmp

// This file tests the common numbering of the regions of several modules.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// regionAt makes a region with one section, as Lower describes it.
func regionAt(file, function string, line, nth int) ir.Region {
	name := fmt.Sprintf("%s:%s:%d", file, function, line)
	if nth > 1 {
		name += fmt.Sprintf("#%d", nth)
	}
	return ir.Region{Name: name, File: file, Function: function, Line: line, Col: 1,
		Constructs: []ir.Construct{{Line: line, Sections: []ir.Section{{Name: name + "/1", Line: line}}}}}
}

func TestMerge(t *testing.T) {
	// The second module's region of the header was dropped by the linker; its others stand
	// before the first's by their file, and share a line.
	parts := []*Result{
		{First: 0, Regions: []ir.Region{regionAt("h.h", "inlined", 3, 1), regionAt("z.c", "main", 9, 1)}, Notes: []string{"h.h:1: note", "z.c:2: note"}},
		{First: 2, Regions: []ir.Region{regionAt("a.c", "f", 5, 1), regionAt("a.c", "f", 5, 2), regionAt("h.h", "inlined", 3, 1)}, Notes: []string{"a.c:1: note", "h.h:1: note"}},
	}
	var body strings.Builder
	for _, number := range []int{1, 0, 3, 2} {
		for kind := ir.RegionBegin; kind <= ir.SectionEnd; kind++ {
			fmt.Fprintf(&body, "  %s\n", markText(kind, number, 0, 0))
		}
	}
	text := "define void @main() {\nentry:\n" + body.String() + "  ret void\n}\n\ndeclare void @" + ir.MarkerFunc + "(i32, i32, i32, i32)\n"
	m, err := asm.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	merged, err := Merge(m, parts)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, g := range merged.Regions {
		names = append(names, g.Constructs[0].Sections[0].Name)
	}
	if got, want := strings.Join(names, " "), "a.c:f#1/1 a.c:f#2/1 h.h:inlined#1/1 z.c:main#1/1"; got != want {
		t.Errorf("sections %s, want %s", got, want)
	}
	if got, want := strings.Join(merged.Notes, ", "), "h.h:1: note, z.c:2: note, a.c:1: note"; got != want {
		t.Errorf("notes %s, want %s", got, want)
	}
	found := marks(m)
	for i, want := range []int{3, 2, 1, 0} { // as the calls stand
		for k := range 4 {
			if got := found[4*i+k].mark; got.Region != want || got.Kind != ir.MarkKind(k+1) {
				t.Errorf("marker %d: %+v, want region %d, kind %d", 4*i+k, got, want, k+1)
			}
		}
	}
}
