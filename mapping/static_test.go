package mapping

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/ir"
)

// program builds a program of regions; each is a list of constructs' section counts.
func program(regions ...[]int) *ir.Program {
	p := &ir.Program{}
	for i, constructs := range regions {
		reg := ir.Region{File: "src/app.c", Function: "main", Line: 10 * (i + 1)}
		for _, sections := range constructs {
			var c ir.Construct
			for range sections {
				c.Sections = append(c.Sections, ir.Section{})
			}
			reg.Constructs = append(reg.Constructs, c)
		}
		p.Regions = append(p.Regions, reg)
	}
	ir.NameRegions(p.Regions, nil)
	return p
}

func TestStaticScheduleIsThatOfLibomp(t *testing.T) {
	data, err := os.ReadFile("testdata/libomp14.txt")
	if err != nil {
		t.Fatal(err)
	}
	records := 0
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		head, tail, _ := strings.Cut(line, ":")
		var numbers []int
		for _, w := range strings.Fields(head + " " + tail) {
			n, err := strconv.Atoi(w)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, n)
		}
		threads, sections, want := numbers[0], numbers[1], numbers[2:]
		prog := program([]int{sections})
		if got := Default(Homogeneous(threads, ""), prog).Regions[0].Proc[0]; !slices.Equal(got, want) {
			t.Errorf("%d sections on %d threads: %v, libomp has %v", sections, threads, got, want)
		}
		// A num_threads clause on a larger platform is the same team.
		prog.Regions[0].NumThreads = threads
		if got := Default(Homogeneous(8, ""), prog).Regions[0].Proc[0]; !slices.Equal(got, want) {
			t.Errorf("%d sections, num_threads(%d) on 8 processors: %v, want %v", sections, threads, got, want)
		}
		records++
	}
	if records != 72 {
		t.Errorf("%d records, want 72", records)
	}
}

func TestDefaultStartsAtTheSerialProcessor(t *testing.T) {
	prog := program([]int{4})
	r, err := Resolve(Homogeneous(3, ""), &Mapping{Serial: Word{Text: "cpu1"}}, prog)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 2, 0}; r.Serial != 1 || !slices.Equal(r.Regions[0].Proc[0], want) {
		t.Errorf("serial %d, sections on %v, want 1 and %v", r.Serial, r.Regions[0].Proc[0], want)
	}
	if len(r.Defaulted) != 4 {
		t.Errorf("defaulted %v, want all four sections", r.Defaulted)
	}
}

// Not all that OpenMP gives is static.
func TestDefaultName(t *testing.T) {
	loop := func(s ir.Schedule) *ir.Program {
		return &ir.Program{Regions: []ir.Region{{Constructs: []ir.Construct{{Loop: &ir.Loop{Schedule: s}}}}}}
	}
	for _, c := range []struct {
		prog *ir.Program
		want string
	}{
		{&ir.Program{Regions: []ir.Region{{Constructs: []ir.Construct{{}}}}}, "OpenMP static"},
		{loop(ir.Static), "OpenMP static"},
		{loop(ir.Dynamic), "OpenMP as written"},
		{&ir.Program{Tasks: []ir.Task{{}}}, "OpenMP as written"},
	} {
		if got := DefaultName(c.prog); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
