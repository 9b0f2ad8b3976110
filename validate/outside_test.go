package validate

// This file holds the ledgers against figures measured elsewhere to these figures.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/procmodels/pipeline"
	"pathspan/testdata/bench"
	"pathspan/validate/ledger"
)

// A ledger that is printed as known error has the figures of the file beside the benchmarks, all
// those of programs that only judge and none that the file lacks, and a model that there is.
func TestOutsideLedgersAreOfTheFigures(t *testing.T) {
	half := map[string]string{} // by folder and program
	for _, dir := range []string{"../testdata/bench", "../testdata"} {
		index, err := bench.Read(os.DirFS(dir))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range index {
			half[dir+" "+p.Name] = string(p.Half)
		}
	}
	type run struct {
		source, program, level string
		processors             int
		mapping                string
		memory                 bool // the estimate has what accesses wait for
	}
	figures, sources := map[run]float64{}, map[string]string{} // folders
	files, err := filepath.Glob("../testdata/bench/*.csv")
	own, err2 := filepath.Glob("../testdata/*.csv")
	if err != nil || err2 != nil || len(files) == 0 || len(own) == 0 {
		t.Fatalf("no figures beside the benchmarks: %v, %v", err, err2)
	}
	files = append(files, own...)
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := ReadFigures(name, f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range list {
			dir := filepath.Dir(name)
			if half[dir+" "+x.Program] == "" {
				t.Errorf("%s: there is no program %s", x.Where, x.Program)
			}
			figures[run{x.Source, x.Program, x.Level, x.Processors, x.Mapping, false}], sources[x.Source] = x.Cycles, dir
		}
	}
	all, err := ledger.Outside()
	if err != nil {
		t.Fatal(err)
	}
	found := map[run]bool{}
	for _, l := range all {
		for i := range l.Rows {
			r := &l.Rows[i]
			if r.Reference == ledger.Replay {
				continue
			}
			at := run{r.Reference, r.Program, r.Level, r.Processors, r.Mapping, false}
			if figures[at] == 0 || r.ReferenceParallelCycles != figures[at] || r.ReferenceSequentialCycles != figures[run{r.Reference, r.Program, r.Level, 1, "", false}] {
				t.Errorf("%s: %g and %g cycles are not those of the file", r.Key(), r.ReferenceSequentialCycles, r.ReferenceParallelCycles)
			}
			if !slices.Contains(pipeline.Names(), r.Model) {
				t.Errorf("%s: there is no such model", r.Key())
			}
			at.memory = r.Memory
			found[at] = true
		}
	}
	for at := range figures {
		for _, at.memory = range []bool{false, true} {
			if at.processors > 1 && half[sources[at.source]+" "+at.program] == "judging" && !found[at] {
				t.Errorf("%v: no ledger has it", at)
			}
		}
	}
	if 2*len(sources) != len(all) {
		t.Errorf("%d sources of figures, %d ledgers; want one with memory and one without of each", len(sources), len(all))
	}
}

// Programs whose output an index has round every product elsewhere too, unless the index says otherwise; sources that
// are given are built as anybody builds them.
func TestFlagsElsewhere(t *testing.T) {
	v := &Validation{Toolchain: &toolchain.Toolchain{Target: &toolchain.Target{Name: "aarch64-linux-gnu"}}}
	for _, c := range []struct {
		program *bench.Program
		want    string
	}{
		{&bench.Program{Group: "mine", CFlags: []string{"-ffp-contract=fast"}, Libs: []string{"m"}}, "--target=aarch64-linux-gnu -ffp-contract=off -ffp-contract=fast -lm"},
		{bench.Of([]string{"a.c"}, []string{"-DN=1"}, nil), "--target=aarch64-linux-gnu -DN=1"},
	} {
		if got := strings.Join((&unit{v: v, program: c.program}).flags(), " "); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
