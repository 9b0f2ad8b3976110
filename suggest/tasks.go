package suggest

// This file finds recursions that branch, whose calls could be tasks.

import (
	"cmp"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/pathprof"
)

// branches is how many calls of itself a call of a recursive function makes on average, if
// it makes any, for its calls to be worth being tasks.
const branches = 1.5

// recursions finds the recursions that branch.
func (p *program) recursions() []*prospect {
	var out []*prospect
	for _, members := range p.groups {
		if !p.e.Recursive(members[0]) {
			continue
		}
		if c := p.recursion(members); c != nil {
			out = append(out, c)
			without := change{calls: map[int]float64{}}
			for _, fn := range members {
				without.calls[fn] = 0
			}
			p.under(c, without)
		}
	}
	return out
}

// caller is a function of a recursion, with those of it that it calls.
type caller struct {
	name  string
	calls []string
}

// call notes that one function of a recursion calls another.
func (c *prospect) call(name, called string) {
	i := slices.IndexFunc(c.callers, func(x caller) bool { return x.name == name })
	if i < 0 {
		i, c.callers = len(c.callers), append(c.callers, caller{name: name})
	}
	if !slices.Contains(c.callers[i].calls, called) {
		c.callers[i].calls = append(c.callers[i].calls, called)
	}
}

// recursion makes the prospect of a recursion, nil where it does not branch.
func (p *program) recursion(members []int) *prospect {
	kind := p.kindOf[p.serial]
	inner, invocations, calling := 0.0, 0.0, 0.0
	own, longest := 0.0, 0.0
	c := &prospect{}
	c.change.calls = map[int]float64{}
	best, most := members[0], -1.0
	for _, fn := range members {
		f := p.funcs[fn]
		n := float64(f.prof.Invocations())
		invocations += n
		calls, within := 0.0, map[int]bool{} // blocks and loops that lead to calls
		for s := range f.sites {
			x := &f.sites[s]
			if p.e.Component(x.callee) != p.e.Component(fn) {
				continue
			}
			calls += n * x.calls[kind]
			within[x.block] = true
			for l := f.cfg.LoopOf[x.block]; l >= 0; l = f.cfg.Loops[l].Parent {
				within[int(pathprof.LoopStep(l))] = true
			}
			in := &f.fn.Blocks[x.block].Instrs[x.instr]
			name, _ := p.bundle.Program.Holder(f.fn, in)
			c.call(name, p.funcs[x.callee].fn.Source)
			if in.Loc.File >= 0 && in.Loc.Line > 0 {
				at := Place{File: p.bundle.Program.Files[in.Loc.File], Line: in.Loc.Line, End: in.Loc.Line, Function: name}
				if !slices.ContainsFunc(c.Parts, func(t Part) bool { return t.Place == at }) {
					c.Parts = append(c.Parts, Part{Place: at, Seconds: p.e.Whole(x.callee)[kind] * p.e.Second()})
				}
			}
		}
		inner += calls
		for i := range f.prof.Levels[0].Paths {
			path := &f.prof.Levels[0].Paths[i]
			if slices.ContainsFunc(path.Steps, func(s pathprof.Step) bool { return within[int(s)] }) {
				calling += float64(path.Count)
			}
		}
		if calls > most {
			best, most = fn, calls
		}
		alone, chain := p.alone(f)
		own += n * alone
		longest = math.Max(longest, chain)
	}
	outer := math.Max(1, invocations-inner)
	if calling == 0 || inner < branches*calling || len(c.Parts) == 0 {
		return nil
	}
	f := p.funcs[best]
	c.Kind, c.Bound = Tasks, true
	slices.SortFunc(c.Parts, func(a, b Part) int { return cmp.Or(a.Place.Compare(b.Place), cmp.Compare(a.Seconds, b.Seconds)) })
	c.Place = Place{Line: f.fn.Loc.Line, End: f.fn.Loc.Line, Function: f.fn.Source}
	if f.fn.Loc.File >= 0 {
		c.Place.File = p.bundle.Program.Files[f.fn.Loc.File]
		c.library = ir.Foreign(c.Place.File)
	}
	c.Entries, c.Trips = outer, invocations/outer
	if p.e.Graphs[best] != nil {
		c.External, c.Regions = compact(p.externals(f, f.cfg.Order)), compact(p.regionsIn(f, 0))
	}
	// No execution ends before the longest piece of code without a call of the recursion.
	longest = math.Max(longest/outer, own/math.Max(1, invocations))
	for _, fn := range members {
		whole := p.e.Whole(fn)
		all, _ := p.speed(whole)
		c.change.calls[fn] = math.Max(whole[kind]/all, math.Min(longest, whole[kind])) + p.mostOverhead()
	}
	c.overheads = p.mostOverhead() * outer
	return c
}

// alone is what a call of a recursive function takes without those of the recursion, on
// average, and what one of its calls took at least that went round a loop most often.
func (p *program) alone(f *function) (average, longest float64) {
	kind := p.kindOf[p.serial]
	average = f.nodes[0].alone[kind]
	for s := range f.sites {
		if x := &f.sites[s]; p.e.Component(x.callee) == p.e.Component(f.index) {
			average -= x.calls[kind] * p.e.Whole(x.callee)[kind]
		}
	}
	all, _ := p.speed(p.e.Whole(f.index))
	for l := 1; l < len(f.nodes); l++ {
		prof := &f.prof.Levels[l]
		if !prof.MaxKnown || prof.Degraded || len(prof.Cuts) > 0 {
			continue
		}
		least := math.Inf(1)
		for i := range prof.Paths {
			if path := &prof.Paths[i]; path.Count > 0 && path.End == pathprof.EndIteration {
				time := 0.0
				for _, cycles := range p.e.StepCycles(p.serial, f.index, l, path) {
					time += cycles * p.clocks()
				}
				least = math.Min(least, time)
			}
		}
		if !math.IsInf(least, 1) {
			longest = math.Max(longest, float64(prof.MaxTrips)*least)
		}
	}
	// On the fastest processor, which is no faster than all of them together.
	fastest := 1.0
	for _, k := range p.kindOf {
		if t := p.e.Whole(f.index)[k]; t > 0 {
			fastest = math.Max(fastest, p.e.Whole(f.index)[kind]/t)
		}
	}
	return math.Max(0, average) / math.Min(fastest, all), longest / math.Min(fastest, all)
}
