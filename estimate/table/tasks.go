package table

// This file plays an execution whose lanes make tasks on the processors of its team, as
// LLVM's run-time library does (openmp/runtime/src/kmp_tasking.cpp):
//
// Each thread has a queue of 256 tasks. Who makes a task puts it into its own queue, or
// executes it at once where that is full. A thread that waits (taskwait, the end of a
// taskgroup, the barrier at the end of the construct) takes the task that it put there last;
// where there is none, that which another thread put there first. While it waits inside of a
// task it takes descendants of that task alone (the task scheduling constraint of tied
// tasks). A task that waits for elder siblings comes into the queue of the thread that ends
// the last of them.
//
// A mapping can keep the tasks of a place to some processors. They go into the queue of the
// first of these from the maker on, and only these take them, also amid tasks that did not
// lead to them: otherwise two could wait for each other.
//
// Making a task costs the thread that makes it, before the task is there for others; and so
// does taking one from another thread's queue.
//
// libomp steals from whom chance says. Here, but for Stealing, a thread asks first whom it stole from last, then
// the others in the order of the team behind it; and of those that look for a task at one time
// the first in that order gets it. An untied task is begun amid any task, and what waits in one takes what it led to, and what the
// tied task around it did; but it goes on where it began. Priorities
// count for nothing, as in libomp where OMP_MAX_TASK_PRIORITY is not set. A construct that is
// met inside stays on its processor with all that is inside it.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/mapping"
)

const mostQueued = 256 // TASK_DEQUE_SIZE of kmp.h

// taskSimulator plays executions that make tasks. Its slices are reused.
type taskSimulator struct {
	v     *Valuer
	watch func(e Event)
	runs  *[]TaskRun         // nil where nobody asks for them
	waits map[int32][]uint64 // by task of the program: for which elder siblings it waits in place of what the row says; see depths.go

	root    int
	threads []thread
	thread  []int32 // by processor: its thread + 1
	loops   []loopPlay
	locks   locks
	carry   carrying
	ran     []ranOn // by place, as Reads has them
	none    ranOn   // nothing yet, of each thread
	tasks   []task
	free    int32 // first unused task, -1
	groups  []taskGroup
	spare   int32 // first unused group, -1
	left    int   // tasks that have not ended
	looking int   // threads that wait for a task
	made    uint64
	chance  uint64 // state of a generator of what is not steady; 0: all is
	dice    bool   // whom threads ask first for tasks is drawn too; else it is the next of the team
}

// thread is a processor of the team.
type thread struct {
	processor int
	until     float64
	frames    []taskFrame // the innermost last
	queue     []int32     // tasks, from head; a ring
	head, n   int
	victim    int  // whom it stole from last
	looks     bool // it waits for a task, or for what it waits for
	lanes     []int32
	stage     int8
	last      stretch  // what it did last, not yet told
	since     float64  // when it began to wait for a lock, or bytes to move
	slowed    float64  // what of each cycle it waits for lines that others use meanwhile
	cut       float64  // the last time at which it gave another thread something to do
	copies    []copied // before the task on top begins, the one under way first
	moves     bool     // its bytes are under way, since then
}

// task is one under way, or that waits, or has ended while its children have not.
type task struct {
	execution int32
	parent    int32 // -1 for what a lane of the construct makes
	level     int32
	group     int32   // that it counts for, -1 for none
	children  int32   // that have not ended
	refs      int32   // itself until it has ended, and its children
	waits     int32   // for how many elder siblings
	section   int32   // of the lane that led to it
	kept      bool    // to some processors
	waiter    int32   // thread that waits for it to be ready, rather than a task; -1
	number    uint64  // of all that were made
	next      int32   // of those that are free
	born      uint64  // deferred children that were made before the next, in the order of the program
	nth       uint64  // which of these of its maker it is
	item      int32   // of a stage: how many were made before it
	start     float64 // when its processor spent time in it first, -1 before; in taskruns.go
	busy      float64 // how long it did
	own       ranOn   // where it was executed
	under     ranOn   // where that was which it led to and has ended
	waited    bool    // for what others wrote
	after     []int32
	kids      []kid // children in their order, where someone asks
}

// kid is a child: its place, and its number, as the place is used again; and which child it is in
// the order of the program.
type kid struct {
	task         int32
	number, born uint64
}

// taskGroup is a taskgroup under way, of which so many tasks have not ended.
type taskGroup struct{ left, outer, owner int32 }

// taskFrame is a lane under way.
type taskFrame struct {
	task   int32 // -1: none, a piece of the lane below
	lane   int32
	part   int32
	times  float64
	inside bool
	taken  bool // from another thread, which costs
	began  bool // it has what it copies, or copies it
	waits  waitKind
	on     int32 // task or group that is waited for
	loop   int32 // it takes chunks of this loop, from 1, as its thread
	thread int32
	under  int32 // it is this stretch under a lock, from 1, once it has the lock
	has    bool
	inner  bool // of a construct met inside, whose tasks run where they are made
}

type waitKind uint8

const (
	runs waitKind = iota
	forChildren
	forGroup
	forSiblings
)

// Stages of a thread.
const (
	threadCreates int8 = iota
	threadLanes
	threadBarrier
	threadSyncs
	threadDone
)

// ErrStuck is the error of a mapping that keeps tasks to processors, so that some wait for
// each other for ever.
type ErrStuck struct{ Region int }

func (e *ErrStuck) Error() string {
	return fmt.Sprintf("table: tasks of region %d wait for each other for ever where the mapping keeps them; give one of them more processors", e.Region)
}

// run plays an execution that the serial processor meets outside of all sections.
func (s *taskSimulator) run(x int) (float64, error) {
	v := s.v
	e := &v.t.executions[x]
	s.root = x
	s.thread = append(s.thread[:0], make([]int32, len(v.t.KindOf))...)
	count := 0
	join := func(p int) *thread {
		if s.thread[p] == 0 {
			if count == len(s.threads) {
				s.threads = append(s.threads, thread{queue: make([]int32, mostQueued)})
			}
			t := &s.threads[count]
			*t = thread{processor: p, queue: t.queue, frames: t.frames[:0], lanes: t.lanes[:0], copies: t.copies[:0], victim: -1, cut: -1}
			count++
			s.thread[p] = int32(count)
		}
		return &s.threads[s.thread[p]-1]
	}
	for _, p := range v.team(int(e.region)) {
		join(p)
	}
	proc, order := v.placed(int(e.region), int(e.construct))
	for _, section := range order {
		if int32(section) < e.lanes && v.t.lanes[e.first+int32(section)].parts > 0 {
			t := join(proc[section])
			t.lanes = append(t.lanes, int32(section))
		}
	}
	s.threads = s.threads[:count]
	before, after := v.t.around(e.region, e.construct, v.m.Serial)
	s.around(Forking, 0, before*e.runs)
	for i := range s.threads {
		s.threads[i].until = before * e.runs
	}
	s.tasks, s.free, s.groups, s.spare, s.left, s.looking, s.made = s.tasks[:0], -1, s.groups[:0], -1, 0, 0, 0
	s.loops = s.loops[:0]
	for i := range v.t.chunked[x] {
		if c := &v.t.chunked[x][i]; !c.Runs {
			s.loops = append(s.loops, c.play())
		}
	}
	s.locks.clear(s.v.t.locks)
	s.carry.reset(v.t)
	s.forgetReads(count)
	working, last := count, 0.0
	for working > 0 {
		at, now := -1, math.Inf(1)
		for i := range s.threads {
			if t := &s.threads[i]; t.until < now {
				at, now = i, t.until
			}
		}
		if at < 0 && s.force(last) {
			continue
		}
		if at < 0 {
			return 0, &ErrStuck{int(e.region)}
		}
		last = now
		s.step(at, now)
		if t := &s.threads[at]; t.stage == threadDone {
			working--
		}
	}
	end := 0.0
	for i := range s.threads {
		s.flush(i)
		end = math.Max(end, s.threads[i].cut)
	}
	s.around(Joining, end, after*e.runs)
	back := (s.back() + s.readBack()) * e.runs
	s.around(Fetch, end+after*e.runs, back)
	return end + after*e.runs + back, nil
}

// mostStolen bounds the tasks of programs that are played in several orders of stealing: where
// there are more, none decides much.
const mostStolen = 1 << 17

// mostPlayed bounds the tasks that are played in all these orders: some seconds.
const mostPlayed = 1 << 21

// By how much times of parts vary there: relatively, and in cycles. Which thread comes first to
// the first few tasks may hang on less.
const unsteady, unsteadyCycles = 0.002, 10

// Stealing returns the least and the largest time of one execution of the program in the fixed
// order of stealing and in some others, with times of parts that are a little unsteady, in cycles
// of processor 0; 0 where no tasks are stolen, or too many. In half of the others threads ask
// each other in the fixed order, as a little unsteady times do enough; in half by chance. Where
// there are many tasks, there are fewer orders, from 16 on.
func (t *Table) Stealing(m *mapping.Resolved, orders int) (least, most float64, err error) {
	times, err := t.InOrders(m, orders)
	if err != nil || len(times) < 2 {
		return 0, 0, err
	}
	return slices.Min(times), slices.Max(times), nil
}

// InOrders returns these times one by one, that of the fixed order first, which is all where no
// tasks are stolen, or too many.
func (t *Table) InOrders(m *mapping.Resolved, orders int) ([]float64, error) {
	v := t.NewValuer()
	fixed, err := v.Value(m)
	if err != nil || t.made == 0 || t.made > mostStolen || !slices.ContainsFunc(t.Roots, func(r Root) bool { return v.spreadsTasks(r.Execution) }) {
		return []float64{fixed}, err
	}
	times := []float64{fixed}
	for order := range min(orders, max(16, int(mostPlayed/t.made))) {
		v.tasks.chance, v.tasks.dice = 0x9e3779b97f4a7c15*uint64(order+1), order%2 == 1
		x, err := v.Value(m)
		if err != nil {
			return nil, err
		}
		times = append(times, x)
	}
	return times, nil
}

// TasksMade returns how many tasks one execution of the program makes.
func (t *Table) TasksMade() float64 { return t.made }

// draw returns a number at random (xorshift).
func (s *taskSimulator) draw() uint64 {
	s.chance ^= s.chance << 13
	s.chance ^= s.chance >> 7
	s.chance ^= s.chance << 17
	return s.chance
}

// around tells what the processor that meets the region spends before its team and after.
func (s *taskSimulator) around(kind EventKind, start, length float64) {
	if length > 0 && s.watch != nil {
		s.watch(Event{Kind: kind, Processor: s.v.m.Serial, Execution: s.root, Section: -1, Start: start, End: start + length})
	}
}

// step lets a thread go on until it spends time, or waits for what is not there.
func (s *taskSimulator) step(at int, now float64) {
	v, t := s.v, &s.threads[at]
	if t.looks {
		t.looks = false
		s.looking--
	}
	runs := v.t.executions[s.root].runs
	for {
		switch {
		case t.stage == threadCreates:
			t.stage = threadLanes
			if over := v.t.Create[t.processor] * runs; over > 0 {
				s.tell(at, Create, -1, now, over, 0)
				t.until = now + over
				return
			}
		case len(t.frames) > 0:
			me := s.spends(at)
			spent, waits := s.frame(at, now)
			if s.spent(me, now, spent); waits {
				return
			} else if spent > 0 {
				t.until = now + spent
				return
			}
		case t.stage == threadLanes:
			if len(t.lanes) == 0 {
				t.stage = threadBarrier
				continue
			}
			section := t.lanes[0]
			t.lanes = t.lanes[1:]
			s.left++
			lane := s.begin(s.newTask(-1, int32(s.root), section))
			lane.lane = v.t.executions[s.root].first + section
			lane.loop, lane.thread = s.loopOf(section)
			t.frames = append(t.frames, lane)
		case t.stage == threadBarrier:
			if s.take(at) {
				continue
			}
			if s.left > 0 || s.lanesLeft() {
				s.look(at)
				return
			}
			t.stage = threadSyncs
			for i := range s.threads { // the barrier is reached by all
				if o := &s.threads[i]; o.looks && i != at {
					o.until = now
					t.cut = now
				}
			}
		case t.stage == threadSyncs:
			t.stage = threadDone
			t.until = math.Inf(1)
			over := v.t.Sync[t.processor] * runs
			if over > 0 {
				s.tell(at, Sync, -1, now, over, 0)
			}
			t.cut = now + over
			return
		}
	}
}

func (s *taskSimulator) lanesLeft() bool {
	for i := range s.threads {
		if t := &s.threads[i]; t.stage < threadBarrier {
			return true
		}
	}
	return false
}

// look lets a thread wait for something to do.
func (s *taskSimulator) look(at int) {
	t := &s.threads[at]
	t.looks, t.until = true, math.Inf(1)
	s.looking++
}

// wake lets threads that wait look again: there may be something for them.
func (s *taskSimulator) wake(by int, now float64) {
	if s.looking == 0 {
		return
	}
	s.threads[by].cut = now
	for i := range s.threads {
		if t := &s.threads[i]; t.looks {
			t.until = now
		}
	}
}

// wakeOne lets one thread look again, which waits for what has come.
func (s *taskSimulator) wakeOne(by, whom int, now float64) {
	if t := &s.threads[whom]; t.looks {
		t.until = now
		s.threads[by].cut = now
	}
}

// ---- tasks ----

func (s *taskSimulator) newTask(parent, execution, section int32) int32 {
	i := s.free
	if i >= 0 {
		s.free = s.tasks[i].next
	} else {
		i = int32(len(s.tasks))
		s.tasks = append(s.tasks, task{})
	}
	x := &s.tasks[i]
	s.made++
	*x = task{execution: execution, parent: parent, group: -1, refs: 1, section: section, waiter: -1, start: -1, number: s.made, after: x.after[:0], kids: x.kids[:0], own: x.own[:0], under: x.under[:0]}
	if s.v.t.Reads != nil {
		x.own, x.under = append(x.own, s.none...), append(x.under, s.none...)
	}
	if parent >= 0 {
		p := &s.tasks[parent]
		p.refs++
		x.level = p.level + 1
	}
	return i
}

func (s *taskSimulator) forget(i int32) {
	for i >= 0 {
		x := &s.tasks[i]
		if x.refs--; x.refs > 0 {
			return
		}
		parent := x.parent
		x.number = 0
		x.next, s.free = s.free, i
		i = parent
	}
}

// begin makes the frame of a task's own lane.
func (s *taskSimulator) begin(i int32) taskFrame {
	return taskFrame{task: i, lane: s.v.t.executions[s.tasks[i].execution].first}
}

// spawn makes a deferred task of the one that a thread executes, and reports whether the
// thread executes it at once.
func (s *taskSimulator) spawn(at int, parent int32, x int, groupOf int32, now float64) bool {
	i := s.newTask(parent, int32(x), s.tasks[parent].section)
	s.left++
	p := &s.tasks[parent]
	p.children++
	if n := &s.tasks[i]; groupOf >= 0 {
		n.group = groupOf
		s.groups[groupOf].left++
	}
	s.tasks[i].nth = p.born
	s.item(i)
	s.follow(parent, i, x)
	if p.born++; s.v.t.asks[p.execution] {
		p.kids = append(p.kids, kid{i, s.tasks[i].number, p.born - 1})
	}
	if s.tasks[i].waits > 0 {
		return false
	}
	return s.put(at, i, now)
}

// follow lets a task wait for those elder siblings that have not ended.
func (s *taskSimulator) follow(parent, i int32, x int) {
	p := &s.tasks[parent]
	waits := s.v.t.waitsOf(x)
	if other, ok := s.waits[s.v.t.executions[x].task]; ok && s.v.t.executions[x].role == Deferred {
		waits = other
	}
	for _, d := range waits {
		k, ok := p.elder(d)
		if !ok {
			continue
		}
		if e := &s.tasks[k.task]; e.number == k.number && e.execution >= 0 {
			e.after = append(e.after, i)
			s.tasks[i].waits++
		}
	}
}

// keeps reports whether the mapping keeps a task to some processors, of which the team has one.
func (s *taskSimulator) keeps(i int32) bool {
	task := int(s.v.t.executions[s.tasks[i].execution].task)
	if s.v.m.Tasks == nil || task < 0 || s.v.m.Tasks[task] == nil {
		return false
	}
	for k := range s.threads {
		if s.v.m.May(task, s.threads[k].processor) {
			return true
		}
	}
	return false
}

// put puts a task that is ready into a thread's queue, or has the thread execute it, which it
// reports. Those that the mapping keeps to other processors go into the queue of the first of
// these, which is as long as it takes.
func (s *taskSimulator) put(at int, i int32, now float64) bool {
	t := &s.threads[at]
	if s.keeps(i) {
		by := at
		for task := int(s.v.t.executions[s.tasks[i].execution].task); !s.v.m.May(task, t.processor); t = &s.threads[at] {
			if at++; at == len(s.threads) {
				at = 0
			}
		}
		if s.tasks[i].kept = true; t.n == len(t.queue) {
			longer := make([]int32, 2*len(t.queue))
			for k := range t.n {
				longer[k] = t.queue[(t.head+k)%len(t.queue)]
			}
			t.queue, t.head = longer, 0
		}
		t.queue[(t.head+t.n)%len(t.queue)] = i
		t.n++
		s.wake(by, now)
		return false
	}
	if t.n >= mostQueued {
		t.frames = append(t.frames, s.begin(i))
		return true
	}
	t.queue[(t.head+t.n)%len(t.queue)] = i
	t.n++
	s.wake(at, now)
	return false
}

// untied reports whether a task is that others may execute.
func (s *taskSimulator) untied(i int32) bool {
	x := s.tasks[i].execution
	if x < 0 || s.v.t.Untied == nil || s.v.t.executions[x].role != Deferred {
		return false
	}
	task := s.v.t.executions[x].task
	return task >= 0 && s.v.t.Untied[task]
}

// allowed reports whether a thread may begin a task: amid a tied task, or a taskwait or the end of
// a taskgroup in a lane, one that this led to, unless it is untied (kmp_tasking.cpp,
// __kmp_task_is_allowed).
func (s *taskSimulator) allowed(at int, i int32) bool {
	t := &s.threads[at]
	if s.tasks[i].kept { // where it may run, nothing else keeps it: others may wait for it there
		return s.v.m.May(int(s.v.t.executions[s.tasks[i].execution].task), t.processor)
	}
	if s.untied(i) {
		return true
	}
	waits := false
	for k := len(t.frames) - 1; k >= 0; k-- {
		f := &t.frames[k]
		waits = waits || f.waits == forChildren || f.waits == forGroup
		if f.task < 0 {
			continue
		}
		if s.leads(f.task, i) {
			return true
		}
		if !s.untied(f.task) {
			return s.tasks[f.task].parent < 0 && !waits // the lane of a section
		}
		waits = false
	}
	return true
}

// leads reports whether a task led to another.
func (s *taskSimulator) leads(task, to int32) bool {
	for s.tasks[to].level > s.tasks[task].level {
		if to = s.tasks[to].parent; to == task {
			return true
		}
	}
	return false
}

// take lets a thread begin a task that is ready, if there is one for it.
func (s *taskSimulator) take(at int) bool {
	t := &s.threads[at]
	for k := t.n - 1; k >= 0; k-- { // the last of all, unless tasks that are kept here brought others
		i := t.queue[(t.head+k)%len(t.queue)]
		if !s.allowed(at, i) {
			continue
		}
		for ; k < t.n-1; k++ { // those behind move up
			t.queue[(t.head+k)%len(t.queue)] = t.queue[(t.head+k+1)%len(t.queue)]
		}
		t.n--
		t.frames = append(t.frames, s.begin(i))
		return true
	}
	if t.victim >= 0 && s.steal(at, t.victim) {
		return true
	}
	others := len(s.threads) - 1
	first := 0
	if s.dice && others > 0 {
		first = int(s.draw() % uint64(others))
	}
	for k := range others {
		if from := (at + 1 + (first+k)%others) % len(s.threads); s.steal(at, from) {
			t.victim = from
			return true
		}
	}
	t.victim = -1
	return false
}

// steal takes the task that another thread put first into its queue, of those allowed.
func (s *taskSimulator) steal(at, from int) bool {
	o := &s.threads[from]
	for k := range o.n {
		i := o.queue[(o.head+k)%len(o.queue)]
		if !s.allowed(at, i) {
			continue
		}
		for ; k > 0; k-- { // those before move up
			o.queue[(o.head+k)%len(o.queue)] = o.queue[(o.head+k-1)%len(o.queue)]
		}
		o.head, o.n = (o.head+1)%len(o.queue), o.n-1
		f := s.begin(i)
		f.taken = true
		s.threads[at].frames = append(s.threads[at].frames, f)
		return true
	}
	return false
}

func (s *taskSimulator) end(at int, i int32, now float64) {
	x := &s.tasks[i]
	s.left--
	for _, a := range x.after {
		w := &s.tasks[a]
		if w.waits--; w.waits > 0 {
			continue
		}
		if w.waiter >= 0 {
			s.wakeOne(at, int(w.waiter), now)
		} else if s.put(at, a, now) { // it is executed at once, before what is below
			continue
		}
	}
	x = &s.tasks[i]
	s.ledTo(i)
	s.runOf(at, x, now)
	x.execution = -1
	if g := x.group; g >= 0 {
		if s.groups[g].left--; s.groups[g].left == 0 {
			s.wake(at, now)
		}
	}
	if x.parent >= 0 {
		if p := &s.tasks[x.parent]; p.children > 0 {
			if p.children--; p.children == 0 {
				s.wake(at, now)
			}
		}
	}
	if s.left == 0 {
		s.wake(at, now)
	}
	s.forget(i)
}

// ---- lanes ----

// groupOf is the taskgroup that tasks count for that are made now: the innermost that the
// task of a frame is in or has begun.
func (s *taskSimulator) groupOf(i int32) int32 { return s.tasks[i].group }

// frame goes on with what a thread has on top, and returns the time that its next step takes,
// or 0 when something else is on top now; waits is set where the thread has nothing to do.
func (s *taskSimulator) frame(at int, now float64) (spent float64, waits bool) {
	v, t := s.v, &s.threads[at]
	f := &t.frames[len(t.frames)-1]
	me := s.me(at)
	if f.waits != runs {
		if !s.over(f) {
			if s.take(at) {
				return 0, false
			}
			s.look(at)
			return 0, true
		}
		switch f.waits {
		case forChildren:
			s.waited(at, me, now)
		case forGroup:
			g := f.on
			s.tasks[me].group = s.groups[g].outer
			s.groups[g].outer, s.spare = s.spare, g
		case forSiblings:
			s.forget(f.on)
		}
		f.waits = runs
	}
	if f.under > 0 && !f.has {
		if spent, waits = s.acquire(at, f, now); spent > 0 || waits {
			return spent, waits
		}
	}
	if f.loop > 0 {
		return s.chunk(at, f, me, now), false
	}
	if f.taken {
		f.taken = false
		if over := v.t.Steal[t.processor]; over > 0 {
			s.tell(at, TaskSteal, s.tasks[me].section, now, over, 0)
			return over, false
		}
	}
	if f.task >= 0 && !f.began {
		f.began = true
		if waits := s.begins(at, f.task, now); waits > 0 {
			return waits, false
		}
	}
	if len(t.copies) > 0 {
		return s.copies(at, me, now)
	}
	l := &v.t.lanes[f.lane]
	if f.part == l.parts {
		i := f.task
		if f.under > 0 && !v.t.executions[f.under-1].atomic {
			s.release(at, v.t.executions[f.under-1].lock, now)
		}
		t.frames = t.frames[:len(t.frames)-1]
		if i >= 0 {
			s.end(at, i, now)
		}
		return 0, false
	}
	n := int(l.first + f.part)
	p := &v.t.parts[n]
	if p.times == 0 {
		f.part++
		return 0, false
	}
	x, role := -1, NoTask
	if p.set >= 0 {
		x = v.t.sets[p.set].Executions[0]
		role = v.t.executions[x].role
	}
	if !f.inside {
		own := v.t.own[n*v.t.Kinds+v.t.KindOf[t.processor]]
		kept := 0.0
		stays := p.set >= 0 && !v.t.setLocks[p.set] && (role == NoTask || (role == Undeferred || role == Piece) && !v.t.makes[x])
		if stays {
			kept = v.t.setAlone[int(p.set)*v.t.Kinds+v.t.KindOf[t.processor]]
			own = p.times * (own + kept)
		}
		f.inside = true
		if stays || p.set < 0 {
			f.times = p.times
		}
		if s.chance != 0 {
			own = math.Max(0, own+(unsteady*own+unsteadyCycles)*(2*float64(s.draw()>>11)/(1<<53)-1))
		}
		over, asked := 0.0, 0.0
		if !f.inner {
			asked = p.asks * v.t.Dispatch[t.processor]
		}
		switch {
		case f.inner:
		case role == Deferred:
			over = v.t.Task[t.processor]
		case role == Undeferred && !stays:
			over = v.t.Undeferred[t.processor]
		case role == Undeferred:
			over = p.times * (1 + v.t.atOnce[x]) * v.t.Undeferred[t.processor]
		case role == Piece && stays:
			over = p.times * v.t.atOnce[x] * v.t.Undeferred[t.processor]
		}
		crowded := s.beside(at, own, now)
		serial := 0.0
		if kind := v.t.KindOf[v.m.Serial]; s.watch != nil {
			if serial = v.t.own[n*v.t.Kinds+kind]; stays {
				serial = p.times * (serial + v.t.setAlone[int(p.set)*v.t.Kinds+kind])
			}
		}
		if asked+own+over+serial > 0 {
			s.tell(at, Dispatch, -1, now, asked, 0)
			s.tell(at, Work, s.tasks[me].section, now+asked, own, serial)
			s.tell(at, Fetch, s.tasks[me].section, now+asked+own, crowded, 0)
			s.tell(at, TaskMake, s.tasks[me].section, now+asked+own+crowded, over, 0)
			if s.watch != nil {
				t.last.end = now + (asked + own + crowded + over) // when the thread goes on, to the last bit
			}
			return asked + own + crowded + over, false
		}
	}
	if f.times >= p.times {
		f.inside, f.times, f.part = false, 0, f.part+1
		return 0, false
	}
	if f.inside, f.times = false, f.times+1; f.times == p.times {
		f.part, f.times = f.part+1, 0
	}
	switch inner := f.inner; {
	case role == NoTask:
		t.enter(x, &v.t.executions[x], inner)
		return 0, false
	case role == Piece || inner && (role == Deferred || role == Undeferred):
		t.frames = append(t.frames, taskFrame{task: -1, lane: v.t.executions[x].first, inner: inner})
		return 0, false
	case inner:
		return 0, false // all has ended that is waited for
	}
	switch role {
	case Deferred:
		s.spawn(at, me, x, s.groupOf(me), now)
	case Undeferred:
		i := s.newTask(me, int32(x), s.tasks[me].section)
		s.left++
		s.tasks[me].children++
		s.tasks[i].group = -1
		if g := s.groupOf(me); g >= 0 {
			s.tasks[i].group = g
			s.groups[g].left++
		}
		t.frames = append(t.frames, s.begin(i))
	case Wait:
		f.waits, f.on = forChildren, me
	case WaitFor:
		i := s.newTask(me, int32(x), s.tasks[me].section)
		s.follow(me, i, x)
		s.tasks[i].waiter = int32(at)
		f = &t.frames[len(t.frames)-1]
		f.waits, f.on = forSiblings, i
	case GroupBegin:
		g := s.spare
		if g >= 0 {
			s.spare = s.groups[g].outer
		} else {
			g = int32(len(s.groups))
			s.groups = append(s.groups, taskGroup{})
		}
		s.groups[g] = taskGroup{outer: s.tasks[me].group, owner: me}
		s.tasks[me].group = g
	case GroupEnd:
		if g := s.tasks[me].group; g >= 0 && s.groups[g].owner == me {
			f.waits, f.on = forGroup, g
		}
	}
	return 0, false
}

// me is the task that a thread executes.
func (s *taskSimulator) me(at int) int32 {
	frames := s.threads[at].frames
	for k := len(frames) - 1; ; k-- {
		if frames[k].task >= 0 {
			return frames[k].task
		}
	}
}

// over reports whether what a frame waits for has come.
func (s *taskSimulator) over(f *taskFrame) bool {
	switch f.waits {
	case forChildren:
		return s.tasks[f.on].children == 0
	case forGroup:
		return s.groups[f.on].left == 0
	default:
		return s.tasks[f.on].waits == 0
	}
}

// ---- what is watched ----

// stretch is what a thread does without a break for one section. It is told as one event of each
// kind, in the order of stretchKinds, whatever the order was: a million tasks are as many
// pieces, and nobody waits for what lies within a stretch.
type stretch struct {
	section    int32
	stage      int32 // task of the program, from 1, where it is one
	start, end float64
	spent      [len(stretchKinds)]float64
	serial     float64
}

var stretchKinds = [...]EventKind{Create, Dispatch, TaskSteal, Work, Fetch, Contend, TaskMake, Sync}

// tell tells of time that a thread spends. A stretch ends where another processor waited for
// its end.
func (s *taskSimulator) tell(at int, kind EventKind, section int32, now, length, serial float64) {
	if s.watch == nil || length == 0 && serial == 0 {
		return
	}
	t := &s.threads[at]
	stage := s.stage(at)
	if x := &t.last; x.end == x.start || x.section != section || x.stage != stage || x.end != now || t.cut >= now {
		s.flush(at)
		t.last = stretch{section: section, stage: stage, start: now}
	}
	t.last.end = now + length
	t.last.spent[slices.Index(stretchKinds[:], kind)] += length
	t.last.serial += serial
}

// stage is the task of the program, from 1, that a thread executes, where that is a stage.
func (s *taskSimulator) stage(at int) int32 {
	if s.v.t.Stages == nil || len(s.threads[at].frames) == 0 {
		return 0
	}
	x := &s.v.t.executions[s.tasks[s.me(at)].execution]
	if x.role != Deferred || x.task < 0 || !s.v.t.Stages[x.task] {
		return 0
	}
	return x.task + 1
}

// flush tells of a thread's last stretch.
func (s *taskSimulator) flush(at int) {
	t := &s.threads[at]
	x := t.last
	t.last = stretch{}
	for k, kind := range stretchKinds {
		if x.spent[k] == 0 && (kind != Work || x.serial == 0) {
			continue
		}
		e := Event{Kind: kind, Processor: t.processor, Execution: s.root, Section: -1, Start: x.start, End: x.start + x.spent[k]}
		if kind == Work {
			e.Section, e.Serial, e.Stage = int(x.section), x.serial, int(x.stage)
		}
		if x.spent[k] = 0; x.spent == [len(stretchKinds)]float64{} {
			e.End = x.end // to the last bit
		}
		s.watch(e)
		x.start = e.End
	}
}
