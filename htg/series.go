package htg

// This file splits the code of a level, or of a section, into a series of tasks and
// groups.

import (
	"slices"
	"strings"

	"pathspan/ir"
)

// series collects the stages of a level (group -1) or of a section of a group.
type series struct {
	b              *levelBuilder
	group, section int
	prefix         string // of labels, "2" for what lies in Task2; "" for a level
	stages         []Stage
	stretch        []item // serial items since the last stage
	own            []int  // tasks made of the series' own code, in order
	inner          int    // sections of inner groups seen so far
}

// expand adds everything that lies in a context.
func (s *series) expand(context int) {
	if s.b.x.tree[context].isRegion() { // the level is a loop in the region
		s.region(context)
		return
	}
	for _, e := range s.b.elements[context] {
		if e.context == 0 {
			s.stretch = append(s.stretch, e.item)
		} else {
			s.region(e.context)
		}
	}
}

// region adds a region: its sections as one group a construct, in the order of each
// construct's first section; its other code as part of the stretches around.
func (s *series) region(region int) {
	x := s.b.x
	byConstruct := map[int][]int{} // contexts of sections
	for _, e := range s.b.elements[region] {
		if e.context != 0 && x.tree[e.context].isSection() {
			k := x.tree[e.context].mark.Construct
			byConstruct[k] = append(byConstruct[k], e.context)
		}
	}
	for _, e := range s.b.elements[region] {
		switch {
		case e.context == 0:
			s.stretch = append(s.stretch, e.item)
		case x.tree[e.context].isRegion():
			s.region(e.context)
		default:
			k := x.tree[e.context].mark.Construct
			if contexts := byConstruct[k]; contexts != nil {
				s.parallel(region, k, contexts)
				byConstruct[k] = nil
			}
		}
	}
}

// parallel adds the group of a construct, given the contexts of its sections.
func (s *series) parallel(region, construct int, contexts []int) {
	b := s.b
	s.flush()
	if n := len(s.stages); n == 0 || s.stages[n-1].Task < 0 {
		s.task(nil, -1) // an empty fork task
	}
	r := &b.x.tree[region]
	g := Group{
		Index: len(b.graph.Groups), Instance: r.instance, Region: r.mark.Region, Construct: construct,
		Parent: s.group, ParentSection: s.section, Fork: s.stages[len(s.stages)-1].Task, Join: -1,
		Begin: b.beginOf(region, contexts),
	}
	s.stages = append(s.stages, Stage{Task: -1, Group: g.Index})
	b.graph.Groups = append(b.graph.Groups, g)
	slices.SortStableFunc(contexts, func(i, j int) int { return b.x.tree[i].mark.Section - b.x.tree[j].mark.Section })
	var sections []Section
	for i := 0; i < len(contexts); {
		m := b.x.tree[contexts[i]].mark
		in := &series{b: b, group: g.Index, section: len(sections)}
		s.inner++
		if s.prefix == "" {
			in.prefix = b.names.unit()
		} else {
			in.prefix = s.prefix + "." + itoa(s.inner)
		}
		first := len(b.graph.Tasks)
		// Copies of one section, of which one path meets one, are one section.
		for ; i < len(contexts) && b.x.tree[contexts[i]].mark.Section == m.Section; i++ {
			in.expand(contexts[i])
		}
		in.finish()
		sec := Section{Section: m.Section, Series: in.stages}
		for t := first; t < len(b.graph.Tasks); t++ {
			sec.Tasks = append(sec.Tasks, t)
		}
		sections = append(sections, sec)
		in.name(b.p.Regions[m.Region].Constructs[construct].TaskName(m.Section))
	}
	b.graph.Groups[g.Index].Sections = sections
}

// beginOf returns the block that starts a group: that of its first section, or the
// region's where a path may meet another copy of that section.
func (b *levelBuilder) beginOf(region int, contexts []int) int {
	first := &b.x.tree[contexts[0]]
	for _, c := range contexts[1:] {
		if b.x.tree[c].mark.Section == first.mark.Section {
			return b.x.tree[region].begin
		}
	}
	return first.begin
}

// finish ends the series. A group always has a task after it, if an empty one.
func (s *series) finish() {
	s.flush()
	if n := len(s.stages); n > 0 && s.stages[n-1].Task < 0 || n == 0 && s.group >= 0 {
		s.task(nil, -1)
	}
}

// flush turns the current stretch into tasks: loops, and the code between them. Code
// that holds nothing but jumps and marks goes with the loop after it, or before it.
func (s *series) flush() {
	type piece struct {
		blocks []int
		loop   int
	}
	var pieces []piece
	for _, it := range s.stretch {
		if l := it.loop(); l >= 0 {
			if n := len(pieces); n > 0 && pieces[n-1].loop < 0 && s.idle(pieces[n-1].blocks) {
				pieces[n-1].loop = l
				continue
			}
			pieces = append(pieces, piece{loop: l})
			continue
		}
		if n := len(pieces); n == 0 || pieces[n-1].loop >= 0 {
			pieces = append(pieces, piece{loop: -1})
		}
		last := &pieces[len(pieces)-1]
		last.blocks = append(last.blocks, int(it))
	}
	if n := len(pieces); n > 1 && pieces[n-1].loop < 0 && s.idle(pieces[n-1].blocks) {
		pieces[n-2].blocks = append(pieces[n-2].blocks, pieces[n-1].blocks...)
		pieces = pieces[:n-1]
	}
	s.stretch = s.stretch[:0]
	if len(pieces) == 0 {
		return
	}
	first := len(s.own)
	for _, p := range pieces {
		s.task(p.blocks, p.loop)
	}
	if s.group < 0 {
		s.nameStretch(s.own[first:])
	}
}

// task adds a task of the series' own code.
func (s *series) task(blocks []int, loop int) {
	t := Task{Kind: Simple, Blocks: blocks, Loop: loop, Group: s.group, Section: s.section}
	switch {
	case loop >= 0:
		t.Kind = Loop
	case s.calls(blocks):
		t.Kind = Compound
	}
	i := s.b.addTask(t)
	s.own = append(s.own, i)
	s.stages = append(s.stages, Stage{Task: i, Group: -1})
	if blocks == nil && loop < 0 && s.group < 0 {
		s.nameStretch(s.own[len(s.own)-1:])
	}
}

// calls reports whether blocks call functions of the program, directly or not.
func (s *series) calls(blocks []int) bool {
	for _, blk := range blocks {
		for i := range s.b.f.Blocks[blk].Instrs {
			if c := s.b.f.Blocks[blk].Instrs[i].Call; c != nil && (c.Callee >= 0 || c.Indirect) {
				return true
			}
		}
	}
	return false
}

// idle reports whether blocks hold nothing but jumps and marks.
func (s *series) idle(blocks []int) bool {
	for _, blk := range blocks {
		b := s.b.f.Blocks[blk]
		for i := range b.Instrs {
			if !idleInstr(&b.Instrs[i], b) {
				return false
			}
		}
	}
	return true
}

func idleInstr(in *ir.Instr, b *ir.Block) bool {
	switch {
	case in.Op == "phi" || in.Op == "alloca":
		return true
	case in.Op == "br":
		return len(b.Succs) == 1
	case in.Call == nil:
		return false
	}
	return in.Call.Name == ir.MarkerFunc || strings.HasPrefix(in.Call.Name, "llvm.dbg.") ||
		strings.HasPrefix(in.Call.Name, "llvm.lifetime.")
}
