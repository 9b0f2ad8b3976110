package table

// This file holds tasks in rows. A task is an execution of its own that stands where it is
// made, in the lane of what makes it; what waits for tasks stands where it waits. They are of
// no construct: the processors of the team of the region around them execute them (tasks.go
// of this package's simulators), and everywhere else a task is time where it is made.

import (
	"encoding/binary"
	"fmt"
	"math"
)

// TaskRole says what an execution that is of no construct is.
type TaskRole uint8

// The roles. Those without lanes happen in the lane that they stand in.
const (
	NoTask     TaskRole = iota
	Deferred            // a task, which some processor executes later
	Undeferred          // a task that is executed where it is made, before its creator goes on
	Piece               // a piece of the lane that it stands in
	Wait                // for the children of the task around it
	WaitFor             // for some of them
	GroupBegin          // a taskgroup
	GroupEnd            // waits for all tasks that were made inside of it, by whomever
)

// waitsFor are the elder siblings that something waits for: 1 is the one made last before it.
type waitsFor []uint64

// Task adds an execution that is of no construct, and returns its number, which is that of an
// earlier one where all is equal. Where the role has no lane, parts is nil. Deferred tasks
// and WaitFor may wait for elder siblings; deferred tasks are those of a place of the program, -1
// where it is not known.
func (b *Builder) Task(role TaskRole, task int, waits []uint64, parts []Part) int {
	var lanes [][]Part
	if parts != nil {
		lanes = [][]Part{parts}
	}
	key := string(binary.AppendVarint([]byte(contentOf(&execution{region: -1, construct: int32(role), runs: 1}, lanes)), int64(task)))
	for _, w := range waits {
		key += string(binary.AppendUvarint(nil, w))
	}
	if n, ok := b.t.known[key]; ok {
		return n
	}
	b.t.known[key] = len(b.t.executions)
	n := b.put(execution{region: -1, construct: -1, runs: 1}, lanes)
	x := &b.t.executions[n]
	x.role, x.task = role, int32(task)
	if len(waits) > 0 {
		b.t.waits = append(b.t.waits, waits)
		x.waits = int32(len(b.t.waits))
	}
	return n
}

// Role tells what an execution is that is of no construct.
func (t *Table) Role(execution int) TaskRole { return t.executions[execution].role }

// MakesTasks reports whether the lanes of an execution make tasks.
func (t *Table) MakesTasks(execution int) bool { return t.makes[execution] }

// waitsOf lists for which elder siblings an execution waits.
func (t *Table) waitsOf(x int) waitsFor {
	if w := t.executions[x].waits; w > 0 {
		return t.waits[w-1]
	}
	return nil
}

// mostTasks bounds what is played of one execution: some tens of seconds.
const mostTasks = 1 << 28

// findTasks tells which executions make deferred tasks in lanes of their own, and in which of these the order of tasks is asked for again.
func (t *Table) findTasks() error {
	t.makes, t.asks, t.atOnce = make([]bool, len(t.executions)), make([]bool, len(t.executions)), make([]float64, len(t.executions))
	t.makesIn = t.newRegionSet()
	for r, single := range t.Singles {
		if single {
			t.makesIn.Add(r)
		}
	}
	steps := make([]float64, len(t.executions))
	seen := make([]bool, len(t.executions))
	var find func(x int)
	find = func(x int) {
		if seen[x] {
			return
		}
		seen[x] = true
		t.eachPart(x, func(_ int, p part) {
			if p.set < 0 || len(t.sets[p.set].Executions) != 1 {
				return
			}
			inner := t.sets[p.set].Executions[0]
			find(inner)
			if e := &t.executions[inner]; e.role != NoTask && (e.role != Undeferred || t.makes[inner]) {
				steps[x] += p.times * (1 + steps[inner])
			}
			switch e := &t.executions[inner]; e.role {
			case NoTask:
			case Undeferred:
				t.atOnce[x] += p.times * (1 + t.atOnce[inner])
				t.makes[x] = t.makes[x] || t.makes[inner]
			case Piece:
				t.atOnce[x] += p.times * t.atOnce[inner]
				t.makes[x], t.asks[x] = t.makes[x] || t.makes[inner], t.asks[x] || t.asks[inner]
			case Deferred:
				t.makes[x], t.asks[x] = true, t.asks[x] || e.waits > 0
			case WaitFor:
				t.asks[x] = true
			}
		})
		if e := &t.executions[x]; e.role == NoTask && t.makes[x] {
			t.makesIn.Add(int(e.region))
		}
	}
	for x := range t.executions {
		find(x)
	}
	t.countBorn()
	for _, r := range t.Roots {
		t.made += steps[r.Execution]
		if n := steps[r.Execution]; n > mostTasks {
			return fmt.Errorf("table: an execution of region %d makes %.3g tasks: too many to play; use a smaller input, or estimate --task-final", t.executions[r.Execution].region, n)
		}
	}
	return nil
}

// spans are the longest chains of tasks: what a lane takes with a processor for each task.
type spans struct {
	t   *Table
	own func(part int) float64 // time of a part's own
	set func(set int) float64  // of an execution of a construct in a set
	// What a task costs who makes it, and who takes it, which another processor is.
	make, atOnce, steal float64
	known               map[int]chain      // of executions of tasks
	waits               map[int32][]uint64 // by task of the program: in place of what rows say; nil for that
}

// chain is when a lane's own parts have ended, and when all tasks have that it made.
type chain struct{ body, all float64 }

// siblings are when the children of a task end that were made so far, where someone asks.
type siblings struct{ ends []float64 }

// task returns the chain of an execution of no construct.
func (s *spans) task(x int) chain {
	if c, ok := s.known[x]; ok {
		return c
	}
	e := &s.t.executions[x]
	var c chain
	if e.lanes > 0 {
		c = s.lane(e.first, s.t.asks[x])
	}
	s.known[x] = c
	return c
}

func (s *spans) lane(lane int32, asks bool) chain {
	w := &walkTasks{spans: s}
	if asks {
		w.kids = &siblings{}
	}
	w.parts(lane, 1)
	return chain{w.now, math.Max(w.now, math.Max(w.all, w.children))}
}

// walkTasks goes through a lane.
type walkTasks struct {
	*spans
	now, children float64 // when children have ended; not those of groups that have ended
	all           float64 // and all that these have made
	groups        []float64
	kids          *siblings
}

func (w *walkTasks) parts(lane int32, times float64) {
	t := w.t
	l := t.lanes[lane]
	for ; times > 0; times-- {
		for i := l.first; i < l.first+l.parts; i++ {
			p := &t.parts[i]
			own := w.own(int(i))
			if p.set < 0 {
				w.now += p.times * own
				continue
			}
			x := t.sets[p.set].Executions[0]
			e := &t.executions[x]
			switch e.role {
			case NoTask:
				w.now += p.times * (own + w.set(int(p.set)))
			case Undeferred:
				c := w.task(x)
				w.now += p.times * (own + w.atOnce + c.body)
				w.ended(w.now, w.now-c.body+c.all)
			case Piece:
				w.now += own
				w.parts(e.first, p.times)
			case Wait:
				w.now += p.times * own
				w.now = math.Max(w.now, w.children)
			case WaitFor:
				w.now = math.Max(w.now+p.times*own, w.after(x))
			case GroupBegin:
				w.now += p.times * own
				for range int(p.times) {
					w.groups = append(w.groups, 0)
				}
			case GroupEnd:
				w.now += p.times * own
				for range int(p.times) {
					if n := len(w.groups) - 1; n >= 0 {
						w.now = math.Max(w.now, w.groups[n])
						w.groups = w.groups[:n]
					}
				}
			case Deferred:
				w.made(x, own, p.times)
			}
		}
	}
}

// made goes through tasks that are made in a row.
func (w *walkTasks) made(x int, own, times float64) {
	c := w.task(x)
	if w.kids == nil && w.t.executions[x].waits == 0 {
		w.now += times * (own + w.make)
		w.ended(w.now+w.steal+c.body, w.now+w.steal+c.all)
		return
	}
	for ; times > 0; times-- {
		w.now += own + w.make
		begins := math.Max(w.now, w.after(x)) + w.steal
		w.ended(begins+c.body, begins+c.all)
		if w.kids != nil {
			w.kids.ends = append(w.kids.ends, begins+c.body)
		}
	}
}

// ended notes when a child has ended, and all that it made.
func (w *walkTasks) ended(body, all float64) {
	w.children, w.all = math.Max(w.children, body), math.Max(w.all, all)
	for g := range w.groups {
		w.groups[g] = math.Max(w.groups[g], all)
	}
}

// after is when those have ended that an execution waits for.
func (w *walkTasks) after(x int) float64 {
	last := 0.0
	if w.kids == nil {
		return 0
	}
	waits := w.t.waitsOf(x)
	if e := &w.t.executions[x]; e.role == Deferred && w.waits[e.task] != nil {
		waits = w.waits[e.task]
	}
	for _, d := range waits {
		if at := len(w.kids.ends) - int(d); at >= 0 && at < len(w.kids.ends) {
			last = math.Max(last, w.kids.ends[at])
		}
	}
	return last
}
