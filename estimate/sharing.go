package estimate

// This file finds what lines cost that go back and forth between processors, as what runs at the same time uses them by turns. Where
// some processors work on memories of their own, it is taken to be what copies bring.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/mapping/loops"
	"pathspan/memory"
)

// comes is what an access waits whose line is at another processor, so far away, in cycles of processor 0.
func (m *mover) comes(kind, class int) float64 {
	seen := m.seen[kind]
	line := caches.Histogram{{Lines: 1, Times: 1}}
	return seen.Apart(line, min(class, len(seen.Caches))) * m.e.factor[kind]
}

// crossingOf is so many accesses of each execution.
func (m *mover) crossingOf(times float64) table.Crossing {
	if times <= 0 {
		return nil
	}
	kinds := len(m.seen)
	out := make(table.Crossing, m.classes*kinds)
	for class := range m.classes {
		for k := range kinds {
			out[class*kinds+k] = times * m.comes(k, class)
		}
	}
	return out
}

// sharedBySections is what a section waits in an execution for lines that another uses meanwhile, and of one with itself what it waits at most.
func (m *mover) sharedBySections(a, b int) table.Crossing {
	if a < 0 || b < 0 || m.x.began[a] == 0 || m.copies != nil {
		return nil
	}
	times := 0.0
	for i := range m.e.Bundle.Memory.Shared {
		switch s := &m.e.Bundle.Memory.Shared[i]; {
		case s.Apart != 0:
		case s.Lane == a && s.With == b:
			times += float64(s.Again)
		case s.Lane == b && s.With == a:
			times += float64(s.Fresh)
		}
	}
	return m.crossingOf(times / m.x.began[a])
}

// turns returns what all threads of a loop wait together in an execution for lines that others of them used meanwhile, by
// the number of processors that take part.
func (m *mover) turns(region, construct, lane int) []table.Crossing {
	if lane < 0 || m.x.began[lane] == 0 || m.in.divided || m.copies != nil {
		return nil
	}
	l := m.in.loop(region, construct)
	if l == nil {
		return nil
	}
	var out []table.Crossing
	of, others := m.e.iterationsOf(region, construct), m.x.others[[2]int{lane, lane}]
	if others != nil && l.Shares == nil && l.Schedule.Dispatched() {
		out = make([]table.Crossing, len(m.e.kindOf)+1)
		for p := 2; p < len(out); p++ {
			if part := l.elsewhere(p, of); part > 0 { // who has which iteration is another each time
				out[p] = m.apart(others, m.x.began[lane]*float64(p)/(part*float64(p-1)))
			}
		}
	}
	told := m.turnsOf(lane)
	for p := 2; told != nil && p <= len(m.e.kindOf); p++ {
		if out == nil {
			out = make([]table.Crossing, len(m.e.kindOf)+1)
		}
		if times := l.lost(told, p, of, m.taken()[lane] != nil); times > 0 {
			out[p] = out[p].Add(m.crossingOf(times / m.x.began[lane]))
		}
	}
	return out
}

// turnsOf is what is told of a lane by chunk and number of threads; nil where it is nothing.
func (m *mover) turnsOf(lane int) (out map[[2]int]*memory.Turns) {
	for i := range m.e.Bundle.Memory.Turns {
		if t := &m.e.Bundle.Memory.Turns[i]; t.Lane == lane {
			if out == nil {
				out = map[[2]int]*memory.Turns{}
			}
			out[[2]int{t.Chunk, t.Threads}] = t
		}
	}
	return out
}

// lost is how often threads of a loop, so many, find lines gone in all executions, of which some may be of blocks and others of chunks. What threads
// with blocks come by at first may be known otherwise.
func (l *sharing) lost(told map[[2]int]*memory.Turns, p int, of []iterations, knowsFirst bool) float64 {
	times := func(chunk int, threads []int) float64 {
		at := func(n int) float64 {
			t := told[[2]int{chunk, n}]
			switch {
			case t == nil:
				return 0
			case chunk == 0 && knowsFirst:
				return float64(t.Again)
			}
			return float64(t.First + t.Again)
		}
		below, above, part := nextTo(threads, p)
		return (1-part)*at(below) + part*at(above)
	}
	blocks, chunks, least := times(0, memory.BlockThreads), 0.0, 0.0
	for at := range told {
		least = max(least, float64(at[0]))
	}
	if least > 0 {
		chunks = times(int(least), memory.ChunkThreads)
	}
	sum, all := 0.0, 0.0
	for _, x := range of {
		lost, block, chunk := blocks, x.n/float64(p), float64(l.Schedule.Chunk)
		if l.Schedule.Kind == loops.Guided { // the first chunk is half a block, and the last is the least
			chunk = max(chunk, block/4)
		}
		if chunk = max(chunk, least); least > 0 && !l.inBlocks(x.n, p) && chunk < block { // it is on the way to a block
			lost = chunks + (blocks-chunks)*math.Log(chunk/least)/math.Log(block/least)
		}
		sum, all = sum+x.all*lost, all+x.all
	}
	if all == 0 {
		return blocks
	}
	return sum / all
}

// nextTo returns the numbers of a list on both sides of one, and how near it is to the second by their logarithms.
func nextTo(list []int, n int) (below, above int, part float64) {
	k, found := slices.BinarySearch(list, n)
	switch {
	case found || k == 0:
		return list[k], list[k], 0
	case k == len(list):
		return list[k-1], list[k-1], 0
	}
	return list[k-1], list[k], math.Log(float64(n)/float64(list[k-1])) / math.Log(float64(list[k])/float64(list[k-1]))
}

// mostApart is how far apart siblings are at most of which that is known.
const mostApart = 64

// iterations is how many a loop has in an execution, and how many iterations the executions have together that are like it.
type iterations struct{ n, all float64 }

// iterationsOf lists the executions of a loop.
func (e *Estimator) iterationsOf(region, construct int) (out []iterations) {
	if e.Bundle.Executions == nil {
		return nil
	}
	for i := range e.Bundle.Executions.Entries {
		if x := &e.Bundle.Executions.Entries[i]; x.Loop && x.Region == region && x.Construct == construct {
			n := x.Iterations()
			out = append(out, iterations{n, float64(x.Count) * n})
		}
	}
	return out
}

// inBlocks reports whether each of so many threads has one block of so many iterations that lie side by side, or begins with one.
func (l *sharing) inBlocks(n float64, threads int) bool {
	s := l.Schedule
	return l.Shares != nil || s.Kind == loops.Static && s.Chunk == 0 && !l.Computed || s.Steals(int64(math.Round(n)), threads)
}

// elsewhere is in what part of the iterations threads do not have blocks.
func (l *sharing) elsewhere(p int, of []iterations) float64 {
	sum, all := 0.0, 0.0
	for _, x := range of {
		if all += x.all; !l.inBlocks(x.n, p) {
			sum += x.all
		}
	}
	if all == 0 {
		return 1
	}
	return sum / all
}

// besides returns by two tasks of the program what each takes longer while the other is under way on another processor. Of two stages
// of a pipeline that is nothing: what one reads of the other is waited for before it (tokens), and else they use the ends of what lies
// side by side by turns, but at other times than each other.
func (m *mover) besides() [][]*table.Beside {
	d, n := m.e.Bundle.Memory, len(m.e.Bundle.Program.Tasks)
	task := func(lane int) int {
		if l := &d.Lanes[lane]; l.Kind == memory.InTask {
			return l.Construct
		}
		return -1
	}
	moments, uses := make([]float64, n), make([]float64, n) // of all executions
	for i := range d.Shared {
		if s := &d.Shared[i]; s.Apart == 0 && s.Lane == s.With && task(s.Lane) >= 0 {
			moments[task(s.Lane)] += float64(s.Fresh)
			uses[task(s.Lane)] += float64(s.Again)
		}
	}
	out := make([][]*table.Beside, n)
	for of := range out {
		out[of] = make([]*table.Beside, n)
	}
	for lane := range d.Lanes {
		of := task(lane)
		if of < 0 || moments[of] == 0 {
			continue
		}
		took := m.laneTimes(lane)
		for other := range d.Lanes {
			with := task(other)
			if with < 0 || of != with && m.e.Bundle.Program.SamePipeline(of, with) {
				continue
			}
			var b table.Beside
			for i := range d.Shared {
				s := &d.Shared[i]
				if !(s.Lane == lane && s.With == other || s.Lane == other && s.With == lane) || s.Apart == 0 || s.Again == 0 || s.Fresh == 0 {
					continue
				}
				longer := m.perTime(m.crossingOf(float64(s.Again)/float64(s.Fresh)*moments[of]), took)
				for len(b.Longer) <= int(min(s.Apart, mostApart)) {
					b.Longer = append(b.Longer, nil)
				}
				for apart := caches.Behind(s.Apart) + 1; apart <= min(s.Apart, mostApart); apart++ {
					b.Longer[apart] = longer
				}
			}
			b.Most = m.perTime(m.crossingOf(uses[of]), took)
			if b.Longer != nil {
				out[of][with] = &b
			}
		}
	}
	return out
}

// perTime divides what is waited by the time, by kind of the reader.
func (m *mover) perTime(c table.Crossing, took []float64) table.Crossing {
	for i := range c {
		if t := took[i%len(took)]; t > 0 {
			c[i] /= t
		} else {
			c[i] = 0
		}
	}
	return c
}

// laneTimes is what all executions of a lane take, by kind, in cycles of processor 0.
func (m *mover) laneTimes(lane int) []float64 {
	x, out := m.e.accesses(), make([]float64, len(m.seen))
	for fi, f := range m.e.funcs {
		if f == nil {
			continue
		}
		for b, n := range f.counts {
			share := 1.0
			switch l := x.lane[fi][b]; {
			case l < 0:
				share = x.shares[fi][lane]
			case l != lane:
				continue
			}
			for k := range out {
				out[k] += float64(n) * share * m.e.kinds[k].costs.Blocks[fi][b].Cycles * m.e.factor[k]
			}
		}
	}
	return out
}
