package estimate

// This file gives the intermediate values of one level: the tables of Appendix A.

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/htg"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/profile"
)

// Explanation holds the values by which the path-based technique comes to the value
// of one level, of a function called on the serial processor outside all regions.
// Times are in cycles of the serial processor. Slices are indexed by block, region or
// path first, then task, in the order of Blocks, Regions, Paths and Tasks.
type Explanation struct {
	Function   string           `json:"function"`
	Level      int              `json:"level"`
	Loop       string           `json:"loop,omitempty"` // place of the loop's header
	Tasks      []ExplainedTask  `json:"tasks"`
	Blocks     []ExplainedBlock `json:"blocks"`
	Regions    []string         `json:"regions"` // control dependence regions of the blocks and paths
	Paths      []ExplainedPath  `json:"paths"`
	BC         [][]float64      `json:"bc"`             // eq. 3, called functions included
	BCBar      [][]float64      `json:"bc_bar"`         // eq. 4
	CC         [][]float64      `json:"cc"`             // eq. 5
	TPC        [][]float64      `json:"tpc"`            // summed over the blocks of the path
	ByRegions  [][]float64      `json:"tpc_by_regions"` // eq. 6: summed over its regions
	TPCBar     [][]float64      `json:"tpc_bar"`        // eq. 7
	Start      [][]float64      `json:"start"`          // eq. 8
	Stop       [][]float64      `json:"stop"`           // eq. 9
	PC         []float64        `json:"pc"`             // eq. 10
	Entries    float64          `json:"entries"`        // of the loop, or invocations of the function
	Iterations float64          `json:"iterations"`     // per entry, N_l of eq. 2; 1 for a function
	HTC        float64          `json:"htc"`            // eq. 11, per entry
	// Differences counts the cells in which TPC and ByRegions differ: paths that are
	// cut, and the last traversals of loops, may run through part of a region's blocks
	// only, and sections in a last traversal overlap; and BC, unlike TPC, does not know
	// the block that another is entered from. Estimates rest on TPC.
	Differences int `json:"differences"`

	predecessors bool // some costs depend on the block before
}

// ExplainedTask is a column of the tables.
type ExplainedTask struct {
	Label     string `json:"label"`
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Processor string `json:"processor"`
}

// ExplainedBlock is a row of BC and BCBar.
type ExplainedBlock struct {
	Index  int    `json:"index"`
	Name   string `json:"name"`
	Line   int    `json:"line"`
	Region string `json:"region"`
}

// ExplainedPath is a row of TPC and what follows.
type ExplainedPath struct {
	ID    uint64          `json:"id"`
	Count uint64          `json:"count"`
	Steps []pathprof.Step `json:"steps"`
	Text  string          `json:"text"`
	CRP   []string        `json:"crp"` // eq. 1
}

// Explain explains a level of a function, which must have run.
func (e *Estimator) Explain(m *mapping.Resolved, fn string, level int) (*Explanation, error) {
	if err := e.fits(m); err != nil {
		return nil, err
	}
	var f *function
	for i, g := range e.funcs {
		if e.Bundle.Program.Funcs[i].Name == fn {
			if f = g; f == nil {
				return nil, fmt.Errorf("function %s never ran: nothing to explain", fn)
			}
		}
	}
	switch {
	case f == nil:
		return nil, fmt.Errorf("function %s does not exist: name one that the program defines", fn)
	case level < 0 || level >= len(f.prof.Levels):
		return nil, fmt.Errorf("function %s has no level %d: want 0 to %d", fn, level, len(f.prof.Levels)-1)
	}
	v := e.pool.Get().(*evaluator)
	defer e.pool.Put(v)
	v.reset(m, PathBased)
	if v.of(f.index, 0); v.err != nil {
		return nil, v.err
	}
	x := e.explainer(v, f)
	x.level = level
	return x.explain(), v.err
}

// explainer returns one for a function that ran, whose value in the context that prepare
// is given is known to the evaluator.
func (e *Estimator) explainer(v *evaluator, f *function) *explainer {
	return &explainer{v: v, e: e, f: f, unit: 1 / e.factor[e.kindOf[v.m.Serial]]}
}

type explainer struct {
	v       *evaluator
	e       *Estimator
	f       *function
	level   int
	unit    float64  // cycles of the serial processor in one of processor 0
	hot     *hotFunc // nil when the function reaches no region
	state   *funcState
	at      []context // by level: where it runs
	loops   []float64 // by level: value of one entry
	out     *Explanation
	rows    []int // by block: row in Blocks, -1
	regions []int // by region: row in Regions, -1
}

func (x *explainer) explain() *Explanation {
	graph := x.f.graphs.Levels[x.level]
	x.out = &Explanation{Function: x.f.fn.Name, Level: x.level, Iterations: 1, predecessors: x.e.after}
	if x.level > 0 {
		x.out.Loop = x.e.place(x.f.fn.Blocks[x.f.cfg.Loops[x.level-1].Header])
	}
	x.prepare(0)
	for i := range graph.Tasks {
		t := &graph.Tasks[i]
		x.out.Tasks = append(x.out.Tasks, ExplainedTask{
			Label: t.Label, Name: t.Name, Kind: t.Kind.String(),
			Processor: x.e.Platform.Processors[x.v.processor(x.context(x.level, i))].Name,
		})
	}
	x.blocks(graph)
	for i := range x.f.prof.Levels[x.level].Paths {
		x.path(&x.f.prof.Levels[x.level].Paths[i])
	}
	x.total()
	return x.out
}

// prepare evaluates the function anew in a context and notes where its levels run.
func (x *explainer) prepare(c context) {
	n := len(x.f.prof.Levels)
	x.at, x.loops = make([]context, n), make([]float64, n)
	x.at[0] = c
	if h := x.e.hotOf[x.f.index]; h >= 0 {
		x.v.function(h, c)
		x.hot, x.state = x.e.hot[h], &x.v.funcs[h]
	}
	for l := range n {
		if up := x.f.parents[l]; up >= 0 {
			x.at[l] = x.context(up, x.f.graphs.LoopTask(up, l-1))
		}
		x.loops[l] = x.v.e.constants(x.v.technique)[x.f.index].levels[l][x.v.kind(x.at[l])]
		if x.planned(l) {
			x.loops[l] = x.state.levels[l].value
		}
	}
}

// planned reports whether a level has a schedule, rather than all its tasks in place.
func (x *explainer) planned(l int) bool {
	return x.hot != nil && x.hot.levels[l].on && (x.at[l] == 0 || x.hot.levels[l].regions.Intersects(x.v.explicit))
}

// context returns where a task of a level runs.
func (x *explainer) context(level, task int) context {
	if x.planned(level) {
		return x.state.levels[level].tasks[task]
	}
	return x.at[level]
}

// blockCost returns BC of a block in a task, entered from a block or nowhere: its own
// cycles and its callees'.
func (x *explainer) blockCost(block, level, task, from int) float64 {
	c := x.context(level, task)
	k := x.v.kind(c)
	sum := x.e.cost(k, x.f.index, block, from)
	for _, call := range x.f.calls[block] {
		if !x.e.included(k, x.f.index, block, call.instr) {
			sum += call.share * x.v.of(call.callee, c)
		}
	}
	return sum * x.unit
}

// blocks fills BC, BCBar and CC. A block of a loop in the level has a contribution
// when the loop's last traversal, which the level's paths hold, can pass it.
func (x *explainer) blocks(graph *htg.Graph) {
	o, c := x.out, x.f.cfg
	x.rows, x.regions = make([]int, len(x.f.fn.Blocks)), make([]int, len(c.Regions))
	for i := range x.regions {
		x.regions[i] = -1
	}
	passed := x.partial()
	for b := range x.f.fn.Blocks {
		x.rows[b] = -1
		if !c.Reachable[b] || !c.InLoop(x.level-1, b) {
			continue
		}
		t := x.f.taskOf(x.level, pathprof.Step(b))
		bc, bar := make([]float64, len(graph.Tasks)), make([]float64, len(graph.Tasks))
		if passed[b] {
			bc[t] = x.blockCost(b, x.level, t, nowhere)
		}
		bar[t] = bc[t]
		if l := c.LoopOf[b]; l >= 0 && l != x.level-1 && c.Loops[l].Header == b && (passed[b] || c.Loops[l].Parent == x.level-1) {
			bar[t] += x.loops[l+1] * x.unit
		}
		x.rows[b] = len(o.Blocks)
		o.Blocks = append(o.Blocks, ExplainedBlock{Index: b, Name: x.f.fn.Blocks[b].Name, Line: x.line(b), Region: c.Regions[c.RegionOf[b]].Name})
		o.BC, o.BCBar = append(o.BC, bc), append(o.BCBar, bar)
		x.region(c.RegionOf[b])
	}
	if x.level == 0 {
		x.region(0)
	}
	var order []int
	for r, at := range x.regions {
		if at >= 0 {
			x.regions[r] = len(order)
			order = append(order, r)
			o.Regions = append(o.Regions, c.Regions[r].Name)
			o.CC = append(o.CC, make([]float64, len(graph.Tasks)))
		}
	}
	for b, row := range x.rows {
		if row >= 0 {
			for t, v := range o.BCBar[row] {
				o.CC[x.regions[c.RegionOf[b]]][t] += v
			}
		}
	}
}

func (x *explainer) region(r int) { x.regions[r] = 0 }

func (x *explainer) line(b int) int {
	for i := range x.f.fn.Blocks[b].Instrs {
		if l := x.f.fn.Blocks[b].Instrs[i].Loc.Line; l > 0 {
			return l
		}
	}
	return 0
}

// partial marks the blocks that paths of the level may hold: its own, and those from
// which a loop in it can be left without a back edge, unless the loop counts its
// partial traversals itself.
func (x *explainer) partial() []bool {
	c := x.f.cfg
	on := make([]bool, len(c.Succs))
	for i := len(c.Order) - 1; i >= 0; i-- {
		b := c.Order[i]
		l := c.LoopOf[b]
		if l == x.level-1 {
			on[b] = true
			continue
		}
		if !c.InLoop(x.level-1, b) || x.collapsed(l) {
			continue
		}
		for k, t := range c.Succs[b] {
			if !x.backEdge(b, k) && (!c.InLoop(x.outermost(l), t) || on[t]) {
				on[b] = true
			}
		}
	}
	return on
}

func (x *explainer) backEdge(b, k int) bool {
	t := x.f.cfg.Succs[b][k]
	return x.f.cfg.Pos[t] <= x.f.cfg.Pos[b]
}

// outermost returns the loop directly in the level that holds loop l.
func (x *explainer) outermost(l int) int {
	for x.f.cfg.Loops[l].Parent != x.level-1 {
		l = x.f.cfg.Loops[l].Parent
	}
	return l
}

func (x *explainer) collapsed(l int) bool {
	for ; l != x.level-1; l = x.f.cfg.Loops[l].Parent {
		if x.f.prof.Levels[l+1].Collapsed {
			return true
		}
	}
	return false
}

// path fills the rows of one path.
func (x *explainer) path(p *profile.Path) {
	o, c := x.out, x.f.cfg
	crp := make([]bool, len(o.Regions))
	for _, s := range p.Steps {
		crp[x.regions[c.RegionOf[x.f.blockOf(s)]]] = true
	}
	if x.level == 0 && p.Steps[0] == 0 {
		crp[x.regions[0]] = true
	}
	tpc := x.tpc(x.level, p.Steps, x.f.before(x.level, p))
	byRegions := make([]float64, len(tpc))
	ep := ExplainedPath{ID: p.ID, Count: p.Count, Steps: p.Steps, Text: x.f.text(p.Steps)}
	for r, yes := range crp {
		if yes {
			ep.CRP = append(ep.CRP, o.Regions[r])
			for t, v := range o.CC[r] {
				byRegions[t] += v
			}
		}
	}
	for t := range tpc {
		if math.Abs(tpc[t]-byRegions[t]) > 1e-9*math.Max(1, tpc[t]) {
			o.Differences++
		}
	}
	bar := slices.Clone(tpc)
	start, stop := x.schedule(x.level, p.Steps, bar)
	o.Paths = append(o.Paths, ep)
	o.TPC, o.ByRegions, o.TPCBar = append(o.TPC, tpc), append(o.ByRegions, byRegions), append(o.TPCBar, bar)
	o.Start, o.Stop = append(o.Start, start), append(o.Stop, stop)
	o.PC = append(o.PC, stop[len(stop)-1])
}

// blockOf returns the block of a step, a loop's header for a loop.
func (f *function) blockOf(s pathprof.Step) int {
	if l := s.Loop(); l >= 0 {
		return f.cfg.Loops[l].Header
	}
	return int(s)
}

// text names the blocks of a path, loops by their headers.
func (f *function) text(steps []pathprof.Step) string {
	var text strings.Builder
	for i, s := range steps {
		if i > 0 {
			text.WriteByte(' ')
		}
		text.WriteString(f.fn.Blocks[f.blockOf(s)].Name)
		if s.Loop() >= 0 {
			text.WriteByte('*')
		}
	}
	return text.String()
}

// tpc returns the time of each task of a level on a path. The partial traversal of a
// loop that reaches a region is scheduled by the loop's own graph.
func (x *explainer) tpc(level int, steps []pathprof.Step, first int) []float64 {
	tpc := make([]float64, len(x.f.graphs.Levels[level].Tasks))
	for _, in := range x.f.walk(level, steps, first,
		func(t, block, from int) { tpc[t] += x.blockCost(block, level, t, from) },
		func(t, loop int) { tpc[t] += x.loops[loop+1] * x.unit },
	) {
		_, stop := x.schedule(in.loop+1, in.steps, x.tpc(in.loop+1, in.steps, in.first))
		tpc[x.f.graphs.LoopTask(level, in.loop)] += stop[len(stop)-1]
	}
	return tpc
}

// schedule adds the overheads of a path to bar and schedules its tasks.
func (x *explainer) schedule(level int, steps []pathprof.Step, bar []float64) (start, stop []float64) {
	n := len(bar)
	start, stop = make([]float64, n), make([]float64, n)
	if !x.planned(level) { // everything on one processor
		for i := range n {
			if i > 0 {
				start[i] = stop[i-1]
			}
			stop[i] = start[i] + bar[i]
		}
		return start, stop
	}
	ls := &x.state.levels[level]
	for t := range bar {
		bar[t] *= ls.share[t]
	}
	for _, v := range ls.overhead {
		if slices.Contains(steps, pathprof.Step(x.f.graphs.Levels[level].Groups[v.group].Begin)) {
			bar[v.task] += v.cycles * x.unit
		}
	}
	x.v.schedule(&x.hot.levels[level], ls, bar)
	copy(start, x.v.start)
	copy(stop, x.v.stop)
	return start, stop
}

// total fills the value of the level.
func (x *explainer) total() {
	o := x.out
	o.Entries = x.f.denom[x.level]
	if x.level > 0 {
		o.Iterations = float64(x.f.prof.Levels[x.level].Iterations()) / o.Entries
	}
	for i := range o.Paths {
		o.HTC += o.PC[i] * float64(o.Paths[i].Count)
	}
	for _, l := range x.f.orphans[x.level] {
		o.HTC += x.loops[l] * x.unit
	}
	o.HTC /= o.Entries
}
