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
	proc    [][][]int    // by region and construct: where sections are that threads come from to loops
	key     string       // tells settings apart that share loops in other ways
	divided bool         // each block of iterations is a lane of its own, as far as that says
}

// Divided is the setting in which loops have as many threads as they can use: what bounds
// every way of sharing them.
func (e *Estimator) Divided(serial int) Setting {
	in := e.settingOf(mapping.DefaultFrom(e.Platform, serial, e.Bundle.Program))
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

// sharing is how a loop shares its iterations, and the processors of its threads.
type sharing struct {
	*mapping.LoopMap
	processors []int
}

// settingOf is the setting of a mapping.
func (e *Estimator) settingOf(m *mapping.Resolved) Setting {
	in := Setting{Serial: m.Serial, loops: make([][]*sharing, len(m.Regions)), proc: make([][][]int, len(m.Regions))}
	var key strings.Builder
	for r := range m.Regions {
		rm := &m.Regions[r]
		in.loops[r], in.proc[r] = make([]*sharing, len(rm.Proc)), make([][]int, len(rm.Proc))
		for c, l := range rm.Loops {
			if l == nil && e.Bundle.Program.Regions[r].Mixed(c) {
				in.proc[r][c] = slices.Clone(rm.Proc[c])
				fmt.Fprintf(&key, "%d %d %v\n", r, c, in.proc[r][c])
			}
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
	for s := range x.Lanes {
		if s > 0 && m.in.loop(x.Region, x.Construct) != nil {
			break // the lane that says how many iterations there are
		}
		m.addLane(out, x, s)
	}
	m.took[entry] = out
	return out
}

// addLane adds what a lane takes with all that is inside it on one processor, by kind.
func (m *executionRows) addLane(out []float64, x *profile.Execution, s int) {
	for i := range x.Lanes[s] {
		p := &x.Lanes[s][i]
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

func add(to, from []float64, times float64) {
	for k, x := range from {
		to[k] += x * times
	}
}

// sharedAmong returns the parts of each thread's lane.
func (b *blocks) sharedAmong(m *executionRows, l *sharing, chunk int64, inside func(entry int) int, clock []float64) [][]table.Part {
	kinds := len(m.e.kinds)
	own := b.curves(ofOwn, 0, kinds)
	s := l.Schedule
	if l.Computed && s.Kind != loops.Auto {
		s.Chunk = chunk
	}
	out := make([][]table.Part, l.Threads)
	if b.turn >= 0 && l.Threads > 1 {
		return b.inOrder(m, l, s, clock)
	}
	if len(b.sets) == 0 && l.Shares == nil && (s.Kind == loops.Static || kinds == 1 && m.e.evenPace()) {
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
	asks := s.Dispatched() && l.Shares == nil && l.Threads > 1
	var taken [][]loops.Chunk
	var d *lockedLoop
	if b.locks != nil {
		d = m.lockedLoop(b, own, inside)
		taken = d.taken(l, s, clock)
	}
	if taken == nil {
		taken = b.taken(m, l, s, clock)
	}
	b.passes(m, l, taken, asks, clock)
	var often []loops.Curve
	if b.locks == nil {
		often = b.often()
	}
	for t, chunks := range taken {
		if b.locks != nil {
			out[t] = d.alternating(chunks, asks)
			continue
		}
		part := table.Part{Set: -1, Own: make([]float64, kinds)}
		if asks {
			part.Asks = float64(len(chunks))
		}
		for k := range own {
			part.Own[k] = worked(own[k], chunks)
		}
		out[t] = []table.Part{part}
		for i, set := range b.sets {
			if times := executed(often[i], chunks); times > 0 {
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
