package mca

// This file puts the figures of machine blocks together to the costs of IR blocks.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

// perRefused is what an instruction of a function without machine code is taken for.
const perRefused = 2 // cycles

// pricer builds Costs.
type pricer struct {
	tally   *procmodels.Tally // nil where reasons were noted before
	o       options
	defined map[string]bool
	figures map[string]figure
	joints  map[joint]float64
	parts   int // IR blocks that became several machine blocks
	clamped int // machine blocks whose cycles were cut
	inParts int // machine blocks too long for one piece
}

func newPricer(name string, p *ir.Program, o options, figures map[string]figure) *pricer {
	pr := &pricer{o: o, defined: map[string]bool{}, figures: figures, tally: procmodels.NewTally(name, p)}
	for _, f := range p.Funcs {
		pr.defined[f.Name] = true
	}
	return pr
}

// function prices a function that was compiled.
func (pr *pricer) function(f *ir.Func, pl *placement, names []string, mod *module) {
	mf, a := pl.machineFunc, pl.assignment
	figures := make([]figure, len(mf.blocks))
	for i, b := range mf.blocks {
		figures[i] = pr.figures[b.key()]
		if figures[i].clamped {
			pr.clamped++
		}
		if figures[i].pieces > 1 {
			pr.inParts++
		}
	}
	costs := pr.tally.Costs.Blocks[f.Index]
	for k := range f.Blocks {
		bc := &costs[k]
		for _, s := range a.blocks[k] {
			pr.add(bc, figures[s.block], mf.blocks[s.block].calls(), s.weight)
		}
		if len(a.blocks[k]) > 1 {
			if slices.ContainsFunc(a.blocks[k], func(s share) bool { return s.weight < 1 }) {
				pr.parts++
			}
			bc.Best, bc.Worst = pr.ways(mf, a.ways[k], figures, bc.Best, bc.Worst)
		}
		if n := mod.replaced[place{f.Name, names[k]}]; n > 0 {
			pr.replaced(bc, n)
		}
	}
	byTarget := func(x, y edge) int { return cmp.Or(x.to-y.to, x.from-y.from) }
	for e := range a.edges {
		if _, ok := pl.ways[e]; !ok {
			pl.ways[e] = nil
		}
	}
	for _, e := range slices.SortedFunc(maps.Keys(pl.ways), byTarget) {
		bc := &costs[e.to]
		extra := procmodels.BlockCost{}
		for _, i := range a.edges[e] {
			pr.add(&extra, figures[i], mf.blocks[i].calls(), 1)
		}
		more := extra.Cycles
		for _, j := range pl.at(e) {
			more += pr.joints[j]
		}
		if math.Abs(more) > 1e-9 {
			bc.After = append(bc.After, procmodels.AfterCost{Pred: e.from, Cycles: math.Max(0, bc.Cycles+more)})
		}
	}
}

// add adds a share of a machine block, which calls the functions of these names.
func (pr *pricer) add(bc *procmodels.BlockCost, f figure, calls []string, weight float64) {
	bc.Best += f.best * weight
	bc.Cycles += f.typical * weight
	bc.Worst += f.worst * weight
	for _, n := range f.notes {
		pr.note(bc, n.reason, n.cycles*weight, n.count)
	}
	for _, callee := range calls {
		if pr.defined[callee] || strings.HasPrefix(callee, "__kmpc_") { // the platform's overheads
			continue
		}
		c := pr.o.callCost * weight
		bc.Best += c
		bc.Cycles += c
		bc.Worst += c
		pr.note(bc, fmt.Sprintf("call to %s: not modelled by llvm-mca, %g cycles assumed", callee, pr.o.callCost), c, 1)
	}
}

// ways bounds a block of several machine blocks by the shortest and the longest way
// through them; best and worst are the sums over all.
func (pr *pricer) ways(mf *machineFunc, order []int, figures []figure, best, worst float64) (least, most float64) {
	if len(order) < 2 {
		return best, worst
	}
	position := map[int]int{}
	for i, j := range order {
		position[j] = i
	}
	cost := func(j int) (float64, float64) {
		var bc procmodels.BlockCost
		q := *pr
		q.tally = nil
		q.add(&bc, figures[j], mf.blocks[j].calls(), 1)
		return bc.Best, bc.Worst
	}
	short := make([]float64, len(order))
	long := make([]float64, len(order))
	for i := len(order) - 1; i >= 0; i-- {
		j := order[i]
		b, w := cost(j)
		next, far, out := math.Inf(1), 0.0, len(mf.blocks[j].succs) == 0
		for _, s := range mf.blocks[j].succs {
			k, ok := position[s]
			if !ok || k <= i {
				out = true
				continue
			}
			next = math.Min(next, short[k])
			far = math.Max(far, long[k])
		}
		if out || math.IsInf(next, 1) {
			next = 0
		}
		short[i], long[i] = b+next, w+far
	}
	return math.Min(short[0], best), math.Max(long[0], worst)
}

// note records a default of a block.
func (pr *pricer) note(bc *procmodels.BlockCost, reason string, cycles float64, count int) {
	if pr.tally != nil {
		pr.tally.Assume(bc, reason, cycles, count)
	}
}

// refused prices a function that llc gave no code for: so many cycles an instruction.
func (pr *pricer) refused(f *ir.Func, why string) {
	reason := fmt.Sprintf("function %s: no machine code (%s), %d cycles an instruction assumed", f.Name, why, perRefused)
	for k, b := range f.Blocks {
		bc := &pr.tally.Costs.Blocks[f.Index][k]
		n := 0
		var fig figure
		var calls []string
		for _, in := range b.Instrs {
			if in.Op == "phi" || in.Call != nil && in.Call.Name == ir.MarkerFunc {
				continue
			}
			n++
			if c := in.Call; c != nil && !c.Indirect && c.Name != "asm" && !isIntrinsic(c.Name) {
				calls = append(calls, c.Name)
			}
		}
		if n > 0 {
			fig.add(reason, perRefused*float64(n), n)
		}
		pr.add(bc, fig, calls, 1)
	}
}

func isIntrinsic(name string) bool { return len(name) > 5 && name[:5] == "llvm." }

// replaced charges what only the host's processor has and was taken out.
func (pr *pricer) replaced(bc *procmodels.BlockCost, n int) {
	var f figure
	f.add(fmt.Sprintf("assembly and intrinsics of other processors: taken out, %d cycles assumed", unmodelled), unmodelled*float64(n), n)
	pr.add(bc, f, nil, 1)
}

// finish settles ranges.
func (pr *pricer) finish() {
	for _, blocks := range pr.tally.Costs.Blocks {
		for i := range blocks {
			bc := &blocks[i]
			bc.Best = math.Min(bc.Best, bc.Cycles)
			bc.Worst = math.Max(bc.Worst, bc.Cycles)
			sum := 0.0
			for _, d := range bc.Defaults {
				sum += d.Cycles
			}
			// The sums were rounded in different orders.
			if sum > bc.Cycles && len(bc.Defaults) > 0 {
				bc.Cycles = sum
				bc.Worst = math.Max(bc.Worst, sum)
			}
		}
	}
	warn := func(n int, one, many string) {
		if n == 1 {
			pr.tally.Costs.Warnings = append(pr.tally.Costs.Warnings, "1 "+one)
		} else if n > 1 {
			pr.tally.Costs.Warnings = append(pr.tally.Costs.Warnings, fmt.Sprintf("%d %s", n, many))
		}
	}
	warn(pr.clamped, "machine block took longer than its instructions one after the other and was cut to that",
		"machine blocks took longer than their instructions one after the other and were cut to that")
	warn(pr.inParts, "machine block was timed in parts for its length", "machine blocks were timed in parts for their length")
	warn(pr.parts, "block became several machine blocks; branches among them are taken to go either way equally often",
		"blocks became several machine blocks; branches among them are taken to go either way equally often")
}
