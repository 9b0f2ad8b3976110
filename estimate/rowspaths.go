package estimate

// This file makes the rows of the path-based technique: a row for each way in which paths
// execute a construct (Lattuada, Pilato and Ferrandi, section 5.2). Paths tell of loops and
// functions inside a section how often they are executed on average; constructs in those
// are sets of rows, by how often paths of their level execute each.

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"pathspan/estimate/recursion"
	"pathspan/estimate/table"
	"pathspan/htg"
	"pathspan/ir"
	"pathspan/mapping"
)

// rowMaker makes a table of paths, or of their averages.
type rowMaker struct {
	e       *Estimator
	in      Setting
	serial  int // kind of the serial processor, which tells how often calls are met
	average bool
	builder *table.Builder

	sections [][][]int     // by region, by construct: sections that were reached
	groups   [][]groupSets // by hot function, by level
	sets     int
	funcs    []reach     // by hot function: per call
	levels   [][]reach   // by hot function, by level: per entry
	parts    [][][]reach // by hot function, by level, by row: of a partial traversal
	members  []int       // hot functions of the recursion under way
}

// groupSets numbers the sets of a level: those of its paths, by group, then those of each
// of its partial traversals. Groups within groups have none: rows hold what they do.
type groupSets struct {
	groups []int // that lie in no other
	first  int
}

// of returns the set of the nth group in row -1, which is all paths, or in a traversal.
func (s *groupSets) of(row, n int) int { return s.first + (1+row)*len(s.groups) + n }

// reach is what code leads to: time outside of constructs, by kind, how often each set of
// rows is executed, and how often functions of the recursion that is being solved are
// called, by kind.
type reach struct {
	own   []float64
	sets  []float64
	calls [][]float64
}

func (m *rowMaker) newReach() reach {
	r := reach{own: make([]float64, len(m.e.kinds)), sets: make([]float64, m.sets)}
	for range m.e.kinds {
		r.calls = append(r.calls, make([]float64, len(m.members)))
	}
	return r
}

// add adds what w executions lead to; weights are by kind.
func (m *rowMaker) add(r, x *reach, w func(kind int) float64) {
	for k := range r.own {
		by := w(k)
		r.own[k] += by * x.own[k]
		for i, c := range x.calls[k] {
			r.calls[k][i] += by * c
		}
	}
	by := w(m.serial)
	for s, n := range x.sets {
		r.sets[s] += by * n
	}
}

// rowsOfPaths makes the table of the path-based technique, or, as averages, of average
// times: a row for each construct of a level.
func (e *Estimator) rowsOfPaths(in Setting, average bool) (*table.Table, error) {
	regions := e.Bundle.Program.Regions
	m := &rowMaker{e: e, in: in, serial: e.kindOf[in.Serial], average: average, builder: table.NewBuilder(e.machine(false, in), len(regions))}
	root := e.hotOf[e.Root]
	if root < 0 {
		return m.builder.Table(e.serial[e.Root].levels[0])
	}
	m.number()
	if err := m.follow(); err != nil {
		return nil, err
	}
	m.rows()
	for set, times := range m.funcs[root].sets {
		m.builder.RootSet(set, times)
	}
	t, err := m.builder.Table(m.funcs[root].own)
	return t, e.named(err)
}

// machine tells tables of the platform, and of streaks where rows know them.
func (e *Estimator) machine(streaks bool, in Setting) table.Machine {
	m := table.Machine{KindOf: e.kindOf, Kinds: len(e.kinds)}
	for p := range e.kindOf {
		f := e.factor[e.kindOf[p]]
		m.Create, m.Sync = append(m.Create, e.Overheads[p].Create*f), append(m.Sync, e.Overheads[p].Sync*f)
		o := &e.Platform.Other
		m.Fork, m.Join = append(m.Fork, o.Fork.Cycles*f), append(m.Join, o.Join.Cycles*f)
		m.Dispatch, m.Barrier = append(m.Dispatch, o.Dispatch.Cycles*f), append(m.Barrier, o.Barrier.Cycles*f)
		m.Lock, m.Reduction = append(m.Lock, o.Lock.Cycles*f), append(m.Reduction, o.Reduction.Cycles*f)
		m.Atomic = append(m.Atomic, o.Atomic.Cycles*f)
		m.TeamOfOne = append(m.TeamOfOne, o.TeamOfOne.Cycles*f)
		m.Undeferred = append(m.Undeferred, o.Undeferred.Cycles*f)
		m.Task, m.Steal = append(m.Task, o.Task.Cycles*f), append(m.Steal, o.Steal.Cycles*f)
	}
	for _, t := range e.Bundle.Program.Tasks {
		m.Untied = append(m.Untied, t.Untied)
	}
	for _, r := range e.Bundle.Program.Regions {
		m.Singles = append(m.Singles, slices.ContainsFunc(r.Constructs, func(c ir.Construct) bool { return c.Single }))
	}
	m.Pipelines = e.Bundle.Program.Pipelines
	for i := range e.Bundle.Program.Pipelines {
		if m.Stages == nil {
			m.Stages = make([]bool, len(e.Bundle.Program.Tasks))
		}
		for _, s := range e.Bundle.Program.Pipelines[i].Stages {
			m.Stages[s.Task] = true
		}
	}
	for i := range e.Bundle.Program.Regions {
		r := &e.Bundle.Program.Regions[i]
		edges, all := make([]table.Edges, len(r.Constructs)), make([][]int, len(r.Constructs))
		for c := range edges {
			end := c
			if first, n := r.Together(c); streaks && n > 1 {
				end = first + n - 1
				if c == first {
					for _, of := range r.Constructs[first : first+n] {
						all[c] = append(all[c], len(of.Sections))
					}
				}
			}
			last := end == len(edges)-1
			edges[c] = table.Edges{Fork: c == 0, Join: last, Barrier: !last && !r.Constructs[end].NoWait}
			for _, of := range r.Constructs[c : end+1] {
				if of.Reduces {
					edges[c].Reductions++
				}
			}
		}
		m.Edges, m.Streaks = append(m.Edges, edges), append(m.Streaks, all)
	}
	e.transfers(&m, streaks, in)
	m.Links = e.links()
	return m
}

// number makes a set for each group of each level that is reached, and finds the sections
// of constructs.
func (m *rowMaker) number() {
	for _, r := range m.e.Bundle.Program.Regions {
		m.sections = append(m.sections, make([][]int, len(r.Constructs)))
	}
	for _, h := range m.e.hot {
		sets := make([]groupSets, len(h.levels))
		m.levels = append(m.levels, make([]reach, len(h.levels)))
		parts := make([][]reach, len(h.levels))
		for l := range h.levels {
			hl := &h.levels[l]
			if !hl.on {
				continue
			}
			parts[l] = make([]reach, hl.parts.rows)
			sets[l].first = m.sets
			for g := range hl.graph.Groups {
				gr := &hl.graph.Groups[g]
				if gr.Parent < 0 {
					sets[l].groups = append(sets[l].groups, g)
				}
				at := &m.sections[gr.Region][gr.Construct]
				for i := range gr.Sections {
					if s := gr.Sections[i].Section; !slices.Contains(*at, s) {
						*at = append(*at, s)
					}
				}
			}
			m.sets += len(sets[l].groups) * (1 + hl.parts.rows)
		}
		m.groups, m.parts = append(m.groups, sets), append(m.parts, parts)
	}
	for range m.sets {
		m.builder.Set(table.Set{})
	}
	m.funcs = make([]reach, len(m.e.hot))
}

// follow finds what functions, levels and partial traversals lead to, callees first.
func (m *rowMaker) follow() error {
	for i := 0; i < len(m.e.hot); {
		j := i + 1
		for j < len(m.e.hot) && m.e.scc[m.e.hot[j].fn] == m.e.scc[m.e.hot[i].fn] {
			j++
		}
		m.members = nil
		if m.e.hot[i].cyclic {
			for h := i; h < j; h++ {
				m.members = append(m.members, h)
			}
			for at, h := range m.members { // itself, until it is known
				m.funcs[h] = m.newReach()
				for k := range m.e.kinds {
					m.funcs[h].calls[k][at] = 1
				}
			}
		}
		found := make([]reach, j-i)
		for h := i; h < j; h++ {
			m.function(h)
			found[h-i] = m.levels[h][0]
		}
		if err := m.settle(found); err != nil {
			return err
		}
		for h := i; h < j; h++ {
			if m.funcs[h] = found[h-i]; m.members != nil {
				m.substitute(h, found)
			}
		}
		i = j
	}
	return nil
}

// function finds what the levels of a function lead to, inner ones first.
func (m *rowMaker) function(h int) {
	f := m.e.hot[h]
	for l := len(f.levels) - 1; l >= 0; l-- {
		hl := &f.levels[l]
		if !hl.on {
			continue
		}
		for row := range m.parts[h][l] {
			r := m.newReach()
			m.serially(&r, h, hl, &hl.parts, row, 1)
			for n := range m.groups[h][l].groups {
				r.sets[m.groups[h][l].of(row, n)] = 1
			}
			m.parts[h][l][row] = r
		}
		r := m.newReach()
		m.serially(&r, h, hl, &hl.sum, 0, 1/hl.denom)
		total := 0.0
		for _, n := range hl.count {
			total += n
		}
		for n := range m.groups[h][l].groups {
			r.sets[m.groups[h][l].of(-1, n)] = total / hl.denom
		}
		for _, o := range hl.orphans {
			each := func(int) float64 { return 1 / hl.denom }
			if f.levels[o].on {
				m.add(&r, &m.levels[h][o], each)
				continue
			}
			for k := range r.own {
				r.own[k] += m.e.serial[f.fn].levels[o][k] / hl.denom
			}
		}
		m.levels[h][l] = r
	}
}

// serially adds what the tasks of a row outside of its groups lead to.
func (m *rowMaker) serially(r *reach, h int, hl *hotLevel, t *costTable, row int, w float64) {
	for task := range t.tasks {
		if hl.graph.Tasks[task].Group >= 0 {
			continue
		}
		cell := row*t.tasks + task
		for k := range r.own {
			r.own[k] += w * t.base[k][cell]
		}
		for n := t.first[cell]; n < t.first[cell+1]; n++ {
			m.add(r, m.of(h, hl.deps[t.deps[n]]), func(kind int) float64 { return w * t.weight[kind][n] })
		}
	}
}

// of returns what a value that tasks depend on leads to.
func (m *rowMaker) of(h int, d dep) *reach {
	switch {
	case d.hot >= 0:
		return &m.funcs[d.hot]
	case d.part < 0:
		return &m.levels[h][d.level]
	}
	return &m.parts[h][d.level][d.part]
}

// settle solves what functions of a recursion lead to: x = C*x + o, by kind.
func (m *rowMaker) settle(found []reach) error {
	n := len(m.members)
	if n == 0 {
		return nil
	}
	solved := make([]reach, n)
	members := m.members
	m.members = nil
	for i := range solved {
		solved[i] = m.newReach()
	}
	m.members = members
	for k := range m.e.kinds {
		c := mat.NewDense(n, n, nil)
		width := 1
		if k == m.serial {
			width += m.sets
		}
		o := mat.NewDense(n, width, nil)
		for i := range found {
			c.SetRow(i, found[i].calls[k])
			o.Set(i, 0, found[i].own[k])
			for s := 1; s < width; s++ {
				o.Set(i, s, found[i].sets[s-1])
			}
		}
		x, ok := recursion.Linear(c, o)
		if !ok {
			return m.e.endless(m.functions())
		}
		for i := range solved {
			solved[i].own[k] = x.At(i, 0)
			for s := 1; s < width; s++ {
				solved[i].sets[s-1] = x.At(i, s)
			}
		}
	}
	copy(found, solved)
	return nil
}

func (m *rowMaker) functions() []int {
	var out []int
	for _, h := range m.members {
		out = append(out, m.e.hot[h].fn)
	}
	slices.Sort(out)
	return out
}

// substitute puts what the functions of a recursion lead to in place of their calls.
func (m *rowMaker) substitute(h int, found []reach) {
	put := func(r *reach) {
		calls := r.calls
		r.calls = make([][]float64, len(m.e.kinds))
		for i := range found {
			m.add(r, &found[i], func(kind int) float64 { return calls[kind][i] })
		}
	}
	for l := range m.levels[h] {
		if m.e.hot[h].levels[l].on {
			put(&m.levels[h][l])
			for row := range m.parts[h][l] {
				put(&m.parts[h][l][row])
			}
		}
	}
}

// rows fills the sets.
func (m *rowMaker) rows() {
	for h, f := range m.e.hot {
		for l := range f.levels {
			hl := &f.levels[l]
			if !hl.on {
				continue
			}
			total := 0.0
			for _, n := range hl.count {
				total += n
			}
			for n, g := range m.groups[h][l].groups {
				gr, set := &hl.graph.Groups[g], &m.groups[h][l]
				if !m.average {
					m.builder.Fill(set.of(-1, n), m.distribution(h, hl, gr, total))
					for row := range hl.parts.rows {
						m.builder.Fill(set.of(row, n), table.One(m.group(h, hl, &hl.parts, row, gr, 1, func(g int) float64 { return oneIf(hl.partRuns[row*hl.groups+g]) })))
					}
					continue
				}
				m.builder.Fill(set.of(-1, n), table.One(m.group(h, hl, &hl.sum, 0, gr, 1/max(total, 1), func(g int) float64 { return hl.groupRuns[g] / max(total, 1) })))
				for row := range hl.parts.rows {
					m.builder.Fill(set.of(row, n), table.One(m.group(h, hl, &hl.partSum, 0, gr, 1/hl.partCount, func(g int) float64 { return hl.partGroup[g] / hl.partCount })))
				}
			}
		}
	}
}

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// distribution is the set of a group, by paths of its level.
func (m *rowMaker) distribution(h int, hl *hotLevel, g *htg.Group, total float64) table.Set {
	var s table.Set
	at := map[int]int{}
	for c, n := range hl.count {
		x := m.group(h, hl, &hl.class, c, g, 1, func(g int) float64 { return oneIf(hl.runs[c*hl.groups+g]) })
		i, ok := at[x]
		if !ok {
			i = len(s.Executions)
			at[x] = i
			s.Executions, s.Shares = append(s.Executions, x), append(s.Shares, 0)
		}
		s.Shares[i] += n / total
	}
	if len(s.Executions) == 0 { // a level without paths, whose total is another's
		return table.One(m.builder.Execution(g.Region, g.Construct, 0, nil))
	}
	return s
}

// group adds the execution of a group in a row; w scales its times.
func (m *rowMaker) group(h int, hl *hotLevel, t *costTable, row int, g *htg.Group, w float64, runs func(group int) float64) int {
	lanes := make([][]table.Part, len(m.e.Bundle.Program.Regions[g.Region].Constructs[g.Construct].Sections))
	for _, s := range m.sections[g.Region][g.Construct] {
		lane := &laneMaker{m: m, w: w, own: make([]float64, len(m.e.kinds))}
		if i := slices.IndexFunc(g.Sections, func(x htg.Section) bool { return x.Section == s }); i >= 0 {
			lane.series(h, hl, t, row, g.Sections[i].Series, runs)
		}
		lanes[s] = lane.end()
	}
	if l := m.in.loop(g.Region, g.Construct); l != nil && lanes[0] != nil {
		if n := m.e.iterations(g.Region, g.Construct); m.in.divided && n > 0 {
			l = &sharing{LoopMap: &mapping.LoopMap{Threads: min(n, divisions)}}
			lanes = append(lanes, make([][]table.Part, max(0, l.Threads-len(lanes)))...)
		}
		asks := 0.0
		if n := m.e.iterations(g.Region, g.Construct); n > 0 && !m.in.divided {
			asks = w * runs(g.Index) * float64(l.Schedule.Chunks(int64(n), l.Threads)) / float64(l.Threads)
		}
		lanes = evenly(lanes, l, asks)
	}
	return m.builder.Execution(g.Region, g.Construct, runs(g.Index), lanes)
}

// laneMaker makes the parts of a section.
type laneMaker struct {
	m     *rowMaker
	w     float64
	own   []float64
	parts []table.Part
}

func (l *laneMaker) series(h int, hl *hotLevel, t *costTable, row int, stages []htg.Stage, runs func(group int) float64) {
	for _, st := range stages {
		if st.Task >= 0 {
			l.task(h, hl, t, row, st.Task)
			continue
		}
		g := &hl.graph.Groups[st.Group]
		l.inside(l.m.builder.Only(l.m.group(h, hl, t, row, g, l.w, runs)), 1)
	}
}

func (l *laneMaker) task(h int, hl *hotLevel, t *costTable, row, task int) {
	cell := row*t.tasks + task
	for k := range l.own {
		l.own[k] += l.w * t.base[k][cell]
	}
	for n := t.first[cell]; n < t.first[cell+1]; n++ {
		r := l.m.of(h, hl.deps[t.deps[n]])
		for k := range l.own {
			l.own[k] += l.w * t.weight[k][n] * r.own[k]
		}
		for s, times := range r.sets {
			if x := l.w * t.weight[l.m.serial][n] * times; x > 0 {
				l.inside(s, x)
			}
		}
	}
}

// inside adds executions of a set behind the time so far.
func (l *laneMaker) inside(set int, times float64) {
	nothing := make([]float64, len(l.own))
	l.parts = append(l.parts, table.Part{Own: l.own, Set: -1}, table.Part{Own: nothing, Set: set, Times: times})
	l.own = make([]float64, len(l.own))
}

func (l *laneMaker) end() []table.Part {
	if len(l.parts) == 0 || slices.Max(l.own) > 0 {
		l.parts = append(l.parts, table.Part{Own: l.own, Set: -1})
	}
	return l.parts
}

// named says which function an endless recursion of a table is in.
func (e *Estimator) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("estimate: %s", strings.TrimPrefix(err.Error(), "table: "))
}
