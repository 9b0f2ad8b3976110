package table

// This file plays one execution of a construct on the processors, with all that is
// executed inside it.
//
// Each processor runs one thing at a time and has a queue of what others have sent it.
// The processor that meets a construct whose sections are spread sends the others their
// sections, runs its own, and waits for theirs; while it waits it runs what is in its
// queue, first come first served, each to its end. That is what the run-time library of
// measured programs does (build/runtime/team.c), and without it two nested regions
// could wait for each other for ever. Who takes which chunk of a loop is found meanwhile, where regions
// are sent to others inside of one. A construct that is met inside an active region and
// that the mapping does not name stays on its processor. Create is spent before the first
// section of a construct on each of its processors, sync behind the last; forking and joining
// by the processor that meets it, before it sends anything and when all have ended.

import (
	"math"
	"slices"

	"pathspan/mapping/loops"
)

// simulator plays executions under the valuer's mapping. Its slices are reused.
type simulator struct {
	v      *Valuer
	procs  []processor
	teams  []team
	jobs   []job
	frames []frame // of all processors; a processor's form a list
	free   int32   // first unused frame, -1
	locks  locks
	share  sharing // of what is copied
	chunks bool    // loops are played chunk by chunk
	loops  []loopPlay
	watch  func(e Event)
	err    error // of tasks
}

// Event is something that a processor did, for those who draw or account for it. Times
// are cycles of processor 0 since the execution began.
type Event struct {
	Kind       EventKind
	Processor  int
	Execution  int // the construct's execution that it belongs to
	Section    int // of Work, and of LockWait for a turn; -1 for others
	Lock       int // of Lock and LockWait
	Stage      int // of Work in a stage of a pipeline: its task of the program, from 1; 0 for others
	Start, End float64
	// Of Work: what the serial processor would take for it, and the part of its time in
	// constructs that run on one processor.
	Serial, Kept float64
	Nearer       float64 // by how much it took less as lines were nearer (Transfers.Nearer)
	Single       bool    // no construct around it, nor its own, runs on several processors
	// Gives is what the section gives each processor to do, without overheads, where a row
	// says only on average what is inside; nil where it is the event's own time.
	Gives []float64
}

// EventKind says what a processor did.
type EventKind uint8

// What a processor does.
const (
	Work      EventKind = iota // time of a section's own, or of what stays on its processor inside it
	Create                     // of tasks
	Sync                       // of tasks
	Forking                    // of a region
	Joining                    // of a region, or a barrier in it
	Combining                  // what threads reduced
	TeamOfOne                  // a region that one processor executes
	Dispatch                   // of chunks
	Lock                       // taking and releasing a lock
	LockWait                   // for a lock that another processor has
	TaskMake                   // putting tasks into a queue
	TaskSteal                  // taking tasks that others made
	Fetch                      // data that another processor has
	Contend                    // waiting for main memory that others keep busy
)

type processor struct {
	top   int32   // its innermost frame, -1 when idle
	until float64 // when the step under way ends; infinite when it waits or is idle
	queue []int32 // jobs sent to it, by arrival
	next  int     // the first that it has not taken
	since float64 // when it began to wait for a lock
}

// team is an execution of a construct that is spread over processors.
type team struct {
	left  int32   // jobs that have not ended
	owner int32   // processor that waits for them
	least float64 // no earlier do they end: see Valuer.least
}

// job is a processor's share of an execution.
type job struct {
	execution int32
	team      int32 // -1: it is no one's but the frame below's
	nested    bool  // its sections run inside an active region
	under     bool  // it is met in a section of an execution that is spread
	// Of a stretch under a lock, or iterations: the execution and the section that it is in.
	around, section int32
	loops, played   int32 // of the simulator's, the first that is the execution's, and how many are
}

// frame is a job under way, or a wait for a team.
type frame struct {
	below  int32
	job    job
	waits  int32       // team that is waited for, -1 for a job
	stage  int8        // of the job: what comes next
	at     int32       // index into the construct's order
	part   int32       // of the section
	times  float64     // how often the part has been done; of a wait for main memory, until when
	inside bool        // the part's own time is spent
	copies copied      // under way
	since  float64     // when it began
	chunk  loops.Chunk // of a loop: what is left of it
	of     some        // of a piece of iterations
}

// Stages of a job.
const (
	stageCreate = iota
	stageFetch
	stageCrowd
	stageSections
	stageCopyOut
	stageMoveOut
	stageSync
	stageEnd
	stageFork // before the job's team is sent its shares
	stageSend
	stageContend // when it has ended
	stageJoin
	stageBack
	stageAlone
	stageLock
	stageCopyIn // before stageFetch
	stageMoveIn
	stageTasks // its sections make tasks, and the team executes them
)

// atOnce is what part of a time is no time: sums of the same in another order differ by less, and of processors that are
// done at once the one with the lower number is first.
const atOnce = 1e-12

// run plays an execution that the serial processor meets outside of all sections, and
// returns when it ends.
func (s *simulator) run(x int) (float64, error) {
	n := len(s.v.t.KindOf)
	if s.procs == nil {
		s.procs = make([]processor, n)
	}
	for p := range s.procs {
		q := &s.procs[p]
		q.top, q.until, q.queue, q.next = -1, math.Inf(1), q.queue[:0], 0
	}
	s.teams, s.frames, s.free = s.teams[:0], s.frames[:0], -1
	s.jobs, s.err = s.jobs[:0], nil
	s.chunks, s.loops = s.v.byChunks(x), s.loops[:0]
	if s.v.t.Links != nil {
		s.share.reset(s.v.t.Links)
	}
	s.locks.clear(s.v.t.locks)
	serial := s.v.m.Serial
	s.meet(serial, x, job{team: -1}, 0, 0)
	now, last := 0.0, 0.0
	for at := serial; ; {
		s.step(at, now)
		if s.procs[serial].top < 0 || s.err != nil {
			return now, s.err
		}
		now = math.Inf(1)
		for p := range s.procs {
			if s.procs[p].until < now*(1-atOnce) {
				now, at = s.procs[p].until, p
			}
		}
		if math.IsInf(now, 1) {
			// All wait for each other; who is given a lock goes on at the time at which all stopped.
			if now, at = last, int(s.locks.force()); at < 0 {
				panic("table: simulate: all processors wait, and for no lock")
			}
		}
		last = now
	}
}

// meet begins an execution on a processor, in the section of another job: its job is put onto what the processor does,
// the others' into their queues.
func (s *simulator) meet(p, x int, around job, section int, now float64) {
	v, nested := s.v, around.nested
	e := &v.t.executions[x]
	if !e.ofConstruct() {
		s.procs[p].since = now
		j := job{execution: int32(x), team: -1, nested: nested, under: around.under || around.team >= 0, around: around.execution, section: int32(section)}
		if !v.t.executions[around.execution].ofConstruct() {
			j.around, j.section = around.around, around.section
		}
		f := frame{job: j, waits: -1, stage: stageSections}
		if e.lock > 0 && j.under { // somebody is beside it
			f.stage = stageLock
		}
		s.push(p, f)
		return
	}
	if !nested && v.t.exact[x] && v.spreadsTasks(x) {
		s.push(p, frame{job: job{execution: int32(x), team: -1}, waits: -1, stage: stageTasks})
		return
	}
	proc, _ := v.placed(int(e.region), int(e.construct))
	forks, mine := false, false
	for i := range e.lanes {
		if v.t.lanes[e.first+i].parts > 0 && !(nested && !v.named.has(int(e.region))) {
			forks = forks || proc[i] != p
			mine = mine || proc[i] == p
		}
	}
	j := job{execution: int32(x), team: -1, nested: nested || v.active(int(e.region), p), under: around.under || around.team >= 0, loops: int32(len(s.loops))}
	if s.chunks {
		for _, c := range v.t.competes(x) {
			s.loops = append(s.loops, c.play())
			j.played++
		}
	}
	if !forks {
		f := frame{job: j, waits: -1, stage: stageSections}
		if !(nested && !v.named.has(int(e.region))) {
			f.stage = stageAlone
		}
		s.push(p, f)
		return
	}
	if before, _ := v.t.around(e.region, e.construct, p); before > 0 {
		s.push(p, frame{job: j, waits: -1, stage: stageFork})
		return
	}
	s.send(p, j, mine, now)
}

// mine reports whether a processor executes sections itself of an execution that it spreads.
func (s *simulator) mine(p, x int) bool {
	e := &s.v.t.executions[x]
	proc, _ := s.v.placed(int(e.region), int(e.construct))
	for i := range e.lanes {
		if proc[i] == p && s.v.t.lanes[e.first+i].parts > 0 {
			return true
		}
	}
	return false
}

// send sends the shares of a job's execution to its processors.
func (s *simulator) send(p int, j job, mine bool, now float64) {
	v, x := s.v, j.execution
	e := &v.t.executions[x]
	proc, _ := v.placed(int(e.region), int(e.construct))
	j.team = int32(len(s.teams))
	s.teams = append(s.teams, team{owner: int32(p)})
	if !j.under {
		s.locks.clear(v.t.locks)
		s.teams[j.team].least = now + v.least(x)
	}
	for q := range s.procs {
		for i := range e.lanes {
			if proc[i] != q || v.t.lanes[e.first+i].parts == 0 {
				continue
			}
			s.teams[j.team].left++
			if q != p {
				s.jobs = append(s.jobs, j)
				s.procs[q].queue = append(s.procs[q].queue, int32(len(s.jobs)-1))
				if s.procs[q].top < 0 || s.waiting(q) {
					s.procs[q].until = now
				}
			}
			break
		}
	}
	s.push(p, frame{job: j, waits: j.team})
	if mine {
		s.push(p, frame{job: j, waits: -1, stage: stageCreate})
	}
}

// owner is the processor that met the execution that a team shares.
func (s *simulator) owner(team int32) int { return int(s.teams[team].owner) }

func (s *simulator) waiting(p int) bool { return s.frames[s.procs[p].top].waits >= 0 }

func (s *simulator) push(p int, f frame) {
	f.below = s.procs[p].top
	i := s.free
	if i >= 0 {
		s.free = s.frames[i].below
		s.frames[i] = f
	} else {
		i = int32(len(s.frames))
		s.frames = append(s.frames, f)
	}
	s.procs[p].top = i
}

func (s *simulator) pop(p int) {
	i := s.procs[p].top
	s.procs[p].top = s.frames[i].below
	s.frames[i].below = s.free
	s.free = i
}

// step lets a processor go on until it spends time, or waits for what is not there.
func (s *simulator) step(p int, now float64) {
	q := &s.procs[p]
	for {
		if q.top < 0 || s.frames[q.top].waits >= 0 {
			if q.top >= 0 && s.teams[s.frames[q.top].waits].left == 0 {
				s.joined(p, now)
				continue
			}
			if q.next == len(q.queue) {
				q.until = math.Inf(1)
				return
			}
			j := s.jobs[q.queue[q.next]]
			q.next++
			s.push(p, frame{job: j, waits: -1, stage: stageCreate})
			continue
		}
		spent := s.job(p, now)
		if spent < 0 {
			q.until = math.Inf(1)
			return
		}
		if spent > 0 {
			q.until = now + spent
			return
		}
	}
}

// joined ends a processor's wait for a team.
func (s *simulator) joined(p int, now float64) {
	j, least := s.frames[s.procs[p].top].job, s.teams[s.frames[s.procs[p].top].waits].least
	s.pop(p)
	e := &s.v.t.executions[j.execution]
	_, after := s.v.t.around(e.region, e.construct, p)
	if _, _, back := s.v.fetches(e.region, e.construct, p, p); after+back > 0 || least > now {
		j.team = -1
		s.push(p, frame{job: j, waits: -1, stage: stageContend, times: least})
	}
}

// spend tells of an overhead.
func (s *simulator) spend(kind EventKind, p int, execution int32, now, length float64) float64 {
	if length > 0 && s.watch != nil {
		s.watch(Event{Kind: kind, Processor: p, Execution: int(execution), Section: -1, Start: now, End: now + length})
	}
	return length
}

// job goes on with the job that a processor has on top, and returns the time that its
// next step takes, 0 when something else is on top now, or less where it waits for a lock.
func (s *simulator) job(p int, now float64) float64 {
	v := s.v
	f := &s.frames[s.procs[p].top]
	e := &v.t.executions[f.job.execution]
	switch f.stage {
	case stageCreate, stageSync:
		kind, over := Create, v.t.Create[p]
		if f.stage == stageSync {
			kind, over = Sync, v.t.Sync[p]
		}
		if f.stage++; f.stage == stageFetch && v.t.Links != nil {
			f.stage = stageCopyIn
		}
		return s.spend(kind, p, f.job.execution, now, over*e.runs)
	case stageCopyIn, stageCopyOut:
		f.copies, f.since = s.copies(f, p), now
		if f.stage == stageCopyOut {
			f.stage = stageMoveOut
		} else {
			f.stage = stageMoveIn
		}
		return f.copies.latency * e.runs
	case stageMoveIn, stageMoveOut:
		if f.copies.links != nil && e.runs > 0 {
			return s.move(p, f, e.runs, now)
		}
		s.moved(f)
		return 0
	case stageFork:
		f.stage = stageSend
		before, _ := v.t.around(e.region, e.construct, p)
		return s.spend(Forking, p, f.job.execution, now, before*e.runs)
	case stageSend:
		j := f.job
		s.pop(p)
		s.send(p, j, s.mine(p, int(j.execution)), now)
		return 0
	case stageContend:
		f.stage = stageJoin
		return s.spend(Contend, p, f.job.execution, now, max(0, f.times-now))
	case stageJoin:
		f.stage = stageBack
		_, after := v.t.around(e.region, e.construct, p)
		return s.spend(Joining, p, f.job.execution, now, after*e.runs)
	case stageFetch:
		f.stage = stageCrowd
		before, _, _ := v.fetches(e.region, e.construct, s.owner(f.job.team), p)
		return s.spend(Fetch, p, f.job.execution, now, before*e.runs)
	case stageCrowd:
		f.stage = stageSections
		_, crowd, _ := v.fetches(e.region, e.construct, s.owner(f.job.team), p)
		return s.spend(Contend, p, f.job.execution, now, crowd*e.runs)
	case stageBack:
		f.stage = stageEnd
		_, _, back := v.fetches(e.region, e.construct, p, p)
		return s.spend(Fetch, p, f.job.execution, now, back*e.runs)
	case stageTasks: // nothing else is under way
		f.stage = stageEnd
		v.tasks.watch = nil
		if s.watch != nil {
			v.tasks.watch = func(e Event) {
				e.Start, e.End = e.Start+now, e.End+now
				s.watch(e)
			}
		}
		spent := 0.0
		spent, s.err = v.tasks.run(int(f.job.execution))
		v.tasks.watch = nil
		return spent
	case stageAlone:
		f.stage = stageSections
		return s.spend(TeamOfOne, p, f.job.execution, now, v.t.single(e.region, e.construct, p)*e.runs)
	case stageLock:
		if e.atomic {
			f.stage = stageSections
			return s.update(p, f, e, now)
		}
		if !s.locks[e.lock-1].take(int32(p)) {
			return -1
		}
		f.stage = stageSections
		if since := s.procs[p].since; since < now && s.watch != nil {
			s.watch(Event{Kind: LockWait, Processor: p, Execution: int(f.job.around), Section: -1, Lock: int(e.lock) - 1, Start: since, End: now})
		}
		over := v.t.Lock[p] * e.acquires
		if over > 0 && s.watch != nil {
			s.watch(Event{Kind: Lock, Processor: p, Execution: int(f.job.around), Section: -1, Lock: int(e.lock) - 1, Start: now, End: now + over})
		}
		return over
	case stageEnd:
		if e.lock > 0 && !e.atomic {
			if next := s.locks[e.lock-1].release(int32(p)); next >= 0 {
				s.procs[next].until = now
			}
		}
		t := f.job.team
		s.pop(p)
		if t >= 0 {
			if s.teams[t].left--; s.teams[t].left == 0 {
				if o := &s.procs[s.teams[t].owner]; int(s.teams[t].owner) != p && s.frames[o.top].waits == t {
					o.until = now
				}
			}
		}
		return 0
	}
	proc, order := []int(nil), onlyLane
	if e.ofConstruct() {
		proc, order = v.placed(int(e.region), int(e.construct))
	}
	for int(f.at) < len(order) {
		section := order[f.at]
		if int32(section) >= e.lanes || f.job.team >= 0 && proc[section] != p {
			f.at++
			continue
		}
		if loop, thread := s.loopOf(&f.job, section); loop != nil {
			if spent, more := s.iterations(p, f, loop, thread, section, now); more {
				return spent
			}
			f.at++
			continue
		}
		l := &v.t.lanes[e.first+int32(section)]
		if f.part == l.parts {
			f.at, f.part = f.at+1, 0
			continue
		}
		i := int(l.first + f.part)
		part := &v.t.parts[i]
		if part.times == 0 {
			f.part++
			continue
		}
		if !f.inside {
			nearer := 1.0
			if f.job.team >= 0 && e.ofConstruct() {
				nearer = v.shorter(int(e.region), int(e.construct), s.owner(f.job.team), section)
			} else if f.of.share > 0 {
				nearer = f.of.nearer
			}
			stays, executed := part.set >= 0 && s.stays(int(part.set), f.job.nested), part.times
			if stays && f.of.share > 0 {
				executed = f.of.next(int32(part.times))
			}
			own, kept := s.takes(f, i, v.t.KindOf[p], stays, executed, nearer)
			if f.inside = true; stays || part.set < 0 {
				f.times = part.times
			}
			asked := 0.0
			if part.asks > 0 && f.job.team >= 0 {
				asked = s.spend(Dispatch, p, f.job.execution, now, part.asks*v.t.Dispatch[p])
			}
			waits := 0.0
			if f.job.team >= 0 {
				waits = part.waits
			}
			ends := now + (asked + own) // to the last bit, when the next event begins
			if s.watch != nil {
				serial, _ := s.takes(f, i, v.t.KindOf[v.m.Serial], stays, executed, 1)
				s.tellWork(p, &f.job, section, serial, now+asked, ends, own, kept, own/nearer-own)
			}
			if own+asked+waits > 0 {
				if waits > 0 && s.watch != nil {
					s.watch(Event{Kind: LockWait, Processor: p, Execution: int(f.job.execution), Section: section, Lock: int(part.lock), Start: ends, End: now + (asked + own + waits)})
				}
				return asked + own + waits
			}
			continue
		}
		if f.times >= part.times {
			f.inside, f.times, f.part = false, 0, f.part+1
			continue
		}
		f.inside, f.times = false, f.times+1 // and again, or on
		if f.times == part.times {
			f.part, f.times = f.part+1, 0
		}
		if f.of.share > 0 && f.of.next(1) == 0 {
			continue
		}
		s.meet(p, v.t.sets[part.set].Executions[0], f.job, section, now)
		return 0
	}
	f.stage = stageEnd
	if f.job.team >= 0 {
		f.stage = stageSync
		if v.t.Links != nil {
			f.stage = stageCopyOut
		}
	}
	return 0
}

// update has a processor update a line atomically, and returns how long that takes.
func (s *simulator) update(p int, f *frame, e *execution, now float64) float64 {
	waits, comes := s.locks[e.lock-1].line.Update(p, now, e.acquires, s.v.t.Atomic[p])
	if waits > 0 && s.watch != nil {
		s.watch(Event{Kind: LockWait, Processor: p, Execution: int(f.job.around), Section: -1, Lock: int(e.lock) - 1, Start: now, End: now + waits})
	}
	if comes > 0 && s.watch != nil {
		s.watch(Event{Kind: Lock, Processor: p, Execution: int(f.job.around), Section: -1, Lock: int(e.lock) - 1, Start: now + waits, End: now + (waits + comes)})
	}
	return waits + comes
}

// copies is what a processor copies before its sections of an execution, or behind them.
func (s *simulator) copies(f *frame, p int) copied {
	e := &s.v.t.executions[f.job.execution]
	x := s.v.t.transfers(int(e.region), int(e.construct))
	if x == nil {
		return copied{}
	}
	proc, _ := s.v.placed(int(e.region), int(e.construct))
	in, out := s.v.t.copies(x, proc, s.owner(f.job.team), p)
	if f.stage == stageCopyOut {
		return out
	}
	return in
}

// move begins to copy, or ends it.
func (s *simulator) move(p int, f *frame, runs, now float64) float64 {
	moving := func(m moving) bool { return m.processor == p }
	if !slices.ContainsFunc(s.share.moving, moving) {
		s.share.begin(p, &f.copies, runs, now)
		s.retime()
		if spent := s.procs[p].until - now; spent > 0 {
			return spent
		}
	}
	s.share.end(p, now)
	s.retime()
	alone := min(now, f.since+f.copies.alone(s.v.t.Links)*runs)
	s.spend(Fetch, p, f.job.execution, f.since, alone-f.since)
	s.spend(Contend, p, f.job.execution, alone, now-alone)
	s.moved(f)
	return 0
}

// moved goes on behind what was copied.
func (s *simulator) moved(f *frame) {
	if f.stage == stageMoveIn {
		f.stage = stageFetch
	} else {
		f.stage = stageSync
	}
}

// retime tells processors that copy when they will have ended.
func (s *simulator) retime() {
	for i := range s.share.moving {
		m := &s.share.moving[i]
		s.procs[m.processor].until = s.share.ends(m)
	}
}

// takes is what a part takes on a kind of processor until something is met that may leave it, and how much of that
// what stays inside takes, which is executed so often.
func (s *simulator) takes(f *frame, part, kind int, stays bool, executed, nearer float64) (own, kept float64) {
	t := s.v.t
	own = t.own[part*t.Kinds+kind] * nearer
	if f.of.share > 0 {
		own *= f.of.share
	}
	if !stays {
		return own, 0
	}
	times := t.parts[part].times
	kept = t.setAlone[int(t.parts[part].set)*t.Kinds+kind] * nearer
	if f.of.share > 0 {
		return times*own + executed*kept, executed * kept
	}
	return times * (own + kept), times * kept
}

// stays reports whether a set that is met inside a section stays on its processor, with
// all that is inside it: tasks do of which no region is met that may leave it.
func (s *simulator) stays(set int, nested bool) bool {
	t := s.v.t
	if t.setLocks[set] || t.setReaches[set].Intersects(s.v.named) {
		return false
	}
	return nested || t.executions[t.sets[set].Executions[0]].role != NoTask && !t.setReaches[set].Any()
}

// onlyLane is the order of a stretch under a lock, and of a task.
var onlyLane = []int{0}

// tellWork tells of a part that a section spends, with what stays on its processor inside: also where
// that takes no time there, if the serial processor takes some for it.
func (s *simulator) tellWork(p int, j *job, section int, serial, now, ends, spent, kept, nearer float64) {
	t := s.v.t
	e := Event{Kind: Work, Processor: p, Execution: int(j.execution), Section: section, Start: now, End: ends, Serial: serial, Kept: kept, Nearer: nearer}
	if spent == 0 && e.Serial == 0 {
		return
	}
	if !t.executions[j.execution].ofConstruct() {
		e.Execution, e.Section = int(j.around), int(j.section)
		if t.executions[j.execution].role != Piece {
			e.Kept = 0
		}
		if j.under {
			s.watch(e)
			return
		}
	}
	if j.team < 0 {
		e.Kept, e.Single = spent, !j.under
	}
	s.watch(e)
}
