package profile

// This file joins executions that went alike, within bounds: what the run-time library
// does while a program runs (runtime/executions.c), done to whole profiles.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"pathspan/pathprof"
)

// The bounds of the run-time library, by which merging goes too.
const (
	mostKinds     = 8
	mostEntries   = 1 << 16 // of all constructs
	mostOfOne     = 4096    // of one construct
	mostParts     = 1 << 18 // of all entries
	mostLaneParts = 1024
	mostLoopParts = 24576 // of the iterations of a loop
	finestGrid    = 32
	finerGrid     = 512 // of work under locks, and of programs that make tasks
)

// tree is an entry with the sums of its work. A part without a child is work that no
// execution follows; it happens once.
type tree struct {
	region, construct int
	loop, ofTasks     bool
	count, roots      uint64
	lanes             [][]treePart
}

type treePart struct {
	child int // -1 for none
	times uint64
	sum   []uint64 // by kind: over count*times
}

// cell numbers the cells of a logarithmic grid: so many to a factor of two, linear within.
// In a grid of none all works are alike.
func cell(x, grid uint64) uint64 {
	if grid == 0 {
		return 0
	}
	if x < grid {
		return x
	}
	e := uint64(bits.Len64(x) - 1)
	hi, lo := bits.Mul64(x-1<<e, grid)
	return grid + e*grid + (hi<<(64-e) | lo>>e)
}

// forest holds trees, those inside others first.
type forest struct {
	weights     []uint32 // by kind
	grid, depth int
	finer       func(region int) bool // whose grid may be finer than the finest of others
	cellsOf     uint64                // the grid of the tree at hand
	trees       []tree
	parts       int
	at          map[string]int // by what trees have in common that are one
	of          map[[2]int]int // how many a construct has
	key         []byte
}

func newForest(weights []uint32, finer func(region int) bool, grid, depth int) *forest {
	return &forest{weights: weights, finer: finer, grid: grid, depth: depth, at: map[string]int{}, of: map[[2]int]int{}}
}

// sameCells tells whether two parts of trees executed so often work alike before they execute.
func (f *forest) sameCells(a, b *treePart, count uint64) bool {
	return f.cells(a, count) == f.cells(b, count)
}

// cells tells the cells that the work of a part lies in: of the weighted sum, and of the
// shares of all kinds but the last. The mean of works of the same cells lies in them too.
func (f *forest) cells(p *treePart, count uint64) (cells [mostKinds]uint16) {
	if f.cellsOf == 0 {
		return cells
	}
	var all uint64
	for k, s := range p.sum {
		all = pathprof.AddSat(all, pathprof.MulSat(s, uint64(f.weights[k])))
	}
	cells[0] = uint16(cell(all/pathprof.MulSat(count, p.times), f.cellsOf))
	for k, s := range p.sum[:len(p.sum)-1] {
		hi, lo := bits.Mul64(pathprof.MulSat(s, uint64(f.weights[k])), f.cellsOf/2)
		if all > 0 {
			share, _ := bits.Div64(hi, lo, all)
			cells[1+k] = uint16(share)
		}
	}
	return cells
}

// shorten joins parts of a lane that follow each other and are alike, and work with what
// it is done before.
func (f *forest) shorten(lane []treePart, count uint64) []treePart {
	out := lane[:0:0]
	for _, p := range lane {
		if n := len(out) - 1; n >= 0 {
			last := &out[n]
			switch {
			case last.child < 0 && p.times == 1:
				last.child = p.child
				last.add(p.sum)
				if n > 0 && out[n-1].child == last.child && f.sameCells(&out[n-1], last, count) {
					out[n-1].times++
					out[n-1].add(last.sum)
					out = out[:n]
				}
				continue
			case last.child >= 0 && last.child == p.child && f.sameCells(last, &p, count):
				last.times = pathprof.AddSat(last.times, p.times)
				last.add(p.sum)
				continue
			}
		}
		p.sum = slices.Clone(p.sum)
		out = append(out, p)
	}
	return out
}

func (p *treePart) add(sum []uint64) {
	for k, s := range sum {
		p.sum[k] = pathprof.AddSat(p.sum[k], s)
	}
}

// put adds a tree, whose lanes are its own from then on, to the one that it is like. It
// returns false where a bound would be passed.
func (f *forest) put(t tree) (id int, ok bool) {
	key := binary.AppendUvarint(binary.AppendUvarint(f.key[:0], uint64(t.region)), uint64(t.construct))
	parts := 0
	if f.cellsOf = uint64(f.grid); !f.finer(t.region) {
		f.cellsOf = min(f.cellsOf, finestGrid)
	}
	for i := range t.lanes {
		t.lanes[i] = f.shorten(t.lanes[i], t.count)
		key = binary.AppendUvarint(key, uint64(len(t.lanes[i])))
		if parts += len(t.lanes[i]); len(t.lanes[i]) > mostLaneParts && !(t.loop && len(t.lanes[i]) <= mostLoopParts) {
			return 0, false
		}
		for _, p := range t.lanes[i] {
			key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(p.child+1)), p.times)
			for _, c := range f.cells(&p, t.count) {
				key = binary.AppendUvarint(key, uint64(c))
			}
		}
	}
	f.key = key
	id, known := f.at[string(key)]
	if !known {
		of := &[2]int{t.region, t.construct}
		if len(f.trees) == mostEntries || f.parts+parts > mostParts || f.of[*of] == mostOfOne {
			return 0, false
		}
		id = len(f.trees)
		f.at[string(key)] = id
		f.of[*of]++
		f.parts += parts
		f.trees = append(f.trees, t)
		return id, true
	}
	to := &f.trees[id]
	to.count, to.roots = pathprof.AddSat(to.count, t.count), pathprof.AddSat(to.roots, t.roots)
	for i := range to.lanes {
		for j := range to.lanes[i] {
			to.lanes[i][j].add(t.lanes[i][j].sum)
		}
	}
	return id, true
}

// share takes n of left from a sum, so that all of it is taken with the last.
func share(sum *uint64, n, left uint64) uint64 {
	taken := *sum
	if n < left {
		hi, lo := bits.Mul64(*sum, n)
		taken, _ = bits.Div64(hi, lo, left)
	}
	*sum -= taken
	return taken
}

// planter puts trees into a forest, cut below a depth.
type planter struct {
	f     *forest
	trees []tree
	// By tree and depth from 0: executions, and the tree that they became. The last depth
	// is of what is counted as work of the lane around; without a cut there is one depth.
	often  [][]uint64
	became [][]int
	cut    bool
	// By tree: what is not yet taken of the executions, and of the work of those that
	// are counted as work.
	left, folded []uint64
	work         [][]uint64
}

// plant puts trees, those inside others first, into a new forest. It returns nil where
// they pass a bound.
func plant(trees []tree, weights []uint32, finer func(region int) bool, grid, depth int) *forest {
	p := &planter{f: newForest(weights, finer, grid, depth), trees: trees, cut: depth > 0}
	p.descend(max(1, depth+1))
	for i := range trees {
		p.left[i] = sumSat(p.often[i])
		work := make([][]treePart, len(trees[i].lanes)) // what is not yet taken of it
		for l, lane := range trees[i].lanes {
			for _, part := range lane {
				part.sum = slices.Clone(part.sum)
				work[l] = append(work[l], part)
			}
		}
		for d, n := range p.often[i] {
			if n > 0 && !p.become(i, d, n, work) {
				return nil
			}
		}
	}
	return p.f
}

func sumSat(list []uint64) (n uint64) {
	for _, x := range list {
		n = pathprof.AddSat(n, x)
	}
	return n
}

// descend counts how often trees are executed at each depth.
func (p *planter) descend(depths int) {
	n := len(p.trees)
	p.often, p.became = make([][]uint64, n), make([][]int, n)
	p.left, p.folded, p.work = make([]uint64, n), make([]uint64, n), make([][]uint64, n)
	for i := range p.often {
		p.often[i], p.became[i] = make([]uint64, depths), make([]int, depths)
	}
	for i := n - 1; i >= 0; i-- {
		t := &p.trees[i]
		p.often[i][0] = pathprof.AddSat(p.often[i][0], t.roots)
		for _, lane := range t.lanes {
			for _, part := range lane {
				if part.child < 0 {
					continue
				}
				for d, n := range p.often[i] {
					at := &p.often[part.child][p.below(d)]
					*at = pathprof.AddSat(*at, pathprof.MulSat(n, part.times))
				}
			}
		}
		p.folded[i] = p.often[i][depths-1]
	}
}

// below is the depth of what is executed at a depth.
func (p *planter) below(d int) int { return min(d+1, len(p.often[0])-1) }

// become puts the executions of a tree at one depth into the forest, or adds up their work.
func (p *planter) become(i, d int, n uint64, work [][]treePart) bool {
	t := &p.trees[i]
	as := tree{region: t.region, construct: t.construct, loop: t.loop, ofTasks: t.ofTasks, count: n}
	if d == 0 {
		as.roots = t.roots
	}
	fold := p.cut && d == len(p.often[i])-1
	if fold {
		p.work[i] = make([]uint64, len(p.f.weights))
	}
	for l := range work {
		var lane []treePart
		for k := range work[l] {
			from := &work[l][k]
			part := treePart{child: -1, times: from.times, sum: make([]uint64, len(p.f.weights))}
			for x := range part.sum {
				part.sum[x] = share(&from.sum[x], n, p.left[i])
			}
			if c := from.child; c >= 0 {
				if below := p.below(d); p.cut && below == len(p.often[c])-1 {
					part.times = 1
					executions := pathprof.MulSat(n, from.times)
					for x := range part.sum {
						part.sum[x] = pathprof.AddSat(part.sum[x], share(&p.work[c][x], executions, p.folded[c]))
					}
					p.folded[c] -= min(executions, p.folded[c])
				} else {
					part.child = p.became[c][below]
				}
			}
			if lane = append(lane, part); fold {
				for x, s := range part.sum {
					p.work[i][x] = pathprof.AddSat(p.work[i][x], s)
				}
			}
		}
		as.lanes = append(as.lanes, lane)
	}
	p.left[i] -= n
	if fold {
		return true
	}
	id, ok := p.f.put(as)
	p.became[i][d] = id
	return ok
}

func heights(trees []tree) []int {
	of := make([]int, len(trees))
	for i := range trees {
		of[i] = 1
		for _, lane := range trees[i].lanes {
			for _, p := range lane {
				if p.child >= 0 {
					of[i] = max(of[i], 1+of[p.child])
				}
			}
		}
	}
	return of
}

// plantWithin puts trees into the first forest that is within the bounds: of the grid and
// the depth that are given, then of ever coarser grids, then of ever smaller depths.
func plantWithin(trees []tree, weights []uint32, finer func(region int) bool, grid, depth int) *forest {
	for {
		if f := plant(trees, weights, finer, grid, depth); f != nil {
			return f
		}
		switch {
		case grid > 0:
			grid /= 2
		case depth == 0:
			depth = (slices.Max(heights(trees)) + 1) / 2
		case depth == 1: // one way a construct: the program has too many constructs
			return newForest(weights, finer, grid, depth)
		default:
			depth /= 2
		}
	}
}

// trees are the entries with sums in place of means.
func (x *Executions) trees() []tree {
	out := make([]tree, len(x.Entries))
	for i := range x.Entries {
		e := &x.Entries[i]
		t := &out[i]
		*t = tree{region: e.Region, construct: e.Construct, loop: e.Loop, ofTasks: e.OfTasks, count: e.Count}
		for _, lane := range e.Lanes {
			parts := make([]treePart, len(lane))
			for k, p := range lane {
				parts[k] = treePart{child: p.Entry, times: p.Times, sum: make([]uint64, len(p.Work))}
				for j, w := range p.Work {
					parts[k].sum[j] = sumOf(w, e.Count, p.Times)
				}
			}
			t.lanes = append(t.lanes, parts)
		}
	}
	for _, r := range x.Roots {
		out[r.Entry].roots = r.Count
	}
	return out
}

// sumOf is what a mean was made of.
func sumOf(mean float64, count, times uint64) uint64 {
	if s := math.Round(mean * float64(count) * float64(times)); s < math.MaxInt64 {
		return uint64(s)
	}
	return math.MaxInt64
}

// countTrees sets the counts of trees by their roots and by what holds them.
func countTrees(trees []tree) {
	for i := range trees {
		trees[i].count = trees[i].roots
	}
	for i := len(trees) - 1; i >= 0; i-- {
		t := &trees[i]
		for _, lane := range t.lanes {
			for _, p := range lane {
				if p.child >= 0 {
					c := &trees[p.child].count
					*c = pathprof.AddSat(*c, pathprof.MulSat(t.count, p.times))
				}
			}
		}
	}
}

// entriesOf are the trees with means in place of sums.
func entriesOf(trees []tree) []Execution {
	entries := make([]Execution, len(trees))
	for i := range trees {
		t := &trees[i]
		e := &entries[i]
		*e = Execution{Region: t.region, Construct: t.construct, Loop: t.loop, OfTasks: t.ofTasks, Count: t.count}
		for _, lane := range t.lanes {
			parts := make([]ExecutionPart, len(lane))
			for k, p := range lane {
				parts[k] = ExecutionPart{Entry: p.child, Times: p.times, Work: make([]float64, len(p.sum))}
				for j, s := range p.sum {
					parts[k].Work[j] = float64(s) / (float64(t.count) * float64(p.times))
				}
			}
			e.Lanes = append(e.Lanes, parts)
		}
	}
	return entries
}

// executionsOf arranges trees as executions in the one order of equal content. The header
// tells kinds and vectors.
func executionsOf(trees []tree, header Executions) *Executions {
	x := &header
	if x.Entries, x.Roots = nil, nil; len(trees) == 0 {
		return nil
	}
	heights, entries := heights(trees), entriesOf(trees)
	order, place := make([]int, len(trees)), make([]int, len(trees))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(heights[a], heights[b]) })
	for from := 0; from < len(order); { // those of a height, whose children have their places
		to := from
		for ; to < len(order) && heights[order[to]] == heights[order[from]]; to++ {
			for _, lane := range entries[order[to]].Lanes {
				for k := range lane {
					if lane[k].Entry >= 0 {
						lane[k].Entry = place[lane[k].Entry]
					}
				}
			}
		}
		slices.SortFunc(order[from:to], func(a, b int) int {
			x, y := &entries[a], &entries[b]
			return cmp.Or(cmp.Compare(x.Region, y.Region), cmp.Compare(x.Construct, y.Construct), cmp.Compare(y.Count, x.Count),
				slices.CompareFunc(x.Lanes, y.Lanes, compareParts), cmp.Compare(trees[b].roots, trees[a].roots))
		})
		for ; from < to; from++ {
			place[order[from]] = from
		}
	}
	for at, i := range order {
		x.Entries = append(x.Entries, entries[i])
		if trees[i].roots > 0 {
			x.Roots = append(x.Roots, ExecutionRoot{at, trees[i].roots})
		}
	}
	return x
}

// sameWork tells whether two profiles count work alike.
func sameWork(a, b *Executions) bool {
	return slices.Equal(a.Kinds, b.Kinds) && slices.Equal(a.Weights, b.Weights) && slices.EqualFunc(a.Vectors, b.Vectors, func(f, g [][]uint32) bool {
		return slices.EqualFunc(f, g, slices.Equal[[]uint32])
	})
}

// mergeExecutions adds up those of several bundles. Bundles that count work in other ways
// than most of them are left out, and told; the result does not depend on the order but
// for which of equally many that is.
func mergeExecutions(bundles []*Bundle) (x *Executions, leftOut int, err error) {
	var header *Executions
	var most int
	for _, b := range bundles {
		n := 0
		for _, c := range bundles {
			if b.Executions != nil && c.Executions != nil && sameWork(b.Executions, c.Executions) {
				n++
			}
		}
		if n > most {
			header, most = b.Executions, n
		}
	}
	if header == nil {
		return nil, 0, nil
	}
	var trees []tree
	grid, depth, used := finerGrid, 0, 0
	for _, b := range bundles {
		switch {
		case b.Executions == nil:
			continue
		case !sameWork(b.Executions, header):
			leftOut++
			continue
		}
		used++
		base := len(trees)
		for _, t := range b.Executions.trees() {
			for _, lane := range t.lanes {
				for k := range lane {
					if lane[k].child >= 0 {
						lane[k].child += base
					}
				}
			}
			trees = append(trees, t)
		}
		grid = min(grid, b.Executions.Grid)
		if d := b.Executions.Depth; d > 0 && (depth == 0 || d < depth) {
			depth = d
		}
	}
	if used == 1 {
		return header, leftOut, nil
	}
	if tooMuchWork(trees) {
		return nil, leftOut, fmt.Errorf("work of sections: %w", ErrTooMany)
	}
	f := plantWithin(trees, header.Weights, finerIn(bundles[0].Program), grid, depth)
	out := *header
	out.Grid, out.Depth = f.grid, f.depth
	return executionsOf(f.trees, out), leftOut, nil
}

// tooMuchWork reports trees whose work adds up to more than counts hold, so that what they
// are joined to would hold less than all of it.
func tooMuchWork(trees []tree) bool {
	all := sum{left: MostCounted}
	for i := range trees {
		for _, lane := range trees[i].lanes {
			for k := range lane {
				for _, s := range lane[k].sum {
					all.add(s)
				}
			}
		}
	}
	return all.over
}
