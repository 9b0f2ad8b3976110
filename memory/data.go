package memory

// This file declares what bundles keep of a program's memory.

import "pathspan/ir"

// Data is what runs told of a program's memory. Indices of each list are those of the program:
// equal programs have equal places, loops, lanes and objects, but for paths, guards and the
// objects of the heap, which are those that the runs met.
type Data struct {
	Places  []Place
	Loops   []Loop
	Lanes   []Lane   // [0] is code outside of regions
	Objects []Object // [0] is what pathspan does not see being made
	Paths   []Path   // [0] is no call
	Guards  []Guard  // [0] is no lock
	Foreign []Foreign

	Flows   []Flow
	Writes  []Write
	Carried []Carried
	Reuse   []Reuse
	Spans   []Span
	Shared  []Shared  // none in bundles that do not know of it
	Sets    []Sets    // likewise
	Between []Between // likewise
	Fresh   []Fresh   // likewise
	Taken   []Taken   // likewise
	Turns   []Turns   // likewise
}

// Place is where the source accesses memory: a line of a function, in a loop.
type Place struct {
	Func   int // index into Program.Funcs
	Loop   int // index into Data.Loops, the innermost around it; -1 for none
	Loc    ir.Loc
	Into   int  // see ir.Instr
	Atomic bool // its accesses are atomic; others of the same line are another place
}

// Loop is a loop of the program that accesses memory or calls something.
type Loop struct {
	Func   int
	Header int // block
	Parent int // index into Data.Loops, of the same function; -1 for none
	Depth  int // 1 for an outermost loop of its function
	Lane   int // index into Data.Lanes of the worksharing loop whose iterations its are, else -1
}

// LaneKind says what of OpenMP a lane is.
type LaneKind uint8

// The kinds of lanes.
const (
	Serial    LaneKind = iota // outside of regions
	InRegion                  // in a region, outside of its constructs
	InSection                 // a section
	InLoop                    // a worksharing loop: all of its iterations
	InSingle                  // what makes tasks alone
	InTask                    // tasks that a place makes
)

// Lane is code of the source that OpenMP lets run beside other code. What functions do that it
// calls is the lane's as well, but for lanes within.
type Lane struct {
	Kind LaneKind
	// Region, Construct and Section are indices as ir.Mark has them, -1 where the kind has none;
	// of InTask Construct is an index into Program.Tasks.
	Region, Construct, Section int
}

// Guard is the locks that a lane holds: one, and those that it took before.
type Guard struct {
	Outer int // index into Data.Guards; smaller
	Lock  int // as Program.LockName numbers it
}

// Path is a chain of calls, which a function that calls itself is in once.
type Path struct {
	Outer int // index into Data.Paths, of the call that led here; smaller
	Func  int // that calls
	Loc   ir.Loc
	Into  int // see ir.Instr
}

// Who is a place of the program in a lane, holding locks. Place is -1 where nobody is known.
type Who struct{ Lane, Guard, Place int }

// Nobody is who wrote what nobody is known to have written.
var Nobody = Who{Place: -1}

// Object is what the program has in memory.
type Object struct {
	Kind  ObjectKind
	Name  string // of a variable
	Func  int    // that has it or makes it, index into Program.Funcs; -1 for globals
	Place int    // of Heap: where it is made, index into Data.Places; else -1
	Path  int    // of Heap: the calls that led there, index into Data.Paths
	Size  int64  // bytes of a variable, of Heap the most that there were at a time; 0 of what was not made
	Made  uint64 // of Heap and Stack: how often
	// Lanes are those that it was made in, ascending; none of globals. A variable of the stack
	// that was made in a region is of one thread of it alone.
	Lanes []int
}

// ObjectKind says where an object lies.
type ObjectKind uint8

// The kinds of objects.
const (
	Elsewhere ObjectKind = iota // what pathspan does not see being made
	Global
	Stack
	Heap
)

// Foreign is a function whose code pathspan does not see, and of which it does not know what
// it does to the memory that the program lets it point to.
type Foreign struct {
	Name  string // "asm" for inline assembly
	Calls uint64
}

// Flow is what one place read of what another wrote last, in one object.
type Flow struct {
	Object   int
	From, To Who
	Bytes    uint64 // that were read
	Distinct uint64 // of these for the first time since they were written, by To
}

// Write is what a place wrote.
type Write struct {
	Object int
	By     Who
	Bytes  uint64
}

// Kind says how two accesses depend.
type Kind uint8

// The kinds of dependences.
const (
	FlowDependence   Kind = iota // what was written is read
	OutputDependence             // what was written is written
	AntiDependence               // what was read is written
	kindCount
)

// Carried is a dependence between iterations of a loop, or between lanes that OpenMP lets run
// at the same time: sections of a construct, and tasks with what is done before they are
// waited for. What dependences of tasks (depend) order is left out.
type Carried struct {
	Loop     int // index into Data.Loops; -1 where it is between lanes
	Lane     int // of which: the first of their sections constructs, or what made the tasks; -1 with a loop
	Kind     Kind
	From, To Who // in the order of the run
	Object   int
	// Among is how many places From may have been: 1 but for AntiDependence, where several read
	// the byte since it was written. There is a record for each of them.
	Among int
	Times uint64 // accesses that met it, of 1 to 16 bytes each
	Bytes uint64
	// Nearest is the least number of iterations from From to To, of a loop that has no loop inside and calls
	// none; of others it counts the iterations inside as well. 0: not known, as of older bundles and of lanes.
	Nearest uint64
}

// Reuse is how often a lane used lines of 64 bytes again behind at most so many others, all
// lanes in the order of the run. Uses of the line that was used last are left out. Of those from
// among the 128 lines used last (8 KiB), but of the first of a lane, some stand for all: Reads and Writes of up to
// 128 lines are estimates.
type Reuse struct {
	Lane int
	// First is set where it was the lane's first use of the line since the lane began, or went
	// on behind another; From is then the lane that wrote to the line last, -1 for none.
	First bool
	From  int
	Lines int64 // -1: the program's first use
	// Reads and Writes are uses that began with a read, and with a write.
	Reads, Writes uint64
	// WriteBacks, summed over the records that are misses of a cache, are the lines that it
	// wrote back before those misses: one more for what a line that was written came to, one
	// less for what it had come to before, so that it may be negative. They are known of caches
	// of 128 lines and more.
	WriteBacks int64
}

// Span is how much memory executions of a lane use.
type Span struct {
	Lane  int
	Times uint64 // that it began
	Lines uint64 // of 64 bytes, that it used: sum over executions
	Most  uint64 // of one execution
}

// Shared is how often what OpenMP lets run at the same time used lines of 64 bytes by turns, some
// of which write, whatever bytes they mean: iterations of a loop, sections, and tasks of which none waits for the other.
// Lines of variables that each thread has for itself are left out.
type Shared struct {
	// Lane is one of two lanes, With is the other. The pair is the same as that of the
	// lanes the other way round, which may be there too.
	Lane, With int
	// Apart says how far they are apart at most, in groups as those of Reuse.Lines: of tasks by how many siblings one was made behind
	// the other; 0 of sections.
	Apart int64
	// Fresh is, of tasks, for how long two could have run at the same time, as long as the shorter took, in moments,
	// which begin where a loop goes round or a lane begins; 0 apart it is how long all took. Of two sections it is how often With finds a line gone.
	Fresh uint64
	// Again is, of tasks, how often each of two loses a line to the other in that time, if when each begins is chance: no more than it uses it but for
	// uses that follow at once, nor than the other writes it meanwhile. Of two sections it is how often Lane finds a line gone that it used before, as With wrote it
	// since, where both begin at one time. Of one lane and 0 apart it is all that it did.
	Again uint64
}

// Turns is how often threads of a loop, so many, come to lines that another wrote meanwhile, all together: as often each as makes the last of them end when it
// does, where each time delays a thread by 20 uses of lines. Uses of lines that iterations share are put in the order in which threads would make them that take as
// long between them as the run has uses of any lines there, and wait for locks. It is found of a sample, and as many times as that stands for.
type Turns struct {
	Lane, Threads int
	Chunk         int    // iterations that a thread takes when it is free; 0: each has a block of them, as many as the others
	First         uint64 // uses of lines that the thread had not used before in the execution
	Again         uint64 // of lines that it had
}

// Numbers of threads of which runs tell Turns: where they have blocks, and where they take chunks, if that is the loop's schedule. What is not told of them is 0.
var BlockThreads, ChunkThreads = []int{2, 3, 4, 8, 16}, []int{2, 4, 8}

// Sets is how many lines of one set of a cache a lane used, all lanes in the order of the run, from one use of a line of it to the next, that line included:
// of uses of lines that two others or more lie behind, and less than 65,536. They are samples, each as many times as it stands for.
type Sets struct {
	Lane  int
	Log   int   // logarithm of the number of sets; 0 is what there is of a distance itself
	Lines int64 // at most, in groups as those of Reuse.Lines
	Times uint64
	Reads uint64 // of Times, those that began with a read; all 0 in bundles that do not know of it
}

// Fresh is of the uses with which a lane begins, or goes on, of lines that another wrote to last (Reuse.First): of a sample of lines, how many began with a read and
// with a write, and how many of these are of lines that were written to since the lane used them last. On a processor of its own it has the others still, as far
// as they fit. From is -1 for lines of a stack of the lane's own, each of which is counted once and is fresh.
type Fresh struct {
	Lane, From                             int
	Last                                   int // the lane that used the lines last; -1 where that is not known, as of older bundles
	Reads, FreshReads, Writes, FreshWrites uint64
}

// Taken is what a loop's threads come by, which have parts of its iterations, the same in each execution, and of other loops as many: blocks, one behind the
// other, or chunks by turns:
// uses of lines that the thread has not used since another wrote to them, and others have. The first thread has what code outside of sections used, too.
// It is a sample of uses, each as many times as it stands for; lines that sections or tasks wrote, and nobody used since, are left out.
type Taken struct {
	Lane, Threads int
	Chunk         int    // iterations of a chunk; 0: the loop's threads have blocks
	OthersChunk   bool   // those of other loops have chunks: of as many iterations as the program says, or one
	Lines         int64  // how far apart the line was used in the run, in groups as those of Reuse.Lines
	Reads, Writes uint64 // that began with
	Outer         uint64 // of both, those of the first thread
	// Known is how many of uses that are the lane's first since it began, or went on, it is known who has the line, Kept in how many of them the thread does.
	Known, Kept uint64
}

// Passed reports whether it tells, as one of a single thread, of lines that iterations use one behind the other and of which each thread may have what it used long
// before: Known is how often one was used that lay so far behind, Reads and Writes how often the next iteration that is told from others used it as well.
func (t *Taken) Passed() bool { return t.Threads == 1 }

// Way numbers how the loop and others are shared out: chunks, and bit 0 for those of others.
func (t *Taken) Way() int {
	if t.OthersChunk {
		return 2*t.Chunk + 1
	}
	return 2 * t.Chunk
}

// Between is who used the lines that were used between two uses of one, of which the latter is the first of a section, or a loop, since it began or went on:
// of a sample of such uses, each as many times as it stands for, of lines that two others or more lie behind.
type Between struct {
	Lane  int
	Last  int   // the lane that used the line before
	By    int   // the lane that used lines in between last; -1: Times is not of these, but of uses
	Lines int64 // how far apart they lie at most, in groups as those of Reuse.Lines
	Times uint64
}
