// Package ir holds the Program view: the part of an LLVM module that path profiling, task
// graphs and cost models look at.
//
//	m, err := asm.Parse(costed)   // after build/openmp has put marks around sections
//	p, err := ir.Build(m)
//	p.Funcs[0].Blocks[0].Succs    // control flow, by index
//	p.Regions[0].Constructs       // the OpenMP sections
//
// The view has opcodes, types, calls, marks and source lines. What instructions use stands
// beside it, for those who ask: [ReadOperands]. It cannot be executed, and who needs text
// reads it with package asm.
package ir

// This file declares the view.

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Program is the view of one linked module. Functions, blocks and instructions
// are numbered densely in module order, so ids are stable for equal modules.
type Program struct {
	Triple     string
	DataLayout string
	Files      []string // source files, indexed by Loc.File
	Funcs      []*Func  // defined functions only, in module order
	Regions    []Region // OpenMP parallel regions, indexed by Mark.Region
	// Tasks are the places that make explicit tasks, indexed by Mark.Construct of their marks.
	Tasks []Task
	// Pipelines are those of the plan that the program was built by.
	Pipelines []Pipeline
	// Inlined names the functions of the source, but the system's headers, whose code is in
	// others and that are none of Funcs, sorted; a name of several functions stands as often.
	Inlined []string
	// Scopes are the functions of the source whose code other functions hold, once for each
	// call that was inlined. Bundles of earlier versions have none.
	Scopes []Scope
	// Locks are what blocks take, indexed by Locking.Lock, and then what they update atomically,
	// indexed by Block.Atomics.
	Locks []Lock
}

// Machine is the kind of processor that the program was compiled for ("x86_64"), "" where
// that is not known.
func (p *Program) Machine() string {
	arch, _, _ := strings.Cut(p.Triple, "-")
	return arch
}

// Region is one OpenMP parallel region that was made sequential and delimited.
type Region struct {
	Name       string // stable: file.c:function#k; see NameRegions
	File       string // as the compiler was given it
	Function   string // source function that holds the pragma
	Line, Col  int
	NumThreads int         // constant of the num_threads clause, 0 when absent or not constant
	Constructs []Construct // the worksharing constructs of the region, in program order
}

// Construct is one worksharing construct of a region: sections, or a loop.
type Construct struct {
	Line     int
	NoWait   bool
	Sections []Section // in source order; of a loop one, which all its iterations are
	Loop     *Loop     // of a loop; nil for sections
	// Single is set where one thread executes the only section while the others of its team
	// execute the tasks that it makes.
	Single bool
	// Reduces is set where threads combine behind it what each reduced.
	Reduces bool
}

// Loop is what the program says of how the iterations of a worksharing loop are shared.
type Loop struct {
	Schedule  Schedule
	Chunk     int64 // iterations; 0 where none is given, -1 where the program computes it
	Ordered   bool  // parts of iterations run in the order of the sequential program
	Monotonic bool  // threads take chunks in the order of the loop
}

// WithTeams returns the program with so many sections for each worksharing loop, one for each
// thread of a team, where the program itself has one for all of its iterations.
func (p *Program) WithTeams(threads int) *Program {
	out := *p
	out.Regions = slices.Clone(p.Regions)
	for r := range out.Regions {
		constructs := slices.Clone(p.Regions[r].Constructs)
		for c := range constructs {
			if constructs[c].Loop == nil {
				continue
			}
			name, line := constructs[c].LoopName(), constructs[c].Sections[0].Line
			constructs[c].Sections = make([]Section, threads)
			for t := range threads {
				constructs[c].Sections[t] = Section{Name: fmt.Sprintf("%s.t%d", name, t), Line: line}
			}
		}
		out.Regions[r].Constructs = constructs
	}
	return &out
}

// GoesOn reports whether threads go on behind construct c without waiting for each other. Those
// that execute the tasks of a construct always wait.
func (r *Region) GoesOn(c int) bool { return r.Constructs[c].NoWait && !r.Constructs[c].Single }

// Together returns the constructs, in program order, from one to another of which threads may go
// on without waiting: construct c and those around it. Between others they wait, in estimates
// and in replay: before what makes tasks alone, and from the last of those together to one before
// them.
func (r *Region) Together(c int) (first, n int) {
	joined := func(c int) bool {
		return r.GoesOn(c) && c+1 < len(r.Constructs) && !r.Constructs[c+1].Single
	}
	for first = c; first > 0 && joined(first-1); first-- {
	}
	for n = 1; joined(first + n - 1); n++ {
	}
	return first, n
}

// Mixed reports whether threads go on without waiting between construct c or one together with
// it that is a loop and one that is sections. Who takes which chunks of the loop then hangs on
// where the sections are.
func (r *Region) Mixed(c int) bool {
	first, n := r.Together(c)
	return slices.ContainsFunc(r.Constructs[first:first+n], func(of Construct) bool { return (of.Loop == nil) != (r.Constructs[first].Loop == nil) })
}

// StreakRegion is the region that profiles keep streaks in, executions of constructs between
// which threads do not wait, as if those of each region were a construct of it: behind that
// of locks.
func (p *Program) StreakRegion() int { return p.LockRegion() + 1 }

// Count tells how many sections and how many worksharing loops a region has.
func (r *Region) Count() (sections, loops int) {
	for c := range r.Constructs {
		if r.Constructs[c].Loop != nil {
			loops++
		} else {
			sections += len(r.Constructs[c].Sections)
		}
	}
	return sections, loops
}

// TaskName returns the name of a section as task graphs have it: a loop is one section there,
// whatever its team.
func (c *Construct) TaskName(section int) string {
	if c.Loop != nil {
		return c.LoopName()
	}
	return c.Sections[section].Name
}

// LoopName returns the name of a loop, whether it has a section for each thread or one.
func (c *Construct) LoopName() string {
	name := c.Sections[0].Name
	if at := strings.LastIndexByte(name, '/'); at >= 0 {
		if loop, _, ok := strings.Cut(name[at:], "."); ok {
			return name[:at] + loop
		}
	}
	return name
}

// Task is a place in the source that makes explicit tasks: task or taskloop.
type Task struct {
	Name     string // stable: file.c:function/task1, the first of its function
	File     string // as the compiler was given it
	Function string // source function that holds the pragma
	Line     int
	Col      int  // tells those of one line apart, and no more where a plan moved them
	Untied   bool // any thread may go on with it, and begin it amid whatever it waits in
	Priority bool // the program gives it one
}

// Schedule is how a worksharing loop shares its iterations among threads (OpenMP 5.2,
// section 11.5.3).
type Schedule uint8

// The schedules.
const (
	Static Schedule = iota
	Dynamic
	Guided
	Auto
	Runtime
)

var schedules = [...]string{"static", "dynamic", "guided", "auto", "runtime"}

// Schedules returns the words of a schedule clause.
func Schedules() []string { return schedules[:] }

// String names a schedule as its clause does.
func (s Schedule) String() string {
	if int(s) < len(schedules) {
		return schedules[s]
	}
	return fmt.Sprintf("schedule %d", s)
}

// Section is one section of a sections construct.
type Section struct {
	// Name is stable: the region's, a slash, and the section's number in its region, from 1;
	// of a loop, loop and the loop's number.
	Name string
	Line int // first source line seen in the section, 0 when unknown
}

// Func is a defined function.
type Func struct {
	Index    int
	Name     string // linker name
	Source   string // name in the source (demangled short name of its subprogram), or Name
	Loc      Loc    // where it is defined
	Exported bool   // visible outside the module
	NoUnwind bool
	Blocks   []*Block // Blocks[0] is the entry
	// Loops says where loops of the source stand, ascending by block. Bundles of earlier
	// versions have none, and compilers lose some.
	Loops  []LoopLines
	byName map[string]int
}

// Block is a basic block.
type Block struct {
	Index  int
	Name   string
	Instrs []Instr // the terminator is last
	// Succs lists the successors in the terminator's order. Two successors may
	// be the same block: edges are identified by block and successor index.
	Succs []int
	// Mark is set when the block starts with a marker of a region or a section, TaskMark when
	// it starts with one of tasks.
	Mark, TaskMark *Mark
	// Locking is set when it starts with a call that takes or releases a lock.
	Locking *Locking
	// Atomics are what it updates atomically, in order: indices into Program.Locks.
	Atomics []int
}

// Tells reports whether running it is told of: it has a mark, takes or releases a lock, or
// updates something atomically.
func (b *Block) Tells() bool {
	return b.Mark != nil || b.TaskMark != nil || b.Locking != nil || len(b.Atomics) > 0
}

// Instr is one instruction.
type Instr struct {
	Op   string // LLVM opcode: "add", "load", "call", "invoke", "br", ...
	Type string // type that decides its cost: result type, or stored/compared operand type
	Loc  Loc
	// Into is the line of the function's own file that stands for the instruction where it
	// was written in another file and inlined: the innermost call there. It is 0 for code of
	// the function's file, and where debug information or the bundle does not tell.
	Into  int
	Scope int   // 0: written in the function itself; else index + 1 into Program.Scopes
	Call  *Call // for call, invoke and callbr
}

// Call describes the callee of a call instruction.
type Call struct {
	Callee   int    // index of the defined function, or -1
	Name     string // callee symbol; "" when indirect; "asm" for inline assembly
	Indirect bool
	// FuncArgs holds the defined functions whose address is passed: callbacks
	// that an external callee may invoke.
	FuncArgs []int
	// ConstArgs holds the integer constants among the arguments, ascending by index:
	// the size of a memcpy, where the program fixes it.
	ConstArgs    []ConstArg
	ReturnsTwice bool // setjmp and the like
	NoReturn     bool
	NoUnwind     bool
}

// ConstArg is an integer constant that a call passes.
type ConstArg struct {
	Index int // of the argument, from 0
	Value int64
}

// Loc is a source position. File is an index into Program.Files, or -1.
type Loc struct {
	File, Line, Col int
}

// MarkKind says what a marker delimits.
type MarkKind uint8

// The kinds of markers.
const (
	RegionBegin MarkKind = iota + 1
	RegionEnd
	SectionBegin
	SectionEnd
	// LockTaken and LockReleased are no marks but events: see [Block.Locking].
	LockTaken    MarkKind = 16
	LockReleased MarkKind = 17
	// AtomicUpdate is an event, too: see [Block.Atomics].
	AtomicUpdate MarkKind = 18
)

// The kinds of markers of tasks. A task begins where it is created.
const (
	TaskBegin MarkKind = iota + 24
	TaskEnd
	TaskWait
	GroupBegin
	GroupEnd
)

// OfTasks reports whether a marker of the kind is one of tasks.
func (k MarkKind) OfTasks() bool { return k >= TaskBegin && k <= GroupEnd }

// Mark is a delimiter left by the OpenMP lowering.
type Mark struct {
	Kind      MarkKind
	Region    int // index into Program.Regions
	Construct int // for sections: index into Region.Constructs; for tasks: into Program.Tasks
	Section   int // for sections: index into Construct.Sections
}

// Func returns the function of that name, or nil.
func (p *Program) Func(name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}

// BlockNamed returns the index of the block of that name, or -1.
func (f *Func) BlockNamed(name string) int {
	if f.byName == nil {
		f.byName = make(map[string]int, len(f.Blocks))
		for _, b := range f.Blocks {
			f.byName[b.Name] = b.Index
		}
	}
	if i, ok := f.byName[name]; ok {
		return i
	}
	return -1
}

// LocString renders a position as file:line, or "?" when there is none.
func (p *Program) LocString(l Loc) string {
	if l.File < 0 || l.File >= len(p.Files) || l.Line == 0 {
		return "?"
	}
	return fmt.Sprintf("%s:%d", p.Files[l.File], l.Line)
}

// HasSection reports whether a mark delimits a section of the program.
func (p *Program) HasSection(m *Mark) bool {
	return m.Region >= 0 && m.Region < len(p.Regions) && m.Construct >= 0 && m.Construct < len(p.Regions[m.Region].Constructs) &&
		m.Section >= 0 && m.Section < len(p.Regions[m.Region].Constructs[m.Construct].Sections)
}

// SectionString names the section that a mark delimits: "section 2 of region
// main.c:filter#1 (line 15)". The mark must be of the program.
func (p *Program) SectionString(m *Mark) string {
	r := &p.Regions[m.Region]
	s := r.Constructs[m.Construct].Sections[m.Section]
	return fmt.Sprintf("%s of region %s (line %d)", SectionLabel(s.Name), r.Name, s.Line)
}

// Calls yields the calls of the block with the indices of their instructions.
func (b *Block) Calls() iter.Seq2[int, *Call] {
	return func(yield func(int, *Call) bool) {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && !yield(i, c) {
				return
			}
		}
	}
}

// Terminator returns the last instruction of the block.
func (b *Block) Terminator() *Instr { return &b.Instrs[len(b.Instrs)-1] }
