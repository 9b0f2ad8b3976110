package estimate

// This file finds what lines cost that go back and forth between processors, as what runs at the same time uses them by turns.

import (
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

// sharedBySections is what two sections wait each in an execution for lines that both use.
func (m *mover) sharedBySections(a, b int) table.Crossing {
	if a == b || m.x.began[a] == 0 {
		return nil
	}
	times := 0.0
	for i := range m.e.Bundle.Memory.Shared {
		if s := &m.e.Bundle.Memory.Shared[i]; s.Lane == a && s.With == b || s.Lane == b && s.With == a {
			times += float64(s.Again)
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
	if lane < 0 || m.x.began[lane] == 0 || m.in.divided {
		return nil
	}
	l := m.in.loop(region, construct)
	if l == nil {
		return nil
	}
	n := float64(max(1, m.e.iterations(region, construct)))
	var out []table.Crossing
	for i := range m.e.Bundle.Memory.Shared {
		s := &m.e.Bundle.Memory.Shared[i]
		if s.Lane != lane {
			continue
		}
		if out == nil {
			out = make([]table.Crossing, len(m.e.kindOf)+1)
		}
		for p := 2; p < len(out); p++ {
			others := 1 - 1/float64(p)
			chunk := float64(l.Schedule.Chunk)
			whole := l.Shares != nil || l.Schedule.Kind == loops.Static && chunk == 0
			switch {
			case whole:
				chunk = n / float64(p)
			case chunk == 0:
				chunk = 1
			}
			chunks := float64(s.Apart) / chunk
			if whole {
				others = min(others, 1-1/max(1, chunks))
			} else {
				others *= min(1, max(0, chunks-1))
			}
			out[p] = out[p].Add(m.crossingOf((float64(s.Fresh) + float64(s.Again)) * others / m.x.began[lane]))
		}
	}
	return out
}

// mostApart is how far apart siblings are at most of which that is known.
const mostApart = 64

// besides returns by two tasks of the program what each takes longer while the other is under way on another processor.
func (m *mover) besides() [][]*table.Beside {
	d, n := m.e.Bundle.Memory, len(m.e.Bundle.Program.Tasks)
	task := func(lane int) int {
		if l := &d.Lanes[lane]; l.Kind == memory.InTask {
			return l.Construct
		}
		return -1
	}
	moments := make([]float64, n) // of all executions
	for i := range d.Shared {
		if s := &d.Shared[i]; s.Apart == 0 && s.Lane == s.With && task(s.Lane) >= 0 {
			moments[task(s.Lane)] += float64(s.Fresh)
		}
	}
	first := m.freshOfTasks(task)
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
			if with < 0 {
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
			if b.Fresh = m.perTime(first[[2]int{with, of}], took); b.Longer != nil || b.Fresh != nil {
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

// freshOfTasks is what all tasks of a place wait where all that tasks of another wrote is with another processor: by these two.
func (m *mover) freshOfTasks(task func(lane int) int) map[[2]int]table.Crossing {
	d := m.e.Bundle.Memory
	out := map[[2]int]table.Crossing{}
	for pair, h := range m.x.ofTasks {
		from, to := pair[0], pair[1]
		if task(from) >= 0 && task(to) >= 0 {
			out[[2]int{d.Lanes[from].Construct, d.Lanes[to].Construct}] = m.apart(h, 1)
		}
	}
	return out
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
