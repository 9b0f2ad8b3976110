package table

// This file says how much shorter lanes take as not all lies on their processor that does in the order of the run: lines that others
// use between two uses of one come into caches of theirs then, and it is still there. It is a part of the lane's time, so that
// no time falls below 0.

import (
	"fmt"
	"slices"
)

// Nearer is how much shorter a lane takes. It is a sum over uses of lines that lie as far apart, and were last used by the same.
type Nearer []Band

// Band is such uses. They are as far apart as in the order of the run but for what is on other processors.
type Band struct {
	// Last is the lane that used the lines before; -1 is what runs where the construct is met. Of a loop it is 0 where that was the thread
	// itself, and -1 where it was any.
	Last int
	// By has by lane its part of the lines in between, behind them that of what runs where the construct is met, and that
	// which other constructs have on any of the processors. Nil of a loop, whose threads have all but Met, which lie where it is met.
	By  []float64
	Met float64
	// Dealt is, of lines that a loop used itself last and whose threads have any of its iterations each time, what part of the lines in between
	// it used; 0 of others.
	Dealt float64
	// Kept is, of a loop of which that is known, what part of the uses is of lines that the thread used last itself, by the number of threads; Last and Dealt
	// say nothing then.
	Kept []float64
	// Each is how many threads of the loop bring in each line that lies in between, by their number; nil: one does.
	Each []float64
	// Less is by what part of its time the lane takes less where no more than so many parts of what lies in between are
	// on its processor, of Points: [points*Kinds+kind].
	Less []float64
}

// Points is for how many parts of what lies between two uses it is known how much shorter a lane takes.
const Points = 16

// shorter is what part of its time a lane takes under a mapping of its construct, which is met on a processor.
func (t *Table) shorter(x *Transfers, proc []int, met, lane int) float64 {
	if x == nil || x.Nearer == nil || !slices.ContainsFunc(proc, func(p int) bool { return p != met }) {
		return 1
	}
	p, share := proc[lane], 1.0
	kind := t.KindOf[p]
	if x.Shared {
		processors, _ := distinct(proc, p)
		n, uneven := float64(processors), max(1, x.Uneven)
		for i := range x.Nearer[0] {
			b := &x.Nearer[0][i]
			here := uneven / n * (1 - b.Met)
			if b.Each != nil {
				here *= b.Each[processors]
			}
			if p == met {
				here += b.Met
			}
			if less := b.at(here, kind, t.Kinds); b.Kept != nil {
				share -= less * b.Kept[processors]
			} else if b.Last < 0 {
				share -= less/n + b.earlier(n, here-(uneven/n)*b.Dealt, kind, t.Kinds)
			} else {
				share -= less
			}
		}
		return share
	}
	for i := range x.Nearer[lane] {
		b := &x.Nearer[lane][i]
		last := met
		if b.Last >= 0 {
			last = proc[b.Last]
		}
		if last != p {
			continue
		}
		here := b.By[len(proc)+1]
		for s, part := range b.By[:len(proc)] {
			if proc[s] == p {
				here += part
			}
		}
		if p == met {
			here += b.By[len(proc)]
		}
		share -= b.at(here, kind, t.Kinds)
	}
	return share
}

// earlier is what part of its time a thread, one of so many, takes less for lines that it used not in the execution before, but in an earlier one: others
// used them since, and it used as many of the loop's other lines as come by chance in so many executions, beside such a part that is not the loop's.
func (b *Band) earlier(n, others float64, kind, kinds int) (less float64) {
	if b.Dealt == 0 || n < 2 {
		return 0
	}
	for not := 1 - 1/n; ; {
		had := not / n // then, and in no execution since
		not *= 1 - 1/n
		part := b.at((1-not)*b.Dealt+others, kind, kinds)
		if less += had * part; part == 0 || had < nothing {
			return less
		}
	}
}

// nothing is a chance that is none.
const nothing = 1e-9

// at interpolates between points.
func (b *Band) at(part float64, kind, kinds int) float64 {
	at := min(max(part, 0), 1) * Points
	k := min(int(at), Points-1)
	return b.Less[k*kinds+kind] + (at-float64(k))*(b.Less[(k+1)*kinds+kind]-b.Less[k*kinds+kind])
}

// shortest is the least that shorter can be, on a processor of a kind.
func (t *Table) shortest(x *Transfers, lane, kind int) float64 {
	share := 1.0
	if x == nil || x.Nearer == nil {
		return share
	}
	if x.Shared {
		lane = 0
	}
	for _, b := range x.Nearer[lane] {
		most := 0.0
		for i := kind; i < len(b.Less); i += t.Kinds {
			most = max(most, b.Less[i])
		}
		share -= most
	}
	return share
}

// checkNearer reports what no lane can gain.
func (t *Table) checkNearer(x *Transfers) error {
	if x.Nearer == nil {
		return nil
	}
	if len(x.Nearer) != len(x.In) {
		return fmt.Errorf("%d lanes find lines nearer, of %d", len(x.Nearer), len(x.In))
	}
	for lane, bands := range x.Nearer {
		for i := range bands {
			b := &bands[i]
			if len(b.Less) != (Points+1)*t.Kinds || slices.ContainsFunc(b.Less, func(part float64) bool { return !(part >= 0) }) {
				return fmt.Errorf("lane %d takes less by %v of its time", lane, b.Less)
			}
			if !(b.Dealt >= 0 && b.Dealt <= 1) || b.Dealt > 0 && !(x.Shared && b.Last < 0) {
				return fmt.Errorf("lane %d finds lines of any thread, %g of those in between, that lane %d used", lane, b.Dealt, b.Last)
			}
			if !(b.Met >= 0 && b.Met+b.Dealt <= 1) || b.Met > 0 && !x.Shared {
				return fmt.Errorf("lane %d has %g of the lines in between where its construct is met", lane, b.Met)
			}
			if b.Kept != nil && (!x.Shared || len(b.Kept) != len(t.KindOf)+1 || slices.ContainsFunc(b.Kept, func(part float64) bool { return !(part >= 0 && part <= 1) })) {
				return fmt.Errorf("threads of lane %d keep %v of the lines", lane, b.Kept)
			}
			if b.Each != nil && (b.Kept == nil || len(b.Each) != len(b.Kept)) {
				return fmt.Errorf("lines of lane %d have %v threads", lane, b.Each)
			}
			if b.Last < -1 || b.Last >= len(x.In) || !x.Shared && len(b.By) != len(x.In)+2 {
				return fmt.Errorf("lane %d finds nearer what lane %d of %d used", lane, b.Last, len(x.In))
			}
		}
		for k := range t.Kinds {
			if !(t.shortest(x, lane, k) > 0) {
				return fmt.Errorf("lane %d takes less by all of its time", lane)
			}
		}
	}
	return nil
}

// shorter is that of a lane of an execution under the valuer's mapping.
func (v *Valuer) shorter(region, construct, met, lane int) float64 {
	x := v.t.transfers(region, construct)
	if x == nil || x.Nearer == nil {
		return 1
	}
	proc, _ := v.placed(region, construct)
	return v.t.shorter(x, proc, met, lane)
}
