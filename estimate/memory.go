package estimate

// This file charges blocks for what their accesses wait behind the first level of caches.
//
// A profile knows how far apart each lane uses its lines, not which of its blocks does. So
// what a lane waits is spread over its accesses evenly, and of a function that several lanes call,
// each lane makes as many as calls say. What all lanes wait is kept.

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"pathspan/ir"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
	"pathspan/procmodels"
)

// charged returns what blocks cost on each processor with what their accesses wait for:
// the processors' own costs where the platform or the profile knows of no memory. Processors of
// one model that see the same share a pointer.
func (a *Analysis) charged(p *Processors) []*procmodels.Costs {
	if p.Platform.Hierarchy == nil || a.Bundle.Memory == nil {
		return p.Costs
	}
	out := make([]*procmodels.Costs, len(p.Costs))
	seen := make([]hierarchy.Seen, len(p.Costs))
	for i, c := range p.Costs {
		seen[i] = p.seen(i)
		for k := range i {
			if p.Costs[k] == c && seen[k].Equal(seen[i]) {
				out[i] = out[k]
			}
		}
		if out[i] == nil {
			out[i] = a.withStalls(c, seen[i])
		}
	}
	return out
}

// seen is what a processor sees of the platform's memory.
func (p *Processors) seen(i int) hierarchy.Seen { return p.Platform.Hierarchy.Of(i, p.memoryMHz(i)) }

// memoryMHz is the clock of which memory takes its cycles.
func (p *Processors) memoryMHz(i int) float64 {
	if p.PlayMHz != nil {
		return p.PlayMHz[i]
	}
	return p.ClockMHz[i]
}

// withStalls adds to the blocks of a program what their accesses wait for.
func (a *Analysis) withStalls(c *procmodels.Costs, seen hierarchy.Seen) *procmodels.Costs {
	m := a.accesses()
	stall := make([]float64, len(m.lanes)) // by lane: cycles of an access
	rest := 0.0                            // of lanes without an access of their own
	for l := range m.lanes {
		waits := seen.StallOf(m.waiting(seen.Buffered)[l], m.conflicts(seen.Buffered)[l])
		if m.lanes[l] > 0 {
			stall[l] = waits / m.lanes[l]
		} else {
			rest += waits
		}
	}
	out := *c
	out.Blocks = make([][]procmodels.BlockCost, len(c.Blocks))
	for fn, blocks := range c.Blocks {
		out.Blocks[fn] = slices.Clone(blocks)
		if m.shares[fn] == nil {
			continue
		}
		called := 0.0
		for l, share := range m.shares[fn] {
			called += share * stall[l]
		}
		for b := range blocks {
			each := called
			if l := m.lane[fn][b]; l >= 0 {
				each = stall[l]
			}
			if m.all > 0 {
				each += rest / m.all
			}
			if n := m.accesses[fn][b]; n > 0 && each > 0 {
				out.Blocks[fn][b] = blocks[b].Longer(float64(n) * each)
			}
		}
	}
	return &out
}

// accesses are what is known of who accesses memory where.
type accesses struct {
	uses  []caches.Histogram  // by lane of the profile
	reads []caches.Histogram  // by lane: those of uses that began with a read
	sets  [][]caches.Conflict // by lane
	// readSets are those of uses that began with a read: all, of a lane of which the profile does not know them.
	readSets [][]caches.Conflict
	// within is uses and reads by lane, of lines that it used before in the same execution.
	within, readWithin []caches.Histogram
	lanes              []float64 // by lane: how many accesses its blocks make
	all                float64
	accesses           [][]int     // by function and block, of one execution
	lane               [][]int     // by function and block: the lane that its marks say, -1 that of the call
	shares             [][]float64 // by function: of its calls, by lane; nil where it never ran
	around             [][]float64 // by region: of its executions, by the lane that meets it
}

// waiting is how many of the uses of a record wait.
func waiting(r *memory.Reuse, buffered bool) float64 {
	if buffered {
		return float64(r.Reads)
	}
	return float64(r.Reads + r.Writes)
}

// waiting are the uses that wait, by lane: all, or those that begin with a read.
func (m *accesses) waiting(buffered bool) []caches.Histogram {
	if buffered {
		return m.reads
	}
	return m.uses
}

// waitingWithin are those of them of lines that the lane used before in the same execution.
func (m *accesses) waitingWithin(buffered bool) []caches.Histogram {
	if buffered {
		return m.readWithin
	}
	return m.within
}

// conflicts are which of them share sets, by lane.
func (m *accesses) conflicts(buffered bool) [][]caches.Conflict {
	if buffered {
		return m.readSets
	}
	return m.sets
}

// accesses finds them on first use.
func (a *Analysis) accesses() *accesses {
	a.onceAccesses.Do(func() { a.madeAccesses = a.findAccesses() })
	return a.madeAccesses
}

func (a *Analysis) findAccesses() *accesses {
	d := a.Bundle.Memory
	lanes := func() []caches.Histogram { return make([]caches.Histogram, len(d.Lanes)) }
	m := &accesses{uses: lanes(), reads: lanes(), within: lanes(), readWithin: lanes(), sets: make([][]caches.Conflict, len(d.Lanes)), readSets: make([][]caches.Conflict, len(d.Lanes)), lanes: make([]float64, len(d.Lanes))}
	for i := range d.Reuse {
		r := &d.Reuse[i]
		use := caches.Reuse{Lines: r.Lines, Times: float64(r.Reads + r.Writes)}
		read := caches.Reuse{Lines: r.Lines, Times: float64(r.Reads)}
		m.uses[r.Lane], m.reads[r.Lane] = append(m.uses[r.Lane], use), append(m.reads[r.Lane], read)
		if !r.First {
			m.within[r.Lane], m.readWithin[r.Lane] = append(m.within[r.Lane], use), append(m.readWithin[r.Lane], read)
		}
	}
	for _, s := range d.Sets {
		m.sets[s.Lane] = append(m.sets[s.Lane], caches.Conflict{Log: s.Log, Lines: s.Lines, Times: float64(s.Times)})
		if s.Reads > 0 {
			m.readSets[s.Lane] = append(m.readSets[s.Lane], caches.Conflict{Log: s.Log, Lines: s.Lines, Times: float64(s.Reads)})
		}
	}
	for l := range m.readSets {
		if m.readSets[l] == nil {
			m.readSets[l] = m.sets[l]
		}
	}
	begins := map[ir.Mark]int{}
	for l := range d.Lanes {
		begins[markOf(&d.Lanes[l])] = l
	}
	type meeting struct {
		region, fn, lane int // -1: the lane that calls the function
		times            float64
	}
	var met []meeting
	n := len(a.funcs)
	m.accesses, m.lane, m.shares = make([][]int, n), make([][]int, n), make([][]float64, n)
	for fi, f := range a.funcs {
		if f == nil {
			continue
		}
		m.accesses[fi], m.lane[fi] = make([]int, len(f.fn.Blocks)), make([]int, len(f.fn.Blocks))
		for b, inside := range opened(f.fn, func(b *ir.Block) (int, bool, bool) { return laneEdge(b, begins) }) {
			m.lane[fi][b] = -1
			if k := len(inside); k > 0 {
				m.lane[fi][b] = inside[k-1]
			}
			if mark := f.fn.Blocks[b].Mark; mark != nil && mark.Kind == ir.RegionBegin {
				x, k := meeting{mark.Region, fi, -1, float64(f.counts[b])}, len(inside)
				if k > 0 && d.Lanes[inside[k-1]].Kind == memory.InRegion && d.Lanes[inside[k-1]].Region == mark.Region {
					k--
				}
				if k > 0 {
					x.lane = inside[k-1]
				}
				met = append(met, x)
			}
			for i := range f.fn.Blocks[b].Instrs {
				if touches(&f.fn.Blocks[b].Instrs[i]) {
					m.accesses[fi][b]++
				}
			}
		}
	}
	a.shareCalls(m)
	for range a.Bundle.Program.Regions {
		m.around = append(m.around, make([]float64, len(d.Lanes)))
	}
	for _, x := range met {
		if x.lane >= 0 {
			m.around[x.region][x.lane] += x.times
			continue
		}
		for l, share := range m.shares[x.fn] {
			m.around[x.region][l] += x.times * share
		}
	}
	for _, lanes := range m.around {
		floats.Scale(1/max(1, floats.Sum(lanes)), lanes)
	}
	for fi, f := range a.funcs {
		if f == nil {
			continue
		}
		for b, n := range m.accesses[fi] {
			done := float64(f.counts[b]) * float64(n)
			m.all += done
			if l := m.lane[fi][b]; l >= 0 {
				m.lanes[l] += done
				continue
			}
			for l, share := range m.shares[fi] {
				m.lanes[l] += done * share
			}
		}
	}
	return m
}

// touches reports whether an instruction accesses memory: by itself, or in a function of the C
// library that does.
func touches(in *ir.Instr) bool {
	switch in.Op {
	case "load", "store", "atomicrmw", "cmpxchg":
		return true
	}
	if in.Call == nil || in.Call.Callee >= 0 {
		return false
	}
	_, known := memory.Effects(in.Call.Name)
	return known
}

// markOf is the marker that begins a lane.
func markOf(l *memory.Lane) ir.Mark {
	switch l.Kind {
	case memory.InRegion:
		return ir.Mark{Kind: ir.RegionBegin, Region: l.Region}
	case memory.InTask:
		return ir.Mark{Kind: ir.TaskBegin, Construct: l.Construct}
	}
	return ir.Mark{Kind: ir.SectionBegin, Region: l.Region, Construct: l.Construct, Section: l.Section}
}

// laneEdge tells where lanes begin and end.
func laneEdge(b *ir.Block, begins map[ir.Mark]int) (lane int, opens, closes bool) {
	for _, mark := range []*ir.Mark{b.Mark, b.TaskMark} {
		if mark == nil {
			continue
		}
		switch mark.Kind {
		case ir.RegionEnd, ir.SectionEnd, ir.TaskEnd:
			return 0, false, true
		}
		if l, ok := begins[*mark]; ok {
			return l, true, false
		}
	}
	return 0, false, false
}

// shareCalls finds of the calls of each function what lanes they come from: of a block under
// a mark its lane, else those that its own function is called from. What nobody calls is
// serial, which is lane 0.
func (a *Analysis) shareCalls(m *accesses) {
	const (
		sweeps = 1000 // of a recursion that goes through lanes
		same   = 1e-12
	)
	for fi, f := range a.funcs {
		if f != nil {
			m.shares[fi] = make([]float64, len(m.lanes))
			m.shares[fi][0] = 1
		}
	}
	for range sweeps {
		from := make([][]float64, len(a.funcs))
		for fi, f := range a.funcs {
			if f == nil {
				continue
			}
			for b, calls := range f.calls {
				for _, c := range calls {
					times := float64(f.counts[b]) * c.share
					if times == 0 || m.shares[c.callee] == nil {
						continue
					}
					if from[c.callee] == nil {
						from[c.callee] = make([]float64, len(m.lanes))
					}
					if l := m.lane[fi][b]; l >= 0 {
						from[c.callee][l] += times
						continue
					}
					for l, share := range m.shares[fi] {
						from[c.callee][l] += times * share
					}
				}
			}
		}
		moved := 0.0
		for fn, shares := range from {
			sum := 0.0
			for _, x := range shares {
				sum += x
			}
			if sum == 0 || fn == a.Root {
				continue
			}
			for l, x := range shares {
				moved = max(moved, math.Abs(x/sum-m.shares[fn][l]))
				m.shares[fn][l] = x / sum
			}
		}
		if moved <= same {
			return
		}
	}
}

// KnowsMemory reports whether times hold what accesses wait for, and what data that lie with
// another processor cost.
func (e *Estimator) KnowsMemory() bool {
	return e.Platform.Hierarchy != nil && e.Bundle.Memory != nil
}

// Contended reports whether times hold as well what processors wait for main memory that others keep busy.
func (e *Estimator) Contended() bool { return e.KnowsMemory() && e.Platform.Hierarchy.Main.DRAM != nil }

// Alike reports whether two processors are as far from all others.
func (e *Estimator) Alike(p, q int) bool {
	return e.Platform.Hierarchy == nil || e.Platform.Hierarchy.Alike(p, q, len(e.Platform.Processors))
}

// MissShare is the part of the time of all that was profiled, on one processor, in which accesses wait behind
// the first level of caches.
func (e *Estimator) MissShare(processor int) float64 {
	plain, charged := 0.0, 0.0
	for fi, f := range e.funcs {
		if f == nil {
			continue
		}
		for b, n := range f.counts {
			plain += float64(n) * e.Costs[processor].Blocks[fi][b].Cycles
			charged += float64(n) * e.Charged[processor].Blocks[fi][b].Cycles
		}
	}
	if charged == 0 {
		return 0
	}
	return (charged - plain) / charged
}
