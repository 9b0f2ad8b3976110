// Package accelerator prices programs on accelerators that high-level synthesis makes of them,
// by a data file of their operators, memories and loops:
//
//	m, err := procmodels.Open("accelerator:ku060", "")  // one that comes with pathspan
//	m, err := procmodels.Open("./lu.yaml", "")          // schema: pathspan.accelerator/1
//
// Each innermost loop is a pipeline: the first iteration takes its latency IL, each further one
// begins II cycles behind the one before (Y. Choi, Performance Debugging Frameworks for FPGA
// High-Level Synthesis, UCLA 2019, eq. 3.5), so that a loop of TC iterations takes
// II*(TC-1)+IL. That is linear in how often its edges are taken: IL is what the edge into the
// header costs, II what a back edge does, and profiles know both. What is assumed:
//
//   - II is the least that recurrences through values and memory, operators and memory ports
//     allow, IL what one iteration takes by itself; a given II or IL goes before them;
//   - an iteration begins when it is known that there is one: a condition that needs memory is
//     waited for, one that only counts is not;
//   - all branches of a body are executed, side by side;
//   - arrays reached through different pointers are apart; of two accesses to one array whose
//     indices cannot be compared, each waits for the other in the iteration before, unless runs told
//     of memory and met no such case, or none so near;
//   - a loop around others executes its own blocks and them one after the other (eq. 3.6), and
//     so does one that calls functions of the program or that holds marks of parallel code;
//   - a block outside of pipelines is scheduled by itself and ends with its last result;
//   - a loop that tests at its top, as without optimisation, costs IL-II where it is empty; those
//     that compilers rotated cost nothing.
//
// It makes no code: what a tool does beyond that (balances sums, shares operators of branches,
// splits arrays by itself) is to be said by unroll, partition, ii and latency of the file. What loops
// take of a device is foretold from designs that were made; the package does not choose among designs.
package accelerator

// This file declares what a model is made of.

import (
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// Kind is the Kind of the models' descriptions.
const Kind = "accelerator"

const schema = "pathspan.accelerator/1"

// class is what operations of a kind take.
type class struct {
	name    string
	unit    int     // -1: as many operators as there are operations
	latency float64 // cycles until the result is there; 0 where it is chained with the next
	every   float64 // cycles until the operator takes another
}

// unit is a kind of operators of which there are so many.
type unit struct {
	name  string
	count int
}

// latency is what a file gives of a loop or function; the same twice where it gives one figure.
type latency struct{ least, most float64 }

// given is what a file says of a loop.
type given struct {
	name      string // FILE:LINE
	at        yamlstrict.Pos
	ii        float64 // 0: found
	iiAt      yamlstrict.Pos
	latency   *latency // nil: found
	latencyAt yamlstrict.Pos
	unroll    int // 1: not
	partition int // of the arrays that it accesses
	pipeline  bool
	flatten   bool
	transform transform
	scan      int            // length of the prefixes that a scan is made for
	how       yamlstrict.Pos // of the transform
	parted    bool           // the file gives partition
	tries     []mapping.LoopDesign
	resources
	reported string // what a report calls it
	// Of loops that reports speak of:
	fromReport bool
	trips      float64 // in the latency of what is around it; 0: those of the file
	absorbs    bool    // what is inside is unrolled whole
	gone       bool    // it is unrolled whole in what is around it
}

// givenFunc is what a file says of a function, with all of its loops.
type givenFunc struct {
	name       string
	at         yamlstrict.Pos
	latency    latency
	fromReport bool
}

// Model is an accelerator as its file has it.
type Model struct {
	desc    procmodels.Description
	units   []unit
	ports   int // of each array, 0: as many as there are accesses
	classes []class
	opcodes map[string]procmodels.ByType
	calls   map[string]int // class, by the function outside or the intrinsic
	library procmodels.Model
	trips   float64 // of each loop, in the latencies given of loops around others; 0: none are given
	loops   []given
	funcs   []givenFunc
	// capacity is what there is of resources; nil where there is no limit.
	capacity map[string]float64
	// reports say what loops take; once they are matched to a program, loops and funcs do.
	reports   []*report
	reportsAt yamlstrict.Pos
	matched   bool
	warnings  []string
}

// Describe implements procmodels.Model.
func (m *Model) Describe() procmodels.Description { return m.desc }
