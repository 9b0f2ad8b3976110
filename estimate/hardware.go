package estimate

// This file says what hardware takes that is made of loops under a mapping: a loop is made on each
// processor that executes a section or a task which may come to it.

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
)

// hardware is the loops that processors make, and the lanes that come to them.
type hardware struct {
	by    []procmodels.Hardware // by processor; nil where it makes none
	lanes []map[string]lanes    // by processor and loop
}

// lanes are those that may come to a loop; outside is set where code outside of sections and tasks does.
type lanes struct {
	outside  bool
	sections map[lane]bool
	tasks    map[int]bool
	makers   map[lane]bool // of stages, which they execute themselves where the team is one
}

func noLanes() lanes {
	return lanes{sections: map[lane]bool{}, tasks: map[int]bool{}, makers: map[lane]bool{}}
}

// add adds who may come to a block in a lane, or in none, of a function that callers may come to. A
// region in what a section calls may stay on the section's processor.
func (l *lanes) add(around []lane, callers *lanes) {
	if len(around) > 0 {
		l.sections[around[len(around)-1]] = true
	} else {
		l.outside = l.outside || callers.outside
	}
	maps.Copy(l.sections, callers.sections)
	maps.Copy(l.tasks, callers.tasks)
	maps.Copy(l.makers, callers.makers)
}

func (l *lanes) size() int { return len(l.sections) + len(l.tasks) + len(l.makers) }

// finder finds the lanes that come to loops of a program, each once however many designs there are.
type finder struct {
	prog   *ir.Program
	around [][][]lane
	from   []lanes
	known  map[string]lanes
}

// hardware finds the lanes, nil where no processor makes hardware.
func (p *Pricer) hardware(by []procmodels.Hardware) *hardware {
	if !slices.ContainsFunc(by, func(h procmodels.Hardware) bool { return h != nil && len(h.Loops()) > 0 }) {
		return nil
	}
	if p.finder.prog != p.Program {
		p.finder = finder{prog: p.Program, known: map[string]lanes{}}
		p.finder.around, p.finder.from = callersOf(p.Program)
	}
	w := &hardware{by: by, lanes: make([]map[string]lanes, len(by))}
	for i, h := range by {
		if h == nil {
			continue
		}
		w.lanes[i] = map[string]lanes{}
		for _, l := range h.Loops() {
			w.lanes[i][l.Loop] = p.finder.find(h, l.Loop)
		}
	}
	return w
}

func (f *finder) find(h procmodels.Hardware, loop string) lanes {
	if of, ok := f.known[loop]; ok {
		return of
	}
	of := noLanes()
	for _, at := range h.Find(f.prog, loop) {
		of.add(f.around[at.Func][at.Block], &f.from[at.Func])
	}
	f.known[loop] = of
	return of
}

// callersOf finds the lanes around blocks, and those that may come to functions.
func callersOf(prog *ir.Program) (around [][][]lane, from []lanes) {
	around, from = make([][][]lane, len(prog.Funcs)), make([]lanes, len(prog.Funcs))
	named := make([]bool, len(prog.Funcs)) // by a call
	tasks, stages := prog.TaskEntries(), make([]bool, len(prog.Funcs))
	for fi, f := range prog.Funcs {
		around[fi] = opened(f, sectionEdge)
		from[fi] = noLanes()
		if task, ok := tasks[fi]; ok {
			from[fi].tasks[task] = true
			at, _ := prog.StageOf(task)
			stages[fi] = at >= 0
		}
		for _, b := range f.Blocks {
			for _, c := range b.Calls() {
				if c.Callee >= 0 {
					named[c.Callee] = true
				}
			}
		}
	}
	// What is exported and not named was inlined wherever it is called.
	for fi, f := range prog.Funcs {
		from[fi].outside = f.Name == DefaultRoot || !named[fi] && !f.Exported
	}
	for changed := true; changed; {
		changed = false
		come := func(to int, in []lane, caller *lanes) {
			before, was := from[to].size(), from[to].outside
			if stages[to] {
				maker := noLanes()
				maker.add(in, caller)
				from[to].outside = was || maker.outside
				maps.Copy(from[to].makers, maker.sections)
			} else {
				from[to].add(in, caller)
			}
			changed = changed || before != from[to].size() || was != from[to].outside
		}
		for fi, f := range prog.Funcs {
			for bi, b := range f.Blocks {
				for _, c := range b.Calls() {
					if c.Callee >= 0 {
						come(c.Callee, around[fi][bi], &from[fi])
					}
					for _, g := range c.FuncArgs {
						come(g, around[fi][bi], &from[fi])
					}
					if !c.Indirect {
						continue
					}
					for g := range named {
						if !named[g] {
							come(g, around[fi][bi], &from[fi])
						}
					}
				}
			}
		}
	}
	return around, from
}

// Taken is what the hardware of a processor takes under a mapping.
type Taken struct {
	Processor int
	Loops     []procmodels.HardwareLoop // that are made
	Buffers   float64                   // of the resources: what buffers of pipelines take
	Resources []TakenResource           // in the order of their names
}

// TakenResource is how much is taken of a resource, and how much there is; Limited is false where
// nothing says.
type TakenResource struct {
	Name          string
	Amount, Limit float64
	Limited       bool
}

// Share is the greatest part that is taken of a resource that is limited.
func (t *Taken) Share() float64 {
	share := 0.0
	for _, r := range t.Resources {
		if r.Limited {
			share = max(share, r.Amount/r.Limit)
		}
	}
	return share
}

// MakesOtherwise returns what the hardware of a processor takes if some of its loops are made, as a
// design has them.
func (p *Processors) MakesOtherwise(processor int, d mapping.Design, made func(loop string) bool) (Taken, error) {
	h, err := p.hardware.by[processor].Made(d)
	if err != nil {
		return Taken{}, err
	}
	return p.makes(processor, h, made), nil
}

// Makes returns what the hardware of a processor takes if some of its loops are made.
func (p *Processors) Makes(processor int, made func(loop string) bool) Taken {
	return p.makes(processor, p.hardware.by[processor], made)
}

func (p *Processors) makes(processor int, h procmodels.Hardware, made func(loop string) bool) Taken {
	t := Taken{Processor: processor}
	all := procmodels.TakenBy(h.Loops())
	for _, l := range h.Loops() {
		if made(l.Loop) {
			t.Loops = append(t.Loops, l)
		}
	}
	limits := limitsOf(&p.Platform.Processors[processor], h)
	taken := procmodels.TakenBy(t.Loops)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		limit, limited := limits[name]
		t.Resources = append(t.Resources, TakenResource{name, math.Ceil(taken[name] - 1e-9), limit, limited})
	}
	return t
}

// limitsOf is how much there is of resources: what the platform says, else what the model does.
func limitsOf(proc *mapping.Processor, h procmodels.Hardware) map[string]float64 {
	if proc.Capacity == nil && h != nil {
		return h.Capacity()
	}
	limits := map[string]float64{}
	for _, c := range proc.Capacity {
		limits[c.Resource] = c.Amount
	}
	return limits
}

// Hardware returns what processors take under a mapping, of those that make hardware or hold buffers.
func (p *Processors) Hardware(prog *ir.Program, m *mapping.Resolved) (all []Taken) {
	for i := range p.Platform.Processors {
		t := Taken{Processor: i}
		if len(p.Made(i)) > 0 {
			t = p.Makes(i, func(loop string) bool { return p.Comes(m, i, loop) })
		}
		if p.AddBuffers(&t, prog, m); t.Resources != nil {
			all = append(all, t)
		}
	}
	return all
}

// Comes reports whether a processor may come to a loop under a mapping.
func (p *Processors) Comes(m *mapping.Resolved, processor int, loop string) bool {
	of := p.hardware.lanes[processor][loop]
	if of.outside && m.Serial == processor {
		return true
	}
	for task := range of.tasks {
		if executes(m, task, processor, 2) {
			return true
		}
	}
	for l := range of.sections {
		if runs(m, l, processor) {
			return true
		}
	}
	for l := range of.makers {
		if len(m.Regions[l.region].Team) == 1 && runs(m, l, processor) {
			return true
		}
	}
	return false
}

// runs reports whether a processor executes a section, or iterations of a worksharing loop.
func runs(m *mapping.Resolved, l lane, processor int) bool {
	on := m.Regions[l.region].Proc[l.construct]
	if w := m.Regions[l.region].Loop(l.construct); w != nil {
		return slices.Contains(on[:w.Threads], processor)
	}
	return on[l.section] == processor
}

// Reach visits the sections that may come to a loop which a processor makes, of worksharing loops the
// first, and reports whether what is outside of sections may, and whether tasks.
func (p *Processors) Reach(processor int, loop string, visit func(region, construct, section int)) (outside, tasks bool) {
	of := p.hardware.lanes[processor][loop]
	for l := range of.sections {
		visit(l.region, l.construct, l.section)
	}
	return of.outside, len(of.tasks) > 0
}

// Made returns what a processor makes of loops, nil where that is nothing.
func (p *Processors) Made(processor int) []procmodels.HardwareLoop {
	if p.hardware == nil || p.hardware.by[processor] == nil {
		return nil
	}
	return p.hardware.by[processor].Loops()
}

// Fits reports the first resource of which hardware takes more under a mapping than there is.
func (p *Processors) Fits(prog *ir.Program, m *mapping.Resolved) error {
	for _, t := range p.Hardware(prog, m) {
		for _, r := range t.Resources {
			if r.Limited && r.Amount > r.Limit {
				if t.Buffers > 0 {
					return fmt.Errorf("processor %s has %g %s, and its loops and the buffers of stages take %g: keep stages to another processor, make buffers less deep (depths of the mapping), or unroll less",
						p.Platform.Processors[t.Processor].Name, r.Limit, r.Name, r.Amount)
				}
				return fmt.Errorf("processor %s has %g %s, and the loops that are made for what it executes take %g: map sections or tasks to another processor, or unroll less (designs of the mapping)",
					p.Platform.Processors[t.Processor].Name, r.Limit, r.Name, r.Amount)
			}
		}
	}
	return nil
}

// capacities refuses capacities that limit nothing.
func capacities(proc *mapping.Processor, h procmodels.Hardware) error {
	f := proc.FIFO
	if _, ok := limitsOf(proc, h)[resourceOf(f)]; f != nil && !ok {
		return f.Pos.Errorf("fifo of processor %s: nothing says how many %s there are: give capacity: {%s: N}", proc.Name, f.Resource, f.Resource)
	}
	for _, c := range proc.Capacity {
		if c.Resource == resourceOf(f) {
			continue
		}
		if h == nil {
			return c.Pos.Errorf("capacity of processor %s: model %s makes no hardware of loops: leave it out", proc.Name, proc.Model)
		}
		if _, ok := procmodels.TakenBy(h.Loops())[c.Resource]; !ok {
			return c.Pos.Errorf("capacity of processor %s: no loop of model %s takes any %s: leave it out, or give what loops take", proc.Name, proc.Model, c.Resource)
		}
	}
	return nil
}
