package estimate

// This file finds what lines cost that go back and forth between processors, as what runs at the same time uses them by turns. Where
// some processors work on memories of their own, it is taken to be what copies bring.

import (
	"math"

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
//
// A line that is used from one iteration to another, so many apart, is used by as many threads as chunks lie there. Where
// each thread has one chunk, they come to that at the same part of their time each; where it has many, two chunks that lie side by side are
// under way at the same time. Who used a line last is any thread, of which one is the same.
func (m *mover) turns(region, construct, lane int) []table.Crossing {
	if lane < 0 || m.x.began[lane] == 0 || m.in.divided || m.copies != nil {
		return nil
	}
	l := m.in.loop(region, construct)
	if l == nil {
		return nil
	}
	of := m.e.iterationsOf(region, construct)
	var out []table.Crossing
	if h := m.x.others[[2]int{lane, lane}]; h != nil && l.Shares == nil && l.Schedule.Dispatched() {
		out = make([]table.Crossing, len(m.e.kindOf)+1)
		for p := 2; p < len(out); p++ {
			if part := l.elsewhere(p, of); part > 0 { // who has which iteration is another each time
				out[p] = m.apart(h, m.x.began[lane]*float64(p)/(part*float64(p-1)))
			}
		}
	}
	if _, known := m.turnsOf(lane, 2); known {
		out = make([]table.Crossing, len(m.e.kindOf)+1)
		for p := 2; p < len(out); p++ {
			if times, _ := m.turnsOf(lane, p); times > 0 {
				out[p] = m.crossingOf(times / m.x.began[lane])
			}
		}
		return out
	}
	for i := range m.e.Bundle.Memory.Shared {
		s := &m.e.Bundle.Memory.Shared[i]
		if s.Lane != lane {
			continue
		}
		if out == nil {
			out = make([]table.Crossing, len(m.e.kindOf)+1)
		}
		for p := 2; p < len(out); p++ {
			if times := l.lost(s, p, of); times > 0 {
				out[p] = out[p].Add(m.crossingOf(times / m.x.began[lane]))
			}
		}
	}
	return out
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

// lost is how often threads of a loop lose lines to others, so many of which take part, on average over executions: those
// in which iterations lie in more places that are as far apart count for more.
func (l *sharing) lost(s *memory.Shared, p int, of []iterations) float64 {
	sum, all := 0.0, 0.0
	for _, x := range of {
		if weight := x.all / x.n * (x.n - float64(s.Apart) + 1); x.n > 1 && weight > 0 {
			sum, all = sum+weight*s.Turns(l.othersAt(p, x.n, float64(s.Apart))), all+weight
		}
	}
	if all == 0 {
		return s.Turns(l.othersAt(p, float64(max(1, s.Apart)), float64(s.Apart)))
	}
	return sum / all
}

// othersAt is how many other processors use a line beside one, of so many that share so many iterations, where iterations use it of
// which the first and the last are so far apart. Where each has one chunk, they come to what lies side by side at other times than
// each other, and to what all use at the same; where they have many, chunks that lie side by side are under way at the same time but for
// those that are the last of some and the first of the next.
func (l *sharing) othersAt(p int, n, apart float64) float64 {
	processors, chunk := float64(p), float64(l.Schedule.Chunk)
	if l.inBlocks(n, p) {
		return max(0, min(processors, apart, apart*processors/n)-1)
	}
	chunks := max(1, apart/max(1, chunk))
	all := n / max(1, chunk)
	if all <= processors { // all are under way
		return min(chunks, all) - 1
	}
	// As counted where all take as long, a twentieth off on average: beside the first and the last of them are others, unless
	// these are the loop's.
	between := (processors - 1) * (chunks - 1) / (processors + chunks - 2)
	part := min(1, (chunks-1)/(all-1))
	return between + (processors-1-between)*part*part
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
