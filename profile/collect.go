package profile

// This file turns a raw profile into function profiles.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/build/probe"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/memory"
	"pathspan/pathprof"
)

// Counts is what one run counted.
type Counts struct {
	Signal     int
	Funcs      []*FuncProfile
	Targets    []CallTarget
	Counted    uint64 // paths that ended, and activations that were left
	Executions *Executions
	Memory     []memory.Record // see memory.Data.Told
	Branches   []flow.Foretold
	Lost       []Lost   // ascending by function
	Inside     *ir.Mark // the section in which the last run ended, or nil
	Notes      []string
}

// span says which level a range of counters belongs to.
type span struct {
	counter   uint64
	fn, level int
	trips     bool
	entered   bool
	paths     uint64
}

// Collect reads the raw profile at path, of a program that was instrumented as in says. Its errors are one line.
func Collect(in *pathprof.Instrumentation, path string, applied *probe.Applied) (*Counts, error) {
	raw, err := readRaw(path, in.Hash)
	if err != nil {
		return nil, err
	}
	return decode(in, raw, applied)
}

func decode(in *pathprof.Instrumentation, raw *rawProfile, applied *probe.Applied) (*Counts, error) {
	c := &collector{in: in, funcs: make([]*FuncProfile, len(in.Program.Funcs))}
	if in.Planner.Entered != nil {
		c.entered = make([]uint64, len(c.funcs))
	}
	if err := c.counters(raw); err != nil {
		return nil, err
	}
	if err := c.tables(raw); err != nil {
		return nil, err
	}
	c.frames(raw)
	c.dropIdle()
	c.boundTrips()
	out := &Counts{Signal: raw.signal, Funcs: c.funcs, Notes: c.notes}
	for _, fr := range raw.frames {
		out.Counted += fr.count
	}
	for _, f := range c.funcs {
		if f == nil {
			continue
		}
		for i := range f.Levels {
			slices.SortFunc(f.Levels[i].Paths, comparePaths)
		}
		for p := range f.paths() {
			if p.End != pathprof.EndIncomplete {
				out.Counted += p.Count
			}
		}
	}
	var err error
	if out.Executions, err = executions(in, raw); err != nil {
		return nil, err
	}
	if out.Targets, err = targets(in, raw, applied); err != nil {
		return nil, err
	}
	if n := len(raw.runs); n > 0 {
		out.Inside = probe.MarkOf(raw.runs[n-1].inside)
	}
	if out.Memory, out.Branches, err = told(in.Program, raw.memory); err != nil {
		return nil, err
	}
	if memory.Moved(out.Memory) {
		out.Notes = append(out.Notes, "a run had its addresses by chance, as the system chose them: what the profile tells of lines and caches differs a little from run to run; setarch -R in front of the program keeps them, where it is allowed")
	}
	out.Notes = append(out.Notes, memory.PassedOver(out.Memory)...)
	out.Lost = findLost(in.Program, c.funcs, out.Targets, c.entered)
	return out, nil
}

type collector struct {
	in    *pathprof.Instrumentation
	funcs []*FuncProfile
	notes []string
	// entered holds how often functions were entered; nil where that is not counted.
	entered []uint64
	steps   int // of all paths
}

// mostSteps bounds the steps of all paths together, which a few counters of a forged
// profile could stand for: 2 GiB of them.
const mostSteps = 1 << 28

// profile returns the profile of function fn, made on first use.
func (c *collector) profile(fn int) *FuncProfile {
	if c.funcs[fn] != nil {
		return c.funcs[fn]
	}
	n := c.in.Numberings[fn]
	f := &FuncProfile{Func: fn, Levels: make([]LevelProfile, len(n.Levels))}
	for i := range n.Levels {
		l := &n.Levels[i]
		f.Levels[i] = LevelProfile{Loop: l.Loop, StaticPaths: l.Paths, Hashed: l.Hashed(n.Limits),
			Collapsed: l.Collapsed, Degraded: l.Degraded, Cuts: l.Cuts, MaxKnown: c.in.Planner.Layouts[fn][i].Trips >= 0}
	}
	c.funcs[fn] = f
	return f
}

func (c *collector) add(fn, level int, id, count uint64) error {
	n := c.in.Numberings[fn]
	steps, sink, err := n.Decode(level, id)
	if err != nil {
		return fmt.Errorf("the raw profile is corrupt: function %s: %w", c.in.Program.Funcs[fn].Name, err)
	}
	if c.steps += len(steps); c.steps > mostSteps {
		return fmt.Errorf("the raw profile stands for paths of more than %d steps, which is more than is kept; profile a shorter run", mostSteps)
	}
	p := Path{End: sink.Kind, ID: id, Count: count, Steps: steps, Edge: sink.Edge.Index}
	if sink.Kind == pathprof.EndFunction {
		p.Edge = -1
	}
	l := &c.profile(fn).Levels[level]
	l.Paths = append(l.Paths, p)
	return nil
}

func (c *collector) counters(raw *rawProfile) error {
	var spans []span
	for fn, lays := range c.in.Planner.Layouts {
		for level, lay := range lays {
			if lay.Counter >= 0 {
				spans = append(spans, span{counter: uint64(lay.Counter), fn: fn, level: level, paths: c.in.Numberings[fn].Levels[level].Paths})
			}
			if lay.Trips >= 0 {
				spans = append(spans, span{counter: uint64(lay.Trips), fn: fn, level: level, trips: true, paths: 1})
			}
		}
	}
	for fn, counter := range c.in.Planner.Entered {
		spans = append(spans, span{counter: uint64(counter), fn: fn, entered: true, paths: 1})
	}
	slices.SortFunc(spans, func(a, b span) int { // a level without paths takes no counter
		return cmp.Or(cmp.Compare(a.counter, b.counter), cmp.Compare(a.paths, b.paths))
	})
	k := -1
	for n, r := range raw.counters {
		i := r.index
		if n > 0 && i <= raw.counters[n-1].index {
			return fmt.Errorf("the raw profile is corrupt: counter %d comes after counter %d", i, raw.counters[n-1].index)
		}
		for k+1 < len(spans) && spans[k+1].counter <= i {
			k++
		}
		if k < 0 || i-spans[k].counter >= spans[k].paths {
			return fmt.Errorf("the raw profile is corrupt: counter %d belongs to no level", i)
		}
		s := spans[k]
		if s.entered {
			c.entered[s.fn] = r.value
			continue
		}
		if s.trips {
			c.profile(s.fn).Levels[s.level].MaxTrips = r.value
			continue
		}
		if err := c.add(s.fn, s.level, i-s.counter, r.value); err != nil {
			return err
		}
	}
	return nil
}

func (c *collector) tables(raw *rawProfile) error {
	owner := make([][2]int, c.in.Planner.Plan.Tables)
	for fn, lays := range c.in.Planner.Layouts {
		for level, lay := range lays {
			if lay.Table >= 0 {
				owner[lay.Table] = [2]int{fn, level}
			}
		}
	}
	for _, k := range raw.keys {
		if k.table >= uint64(len(owner)) {
			return fmt.Errorf("the raw profile is corrupt: table %d of %d", k.table, len(owner))
		}
		o := owner[k.table]
		if err := c.add(o[0], o[1], k.key, k.count); err != nil {
			return err
		}
	}
	return nil
}

// frames records the paths that were under way where activations were left, or when the
// program ended.
func (c *collector) frames(raw *rawProfile) {
	for _, fr := range raw.frames {
		site, number := fr.site&math.MaxUint32, fr.site>>32
		if site >= uint64(len(c.in.Planner.Sites)) || number > uint64(len(c.in.Planner.Returns)) {
			c.notes = append(c.notes, "a path under way could not be read")
			continue
		}
		s := c.in.Planner.Sites[site]
		n := c.in.Numberings[s.Func]
		// A linked record holds the registers of the deepest of its sites.
		if len(fr.regs) > len(s.Regs) {
			fr.regs = fr.regs[:len(s.Regs)]
		}
		for i := range fr.regs {
			if s.Regs[i] < 0 {
				fr.regs[i] = 0
			}
		}
		paths, err := n.DecodeUnderWay(s.Block, fr.regs)
		if err != nil {
			c.notes = append(c.notes, fmt.Sprintf("a path under way in %s could not be read: %v", c.in.Program.Funcs[s.Func].Name, err))
			continue
		}
		levels := n.LevelsAround(s.Block)
		first := 0
		if number > 0 {
			first = c.goesOn(levels, c.in.Planner.Returns[number-1])
		}
		for i := first; i < len(levels); i++ {
			l := &c.profile(s.Func).Levels[levels[i]]
			c.underWay(l, paths[i], fr.regs[i], fr.count)
		}
	}
}

// goesOn tells how many of the levels around a block go on where control returns a
// second time to r in the same activation: those around the level of r that hold both.
func (c *collector) goesOn(levels []int, r pathprof.Site) int {
	next := c.in.Program.Funcs[r.Func].Blocks[r.Block].Succs[0]
	around := c.in.Numberings[r.Func].LevelsAround(next)
	same := 0
	for same < len(levels) && same < len(around) && levels[same] == around[same] {
		same++
	}
	return min(same, len(around)-1)
}

func (c *collector) underWay(l *LevelProfile, steps []pathprof.Step, id, count uint64) {
	for i := range l.Paths {
		p := &l.Paths[i]
		if p.End == pathprof.EndIncomplete && p.ID == id && slices.Equal(p.Steps, steps) {
			p.Count += count
			return
		}
	}
	l.Paths = append(l.Paths, Path{End: pathprof.EndIncomplete, ID: id, Count: count, Steps: steps, Edge: -1})
}

// boundTrips raises maxima of loops that activations were left in, whose iterations then
// the maximum does not know: in some entry they were no fewer than on average.
func (c *collector) boundTrips() {
	for _, f := range c.funcs {
		if f == nil || !f.left() {
			continue
		}
		for loop, entries := range f.EntriesOf() {
			if l := &f.Levels[loop+1]; l.MaxKnown && entries > 0 {
				l.MaxTrips = max(l.MaxTrips, (l.Iterations()+entries-1)/entries)
			}
		}
	}
}

// left reports whether an activation was left, or under way when the program ended.
func (f *FuncProfile) left() bool {
	for p := range f.paths() {
		if p.End == pathprof.EndIncomplete {
			return true
		}
	}
	return false
}

// dropIdle drops functions and maxima of which no path was counted: a child of fork
// knows the maxima of its parent.
func (c *collector) dropIdle() {
	for fn, f := range c.funcs {
		if f == nil {
			continue
		}
		ran := false
		for i := range f.Levels {
			if l := &f.Levels[i]; len(l.Paths) == 0 {
				l.MaxTrips = 0
			} else {
				ran = true
			}
		}
		if !ran {
			c.funcs[fn] = nil
		}
	}
}

// targets resolves the targets of indirect calls.
func targets(in *pathprof.Instrumentation, raw *rawProfile, applied *probe.Applied) ([]CallTarget, error) {
	sites, funcs := resolve(in, applied)
	var out []CallTarget
	for _, r := range raw.calls {
		if r.site >= uint64(len(sites)) || r.target > uint64(len(funcs)) {
			return nil, fmt.Errorf("the raw profile is corrupt: call site %d, target %d", r.site, r.target)
		}
		t := sites[r.site]
		t.Target, t.Count = -1, r.count
		if r.target > 0 {
			t.Target = funcs[r.target-1]
		}
		out = append(out, t)
	}
	// A target can be recorded both in the site's own ways and in the overflow table.
	return mergeTargets(out), nil
}

// resolve finds the instructions and functions that Apply numbered.
func resolve(in *pathprof.Instrumentation, a *probe.Applied) (sites []CallTarget, targets []int) {
	for _, s := range a.CallSites {
		nth := s.Nth
		at := CallTarget{Func: s.Func, Block: s.Block, Instr: -1}
		block := in.Program.Funcs[s.Func].Blocks[s.Block]
		for i := range block.Instrs {
			if c := block.Instrs[i].Call; c != nil && c.Indirect {
				if nth == 0 {
					at.Instr = i
					break
				}
				nth--
			}
		}
		sites = append(sites, at)
	}
	return sites, a.Targets
}
