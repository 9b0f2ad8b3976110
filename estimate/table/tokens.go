package table

// This file plays what stages of pipelines wait for what other processors wrote. Before an execution of a stage begins, its
// processor waits for the lines of what it reads of other stages, which are with the processors that executed them on the same item;
// and where these have memories of their own, it copies that from there, and from where the construct was met what it reads of
// all others. What code behind the construct reads of stages is copied when it ends. Copies that are under way at a
// time share what they go through.

import (
	"fmt"
	"math"
	"slices"
)

// Tokens are what executions of a task of the program bring in where it is a stage.
type Tokens struct {
	In []Token
	// Items says what each item's brings in where that is known, those of one of In together: the others have In of their own item.
	Items [][]Brought
	Back  Token // what code outside of stages reads of an execution's

	// Accesses and Bytes of an execution cross where nothing is copied.
	Accesses, Bytes float64
}

// Token is what one execution reads, on average.
type Token struct {
	From   int // task of the program that wrote it; -1: no stage
	Bytes  float64
	Copies float64 // lines: where executions read less than one each, so many of them copy
	Crossing
}

// Brought is what an execution brings in of what another stage passes on.
type Brought struct {
	In     int     // index into Tokens.In
	Back   int32   // it was written so many items before
	Times  float64 // what it is of the average
	Copies float64 // as of a Token
}

// brings is the nth of what an execution for an item brings in; false where there are no more.
func (x *Tokens) brings(item int32, n int) (Brought, bool) {
	if int(item) >= len(x.Items) {
		if n == len(x.In) {
			return Brought{}, false
		}
		return Brought{n, 0, 1, x.In[n].Copies}, true
	}
	if of := x.Items[item]; n < len(of) {
		return of[n], true
	}
	return Brought{}, false
}

// tokensOf are those of a task under way, nil where it copies nothing.
func (t *Table) tokensOf(execution int32) *Tokens {
	if t.Tokens == nil || execution < 0 || t.executions[execution].role != Deferred || t.executions[execution].task < 0 {
		return nil
	}
	return t.Tokens[t.executions[execution].task]
}

// checkTokens reports what no tasks can copy.
func (t *Table) checkTokens() error {
	for task, x := range t.Tokens {
		if x == nil {
			continue
		}
		for _, of := range x.Items {
			for _, b := range of {
				if b.In < 0 || b.In >= len(x.In) || b.Back < 0 || !(b.Times >= 0) || math.IsInf(b.Times, 1) || !(b.Copies >= 0) || math.IsInf(b.Copies, 1) {
					return fmt.Errorf("task %d reads %g times what it reads of %d", task, b.Times, b.In)
				}
			}
		}
		for _, c := range append(slices.Clone(x.In), x.Back, Token{From: -1, Bytes: x.Bytes, Copies: x.Accesses}) {
			if c.From < -1 || c.From >= len(t.Tokens) || !(c.Bytes >= 0) || math.IsInf(c.Bytes, 1) || !(c.Copies >= 0) || math.IsInf(c.Copies, 1) {
				return fmt.Errorf("task %d reads %g bytes of task %d of %d", task, c.Bytes, c.From, len(t.Tokens))
			}
			for _, cycles := range c.Crossing {
				if !(cycles >= 0) || math.IsInf(cycles, 1) {
					return fmt.Errorf("task %d waits %g cycles for what it reads", task, cycles)
				}
			}
		}
	}
	return nil
}

// carrying is what a simulation knows of the items of pipelines, and of copies under way.
type carrying struct {
	share sharing
	made  []int32   // by task of the program: how many were made
	on    [][]int32 // by task and item: the processor that executed it, from 1
	last  []int32   // by task: the same of the one that began last
}

// reset begins a construct.
func (c *carrying) reset(t *Table) {
	if t.Tokens == nil {
		return
	}
	if t.Links != nil {
		c.share.reset(t.Links)
	}
	if c.on == nil {
		n := len(t.Tokens)
		c.made, c.on, c.last = make([]int32, n), make([][]int32, n), make([]int32, n)
	}
	clear(c.made)
	clear(c.last)
	for i := range c.on {
		c.on[i] = c.on[i][:0]
	}
}

// item counts a task that is made.
func (s *taskSimulator) item(i int32) {
	if s.v.t.tokensOf(s.tasks[i].execution) == nil {
		return
	}
	c, task := &s.carry, s.v.t.executions[s.tasks[i].execution].task
	s.tasks[i].item = c.made[task]
	c.made[task]++
	c.on[task] = append(c.on[task], 0)
}

// writer is the processor that executed a task of the program on an item; -1 where none has.
func (c *carrying) writer(task int, item int32) int {
	if item < 0 {
		return -1
	}
	if on := c.on[task]; int(item) < len(on) && on[item] > 0 {
		return int(on[item]) - 1
	}
	return int(c.last[task]) - 1
}

// begins notes which processor executes a task, has it wait for what other processors wrote, and finds what it copies.
func (s *taskSimulator) begins(at int, i int32, now float64) (waits float64) {
	x := s.v.t.tokensOf(s.tasks[i].execution)
	if x == nil {
		return 0
	}
	th, l, met := &s.threads[at], s.v.t.Links, s.v.m.Serial
	p, item, task := th.processor, s.tasks[i].item, s.v.t.executions[s.tasks[i].execution].task
	s.carry.on[task][item], s.carry.last[task] = int32(p)+1, int32(p)+1
	remote := l != nil && l.Route[met][p].Remote
	if way := s.v.t.wayTo(met, p); remote {
		waits = x.Accesses*way.Latency + x.Bytes/l.rate(way.Links)
	}
	for n := 0; ; n++ {
		b, ok := x.brings(item, n)
		if !ok {
			break
		}
		in, q := &x.In[b.In], met
		if in.From >= 0 {
			if q = s.carry.writer(in.From, item-b.Back); q < 0 {
				continue
			}
		}
		if waits += b.Times * s.v.t.crossing(in.Crossing, q, p); l == nil || remote {
			continue
		}
		if l.Route[met][q].Remote { // who has no copies leaves all where the construct was met
			q = met
		}
		way := s.v.t.wayTo(q, p)
		if len(way.Links) == 0 || b.Times == 0 {
			continue
		}
		of := [2]int{b.In, q}
		k := slices.IndexFunc(th.copies, func(c copied) bool { return c.of == of })
		if k < 0 {
			k, th.copies = len(th.copies), append(th.copies, copied{links: way.Links, of: of})
		}
		c := &th.copies[k]
		c.latency, c.bytes = min(way.Latency, c.latency+b.Copies*way.Latency), c.bytes+b.Times*in.Bytes
	}
	s.tell(at, Fetch, s.tasks[i].section, now, waits, 0)
	return waits
}

// wayTo is what lies between the memories of two processors.
func (t *Table) wayTo(from, to int) Route {
	if t.Links == nil {
		return Route{}
	}
	return t.Links.Route[from][to]
}

// copies lets a thread go on with what it copies, and returns the time that the next step takes; moves is set where
// that hangs on others.
func (s *taskSimulator) copies(at int, me int32, now float64) (spent float64, moves bool) {
	t := &s.threads[at]
	c := &t.copies[0]
	switch {
	case t.moves:
		s.carry.share.end(t.processor, now)
		s.retime()
		s.spent(me, now, now-t.since)
		alone := min(now, t.since+c.bytes/s.v.t.Links.rate(c.links))
		s.tell(at, Fetch, s.tasks[me].section, t.since, alone-t.since, 0)
		s.tell(at, Contend, s.tasks[me].section, alone, now-alone, 0)
		if s.watch != nil {
			t.last.end = now
		}
		t.moves = false
		t.copies = t.copies[:copy(t.copies, t.copies[1:])]
	case c.latency > 0:
		spent, c.latency = c.latency, 0
		s.tell(at, Fetch, s.tasks[me].section, now, spent, 0)
	default:
		t.moves, t.since = true, now
		s.carry.share.begin(t.processor, c, 1, now)
		s.retime()
		return 0, true
	}
	return spent, false
}

// retime tells threads that copy when they will have ended.
func (s *taskSimulator) retime() {
	for i := range s.carry.share.moving {
		m := &s.carry.share.moving[i]
		s.threads[s.thread[m.processor]-1].until = s.carry.share.ends(m)
	}
}

// back is what the processor that met a construct copies when it has ended: of each stage what code behind reads, from each
// processor that executed it.
func (s *taskSimulator) back() (takes float64) {
	t := s.v.t
	for task, x := range t.Tokens {
		if x == nil || x.Back.Bytes == 0 {
			continue
		}
		for p := range t.KindOf {
			n := 0.0
			for _, on := range s.carry.on[task] {
				if int(on)-1 == p {
					n++
				}
			}
			if way := t.wayTo(p, s.v.m.Serial); n > 0 && len(way.Links) > 0 && !way.Remote {
				takes += min(1, n*x.Back.Copies)*way.Latency + n*x.Back.Bytes/t.Links.rate(way.Links)
			}
		}
	}
	return takes
}
