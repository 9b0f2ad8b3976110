package explore

// This file lists the ways in which a worksharing loop may share its iterations that a search
// tries: schedules and chunks, the processors of its team, and shares by speed.

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/mapping/loops"
)

// teams are the sets of processors that loops may run on, with one serial processor.
type teams struct {
	s      *Search
	e      *estimate.Estimator
	serial int
	all    [][]int // each with the serial processor first, then in their order behind it
	short  bool    // some are left out
}

// mostTeams is the most sets of processors that are tried, mostChunks the most lengths of
// chunks of one schedule.
const (
	mostTeams  = 64
	mostChunks = 8
)

// newTeams lists the teams: one of each sort where processors are alike, all sets of
// processors where it matters which of them are used. Where those are too many, they are the
// fastest processors, and each by itself.
func (s *Search) newTeams(e *estimate.Estimator, serial int) *teams {
	t := &teams{s: s, e: e, serial: serial}
	n := len(s.e.Platform.Processors)
	var may []int // from the serial processor on, as OpenMP numbers its threads
	for i := range n {
		if p := (serial + i) % n; !s.limits.never[p] {
			may = append(may, p)
		}
	}
	alike := func(i, j int) bool {
		return i != serial && j != serial && !s.tellsApart() && s.equal(e, i, j)
	}
	for team := range sorts(may, len(may), alike) {
		if len(t.all) > mostTeams {
			break
		}
		if len(team) > 0 {
			t.all = append(t.all, team)
		}
	}
	if len(t.all) <= mostTeams {
		return t
	}
	t.all, t.short = nil, true
	fast := slices.Clone(may)
	slices.SortStableFunc(fast, func(p, q int) int { return cmp.Compare(s.e.ClockMHz[q], s.e.ClockMHz[p]) })
	for k := range may {
		if k > 0 {
			t.add(fast[:k+1])
		}
		t.add(may[k : k+1])
	}
	return t
}

// sorts gives the sets of up to so many of the processors, one of each sort where some are
// alike: of those one is in only with all before it.
func sorts(processors []int, most int, alike func(p, q int) bool) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		var grow func(at int, team []int) bool
		grow = func(at int, team []int) bool {
			if at == len(processors) {
				return yield(slices.Clone(team))
			}
			p := processors[at]
			out := func(q int) bool { return alike(p, q) && !slices.Contains(team, q) }
			if len(team) < most && !slices.ContainsFunc(processors[:at], out) && !grow(at+1, append(team, p)) {
				return false
			}
			return grow(at+1, team)
		}
		grow(0, nil)
	}
}

// add adds a team in the order of its threads.
func (t *teams) add(processors []int) {
	n := len(t.s.e.Platform.Processors)
	team := slices.Clone(processors)
	slices.SortFunc(team, func(p, q int) int { return cmp.Compare((p-t.serial+n)%n, (q-t.serial+n)%n) })
	t.all = append(t.all, team)
}

// tellsApart reports whether it matters which of equal processors a loop runs on.
func (s *Search) tellsApart() bool {
	return s.counts() && (len(s.limits.pin) > 0 || len(s.limits.forbid) > 0 || s.limits.tied)
}

// ways lists the ways in which a loop may share its iterations, beside that of its clause.
func (t *teams) ways(rows *table.Table, region, construct int) []table.Way {
	e := t.e
	c := &e.Bundle.Program.Regions[region].Constructs[construct]
	said := table.Way{LoopMap: *mapping.ClauseOf(c.Loop)}
	n := t.iterations(region, construct)
	var out []table.Way
	for _, team := range t.all {
		if len(team) == 1 {
			out = append(out, said.Alone(team[0]))
			continue
		}
		work := func(p int) float64 { return rows.Work(region, construct, rows.KindOf[p]) }
		orders := [][]int{team}
		if slices.ContainsFunc(team, func(p int) bool { return work(p) != work(team[0]) }) {
			// Which processor gets which part of the loop matters.
			fast := slices.Clone(team)
			slices.SortStableFunc(fast, func(p, q int) int { return cmp.Compare(work(p), work(q)) })
			slow := slices.Clone(fast)
			slices.Reverse(slow)
			for _, order := range [][]int{fast, slow} {
				if !slices.ContainsFunc(orders, func(o []int) bool { return slices.Equal(o, order) }) {
					orders = append(orders, order)
				}
			}
		}
		add := func(s loops.Schedule, processors []int, shares []float64) {
			out = append(out, table.Way{LoopMap: mapping.LoopMap{Schedule: s.Clause(c.Loop.Ordered), Threads: len(team), Shares: shares}, Processors: processors})
		}
		all := said
		all.Threads, all.Processors = len(team), team
		out = append(out, all)
		for _, order := range orders {
			add(loops.Schedule{}, order, nil)
			if len(orders) > 1 {
				add(loops.Schedule{}, order, speeds(order, work))
			}
		}
		if !t.s.Technique.Entry().Executions {
			continue // what is known of iterations is their sum
		}
		for _, kind := range []loops.Kind{loops.Static, loops.Dynamic, loops.Guided} {
			for _, chunk := range chunks(n / int64(len(team))) {
				add(loops.Schedule{Kind: kind, Chunk: chunk}, team, nil)
			}
		}
	}
	return out
}

// iterations is how many iterations a loop has at most in the executions that are kept.
func (t *teams) iterations(region, construct int) int64 {
	most := 0.0
	if x := t.s.e.Bundle.Executions; x != nil {
		for i := range x.Entries {
			if e := &x.Entries[i]; e.Region == region && e.Construct == construct && len(e.Lanes) > 1 {
				most = max(most, e.Iterations())
			}
		}
	}
	return int64(math.Round(most))
}

// chunks lists powers of two up to a length, the longest and 1 among them.
func chunks(longest int64) []int64 {
	powers := 0
	for longest>>powers > 1 {
		powers++
	}
	n := min(powers+1, mostChunks)
	var out []int64
	for i := range n {
		at := 0
		if n > 1 {
			at = (i*powers + (n-1)/2) / (n - 1)
		}
		out = append(out, 1<<at)
	}
	return out
}

// speeds are shares in proportion to how fast processors are, in four digits, the fastest
// one's 1.
func speeds(processors []int, work func(p int) float64) []float64 {
	least := math.Inf(1)
	for _, p := range processors {
		least = min(least, work(p))
	}
	out := make([]float64, len(processors))
	for i, p := range processors {
		out[i] = 1
		if x := work(p); x > 0 && least > 0 {
			out[i] = math.Max(1, math.Round(1e4*least/x)) / 1e4
		}
	}
	return out
}

// different lists the ways of a loop that the constraints allow, but for those that take
// about what an earlier one takes on the same processors: clauses come first, then what is
// simpler.
func (s *Search) different(m *making, space *table.Space, gene int) []int32 {
	const equal = 1e-4 // relative: less is not worth another schedule
	var out []int32
	for v := range int32(space.Genes[gene].Values) {
		w := space.Way(gene, v)
		g := &space.Genes[gene]
		if slices.ContainsFunc(w.Processors, func(p int) bool { return s.limits.never[p] || !m.may(section{g.Region, g.Construct, 0}, p) }) || m.e.RoomForLoop(g.Region, g.Construct, w.Processors) != nil {
			continue
		}
		x := space.Takes(gene, v)
		same := func(o int32) bool {
			return math.Abs(space.Takes(gene, o)-x) <= equal*x && sameSet(space.Way(gene, o).Processors, w.Processors)
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, v)
		}
	}
	return out
}

func sameSet(a, b []int) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(p int) bool { return !slices.Contains(b, p) })
}
