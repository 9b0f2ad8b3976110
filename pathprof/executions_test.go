package pathprof

// This file tests what holds executions to what their readers rely on.

import (
	"math"
	"strings"
	"testing"
)

// holding is a bundle with executions inside others.
func holding(t testing.TB) *Bundle {
	b := randomBundle(5, 1)
	x := &Executions{Kinds: []string{"add"}, Vectors: make([][][]uint32, len(b.Program.Funcs)), Grid: finestGrid}
	for i := range b.Program.Funcs[0].Blocks {
		x.Vectors[0] = append(x.Vectors[0], []uint32{uint32(i)})
	}
	part := func(work float64, entry int, times uint64) []ExecutionPart {
		return []ExecutionPart{{Work: []float64{work}, Entry: entry, Times: times}}
	}
	x.Entries = []Execution{{Lanes: [][]ExecutionPart{part(4, -1, 1), part(8, -1, 1)}}, {Lanes: [][]ExecutionPart{part(2, 0, 2), part(9, -1, 1)}}}
	x.Roots = []ExecutionRoot{{0, 3}, {1, 2}}
	x.count()
	b.Executions = x
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	if n := x.Entries[0].Count; n != 3+2*2 {
		t.Fatalf("entry 0 is executed %d times", n)
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
		}, "sections"},
		{"a section without parts", func(x *Executions) { x.Entries[0].Lanes[1] = nil }, "without a part"},
		{"executions without entries", func(x *Executions) { x.Entries = nil }, "0 entries"},
		{"work of no kind", func(x *Executions) { x.Kinds = nil }, "0 kinds"},
		{"work of two kinds in one", func(x *Executions) { x.Entries[0].Lanes[0][0].Work = []float64{1, 2} }, "2 kinds of work"},
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
			x.count()
		}, "more than 2^63"},
	} {
		b := holding(t)
		c.change(b.Executions)
		if err := b.Check(); err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.what, err, c.says)
		}
	}
}
