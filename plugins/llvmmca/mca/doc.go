// Package mca prices the blocks of a program by compiling it for a processor with llc
// and asking llvm-mca, LLVM's static model of pipelines, what the machine code takes.
//
//	m, err := mca.Open(sdk.NewParameters(map[string]string{"cpu": "cortex-a53"}))
//	costs, err := m.Costs(ctx, &procmodels.Subject{Program: program, Module: module})
//
// # Way of the data
//
//	module --retarget--> the same functions and blocks for the processor's triple
//	       --compile--> assembly, some functions at a time; what llc refuses is set apart
//	       --readAssembly--> machine blocks with their IR block's name, instructions, successors
//	       --assign--> shares of machine blocks for each IR block and each edge
//	       --timer--> cycles of each different piece of straight-line code, by llvm-mca
//	       --joints--> cycles of each two that follow each other
//	       --price--> procmodels.Costs
//
// # What a block costs
//
// Typical is llvm-mca's total cycles for N runs of the machine block back to back, over N
// (parameter iterations): the steady state, in which neighbouring runs overlap as far as
// the processor lets them. Worst is one run on an empty pipeline up to its last result.
// Best is the reciprocal throughput, the bound that issue width and units set were there no
// dependences. Best <= typical <= worst is enforced by moving best and worst.
//
// An IR block is mostly one machine block. Where it became several (switches, selects,
// atomic loops), each branch among them is assumed to go either way equally often, loops
// among them run once, and the range goes from the shortest to the longest way through.
// Entered from a known predecessor, a block costs half of what the two take more, or less, in turns
// back to back than each by itself (BlockCost.After). So a loop of two blocks costs what llvm-mca says
// of their code, and what the end of one leaves pending is waited for in the next.
//
// Machine code that llc put on an edge (a loop's preheader, a split critical edge) is
// charged to the entry of the edge's target from its source (BlockCost.After).
//
// # What it does not do
//
// Caches, translation buffers, branch prediction and contention are not modelled; see the
// parameters load_latency, miss_rate and miss_cycles. Of overlap across block boundaries what
// reaches further than the next block is not either. Functions without a body cost what
// the parameter call_cost says, and are reported as defaults.
package mca
