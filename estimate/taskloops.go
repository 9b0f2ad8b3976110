package estimate

// This file makes rows of worksharing loops whose iterations make tasks. Each chunk is a piece of
// its own, in the order of the program, which whoever takes it executes.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping/loops"
	"pathspan/profile"
)

// makesTasks reports whether iterations of a loop make tasks, or wait for some.
func (m *executionRows) makesTasks(x *profile.Execution) bool {
	return slices.ContainsFunc(x.Lanes[0], func(p profile.ExecutionPart) bool { return p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks })
}

// withoutWaits returns the execution of a loop whose iterations make no tasks and only wait for
// some, or begin and end groups, as if they did not: there is nothing to wait for. Others are
// returned as they are.
func (m *executionRows) withoutWaits(x *profile.Execution) *profile.Execution {
	if !m.makesTasks(x) || !m.onlyWaits(x.Lanes[0]) {
		return x
	}
	out := *x
	out.Lanes = slices.Clone(x.Lanes)
	out.Lanes[0] = slices.DeleteFunc(m.unfolded(nil, x.Lanes[0]), func(p profile.ExecutionPart) bool {
		return p.Entry < 0 && !slices.ContainsFunc(p.Work, func(w float64) bool { return w != 0 })
	})
	for i := range out.Lanes[0] {
		if p := &out.Lanes[0][i]; p.Entry >= 0 && m.x.Entries[p.Entry].OfTasks {
			if m.piece(&m.x.Entries[p.Entry]) {
				return x // there are too many to unfold
			}
			*p = scaledPart(profile.ExecutionPart{Entry: -1, Times: 1, Work: p.Work}, float64(p.Times))
		}
	}
	return &out
}

// onlyWaits reports whether parts neither hold a task nor what tells how one was made.
func (m *executionRows) onlyWaits(parts []profile.ExecutionPart) bool {
	for i := range parts {
		if parts[i].Entry < 0 || !m.x.Entries[parts[i].Entry].OfTasks {
			continue
		}
		switch e := &m.x.Entries[parts[i].Entry]; {
		case len(e.Lanes) == 0: // all that has none waits, or groups
		case !m.piece(e) || !m.onlyWaits(e.Lanes[0]):
			return false
		}
	}
	return true
}

// piece reports whether an entry is a piece of the lane that it stands in.
func (m *executionRows) piece(e *profile.Execution) bool {
	_, form := e.Task(m.e.Bundle.Program)
	return e.OfTasks && form == ir.Piece
}

// iterationRun is iterations of a loop that are told of together, in their order.
type iterationRun struct {
	begin, end int64
	parts      []profile.ExecutionPart
	steps      []profile.ExecutionPart // without pieces, once they are asked for
}

// runsOf lists the iterations of an entry.
func (m *executionRows) runsOf(x *profile.Execution) []iterationRun {
	type block struct {
		times float64
		parts []profile.ExecutionPart
	}
	var blocks []block
	var now []profile.ExecutionPart
	total := 0.0
	for i := range x.Lanes[0] {
		p := x.Lanes[0][i]
		if !m.x.EndsBlock(&p) {
			now = append(now, p)
			continue
		}
		times := float64(p.Times)
		total += times
		end := profile.ExecutionPart{Entry: -1, Times: 1, Work: p.Work}
		if len(now) == 0 { // blocks of work alone
			blocks = append(blocks, block{times, []profile.ExecutionPart{scaledPart(end, times)}})
			continue
		}
		blocks = append(blocks, block{1, append(now, end)})
		if now = nil; times > 1 {
			blocks = append(blocks, block{times - 1, []profile.ExecutionPart{scaledPart(end, times-1)}})
		}
	}
	if n := len(blocks) - 1; n >= 0 {
		blocks[n].parts = append(blocks[n].parts, now...)
	} else {
		blocks, total = append(blocks, block{1, now}), 1
	}
	n, over, size := int64(math.Max(1, math.Round(x.Iterations()))), 0.0, x.Block(total)
	var out []iterationRun
	begin := int64(0)
	for i := range blocks {
		over += blocks[i].times
		end := min(n, max(1, int64(math.Round(over*size))))
		if i == len(blocks)-1 {
			end = n
		}
		if k := len(out) - 1; end <= begin && k >= 0 {
			out[k].parts = append(out[k].parts, blocks[i].parts...)
			continue
		}
		out = append(out, iterationRun{begin: begin, end: end, parts: blocks[i].parts})
		begin = end
	}
	return out
}

// scaledPart is a part of work alone that takes so many times as long.
func scaledPart(p profile.ExecutionPart, by float64) profile.ExecutionPart {
	work := make([]float64, len(p.Work))
	add(work, p.Work, by)
	p.Work = work
	return p
}

// part returns what some of a run's iterations do: of its work their share, and of what it
// executes what lies there if that lies evenly.
func (r *iterationRun) part(m *executionRows, begin, end int64) []profile.ExecutionPart {
	begin, end = max(begin, r.begin), min(end, r.end)
	if begin == r.begin && end == r.end {
		return r.parts
	}
	if r.steps == nil {
		r.steps = m.unfolded(nil, r.parts)
	}
	steps := 0
	for i := range r.steps {
		if r.steps[i].Entry >= 0 {
			steps++
		}
	}
	at := func(i int64) int {
		return int(math.Round(float64(steps) * float64(i-r.begin) / float64(r.end-r.begin)))
	}
	from, to, k := at(begin), at(end), 0
	var out []profile.ExecutionPart
	for _, p := range r.steps {
		if p.Entry < 0 {
			out = append(out, scaledPart(p, float64(end-begin)/float64(r.end-r.begin)))
			continue
		}
		if k >= from && k < to {
			out = append(out, p)
		}
		k++
	}
	return out
}

// mostUnfolded bounds the parts that one run is split into.
const mostUnfolded = 1 << 16

// unfolded appends parts one by one, as far as they are not too many.
func (m *executionRows) unfolded(to, parts []profile.ExecutionPart) []profile.ExecutionPart {
	for _, p := range parts {
		if p.Entry < 0 {
			to = append(to, p)
			continue
		}
		e := &m.x.Entries[p.Entry]
		piece := m.piece(e)
		for p.Times > 0 {
			one := p
			if len(to) < mostUnfolded {
				one.Times = 1
			}
			if p.Times -= one.Times; piece && one.Times == 1 {
				to = append(to, profile.ExecutionPart{Entry: -1, Times: 1, Work: p.Work})
				to = m.unfolded(to, e.Lanes[0])
				continue
			}
			to = append(to, one)
		}
	}
	return to
}

// taskLoop returns the lanes of a loop whose iterations make tasks, and its chunks.
func (m *executionRows) taskLoop(x *profile.Execution, longer float64, inside func(entry int) int, l *sharing, clock []float64) ([][]table.Part, *table.Chunks) {
	runs, of := m.runsOf(x), owner{x.Region, x.Construct, 0, -1}
	if m.in.divided {
		lanes := make([][]table.Part, divisions)
		for i := range runs {
			lanes[i%divisions] = append(lanes[i%divisions], m.parts(runs[i].parts, longer, inside, of)...)
		}
		return lanes, nil
	}
	b := m.blocksOf(x, longer, inside)
	s := l.Schedule
	if l.Computed && s.Kind != loops.Auto {
		s.Chunk = x.Chunk()
	}
	all := &table.Chunks{Shares: l.Shares, N: b.n, Threads: l.Threads}
	for chunksIn(s, b.n) > mostPlayed {
		s.Chunk, all.Joined = 2*max(1, s.Chunk), true
	}
	all.Schedule = s
	taken, asks := b.taken(m, l, s, clock), s.Dispatched() && l.Shares == nil && l.Threads > 1
	b.passes(m, l, taken, asks, clock)
	type piece struct{ begin, end int64 }
	var order []piece
	for _, chunks := range taken {
		for _, c := range chunks {
			order = append(order, piece{c.Begin, c.End})
		}
	}
	slices.SortFunc(order, func(p, q piece) int { return int(min(1, max(-1, p.begin-q.begin))) })
	made, at := map[int64]int{}, 0
	for _, c := range order {
		for at < len(runs)-1 && runs[at].end <= c.begin {
			at++
		}
		var parts []profile.ExecutionPart
		for k := at; k < len(runs) && runs[k].begin < c.end; k++ {
			parts = append(parts, runs[k].part(m, c.begin, c.end)...)
		}
		made[c.begin] = m.builder.Task(table.Piece, -1, nil, m.parts(parts, longer, inside, of))
		all.Begin, all.Piece = append(all.Begin, c.begin), append(all.Piece, made[c.begin])
	}
	lanes := make([][]table.Part, len(m.e.Bundle.Program.Regions[x.Region].Constructs[x.Construct].Sections))
	for t, chunks := range taken {
		for _, c := range chunks {
			p := table.Part{Set: m.builder.Only(made[c.Begin]), Times: 1, Own: make([]float64, len(m.e.kinds))}
			if asks {
				p.Asks = 1
			}
			lanes[t] = append(lanes[t], p)
		}
		if lanes[t] == nil {
			lanes[t] = []table.Part{{Set: -1, Own: make([]float64, len(m.e.kinds))}}
		}
	}
	return lanes, all
}

// chunksIn is about how many chunks a schedule makes.
func chunksIn(s loops.Schedule, n int64) int64 {
	if s.Kind == loops.Static && s.Chunk == 0 || s.Kind == loops.Guided || s.Kind == loops.Auto {
		return 0
	}
	return n / max(1, s.Chunk)
}
