package pathwise

// This file finds who calls whom how often, which functions are recursive, and what
// reaches a parallel region.

import (
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/graph/topo"
)

// call is a call of a function by an instruction of a block.
type call struct {
	instr, callee int
	share         float64 // calls per execution of the block
}

// keepers are external functions that keep a function for later or for a thread,
// rather than call it.
var keepers = map[string]bool{
	"atexit": true, "on_exit": true, "at_quick_exit": true, "__cxa_atexit": true, "__cxa_thread_atexit": true,
	"__cxa_at_quick_exit": true, "pthread_create": true, "pthread_atfork": true, "thrd_create": true,
	"tss_create": true, "pthread_key_create": true, "signal": true, "bsd_signal": true, "sigaction": true,
	"sigset": true, "set_terminate": true, "__cxa_throw": true,
}

// instruction is a place in the program.
type instruction struct{ fn, block, instr int }

// handed is a function that a call passes to an external function.
type handed struct {
	at     instruction
	callee int
}

// findCalls fills calls, and returns how many calls there were of each function.
// Direct calls count once per execution of their block, indirect ones by the shares of
// their targets. What is passed to an external function is called by it as often as
// its other calls leave unexplained, evenly over the executions of such calls.
func (p *Program) findCalls() []float64 {
	called := make([]float64, len(p.funcs))
	total := map[instruction]float64{}
	for _, t := range p.Bundle.Targets {
		total[instruction{t.Func, t.Block, t.Instr}] += float64(t.Count)
	}
	var callbacks []handed
	for fi, f := range p.funcs {
		if f == nil {
			continue
		}
		f.calls = make([][]call, len(f.fn.Blocks))
		for bi, b := range f.fn.Blocks {
			for i := range b.Instrs {
				c := b.Instrs[i].Call
				switch {
				case c == nil:
				case c.Callee >= 0:
					p.addCall(f, bi, call{i, c.Callee, 1})
					called[c.Callee] += f.runs[bi]
				case !c.Indirect && !keepers[c.Name]:
					for _, g := range c.FuncArgs {
						callbacks = append(callbacks, handed{instruction{fi, bi, i}, g})
					}
				}
			}
		}
	}
	for _, t := range p.Bundle.Targets {
		if f := p.funcs[t.Func]; f != nil && t.Target >= 0 && t.Count > 0 {
			p.addCall(f, t.Block, call{t.Instr, t.Target, float64(t.Count) / total[instruction{t.Func, t.Block, t.Instr}]})
			called[t.Target] += float64(t.Count)
		}
	}
	chances := make([]float64, len(p.funcs)) // executions of calls that pass the function
	for _, h := range callbacks {
		chances[h.callee] += p.funcs[h.at.fn].runs[h.at.block]
	}
	unexplained := make([]float64, len(p.funcs))
	for i, f := range p.funcs {
		if f != nil && i != p.Root && chances[i] > 0 {
			unexplained[i] = max(0, f.begun()-called[i])
			called[i] += unexplained[i]
		}
	}
	for _, h := range callbacks {
		if n := unexplained[h.callee]; n > 0 {
			p.addCall(p.funcs[h.at.fn], h.at.block, call{h.at.instr, h.callee, n / chances[h.callee]})
		}
	}
	return called
}

// addCall adds a call, unless of a function that never ran, which costs nothing.
func (p *Program) addCall(f *function, block int, c call) {
	if p.funcs[c.callee] != nil {
		f.calls[block] = append(f.calls[block], c)
	}
}

// findCircles numbers the functions that call each other in a circle.
func (p *Program) findCircles() {
	g, self := simple.NewDirectedGraph(), make([]bool, len(p.funcs))
	for i, f := range p.funcs {
		if f == nil {
			continue
		}
		for b, calls := range f.calls {
			for _, c := range calls {
				switch {
				case f.runs[b] == 0:
				case c.callee == i:
					self[i] = true
				default:
					g.SetEdge(simple.Edge{F: simple.Node(i), T: simple.Node(c.callee)})
				}
			}
		}
	}
	p.circle = make([]int, len(p.funcs))
	for i := range p.circle {
		p.circle[i] = -1
		if self[i] {
			p.circle[i] = i
		}
	}
	for _, nodes := range topo.TarjanSCC(g) {
		for _, n := range nodes {
			if len(nodes) > 1 {
				p.circle[n.ID()] = int(nodes[0].ID())
			}
		}
	}
}

// findForks fills forks: a level reaches a region when its graph, that of a loop in it,
// or a function that a block of it calls has a group of sections.
func (p *Program) findForks() {
	forking := make([]bool, len(p.funcs))
	for changed := true; changed; {
		changed = false
		for i, f := range p.funcs {
			if f == nil {
				continue
			}
			f.forks = make([]bool, len(f.levels))
			for l, g := range f.graphs.Levels {
				f.forks[l] = len(g.Groups) > 0
			}
			for b, calls := range f.calls {
				for _, c := range calls {
					if f.runs[b] > 0 && forking[c.callee] {
						f.forks[f.cfg.LoopOf[b]+1] = true
					}
				}
			}
			for l := len(f.levels) - 1; l > 0; l-- {
				f.forks[f.parent[l]] = f.forks[f.parent[l]] || f.forks[l]
			}
			if f.forks[0] && !forking[i] {
				forking[i], changed = true, true
			}
		}
	}
}
