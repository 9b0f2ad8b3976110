package replay

// This file simulates one execution of a construct whose sections make tasks, from the tape,
// as LLVM's run-time library runs them; see the package's documentation.

import (
	"container/heap"
	"slices"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/mapping"
)

// mostWaiting is how many tasks a worker's list of them takes.
const mostWaiting = 256

// A strand is a stretch of events that one worker goes through: a section, a task, or the chunks
// of a loop that a thread takes.
type strand struct {
	node   *taskNode
	event  int32 // that comes next
	worked bool  // what lies before it is done
	until  func() bool
	closed bool    // it waits at a taskwait, or the end of a taskgroup
	thread *thread // of a loop
	inner  int     // regions under way inside, whose tasks run where they are made
	met    []meeting
	held   []*lock
	piece  piece
	copies []transfer // before it begins, the one under way first
	began  bool
}

// meeting is when a region was met, and the event that begins it.
type meeting struct {
	at    float64
	event int32
}

// taskNode is a task, a section, or what a thread does of a loop.
type taskNode struct {
	begin      int32 // the event that begins it
	parent     *taskNode
	depth      int
	over       bool
	unfinished int         // children
	missing    int         // elder siblings that it waits for
	children   []*taskNode // deferred, in the order in which they were made
	born       int         // of these, and of other threads', those before the next in the order of the program
	number     int         // of its parent's
	followers  []*taskNode
	waits      bool // it stands for a taskwait, which it lets go on
	groups     []*taskGroup
	group      *taskGroup          // that it counts for
	item       int                 // of its task: how many were made before
	lines      map[int][]*taskNode // of stages whose buffers the mapping deepens, by task: its children, by item
	untied     bool
	only       []int // processors that the mapping keeps it to; nil for none
}

type taskGroup struct{ unfinished int }

type taskWorker struct {
	index, processor int
	clock            float64
	strands          []strand
	sections         []item
	list             []*taskNode
	last             *taskWorker // whom it took a task from
	idle             bool
	stuck            bool      // for a lock
	slowed           float64   // what it takes longer for each cycle, see Carried
	moves            *transfer // its bytes are under way
	stage            int
}

// taskPlay is the simulation of one construct.
type taskPlay struct {
	s          *Simulator
	t          *tape
	workers    []*taskWorker
	loops      []taskLoop
	locks      map[uint64]*lock
	lines      lines
	unfinished int
	pays       bool // who takes part creates and synchronises
	agenda     taskAgenda
	moving     []*taskWorker // that copy, as far as at the time moved
	moved      float64
	made       map[int]int   // by task: how many
	on         map[int][]int // by task and item: the processor that began it, -1 before; kept for what is carried
	lastOn     map[int]int
}

type taskAgenda []*taskWorker

func (a taskAgenda) Len() int { return len(a) }
func (a taskAgenda) Less(i, j int) bool {
	return a[i].clock < a[j].clock || a[i].clock == a[j].clock && a[i].index < a[j].index
}
func (a taskAgenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *taskAgenda) Push(x any)   { *a = append(*a, x.(*taskWorker)) }
func (a *taskAgenda) Pop() any {
	n := len(*a) - 1
	x := (*a)[n]
	*a = (*a)[:n]
	return x
}

// playTasks returns how long a streak takes, on the processors of its sections and threads of loops, and on those of its region's
// team where these make tasks.
func (s *Simulator) playTasks(region int, k *keptStreak) (takes float64, ended bool) {
	s.tape.layOut()
	if s.caches != nil {
		s.caches.begin()
	}
	p := &taskPlay{s: s, t: s.tape, locks: map[uint64]*lock{}, made: map[int]int{}, pays: k.tasks || k.forks}
	for _, begin := range k.loops {
		p.loops = append(p.loops, p.loopOf(begin))
	}
	byProcessor := map[int]*taskWorker{}
	hire := func(processor int) *taskWorker {
		w := byProcessor[processor]
		if w == nil {
			w = &taskWorker{index: len(p.workers), processor: processor}
			byProcessor[processor] = w
			p.workers = append(p.workers, w)
		}
		return w
	}
	if k.tasks {
		for _, processor := range s.m.Regions[region].Team {
			hire(processor)
		}
	}
	for i, x := range k.items {
		w := hire(k.at[i])
		w.sections = append(w.sections, x)
	}
	for _, w := range p.workers {
		heap.Push(&p.agenda, w)
	}
	for p.agenda.Len() > 0 || p.forceLock() {
		p.advance(heap.Pop(&p.agenda).(*taskWorker))
	}
	end := 0.0
	for _, w := range p.workers {
		end = max(end, w.clock)
	}
	return end + p.carriedBack(), p.unfinished == 0
}

// advance lets a worker act until time passes for it, or it has nothing to do.
func (p *taskPlay) advance(w *taskWorker) {
	for now := w.clock; w.clock == now; {
		switch {
		case w.stage == 0:
			w.stage = 1
			if p.pays {
				w.clock += p.s.create[w.processor]
			}
		case len(w.strands) > 0:
			if !p.strand(w) {
				w.idle = !w.stuck
				return
			}
		case len(w.sections) > 0:
			x := w.sections[0]
			w.sections = w.sections[1:]
			p.unfinished++
			p.enter(w, &taskNode{begin: x.event})
			if x.loop > 0 {
				w.strands[len(w.strands)-1].thread = &thread{loop: x.loop - 1, number: int(x.event)}
			}
		case p.find(w):
		case p.unfinished > 0 || slices.ContainsFunc(p.workers, func(o *taskWorker) bool { return o.stage == 0 || len(o.sections) > 0 }):
			w.idle = true
			return
		default:
			p.rouse(w.clock)
			if p.pays {
				w.clock += p.s.sync[w.processor]
			}
			return
		}
	}
	heap.Push(&p.agenda, w)
}

// rouse lets all look again that wait for something to do.
func (p *taskPlay) rouse(now float64) {
	for _, w := range p.workers {
		p.rouseOne(w, now)
	}
}

func (p *taskPlay) rouseOne(w *taskWorker, now float64) {
	if w.idle {
		w.idle, w.clock = false, now
		heap.Push(&p.agenda, w)
	}
}

func (p *taskPlay) enter(w *taskWorker, n *taskNode) {
	w.strands = append(w.strands, strand{node: n, event: n.begin + 1, copies: p.copiesOfStage(w, n.begin)})
}

// find lets a worker begin a task: its own latest, or the earliest of another's.
func (p *taskPlay) find(w *taskWorker) bool {
	for i := len(w.list) - 1; i >= 0; i-- {
		if x := w.list[i]; w.may(x) {
			w.list = slices.Delete(w.list, i, i+1)
			p.enter(w, x)
			return true
		}
	}
	take := func(o *taskWorker) bool {
		i := slices.IndexFunc(o.list, w.may)
		if i < 0 {
			return false
		}
		x := o.list[i]
		o.list = slices.Delete(o.list, i, i+1)
		w.clock += p.s.m.Platform.Other.Steal.Cycles * p.s.factor[w.processor]
		p.enter(w, x)
		return true
	}
	if w.last != nil && take(w.last) {
		return true
	}
	for k := range p.workers {
		if o := p.workers[(w.index+k)%len(p.workers)]; o != w && take(o) {
			w.last = o
			return true
		}
	}
	w.last = nil
	return false
}

// may reports whether a worker may begin a task: it is untied, the tied task that it is amid led to it, or the lane of a
// construct in which it waits at a taskwait or the end of a taskgroup, or the mapping keeps it to this processor among others.
func (w *taskWorker) may(n *taskNode) bool {
	if n.only != nil {
		return slices.Contains(n.only, w.processor)
	}
	led := func(by *taskNode) bool {
		for x := n; x != nil && x.depth > by.depth; x = x.parent {
			if x.parent == by {
				return true
			}
		}
		return false
	}
	amid := len(w.strands) - 1
	for amid >= 0 && w.strands[amid].node.untied && !led(w.strands[amid].node) {
		amid--
	}
	return n.untied || amid < 0 || w.strands[amid].node.parent == nil && !w.strands[amid].closed || led(w.strands[amid].node)
}

// strand goes on with the innermost strand of a worker; false where it has to rest.
func (p *taskPlay) strand(w *taskWorker) bool {
	x := &w.strands[len(w.strands)-1]
	if !x.began {
		x.began, x.copies = true, append(x.copies, p.carriedBy(w, x.node)...)
	}
	if len(x.copies) > 0 {
		p.copy(w, x)
		return true
	}
	if x.until != nil {
		if !x.until() {
			return p.find(w)
		}
		x.until, x.closed = nil, false
	}
	if x.thread != nil && x.thread.chunk.Len() == 0 {
		return p.chunk(w, x)
	}
	if !x.worked {
		now := w.clock
		if x.worked = p.work(w, x); !x.worked || w.clock > now {
			return true
		}
	}
	e := x.event
	if word := p.t.events[e].word; (locks(word) || updates(word)) && !p.passLock(w, x) {
		return false
	}
	x.worked, x.event = false, e+1
	me := x.node
	switch {
	case x.thread != nil && e == p.loops[x.thread.loop].groups[x.thread.group+1].event:
		p.endGroup(x)
		return true
	case x.thread == nil && e == p.t.closes(me.begin):
		w.strands = w.strands[:len(w.strands)-1]
		p.finish(w, me)
		return true
	case x.thread != nil && x.inner == 0 && p.elsewhere(x, e):
		return true
	}
	switch kind := p.t.kind(e); {
	case kind == ir.RegionBegin:
		x.inner++
		x.met = append(x.met, meeting{w.clock, e})
		return true
	case kind == ir.RegionEnd:
		x.inner--
		if n := len(x.met) - 1; p.s.timed.on && n >= 0 {
			p.s.distribute(x.met[n].event, e, w.clock-x.met[n].at)
			x.met = x.met[:n]
		}
		return true
	case x.inner > 0:
		return true
	}
	switch p.t.kind(e) {
	case ir.TaskBegin:
		x.event = p.t.closes(e) + 1
		p.create(w, me, e)
	case ir.TaskWait:
		if sectionOf(p.t.events[e].word) == 0 {
			x.until, x.closed = func() bool { return me.unfinished == 0 }, true
			break
		}
		point := &taskNode{}
		p.order(me, point, e)
		if point.missing > 0 {
			point.waits = true
			x.until = func() bool { return point.missing == 0 }
		}
	case ir.GroupBegin:
		me.groups = append(me.groups, &taskGroup{})
	case ir.GroupEnd:
		if n := len(me.groups); n > 0 {
			g := me.groups[n-1]
			x.until, x.closed = func() bool { return g.unfinished == 0 }, true
			me.groups = me.groups[:n-1]
		}
	}
	return true
}

// work lets the time pass that a strand takes up to its next event, and reports whether that is done: others may
// act between its accesses.
func (p *taskPlay) work(w *taskWorker, x *strand) bool {
	cost := p.s.cost(w.processor, p.t.units(p.s.meter[w.processor], x.event-1, x.event))
	if t := x.thread; t != nil {
		cost *= t.part
	}
	own := cost
	if x.inner == 0 && p.t.kind(x.event) == ir.TaskBegin {
		over := p.s.m.Platform.Other.Task
		if sectionOf(p.t.events[x.event].word) == 1 { // its creator executes it
			over = p.s.m.Platform.Other.Undeferred
		}
		cost += over.Cycles * p.s.factor[w.processor]
	}
	if !p.s.timed.on {
		w.clock += cost + p.carriedBeside(w, own)
		return true
	}
	passed := 0.0
	if !x.piece.under {
		if t := x.thread; t != nil {
			passed = x.piece.begin(cost, t.accesses(&p.loops[t.loop].dealtLoop, p.t, x.event)...)
		} else {
			passed = x.piece.begin(cost, p.t.between(x.event-1, x.event))
		}
		w.clock += passed
	}
	for more := true; ; w.clock += passed {
		if passed > 0 && !p.agenda.first(w) {
			return false
		}
		if passed, more = x.piece.next(p.s, w.processor, w.clock); !more {
			return true
		}
	}
}

// first reports whether a worker that is not on the agenda acts before all that are.
func (a taskAgenda) first(w *taskWorker) bool {
	return len(a) == 0 || w.clock < a[0].clock || w.clock == a[0].clock && w.index < a[0].index
}

// create makes the task that an event begins.
func (p *taskPlay) create(w *taskWorker, me *taskNode, e int32) {
	n := &taskNode{begin: e, parent: me, depth: me.depth + 1, item: p.made[p.t.construct(e)]}
	p.made[p.t.construct(e)]++
	if n.group = me.group; len(me.groups) > 0 {
		n.group = me.groups[len(me.groups)-1]
	}
	if n.group != nil {
		n.group.unfinished++
	}
	me.unfinished++
	p.unfinished++
	if sectionOf(p.t.events[e].word) == 1 { // its creator goes on behind it
		p.enter(w, n)
		return
	}
	n.untied = p.s.prog.Tasks[p.t.construct(e)].Untied
	if m := p.s.m; m.Tasks != nil {
		on := m.Tasks[p.t.construct(e)]
		if slices.ContainsFunc(p.workers, func(w *taskWorker) bool { return slices.Contains(on, w.processor) }) {
			n.only = on
		}
	}
	if !p.orderStage(me, n, p.t.construct(e)) {
		p.order(me, n, e)
	}
	n.number = me.born
	me.born++
	me.children = append(me.children, n)
	if n.missing == 0 {
		p.ready(w, n)
	}
}

// order lets a node wait for the elder siblings that are told behind an event.
func (p *taskPlay) order(me, n *taskNode, e int32) {
	for k := e + 1; int(k) < len(p.t.events) && p.t.events[k].word>>56 == probe.TaskDistance; k++ {
		number := me.born - int(valueOf(p.t.events[k].word))
		for i := len(me.children) - 1; i >= 0; i-- { // not all that are older are this thread's
			if c := me.children[i]; c.number == number {
				if !c.over {
					c.followers = append(c.followers, n)
					n.missing++
				}
				break
			}
		}
	}
}

// deepStage is a stage of a pipeline whose buffers the mapping has other depths for.
type deepStage struct {
	before, behind int // tasks, -1 for none
	places         int // in the buffer behind it
	stateless      bool
}

// deepStages lists them by task; nil where there are none.
func deepStages(m *mapping.Resolved, prog *ir.Program) map[int]deepStage {
	var all map[int]deepStage
	for i, depths := range m.Depths {
		if depths == nil {
			continue
		}
		if all == nil {
			all = map[int]deepStage{}
		}
		stages := prog.Pipelines[i].Stages
		for k, s := range stages {
			x := deepStage{before: -1, behind: -1, stateless: s.Stateless}
			if k > 0 {
				x.before = stages[k-1].Task
			}
			if k+1 < len(stages) {
				x.behind, x.places = stages[k+1].Task, depths[k]
			}
			all[s.Task] = x
		}
	}
	return all
}

// orderStage lets a stage wait item by item where the mapping says how deep buffers are, and reports whether it does: for
// the stage before on its item, itself on the item before, and the stage behind on the item in whose place its own goes.
func (p *taskPlay) orderStage(me, n *taskNode, task int) bool {
	s, ok := p.s.deep[task]
	if !ok {
		return false
	}
	if me.lines == nil {
		me.lines = map[int][]*taskNode{}
	}
	item := len(me.lines[task])
	me.lines[task] = append(me.lines[task], n)
	wait := func(task, item int) {
		if line := me.lines[task]; item >= 0 && item < len(line) && !line[item].over {
			line[item].followers = append(line[item].followers, n)
			n.missing++
		}
	}
	if s.before >= 0 {
		wait(s.before, item)
	}
	if !s.stateless {
		wait(task, item-1)
	}
	if s.behind >= 0 {
		wait(s.behind, item-s.places)
	}
	return true
}

// ready gives a worker a task that may begin.
func (p *taskPlay) ready(w *taskWorker, n *taskNode) {
	if maker := w; n.only != nil {
		for !slices.Contains(n.only, w.processor) {
			w = p.workers[(w.index+1)%len(p.workers)]
		}
		w.list = append(w.list, n)
		p.rouse(maker.clock)
		return
	}
	if len(w.list) >= mostWaiting {
		p.enter(w, n)
		return
	}
	w.list = append(w.list, n)
	p.rouse(w.clock)
}

func (p *taskPlay) finish(w *taskWorker, n *taskNode) {
	n.over = true
	n.children, n.lines = nil, nil
	p.unfinished--
	for _, f := range n.followers {
		if f.missing--; f.missing == 0 {
			if f.waits {
				p.rouse(w.clock)
			} else {
				p.ready(w, f)
			}
		}
	}
	if n.group != nil {
		n.group.unfinished--
	}
	if n.parent != nil {
		n.parent.unfinished--
	}
	p.rouse(w.clock)
}
