package mapping

// This file tests what is said of sections that a mapping file leaves out.

import (
	"slices"
	"testing"

	"pathspan/ir"
)

func TestLeftOut(t *testing.T) {
	prog := &ir.Program{}
	for _, r := range []struct {
		name     string
		sections int
	}{{"a", 3}, {"b", 2}, {"c", 1}} {
		reg := ir.Region{Name: r.name, Constructs: []ir.Construct{{}}}
		for range r.sections {
			c := &reg.Constructs[0]
			c.Sections = append(c.Sections, ir.Section{Name: r.name + "/" + string(rune('1'+len(c.Sections)))})
		}
		prog.Regions = append(prog.Regions, reg)
	}
	pl := Homogeneous(2, "")
	for text, want := range map[string][]string{
		"regions:\n  a: {cpu0: [1, 2, 3]}\n  b: {cpu1: [1, 2]}\n  c: {cpu0: [1]}\n": nil,
		"regions:\n  a: {cpu1: [2]}\n  c: {cpu0: [1]}\n": {
			"m.yaml names region a and leaves out 2 of its 3 sections: OpenMP's static schedule sends section 1 to cpu0, section 3 to cpu1, after what the file lists there; list them to say otherwise",
			"region b is not in m.yaml: OpenMP's static schedule places its sections",
		},
	} {
		file, err := parseMapping("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Resolve(pl, file, prog)
		if err != nil {
			t.Fatal(err)
		}
		if got := r.LeftOut(prog, "m.yaml"); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
		// Where the text says that they run.
		for s, p := range r.Regions[0].Proc[0] {
			if want != nil && p != []int{0, 1, 1}[s] {
				t.Errorf("section %d runs on %d", s+1, p)
			}
		}
	}
	if got := Default(pl, prog).LeftOut(prog, "none"); got != nil {
		t.Errorf("without a file: %q", got)
	}
}
