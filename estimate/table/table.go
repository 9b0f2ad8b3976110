// Package table holds a program as rows to be scheduled. It knows nothing of profiles,
// paths, models or techniques: those who make tables do, and everything that an estimate
// is asked for afterwards reads the table alone.
//
// The time of a program under a mapping is
//
//	base + sum over constructs, over rows of   weight x makespan(construct, row, mapping)
//
// base is all that runs outside sections constructs, on the serial processor. A row says
// how a construct is executed: for each of its sections, a lane, the time that it takes on
// each kind of processor, and the constructs that are executed inside it. weight is how
// often it is executed so in one execution of the program.
//
//	b := table.NewBuilder(machine)
//	row := b.Execution(region, construct, 1, lanes)
//	b.Root(row, 10)
//	t, err := b.Table(base)
//	v := t.NewValuer()          // once per goroutine
//	cycles := v.Value(mapping)
//
// Times are cycles of the platform's first processor, whatever they are spent on, so that
// they add up; an execution of a construct is numbered after those inside its lanes.
//
// Lanes may make tasks, which the processors of the region's team execute (task.go, tasks.go).
//
// Where constructs lie within lanes of others, their sections compete for the processors
// (simulate.go), as long as the row says exactly what is executed inside it. Rows that
// only say so on average are valued as if nested constructs found processors free, but
// never below what the busiest processor has to do (expect.go).
package table

// This file declares tables and checks them.

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
)

// Machine is what a table knows of a platform. Slices are by processor.
type Machine struct {
	KindOf       []int     // processors of a kind take the same time for the same work
	Kinds        int       // their number
	Create, Sync []float64 // what creating and synchronising tasks costs on it, in cycles of processor 0
	// The platform's other overheads (mapping.Overheads) in the same unit; nil is none.
	Fork, Join, Dispatch, Lock, Atomic, Reduction, Barrier, TeamOfOne, Task, Undeferred, Steal []float64
	// Untied says by task of the program whether it is; nil: none is.
	Untied []bool
	// Singles says by region whether one thread executes it while its team executes tasks, if it makes
	// any: so it is active; nil: none is.
	Singles []bool
	// Stages says by task of the program whether it is a stage of a pipeline, whose work those who
	// watch are told apart; nil: none is.
	Stages []bool
	// Pipelines are the program's, whose buffers a mapping may have other depths for; nil: none.
	Pipelines []ir.Pipeline
	// Streaks tells by region and construct, for the first of several from one to the next of
	// which threads go on without waiting, how many sections each has: their sections are lanes
	// of one execution, of the first's number. Nil where they wait behind each construct.
	Streaks [][][]int
	// Edges says by region and construct what lies around it; nil is a fork and a join. Those of a
	// streak stand at the first.
	Edges [][]Edges
	// Transfers tells by region and construct what its executions move between processors, those of a
	// streak at the first; nil where nothing is known to. Apart says how far a writer and a reader
	// are apart, in classes.
	Transfers [][]*Transfers
	Apart     [][]int
	Near      [][]bool // whether two processors share a cache
	// Beside tells by two tasks of the program what the first takes longer while the second is under way on
	// another processor; nil where that is nothing.
	Beside [][]*Beside
	// Reads tells by task of the program, and behind the last of sections that make tasks, what these wait for lines of others; nil where that is not known.
	Reads  []*Reads
	Links  *Links    // what lies between the memories of processors; nil where all work on one
	Tokens []*Tokens // by task of the program: what stages copy; nil where none does
}

// Edges are what lies around a construct besides its tasks.
type Edges struct {
	Fork, Join, Barrier bool
	Reductions          int // behind how many of its constructs threads combine what they reduced
}

// Table holds a program as rows for one platform. It does not change once it is made,
// and may be used by several goroutines.
type Table struct {
	Machine
	// Base is the time outside of constructs for one execution of the program, by kind of
	// the serial processor.
	Base []float64
	// Roots are the rows of constructs that are executed outside of all sections.
	Roots []Root

	executions []execution
	known      map[string]int // executions by content, while the table is made
	lanes      []lane
	parts      []part
	own        []float64 // [part*Kinds+kind]
	sets       []Set
	alone      []float64   // [lane*Kinds+kind]: the lane with all inside it on one processor
	setAlone   []float64   // [set*Kinds+kind]: an execution of it with all on one processor
	cyclic     []bool      // by set: it is executed inside itself
	leastOf    []float64   // by set: least time, least work
	setReaches []RegionSet // by set: its regions, and those inside
	setLocks   []bool      // by set: work under locks is in it
	locks      int         // their number
	exact      []bool      // by execution: it says exactly what is executed inside
	reaches    []RegionSet
	regions    int
	stages     []stage
	waits      []waitsFor
	chunked    map[int][]Chunks // by execution: of loops whose iterations make tasks
	makes      []bool           // by execution: a lane of its own makes deferred tasks
	asks       []bool           // by execution: tasks of its lanes wait for elder siblings
	atOnce     []float64        // by execution: undeferred tasks of its lanes, and of those that they hold
	made       float64          // tasks of all roots, each executed once
	fastest    spans            // on the fastest processors; complete once the table is made
	makesIn    RegionSet        // regions of constructs whose lanes make tasks, or might
	anyRemote  bool             // accesses of some processor cross links
}

// Root is a row with its weight.
type Root struct {
	Execution int
	Weight    float64 // executions per execution of the program
}

// execution is one way in which a construct is executed: a row.
type execution struct {
	region, construct int32
	first, lanes      int32 // indices into Table.lanes, by section
	runs              float64
	role              TaskRole // of what is of no construct
	waits             int32    // index into Table.waits + 1, 0 for none
	task              int32    // of the program, -1 where that is not known
	// Of a stretch of work under a lock: the lock, from 1, and how often it is taken for it.
	lock     int32
	acquires float64
	// It is so many atomic updates of a line that the lock stands for, and no work: see update.
	atomic bool
}

// ofConstruct reports whether an execution is of a construct, rather than under a lock or of a task.
func (e *execution) ofConstruct() bool { return e.lock == 0 && e.role == NoTask }

type lane struct{ first, parts int32 } // indices into Table.parts; none when the section is not reached

// part is time of a lane's own and then a construct that is executed, some times in a row.
type part struct {
	set   int32 // -1: none
	lock  int32 // that is waited for, from 0
	times float64
	asks  float64
	waits float64
}

// Part is a piece of a lane: time of its own and then an execution of the set, Times times
// in a row. -1 stands for no set; the time is then spent once.
type Part struct {
	Own   []float64 // by kind
	Set   int
	Times float64
	// Asks is how many chunks of a loop its thread takes, each at the cost of a dispatch where
	// the loop is spread.
	Asks float64
	// Waits is how long its thread waits behind its own time for a turn under a lock, in cycles of
	// processor 0, where the loop is spread.
	Waits float64
	Lock  int
}

// Set says how a construct is executed inside a lane: as one of its executions, by their
// shares. A set of one says so exactly.
type Set struct {
	Executions []int
	Shares     []float64 // of 1
}

// Builder makes a table.
type Builder struct {
	t     *Table
	roots map[int]int // by execution: index into Table.Roots
	only  map[int]int // by execution: its set of Only
}

// NewBuilder starts a table of a program with so many regions.
func NewBuilder(m Machine, regions int) *Builder {
	for _, list := range []*[]float64{&m.Fork, &m.Join, &m.Dispatch, &m.Lock, &m.Atomic, &m.Reduction, &m.Barrier, &m.TeamOfOne, &m.Task, &m.Undeferred, &m.Steal} {
		if *list == nil {
			*list = make([]float64, len(m.KindOf))
		}
	}
	return &Builder{&Table{Machine: m, regions: regions, known: map[string]int{}}, map[int]int{}, map[int]int{}}
}

// Execution adds a way in which a construct is executed and returns its number, which is
// that of an earlier one where all is equal. Lanes are by section; one without parts is
// not reached. runs is 1, or 0 for time in sections that is no execution of its own and so
// bears no overhead. chunks are those of loops that are played, of which no lane is empty.
func (b *Builder) Execution(region, construct int, runs float64, lanes [][]Part, chunks ...Chunks) int {
	var key []byte
	for i := range chunks {
		key = chunks[i].content(key)
	}
	n := b.add(execution{region: int32(region), construct: int32(construct), runs: runs}, lanes, key...)
	if b.t.chunked == nil {
		b.t.chunked = map[int][]Chunks{}
	}
	if _, known := b.t.chunked[n]; !known && chunks != nil {
		b.t.chunked[n] = chunks
	}
	return n
}

// Stretch adds work that is done under a lock, which is numbered from 0: one lane, which only
// one processor is in at a time. Sets hold it like executions. acquires is how often the lock
// is taken for it, as one stretch may stand for several.
func (b *Builder) Stretch(lock int, acquires float64, lane []Part) int {
	return b.add(execution{lock: int32(lock) + 1, acquires: acquires}, [][]Part{lane})
}

// Updates adds so many atomic updates of one line, which is numbered among the locks: a stretch
// without work, that takes time where another processor updated the line last.
func (b *Builder) Updates(line int, times float64) int {
	return b.add(execution{lock: int32(line) + 1, acquires: times, atomic: true}, [][]Part{nil})
}

func (b *Builder) add(x execution, lanes [][]Part, more ...byte) int {
	t := b.t
	key := contentOf(&x, lanes) + string(more)
	if n, ok := t.known[key]; ok {
		return n
	}
	t.known[key] = len(t.executions)
	return b.put(x, lanes)
}

func (b *Builder) put(x execution, lanes [][]Part) int {
	t := b.t
	x.first, x.lanes = int32(len(t.lanes)), int32(len(lanes))
	for _, parts := range lanes {
		t.lanes = append(t.lanes, lane{int32(len(t.parts)), int32(len(parts))})
		for _, p := range parts {
			if p.Set < 0 {
				p.Times = 1
			}
			t.parts = append(t.parts, part{int32(p.Set), int32(p.Lock), p.Times, p.Asks, p.Waits})
			t.own = append(t.own, p.Own...)
		}
	}
	t.executions = append(t.executions, x)
	return len(t.executions) - 1
}

// Set adds a set and returns its number. Executions of a recursion may be added after the
// set that holds them; Fill tells them then.
func (b *Builder) Set(s Set) int {
	b.t.sets = append(b.t.sets, s)
	return len(b.t.sets) - 1
}

// One is the set of one execution.
func One(execution int) Set { return Set{Executions: []int{execution}, Shares: []float64{1}} }

// Only returns the number of the set of one execution, which is the same each time.
func (b *Builder) Only(execution int) int {
	set, ok := b.only[execution]
	if !ok {
		set = b.Set(One(execution))
		b.only[execution] = set
	}
	return set
}

// Fill tells the executions of a set.
func (b *Builder) Fill(set int, s Set) { b.t.sets[set] = s }

// Root adds to how often an execution happens outside of all sections.
func (b *Builder) Root(execution int, weight float64) {
	if weight == 0 || b.t.nothing(execution) {
		return
	}
	if i, ok := b.roots[execution]; ok {
		b.t.Roots[i].Weight += weight
		return
	}
	b.roots[execution] = len(b.t.Roots)
	b.t.Roots = append(b.t.Roots, Root{execution, weight})
}

// nothing reports an execution that takes no time and bears no overhead.
func (t *Table) nothing(execution int) bool {
	free := t.executions[execution].runs == 0
	t.eachPart(execution, func(at int, p part) {
		free = free && p.set < 0 && slices.Max(t.own[at*t.Kinds:(at+1)*t.Kinds]) == 0
	})
	return free
}

// RootSet adds to how often a set is executed outside of all sections.
func (b *Builder) RootSet(set int, times float64) {
	if times == 0 {
		return
	}
	for i, x := range b.t.sets[set].Executions {
		b.Root(x, times*b.t.sets[set].Shares[i])
	}
}

// contentOf spells an execution, so that equal ones are found.
func contentOf(x *execution, lanes [][]Part) string {
	key := binary.AppendVarint(nil, int64(x.region))
	key = binary.AppendVarint(key, int64(x.construct))
	key = binary.AppendVarint(key, int64(x.lock))
	real := func(x float64) { key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x)) }
	real(x.runs)
	real(x.acquires)
	for _, parts := range lanes {
		key = binary.AppendVarint(key, int64(len(parts)))
		for _, p := range parts {
			key = binary.AppendVarint(key, int64(p.Set))
			real(p.Times)
			real(p.Asks)
			real(p.Waits)
			for _, x := range p.Own {
				real(x)
			}
		}
	}
	return string(key)
}

// Table finishes the table. base is the time outside of constructs, by kind.
func (b *Builder) Table(base []float64) (*Table, error) {
	t := b.t
	t.Base, t.known = base, nil
	if err := t.check(); err != nil {
		return nil, fmt.Errorf("table: %w", err)
	}
	if err := t.derive(); err != nil {
		return nil, err
	}
	return t, nil
}

// check reports what no program can have: times below 0 or infinite, sets of nothing,
// constructs that are not there.
func (t *Table) check() error {
	if len(t.Base) != t.Kinds || len(t.KindOf) == 0 || len(t.Create) != len(t.KindOf) || len(t.Sync) != len(t.KindOf) {
		return fmt.Errorf("%d processors with %d and %d overheads, %d kinds with %d bases", len(t.KindOf), len(t.Create), len(t.Sync), t.Kinds, len(t.Base))
	}
	for _, list := range [][]float64{t.Base, t.own, t.Create, t.Sync, t.Fork, t.Join, t.Dispatch, t.Lock, t.Atomic, t.Reduction, t.Barrier, t.TeamOfOne, t.Task, t.Undeferred, t.Steal} {
		for _, x := range list {
			if !(x >= 0) || math.IsInf(x, 1) {
				return fmt.Errorf("a time of %g cycles", x)
			}
		}
	}
	if t.Links != nil {
		if err := t.Links.check(len(t.KindOf)); err != nil {
			return err
		}
		for _, to := range t.Links.Route {
			t.anyRemote = t.anyRemote || slices.ContainsFunc(to, func(r Route) bool { return r.Remote })
		}
	}
	if err := t.checkBeside(); err != nil {
		return err
	}
	if err := t.checkReads(); err != nil {
		return err
	}
	if err := t.checkTokens(); err != nil {
		return err
	}
	for _, constructs := range t.Transfers {
		for _, x := range constructs {
			if err := t.checkTransfers(x); err != nil {
				return err
			}
		}
	}
	if len(t.own) != len(t.parts)*t.Kinds {
		return fmt.Errorf("%d times for %d parts on %d kinds of processors", len(t.own), len(t.parts), t.Kinds)
	}
	for i, x := range t.executions {
		if x.role == NoTask && (x.region < 0 || int(x.region) >= t.regions) || x.runs < 0 {
			return fmt.Errorf("execution %d is of region %d of %d", i, x.region, t.regions)
		}
	}
	for i, p := range t.parts {
		if int(p.set) >= len(t.sets) || !(p.times >= 0) || math.IsInf(p.times, 1) || !(p.asks >= 0) || math.IsInf(p.asks, 1) || !(p.waits >= 0) || math.IsInf(p.waits, 1) {
			return fmt.Errorf("part %d executes set %d of %d %g times, and asks for %g chunks", i, p.set, len(t.sets), p.times, p.asks)
		}
	}
	for i, s := range t.sets {
		sum := 0.0
		for k, x := range s.Executions {
			if x < 0 || x >= len(t.executions) || !(s.Shares[k] >= 0) {
				return fmt.Errorf("set %d holds execution %d of %d", i, x, len(t.executions))
			}
			sum += s.Shares[k]
		}
		if math.Abs(sum-1) > 1e-9 {
			return fmt.Errorf("the shares of set %d add up to %g", i, sum)
		}
	}
	for _, r := range t.Roots {
		if r.Execution < 0 || r.Execution >= len(t.executions) || t.executions[r.Execution].role != NoTask || !(r.Weight >= 0) || math.IsInf(r.Weight, 1) {
			return fmt.Errorf("execution %d of %d happens %g times", r.Execution, len(t.executions), r.Weight)
		}
	}
	return nil
}

// Construct tells which construct an execution is of; -1 for tasks.
func (t *Table) Construct(execution int) (region, construct int) {
	x := &t.executions[execution]
	return int(x.region), int(x.construct)
}

// Runs is 1 for an execution that bears overheads, 0 for time that is none of its own, and
// between for averages over both.
func (t *Table) Runs(execution int) float64 { return t.executions[execution].runs }

// Alone returns what a section takes in an execution with all that is inside it on one
// processor of a kind, and whether it is reached at all.
func (t *Table) Alone(execution, section, kind int) (cycles float64, reached bool) {
	x := &t.executions[execution]
	if int32(section) >= x.lanes {
		return 0, false
	}
	l := int(x.first) + section
	return t.alone[l*t.Kinds+kind], t.lanes[l].parts > 0
}

// Sections is how many lanes an execution has.
func (t *Table) Sections(execution int) int { return int(t.executions[execution].lanes) }
