package estimate

// This file checks the registry of techniques.

import (
	"regexp"
	"slices"
	"testing"
)

func TestRegistryIsComplete(t *testing.T) {
	id, colour, dash := regexp.MustCompile(`^[a-z][a-z0-9-]*$`), regexp.MustCompile(`^#[0-9a-f]{6}$`), regexp.MustCompile(`^([0-9]+( [0-9]+)*)?$`)
	seen := map[any]string{}
	once := func(x *Entry, what any) {
		if other, ok := seen[what]; ok {
			t.Errorf("%s and %s have the same: %v", other, x.ID, what)
		}
		seen[what] = x.ID
	}
	type rank int
	type looks struct{ what, is string }
	for _, technique := range Techniques() {
		x := technique.Entry()
		if !id.MatchString(x.ID) || x.Title == "" || x.Name == "" || x.Words == "" {
			t.Errorf("technique %q lacks a name: %+v", x.ID, x)
		}
		once(x, x.ID)
		once(x, x.Title)
		once(x, x.Name)
		once(x, rank(x.Rank))
		if (x.Rows == nil) == (x.Time == nil) {
			t.Errorf("%s: want rows or a time, and not both", x.ID)
		}
		if x.Answers && !technique.HasRows() {
			t.Errorf("%s answers and has no rows, which commands go by", x.ID)
		}
		if s := x.Style; s != nil {
			if !colour.MatchString(s.Light) || !colour.MatchString(s.Dark) || !dash.MatchString(s.Dash) || !slices.Contains([]string{"circle", "square", "triangle", "diamond"}, s.Shape) {
				t.Errorf("%s: style %+v", x.ID, *s)
			}
			once(x, looks{"light", s.Light})
			once(x, looks{"dark", s.Dark})
			once(x, looks{"dash", s.Dash})
			once(x, looks{"shape", s.Shape})
		}
	}
	for technique, name := range map[Technique]string{PathBased: "pb", PathBasedUnmapped: "pb-unmapped", AverageTime: "at", MaximalTime: "mt", ExecutionBased: "eb"} {
		if got, err := ParseTechnique(name); err != nil || got != technique || technique.String() != name {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
	if got := Choice(Techniques()); got != "eb, pb, pb-unmapped, at or mt" {
		t.Errorf("in order of what they know: %s", got)
	}
}
