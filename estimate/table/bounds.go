package table

// This file finds lower bounds on the time of any candidate of a space. Each bound is
// taken row by row and then averaged, so that rows that are slow for different
// reasons each count with their own.

import (
	"math"
	"slices"
)

// Bounds are lower bounds on Fast.Seconds over all candidates whose sections stay on the
// allowed processors.
type Bounds struct {
	// Critical is the critical path: every section on its fastest processor, none
	// waiting for another.
	Critical float64
	// Capacity is work over capacity: every section may be split over all processors.
	Capacity float64
	// Combined takes the larger of both for each row, with overheads.
	Combined float64
}

// Bounds returns the lower bounds where gene i may have the values allowed[i]; nil stands
// for all of them.
//
// For the sections s of a construct in one row and processors p, any weights y of sum 1
// give a bound on the last end, since the largest of the loads is no less than their mean
// with these weights: sum over s of the least y(p)*t(s,p) (the dual of the linear
// relaxation of scheduling on unrelated machines, Lenstra, Shmoys and Tardos). Equal
// weights divide the least work by the number of processors; weights in proportion to
// speed divide the work by the capacity of uniform machines. The larger one counts.
func (s *Space) Bounds(allowed [][]int32) Bounds {
	x := s.BaseSeconds()
	b := Bounds{x, x, x}
	for u := range s.Units {
		x := s.UnitBounds(u, allowed)
		b.Critical += x.Critical
		b.Capacity += x.Capacity
		b.Combined += x.Combined
	}
	return b
}

// UnitBounds returns the bounds of one unit. Those of a general one hold for any processors.
func (s *Space) UnitBounds(unit int, allowed [][]int32) Bounds {
	if s.Units[unit].General {
		return s.generalBounds(unit)
	}
	if s.Units[unit].Loop {
		return s.loopBounds(unit, allowed)
	}
	u, t := &s.Units[unit], s.flat(unit)
	kinds := s.t.Kinds
	may := make([][]bool, u.Count) // [section][kind]
	used := make([]bool, len(s.extra))
	rest := true // all of it may stay with the serial processor
	for i := range may {
		may[i] = make([]bool, kinds)
		serial := false
		s.values(allowed, u.First+i, func(p int) {
			may[i][s.t.KindOf[p]] = true
			used[p] = true
			serial = serial || p == s.Serial
		})
		rest = rest && serial
	}
	processors := make([]float64, kinds) // by kind: how many
	least := math.Inf(1)                 // overhead
	for p, yes := range used {
		if yes {
			processors[s.t.KindOf[p]]++
			least = min(least, s.extra[p])
		}
	}
	var out Bounds
	spread, alone := s.t.outside(t, s.Serial)
	whole, combined := alone*t.ran, spread*t.ran
	work := make([]float64, kinds)
	for r, w := range t.weight {
		critical, onSerial := 0.0, 0.0
		for k := range work {
			work[k] = 0
			for i := range may {
				work[k] += t.column(k, i)[r]
			}
		}
		for i := range may {
			fastest := math.Inf(1)
			for k, yes := range may[i] {
				if yes {
					fastest = min(fastest, t.atLeast(k, i)[r])
				}
			}
			critical = max(critical, fastest)
			onSerial += t.column(s.t.KindOf[s.Serial], i)[r]
		}
		capacity := 0.0
		for _, bySpeed := range []bool{false, true} {
			capacity = max(capacity, s.dual(t, r, may, processors, work, bySpeed))
		}
		out.Critical += w * critical
		out.Capacity += w * capacity
		combined += w * (max(critical, capacity) + least*t.runs[r])
		whole += w * onSerial
	}
	out.Combined = combined
	if rest {
		out.Combined = min(combined, whole)
		out.Critical, out.Capacity = min(out.Critical, whole), min(out.Capacity, whole)
	}
	return Bounds{out.Critical * s.seconds, out.Capacity * s.seconds, out.Combined * s.seconds}
}

// dual is the bound of one row with weights that are equal, or by speed: how fast a kind
// does all of the row's work.
func (s *Space) dual(t *stage, r int, may [][]bool, processors, work []float64, bySpeed bool) float64 {
	total := 0.0
	weight := func(k int) float64 {
		switch {
		case !bySpeed:
			return 1
		case work[k] > 0:
			return 1 / work[k]
		}
		return 0
	}
	for k, n := range processors {
		total += n * weight(k)
	}
	if !(total > 0) || math.IsInf(total, 0) {
		return 0
	}
	bound := 0.0
	for i := range may {
		best := math.Inf(1)
		for k, yes := range may[i] {
			if yes {
				best = min(best, weight(k)*t.atLeast(k, i)[r])
			}
		}
		bound += best
	}
	return bound / total
}

func (s *Space) values(allowed [][]int32, gene int, visit func(v int)) {
	if allowed != nil && allowed[gene] != nil {
		for _, v := range allowed[gene] {
			visit(int(v))
		}
		return
	}
	for v := range s.Genes[gene].Values {
		visit(v)
	}
}

// generalBounds bounds constructs with others inside, row by row: no path through sections
// and what they execute is shorter than with each piece of work on its fastest processor,
// and all that work takes no less than shared evenly. Rows that say only on average what is
// inside are no shorter than either, since no processor works for longer than they take.
func (s *Space) generalBounds(unit int) Bounds {
	s.bounded[unit].Do(func() { s.lows[unit] = s.boundGeneral(unit) })
	return s.lows[unit]
}

func (s *Space) boundGeneral(unit int) (out Bounds) {
	chains := s.chains()
	for _, i := range s.parts[unit] {
		u := &s.t.stages[i]
		for row, root := range u.rows {
			critical, work := s.leastWith(&chains, s.t.Roots[root].Execution)
			capacity := work / float64(len(s.extra))
			out.Critical += u.weight[row] * critical * s.seconds
			out.Capacity += u.weight[row] * capacity * s.seconds
			out.Combined += u.weight[row] * max(critical, capacity) * s.seconds
		}
	}
	return out
}

// least returns the least time and the least work that an execution can have. Recursions
// on average count as nothing inside themselves.
func (t *Table) least(execution int) (critical, work float64) {
	e := &t.executions[execution]
	if t.makes[execution] || e.role != NoTask {
		return t.leastOfTasks(&t.fastest, execution)
	}
	var x *Transfers
	if e.ofConstruct() {
		x = t.transfers(int(e.region), int(e.construct))
	}
	for _, c := range t.competes(execution) {
		critical = max(critical, t.leastOfLoop(c, x))
	}
	for l := e.first; l < e.first+e.lanes; l++ {
		lane, told := 0.0, slices.ContainsFunc(t.competes(execution), func(c *Chunks) bool { return c.has(int(l - e.first)) })
		for i := t.lanes[l].first; i < t.lanes[l].first+t.lanes[l].parts; i++ {
			own := math.Inf(1)
			for k := range t.Kinds {
				own = min(own, t.own[int(i)*t.Kinds+k]*t.shortest(x, int(l-e.first), k))
			}
			p := t.parts[i]
			one, all := own, own
			if p.set >= 0 && !t.cyclic[p.set] {
				one, all = own+t.leastOf[2*p.set], own+t.leastOf[2*p.set+1]
			}
			lane += p.times * one
			work += p.times * all
		}
		if !told {
			critical = max(critical, lane)
		}
	}
	return critical, work
}

// leastOfLoop is no longer than some iteration of a loop that is played chunk by chunk: an even share of its piece.
func (t *Table) leastOfLoop(c *Chunks, x *Transfers) (longest float64) {
	for i, piece := range c.Piece {
		critical, share := t.fastest.lane(t.executions[piece].first, false).all, 1.0
		for thread := range c.Threads {
			for k := range t.Kinds {
				share = min(share, t.shortest(x, c.Lane+thread, k))
			}
		}
		longest = max(longest, critical*share/float64(c.end(i)-c.Begin[i]))
	}
	return longest
}

// leastOfTasks is least of an execution whose lanes make tasks: the longest chain with each
// piece of work on its fastest processor.
func (t *Table) leastOfTasks(chains *spans, execution int) (critical, work float64) {
	e := &t.executions[execution]
	for l := e.first; l < e.first+e.lanes; l++ {
		critical = math.Max(critical, chains.lane(l, t.asks[execution]).all)
		for i := t.lanes[l].first; i < t.lanes[l].first+t.lanes[l].parts; i++ {
			all := chains.own(int(i))
			if set := t.parts[i].set; set >= 0 {
				all += t.leastOf[2*set+1]
			}
			work += t.parts[i].times * all
		}
	}
	return critical, work
}

// findLeast fills least of the sets, inner ones first.
func (t *Table) findLeast(order [][]int) {
	t.leastOf = make([]float64, 2*len(t.sets))
	t.fastest = spans{t: t, known: map[int]chain{}, own: func(part int) float64 {
		return slices.Min(t.own[part*t.Kinds : (part+1)*t.Kinds])
	}, set: func(set int) float64 { return t.leastOf[2*set] }}
	for _, component := range order {
		for _, s := range component {
			if t.cyclic[s] {
				continue
			}
			for k, x := range t.sets[s].Executions {
				critical, work := t.least(x)
				t.leastOf[2*s] += t.sets[s].Shares[k] * critical
				t.leastOf[2*s+1] += t.sets[s].Shares[k] * work
			}
		}
	}
}
