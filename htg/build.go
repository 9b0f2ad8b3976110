package htg

// This file builds the graphs of a function, level by level.

import (
	"fmt"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// Build builds the task graphs of f, whose control flow is c, a function of p. It
// fails only when the marks name regions or sections that p does not have; regions
// that cannot be delimited become serial code and a warning.
func Build(f *ir.Func, c *flow.CFG, p *ir.Program) (*Graphs, error) {
	if err := checkMarks(f, p); err != nil {
		return nil, err
	}
	x := newContexts(f, c, p)
	g := &Graphs{Func: f, CFG: c, Warnings: x.warnings}
	g.instances(x)
	names := newNamer(f)
	for level := range len(c.Loops) + 1 {
		g.Levels = append(g.Levels, buildLevel(g, x, p, level, names))
	}
	return g, nil
}

func checkMarks(f *ir.Func, p *ir.Program) error {
	for _, b := range f.Blocks {
		m := b.Mark
		if m == nil {
			continue
		}
		if m.Region < 0 || m.Region >= len(p.Regions) {
			return fmt.Errorf("htg: function %s, block %s: mark of region %d of %d", f.Name, b.Name, m.Region, len(p.Regions))
		}
		if m.Kind == ir.RegionBegin || m.Kind == ir.RegionEnd {
			continue
		}
		r := &p.Regions[m.Region]
		if m.Construct < 0 || m.Construct >= len(r.Constructs) || m.Section < 0 || m.Section >= len(r.Constructs[m.Construct].Sections) {
			return fmt.Errorf("htg: function %s, block %s: region %s has no section %d of construct %d", f.Name, b.Name, r.Name, m.Section, m.Construct)
		}
	}
	return nil
}

// instances numbers the regions that were found. Contexts were opened in topological
// order, so that the numbers are by first block.
func (g *Graphs) instances(x *contexts) {
	for i := range x.tree {
		c := &x.tree[i]
		if c.parent < 0 {
			continue
		}
		outer := x.tree[c.parent].instance
		if c.isSection() {
			c.instance = outer
			continue
		}
		c.instance = len(g.Instances)
		g.Instances = append(g.Instances, Instance{
			Region: c.mark.Region, Begin: c.begin, Level: g.CFG.LoopOf[c.begin] + 1, Outer: outer,
		})
	}
}

// item is an own block of a level (>= 0), or a loop directly in it (-1-loop).
type item int

func loopItem(l int) item { return item(-1 - l) }

func (i item) loop() int {
	if i >= 0 {
		return -1
	}
	return int(-1 - i)
}

// element is an item or, when context is not 0, a region or section opened here.
type element struct {
	item    item
	context int
}

// levelBuilder builds the graph of one level.
type levelBuilder struct {
	f     *ir.Func
	c     *flow.CFG
	p     *ir.Program
	x     *contexts
	graph *Graph
	names *namer
	all   *Graphs
	// elements[context] lists what lies directly in a context, by the position of its
	// first block: a topological order in which regions and sections are contiguous,
	// as each is entered at its first block only.
	elements map[int][]element
}

func buildLevel(all *Graphs, x *contexts, p *ir.Program, level int, names *namer) *Graph {
	b := &levelBuilder{f: all.Func, c: all.CFG, p: p, x: x, names: names, all: all}
	g := &Graph{Level: level, Inside: -1, taskOf: make([]int, len(all.Func.Blocks)), loops: make([]int, len(all.CFG.Loops))}
	b.graph = g
	for i := range g.taskOf {
		g.taskOf[i] = -1
	}
	for i := range g.loops {
		g.loops[i] = -1
	}
	base := 0
	if level > 0 {
		base = x.in[b.c.Loops[level-1].Header]
		section := base
		for section != 0 && !x.tree[section].isSection() {
			section = x.tree[section].parent
		}
		g.Inside = x.tree[section].instance
	}
	b.collect(level-1, base)
	b.addTask(Task{Kind: Entry, Name: "entry", Label: "Entry"})
	s := &series{b: b, group: -1, section: -1}
	s.expand(base)
	s.finish()
	g.Series = s.stages
	b.addTask(Task{Kind: Exit, Name: "exit", Label: "Exit"})
	b.link()
	return g
}

// collect distributes the items of a level over the contexts.
func (b *levelBuilder) collect(loop, base int) {
	b.elements = map[int][]element{}
	blocks := b.c.Order
	if loop >= 0 {
		blocks = b.c.Loops[loop].Blocks
	}
	known := map[int]bool{base: true}
	var open func(context int)
	open = func(context int) {
		if known[context] {
			return
		}
		known[context] = true
		up := b.x.tree[context].parent
		open(up)
		b.elements[up] = append(b.elements[up], element{context: context})
	}
	seen := -1 // the last child loop met; a loop's blocks are consecutive
	for _, blk := range blocks {
		inner := b.c.LoopOf[blk]
		if inner == loop {
			at := b.within(b.x.of[blk], blk)
			open(at)
			b.elements[at] = append(b.elements[at], element{item: item(blk)})
			continue
		}
		for b.c.Loops[inner].Parent != loop {
			inner = b.c.Loops[inner].Parent
		}
		if inner == seen {
			continue
		}
		seen = inner
		at := b.within(b.x.in[b.c.Loops[inner].Header], b.c.Loops[inner].Header)
		open(at)
		b.elements[at] = append(b.elements[at], element{item: loopItem(inner)})
	}
}

// within returns the innermost context around block blk that does not lie in a loop
// that the block is outside of: an abort in a section in a loop belongs to what is
// around the loop, as it is never followed by another iteration.
func (b *levelBuilder) within(context, blk int) int {
	for context != 0 && !b.c.InLoop(b.c.LoopOf[b.x.tree[context].begin], blk) {
		context = b.x.tree[context].parent
	}
	return context
}

func (b *levelBuilder) addTask(t Task) int {
	t.Index = len(b.graph.Tasks)
	if t.Kind == Entry || t.Kind == Exit {
		t.Loop, t.Group, t.Section = -1, -1, -1
	}
	for _, blk := range t.Blocks {
		b.graph.taskOf[blk] = t.Index
	}
	if t.Loop >= 0 {
		b.graph.loops[t.Loop] = t.Index
	}
	b.graph.Tasks = append(b.graph.Tasks, t)
	return t.Index
}

// link adds the precedences.
func (b *levelBuilder) link() {
	g := b.graph
	exit := len(g.Tasks) - 1
	for _, t := range b.chain([]int{0}, g.Series) {
		b.edge(t, exit)
	}
}

// chain orders the stages of a series after the tasks in preds and returns the tasks
// that end it.
func (b *levelBuilder) chain(preds []int, stages []Stage) []int {
	for i, st := range stages {
		if st.Task >= 0 {
			for _, p := range preds {
				b.edge(p, st.Task)
			}
			if i > 0 && stages[i-1].Task < 0 {
				b.graph.Groups[stages[i-1].Group].Join = st.Task
			}
			preds = []int{st.Task}
			continue
		}
		var ends []int
		for i := range b.graph.Groups[st.Group].Sections {
			ends = append(ends, b.chain(preds, b.graph.Groups[st.Group].Sections[i].Series)...)
		}
		preds = ends
	}
	return preds
}

func (b *levelBuilder) edge(from, to int) {
	b.graph.Tasks[from].Succs = append(b.graph.Tasks[from].Succs, to)
	b.graph.Tasks[to].Preds = append(b.graph.Tasks[to].Preds, from)
}
