package suggest

// This file finds statements that follow each other under the same conditions and could run
// at the same time.

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"pathspan/ir"
)

// element is code of a level that takes time: a call, a loop, or what stands between two
// blocks that run under the same conditions.
type element struct {
	time  []float64 // by kind, in one call of the function
	scope int
	at    ir.Loc
	end   int
	statements
}

// heavyShare is the part of a sequence's time that a statement must take to be a section of
// its own.
const heavyShare = 0.05

// sequences finds the sequences of a program, by what they are called.
func (p *program) sequences() []*prospect {
	often := p.often()
	var out []*prospect
	index := map[string]int{}
	for _, fn := range p.order {
		f := p.funcs[fn]
		if often[fn] == 0 || f.fn.Loc.File >= 0 && ir.Foreign(p.bundle.Program.Files[f.fn.Loc.File]) {
			continue
		}
		for l := range f.nodes {
			n := &f.nodes[l]
			if n.entries == 0 || n.inside || often[fn]*n.alone[p.kindOf[p.serial]] < leastShare*p.present {
				continue
			}
			for _, elements := range p.elements(f, l) {
				for _, c := range p.inFrames(f, l, elements) {
					key := c.key()
					if i, ok := index[key]; ok {
						out[i].merge(c)
						continue
					}
					index[key] = len(out)
					out = append(out, c)
				}
			}
		}
	}
	for _, c := range out {
		without := change{}
		for _, s := range c.change.runs {
			s.time = 0
			without.runs = append(without.runs, s)
		}
		p.under(c, without)
		c.worst = c.change
		c.overheads = p.mostOverhead() * c.Entries
	}
	return out
}

// key tells sequences apart: copies of one have the same lines.
func (c *prospect) key() string {
	var b strings.Builder
	for _, part := range c.Parts {
		fmt.Fprintf(&b, "%s:%d-%d ", part.Place.File, part.Place.Line, part.Place.End)
	}
	return b.String()
}

// merge adds a copy of a sequence.
func (c *prospect) merge(x *prospect) {
	for i := range c.Parts {
		c.Parts[i].Seconds = (c.Parts[i].Seconds*c.Entries + x.Parts[i].Seconds*x.Entries) / (c.Entries + x.Entries)
	}
	c.Entries += x.Entries
	c.change.runs = append(c.change.runs, x.change.runs...)
	c.External = compact(append(c.External, x.External...))
	c.Regions = compact(append(c.Regions, x.Regions...))
}

func compact(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// elements lists, for each control dependence region of a level, what takes time in it, in
// the order in which it runs.
func (p *program) elements(f *function, l int) [][]element {
	type piece struct {
		pos, block, loop int // loop is a level, 0 for a block
	}
	spine := map[int][]piece{} // by region
	var all []piece
	for _, b := range f.nodes[l].blocks {
		if f.parts.Blocks[b].Runs > 0 {
			all = append(all, piece{f.cfg.Pos[b], b, 0})
		}
	}
	for _, child := range f.nodes[l].children {
		if f.nodes[child].entries > 0 {
			h := f.cfg.Loops[child-1].Header
			all = append(all, piece{f.cfg.Pos[h], h, child})
		}
	}
	slices.SortFunc(all, func(a, b piece) int { return cmp.Compare(a.pos, b.pos) })
	var regions []int
	for _, x := range all {
		r := f.cfg.RegionOf[x.block]
		if spine[r] == nil {
			regions = append(regions, r)
		}
		spine[r] = append(spine[r], x)
	}
	var out [][]element
	for _, r := range regions {
		of := spine[r]
		var list []element
		for i, x := range of {
			if x.loop > 0 {
				list = append(list, p.loopElement(f, l, x.loop))
			} else {
				for _, s := range f.at[x.block] {
					list = append(list, p.siteElement(f, l, s))
				}
			}
			if i+1 == len(of) {
				break
			}
			between := element{time: make([]float64, p.kinds), statements: statements{level: level{f.index, l}}, at: ir.Loc{File: -1}}
			for _, y := range all {
				if y.pos <= x.pos || y.pos >= of[i+1].pos || !f.cfg.Dominates(x.block, y.block) {
					continue
				}
				if y.loop > 0 {
					e := p.loopElement(f, l, y.loop)
					between.join(&e)
					continue
				}
				e := p.blockElement(f, l, y.block)
				between.join(&e)
			}
			if between.time[p.kindOf[p.serial]] > 0 && between.at.File >= 0 {
				list = append(list, between)
			}
		}
		if len(list) > 1 {
			out = append(out, list)
		}
	}
	return out
}

func (e *element) join(x *element) {
	for k, t := range x.time {
		e.time[k] += t
	}
	e.blocks, e.sites, e.loops = append(e.blocks, x.blocks...), append(e.sites, x.sites...), append(e.loops, x.loops...)
	switch {
	case x.at.File < 0:
	case e.at.File < 0:
		e.at, e.end, e.scope = x.at, x.end, x.scope
	case x.scope == e.scope && x.at.File == e.at.File:
		if e.end = max(e.end, x.end); x.at.Line < e.at.Line {
			e.at = x.at
		}
	}
}

func (p *program) loopElement(f *function, l, loop int) element {
	s := p.loopStatement(f, loop)
	return element{time: f.nodes[loop].alone, scope: s.scope, at: s.loc, end: s.end, statements: statements{level: level{f.index, l}, loops: []int{loop}}}
}

func (p *program) siteElement(f *function, l, s int) element {
	x := &f.sites[s]
	in := &f.fn.Blocks[x.block].Instrs[x.instr]
	e := element{scope: in.Scope, at: in.Loc, end: in.Loc.Line, statements: statements{level: level{f.index, l}, sites: []int{s}}}
	for k, times := range x.calls {
		e.time = append(e.time, times*p.e.Whole(x.callee)[k])
	}
	return e
}

func (p *program) blockElement(f *function, l, b int) element {
	e := element{at: ir.Loc{File: -1}, statements: statements{level: level{f.index, l}, blocks: []int{b}}}
	e.time = slices.Clone(f.parts.Blocks[b].Cycles)
	for _, s := range f.at[b] {
		for k, times := range f.sites[s].calls {
			e.time[k] += times * p.e.Whole(f.sites[s].callee)[k]
		}
	}
	for i := range f.fn.Blocks[b].Instrs {
		if in := &f.fn.Blocks[b].Instrs[i]; in.Loc.File >= 0 && in.Loc.Line > 0 {
			x := element{at: in.Loc, end: in.Loc.Line, scope: in.Scope}
			e.join(&x)
		}
	}
	return e
}

// inFrames finds the sequences of statements of each function of the source that holds some
// of the elements.
func (p *program) inFrames(f *function, l int, elements []element) []*prospect {
	var frames []int
	for i := range elements {
		for _, frame := range p.frames(elements[i].scope) {
			if !slices.Contains(frames, frame) {
				frames = append(frames, frame)
			}
		}
	}
	var out []*prospect
	for _, frame := range frames {
		name, loc := p.frameName(f, frame)
		if loc.File < 0 || ir.Foreign(p.bundle.Program.Files[loc.File]) {
			continue
		}
		if c := p.sequence(f, l, name, p.statementsOf(frame, elements)); c != nil {
			out = append(out, c)
		}
	}
	return out
}

// statementsOf sorts elements into the statements of a frame, which stand there in the order
// of their lines.
func (p *program) statementsOf(frame int, elements []element) []element {
	var list []element
	for i := range elements {
		x := elements[i]
		at, ok := p.within(frame, x.scope, x.at)
		if !ok || at.File < 0 || at.Line == 0 {
			continue
		}
		if x.scope != frame {
			x.end = at.Line
		}
		x.at, x.scope, x.end = at, frame, max(x.end, at.Line)
		x.time, x.blocks, x.sites, x.loops = slices.Clone(x.time), slices.Clone(x.blocks), slices.Clone(x.sites), slices.Clone(x.loops)
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(a, b element) int {
		return cmp.Or(cmp.Compare(a.at.File, b.at.File), cmp.Compare(a.at.Line, b.at.Line))
	})
	var out []element
	for i := range list {
		if n := len(out); n > 0 && out[n-1].at.File == list[i].at.File && list[i].at.Line <= out[n-1].end {
			out[n-1].join(&list[i])
			continue
		}
		out = append(out, list[i])
	}
	return out
}

// sequence makes the prospect of a sequence of statements, nil where fewer than two take
// time that counts.
func (p *program) sequence(f *function, l int, name string, list []element) *prospect {
	kind := p.kindOf[p.serial]
	sum := 0.0
	for i := range list {
		sum += list[i].time[kind]
	}
	runs := 0.0
	heavy := func(e *element) bool { return e.time[kind] >= heavyShare*sum }
	first, last, count := -1, -1, 0
	for i := range list {
		if heavy(&list[i]) {
			if first < 0 {
				first = i
			}
			last = i
			count++
		}
	}
	if count < 2 || list[first].at.File != list[last].at.File {
		return nil
	}
	c := &prospect{}
	c.Kind = Sections
	c.Place = Place{File: p.bundle.Program.Files[list[first].at.File], Line: list[first].at.Line, End: list[last].end, Function: name}
	st := statements{level: level{f.index, l}}
	var sections []element
	for i := first; i <= last; i++ {
		e := &list[i]
		if heavy(e) {
			sections = append(sections, *e)
		} else {
			sections[len(sections)-1].join(e)
			sections[len(sections)-1].end = max(sections[len(sections)-1].end, e.end)
		}
		st.blocks, st.sites, st.loops = append(st.blocks, e.blocks...), append(st.sites, e.sites...), append(st.loops, e.loops...)
	}
	for i := range sections[1:] { // what stands between two takes no time of its own, and is part of the first
		sections[i].end = max(sections[i].end, sections[i+1].at.Line-1)
	}
	for i := range sections {
		runs = math.Max(runs, p.runs(f, &sections[i]))
	}
	if runs == 0 {
		return nil
	}
	for i := range sections {
		e := &sections[i]
		for k := range e.time {
			e.time[k] /= runs
		}
		place := c.Place
		place.Line, place.End = e.at.Line, e.end
		c.Parts = append(c.Parts, Part{Place: place, Seconds: e.time[kind] * p.e.Second()})
		for _, s := range e.sites {
			callee := p.funcs[f.sites[s].callee]
			c.External = append(c.External, p.externals(callee, callee.cfg.Order)...)
			c.Regions = append(c.Regions, p.regionsIn(callee, 0)...)
		}
		for _, loop := range e.loops {
			c.External = append(c.External, p.externals(f, p.allBlocks(f, loop))...)
			c.Regions = append(c.Regions, p.regionsIn(f, loop)...)
		}
	}
	c.External, c.Regions = compact(c.External), compact(c.Regions)
	st.time = runs * p.makespan(sections)
	c.Entries = runs
	c.change.runs = []statements{st}
	return c
}

// runs is how often an element is executed in a call of its function.
func (p *program) runs(f *function, e *element) float64 {
	runs := 0.0
	for _, s := range e.sites {
		runs = math.Max(runs, f.parts.Blocks[f.sites[s].block].Runs)
	}
	for _, l := range e.loops {
		runs = math.Max(runs, f.nodes[l].entries)
	}
	return runs
}

// makespan is when the last of several sections ends: the longest first, each where it ends
// first (Graham's LPT; on unequal processors that of Gonzalez, Ibarra and Sahni, "Bounds for LPT
// schedules on uniform processors", SIAM J. Comput. 6(1), 1977).
func (p *program) makespan(sections []element) float64 {
	order := slices.Clone(sections)
	kind := p.kindOf[p.serial]
	slices.SortStableFunc(order, func(a, b element) int { return cmp.Compare(b.time[kind], a.time[kind]) })
	ends := make([]float64, len(p.kindOf))
	for i := range ends {
		ends[i] = p.overhead(i)
	}
	used := make([]bool, len(ends))
	for i := range order {
		best := -1
		for t := range p.kindOf {
			at := p.thread(t)
			if best < 0 || ends[at]+order[i].time[p.kindOf[at]] < ends[best]+order[i].time[p.kindOf[best]] {
				best = at
			}
		}
		ends[best] += order[i].time[p.kindOf[best]]
		used[best] = true
	}
	longest := 0.0
	for i := range ends {
		if used[i] {
			longest = math.Max(longest, ends[i])
		}
	}
	return longest + p.around()
}
