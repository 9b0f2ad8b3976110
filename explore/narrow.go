package explore

// This file leaves out ways to make loops in hardware that bounds show to be no better than others, where there are too
// many to search each: branch and bound over loops, each node of which is a search of mappings, behind a climb that
// finds what bounds are held against.

import (
	"context"
	"fmt"
	"math"
	"slices"

	"pathspan/procmodels"
)

const (
	mostNodes = 40_000 // that are valued with the default budget or more,
	climbed   = 10_000 // of which at most so many before bounds
	// nodeBudget is how many mappings a node may try with that: with more it is bounded, not solved.
	nodeBudget = 20_000
)

// delta is what a loop's designs change of a block's cost, entered from a block; -1: from any other.
type delta struct {
	function, block, from int
	by                    []float64 // by option
	least                 float64
}

// narrowing is a search of ways. Loops that are not decided on take, in each block, the least that any of their
// designs does, and nothing of the device.
type narrowing struct {
	s       *Search
	serial  int
	options [][]option
	deltas  [][]delta // by loop
	order   []int     // of the loops
	taken   int       // so many of these are decided on before anything is known: threads take iterations of them as they go
	picks   []int     // by loop: option, -1 where it is not decided
	nodes   int
	most    int             // nodes
	seen    map[string]bool // ways that were valued
	ways    []way
	front   front
	err     error
}

// way is a way to make all loops, with the least that its mappings may take.
type way struct {
	picks []option
	low   lows
}

// lows are the least that mappings may take. Where numbers of processors count there is one for each number, and none where
// those of fewer are no better.
type lows []Metrics

func (l lows) of(o Objective) float64 {
	least := math.Inf(1)
	for i := range l {
		least = min(least, l[i].of(o))
	}
	return least
}

// narrowed lists the ways that may be best, or on the front, at most so many.
func (s *Search) narrowed(serial int, options [][]option, count float64, most int) ([]making, error) {
	n := &narrowing{s: s, most: int(s.share() * mostNodes), serial: serial, options: options, seen: map[string]bool{}, front: front{of: s.objectives()}}
	for i := range options {
		n.deltas, n.picks = append(n.deltas, s.deltas(options[i])), append(n.picks, -1)
	}
	n.arrange()
	for q := range 9 { // ways to begin with, which bounds are held against
		for i := range options {
			n.picks[i] = q * (len(options[i]) - 1) / 8
		}
		n.leaf()
	}
	n.climb()
	for i := range n.picks {
		n.picks[i] = -1
	}
	whole := n.branch(0, nil, nil)
	if n.err != nil {
		return nil, n.err
	}
	// What was kept early may be no better than what was found late.
	ways := slices.DeleteFunc(n.ways, func(w way) bool { return n.worse(w.low) })
	if len(ways) == 0 && !whole {
		return nil, fmt.Errorf("none of %d ways to make loops in hardware that the budget reaches has a mapping that meets the constraints: try a larger budget, smaller factors, or another serial processor", n.nodes)
	}
	if len(ways) == 0 {
		return nil, fmt.Errorf("none of the ways to make loops in hardware has a mapping that meets the constraints: try smaller factors, or another serial processor")
	}
	if whole = whole && len(ways) <= most; !whole {
		slices.SortStableFunc(ways, func(a, b way) int { return compareFloat(a.low.of(s.Objective), b.low.of(s.Objective)) })
		ways = ways[:min(most, len(ways))]
	}
	var all [][]option
	for _, w := range ways {
		all = append(all, w.picks)
	}
	makings, err := s.priced(all)
	if whole {
		s.narrowing = fmt.Sprintf("of %s ways to make loops bounds leave %d", Count(count), len(makings))
	} else {
		s.narrowing = fmt.Sprintf("of %s ways to make loops %d are searched, as far as the budget reaches", Count(count), len(makings))
	}
	for i := range makings {
		makings[i].short = makings[i].short || !whole
	}
	return makings, err
}

func compareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// objectives are those that a way is judged by; of equal ones the smaller is better.
func (s *Search) objectives() []Objective {
	if len(s.Pareto) > 0 {
		return s.Pareto
	}
	return []Objective{s.Objective}
}

// deltas are what the designs of a loop change of what its processor takes.
func (s *Search) deltas(list []option) (all []delta) {
	base := s.e.Costs[list[0].processor]
	of := func(o *option) *procmodels.Costs {
		if o.costs == nil {
			return base
		}
		return o.costs
	}
	for f := range base.Blocks {
		for b := range base.Blocks[f] {
			was := &base.Blocks[f][b]
			froms := []int{-1}
			for i := range list {
				for _, c := range slices.Concat(was.After, of(&list[i]).Blocks[f][b].After) {
					if !slices.Contains(froms, c.Pred) {
						froms = append(froms, c.Pred)
					}
				}
			}
			for _, from := range froms {
				d := delta{function: f, block: b, from: from, least: math.Inf(1)}
				for i := range list {
					by := behind(&of(&list[i]).Blocks[f][b], from) - behind(was, from)
					d.by = append(d.by, by)
					if !list[i].left { // then nothing comes to it
						d.least = min(d.least, by)
					}
				}
				if math.IsInf(d.least, 1) {
					d.least = 0
				}
				if slices.ContainsFunc(d.by, func(by float64) bool { return by != 0 }) {
					all = append(all, d)
				}
			}
		}
	}
	return all
}

// arrange puts the loops first that decide most, by the least time with each of their designs. Before these come those that threads take
// iterations of as they go: with less to do in some of them threads may take others, and the whole more time, so that nothing
// bounds what is not decided there.
func (n *narrowing) arrange() {
	reach := make([]float64, len(n.options))
	for i := range n.options {
		low, high := math.Inf(1), 0.0
		for o := range n.options[i] {
			n.picks[i] = o
			if m, _, ok := n.value(); ok {
				x := m.of(Time)
				low, high = min(low, x), max(high, x)
			}
		}
		n.picks[i] = -1
		reach[i] = high - low
		n.order = append(n.order, i)
	}
	slices.SortStableFunc(n.order, func(a, b int) int { return compareFloat(reach[b], reach[a]) })
	slices.SortStableFunc(n.order, func(a, b int) int {
		switch {
		case n.asTheyGo(a) == n.asTheyGo(b):
			return 0
		case n.asTheyGo(a):
			return -1
		}
		return 1
	})
	for n.taken < len(n.order) && n.asTheyGo(n.order[n.taken]) {
		n.taken++
	}
}

func (n *narrowing) asTheyGo(loop int) bool {
	return slices.ContainsFunc(n.options[loop], func(o option) bool { return o.threads })
}

func (n *narrowing) chosen() (picks []option) {
	for i, o := range n.picks {
		if o >= 0 {
			picks = append(picks, n.options[i][o])
		}
	}
	return picks
}

// branch decides on the loops from the kth of the order on, and reports whether it came to the end; low and found are
// what those before leave.
func (n *narrowing) branch(k int, low lows, found []Metrics) bool {
	if k == len(n.order) {
		n.keep(low, found)
		return true
	}
	type child struct {
		option int
		low    lows
		found  []Metrics
	}
	var children []child
	i := n.order[k]
	for o := range n.options[i] {
		n.picks[i] = o
		if k < n.taken-1 {
			if n.fits() {
				children = append(children, child{option: o})
			}
		} else if low, found, ok := n.value(); ok {
			children = append(children, child{o, low, found})
		}
	}
	slices.SortStableFunc(children, func(a, b child) int { return compareFloat(a.low.of(n.s.Objective), b.low.of(n.s.Objective)) })
	whole := n.err == nil && !n.spent(n.most)
	for _, c := range children {
		if whole && (k < n.taken-1 || !n.worse(c.low)) {
			n.picks[i] = c.option
			whole = n.branch(k+1, c.low, c.found)
		}
	}
	n.picks[i] = -1
	return whole
}

// climb changes the best ways one loop at a time, as long as that finds others that nothing is better than.
func (n *narrowing) climb() {
	done := map[string]bool{}
	for n.err == nil && !n.spent(n.most*climbed/mostNodes) {
		i := slices.IndexFunc(n.front.all, func(c Candidate) bool { return !done[fmt.Sprint(c.Genes)] })
		if i < 0 {
			return
		}
		from := n.front.all[i].Genes
		done[fmt.Sprint(from)] = true
		for i := range n.picks {
			for k := range from {
				n.picks[k] = int(from[k])
			}
			for n.picks[i] = range n.options[i] {
				if n.spent(n.most) {
					return
				}
				n.leaf()
			}
		}
	}
}

// spent reports whether more than so many nodes are valued, or the time for it is over.
func (n *narrowing) spent(most int) bool { return n.nodes > most || n.s.hurried(2) }

// leaf values a way to make all loops, unless it was.
func (n *narrowing) leaf() {
	if n.seen[fmt.Sprint(n.picks)] {
		return
	}
	if low, found, ok := n.value(); ok {
		n.keep(low, found)
	}
}

// keep keeps a way to make all loops.
func (n *narrowing) keep(low lows, found []Metrics) {
	key := fmt.Sprint(n.picks)
	if n.seen[key] {
		return
	}
	n.seen[key] = true
	n.ways = append(n.ways, way{n.chosen(), low})
	for _, m := range found {
		c := Candidate{Metrics: m}
		for _, o := range n.picks {
			c.Genes = append(c.Genes, int32(o))
		}
		n.front.add(c)
	}
}

// value returns the least that a way costs of those that are left, what mappings cost that were found, which are some of a
// way where all of its loops are decided on, and whether there is one.
func (n *narrowing) value() (low lows, found []Metrics, ok bool) {
	n.nodes++
	if !n.fits() {
		return nil, nil, false
	}
	picks := n.chosen()
	area, _, _ := n.s.area(picks)
	procs := n.s.e.Processors
	procs.Costs = slices.Clone(procs.Costs)
	own := map[int]*procmodels.Costs{} // copies that are changed
	for i, list := range n.options {
		p := list[0].processor
		for _, d := range n.deltas[i] {
			by := d.least
			if n.picks[i] >= 0 {
				by = d.by[n.picks[i]]
			}
			if own[p] == nil {
				own[p] = copied(n.s.e.Costs[p])
				procs.Costs[p] = own[p]
			}
			change(&own[p].Blocks[d.function][d.block], &d, by)
		}
	}
	e, err := n.s.e.On(procs)
	if err != nil {
		n.err = err
		return nil, nil, false
	}
	making := making{e: e, area: area, bans: bansOf(picks), idle: idle(picks)}
	if n.s.buffers {
		making.taken = n.s.takenBy(picks)
	}
	pr, err := n.s.newProblem(n.serial, making)
	if err != nil {
		return nil, nil, false // a section may run nowhere
	}
	limit := n.limit(pr)
	for most := n.s.mostProcessors(); ; most-- {
		m, used := Metrics{Area: area}, 0
		for _, o := range []Objective{Time, Energy} {
			if o == Energy && !slices.Contains(n.s.objectives(), Energy) {
				continue
			}
			least, best, ok := n.s.least(pr, o, most)
			if !ok || o == Time && least > limit*(1+1e-12) { // nor is there with fewer processors
				return low, found, low != nil
			}
			if o == Time {
				m.Seconds = least
			} else {
				m.Joules = least
			}
			if best != nil && best.Seconds <= limit*(1+1e-12) {
				found = append(found, *best)
			}
			if best != nil && best.of(o) == least {
				used = max(used, min(most, best.Processors))
			} else {
				used = most
			}
		}
		if most > 0 { // with more than the best uses no mapping is better
			m.Processors, most = used, used
		}
		if low = append(low, m); most <= 1 {
			return low, found, true
		}
	}
}

// fits reports whether there is as much as the loops take that are decided on.
func (n *narrowing) fits() bool {
	_, fits, err := n.s.area(n.chosen())
	if err != nil {
		n.err = err
	}
	return fits && err == nil
}

// mostProcessors is how many mappings may use, 0 where their number does not count.
func (s *Search) mostProcessors() int {
	n := len(s.e.Platform.Processors)
	switch {
	case !s.wants(Processors):
		return 0
	case s.Constraints.MaxProcessors > 0:
		return min(n, s.Constraints.MaxProcessors)
	}
	return n
}

// limit is the longest time of mappings of the ways that are left which meet MinSpeedup, as far as it is known: what is
// sequential hangs on loops of the serial processor.
func (n *narrowing) limit(p *problem) float64 {
	for i, list := range n.options {
		if n.picks[i] < 0 && list[0].processor == n.serial {
			return math.Inf(1)
		}
	}
	return n.s.limitOf(p)
}

// copied is a copy of costs whose blocks may be changed.
func copied(c *procmodels.Costs) *procmodels.Costs {
	out := *c
	out.Blocks = slices.Clone(c.Blocks)
	for f := range out.Blocks {
		out.Blocks[f] = slices.Clone(out.Blocks[f])
	}
	return &out
}

// change adds to what a block costs, entered from a block. What it costs from any other is changed first.
func change(b *procmodels.BlockCost, d *delta, by float64) {
	if d.from < 0 {
		b.After = slices.Clone(b.After)
		b.Cycles += by
		return
	}
	i, ok := slices.BinarySearchFunc(b.After, d.from, func(c procmodels.AfterCost, pred int) int { return c.Pred - pred })
	if !ok {
		b.After = slices.Insert(slices.Clone(b.After), i, procmodels.AfterCost{Pred: d.from, Cycles: b.Cycles})
	}
	b.After[i].Cycles += by
}

// least is the least time or energy of a problem's mappings on at most so many processors, 0 for any, or a bound on it, and what the best costs that was found;
// false where none meets the constraints, but for MinSpeedup. Of tasks shorter ones may make the whole take longer, so that
// what is found of some ways bounds no others: chains and work do.
func (s *Search) least(p *problem, o Objective, most int) (low float64, best *Metrics, ok bool) {
	constraints := s.Constraints
	constraints.MinSpeedup = 0
	if most > 0 {
		constraints.MaxProcessors = most
	}
	sub := &Search{Options: Options{Technique: s.Technique, Constraints: constraints, KeepNested: s.KeepNested, Serial: s.Serial, Objective: o, Evaluations: max(1, int64(s.share()*nodeBudget)), Depths: s.Depths, Sound: s.Sound},
		e: s.e, limits: s.limits, depths: s.depths, buffers: s.buffers, tasked: s.tasked, power: s.power, problems: []*problem{p}, limit: []float64{math.Inf(1)}}
	if len(p.space.Genes) == 0 {
		m := sub.newWorker(0, 0, 1).metrics()
		return m.of(o), &m, most == 0 || m.Processors <= most
	}
	if most > 0 {
		own := *p
		if own.sets = nil; own.findSets(sub) != nil {
			return 0, nil, false
		}
		sub.problems[0] = &own
	}
	bound := func(seconds float64) float64 {
		if o == Energy {
			return s.power.Idle * seconds // and no less where processors work
		}
		return seconds
	}
	if err := sub.choose(); err != nil {
		return bound(sub.bounds().Combined), nil, true
	}
	if name := sub.choice.name; name != "exhaustive" && name != "branch-and-bound" {
		sub.choice = &algorithms[slices.IndexFunc(algorithms, func(a algorithm) bool { return a.name == "list" })]
	}
	found, err := sub.Run(context.Background())
	switch {
	case err != nil && sub.size <= float64(sub.Evaluations): // all were tried
		return 0, nil, false
	case err != nil:
		return bound(sub.bounds().Combined), nil, true
	case found.Proven && !found.Steady && !s.e.Bundle.Program.HasTasks():
		return found.Best.Metrics.of(o), &found.Best.Metrics, true
	}
	return bound(found.Bounds.Combined), &found.Best.Metrics, true
}

// worse reports whether something that was found is as good in all that counts as the least that a way costs, and
// better where that is equal: as each of these, where there are several.
func (n *narrowing) worse(low lows) bool {
	return !slices.ContainsFunc(low, func(m Metrics) bool { return !n.worseThan(&m) })
}

func (n *narrowing) worseThan(m *Metrics) bool {
	if len(n.s.Pareto) > 0 {
		return slices.ContainsFunc(n.front.all, func(c Candidate) bool {
			return n.front.dominates(&c.Metrics, m) && !n.front.dominates(m, &c.Metrics)
		})
	}
	x := m.of(n.s.Objective)
	return slices.ContainsFunc(n.front.all, func(c Candidate) bool {
		y := c.Metrics.of(n.s.Objective)
		return y < x*nearly || y <= x && (c.Metrics.Seconds < m.Seconds*nearly || c.Metrics.Seconds <= m.Seconds && c.Metrics.Area < m.Area)
	})
}
