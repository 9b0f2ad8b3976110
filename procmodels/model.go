// Package procmodels says what the blocks of a program cost on a processor.
//
// A Model is asked once per program and answers with a table of plain numbers,
// so that a built-in model and a plugin in another process look alike, and so
// that estimating a mapping never calls a model:
//
//	m, err := procmodels.Open("arm922t", "")
//	costs, err := m.Costs(ctx, &procmodels.Subject{Program: program})
//	cycles := costs.Blocks[fn][block].Cycles
//
// Two kinds are built in. Weight tables give cycles by LLVM opcode and type;
// line tables give cycles by source file and line. Both are YAML files. [Names] lists
// the weight tables that come with the package, each in the folder of its name beside
// a page of documentation and its figures by hand; other tables may extend them.
//
// The package does not add up paths, callees or tasks (package estimate does),
// and it models neither caches nor contention: a block costs the same each time.
package procmodels

// This file declares the contract between processor models and the rest.

import (
	"context"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
)

// Model is a processor model: what a block of a program costs on one kind of
// processor. Implementations must be deterministic and safe for concurrent use. One
// that holds a resource, a plugin's process say, is an io.Closer as well, and whoever
// opened it closes it.
type Model interface {
	// Describe tells what the model is and where its figures come from.
	Describe() Description
	// Costs prices every block of the subject's program. It is asked once per
	// program, never per candidate mapping. An error means that no figure can be
	// given at all; single figures that rest on a default are reported in the Costs.
	Costs(ctx context.Context, s *Subject) (*Costs, error)
}

// Subject is what a model prices: the program of one bundle.
type Subject struct {
	Program *ir.Program
	// Module is the costed module as LLVM assembly, whose functions, blocks and
	// instructions are those of Program; nil when there is none. Most models do
	// without; one that compiles the program needs it.
	Module []byte
	// Uses is what the program's instructions use, where it is known without the module; see
	// [Subject.Operands].
	Uses *ir.Operands
	// Memory is what runs told of the program's memory; nil where they told nothing. It is not
	// sent to plugins.
	Memory *memory.Data
	// Run is what the program did when it ran; nil where that is not known. It is not sent to plugins.
	Run Run
}

// Run tells what a program did when it ran, as profile.Bundle does.
type Run interface {
	// Runs tells where control went.
	Runs() *flow.Runs
	// Mistaken says what share of the executions of each way out of a block a predictor of branches
	// does not foretell that remembers so many outcomes of each, or [flow.LongHistory], by function, block and successor, nil
	// for what did not run.
	Mistaken(history int) [][][]float64
	// Selected says how selects went of which the compiler made branches, by the way of their first value.
	Selected() map[flow.Way][2]flow.Foretold
	// Moved says how many bytes calls of the library work on, on average, where that is known.
	Moved(p *ir.Program) map[*ir.Call]float64
}

// moved is what the run says of calls of the library.
func (s *Subject) moved() map[*ir.Call]float64 {
	if s.Run == nil {
		return nil
	}
	return s.Run.Moved(s.Program)
}

// Operands returns what the program's instructions use: Uses, else as read from the module.
// It is nil where there is neither.
func (s *Subject) Operands() (*ir.Operands, error) {
	if s.Uses != nil || s.Module == nil {
		return s.Uses, nil
	}
	return ir.ReadOperands(s.Program, s.Module)
}

// The kinds of models, as Description.Kind has them.
const (
	KindWeights = "weights" // cycles by LLVM opcode and type
	KindLines   = "lines"   // cycles by source line
)

// Description says what a model is.
type Description struct {
	Name     string  `json:"name"`      // "arm922t"
	Kind     string  `json:"kind"`      // KindWeights, KindLines, or a plugin's own word
	Version  string  `json:"version"`   // schema or plugin version
	Source   string  `json:"source"`    // where the figures come from
	Notes    string  `json:"notes"`     // what the model leaves out
	ClockMHz float64 `json:"clock_mhz"` // typical clock of the processor in MHz, 0 when unknown
	// Unit says what one cycle means: of what, and what is in it and what is not.
	Unit string `json:"unit"`
	// Parameters lists what can be chosen in the reference, with the values chosen.
	Parameters []Parameter `json:"parameters"`
	// Additive says that a block costs the sum of what its instructions cost on their
	// own, so that the instructions of two blocks put into one cost what the two did;
	// how a block ends may cost what it likes. Package conform holds a model to it, and
	// package compare tells lines and opcodes apart by it.
	Additive bool `json:"additive"`
	// NeedsModule says that the model cannot price a program without Subject.Module.
	NeedsModule bool `json:"needs_module"`
	// NeedsOperands says that the model wants [Subject.Operands]: to a plugin they are sent
	// then, and otherwise not.
	NeedsOperands bool `json:"needs_operands"`
	// Overheads is what the model knows of forking and joining, nil when nothing. A
	// platform file's own figures go before it.
	Overheads *Overheads `json:"overheads"`
	// Accuracy says how far to trust the figures, a remark a line: the error that
	// was measured and how, coefficients that are uncertain.
	Accuracy []string `json:"accuracy"`
}

// Parameter is one choice that a model offers.
type Parameter struct {
	Name  string `json:"name"`
	Value string `json:"value"` // in force, whether chosen or by default
	Text  string `json:"text"`  // what it means, with its unit
}

// Overheads is what a processor spends on a task, in its cycles (the paper, Appendix A,
// step 5).
type Overheads struct {
	Create float64 `json:"create"` // to start the tasks of a processor
	Sync   float64 `json:"sync"`   // to wait for the others at their end
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
	// Factors lists the quantities that the figures depend on and that are not known
	// exactly; see BlockCost.Varies.
	Factors []Factor
}

// Factor is a quantity behind the costs that is not known exactly: the latency of
// loads, a coefficient that was fitted. Factors are independent of each other.
type Factor struct {
	Name string // "load i32", for people
	// Bounded factors lie between a least and a greatest value that are known, most
	// likely near the typical one (a triangle from -1 over 0 to 1); the others spread
	// as a normal distribution of standard deviation 1.
	Bounded bool
}

// BlockCost is the cost of executing a block once.
type BlockCost struct {
	// Cycles of the processor for one execution. The cost of defined functions
	// that the block calls is not in it, except for the calls in Included.
	Cycles float64
	// Best and Worst bound Cycles where the model knows a range: Best <= Cycles <=
	// Worst. Both are 0 where it knows none.
	Best, Worst float64
	// After lists what the block costs when it is entered from a certain block, where
	// that differs: straight-line code across the boundary overlaps. Ascending by
	// predecessor; entered from elsewhere, the block costs Cycles.
	After []AfterCost
	// Varies lists how the figures move with the model's factors, ascending by factor.
	// With factors at values z the block costs max(0, Cycles + sum of Up*z for z > 0
	// and Down*z for z < 0); After moves by as much. A block with a range and no
	// factor varies between Best and Worst with all such blocks of the model together.
	Varies []Variation
	// Included lists the call instructions of the block, by index and ascending,
	// whose callee's cost is already in a Cycles figure of this function.
	Included []int
	// Defaults lists the parts of Cycles that rest on a default, one entry a
	// reason, ascending by reason. Their sum is at most Cycles.
	Defaults []DefaultCost
}

// Longer is the cost of the block where it takes so many cycles more, however it is entered.
func (b *BlockCost) Longer(cycles float64) BlockCost {
	out := *b
	out.Cycles += cycles
	if out.Worst > 0 {
		out.Best, out.Worst = out.Best+cycles, out.Worst+cycles
	}
	out.After = slices.Clone(b.After)
	for i := range out.After {
		out.After[i].Cycles += cycles
	}
	return out
}

// DefaultCost is a part of a block's cycles that rests on a default.
type DefaultCost struct {
	Reason int     // index into Costs.Reasons
	Cycles float64 // cycles of one execution of the block; may be 0
	Count  int     // instructions or lines concerned
	Loc    ir.Loc  // of one of them, where models say so: it then has a line
}

// AfterCost is the cost of a block entered from one of its predecessors.
type AfterCost struct {
	Pred   int     // block index in the same function
	Cycles float64 // of one execution
}

// Variation is how a block's cycles move with a factor.
type Variation struct {
	Factor int // index into Costs.Factors
	// Cycles less for one unit below the typical value and more for one above. Negative
	// where the block becomes cheaper as the factor rises: of two coefficients that were
	// fitted together one may be the higher, the lower the other is.
	Down, Up float64
}
