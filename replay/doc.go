// Package replay runs a program once and simulates mappings as it runs: exact
// replay, the reference that estimates are judged against.
//
// The costed module is linked with meters (ir/probe), which add up what the blocks
// cost that execute, on each kind of processor, and hand the sums over where a region
// or a section begins or ends. A [Simulator] is fed with these events and keeps what
// is under way on a stack, so that memory does not grow with the run:
//
//	plan, err := replay.NewPlan(program, root, costs)
//	sim := replay.NewSimulator(plan, platform, resolved)
//	err = replay.Read(events, plan, sim)
//	fmt.Println(sim.Sequential(), sim.Parallel())
//
// Each execution of a region is scheduled with its own times: nothing is averaged, and
// nothing of the numbering of paths is used. What is left of the model are the costs
// of blocks, the overheads, and what package estimate says of both: regions inside an
// active one stay on their processor unless the mapping names them, and a nested
// region that is spread over processors finds them free.
//
// The package builds and runs nothing; pathprof/record does.
package replay
