package table

// This file bounds candidates of which only some decisions are made, for searches that
// leave out what cannot be the best.

import (
	"cmp"
	"math"
	"slices"
)

// Price is what a search wants to keep low, linear in times: PerSecond of the whole time
// plus PerBusySecond of each processor's busy time. Figures are 0 or more.
type Price struct {
	PerSecond     float64
	PerBusySecond []float64 // by processor; nil for none
}

// Partial is a unit of which the first sections, in an order of its own, are placed. It
// is for one goroutine. The unit must not be general.
type Partial struct {
	Order []int // genes of the unit, those with the most work first
	s     *Space
	t     *stage
	unit  int
	price Price

	depth   int
	at      []int32 // by depth: the processor
	count   []int32 // by processor
	load    [][]float64
	columns [][]float64 // by depth: the column of the processor before
	busy    []float64   // by depth: price of what is placed before it
	sum     [][]float64 // by depth: least work of the sections from there on, by row
	most    [][]float64 // by depth: the longest of them on its fastest processor
	dear    []float64   // by depth: least price of their busy times
	least   float64     // overhead
	share   float64     // 1 / number of processors that may be used
	home    bool        // every section may stay on the serial processor
	rest    [][]float64 // by depth: serial times of the sections from there on
}

// NewPartial prepares the bounds of one unit; allowed is as in Bounds.
func (s *Space) NewPartial(unit int, allowed [][]int32, price Price) *Partial {
	u, t := &s.Units[unit], s.flat(unit)
	b := &Partial{s: s, t: t, unit: unit, price: price, home: true, least: math.Inf(1)}
	work := make([]float64, u.Count)
	for i := range u.Count {
		b.Order = append(b.Order, u.First+i)
		for k := range s.t.Kinds {
			work[i] += t.whole(k, i)
		}
	}
	slices.SortStableFunc(b.Order, func(x, y int) int { return cmp.Compare(work[y-u.First], work[x-u.First]) })
	n := len(s.extra)
	used := make([]bool, n)
	b.sum, b.most, b.rest = make([][]float64, u.Count+1), make([][]float64, u.Count+1), make([][]float64, u.Count+1)
	b.dear = make([]float64, u.Count+1)
	b.sum[u.Count], b.most[u.Count], b.rest[u.Count] = make([]float64, len(t.rows)), make([]float64, len(t.rows)), make([]float64, len(t.rows))
	for d := u.Count - 1; d >= 0; d-- {
		i := b.Order[d] - u.First
		sum, most, rest := make([]float64, len(t.rows)), make([]float64, len(t.rows)), make([]float64, len(t.rows))
		serial, cheapest := false, math.Inf(1)
		for r := range sum {
			sum[r] = math.Inf(1)
		}
		s.values(allowed, b.Order[d], func(p int) {
			used[p], serial = true, serial || p == s.Serial
			for r, x := range t.atLeast(s.t.KindOf[p], i) {
				sum[r] = min(sum[r], x)
			}
			cheapest = min(cheapest, t.wholeAtLeast(s.t.KindOf[p], i)*b.perBusy(p))
		})
		home := t.column(s.t.KindOf[s.Serial], i)
		for r := range sum {
			most[r] = max(sum[r], b.most[d+1][r])
			sum[r] += b.sum[d+1][r]
			rest[r] = home[r] + b.rest[d+1][r]
		}
		b.sum[d], b.most[d], b.rest[d] = sum, most, rest
		b.dear[d] = cheapest + b.dear[d+1]
		b.home = b.home && serial
	}
	possible := 0
	for p, yes := range used {
		if yes {
			possible++
			b.least = min(b.least, s.extra[p])
		}
	}
	b.share = 1 / float64(max(possible, 1))
	b.at, b.count, b.busy = make([]int32, u.Count), make([]int32, n), make([]float64, u.Count+1)
	for range n {
		b.load = append(b.load, make([]float64, len(t.rows)))
	}
	for range u.Count {
		b.columns = append(b.columns, make([]float64, len(t.rows)))
	}
	return b
}

func (b *Partial) perBusy(p int) float64 {
	if b.price.PerBusySecond == nil {
		return 0
	}
	return b.price.PerBusySecond[p]
}

// Place places the next section of Order.
func (b *Partial) Place(p int32) {
	i := b.Order[b.depth] - b.s.Units[b.unit].First
	column := b.t.atLeast(b.s.t.KindOf[p], i)
	old := b.load[p]
	next := b.columns[b.depth]
	for r := range next {
		next[r] = old[r] + column[r]
	}
	b.load[p], b.columns[b.depth] = next, old
	b.at[b.depth] = p
	b.count[p]++
	b.busy[b.depth+1] = b.busy[b.depth] + b.t.wholeAtLeast(b.s.t.KindOf[p], i)*b.perBusy(int(p))
	b.depth++
}

// Take takes the section placed last back.
func (b *Partial) Take() {
	b.depth--
	p := b.at[b.depth]
	b.count[p]--
	b.load[p], b.columns[b.depth] = b.columns[b.depth], b.load[p]
}

// Bound returns a price that no completion of the placement is below: for each row the
// largest of what a processor has to do already, what the longest section left takes
// where it is fastest, and an even share of all work, the least possible for what is
// left. Either everything stays on the serial processor, or there are overheads.
func (b *Partial) Bound() float64 {
	t, d := b.t, b.depth
	serial := b.s.Serial
	sum, most := b.sum[d], b.most[d]
	spread, alone := b.s.t.outside(t, serial)
	forked := spread * t.ran
	for r, w := range t.weight {
		highest, total := most[r]+b.least*t.runs[r], sum[r]
		for p, n := range b.count {
			if n > 0 {
				x := b.load[p][r] + b.s.extra[p]*t.runs[r]
				total += x
				highest = max(highest, x)
			}
		}
		forked += w * max(highest, total*b.share)
	}
	price := b.price.PerSecond * forked
	if b.home && int(b.count[serial]) == d {
		whole := alone * t.ran
		for r, w := range t.weight {
			whole += w * (b.load[serial][r] + b.rest[d][r])
		}
		price = min(price, b.price.PerSecond*whole)
	}
	return (price + b.busy[d] + b.dear[d]) * b.s.seconds
}
