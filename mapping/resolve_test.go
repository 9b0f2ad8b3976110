package mapping

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

var update = flag.Bool("update", false, "write the golden files")

func TestResolvePaperMappings(t *testing.T) {
	prog := program([]int{3})
	prog.Regions[0].Name = "fun0.c:fun_0#1"
	for i := range 3 {
		prog.Regions[0].Constructs[0].Sections[i].Name = fmt.Sprintf("fun0.c:fun_0#1/%d", i+1)
	}
	pl, err := LoadPlatform("../testdata/fun0/platform.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if pl.Create != 50 || pl.Sync != 10 || pl.CreateDefaulted || pl.SyncDefaulted || len(pl.Processors) != 2 ||
		!reflect.DeepEqual(pl.Processors[1], Processor{Name: "beta", Model: "table1.yaml", Given: pl.Processors[1].Given, Dir: "../testdata/fun0", ClockMHz: 1}) {
		t.Errorf("platform %+v", pl)
	}
	for file, want := range map[string][]int{"solA.yaml": {0, 0, 1}, "solB.yaml": {0, 1, 0}} {
		m, err := LoadMapping("../testdata/fun0/" + file)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Resolve(pl, m, prog)
		if err != nil {
			t.Fatal(err)
		}
		if !r.Regions[0].Explicit || r.Serial != 0 || len(r.Defaulted) != 0 || !slices.Equal(r.Regions[0].Proc[0], want) {
			t.Errorf("%s: %+v, want sections on %v", file, r, want)
		}
	}
}

// The list order is the schedule; what a file leaves out keeps its default place.
func TestResolveOrderAndDefaults(t *testing.T) {
	prog := program([]int{4, 2}, []int{2})
	pl := Homogeneous(2, "")
	m, err := parseMapping("m.yaml", []byte(`
serial: cpu1
regions:
  app.c:main#1:
    cpu0: [4, app.c:main#1/1, 5]
    cpu1: [2]
`))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Resolve(pl, m, prog)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Check(prog); err != nil {
		t.Fatal(err)
	}
	// Defaults start at cpu1: sections 1-2 on cpu1, 3-4 on cpu0; 5 on cpu1, 6 on cpu0.
	want := &Resolved{
		Platform: pl,
		Serial:   1,
		Regions: []RegionMap{
			{Explicit: true, Proc: [][]int{{0, 1, 0, 0}, {0, 0}}, Order: [][]int{{3, 0, 1, 2}, {0, 1}}},
			{Proc: [][]int{{1, 0}}, Order: [][]int{{0, 1}}},
		},
		Defaulted: []string{"app.c:main#1/3", "app.c:main#1/6", "app.c:main#2/1", "app.c:main#2/2"},
	}
	if !reflect.DeepEqual(r, want) {
		t.Errorf("got  %+v\nwant %+v", r, want)
	}
}

// Any mapping of all sections that is written down comes back as it was meant.
func TestResolveRandomMappings(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 300 {
		n, processors := 1+rng.Intn(7), 1+rng.Intn(4)
		prog := program([]int{n})
		pl := Homogeneous(processors, "")
		want := make([]int, n)
		lists := make([][]string, processors)
		for _, s := range rng.Perm(n) {
			want[s] = rng.Intn(processors)
			lists[want[s]] = append(lists[want[s]], fmt.Sprint(s+1))
		}
		text := "regions:\n  app.c:main#1:\n"
		for p, list := range lists {
			text += fmt.Sprintf("    cpu%d: [%s]\n", p, strings.Join(list, ", "))
		}
		m, err := parseMapping("m.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Resolve(pl, m, prog)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Check(prog); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.Regions[0].Proc[0], want) || r.Defaulted != nil {
			t.Fatalf("%s: %v, want %v", text, r.Regions[0].Proc[0], want)
		}
		for p, list := range lists {
			var got []string
			for _, s := range r.Regions[0].Order[0] {
				if want[s] == p {
					got = append(got, fmt.Sprint(s+1))
				}
			}
			if !slices.Equal(got, list) {
				t.Fatalf("%s: processor %d runs %v, want %v", text, p, got, list)
			}
		}
	}
}

func TestDefaultPassesCheck(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 300 {
		var regions [][]int
		for range rng.Intn(4) {
			var constructs []int
			for range rng.Intn(4) {
				constructs = append(constructs, rng.Intn(9))
			}
			regions = append(regions, constructs)
		}
		prog := program(regions...)
		for i := range prog.Regions {
			prog.Regions[i].NumThreads = rng.Intn(5)
		}
		if err := Default(Homogeneous(1+rng.Intn(9), ""), prog).Check(prog); err != nil {
			t.Fatal(err)
		}
	}
}

// Each testdata/errors file begins with a comment that says which file it is; its
// golden neighbour holds the message.
func TestErrorMessages(t *testing.T) {
	prog := program([]int{3}, []int{2, 2})
	pl, err := parsePlatform("good.yaml", []byte("processors: [{name: alpha}, {name: beta}]"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/errors/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		err := loadAndResolve(file, pl, prog)
		if err == nil {
			t.Errorf("%s: no error", file)
			continue
		}
		got := err.Error() + "\n"
		golden := strings.TrimSuffix(file, ".yaml") + ".golden"
		if *update {
			if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s:\n got %swant %s", file, got, want)
		}
		if strings.Count(got, "\n") != 1 {
			t.Errorf("%s: message of several lines: %s", file, got)
		}
	}
}

func loadAndResolve(file string, pl *Platform, prog *ir.Program) error {
	if strings.HasPrefix(filepath.Base(file), "platform_") {
		_, err := LoadPlatform(file)
		return err
	}
	m, err := LoadMapping(file)
	if err != nil {
		return err
	}
	_, err = Resolve(pl, m, prog)
	return err
}

func TestMissingFiles(t *testing.T) {
	if _, err := LoadPlatform("testdata/none.yaml"); err == nil || !strings.Contains(err.Error(), "testdata/none.yaml") {
		t.Errorf("platform: %v", err)
	}
	if _, err := LoadMapping("testdata/none.yaml"); err == nil || !strings.Contains(err.Error(), "testdata/none.yaml") {
		t.Errorf("mapping: %v", err)
	}
	empty := &ir.Program{}
	m := &Mapping{Regions: []RegionFile{{Name: Word{Text: "a.c:f:1"}}}}
	if _, err := Resolve(Homogeneous(1, ""), m, empty); err == nil || !strings.Contains(err.Error(), "no parallel regions") {
		t.Errorf("program without regions: %v", err)
	}
}

func TestPlatformExpansion(t *testing.T) {
	pl, err := parsePlatform("dir/board.yaml", []byte(`
schema: pathspan.platform/1
processors:
  - {name: host, model: arm922t, clock_mhz: 200, power: 0.5}
  - {name: dsp, model: dsp.yaml, count: 2}
overheads: {create: 7}
`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Platform{
		Name: "board",
		Processors: []Processor{
			{Name: "host", Model: "arm922t", Dir: "dir", ClockMHz: 200, Power: 0.5},
			{Name: "dsp0", Model: "dsp.yaml", Dir: "dir"},
			{Name: "dsp1", Model: "dsp.yaml", Dir: "dir"},
		},
		Create: 7, Sync: DefaultSync, SyncDefaulted: true,
	}
	for i := range pl.Processors {
		if at := pl.Processors[i].Given; at.Line == 0 {
			t.Errorf("processor %d: its model is nowhere", i)
		}
		pl.Processors[i].Given = yamlstrict.Pos{}
	}
	if !reflect.DeepEqual(pl, want) {
		t.Errorf("got  %+v\nwant %+v", pl, want)
	}
	if p := pl.Processors[1]; p.Clock(0) != DefaultClockMHz || p.Clock(300) != 300 || pl.Processors[0].Clock(300) != 200 {
		t.Error("clock: want the platform's, then the model's, then the default")
	}
}

func FuzzPlatform(f *testing.F) {
	seed(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		pl, err := parsePlatform("p.yaml", data)
		if err != nil {
			oneLine(t, err)
			return
		}
		if len(pl.Processors) == 0 {
			t.Error("a platform without processors")
		}
		for i := range pl.Processors {
			if pl.Index(pl.Processors[i].Name) != i {
				t.Errorf("processor %d has the name of another", i)
			}
		}
	})
}

func FuzzMapping(f *testing.F) {
	seed(f)
	prog := program([]int{3}, []int{2, 2})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseMapping("m.yaml", data)
		if err != nil {
			oneLine(t, err)
			return
		}
		r, err := Resolve(Homogeneous(3, ""), m, prog)
		if err != nil {
			oneLine(t, err)
			return
		}
		if err := r.Check(prog); err != nil {
			t.Error(err)
		}
	})
}

func seed(f *testing.F) {
	for _, pattern := range []string{"testdata/errors/*.yaml", "../testdata/fun0/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
}

func oneLine(t *testing.T, err error) {
	t.Helper()
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("message of several lines: %q", err)
	}
}
