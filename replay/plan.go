package replay

// This file turns block costs into meters: whole numbers that add up without error.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/procmodels"
)

// Plan is what to count in a program, and what the counts mean.
type Plan struct {
	Meters probe.Meters
	// Scale is how many units of a meter are one cycle. With Exact every cost is a
	// whole number of units; else costs are rounded to the nearest.
	Scale float64
	Exact bool
	costs []*procmodels.Costs // by meter
	loops [][]bool            // by region and construct: iterations are told
	tasks []bool              // by region: it may make tasks; nil where any may
}

// roughScale is used when no small scale makes all costs whole: costs are rounded to
// less than a millionth of a cycle, or more coarsely where blocks would take more than
// mostUnits, so that millions of them between two events do not pass 64 bits.
const (
	roughScale = 1 << 20
	mostUnits  = 1 << 40
)

// scales are tried in this order: decimal fractions, as people write them, and binary ones.
var scales = []float64{1, 2, 4, 5, 8, 10, 16, 20, 25, 32, 40, 50, 64, 100, 128, 200, 250, 256, 400, 500, 512, 1000, 1024, 2000, 4096, 5000, 10000, 100000, 1000000}

// NewPlan plans the meters of a program whose run is followed from the begin to the
// end of the function root, under each of the costs. Processors of one model share its
// costs, and so a meter.
func NewPlan(p *ir.Program, root int, costs []*procmodels.Costs) (*Plan, error) {
	plan := &Plan{Meters: probe.Meters{Root: root, Iterations: true}}
	for _, c := range costs {
		if !slices.Contains(plan.costs, c) {
			plan.costs = append(plan.costs, c)
		}
	}
	plan.Meters.Count = len(plan.costs)
	for r := range p.Regions {
		var all []bool
		for _, c := range p.Regions[r].Constructs {
			all = append(all, c.Loop != nil)
		}
		plan.loops = append(plan.loops, all)
	}
	plan.tasks = regionsWithTasks(p)
	if err := plan.chooseScale(); err != nil {
		return nil, err
	}
	spans := reachesRegion(p)
	for fi, f := range p.Funcs {
		mf := probe.MeteredFunc{Index: fi}
		for bi := range f.Blocks {
			mb, err := plan.block(p, spans, fi, bi)
			if err != nil {
				return nil, err
			}
			if slices.ContainsFunc(mb.Add, func(v uint64) bool { return v != 0 }) || len(mb.After)+len(mb.Included) > 0 {
				mf.Blocks = append(mf.Blocks, mb)
			}
		}
		plan.Meters.Funcs = append(plan.Meters.Funcs, mf)
	}
	return plan, nil
}

// Meter returns the meter of some costs, -1 when they are not counted.
func (p *Plan) Meter(c *procmodels.Costs) int { return slices.Index(p.costs, c) }

// loop reports whether a construct is a loop whose iterations are told.
func (p *Plan) loop(r, c int) bool { return r < len(p.loops) && c < len(p.loops[r]) && p.loops[r][c] }

// Counting is the plan of a stream that no program writes: a meter for each of the costs,
// with so many units a cycle. Worksharing loops are told in it as a section for each thread.
func Counting(costs []*procmodels.Costs, units float64) *Plan {
	plan := &Plan{Meters: probe.Meters{Root: -1}, Scale: units}
	for _, c := range costs {
		if !slices.Contains(plan.costs, c) {
			plan.costs = append(plan.costs, c)
		}
	}
	plan.Meters.Count = len(plan.costs)
	return plan
}

// TellLoops says which worksharing loops, by region and construct, a stream of the plan tells of
// iteration by iteration from now on.
func (p *Plan) TellLoops(loops [][2]int) {
	p.loops = nil
	for _, l := range loops {
		for len(p.loops) <= l[0] {
			p.loops = append(p.loops, nil)
		}
		for len(p.loops[l[0]]) <= l[1] {
			p.loops[l[0]] = append(p.loops[l[0]], false)
		}
		p.loops[l[0]][l[1]] = true
	}
}

// block plans a block. What a block costs after a certain predecessor is added as a
// difference, modulo 2^64 where it is negative.
func (p *Plan) block(prog *ir.Program, spans []bool, fi, bi int) (probe.MeteredBlock, error) {
	mb := probe.MeteredBlock{Block: bi, Add: make([]uint64, len(p.costs))}
	included := map[int][]int{}
	var calls []int
	for k, c := range p.costs {
		bc := &c.Blocks[fi][bi]
		mb.Add[k] = p.units(bc.Cycles)
		for _, a := range bc.After {
			if d := p.units(a.Cycles) - mb.Add[k]; d != 0 {
				mb.After = append(mb.After, probe.MeteredEdge{Pred: a.Pred, Meter: k, Add: d})
			}
		}
		for _, i := range bc.Included {
			if included[i] == nil {
				calls = append(calls, i)
			}
			included[i] = append(included[i], k)
		}
	}
	slices.Sort(calls)
	f := prog.Funcs[fi]
	for _, i := range calls {
		call := f.Blocks[bi].Instrs[i].Call
		if call.Callee >= 0 && spans[call.Callee] {
			return mb, fmt.Errorf("model %s counts the call of %s at %s in its caller, but parallel regions are in it: give the lines of %s their own costs",
				p.costs[included[i][0]].Model, prog.Funcs[call.Callee].Source, prog.LocString(f.Blocks[bi].Instrs[i].Loc), prog.Funcs[call.Callee].Source)
		}
		mb.Included = append(mb.Included, probe.MeteredCall{Instr: i, Meters: included[i]})
	}
	return mb, nil
}

func (p *Plan) units(cycles float64) uint64 { return uint64(math.Round(cycles * p.Scale)) }

// chooseScale finds the smallest scale that makes all costs whole.
func (p *Plan) chooseScale() error {
	for _, s := range scales {
		if p.whole(s) {
			p.Scale, p.Exact = s, true
			return nil
		}
	}
	most := 0.0
	p.eachCost(func(cycles float64) bool { most = max(most, cycles); return true })
	for p.Scale = roughScale; p.Scale > 1 && p.Scale*most > mostUnits; p.Scale /= 2 {
	}
	if p.Scale*most > math.MaxInt64 {
		return fmt.Errorf("replay: a block costs %g cycles: too many to count in a run", most)
	}
	return nil
}

func (p *Plan) whole(scale float64) bool {
	is := func(cycles float64) bool {
		x := cycles * scale
		return math.Abs(x-math.Round(x)) <= 1e-9*max(1, x) && x <= mostUnits
	}
	return p.eachCost(is)
}

// eachCost visits the costs of all blocks while visit returns true, which is the answer.
func (p *Plan) eachCost(visit func(cycles float64) bool) bool {
	for _, c := range p.costs {
		for _, blocks := range c.Blocks {
			for i := range blocks {
				if !visit(blocks[i].Cycles) {
					return false
				}
				for _, a := range blocks[i].After {
					if !visit(a.Cycles) {
						return false
					}
				}
			}
		}
	}
	return true
}

// reachesRegion tells, by function, whether a parallel region is in it or in what it
// calls.
func reachesRegion(p *ir.Program) []bool {
	return reaching(p, func(b *ir.Block) bool { return b.Mark != nil || b.Locking != nil || len(b.Atomics) > 0 })
}

// reaching tells which functions have a block of some sort, or call such functions.
func reaching(p *ir.Program, sort func(b *ir.Block) bool) []bool {
	reaches := make([]bool, len(p.Funcs))
	for changed := true; changed; {
		changed = false
		for i, f := range p.Funcs {
			if !reaches[i] && reachesNow(f, reaches, sort) {
				reaches[i], changed = true, true
			}
		}
	}
	return reaches
}

func reachesNow(f *ir.Func, reaches []bool, sort func(b *ir.Block) bool) bool {
	for _, b := range f.Blocks {
		if sort(b) {
			return true
		}
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && c.Callee >= 0 && reaches[c.Callee] {
				return true
			}
		}
	}
	return false
}

// regionsWithTasks tells which regions may make tasks: their functions do, or what these call, or
// functions whose address is passed.
func regionsWithTasks(p *ir.Program) []bool {
	makes := reaching(p, func(b *ir.Block) bool {
		for _, c := range b.Calls() {
			if c.Indirect || len(c.FuncArgs) > 0 {
				return true
			}
		}
		return b.TaskMark != nil
	})
	out := make([]bool, len(p.Regions))
	for i, f := range p.Funcs {
		for _, b := range f.Blocks {
			if b.Mark != nil && makes[i] {
				out[b.Mark.Region] = true
			}
		}
	}
	return out
}

func (p *Plan) mayMakeTasks(region int) bool { return p.tasks == nil || p.tasks[region] }
