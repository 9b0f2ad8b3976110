package table

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pathspan/mapping"
)

// resolved maps regions of one construct each: by region, the processor of each section.
func resolved(processors int, named []bool, proc ...[]int) *mapping.Resolved {
	m := &mapping.Resolved{Platform: mapping.Homogeneous(processors, "generic")}
	for r, p := range proc {
		order := make([]int, len(p))
		for i := range order {
			order[i] = i
		}
		m.Regions = append(m.Regions, mapping.RegionMap{Explicit: named == nil || named[r], Proc: [][]int{p}, Order: [][]int{order}})
	}
	return m
}

func machine(processors int, create, sync float64) Machine {
	m := Machine{KindOf: make([]int, processors), Kinds: 1}
	for range processors {
		m.Create, m.Sync = append(m.Create, create), append(m.Sync, sync)
	}
	return m
}

func lanes(own ...float64) [][]Part {
	var out [][]Part
	for _, x := range own {
		out = append(out, []Part{{Own: []float64{x}, Set: -1}})
	}
	return out
}

func value(t *testing.T, b *Builder, base float64, m *mapping.Resolved) float64 {
	t.Helper()
	table, err := b.Table([]float64{base})
	if err != nil {
		t.Fatal(err)
	}
	x, err := table.NewValuer().Value(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestFlat: three sections with 4, 1 and 1 in turns, as in a loop that passes another size
// to each.
func TestFlat(t *testing.T) {
	for _, c := range []struct {
		proc []int
		want float64
	}{
		{[]int{0, 0, 1}, 2 + 10*(5+3) + 5*(5+3) + 5*(4+3)},
		{[]int{0, 1, 1}, 2 + 10*(4+3) + 5*(5+3) + 5*(5+3)},
		{[]int{0, 0, 0}, 2 + 20*6},
		{[]int{1, 1, 1}, 2 + 20*(6+3)},
	} {
		b := NewBuilder(machine(2, 2, 1), 1)
		b.Root(b.Execution(0, 0, 1, lanes(4, 1, 1)), 10)
		b.Root(b.Execution(0, 0, 1, lanes(1, 4, 1)), 2)
		b.Root(b.Execution(0, 0, 1, lanes(1, 4, 1)), 3)
		b.Root(b.Execution(0, 0, 1, lanes(1, 1, 4)), 5)
		if got := value(t, b, 2, resolved(2, nil, c.proc)); got != c.want {
			t.Errorf("%v: %g, want %g", c.proc, got, c.want)
		}
	}
}

// TestCompete: two sections that each work 5, execute a region of two sections of 10, and
// work 5. A processor runs one section at a time, and one that waits runs what it has been
// sent.
func TestCompete(t *testing.T) {
	for _, c := range []struct {
		name         string
		named        []bool
		outer, inner []int
		processors   int
		want         float64
	}{
		{"each sends the other one half", nil, []int{0, 1}, []int{0, 1}, 2, 30},
		{"the inner one stays", []bool{true, false}, []int{0, 1}, []int{0, 1}, 2, 30},
		{"one after the other", nil, []int{0, 0}, []int{0, 1}, 2, 40},
		{"others, by both in turn", nil, []int{0, 1}, []int{2, 3}, 4, 30},
		{"one other does all", nil, []int{0, 1}, []int{2, 2}, 3, 50},
	} {
		b := NewBuilder(machine(c.processors, 0, 0), 2)
		inner := b.Set(Set{Executions: []int{b.Execution(1, 0, 1, lanes(10, 10))}, Shares: []float64{1}})
		held := []Part{{Own: []float64{5}, Set: inner, Times: 1}, {Own: []float64{5}, Set: -1}}
		b.Root(b.Execution(0, 0, 1, [][]Part{held, held}), 1)
		if got := value(t, b, 0, resolved(c.processors, c.named, c.outer, c.inner)); got != c.want {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
}

// TestQueue: what arrives first is run first, to its end, while the processor waits.
// Processor 0 forks at 0 with its own section of 1 and another on processor 1; it waits
// from 1 on. Processor 1 works 2, then sends 6 to processor 0 and works 4, all that twice;
// its section goes on at 16.
func TestQueue(t *testing.T) {
	b := NewBuilder(machine(2, 0, 0), 2)
	inner := b.Set(Set{Executions: []int{b.Execution(1, 0, 1, lanes(6, 4))}, Shares: []float64{1}})
	b.Root(b.Execution(0, 0, 1, [][]Part{
		{{Own: []float64{1}, Set: -1}},
		{{Own: []float64{2}, Set: inner, Times: 2}, {Own: []float64{7}, Set: -1}},
	}), 1)
	// Twice: 2, then 6 on processor 0 beside 4 on processor 1.
	if got, want := value(t, b, 0, resolved(2, nil, []int{0, 1}, []int{0, 1})), 2+6+2+6+7.0; got != want {
		t.Errorf("%g, want %g", got, want)
	}
}

// TestAverage: the same as TestCompete said only on average, where nested regions find
// processors free, but none is busy for longer than the row takes.
func TestAverage(t *testing.T) {
	b := NewBuilder(machine(2, 0, 0), 2)
	inner := b.Set(Set{Executions: []int{b.Execution(1, 0, 1, lanes(8, 8)), b.Execution(1, 0, 1, lanes(16, 8))}, Shares: []float64{0.75, 0.25}})
	held := []Part{{Own: []float64{5}, Set: inner, Times: 1.5}}
	b.Root(b.Execution(0, 0, 1, [][]Part{held, held}), 1)
	// Free: 1.5*(5+10) each. Processor 0 works 1.5*5 and 2*1.5*10.
	if got, want := value(t, b, 0, resolved(2, nil, []int{0, 1}, []int{0, 1})), 1.5*5+2*1.5*10; got != want {
		t.Errorf("%g, want %g", got, want)
	}
}

// TestRecursion: a region whose second section executes it again in half of all cases.
func TestRecursion(t *testing.T) {
	b := NewBuilder(machine(2, 0, 0), 1)
	again := b.Set(Set{})
	x := b.Execution(0, 0, 1, [][]Part{{{Own: []float64{4}, Set: -1}}, {{Own: []float64{3}, Set: -1}, {Own: []float64{0}, Set: again, Times: 0.5}}})
	b.Fill(again, Set{Executions: []int{x}, Shares: []float64{1}})
	b.Root(x, 1)
	// t = max(4, 3+t/2) = 6; alone it is 7 + t/2 = 14. Processor 0 works 8, processor 1 works 6.
	if got := value(t, b, 0, resolved(2, nil, []int{0, 1})); math.Abs(got-8) > 1e-9 {
		t.Errorf("%g, want 8", got)
	}
	b = NewBuilder(machine(2, 0, 0), 1)
	again = b.Set(Set{})
	x = b.Execution(0, 0, 1, [][]Part{{{Own: []float64{4}, Set: again, Times: 1}}})
	b.Fill(again, Set{Executions: []int{x}, Shares: []float64{1}})
	b.Root(x, 1)
	if _, err := b.Table([]float64{0}); err == nil {
		t.Error("a recursion without end has a value")
	}
}

// random makes a table of up to four regions, whose executions are exact, and a mapping.
func random(r *rand.Rand, processors int) (*Table, *mapping.Resolved) {
	regions := 1 + r.IntN(4)
	m := machine(processors, float64(r.IntN(3)), float64(r.IntN(3)))
	b := NewBuilder(m, regions)
	var proc [][]int
	var named []bool
	sections := make([]int, regions)
	for i := range regions {
		sections[i] = 1 + r.IntN(4)
		proc, named = append(proc, nil), append(named, r.IntN(3) > 0)
		for range sections[i] {
			proc[i] = append(proc[i], r.IntN(processors))
		}
	}
	var sets []int
	for range 1 + r.IntN(8) {
		region := r.IntN(regions)
		var all [][]Part
		for range sections[region] {
			var parts []Part
			for range 1 + r.IntN(2) {
				p := Part{Own: []float64{float64(r.IntN(20))}, Set: -1}
				if len(sets) > 0 && r.IntN(2) == 0 {
					p.Set, p.Times = sets[r.IntN(len(sets))], float64(r.IntN(3))
				}
				parts = append(parts, p)
			}
			all = append(all, parts)
		}
		x := b.Execution(region, 0, 1, all)
		sets = append(sets, b.Set(Set{Executions: []int{x}, Shares: []float64{1}}))
		if r.IntN(2) == 0 {
			b.Root(x, float64(1+r.IntN(5)))
		}
	}
	if r.IntN(2) == 0 {
		randomTransfers(r, &b.t.Machine, sections)
	}
	t, err := b.Table([]float64{float64(r.IntN(10))})
	if err != nil {
		panic(err)
	}
	return t, resolved(processors, named, proc...)
}

// TestRandom holds the simulator to what no schedule can violate: processors do what has to
// be done, one thing at a time, and no less than the whole takes so many processors.
func TestRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		n := 1 + r.IntN(4)
		table, m := random(r, n)
		v := table.NewValuer()
		x, err := v.Value(m)
		if err != nil {
			t.Fatal(err)
		}
		alike, one := make([]int, n), make([]float64, n)
		for p := range alike {
			alike[p], one[p] = p, 1
		}
		reduced, err := table.Reduce(m, alike)
		if contended := (*ErrContended)(nil); !errors.As(err, &contended) {
			if err != nil {
				t.Fatal(err)
			}
			if y, err := reduced.Value(m.Serial, one, table.Create, table.Sync); err != nil || math.Abs(x-y) > 1e-9*x {
				t.Fatalf("case %d: reduced to %g, %v; the value is %g", i, y, err, x)
			}
		}
		sequential := table.Sequential(0)
		total, work, over, nearer := table.Base[0], table.Base[0], 0.0, 0.0
		if err := v.Play(m, func(p *Played) {
			total += p.Weight * p.Span
			at := make([]float64, n)
			for _, e := range p.Events {
				if e.Start < at[e.Processor]-1e-9 || e.End > p.Span+1e-9 {
					t.Fatalf("case %d: processor %d does two things at %g, or ends at %g behind %g", i, e.Processor, e.Start, e.End, p.Span)
				}
				at[e.Processor] = e.End
				nearer += p.Weight * e.Nearer
			}
			for q := range n {
				work, over = work+p.Weight*p.Busy[q], over+p.Weight*p.Overhead[q]
				if p.Busy[q]+p.Overhead[q] > p.Span+1e-9 {
					t.Fatalf("case %d: processor %d is busy for longer than the row takes", i, q)
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		if math.Abs(total-x) > 1e-9*x {
			t.Fatalf("case %d: rows that are played take %g, their value is %g", i, total, x)
		}
		if math.Abs(work+nearer-sequential) > 1e-9*sequential {
			t.Fatalf("case %d: processors work %g, and %g less than they would, the program is %g", i, work, nearer, sequential)
		}
		if x > sequential+over+1e-9 || x*float64(n) < sequential-nearer-1e-9 {
			t.Fatalf("case %d: %g on %d processors, %g on one, with overheads of %g", i, x, n, sequential, over)
		}
	}
}

// TestExpectation holds expectations, which know of no competition, to the simulator: they
// are never longer where there is none.
func TestExpectation(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 2000 {
		table, m := random(r, 1+r.IntN(4))
		for _, of := range table.Transfers { // who begins to copy later leaves others more of a link
			of[0].Copies = nil
		}
		v := table.NewValuer()
		v.set(m)
		for _, root := range table.Roots {
			exact, err := v.sim.run(root.Execution)
			if err != nil {
				t.Fatal(err)
			}
			mean, err := v.mean.value(root.Execution)
			if err != nil {
				t.Fatal(err)
			}
			if mean > exact+1e-9 {
				t.Fatalf("case %d: %g with processors free, %g where they are shared", i, mean, exact)
			}
		}
	}
}

func BenchmarkNested(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	var table *Table
	var m *mapping.Resolved
	for table == nil || len(table.Roots) < 4 {
		table, m = random(r, 4)
	}
	v := table.NewValuer()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.Value(m); err != nil {
			b.Fatal(err)
		}
	}
}
