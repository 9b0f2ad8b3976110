package profile

// This file declares the profile bundle as the rest of pathspan sees it.

import (
	"cmp"
	"iter"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/pathprof"
	"pathspan/streams"
)

// Bundle is a profiled program: one self-contained value that needs neither the
// sources nor a compiler to be analysed. Functions, blocks, loops and levels are
// numbered as in Program and flow.Analyze.
type Bundle struct {
	Provenance Provenance
	Program    *ir.Program
	Funcs      []*FuncProfile  // by function index; nil when it never ran
	Targets    []CallTarget    // targets of indirect calls, in program order
	Executions *Executions     // of sections constructs; nil where none are kept
	Memory     *memory.Data    // what was told of memory; nil where it was not asked for
	Branches   []flow.Foretold // ways of branches that were taken, in the program's order; none where that was not asked for
	Flow       *streams.Trace  // what was told of the flow of data; nil where it was not asked for
	Lost       []Lost          // activations that the counts do not tell of, ascending by function
	Module     []byte          // text of the costed LLVM module, without line numbers
	Notes      []string        // what could not be handled and what was done
}

// Provenance says where a bundle comes from.
type Provenance struct {
	Tool       string
	Clang      string
	OptLevel   string
	Flags      []string
	Sources    []Source
	Runs       []Run
	ModuleHash [32]byte // SHA-256 of the module with line numbers
	Foreign    []Foreign
	Plan       *Plan // that the sources were marked by; nil where there was none
}

// Plan is a plan file, which says where a program is to be parallel.
type Plan struct {
	Name   string
	Text   string   // any bytes
	Marked []Source // files that it marks besides the sources
}

// Source is one input file.
type Source struct {
	Name   string
	Bytes  string // the name's own bytes, where Name shows them escaped; else ""
	SHA256 [32]byte
}

// Path returns the file that the compiler was given.
func (s *Source) Path() string { return cmp.Or(s.Bytes, s.Name) }

// Run is one execution of the program.
type Run struct {
	Arguments  []string // any bytes; what shows them makes them visible
	ExitStatus int      // -1 when a signal ended it
	Signal     int
	Counted    uint64 // paths that ended, and activations that were left
	// Inside is the section in which the run ended; nil where it ended outside of all.
	Inside *ir.Mark
}

// FuncProfile holds the counts of one function: Levels[0] is its body, Levels[i+1]
// its loop i.
type FuncProfile struct {
	Func   int
	Levels []LevelProfile
}

// LevelProfile holds the paths of one level that ran.
type LevelProfile struct {
	Loop        int // -1 for the function's body
	MaxTrips    uint64
	MaxKnown    bool
	StaticPaths uint64
	Hashed      bool
	Collapsed   bool
	Degraded    bool
	Cuts        []int
	Paths       []Path // ascending by End, then ID
}

// Path is one path of a level with the number of times it was executed.
type Path struct {
	End   pathprof.SinkKind
	ID    uint64
	Count uint64
	Steps []pathprof.Step
	// Edge is the successor index by which the last block was left, -1 at the end
	// of the function and for a path under way.
	Edge int
}

// comparePaths orders the paths of a level.
func comparePaths(a, b Path) int {
	return cmp.Or(cmp.Compare(a.End, b.End), cmp.Compare(a.ID, b.ID), slices.Compare(a.Steps, b.Steps))
}

// CallTarget counts one target of one indirect call.
type CallTarget struct {
	Func, Block, Instr int
	Target             int // function index, -1: outside the module
	Count              uint64
}

// Invocations returns how many executions of the function the paths account for:
// those that returned, ended the program, or were under way when it ended.
func (f *FuncProfile) Invocations() uint64 { return f.Levels[0].Entries() }

// Entries returns how many paths of level 0 started at the function's entry. For a
// loop, see FuncProfile.EntriesOf.
func (l *LevelProfile) Entries() uint64 {
	var n uint64
	for i := range l.Paths {
		if p := &l.Paths[i]; len(p.Steps) > 0 && p.Steps[0] == 0 {
			n += p.Count
		}
	}
	return n
}

// EntriesOf returns how often each loop of the function was entered. The paths of
// every level around a loop can enter it: an outer path runs through the last,
// partial traversal of the loops it meets, and through the loops inside those.
func (f *FuncProfile) EntriesOf() []uint64 {
	n := make([]uint64, len(f.Levels)-1)
	for p := range f.paths() {
		for _, s := range p.Steps {
			if l := s.Loop(); l >= 0 {
				n[l] += p.Count
			}
		}
	}
	return n
}

// paths yields the paths of all levels.
func (f *FuncProfile) paths() iter.Seq[*Path] {
	return func(yield func(*Path) bool) {
		for i := range f.Levels {
			for j := range f.Levels[i].Paths {
				if !yield(&f.Levels[i].Paths[j]) {
					return
				}
			}
		}
	}
}

// Iterations returns the completed iterations of a loop's level.
func (l *LevelProfile) Iterations() uint64 {
	var n uint64
	for i := range l.Paths {
		if l.Paths[i].End == pathprof.EndIteration {
			n += l.Paths[i].Count
		}
	}
	return n
}

// BlockCounts returns how often each block of a function ran, from its paths.
func (f *FuncProfile) BlockCounts(blocks int) []uint64 {
	n := make([]uint64, blocks)
	for p := range f.paths() {
		for _, s := range p.Steps {
			if s >= 0 {
				n[s] += p.Count
			}
		}
	}
	return n
}
