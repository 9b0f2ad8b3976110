package table

import (
	"errors"
	"math"
	"testing"
)

// A section of 3 executes a region of 10 and 4 twice, beside one of 5; overheads are 7.
func TestChains(t *testing.T) {
	b := NewBuilder(machine(2, 5, 2), 2)
	inner := b.Set(Set{Executions: []int{b.Execution(1, 0, 1, lanes(10, 4)), b.Execution(1, 0, 1, lanes(2))}, Shares: []float64{0.75, 0.25}})
	outer := b.Execution(0, 0, 1, [][]Part{{{Own: []float64{3}, Set: inner, Times: 2}}, {{Own: []float64{5}, Set: -1}}})
	b.Root(outer, 4)
	table, err := b.Table([]float64{1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		overheads bool
		want      float64
	}{
		{false, 2 * (3 + 0.75*10 + 0.25*2)},
		{true, 7 + 2*(3+0.75*17+0.25*2)}, // nothing is created for a single section
	} {
		x, err := table.Chains(1, c.overheads)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Execution(outer); got != c.want {
			t.Errorf("overheads %t: %g, want %g", c.overheads, got, c.want)
		}
		if got := x.Program(); got != 1+4*c.want {
			t.Errorf("overheads %t: the program takes %g, want %g", c.overheads, got, 1+4*c.want)
		}
	}
	often, err := table.Often()
	if err != nil {
		t.Fatal(err)
	}
	if want := []float64{6, 2, 4}; often[0] != want[0] || often[1] != want[1] || often[2] != want[2] {
		t.Errorf("executed %v times, want %v", often, want)
	}
}

// TestRecursiveChains: sections of one time and of another that goes on, so often, with the
// execution itself. The second is longer where x = second + often*x exceeds the first.
func TestRecursiveChains(t *testing.T) {
	for _, c := range []struct{ first, second, often, want float64 }{
		{8, 1, 0.5, 8}, {6, 4, 0.5, 8}, {0, 1, 1, math.Inf(1)},
	} {
		b := NewBuilder(machine(1, 0, 0), 1)
		again := b.Set(Set{})
		x := b.Execution(0, 0, 1, [][]Part{{{Own: []float64{c.first}, Set: -1}}, {{Own: []float64{c.second}, Set: -1}, {Own: []float64{0}, Set: again, Times: c.often}}})
		b.Fill(again, Set{Executions: []int{x}, Shares: []float64{1}})
		b.Root(x, 1)
		table, err := b.Table([]float64{0})
		if endless := new(ErrEndless); math.IsInf(c.want, 1) {
			if !errors.As(err, &endless) {
				t.Errorf("%+v: %v", c, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		chains, err := table.Chains(0, false)
		if err != nil {
			t.Fatal(err)
		}
		if got := chains.Execution(x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%+v: %g", c, got)
		}
		often, err := table.Often()
		if err != nil || math.Abs(often[x]-1/(1-c.often)) > 1e-12 {
			t.Errorf("%+v: executed %v times, %v", c, often, err)
		}
	}
}

// TestMerged: two rows of 4, 1 and 1, 4, the second with a nested execution of 2 or 6 in
// its second section.
func TestMerged(t *testing.T) {
	b := NewBuilder(machine(2, 0, 0), 2)
	inner := b.Set(Set{Executions: []int{b.Execution(1, 0, 1, lanes(2)), b.Execution(1, 0, 1, lanes(6))}, Shares: []float64{0.5, 0.5}})
	b.Root(b.Execution(0, 0, 1, lanes(4, 1)), 3)
	b.Root(b.Execution(0, 0, 1, [][]Part{{{Own: []float64{1}, Set: -1}}, {{Own: []float64{4}, Set: inner, Times: 2}}}), 1)
	table, err := b.Table([]float64{0})
	if err != nil {
		t.Fatal(err)
	}
	m := resolved(2, nil, []int{0, 1}, []int{1})
	for _, c := range []struct {
		made func() (*Table, error)
		want float64
	}{
		// 3.25 beside 0.75*1 + 0.25*2*(4+4).
		{table.Averaged, 4 * 4.75},
		// 4 beside 8 + 2*6.
		{table.Largest, 4 * 20},
	} {
		x, err := c.made()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := x.NewValuer().Value(m); err != nil || got != c.want {
			t.Errorf("%g, %v, want %g", got, err, c.want)
		}
	}
}
