package verify

// This file values rows with what data cost that lie elsewhere a second time: each processor has a list of what it does, one
// after the other, and all lists are worked off in steps in which nothing changes. It shares no code with package table, but
// reads what that says of the constructs: their transfers, and how processors are apart.

import (
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
)

// withMemory returns the time of the program in cycles of processor 0; false where rows hold more than sections that
// run beside each other, or stages of pipelines.
func withMemory(e *estimate.Estimator, rows *table.Table, m *mapping.Resolved) (float64, bool, error) {
	total := rows.Base[rows.KindOf[m.Serial]]
	var byStages *rowReplay
	for _, root := range rows.Roots {
		x := &memoryRow{t: rows, execution: root.Execution, serial: m.Serial}
		x.region, x.construct = rows.Construct(root.Execution)
		constructs := e.Bundle.Program.Regions[x.region].Constructs
		if rows.Tokens != nil && len(constructs) == 1 && constructs[0].Single && !x.plain() && x.stages(e.Bundle.Program, len(m.Regions[x.region].Team)) {
			if byStages == nil {
				byStages = newRowReplay(e, rows, m)
			}
			takes, err := byStages.takes(root.Execution, &carrier{rows, m})
			if err != nil {
				return 0, false, err
			}
			total += root.Weight * takes
			continue
		}
		for _, c := range constructs {
			if c.Loop != nil || c.NoWait {
				return 0, false, nil
			}
		}
		if !x.plain() || x.transfers().Inside != nil {
			return 0, false, nil
		}
		x.proc, _ = rows.Placed(&m.Regions[x.region], x.region, x.construct)
		total += root.Weight * x.time()
	}
	return total, true, nil
}

// memoryRow is a row under a mapping.
type memoryRow struct {
	t                 *table.Table
	execution, serial int
	region, construct int
	proc              []int
}

// plain reports whether sections hold no regions, locks or tasks.
func (x *memoryRow) plain() bool {
	regions, other := 0, false
	walked := x.t.Walk(x.execution, nil, func(s table.Step) {
		switch s.Mark {
		case ir.RegionBegin:
			regions++
		case ir.SectionBegin, ir.SectionEnd, ir.RegionEnd:
		default:
			other = true
		}
	})
	return walked && regions == 1 && !other
}

// stages reports whether a row makes no tasks but stages of pipelines, and waits for nothing else. Regions inside stay on
// their threads only where a team executes the stages: elsewhere they may be shared out, and bring in what replay is not told of.
func (x *memoryRow) stages(p *ir.Program, team int) bool {
	regions, other := 0, false
	walked := x.t.Walk(x.execution, nil, func(s table.Step) {
		switch s.Mark {
		case ir.TaskBegin:
			at, _ := p.StageOf(s.Construct)
			other = other || at < 0 || s.Section != 0
		case ir.LockTaken, ir.AtomicUpdate:
			other = true
		case ir.RegionBegin:
			regions++
		}
	})
	return walked && !other && (regions == 1 || team > 1 && x.t.MakesTasks(x.execution))
}

// stint is something that a processor does: for a time, or until bytes have moved.
type stint struct {
	left  float64
	links []int // nil for a time
}

func (x *memoryRow) time() float64 {
	t, runs := x.t, x.t.Runs(x.execution)
	work := make([]float64, len(t.KindOf))
	takesPart := make([]bool, len(t.KindOf))
	forks := false
	for s, p := range x.proc {
		if own, reached := t.Alone(x.execution, s, t.KindOf[p]); reached {
			work[p], takesPart[p] = work[p]+own, true
			forks = forks || p != x.serial
		}
	}
	if forks {
		for s, p := range x.proc {
			own, _ := t.Alone(x.execution, s, t.KindOf[p])
			work[p] -= own * x.saved(s)
		}
	}
	edges := table.Edges{Fork: true, Join: true}
	if t.Edges != nil {
		edges = t.Edges[x.region][x.construct]
	}
	if !forks {
		if edges.Fork {
			return work[x.serial] + runs*t.TeamOfOne[x.serial]
		}
		return work[x.serial]
	}
	lists := make([][]stint, len(t.KindOf))
	for p := range lists {
		if takesPart[p] {
			before, in, out := x.moves(p)
			lists[p] = slices.Concat([]stint{{left: t.Create[p]}}, in, []stint{{left: before}})
			for i := range out {
				out[i].left *= runs
			}
			for i := range lists[p] {
				lists[p][i].left *= runs
			}
			lists[p] = slices.Concat(lists[p], []stint{{left: work[p]}}, out, []stint{{left: t.Sync[p] * runs}})
		}
	}
	around := 0.0
	for _, y := range []struct {
		there bool
		cost  []float64
	}{{edges.Fork, t.Fork}, {edges.Join, t.Join}, {!edges.Join && edges.Barrier, t.Barrier}} {
		if y.there {
			around += y.cost[x.serial]
		}
	}
	around += float64(edges.Reductions) * t.Reduction[x.serial]
	return max(x.workedOff(lists), x.busiest(runs)) + runs*(around+x.back())
}

// transfers are those of the row's construct, of nothing where there are none.
func (x *memoryRow) transfers() *table.Transfers {
	if x.t.Transfers == nil || x.t.Transfers[x.region][x.construct] == nil {
		return &table.Transfers{}
	}
	return x.t.Transfers[x.region][x.construct]
}

// apart is what a processor waits for what lies with another.
func (x *memoryRow) apart(c table.Crossing, from, to int) float64 {
	return (&carrier{t: x.t}).apart(c, from, to)
}

// saved is what part of its time a section saves as some of what lies between uses of its lines is on other processors.
func (x *memoryRow) saved(s int) (sum float64) {
	f := x.transfers()
	if f.Nearer == nil {
		return 0
	}
	p, n := x.proc[s], len(x.proc)
	for _, b := range f.Nearer[s] {
		on := append(slices.Clone(x.proc), x.serial) // of lanes, and of what runs where the construct is met
		last := on[n]
		if b.Last >= 0 {
			last = on[b.Last]
		}
		if last != p {
			continue
		}
		here := b.By[n+1]
		for i, q := range on {
			if q == p {
				here += b.By[i]
			}
		}
		at := table.Points * max(0, min(1, here))
		less := func(point float64) float64 { return b.Less[int(point)*x.t.Kinds+x.t.KindOf[p]] }
		low, high := math.Floor(at), math.Ceil(at)
		sum += less(low)*(1-(at-low)) + less(high)*(at-low)
	}
	return sum
}

// moves is what a processor waits before its sections, and what it copies in and out.
func (x *memoryRow) moves(p int) (before float64, in, out []stint) {
	f := x.transfers()
	crowded := map[int]bool{}
	for s, q := range x.proc {
		if s < len(f.Crowd) && f.Crowd[s] != nil && q != p && x.t.Near[q][p] {
			crowded[q] = true
		}
	}
	for s, q := range x.proc {
		if q != p || s >= len(f.In) {
			continue
		}
		before += x.apart(f.In[s], x.serial, p)
		for _, b := range f.Between {
			switch {
			case b.To != s || b.Via == table.WhereMet && p == x.serial || b.Via >= 0 && x.proc[b.Via] == p: // it is there
			case b.From == table.Anywhere:
				for q := range x.t.KindOf {
					before += x.apart(b.Crossing, q, p) / float64(len(x.t.KindOf))
				}
			case b.From == table.WhereMet:
				before += x.apart(b.Crossing, x.serial, p)
			default:
				before += x.apart(b.Crossing, x.proc[b.From], p)
			}
		}
		for q := range x.t.KindOf {
			if len(f.Among) > 0 {
				before += x.apart(f.Among[s], q, p) / float64(len(x.t.KindOf))
			}
		}
		before += x.beside(s)
		if n := len(crowded); n > 0 && f.Crowd[s] != nil {
			before += f.Crowd[s][n*x.t.Kinds+x.t.KindOf[p]]
		}
		if f.Copies == nil {
			continue
		}
		way := &x.t.Links.Route[x.serial][p]
		switch {
		case len(way.Links) == 0:
		case way.Remote:
			slowest := math.Inf(1)
			for _, i := range way.Links {
				slowest = min(slowest, x.t.Links.Rate[i])
			}
			before += f.Copies.Accesses[s]*way.Latency + f.Copies.Bytes[s]/slowest
		default:
			if bytes := f.Copies.In[s]; bytes > 0 {
				in = append([]stint{{left: way.Latency}}, append(in, stint{bytes, way.Links})...)
			}
			if bytes := f.Copies.Out[s]; bytes > 0 {
				out = append([]stint{{left: way.Latency}}, append(out, stint{bytes, way.Links})...)
			}
		}
	}
	return before, in, out
}

// beside is what a section waits for lines that others use meanwhile: on average over those of each other processor, or over as many as are on its
// own where these are more, and no more than its uses are.
func (x *memoryRow) beside(s int) float64 {
	f, p := x.transfers(), x.proc[s]
	waits, at, mine := 0.0, 0.0, 0
	for k := range f.In {
		if x.proc[k] == p {
			mine++
		}
	}
	for q := range x.t.KindOf {
		n, of := 0, 0.0
		for k := range f.In {
			if x.proc[k] != q {
				continue
			}
			n++
			for _, b := range f.Beside {
				if b.From == k && b.To == s {
					of += x.apart(b.Crossing, q, p)
					at = max(at, x.apart(f.Most[s], q, p))
				}
			}
		}
		if n > 0 {
			waits += of / math.Max(float64(n), float64(mine))
		}
	}
	return min(waits, at)
}

// back is what the serial processor waits for what the others wrote.
func (x *memoryRow) back() (sum float64) {
	for s, c := range x.transfers().Out {
		sum += x.apart(c, x.proc[s], x.serial)
	}
	return sum
}

// busiest is what main memory, or the busiest link, needs for all accesses that go there.
func (x *memoryRow) busiest(runs float64) float64 {
	f, t := x.transfers(), x.t
	main := 0.0
	for s, p := range x.proc {
		if own, _ := t.Alone(x.execution, s, t.KindOf[p]); f.Bus != nil {
			main += own * f.Bus[s*t.Kinds+t.KindOf[p]]
		}
	}
	if f.Copies == nil {
		return main
	}
	for i, rate := range t.Links.Rate {
		bytes := 0.0
		for s, p := range x.proc {
			if way := &t.Links.Route[x.serial][p]; way.Remote && slices.Contains(way.Links, i) {
				bytes += f.Copies.Bytes[s]
			}
		}
		main = max(main, runs*bytes/rate)
	}
	return main
}

// workedOff returns when all lists are.
func (x *memoryRow) workedOff(lists [][]stint) (now float64) {
	for {
		users := map[int]float64{}
		for p := range lists {
			for len(lists[p]) > 0 && lists[p][0].left <= 0 {
				lists[p] = lists[p][1:]
			}
			if len(lists[p]) > 0 {
				for _, i := range lists[p][0].links {
					users[i]++
				}
			}
		}
		speed := make([]float64, len(lists))
		step, first := math.Inf(1), -1
		for p, list := range lists {
			if len(list) == 0 {
				continue
			}
			speed[p] = 1
			if list[0].links != nil {
				speed[p] = math.Inf(1)
				for _, i := range list[0].links {
					speed[p] = min(speed[p], x.t.Links.Rate[i]/users[i])
				}
			}
			if y := list[0].left / speed[p]; y < step {
				step, first = y, p
			}
		}
		if first < 0 {
			return now
		}
		now += step
		for p, list := range lists {
			if len(list) > 0 {
				list[0].left -= step * speed[p]
			}
		}
		lists[first][0].left = 0
	}
}
