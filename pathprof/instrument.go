package pathprof

// This file plans the probes of a whole program.

import (
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// Instrumentation is a program's numbering and probes.
type Instrumentation struct {
	Program    *ir.Program
	Numberings []*Numbering // by function
	Planner    Planner
	Hash       [32]byte
	Work       *Work  // what its blocks count of the work of sections; nil where they do not
	Limits     Limits // that paths are numbered within, none of them 0
}

// Options steer Instrument; the zero value is the default.
type Options struct {
	Limits Limits
	// Threads forces counters that threads of the program cannot corrupt. They are
	// used in any case when the program refers to a function that starts threads.
	Threads bool
}

// Instrument numbers every function of p, whose module has the given hash, and plans
// the probes. It is a function of the program's view alone, so that the counters of a
// bundle's program can be found again.
func Instrument(p *ir.Program, hash [32]byte, opt Options) *Instrumentation {
	in := &Instrumentation{Program: p, Numberings: make([]*Numbering, len(p.Funcs)), Hash: hash, Limits: opt.Limits.WithDefaults()}
	in.Planner.Plan.Hash = in.Hash
	in.Planner.Plan.Calls = true
	in.Planner.Plan.Threads = opt.Threads || StartsThreads(p)
	leaving := findDepartures(p, in.Planner.Plan.Threads)
	in.Planner.Plan.Catches = leaving.catches
	in.Planner.counts = leaving.stacks
	for i, f := range p.Funcs {
		whole := insideRegions(f)
		n := Number(Request{
			CFG: flow.AnalyzeForward(f), Restarts: restarts(f), Limits: opt.Limits,
			KeepWhole: func(b int) bool { return whole[b] },
			Empty:     func(b int) bool { return len(f.Blocks[b].Instrs) == 1 },
		})
		in.Numberings[i] = n
		in.Planner.Add(i, n, func(b int) bool { return callsOut(f.Blocks[b]) }, leaving.of(f))
	}
	return in
}

// refersTo reports whether the program calls a function of such a name.
func refersTo(p *ir.Program, is func(name string) bool) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i := range b.Instrs {
				if c := b.Instrs[i].Call; c != nil && is(c.Name) {
					return true
				}
			}
		}
	}
	return false
}

// callsOut reports whether the block calls anything but intrinsics, so that the
// program might end inside it.
func callsOut(b *ir.Block) bool {
	for i := range b.Instrs {
		if c := b.Instrs[i].Call; c != nil && !strings.HasPrefix(c.Name, "llvm.") {
			return true
		}
	}
	return false
}

// restarts lists the blocks behind calls that can return twice.
func restarts(f *ir.Func) []int {
	var out []int
	for _, b := range f.Blocks {
		if returnsTwice(b) {
			out = append(out, b.Succs[0])
		}
	}
	return out
}

// insideRegions reports for every block whether it lies in a parallel region.
func insideRegions(f *ir.Func) []bool {
	inside := make([]bool, len(f.Blocks))
	depth := make([]int, len(f.Blocks))
	for i := range depth {
		depth[i] = -1
	}
	stack := []int{0}
	depth[0] = 0
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		d := depth[b]
		if m := f.Blocks[b].Mark; m != nil {
			switch m.Kind {
			case ir.RegionBegin:
				d++
			case ir.RegionEnd:
				d = max(0, d-1)
			}
		}
		inside[b] = d > 0
		for _, s := range f.Blocks[b].Succs {
			if depth[s] < 0 {
				depth[s] = d
				stack = append(stack, s)
			}
		}
	}
	return inside
}
