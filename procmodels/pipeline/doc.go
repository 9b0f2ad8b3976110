// Package pipeline prices blocks on processors that issue instructions in order, by a data file
// of their units, latencies and branches:
//
//	m, err := procmodels.Open("pipeline:cortex-a53", "")  // one that comes with pathspan
//	m, err := procmodels.Open("./mycore.yaml", "")        // schema: pathspan.pipeline/1
//
// A block is played on a scoreboard behind each of its predecessors, which began with nothing
// pending: what the predecessor has issued and not finished is waited for where the block uses
// it. What is assumed:
//
//   - instructions issue in the program's order, as LLVM's IR has it, at most so many a cycle,
//     each when its operands are ready and a unit of its class is free;
//   - a block begins in a cycle of its own, and costs the cycles from there to its last issue:
//     a result that nothing waits for costs nothing;
//   - behind a call nothing is pending, and what the callee outside of the program takes is as
//     the file says, else the weight table that it names;
//   - a phi costs nothing, its value is ready when the predecessor's is;
//   - blocks lie in memory in the function's order, so that a branch to the next falls through, and
//     those that only lead on are not there.
//
// With fold and moves a file says which instructions of LLVM's a compiler makes one of, and which
// it adds; without them each of LLVM's is one of the processor's, but those of class free. The rules
// are counted, not compiled: what a register allocator and a scheduler do is not known.
//
// With window they execute out of order instead ([Play]), behind walks of the run that led to them.
//
// It knows no caches and no register pressure.
package pipeline

// This file declares what a model is made of.

import "pathspan/procmodels"

// Kind is the Kind of the models' descriptions.
const Kind = "pipeline"

const schema = "pathspan.pipeline/1"

// unit is where instructions execute.
type unit struct {
	name  string
	count int
	waits bool // its instructions wait among those that are counted
}

// class is what instructions of a kind take.
type class struct {
	name      string
	unit      int  // -1: none, and no place in the issue: it leaves no instruction
	also      int  // a unit that it takes in the same cycle, out of order; -1: none
	latency   int  // cycles from issue until the result can be used
	occupancy int  // cycles until the unit takes another
	count     int  // instructions of the processor, each of which waits for the one before
	alone     bool // nothing else issues in its cycle
	last      bool // nothing issues behind it in its cycle
	// to holds the latency to users of some classes, where results are forwarded, and to
	// addresses of loads and stores and what multiplications add.
	to                  map[int]int
	toAddress, toAddend int // -1: latency
	slow                *slow
}

// slow says that instructions issue less often which follow one of another class, or one that did so
// itself, by few cycles: loads behind stores.
type slow struct {
	behind        int // a class
	within        int // cycles
	every, others int // cycles between two, and with other instructions between them
}

// outside is what a call out of the program is: an instruction of a class, or so many cycles beside
// the instruction that calls, of class -1.
type outside struct {
	class  int
	cycles float64
}

// branches is what going from block to block costs.
type branches struct {
	// taken is how many cycles are lost behind a branch that goes elsewhere than to the next block; out of order, cycles between
	// two that do.
	taken   int
	ahead   int     // instructions that fetch is ahead of issue at most; 0: taken is always lost
	penalty int     // cycles of a prediction that was wrong
	rate    float64 // how many are; not used if static, and by paths only where no run is known
	static  bool    // back is taken, forward is not
	paths   bool    // as the paths of the run say, of a predictor that remembers history outcomes of each
	history int
}

// Model is a pipeline as its file has it.
type Model struct {
	desc    procmodels.Description
	targets []string // whose programs it prices, as triples of LLVM begin, or patterns; nil: of any
	width   int
	units   []unit
	classes []class
	opcodes map[string]procmodels.ByType
	calls   map[string]outside // intrinsics and functions outside of the program, by name
	folds   [len(foldNames)]bool
	moves   int // class of what LLVM's code does without, -1: nothing is charged for it
	// scheduled says that the compiler puts instructions in an order that suits the processor.
	scheduled bool
	// saves and restores are the classes of what saves and restores two registers.
	saves, restores int
	vector          int // bits that one instruction computes, 0: elements are issued one by one
	// pairs are the classes of what loads and stores two registers, of machine code; nil: of LLVM's.
	pairs  map[string]int
	branch branches
	// window is how many instructions are under way at most where they execute out of order, 0: in
	// order; forward the cycles from a store to a load of the same variable there.
	window, forward, forwardFloat int
	// waiting is how many instructions of the units that queue there wait for what they use at most; 0: as many as the window has.
	waiting int
	figures Figures // that it was made with, if any
	library procmodels.Model
}

// Describe implements procmodels.Model.
func (m *Model) Describe() procmodels.Description { return m.desc }
