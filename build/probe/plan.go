// Package probe writes counting probes into an LLVM module.
//
// A Plan says, for each function, what to do on which edge or block with which
// register and counter; Apply turns that into instructions, globals and the
// table through which the run-time library finds the counters. The plan knows
// nothing of assembly text and this package knows nothing of paths: a register
// is a 64-bit integer local to one activation of the function, a counter is a
// 64-bit integer of the module.
//
//	p := &probe.Plan{Counters: 2, Funcs: []probe.Func{{Index: 0, Registers: 1, Edges: []probe.EdgeOps{
//		{Edge: flow.Edge{From: 0, Index: 1}, Ops: []probe.Op{{Kind: probe.Add, Register: 0, Value: 1}}},
//	}}}}
//
// Package pathprof makes the plans.
package probe

// This file declares what a plan is made of.

import "pathspan/ir/flow"

// Kind says what an Op does.
type Kind uint8

// The operations. Arithmetic is modulo 2^64; plans keep it from wrapping.
const (
	// Set: register = Value.
	Set Kind = iota + 1
	// Add: register += Value.
	Add
	// Fold: register += other * Value.
	Fold
	// Count: counter[Counter + register]++, or Counter alone when Register < 0.
	Count
	// Hash: table[Table] counts the key register + Value (Value alone when Register < 0).
	Hash
	// AddTo: counter[Counter] += register.
	AddTo
	// Max: counter[Counter] = max(counter[Counter], register), unsigned.
	Max
	// Publish: register Counter of the activation's record = register.
	Publish
)

// Op is one operation of a probe.
type Op struct {
	Kind     Kind
	Register int // -1: none
	Other    int // Fold: the register folded in
	Value    uint64
	Counter  int
	Table    int
}

// EdgeOps are the operations to run when control takes an edge.
type EdgeOps struct {
	Edge flow.Edge
	Ops  []Op
}

// BlockOps are operations to run in a block.
type BlockOps struct {
	Block int
	Ops   []Op
}

// Func is the plan of one function. Blocks are identified as in ir.Func.
type Func struct {
	Index     int
	First     Numbers // what is free when it is planned
	Registers int
	Edges     []EdgeOps
	// Top runs on entering a block, after its phis.
	Top []BlockOps
	// End runs before the block's terminator; in a block that ends in a call that
	// does not return, or that must be followed by the return (musttail), before
	// that call.
	End []BlockOps
	// BeforeCall runs before the last call of the block.
	BeforeCall []BlockOps
	// Frames publishes registers while control is in a block whose calls may end
	// the program or jump out of the function.
	Frames []Frame
	// Link, when given, keeps the record of the activation over some of the frames,
	// which makes each of them cheap.
	Link *Link
	// Unwinds notice exceptions that leave the function from a call.
	Unwinds []Unwind
}

// Link keeps the record of an activation in the blocks Inside, which are those that block
// At dominates and which control enters at At only, outside loops. It goes with the edges
// Leaving and the returns inside. At is the entry where control can come back to the
// function by an exception or a jump.
type Link struct {
	At      int
	Inside  []int
	Leaving []flow.Edge // their sources' only ones
	Words   int         // registers in the record
	Again   []Return
}

// Return is a block whose last call may return a second time, as setjmp does, with the
// number by which the run-time library tells it.
type Return struct {
	Block  int
	Number uint64
}

// Frame publishes the registers of an activation while control is in Block, so that
// the run-time library can write them when a callee ends the program.
type Frame struct {
	Block  int
	Site   uint64
	Regs   []int // registers to publish, -1 for one that is always zero; all but the last are published before where it is linked
	Linked bool  // the block is inside the function's link
}

// Unwind hands the registers of an activation to the run-time library when an exception
// leaves the function from one of the calls of a block.
type Unwind struct {
	Block int
	Calls []int // which of the block's calls of anything but intrinsics, from 0
	Site  uint64
	Regs  []int // as in Frame
}

// Plan is the plan of a module.
type Plan struct {
	Counters int // 64-bit counters, all zero at start
	Tables   int // hash tables
	// Calls asks for the targets of indirect calls to be counted.
	Calls bool
	// Threads says that the program may start threads of its own: counters are
	// then updated atomically.
	Threads bool
	// Catches says that the program catches exceptions: landing pads then see those
	// that pass through as well.
	Catches bool
	// Hash identifies the module in the raw profile.
	Hash  [32]byte
	Funcs []Func
	Ends  Numbers // behind the last function
	// Part is what the module is of a program, nil where it is all of it.
	Part *Part `json:",omitempty"`
}

// Numbers are the first of each kind that something may have.
type Numbers struct{ Counter, Table, Site, Return int }

// Applied tells what Apply numbered while it wrote the probes.
type Applied struct {
	// CallSites lists the indirect calls that are counted: site i is the Nth
	// indirect call of its block.
	CallSites []CallSite
	// Targets lists the functions, by index, that an indirect call can reach.
	Targets []int
}

// CallSite is an indirect call: the Nth (from 0) of the block.
type CallSite struct{ Func, Block, Nth int }
