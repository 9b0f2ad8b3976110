package pathprof

// This file plans the probes of a whole program.

import (
	"crypto/sha256"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/ir/probe"
)

// Instrumentation is a program's numbering and probes.
type Instrumentation struct {
	Program    *ir.Program
	Numberings []*Numbering // by function
	Planner    Planner
	Hash       [32]byte
	limits     Limits
}

// Options steer Instrument; the zero value is the default.
type Options struct {
	Limits Limits
	// Threads forces counters that threads of the program cannot corrupt. They are
	// used in any case when the program refers to a function that starts threads.
	Threads bool
}

// Instrument numbers every function of p, whose module has the given text, and
// plans the probes.
func Instrument(p *ir.Program, module []byte, opt Options) *Instrumentation {
	return instrument(p, sha256.Sum256(module), opt)
}

// instrument does so for the module of the given hash. It is a function of the
// program's view alone, so that the counters of a bundle's program can be found again.
func instrument(p *ir.Program, hash [32]byte, opt Options) *Instrumentation {
	in := &Instrumentation{Program: p, Numberings: make([]*Numbering, len(p.Funcs)), Hash: hash, limits: opt.Limits.withDefaults()}
	in.Planner.Plan.Hash = in.Hash
	in.Planner.Plan.Calls = true
	in.Planner.Plan.Threads = opt.Threads || StartsThreads(p)
	publish := blocksToPublish(p, in.Planner.Plan.Threads)
	for i, f := range p.Funcs {
		whole := insideRegions(f)
		n := Number(Request{
			CFG: flow.Analyze(f), Restarts: restarts(f), Limits: opt.Limits,
			KeepWhole: func(b int) bool { return whole[b] },
			Empty:     func(b int) bool { return len(f.Blocks[b].Instrs) == 1 },
		})
		in.Numberings[i] = n
		in.Planner.Add(i, n, func(b int) bool { return callsOut(f.Blocks[b]) }, publish[i], contained(f))
	}
	return in
}

// StartsThreads reports whether the program refers to a function that starts a
// thread: of POSIX, C11, or the C++ library.
func StartsThreads(p *ir.Program) bool {
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i := range b.Instrs {
				c := b.Instrs[i].Call
				if c == nil {
					continue
				}
				switch {
				case c.Name == "pthread_create", c.Name == "thrd_create", c.Name == "clone",
					strings.HasPrefix(c.Name, "_ZNSt6thread15_M_start_thread"),
					strings.HasPrefix(c.Name, "_ZNSt3__1") && strings.Contains(c.Name, "thread"):
					return true
				}
			}
		}
	}
	return false
}

// contained reports whether no exception can leave the function.
func contained(f *ir.Func) bool {
	if f.NoUnwind {
		return true
	}
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && !c.NoUnwind && !strings.HasPrefix(c.Name, "llvm.") {
				return false
			}
		}
	}
	return true
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

// restarts lists the blocks behind calls that can return twice. Such a call stands
// last in its block (probe.SplitReturnsTwice).
func restarts(f *ir.Func) []int {
	var out []int
	for _, b := range f.Blocks {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && c.ReturnsTwice && len(b.Succs) == 1 {
				out = append(out, b.Succs[0])
				break
			}
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

// blocksToPublish lists, by function, the blocks whose calls may end the program,
// so that the paths under way are not lost with it. An activation can only be
// published where it cannot be left behind by a longjmp, an exception or another
// thread.
func blocksToPublish(p *ir.Program, threads bool) [][]int {
	out := make([][]int, len(p.Funcs))
	if threads {
		return out
	}
	ends := mayEnd(p)
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i := range b.Instrs {
				if c := b.Instrs[i].Call; c != nil && c.ReturnsTwice {
					return out
				}
			}
		}
	}
	for i, f := range p.Funcs {
		for _, b := range f.Blocks {
			if b.Terminator().Op != "br" && b.Terminator().Op != "switch" && b.Terminator().Op != "ret" {
				continue
			}
			publish := false
			for k := range b.Instrs {
				c := b.Instrs[k].Call
				if c == nil || strings.HasPrefix(c.Name, "llvm.") {
					continue
				}
				if !f.NoUnwind && !c.NoUnwind {
					publish = false
					break
				}
				if c.Callee >= 0 && (ends[c.Callee] || f.Name == "main") || c.Indirect || raises[c.Name] {
					publish = true
				}
			}
			if publish {
				out[i] = append(out[i], b.Index)
			}
		}
	}
	return out
}

// raises holds the library's functions that can end the program by a signal.
var raises = map[string]bool{"raise": true, "kill": true, "killpg": true, "pthread_kill": true, "sigqueue": true}

// mayEnd reports for every function whether a call of it may end the program.
func mayEnd(p *ir.Program) []bool {
	ends := make([]bool, len(p.Funcs))
	callers := make([][]int, len(p.Funcs))
	var work []int
	for i, f := range p.Funcs {
		for _, b := range f.Blocks {
			for k := range b.Instrs {
				c := b.Instrs[k].Call
				if c == nil {
					continue
				}
				if c.Callee >= 0 {
					callers[c.Callee] = append(callers[c.Callee], i)
				}
				if (c.NoReturn || raises[c.Name]) && !ends[i] {
					ends[i] = true
					work = append(work, i)
				}
			}
		}
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		for _, c := range callers[i] {
			if !ends[c] {
				ends[c] = true
				work = append(work, c)
			}
		}
	}
	return ends
}

// resolve finds the instructions and functions that Apply numbered.
func (in *Instrumentation) resolve(a *probe.Applied) (sites []CallTarget, targets []int) {
	for _, s := range a.CallSites {
		nth := s.Nth
		at := CallTarget{Func: s.Func, Block: s.Block, Instr: -1}
		block := in.Program.Funcs[s.Func].Blocks[s.Block]
		for i := range block.Instrs {
			if c := block.Instrs[i].Call; c != nil && c.Indirect {
				if nth == 0 {
					at.Instr = i
					break
				}
				nth--
			}
		}
		sites = append(sites, at)
	}
	return sites, a.Targets
}
