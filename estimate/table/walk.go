package table

// This file tells an execution as the program ran it: sections one after the other.

import (
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
)

// Step is a stretch of an execution: work, and then the mark that ends it. Own is by kind
// of processor, in cycles of processor 0, and not the visitor's to keep.
type Step struct {
	Own                        []float64
	Mark                       ir.MarkKind
	Region, Construct, Section int
	After                      []uint64 // for which elder siblings a task waits, or a taskwait: 1 is the one made last before it
	// Of a loop whose iterations make tasks, which is one section: how many it has behind its
	// begin, and of how many a chunk is, 0 where its schedule says; and so many of them begin
	// where there is no mark.
	Iterations, Chunk int64
}

// Walk visits the steps of an execution with everything on one processor. It reports false,
// having visited nothing, where rows say only on average what is inside. What threads spend asking for chunks and
// waiting for turns is in it where the construct is shared among several under the mapping: nil shares nothing inside.
func (t *Table) Walk(execution int, m *mapping.Resolved, visit func(s Step)) bool {
	if !t.exact[execution] {
		return false
	}
	w := &walker{t: t, visit: visit, own: make([]float64, t.Kinds), root: execution}
	if m != nil {
		w.v = t.NewValuer()
		w.v.set(m)
		w.byChunks = w.v.byChunks(execution)
	}
	if !w.tellsLoops() {
		return false
	}
	w.execution(execution)
	return true
}

type walker struct {
	t      *Table
	visit  func(s Step)
	own    []float64 // since the last mark
	root   int
	v      *Valuer
	shared bool // among threads: the construct around
	active bool // it, or one around it, runs on several processors
	// Of loops whose threads compete for processors: whether they do.
	byChunks bool
}

// told are the loops of an execution that are told of iteration by iteration.
func (w *walker) told(x int) (out []*Chunks) {
	for i := range w.t.chunked[x] {
		if c := &w.t.chunked[x][i]; !c.Runs || w.byChunks {
			out = append(out, c)
		}
	}
	return out
}

// tellsLoops reports whether iterations can be told: of a loop in all of its executions, or in none.
func (w *walker) tellsLoops() bool {
	ok, told := true, map[[2]int]bool{}
	visit := func(x int) {
		e := &w.t.executions[x]
		if !e.ofConstruct() {
			return
		}
		is := make([]bool, e.lanes)
		for _, c := range w.told(x) {
			ok = ok && !c.Joined
			is[c.Lane] = true
		}
		for lane := range is {
			of, section := w.t.Split(int(e.region), int(e.construct), lane)
			at := [2]int{int(e.region), of}
			if section > 0 || w.t.lanes[int(e.first)+lane].parts == 0 {
				continue
			}
			if before, known := told[at]; known && before != is[lane] {
				ok = false
			}
			told[at] = is[lane]
		}
	}
	if !w.byChunks {
		visit(w.root)
		return ok
	}
	w.t.eachInside(w.root, make([]bool, len(w.t.executions)), visit)
	return ok
}

func (w *walker) mark(kind ir.MarkKind, e *execution, section int) {
	construct, section := w.t.Split(int(e.region), int(e.construct), section)
	w.visit(Step{Own: w.own, Mark: kind, Region: int(e.region), Construct: construct, Section: section})
	clear(w.own)
}

func (w *walker) execution(x int) {
	t := w.t
	e := &t.executions[x]
	if e.atomic {
		n := int(e.lock) - 1
		w.visit(Step{Own: w.own, Mark: ir.AtomicUpdate, Region: min(int(e.acquires), 1<<24-1), Construct: n >> 16, Section: n & 0xffff})
		clear(w.own)
		return
	}
	if e.lock > 0 {
		n := int(e.lock) - 1
		w.visit(Step{Own: w.own, Mark: ir.LockTaken, Region: n / ir.LocksOfOne, Section: n % ir.LocksOfOne})
		clear(w.own)
		if e.acquires > 1 { // it may stand for several
			w.spend(t.Lock, e.acquires-1)
		}
		w.lane(e.first)
		w.visit(Step{Own: w.own, Mark: ir.LockReleased})
		clear(w.own)
		return
	}
	shared, active := w.shared, w.active
	spread := w.v != nil && w.v.active(int(e.region), w.v.m.Serial)
	w.shared = x == w.root || w.v != nil && (w.v.named.has(int(e.region)) || spread && !active) && !w.v.spreadsTasks(w.root)
	w.active = active || spread
	w.mark(ir.RegionBegin, e, 0)
	for s := range e.lanes {
		l := t.lanes[e.first+s]
		if l.parts == 0 {
			continue
		}
		if w.loop(x, e, s) {
			continue
		}
		w.mark(ir.SectionBegin, e, int(s))
		w.lane(e.first + s)
		w.mark(ir.SectionEnd, e, int(s))
	}
	w.mark(ir.RegionEnd, e, 0)
	w.shared, w.active = shared, active
}

// loop visits a loop that is told of in the lane of its first thread, and reports whether a lane is of one.
func (w *walker) loop(x int, e *execution, lane int32) bool {
	for _, c := range w.told(x) {
		switch thread := lane - int32(c.Lane); {
		case thread < 0 || thread >= int32(c.Threads):
			continue
		case thread > 0:
			return true
		}
		w.mark(ir.SectionBegin, e, int(lane))
		of, _ := w.t.Split(int(e.region), int(e.construct), c.Lane)
		w.visit(Step{Own: w.own, Iterations: c.N, Chunk: max(1, c.Schedule.Chunk)})
		for k, piece := range c.Piece {
			w.visit(Step{Own: w.own, Region: int(e.region), Construct: of, Iterations: c.end(k) - c.Begin[k]})
			clear(w.own)
			w.lane(w.t.executions[piece].first)
		}
		w.mark(ir.SectionEnd, e, int(lane))
		return true
	}
	return false
}

// Loops lists the loops, as region and construct, of which Walk tells iteration by iteration under a mapping.
func (t *Table) Loops(execution int, m *mapping.Resolved) (out [][2]int) {
	w := &walker{t: t, v: t.NewValuer()}
	w.v.set(m)
	w.byChunks = w.v.byChunks(execution)
	add := func(x int) {
		e := &t.executions[x]
		for _, c := range w.told(x) {
			construct, _ := t.Split(int(e.region), int(e.construct), c.Lane)
			out = append(out, [2]int{int(e.region), construct})
		}
	}
	if !w.byChunks {
		add(execution)
		return out
	}
	t.eachInside(execution, make([]bool, len(t.executions)), add)
	return out
}

// spend adds an overhead, so many times; processors of a kind take as long.
func (w *walker) spend(overhead []float64, times float64) {
	for p, k := range w.t.KindOf {
		if slices.Index(w.t.KindOf, k) == p {
			w.own[k] += times * overhead[p]
		}
	}
}

func (w *walker) lane(lane int32) {
	t, l := w.t, w.t.lanes[lane]
	for i := l.first; i < l.first+l.parts; i++ {
		for times := t.parts[i].times; times > 0; times-- {
			for k := range w.own {
				w.own[k] += t.own[int(i)*t.Kinds+k]
			}
			if asks, waits := t.parts[i].asks, t.parts[i].waits; w.shared && asks+waits > 0 { // replay is told of no chunks here, nor of turns
				w.spend(t.Dispatch, asks)
				for k := range w.own {
					w.own[k] += waits
				}
			}
			set := t.parts[i].set
			if set < 0 {
				continue
			}
			if x := t.sets[set].Executions[0]; t.executions[x].role == NoTask {
				w.execution(x)
			} else {
				w.task(x)
			}
		}
	}
}

// task visits what is of no construct.
func (w *walker) task(x int) {
	e := &w.t.executions[x]
	tell := func(kind ir.MarkKind, section int) {
		w.visit(Step{Own: w.own, Mark: kind, Construct: max(0, int(e.task)), Section: section, After: w.t.waitsOf(x)})
		clear(w.own)
	}
	switch e.role {
	case Deferred, Undeferred:
		at := 0
		if e.role == Undeferred {
			at = 1
		}
		tell(ir.TaskBegin, at)
		w.lane(e.first)
		w.visit(Step{Own: w.own, Mark: ir.TaskEnd, Construct: max(0, int(e.task))})
		clear(w.own)
	case Piece:
		w.lane(e.first)
	case Wait:
		tell(ir.TaskWait, 0)
	case WaitFor:
		tell(ir.TaskWait, 1)
	case GroupBegin:
		tell(ir.GroupBegin, 0)
	case GroupEnd:
		tell(ir.GroupEnd, 0)
	}
}
