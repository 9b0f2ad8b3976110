package estimate

// This file says what one call of a function is made of, and what single paths and calls
// cost, for those who ask what would be if parts of it ran otherwise.

import (
	"pathspan/profile"
)

// Parts is what one call of a function does on average. Cycles are those of the platform's
// first processor, whatever they are spent on.
type Parts struct {
	Entries []float64 // by level: how often it is entered
	Blocks  []BlockParts
}

// BlockParts is what a block does in one call of its function.
type BlockParts struct {
	Runs   float64
	Cycles []float64 // by kind of processors, of all runs together, without the calls
	Calls  []CallParts
	// Section is the outermost section of the function that the block lies in.
	Section Place
}

// CallParts is a call of a function of the program.
type CallParts struct {
	Instr, Callee int
	Calls         []float64 // by kind of processors, in one call of the caller; 0 where the block's cycles include it
}

// KindOf returns the kinds of the processors: those of a kind take the same time for the
// same code.
func (e *Estimator) KindOf() []int { return e.kindOf }

// Second is the length of a cycle of the platform's first processor.
func (e *Estimator) Second() float64 { return e.second() }

// Whole is what a call of a function takes on average on one processor of each kind.
func (e *Estimator) Whole(fn int) []float64 { return e.serial[fn].levels[0] }

// PartsOf takes a function apart that ran. Its cycles, and those of the functions that it
// calls, add up to Whole.
func (e *Estimator) PartsOf(fn int) *Parts {
	f := e.funcs[fn]
	out := &Parts{Entries: make([]float64, len(f.prof.Levels)), Blocks: make([]BlockParts, len(f.fn.Blocks))}
	for b := range out.Blocks {
		out.Blocks[b] = BlockParts{Cycles: make([]float64, len(e.kinds)), Section: f.sectionOf(b)}
	}
	out.Entries[0] = 1
	for l := range f.prof.Levels {
		each := out.Entries[l] / f.denom[l]
		if each == 0 {
			continue
		}
		for i := range f.prof.Levels[l].Paths {
			p := &f.prof.Levels[l].Paths[i]
			times, first := each*float64(p.Count), f.before(l, p)
			for n, s := range p.Steps {
				if loop := s.Loop(); loop >= 0 {
					out.Entries[loop+1] += times
					continue
				}
				b, from := &out.Blocks[s], f.entered(p.Steps, n, first)
				b.Runs += times
				for k := range e.kinds {
					b.Cycles[k] += times * e.cost(k, fn, int(s), from)
				}
			}
		}
		for _, o := range f.orphans[l] {
			out.Entries[o] += each
		}
	}
	for b := range out.Blocks {
		for _, c := range f.calls[b] {
			calls := make([]float64, len(e.kinds))
			for k := range e.kinds {
				if !e.included(k, fn, b, c.instr) {
					calls[k] = out.Blocks[b].Runs * c.share
				}
			}
			out.Blocks[b].Calls = append(out.Blocks[b].Calls, CallParts{c.instr, c.callee, calls})
		}
	}
	return out
}

// sectionOf finds the outermost section of the function around a block.
func (f *function) sectionOf(block int) Place {
	at := Outside
	if !f.cfg.Reachable[block] {
		return at
	}
	level := f.cfg.LoopOf[block] + 1
	for {
		graph := f.graphs.Levels[level]
		t := &graph.Tasks[f.graphs.TaskOf(level, block)]
		for g, section := t.Group, t.Section; g >= 0; {
			gr := &graph.Groups[g]
			at = Place{gr.Region, gr.Construct, gr.Sections[section].Section}
			g, section = gr.Parent, gr.ParentSection
		}
		if level = f.parents[level]; level < 0 {
			return at
		}
	}
}

// Component numbers the functions that lead to each other: all of a recursion have one
// number, callees a lower one than those that call them. The function must have run.
func (a *Analysis) Component(fn int) int { return a.scc[fn] }

// StepCycles returns what each step of a path of a level of a function costs on a processor,
// in its cycles and by the rules of all estimates (entered.go): loops and called functions
// are apart, so that a step through a loop costs 0. The function must have run.
func (e *Estimator) StepCycles(processor, fn, level int, p *profile.Path) []float64 {
	f, kind := e.funcs[fn], e.kindOf[processor]
	cycles := make([]float64, len(p.Steps))
	first := f.before(level, p)
	for i, s := range p.Steps {
		if s >= 0 {
			cycles[i] = e.cost(kind, fn, int(s), f.entered(p.Steps, i, first)) / e.factor[kind]
		}
	}
	return cycles
}

// Ran reports whether paths of a function were counted in what the root reaches.
func (e *Estimator) Ran(fn int) bool { return len(e.serial[fn].levels) > 0 }

// CallCycles returns what a call of a function takes on average with everything on one
// processor, in its cycles. The function must have run.
func (e *Estimator) CallCycles(processor, fn int) float64 {
	kind := e.kindOf[processor]
	return e.serial[fn].levels[0][kind] / e.factor[kind]
}
