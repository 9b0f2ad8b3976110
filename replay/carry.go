package replay

// This file lets executions of stages wait for and copy what they are told to, in place of what accesses say: so rows of an estimate
// are played that know what stages bring in and nothing of addresses.

import "container/heap"

// Carried says what executions of tasks bring in, each an item of its task, from 0. It asks which processor executed a task for an
// item, -1 where none did. Times are cycles of processor 0.
type Carried interface {
	// Brings is what an execution on a processor waits first, and then copies one after the other.
	Brings(task, item, processor int, executed func(task, item int) int) (waits float64, copies []Copy)
	// Longer is what a processor takes longer for each cycle of a task while another one executes a task that is so many siblings apart
	// and has it take slowed longer already.
	Longer(task, with int, apart int, processor, other int, slowed float64) float64
	// Back is what who met the construct copies when it has ended.
	Back(executed func(task, item int) int, items func(task int) int) float64
}

// Copy is one that goes through links.
type Copy struct {
	Latency, Bytes float64
	Links          []int
}

// Carry has tasks bring in what c says over links of such rates, in bytes a cycle of processor 0.
func (s *Simulator) Carry(c Carried, rates []float64) { s.carried, s.rates = c, rates }

// executedBy is which processor began a task for an item; of one that is not there, the last that began the task at all.
func (p *taskPlay) executedBy(task, item int) int {
	on := p.on[task]
	if item >= 0 && item < len(on) && on[item] >= 0 {
		return on[item]
	}
	if last, ok := p.lastOn[task]; ok && item >= 0 {
		return last
	}
	return -1
}

// carriedBy finds what a worker brings in for the task that it begins.
func (p *taskPlay) carriedBy(w *taskWorker, n *taskNode) (out []transfer) {
	if p.s.carried == nil || n.parent == nil {
		return nil
	}
	task := p.t.construct(n.begin)
	if p.on == nil {
		p.on, p.lastOn = map[int][]int{}, map[int]int{}
	}
	for len(p.on[task]) <= n.item {
		p.on[task] = append(p.on[task], -1)
	}
	p.on[task][n.item], p.lastOn[task] = w.processor, w.processor
	waits, copies := p.s.carried.Brings(task, n.item, w.processor, p.executedBy)
	if waits > 0 {
		out = append(out, transfer{latency: waits})
	}
	for _, c := range copies {
		out = append(out, transfer{c.Latency, c.Bytes, c.Links})
	}
	return out
}

// carriedBeside is what a worker takes longer for work of so many cycles beside what others are at, which take longer as well.
func (p *taskPlay) carriedBeside(w *taskWorker, cost float64) (longer float64) {
	c, now := p.s.carried, w.clock
	me, task := p.placed(w)
	if w.slowed = 0; c == nil || task < 0 || cost == 0 {
		return 0
	}
	for _, o := range p.workers {
		if o == w || o.idle || o.stuck || o.clock <= now {
			continue
		}
		other, with := p.placed(o)
		if with < 0 {
			continue
		}
		both, apart := min(cost, (o.clock-now)/(1+o.slowed)), siblingsApart(me, other)
		more := c.Longer(task, with, apart, w.processor, o.processor, w.slowed)
		w.slowed, longer = w.slowed+more, longer+both*more
		more = c.Longer(with, task, apart, o.processor, w.processor, o.slowed)
		o.slowed, o.clock = o.slowed+more, o.clock+both*more
	}
	heap.Init(&p.agenda)
	return longer
}

// placed is the task that a worker is at, and which of the program that is, -1 for none.
func (p *taskPlay) placed(w *taskWorker) (*taskNode, int) {
	if len(w.strands) == 0 {
		return nil, -1
	}
	n := w.strands[len(w.strands)-1].node
	if n.parent == nil || sectionOf(p.t.events[n.begin].word) == 1 {
		return n, -1
	}
	return n, p.t.construct(n.begin)
}

// siblingsApart is how many siblings lie between two tasks, or what led to them of what led to both.
func siblingsApart(a, b *taskNode) int {
	for a != b && a != nil && b != nil {
		switch {
		case a.parent == b.parent:
			return max(a.number-b.number, b.number-a.number)
		case a.depth > b.depth:
			a = a.parent
		case b.depth > a.depth:
			b = b.parent
		default:
			a, b = a.parent, b.parent
		}
	}
	return 0
}

// carriedBack is what is copied behind the construct.
func (p *taskPlay) carriedBack() float64 {
	if p.s.carried == nil {
		return 0
	}
	return p.s.carried.Back(p.executedBy, func(task int) int { return len(p.on[task]) })
}

// rate is how many bytes a cycle go through a link.
func (s *Simulator) rate(link int) float64 {
	if s.carried != nil {
		return s.rates[link]
	}
	return s.caches.of.Links[link]
}
