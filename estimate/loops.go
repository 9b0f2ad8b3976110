package estimate

// This file shares the iterations of worksharing loops among threads: a row's lanes are what
// the threads of a team execute. So rows are made for one way of sharing, and a mapping that
// shares loops in another way has rows of its own.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// Setting is what rows are made for: the processor of what is outside of sections, and how
// worksharing loops share their iterations.
type Setting struct {
	Serial  int
	loops   [][]*sharing // by region and construct; nil for sections
	key     string       // tells settings apart that share loops in other ways
	divided bool         // each block of iterations is a lane of its own, as far as that says
}

// Divided is the setting in which loops have as many threads as they can use: what bounds
// every way of sharing them.
func (e *Estimator) Divided(serial int) Setting {
	in := settingOf(mapping.DefaultFrom(e.Platform, serial, e.Bundle.Program))
	if in.key != "" {
		in.divided, in.key = true, "divided"
	}
	return in
}

// divisions is into how many lanes loops are divided where they are divided as far as it goes.
const divisions = 256

// divide spreads time over lanes that take no more than longest.
func divide(own []float64, longest float64, most int) [][]table.Part {
	if longest <= 0 {
		return [][]table.Part{{{Set: -1, Own: own}}}
	}
	n := int(math.Ceil(math.Min(float64(most), slices.Max(own)/longest) - 1e-9))
	part := table.Part{Set: -1}
	for _, x := range own {
		part.Own = append(part.Own, x/float64(max(1, n)))
	}
	return slices.Repeat([][]table.Part{{part}}, max(1, n))
}

// lanes are the blocks of a loop, with what is executed in them, each a lane of its own.
// Blocks that are time alone are divided as the longest of them.
func (b *blocks) lanes(kinds int) [][]table.Part {
	var out [][]table.Part
	rest, longest := make([]float64, kinds), 0.0
	for i := 1; i < len(b.at); i++ {
		own := make([]float64, kinds)
		for k := range own {
			own[k] = b.own[k][i] - b.own[k][i-1]
		}
		var inside []table.Part
		for s, all := range b.inside {
			if times := all[i] - all[i-1]; times > 0 {
				inside = append(inside, table.Part{Set: s, Times: times, Own: make([]float64, kinds)})
			}
		}
		if inside != nil {
			slices.SortFunc(inside, func(p, q table.Part) int { return p.Set - q.Set })
			out = append(out, append(inside, table.Part{Set: -1, Own: own}))
			continue
		}
		add(rest, own, 1)
		longest = math.Max(longest, slices.Max(own)/float64(b.at[i]-b.at[i-1]))
	}
	if slices.Max(rest) > 0 || out == nil {
		out = append(out, divide(rest, longest, divisions)...)
	}
	// All executions of a construct have as many lanes.
	lanes := make([][]table.Part, divisions)
	for i, parts := range out {
		lanes[i%divisions] = append(lanes[i%divisions], parts...)
	}
	for i := len(out); i < divisions; i++ {
		lanes[i] = []table.Part{{Set: -1, Own: make([]float64, kinds)}}
	}
	return lanes
}

// sharing is how a loop shares its iterations, and the processors of its threads.
type sharing struct {
	*mapping.LoopMap
	processors []int
}

// settingOf is the setting of a mapping.
func settingOf(m *mapping.Resolved) Setting {
	in := Setting{Serial: m.Serial, loops: make([][]*sharing, len(m.Regions))}
	var key strings.Builder
	for r := range m.Regions {
		rm := &m.Regions[r]
		in.loops[r] = make([]*sharing, len(rm.Proc))
		for c, l := range rm.Loops {
			if l == nil {
				continue
			}
			in.loops[r][c] = &sharing{l, rm.Proc[c][:l.Threads]}
			fmt.Fprintf(&key, "%d %d %v %v %v %v\n", r, c, l.Schedule, l.Computed, l.Shares, in.loops[r][c].processors)
		}
	}
	in.key = key.String()
	return in
}

// loop returns how a construct shares its iterations, nil for sections.
func (in *Setting) loop(region, construct int) *sharing { return in.loops[region][construct] }

// evenly shares what a loop's iterations take among its threads, where all that is known of
// them is their sum. Each thread asks for as many chunks.
func evenly(lanes [][]table.Part, l *sharing, asks float64) [][]table.Part {
	whole := lanes[0]
	for t := range l.Threads {
		share := l.Part(t)
		lanes[t] = nil
		for _, p := range whole {
			q := table.Part{Set: p.Set, Times: p.Times * share}
			for _, own := range p.Own {
				// The time of a part is spent as often as what is behind it is executed.
				if p.Set < 0 {
					own *= share
				}
				q.Own = append(q.Own, own)
			}
			lanes[t] = append(lanes[t], q)
		}
		if asks > 0 {
			lanes[t] = append(lanes[t], table.Part{Own: make([]float64, len(whole[0].Own)), Set: -1, Asks: asks})
		}
	}
	return lanes
}

// iterations is how many a loop has on average, where the profile keeps executions; else 0.
func (e *Estimator) iterations(region, construct int) int {
	if e.Bundle.Executions == nil {
		return 0
	}
	n, count := 0.0, 0.0
	for i := range e.Bundle.Executions.Entries {
		if x := &e.Bundle.Executions.Entries[i]; x.Loop && x.Region == region && x.Construct == construct {
			n, count = n+float64(x.Count)*x.Iterations(), count+float64(x.Count)
		}
	}
	if count == 0 {
		return 0
	}
	return int(math.Max(1, math.Min(n/count, 1<<30)))
}

// blocks are iterations of a loop in their order: the time of each block, and what is
// executed inside, as curves over iterations.
type blocks struct {
	n      int64
	at     []int64
	own    [][]float64       // by kind: cumulated time of its own, at each cut point
	inner  [][]float64       // by kind: that of what is executed inside, on one processor
	inside map[int][]float64 // by set: how often it was executed, cumulated
	turns  []float64         // ordered parts, cumulated; nil where there are none
	inTurn [][]float64       // by kind: of its own time what they take, cumulated
	lock   int               // that stands for them
}

// loop returns what the threads of a team do in the executions of an entry.
func (m *executionRows) loop(x *profile.Execution, longer float64, inside func(entry int) int, l *sharing, clock []float64) [][]table.Part {
	b := m.blocksOf(x, longer, inside)
	if m.in.divided {
		return b.lanes(len(m.e.kinds))
	}
	lanes := make([][]table.Part, len(m.e.Bundle.Program.Regions[x.Region].Constructs[x.Construct].Sections))
	parts := b.sharedAmong(m, l, x.Chunk(), inside, clock)
	copy(lanes, parts)
	return lanes
}

// blocksOf cumulates the blocks of an entry.
func (m *executionRows) blocksOf(x *profile.Execution, longer float64, inside func(entry int) int) *blocks {
	type piece struct {
		blocks float64
		own    []float64
		inner  []float64
		sets   map[int]float64
		turns  float64
		inTurn []float64
	}
	kinds := len(m.e.kinds)
	var pieces []piece
	nothing := func() piece {
		return piece{own: make([]float64, kinds), inner: make([]float64, kinds), inTurn: make([]float64, kinds)}
	}
	some, lock := false, 0
	now := nothing()
	total := 0.0
	for i := range x.Lanes[0] {
		p := &x.Lanes[0][i]
		own, work := make([]float64, kinds), m.work(p)
		for k := range own {
			for w, price := range m.prices[k][x.Region][x.Construct][0] {
				own[k] += price * work[w]
			}
			own[k] *= longer
		}
		times := float64(p.Times)
		switch {
		case p.Entry < 0:
			add(now.own, own, times)
		case m.x.Entries[p.Entry].OfTasks: // time of the iteration that makes them
			add(now.own, own, times)
			add(now.own, m.taskAlone(p.Entry, owner{x.Region, x.Construct, 0, -1}), times*longer)
		case m.ordered(p.Entry):
			in := laneOf{x.Region, x.Construct, 0}
			m.balance(own, p.Entry, in, longer)
			add(now.own, own, times)
			add(now.own, m.aloneIn(p.Entry, in), times*longer)
			add(now.inTurn, m.aloneIn(p.Entry, in), times*longer)
			now.turns += times
			some, lock = true, m.x.Entries[p.Entry].Construct
		case !m.x.EndsBlock(p):
			add(now.own, own, times)
			if now.sets == nil {
				now.sets = map[int]float64{}
			}
			if in := (laneOf{x.Region, x.Construct, 0}); m.locked(p.Entry) {
				now.sets[m.set(stretchKey{p.Entry, in, longer, 1}, inside)] += times
				before := slices.Clone(own)
				m.balance(before, p.Entry, in, longer)
				for k := range own {
					now.own[k] += (before[k] - own[k]) * times
				}
			} else {
				now.sets[m.builder.Only(inside(p.Entry))] += times
			}
			add(now.inner, m.aloneIn(p.Entry, laneOf{x.Region, x.Construct, 0}), times*longer)
		default:
			// What was executed before belongs to the first of the blocks.
			first := 1.0
			if !m.executesRegions(now.sets) { // what is done under locks is spread evenly
				first = times
			}
			add(now.own, own, first)
			now.blocks = first
			pieces = append(pieces, now)
			if first < times {
				rest := nothing()
				rest.blocks = times - 1
				add(rest.own, own, times-1)
				pieces = append(pieces, rest)
			}
			total += times
			now = nothing()
		}
	}
	if n := len(pieces) - 1; n >= 0 { // behind the last block, or in place of all
		add(pieces[n].own, now.own, 1)
		add(pieces[n].inner, now.inner, 1)
		add(pieces[n].inTurn, now.inTurn, 1)
		pieces[n].turns += now.turns
		for s, t := range now.sets {
			if pieces[n].sets == nil {
				pieces[n].sets = map[int]float64{}
			}
			pieces[n].sets[s] += t
		}
	} else {
		now.blocks, total = 1, 1
		pieces = append(pieces, now)
	}
	b := &blocks{n: int64(math.Max(1, math.Round(x.Iterations()))), at: []int64{0}, own: make([][]float64, kinds), inner: make([][]float64, kinds), inside: map[int][]float64{}}
	for k := range b.own {
		b.own[k], b.inner[k] = []float64{0}, []float64{0}
	}
	if some {
		b.turns, b.inTurn, b.lock = []float64{0}, slices.Repeat([][]float64{nil}, kinds), lock
		for k := range b.inTurn {
			b.inTurn[k] = []float64{0}
		}
	}
	over, block := 0.0, x.Block(total)
	for i := range pieces {
		p := &pieces[i]
		over += p.blocks
		at := min(b.n, int64(math.Round(over*block)))
		if i == len(pieces)-1 {
			at = b.n
		}
		if at > b.at[len(b.at)-1] {
			b.at = append(b.at, at)
			for k := range b.own {
				b.own[k] = append(b.own[k], b.own[k][len(b.own[k])-1])
				b.inner[k] = append(b.inner[k], b.inner[k][len(b.inner[k])-1])
			}
			for s := range b.inside {
				b.inside[s] = append(b.inside[s], b.inside[s][len(b.inside[s])-1])
			}
			if some {
				b.turns = append(b.turns, b.turns[len(b.turns)-1])
				for k := range b.inTurn {
					b.inTurn[k] = append(b.inTurn[k], b.inTurn[k][len(b.inTurn[k])-1])
				}
			}
		}
		if some {
			b.turns[len(b.at)-1] += p.turns
			for k := range b.inTurn {
				b.inTurn[k][len(b.at)-1] += p.inTurn[k]
			}
		}
		for k := range b.own {
			b.own[k][len(b.at)-1] += p.own[k]
			b.inner[k][len(b.at)-1] += p.inner[k]
		}
		for s, t := range p.sets {
			if b.inside[s] == nil {
				b.inside[s] = make([]float64, len(b.at))
			}
			b.inside[s][len(b.at)-1] += t
		}
	}
	return b
}

// alone returns what an entry takes with all that is inside it on one processor, by kind.
func (m *executionRows) alone(entry int) []float64 {
	if m.took == nil {
		m.took = make([][]float64, len(m.x.Entries))
	}
	if m.took[entry] != nil {
		return m.took[entry]
	}
	x := &m.x.Entries[entry]
	out := make([]float64, len(m.e.kinds))
	if m.streak(entry) {
		for _, p := range x.Lanes[0] {
			if p.Entry >= 0 {
				add(out, m.alone(p.Entry), float64(p.Times))
			}
		}
		m.took[entry] = out
		return out
	}
	for s, parts := range x.Lanes {
		if s > 0 && m.in.loop(x.Region, x.Construct) != nil {
			break // the lane that says how many iterations there are
		}
		for i := range parts {
			p := &parts[i]
			work := m.work(p)
			for k := range out {
				for w, price := range m.prices[k][x.Region][x.Construct][s] {
					out[k] += price * work[w] * float64(p.Times)
				}
			}
			if p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks {
				add(out, m.taskAlone(p.Entry, owner{x.Region, x.Construct, s, -1}), float64(p.Times))
			} else if p.Entry >= 0 && !m.x.EndsBlock(p) {
				add(out, m.aloneIn(p.Entry, laneOf{x.Region, x.Construct, s}), float64(p.Times))
			}
		}
	}
	m.took[entry] = out
	return out
}

// aloneIn is alone for an entry that is met in a lane, whose prices work under a lock has.
func (m *executionRows) aloneIn(entry int, in laneOf) []float64 {
	if !m.locked(entry) {
		return m.alone(entry)
	}
	out := make([]float64, len(m.e.kinds))
	for i := range m.x.Entries[entry].Lanes[0] {
		p := &m.x.Entries[entry].Lanes[0][i]
		own := m.priced(p, in, 1)
		m.dearer(own, entry, in)
		add(out, own, float64(p.Times))
		if p.Entry >= 0 {
			add(out, m.aloneIn(p.Entry, in), float64(p.Times))
		}
	}
	return out
}

// executesRegions reports whether some of the sets are no work under locks.
func (m *executionRows) executesRegions(sets map[int]float64) bool {
	for s := range sets {
		if _, lock := m.stretch[s]; !lock {
			return true
		}
	}
	return false
}

// asks spreads the chunks that a thread asks for over its lane.
func (m *executionRows) asks(lane []table.Part, chunks float64) {
	for i := range lane {
		lane[i].Asks = chunks / float64(len(lane))
	}
}

func add(to, from []float64, times float64) {
	for k, x := range from {
		to[k] += x * times
	}
}

// sharedAmong returns the parts of each thread's lane.
func (b *blocks) sharedAmong(m *executionRows, l *sharing, chunk int64, inside func(entry int) int, clock []float64) [][]table.Part {
	kinds := len(m.e.kinds)
	own := make([]loops.Curve, kinds)
	for k := range own {
		own[k] = b.curve(b.own[k])
	}
	sets := make([]int, 0, len(b.inside))
	for s := range b.inside {
		sets = append(sets, s)
	}
	slices.Sort(sets)
	s := l.Schedule
	if l.Computed && s.Kind != loops.Auto {
		s.Chunk = chunk
	}
	out := make([][]table.Part, l.Threads)
	if b.turns != nil && l.Threads > 1 {
		return b.inOrder(m, l, s, clock)
	}
	if len(sets) == 0 && l.Shares == nil && (s.Kind == loops.Static || kinds == 1 && m.e.evenPace()) {
		start, dispatch := b.starts(m, l, clock)
		for t := range out {
			out[t] = []table.Part{{Set: -1, Own: make([]float64, kinds)}}
		}
		for k := range own {
			finish, asked := loops.Finish(s, slices.Repeat(own[k:k+1], l.Threads), b.n, dispatch, start)
			for t, end := range finish {
				out[t][0].Own[k] = math.Max(0, end-start[t]-float64(asked[t])*dispatch[t])
				if l.Threads > 1 {
					out[t][0].Asks = float64(asked[t])
				}
			}
		}
		for t, p := range l.processors {
			clock[p] += out[t][0].Own[m.e.kindOf[p]] + out[t][0].Asks*dispatch[t]
		}
		return out
	}
	locks := slices.ContainsFunc(sets, func(s int) bool { _, lock := m.stretch[s]; return lock })
	var taken [][]loops.Chunk
	var d *lockedLoop
	if locks {
		d = m.lockedLoop(b, own, sets, inside)
		taken = d.taken(l, s, clock)
	}
	if taken == nil {
		taken = b.taken(m, l, s, clock)
	}
	b.passes(m, l, taken, s.Dispatched() && l.Shares == nil && l.Threads > 1, clock)
	for t, chunks := range taken {
		if locks {
			out[t] = d.alternating(chunks)
			if s.Dispatched() && l.Shares == nil && l.Threads > 1 && len(out[t]) > 0 {
				m.asks(out[t], float64(len(chunks)))
			}
			if out[t] == nil {
				out[t] = []table.Part{{Set: -1, Own: make([]float64, kinds)}}
			}
			continue
		}
		part := table.Part{Set: -1, Own: make([]float64, kinds)}
		if s.Dispatched() && l.Shares == nil && l.Threads > 1 {
			part.Asks = float64(len(chunks))
		}
		for k := range own {
			part.Own[k] = worked(own[k], chunks)
		}
		out[t] = []table.Part{part}
		for _, set := range sets {
			if times := executed(b.curve(b.inside[set]), chunks); times > 0 {
				out[t] = append(out[t], table.Part{Set: set, Times: times, Own: make([]float64, kinds)})
			}
		}
	}
	return out
}

// taken says which chunks each thread executes.
func (b *blocks) taken(m *executionRows, l *sharing, s loops.Schedule, clock []float64) [][]loops.Chunk {
	if l.Shares != nil {
		out := make([][]loops.Chunk, l.Threads)
		for t, c := range loops.Weighted(b.n, l.Shares) {
			out[t] = []loops.Chunk{c}
		}
		return out
	}
	curves := make([]loops.Curve, l.Threads)
	start, dispatch := b.starts(m, l, clock)
	for t, p := range l.processors {
		whole := b.whole(m.e.kindOf[p])
		pace := m.e.pace(p)
		for i := range whole {
			whole[i] *= pace
		}
		curves[t] = b.curve(whole)
		start[t], dispatch[t] = start[t]*pace, dispatch[t]*pace
	}
	_, taken := loops.Play(s, curves, b.n, dispatch, start)
	return taken
}

// pace is how much longer a processor takes for iterations when they are given to threads
// than its clock says.
func (e *Estimator) pace(p int) float64 {
	if e.PlayMHz == nil {
		return 1
	}
	return e.ClockMHz[p] / e.PlayMHz[p]
}

// evenPace reports whether the pace of all processors is the same.
func (e *Estimator) evenPace() bool {
	for p := range e.kindOf {
		if e.pace(p) != e.pace(0) {
			return false
		}
	}
	return true
}

// whole is the time of the blocks with what is executed inside, cumulated.
func (b *blocks) whole(kind int) []float64 {
	whole := slices.Clone(b.own[kind])
	add(whole, b.inner[kind], 1)
	return whole
}

// passes lets the time pass that threads take for their chunks.
func (b *blocks) passes(m *executionRows, l *sharing, taken [][]loops.Chunk, asks bool, clock []float64) {
	for t, p := range l.processors {
		k := m.e.kindOf[p]
		clock[p] += worked(b.curve(b.whole(k)), taken[t])
		if asks {
			clock[p] += float64(len(taken[t])) * m.e.Platform.Other.Dispatch.Cycles * m.e.factor[k]
		}
	}
}

// starts are the times at which the threads begin, when their tasks are created and they have
// come to the loop, and what a chunk costs each.
func (b *blocks) starts(m *executionRows, l *sharing, clock []float64) (start, dispatch []float64) {
	start, dispatch = make([]float64, l.Threads), make([]float64, l.Threads)
	for t, p := range l.processors {
		factor := m.e.factor[m.e.kindOf[p]]
		start[t] = m.e.Overheads[p].Create*factor + clock[p]
		if l.Threads > 1 {
			dispatch[t] = m.e.Platform.Other.Dispatch.Cycles * factor
		}
	}
	return start, dispatch
}

func (b *blocks) curve(work []float64) loops.Curve {
	c, err := loops.NewCurve(b.at, work)
	if err != nil {
		panic("estimate: " + err.Error()) // cut points ascend by construction
	}
	return c
}

// executed is how often something is executed in some chunks, in whole numbers whose sum
// over all chunks is right.
func executed(c loops.Curve, chunks []loops.Chunk) float64 {
	sum := 0.0
	for _, k := range chunks {
		sum += math.Round(c.Work(0, k.End)) - math.Round(c.Work(0, k.Begin))
	}
	return sum
}

// worked is how much of a curve lies in some chunks.
func worked(c loops.Curve, chunks []loops.Chunk) float64 {
	sum := 0.0
	for _, k := range chunks {
		sum += c.Work(k.Begin, k.End)
	}
	return sum
}
