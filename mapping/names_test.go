package mapping

// This file tests what regions and sections may be called.

import (
	"strings"
	"testing"

	"pathspan/ir"
)

// namedRegions is a program of functions with regions: one of several regions, one in two files of
// one name, the instances of a template, and a macro that makes two regions at one place.
func namedRegions() *ir.Program {
	at := func(file, function string, line int) ir.Region {
		return ir.Region{File: file, Function: function, Line: line, Col: 5, Constructs: []ir.Construct{{Sections: make([]ir.Section, 2)}}}
	}
	p := &ir.Program{Regions: []ir.Region{
		at("lib/util.c", "work", 7), at("src/app.c", "main", 10), at("src/app.c", "main", 20), at("src/app.c", "pair", 30), at("src/app.c", "pair", 30),
		at("src/util.c", "work", 7), at("sum.cc", "n::sum", 5), at("sum.cc", "n::sum", 5), at(`win\dows.c`, "run", 3),
	}}
	origins := make([]ir.Origin, len(p.Regions))
	origins[6] = ir.Origin{Symbol: "_ZN1n3sumIiEEvv", Instance: "n::sum<int>"}
	origins[7] = ir.Origin{Symbol: "_ZN1n3sumIdEEvv", Instance: "n::sum<double>"}
	ir.NameRegions(p.Regions, origins)
	return p
}

func TestFindRegion(t *testing.T) {
	p := namedRegions()
	for name, want := range map[string]int{
		"lib/util.c:work#1": 0, "src/util.c:work#1": 5, "lib/util.c:work:7": 0,
		"app.c:main#1": 1, "app.c:main#2": 2, "src/app.c:main#2": 2, "app.c:main:10": 1, "src/app.c:main:20": 2,
		"app.c:pair#2": 4, "app.c:pair:30#1": 3, "app.c:pair:30#2": 4,
		"sum.cc:n::sum<int>#1": 6, "sum.cc:n::sum<double>#1": 7, "sum.cc:n::sum<double>:5": 7,
		"windows.c:run#1": -1, "dows.c:run#1": 8, `win\dows.c:run:3`: 8,
	} {
		i, err := FindRegion(p, name)
		if err != nil && want >= 0 || err == nil && i != want {
			t.Errorf("%s: %d, %v; want %d", name, i, err, want)
		}
	}
	for i := range p.Regions {
		if got, err := FindRegion(p, p.Regions[i].Name); err != nil || got != i {
			t.Errorf("%s: %d, %v", p.Regions[i].Name, got, err)
		}
	}
}

func TestFindRegionErrors(t *testing.T) {
	p := namedRegions()
	for name, want := range map[string]string{
		"app.c:main#3":       `region "app.c:main#3" does not exist: app.c:main has app.c:main#1 (line 10), app.c:main#2 (line 20)`,
		"app.c:main#0":       `region "app.c:main#0" does not exist: app.c:main has app.c:main#1 (line 10), app.c:main#2 (line 20)`,
		"app.c:main:11":      `region "app.c:main:11" does not exist: app.c:main has app.c:main#1 (line 10), app.c:main#2 (line 20)`,
		"app.c:pair:30":      `region "app.c:pair:30" is one of 2: want app.c:pair#1 (line 30), app.c:pair#2 (line 30)`,
		"app.c:pair:30#3":    `region "app.c:pair:30#3" does not exist: app.c:pair has app.c:pair#1 (line 30), app.c:pair#2 (line 30)`,
		"util.c:work#1":      `region "util.c:work#1" is one of 2: want lib/util.c:work#1 (line 7), src/util.c:work#1 (line 7)`,
		"sum.cc:n::sum#1":    `region "sum.cc:n::sum#1" is one of 2: want sum.cc:n::sum<int>#1 (line 5), sum.cc:n::sum<double>#1 (line 5)`,
		"lib/app.c:main#1":   `does not exist: want `,
		"app.c:mian#1":       `does not exist: want "app.c:main#1" (there are `,
		"elsewhere.c:f#1":    `does not exist: want `,
		"":                   `region "" does not exist: want one of lib/util.c:work#1, `,
		"#1":                 `region "#1" does not exist: want `,
		":main#1":            `region ":main#1" does not exist: want `,
		"app.c:main#1/1":     `does not exist: want "app.c:main#1"`,
		"app.c:main#9999999": `app.c:main has app.c:main#1 (line 10), app.c:main#2 (line 20)`,
	} {
		if i, err := FindRegion(p, name); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %d, %v; want %s", name, i, err, want)
		}
	}
	if _, err := FindRegion(&ir.Program{}, "a.c:f#1"); err == nil || !strings.Contains(err.Error(), "no parallel regions") {
		t.Errorf("%v", err)
	}
}

func TestFindSection(t *testing.T) {
	p := namedRegions()
	for name, want := range map[string][2]int{
		"app.c:main#2/1": {2, 1}, "app.c:main:20/2": {2, 2}, "lib/util.c:work#1/2": {0, 2}, "app.c:pair:30#2/1": {4, 1},
	} {
		if r, n, err := FindSection(p, name); err != nil || [2]int{r, n} != want {
			t.Errorf("%s: %d, %d, %v; want %v", name, r, n, err, want)
		}
	}
	for name, want := range map[string]string{
		"app.c:main#2/3": "section 3 of region app.c:main#2 does not exist: want 1 to 2",
		"app.c:main#2/0": "section 0 of region app.c:main#2 does not exist: want 1 to 2",
		"app.c:main#2":   `section "app.c:main#2" does not exist: want a slash and a number behind it, 1 to 2`,
		"app.c:main#3/1": "app.c:main has app.c:main#1 (line 10), app.c:main#2 (line 20)",
		"nonsense":       "want a region, a slash and a number",
	} {
		if _, _, err := FindSection(p, name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %s", name, err, want)
		}
	}
}
