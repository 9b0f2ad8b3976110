package profile

// This file tests what holds executions to what their readers rely on.

import (
	"bytes"
	"math"
	"math/rand"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"pathspan/profile/bundlepb"
)

// holding is a bundle with executions inside others.
func holding(t testing.TB) *Bundle {
	b := randomBundle(5, 1)
	x := &Executions{Kinds: []string{"add"}, Weights: []uint32{8}, Vectors: make([][][]uint32, len(b.Program.Funcs)), Grid: finestGrid}
	for i := range b.Program.Funcs[0].Blocks {
		x.Vectors[0] = append(x.Vectors[0], []uint32{uint32(i)})
	}
	part := func(work float64, entry int, times uint64) []ExecutionPart {
		return []ExecutionPart{{Work: []float64{work}, Entry: entry, Times: times}}
	}
	x.Entries = []Execution{{Lanes: [][]ExecutionPart{part(4, -1, 1), part(8, -1, 1)}}, {Lanes: [][]ExecutionPart{part(2, 0, 2), part(9, -1, 1)}}}
	x.Roots = []ExecutionRoot{{0, 3}, {1, 2}}
	x.Entries[0].Count, x.Entries[1].Count = 7, 2
	b.Executions = x
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestForgedExecutions(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(x *Executions)
		says   string
	}{
		{"executions of no construct", func(x *Executions) { x.Entries[0].Construct = 9 }, "which does not exist"},
		{"executions of too few sections", func(x *Executions) {
			e := &x.Entries[0]
			e.Lanes = e.Lanes[1:]
		}, "lanes"},
		{"no section reached", func(x *Executions) { x.Entries[0].Lanes[0] = nil }, "without a part"},
		{"executions without entries", func(x *Executions) { x.Entries = nil }, "0 entries"},
		{"work of no kind", func(x *Executions) { x.Kinds = nil }, "0 kinds"},
		{"work of two kinds in one", func(x *Executions) { x.Entries[0].Lanes[0][0].Work = []float64{1, 2} }, "2 kinds of work"},
		{"kinds without weights", func(x *Executions) { x.Weights = nil }, "with weights []"},
		{"a kind of no weight", func(x *Executions) { x.Weights[0] = 0 }, "with weights [0]"},
		{"a grid too fine", func(x *Executions) { x.Grid = 33 }, "grid 33"},
		{"blocks that count other kinds", func(x *Executions) { x.Vectors[0][0] = []uint32{1, 2, 3} }, "counts 3 of 1 kinds"},
		{"blocks that do not exist", func(x *Executions) {
			x.Vectors[0] = x.Vectors[0][1:]
		}, "work is counted in"},
		{"no vectors", func(x *Executions) { x.Vectors = nil }, "work is counted in 0 of"},
		{"no execution", func(x *Executions) {
			x.Entries[0].Count, x.Roots = 0, nil
		}, "executed 0 times"},
		{"a root of none", func(x *Executions) { x.Roots[0].Count = 0 }, "0 executions of entry 0"},
		{"a root that does not exist", func(x *Executions) { x.Roots[0].Entry = 7 }, "of entry 7"},
		{"a root twice", func(x *Executions) {
			x.Roots = append(x.Roots, x.Roots[0])
		}, "or twice"},
		{"a root too many", func(x *Executions) { x.Roots[0].Count++ }, "and counted"},
		{"an execution inside too many", func(x *Executions) { x.Entries[1].Lanes[0][0].Times++ }, "and counted"},
		{"an entry inside itself", func(x *Executions) { x.Entries[1].Lanes[0][0].Entry = 1 }, "entry 1, 2 times, in entry 1"},
		{"an entry inside one before it", func(x *Executions) { x.Entries[0].Lanes[0][0].Entry = 1 }, "entry 1, 1 times, in entry 0"},
		{"a part that never happens", func(x *Executions) { x.Entries[0].Lanes[0][0].Times = 0 }, "0 times"},
		{"endless work", func(x *Executions) { x.Entries[0].Lanes[0][0].Work[0] = math.Inf(1) }, "work +Inf"},
		{"work that is no number", func(x *Executions) {
			x.Entries[0].Lanes[0][0].Work[0] = math.NaN()
		}, "work NaN"},
		{"more work than time", func(x *Executions) { x.Entries[0].Lanes[0][0].Work[0] = 1e300 }, "work 1e+300"},
		{"executions beyond all sums", func(x *Executions) {
			x.Roots = []ExecutionRoot{{1, 1 << 62}}
			x.Entries[0].Count, x.Entries[1].Count = 1<<63, 1<<62
		}, "more than 2^63"},
	} {
		b := holding(t)
		c.change(b.Executions)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.what, err, c.says)
		}
	}
}

// withTrees is a bundle with random executions.
func withTrees(seed int64) *Bundle {
	r := rand.New(rand.NewSource(seed))
	b := randomBundle(5, 1)
	header := Executions{Kinds: []string{"add", "load"}, Weights: []uint32{8, 16}, Vectors: make([][][]uint32, len(b.Program.Funcs)), Grid: finestGrid}
	for range b.Program.Funcs[1].Blocks {
		header.Vectors[1] = append(header.Vectors[1], []uint32{uint32(r.Intn(9)), uint32(r.Intn(9))})
	}
	trees := randomTrees(r, 1+r.Intn(9), 2, 2)
	for i := range trees {
		trees[i].roots, trees[i].count = uint64(1+r.Intn(5)), 0
	}
	for i := len(trees) - 1; i >= 0; i-- {
		t := &trees[i]
		t.count += t.roots
		for _, lane := range t.lanes {
			for _, p := range lane {
				if p.child >= 0 {
					trees[p.child].count += t.count * p.times
				}
			}
		}
	}
	b.Executions = executionsOf(trees, header)
	return b
}

func TestExecutionsAreReadAsWritten(t *testing.T) {
	for seed := range int64(100) {
		b := withTrees(seed)
		if seed == 0 { // the optimiser left sections without an instruction that counts
			clear(b.Executions.Vectors)
		}
		if err := b.Check(); err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		if err := b.Write(&data); err != nil {
			t.Fatal(err)
		}
		got, err := Read(data.Bytes())
		if err != nil || !reflect.DeepEqual(got.Executions, b.Executions) {
			t.Fatalf("seed %d: %v, read %+v, want %+v", seed, err, got.Executions, b.Executions)
		}
		twice, err := Merge(b, b)
		if err != nil {
			t.Fatal(err)
		}
		for i, e := range twice.Executions.Entries { // alike, so nothing but counts changes
			if want := b.Executions.Entries[i]; e.Count != 2*want.Count {
				t.Fatalf("seed %d: merged with itself, %+v becomes %+v", seed, want, e)
			}
		}
	}
}

// TestEarlierFormat refuses a bundle of a version that kept classes in place of trees, and
// says what to do.
func TestEarlierFormat(t *testing.T) {
	_, err := ReadFile(filepath.Join("testdata", "classes.pspan"))
	const want = "classes.pspan: the bundle has format 1, this pathspan reads format 2; use the pathspan that made it, or profile again"
	if err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("error %v, want %s", err, want)
	}
}

// TestMergeOtherWork leaves out what another version counted in other kinds.
func TestMergeOtherWork(t *testing.T) {
	b, other := withTrees(1), withTrees(1)
	x := b.Executions
	kinds := slices.Clone(x.Kinds)
	kinds[0] = "another"
	other.Executions = &Executions{Kinds: kinds, Weights: x.Weights, Vectors: x.Vectors, Entries: x.Entries, Roots: x.Roots, Grid: x.Grid}
	sum, err := Merge(b, b, other)
	if err != nil || len(sum.Executions.Entries) != len(x.Entries) || sum.Executions.Kinds[0] != x.Kinds[0] || !strings.Contains(strings.Join(sum.Notes, "\n"), "1 of 3 bundles") {
		t.Errorf("%v, notes %q", err, sum.Notes)
	}
}

// FuzzExecutions reads forged executions of a bundle: what is read passes the check or
// gives an error of one line, and is written as it was read.
func FuzzExecutions(f *testing.F) {
	for seed := range int64(4) {
		raw, err := proto.Marshal(executionsToProto(withTrees(seed).Executions))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw)
	}
	b := randomBundle(5, 1)
	f.Fuzz(func(t *testing.T, data []byte) {
		var m bundlepb.Executions
		if proto.Unmarshal(data, &m) != nil {
			return
		}
		x, err := executionsFromProto(&m, b.Program)
		if err == nil && x != nil {
			err = x.check(&Bundle{Program: b.Program})
		}
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		if again, err := executionsFromProto(executionsToProto(x), b.Program); err != nil || len(again.Entries) != len(x.Entries) {
			t.Errorf("written and read again: %v", err)
		}
		mergeExecutions([]*Bundle{{Program: b.Program, Executions: x}, {Program: b.Program, Executions: x}})
	})
}
