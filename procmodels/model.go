// Package procmodels says what the blocks of a program cost on a processor.
//
// A Model is asked once per program and answers with a table of plain numbers,
// so that a built-in model and a plugin in another process look alike, and so
// that estimating a mapping never calls a model:
//
//	m, err := procmodels.Open("arm922t", "")
//	costs, err := m.Costs(ctx, program)
//	cycles := costs.Blocks[fn][block].Cycles
//
// Two kinds are built in. Weight tables give cycles by LLVM opcode and type;
// line tables give cycles by source file and line. Both are YAML files. [Names] lists
// the weight tables that come with the package, each in the folder of its name beside
// a page of documentation and a test; other tables may extend them. Weight tables also
// know something of data: see [DataWeights].
//
// The package does not add up paths, callees or tasks (package estimate does),
// and it models neither caches nor contention: a block costs the same each time.
package procmodels

// This file declares the contract between processor models and the rest.

import (
	"context"

	"pathspan/ir"
)

// Model is a processor model: what a block of a program costs on one kind of
// processor. Implementations must be deterministic and safe for concurrent use.
type Model interface {
	// Describe tells what the model is and where its figures come from.
	Describe() Description
	// Costs prices every block of the program. It is asked once per program,
	// never per candidate mapping. An error means that no figure can be given
	// at all; single figures that rest on a default are reported in the Costs.
	Costs(ctx context.Context, p *ir.Program) (*Costs, error)
}

// The kinds of models, as Description.Kind has them.
const (
	KindWeights = "weights" // cycles by LLVM opcode and type
	KindLines   = "lines"   // cycles by source line
)

// Description says what a model is.
type Description struct {
	Name     string  // "arm922t"
	Kind     string  // KindWeights, KindLines, or a plugin's own word
	Version  string  // schema or plugin version
	Source   string  // where the figures come from
	Notes    string  // what the model leaves out
	ClockMHz float64 // typical clock of the processor in MHz, 0 when unknown
}

// Costs holds the cost of each block of one program under one model.
type Costs struct {
	Model string
	// Blocks is indexed by function and block, as ir.Program numbers them.
	Blocks [][]BlockCost
	// Reasons lists the kinds of defaults that were used, in the order of their
	// first use: "opcode fneg double: no weight", "call to printf: not modelled".
	Reasons []string
	// Warnings holds remarks about the model's own input, one line each, such as
	// a line of a line table that matches no code.
	Warnings []string
}

// BlockCost is the cost of executing a block once.
type BlockCost struct {
	// Cycles of the processor for one execution. The cost of defined functions
	// that the block calls is not in it, except for the calls in Included.
	Cycles float64
	// Included lists the call instructions of the block, by index and ascending,
	// whose callee's cost is already in a Cycles figure of this function.
	Included []int
	// Defaults lists the parts of Cycles that rest on a default, one entry a
	// reason, ascending by reason. Their sum is at most Cycles.
	Defaults []DefaultCost
}

// DefaultCost is a part of a block's cycles that rests on a default.
type DefaultCost struct {
	Reason int     // index into Costs.Reasons
	Cycles float64 // cycles of one execution of the block; may be 0
	Count  int     // instructions or lines concerned
}
