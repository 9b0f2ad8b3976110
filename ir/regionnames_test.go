package ir

// This file tests the names of regions.

import (
	"fmt"
	"slices"
	"testing"
)

func regionAt(file, function string, line, col int) Region {
	return Region{File: file, Function: function, Line: line, Col: col, Constructs: []Construct{{Sections: make([]Section, 1)}, {Sections: make([]Section, 2)}}}
}

func regionNames(regions []Region) []string {
	var all []string
	for i := range regions {
		all = append(all, regions[i].Name)
	}
	return all
}

func TestNameRegions(t *testing.T) {
	for _, c := range []struct {
		what    string
		regions []Region
		origins []Origin
		want    []string
	}{
		{"positions", []Region{regionAt("a.c", "f", 3, 1), regionAt("a.c", "f", 9, 1), regionAt("a.c", "g", 20, 1)}, nil,
			[]string{"a.c:f#1", "a.c:f#2", "a.c:g#1"}},
		{"a macro", []Region{regionAt("a.c", "f", 3, 5), regionAt("a.c", "f", 3, 5), regionAt("a.c", "f", 3, 9)},
			[]Origin{{Symbol: "f"}, {Symbol: "f"}, {Symbol: "f"}}, []string{"a.c:f#1", "a.c:f#2", "a.c:f#3"}},
		{"a macro in a template", []Region{regionAt("a.cc", "f", 3, 5), regionAt("a.cc", "f", 3, 5), regionAt("a.cc", "f", 3, 5), regionAt("a.cc", "f", 3, 5)},
			[]Origin{{Symbol: "_1", Instance: "f<int>"}, {Symbol: "_1", Instance: "f<int>"}, {Symbol: "_2", Instance: "f<char>"}, {Symbol: "_2", Instance: "f<char>"}},
			[]string{"a.cc:f<int>#1", "a.cc:f<int>#2", "a.cc:f<char>#1", "a.cc:f<char>#2"}},
		{"folders", []Region{regionAt("util.c", "f", 3, 1), regionAt("util.c", "f", 4, 1), regionAt("x.c", "f", 1, 1)},
			[]Origin{{Path: "/p/a/util.c"}, {Path: "/p/b/util.c"}, {Path: "/p/b/x.c"}}, []string{"a/util.c:f#1", "b/util.c:f#1", "x.c:f#1"}},
		{"paths of one file", []Region{regionAt("inc/h.h", "f", 3, 1), regionAt("../inc/h.h", "f", 9, 1)},
			[]Origin{{Path: "/p/inc/h.h"}, {Path: "/p/src/../inc/h.h"}}, []string{"h.h:f#1", "h.h:f#2"}},
		{"a path within another", []Region{regionAt("a/h.c", "f", 3, 1), regionAt("b/a/h.c", "f", 3, 1), regionAt("/a/h.c", "f", 3, 1)}, nil,
			[]string{"a/h.c:f#1", "b/a/h.c:f#1", "a/h.c:f@2#1"}},
		{"units", []Region{regionAt("h.h", "f", 3, 1), regionAt("h.h", "f", 3, 1), regionAt("h.h", "f", 7, 1)},
			[]Origin{{Symbol: "f", Unit: "/p/a.c"}, {Symbol: "f.1", Unit: "/p/b.c"}, {Symbol: "f.1", Unit: "/p/b.c"}},
			[]string{"h.h:f@a.c#1", "h.h:f@b.c#1", "h.h:f#2"}},
		{"instances and units", []Region{regionAt("h.h", "f", 3, 1), regionAt("h.h", "f", 3, 1), regionAt("h.h", "f", 3, 1)},
			[]Origin{{Symbol: "_1", Instance: "f<int>", Unit: "/a.cc"}, {Symbol: "_2", Instance: "f<int>", Unit: "/b.cc"}, {Symbol: "_3", Instance: "f<char>", Unit: "/b.cc"}},
			[]string{"h.h:f<int>@a.cc#1", "h.h:f<int>@b.cc#1", "h.h:f<char>#1"}},
		{"copies, in whatever order", []Region{regionAt("a.cc", "A::A", 3, 1), regionAt("a.cc", "A::A", 3, 1)},
			[]Origin{{Symbol: "_ZN1AC2Ev", Instance: "A::A"}, {Symbol: "_ZN1AC1Ev", Instance: "A::A"}}, []string{"a.cc:A::A@2#1", "a.cc:A::A#1"}},
		{"no debug information", []Region{regionAt("", "f", 0, 0), regionAt("", "f", 0, 0)}, []Origin{{Symbol: "f"}, {Symbol: "f"}}, []string{"unknown:f#1", "unknown:f#2"}},
		{"Windows", []Region{regionAt(`C:\x\a.c`, "f", 2, 0)}, nil, []string{"a.c:f#1"}},
		{"none", nil, nil, nil},
	} {
		NameRegions(c.regions, c.origins)
		if got := regionNames(c.regions); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		for i := range c.regions {
			n := 0
			for _, construct := range c.regions[i].Constructs {
				for _, s := range construct.Sections {
					if n++; s.Name != fmt.Sprintf("%s/%d", c.regions[i].Name, n) {
						t.Errorf("%s: section %d is %s", c.what, n, s.Name)
					}
				}
			}
		}
	}
}

func TestLabel(t *testing.T) {
	regions := []Region{regionAt("src/a.c", "f", 3, 1), regionAt("src/a.c", "f", 3, 1), regionAt("", "g", 0, 0)}
	NameRegions(regions, nil)
	if got := regionNames(regions); !slices.Equal(got, []string{"a.c:f#1", "a.c:f#2", "unknown:g#1"}) {
		t.Errorf("names %q", got)
	}
	if a, b := regions[0].Label(), regions[2].Label(); a != "a.c:f#1 (line 3)" || b != "unknown:g#1" {
		t.Errorf("labels %q, %q", a, b)
	}
}
