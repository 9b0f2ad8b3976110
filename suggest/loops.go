package suggest

// This file finds loops of the source and values them as parallel loops.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/mapping/loops"
)

// sourceLoop is a loop of the source with all that the compiler made of it.
type sourceLoop struct {
	statement
	parts []loopPart
}

// loopPart is what the compiler made of one loop of the source in one place: a loop, or
// several that share its iterations, such as an unrolled one and the one behind it.
type loopPart struct {
	f      *function
	levels []int
	// Of one call of the function.
	entries float64
	trips   float64   // of one entry
	vary    bool      // entries have different numbers of iterations
	alone   []float64 // by kind, of all entries
	within  *loopPart // the loop in it that is shared with it; nil for none
}

// main is the level of a part that takes most of its time.
func (x *loopPart) main() int {
	best := x.levels[0]
	for _, l := range x.levels {
		if x.f.nodes[l].alone[0] > x.f.nodes[best].alone[0] {
			best = l
		}
	}
	return best
}

// sourceLoops finds the loops that ran outside of sections.
func (p *program) sourceLoops() []*sourceLoop {
	var out []*sourceLoop
	type key struct {
		loc  ir.Loc
		name string // where the column is not known
	}
	index := map[key]int{}
	for _, fn := range p.order {
		f := p.funcs[fn]
		var ended []ends
		type at struct{ source, parent, scope int }
		here := map[at][]int{}
		var places []at
		for l := 1; l < len(f.nodes); l++ {
			if n := &f.nodes[l]; n.entries == 0 || n.inside || n.alone[p.kindOf[p.serial]] == 0 {
				continue
			}
			s := p.loopStatement(f, l)
			k := key{loc: s.loc}
			if s.loc.Col == 0 {
				k.name = fmt.Sprint(s.name, " ", fn, " ", l)
			}
			i, ok := index[k]
			if !ok {
				i = len(out)
				index[k] = i
				out = append(out, &sourceLoop{statement: s})
			}
			out[i].end = max(out[i].end, s.end)
			a := at{i, f.cfg.Loops[l-1].Parent + 1, s.scope}
			if here[a] == nil {
				places = append(places, a)
			}
			here[a] = append(here[a], l)
		}
		for _, a := range places {
			if ended == nil {
				ended = f.endsOf()
			}
			for _, levels := range f.sequences(here[a]) {
				if !f.within(out[a.source], levels[0]) {
					out[a.source].parts = append(out[a.source].parts, p.part(f, levels, ended))
				}
			}
		}
	}
	return slices.DeleteFunc(out, func(x *sourceLoop) bool { return len(x.parts) == 0 })
}

// within reports whether a level lies in a loop that is of the same loop of the source.
func (f *function) within(x *sourceLoop, l int) bool {
	for _, part := range x.parts {
		for _, other := range part.levels {
			if part.f == f && other != l && f.nested(l-1, other-1) {
				return true
			}
		}
	}
	return false
}

// sequences groups loops of one level that control passes one after another.
func (f *function) sequences(levels []int) [][]int {
	slices.SortFunc(levels, func(a, b int) int {
		return cmp.Compare(f.cfg.Pos[f.cfg.Loops[a-1].Header], f.cfg.Pos[f.cfg.Loops[b-1].Header])
	})
	group := make([]int, len(levels))
	for i := range group {
		group[i] = i
	}
	for i, a := range levels {
		for j, b := range levels {
			if group[i] != group[j] && f.reaches(a, b) {
				old := group[j]
				for k := range group {
					if group[k] == old {
						group[k] = group[i]
					}
				}
			}
		}
	}
	// What is left behind an unrolled loop has no lines of its own; one that has is another
	// copy, such as an unrolled loop around it makes. LLVM before 22 loses the lines of such
	// copies: what is left is then told by being unrolled less.
	var out [][]int
	place, lined := map[int]int{}, map[int]bool{}
	for i, l := range levels {
		at, ok := place[group[i]]
		own := f.lined(l)
		again := ok && own && lined[at]
		if ok && !own && !lined[at] {
			again = f.unrolled(l) >= f.unrolled(out[at][len(out[at])-1])
		}
		if !ok || again {
			at = len(out)
			place[group[i]] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], l)
		lined[at] = lined[at] || own
	}
	return out
}

// lined reports whether the compiler kept where a loop stands.
func (f *function) lined(l int) bool {
	return slices.ContainsFunc(f.cfg.Loops[l-1].Latches, func(latch flow.Edge) bool { return f.lines[latch.From].End > 0 })
}

// reaches reports whether control can pass from one loop to another of the same level
// without a back edge.
func (f *function) reaches(from, to int) bool {
	parent, target := f.cfg.Loops[from-1].Parent, f.cfg.Loops[to-1].Header
	var outside []int
	for _, e := range f.cfg.Loops[from-1].Exits {
		outside = append(outside, f.cfg.Target(e))
	}
	return flow.Reached(len(f.fn.Blocks), outside, func(b int, visit func(int)) {
		if !f.cfg.InLoop(parent, b) || f.cfg.Pos[b] >= f.cfg.Pos[target] {
			return
		}
		for _, s := range f.fn.Blocks[b].Succs {
			if f.cfg.Pos[s] > f.cfg.Pos[b] {
				visit(s)
			}
		}
	})[target]
}

func (p *program) part(f *function, levels []int, ended []ends) loopPart {
	x := loopPart{f: f, levels: levels, alone: make([]float64, p.kinds)}
	first, largest, trips := 0.0, 0.0, 0.0
	entered := f.prof.EntriesOf()
	for _, l := range levels {
		n := &f.nodes[l]
		for k, t := range n.alone {
			x.alone[k] += t
		}
		if !slices.ContainsFunc(levels, func(other int) bool { return other != l && f.reaches(other, l) }) {
			first += n.entries
		}
		largest = math.Max(largest, n.entries)
		e := math.Max(1, float64(entered[l-1]))
		done := float64(f.prof.Levels[l].Iterations()) / e
		if t := ended[l-1].times; t > 0 {
			done += ended[l-1].whole / t
		}
		trips += n.entries * done * f.unrolled(l)
		prof := &f.prof.Levels[l]
		x.vary = x.vary || prof.MaxKnown && float64(prof.MaxTrips) > math.Ceil(float64(prof.Iterations())/e)
	}
	if x.entries = math.Max(first, largest); x.entries > 0 {
		x.trips = trips / x.entries
	}
	return x
}

// inPlace is the time of one execution of a loop on all processors, its threads in the order of the
// processors, as OpenMP's static schedule has it. each is what an entry takes by kind. Of
// numbers of iterations that vary, as many as there are processors, around the average,
// stand for all: they leave each remainder once.
func (p *program) inPlace(s loops.Schedule, trips float64, vary bool, each []float64) float64 {
	low := math.Floor(math.Min(trips, 1<<40))
	part := trips - low
	at := []float64{low, low + 1}
	weight := []float64{1 - part, part}
	if vary {
		at, weight = nil, nil
		for i := range p.kindOf {
			at = append(at, math.Round(trips-float64(len(p.kindOf)-1)/2+float64(i)))
			weight = append(weight, 1)
		}
	}
	time, n, count := 0.0, 0.0, 0.0
	for i := range at {
		at[i] = math.Max(1, at[i])
		n, count = n+weight[i]*at[i], count+weight[i]
	}
	for i := range at {
		if weight[i] == 0 {
			continue
		}
		longer := slices.Clone(each)
		for k := range longer {
			longer[k] *= at[i] * count / n
		}
		time += weight[i] / count * p.play(s, int64(at[i]), longer)
	}
	return time
}

// play is inPlace for a whole number of iterations.
func (p *program) play(s loops.Schedule, n int64, each []float64) float64 {
	curves := make([]loops.Curve, len(p.kindOf))
	for t := range curves {
		curve, err := loops.NewCurve([]int64{0, n}, []float64{0, each[p.kindOf[p.thread(t)]]})
		if err != nil {
			return math.Inf(1) // times beyond all numbers: nothing is to be gained
		}
		curves[t] = curve
	}
	dispatch := make([]float64, len(curves))
	for t := range dispatch {
		dispatch[t] = p.e.Platform.Other.Dispatch.Cycles * p.factor(p.thread(t))
	}
	longest := 0.0
	finish, _ := loops.Finish(s.Clause(false), curves, n, dispatch, nil)
	for t, end := range finish {
		longest = math.Max(longest, end+p.overhead(p.thread(t)))
	}
	return longest + p.around()
}

// thread is the processor of a thread of a team.
func (p *program) thread(t int) int { return (p.serial + t) % len(p.kindOf) }

// overhead is what creating and synchronising a task costs on a processor.
func (p *program) overhead(processor int) float64 {
	o := p.e.Overheads[processor]
	return (o.Create + o.Sync) * p.factor(processor)
}

// around is what a region costs the processor that meets it.
func (p *program) around() float64 {
	o := &p.e.Platform.Other
	return (o.Fork.Cycles + o.Join.Cycles) * p.factor(p.serial)
}

// factor is how many cycles of the first processor one of this one takes.
func (p *program) factor(processor int) float64 { return p.e.ClockMHz[0] / p.e.ClockMHz[processor] }

// speed is how fast all processors are together on code that takes so long by kind, next to
// the serial one.
func (p *program) speed(each []float64) (all, slowest float64) {
	slowest = math.Inf(1)
	for _, k := range p.kindOf {
		if each[k] > 0 {
			s := each[p.kindOf[p.serial]] / each[k]
			all, slowest = all+s, math.Min(slowest, s)
		}
	}
	return math.Max(1, all), math.Min(slowest, all)
}

// worst is inPlace with iterations in the worst order, none of which takes longer than
// longest, of a loop that takes each.
func (p *program) worst(s loops.Schedule, trips float64, vary bool, each []float64, longest float64, known *spread) float64 {
	kind := p.kindOf[p.serial]
	whole, n := each[kind], math.Max(1, trips)
	longest = math.Min(longest, whole)
	if longest*n <= whole*(1+1e-6) {
		return p.inPlace(s, trips, vary, each)
	}
	all, slowest := p.speed(each)
	if s.Kind == loops.Dynamic {
		chunk := math.Max(1, float64(s.Chunk))
		last := math.Min(whole, chunk*longest)
		x := whole/all + last/slowest
		if slowest == 1 {
			x = whole/all + last*(1-1/all)
		}
		return math.Min(x, whole/slowest) + p.mostOverhead() + p.around()
	}
	x := 0.0
	share := math.Ceil(n/float64(len(p.kindOf))) / n
	most := math.Min(1, share*n*longest/whole)
	if known.known {
		most = known.heaviest(share)
	}
	for t := range p.kindOf {
		x = math.Max(x, most*each[p.kindOf[t]]+p.overhead(t))
	}
	return math.Max(x+p.around(), p.inPlace(s, trips, vary, each))
}

func (p *program) mostOverhead() float64 {
	most := 0.0
	for t := range p.kindOf {
		most = math.Max(most, p.overhead(t))
	}
	return most
}

// heaviest is the part of the time that the longest iterations take, of which there are so
// many of all.
func (s *spread) heaviest(share float64) float64 {
	all := slices.Clone(s.classes)
	slices.SortFunc(all, func(a, b class) int { return cmp.Compare(b.time, a.time) })
	count, total := 0.0, 0.0
	for _, c := range all {
		count, total = count+c.count, total+c.time*c.count
	}
	left, taken := share*count, 0.0
	for _, c := range all {
		n := math.Min(left, c.count)
		left, taken = left-n, taken+n*c.time
	}
	if total == 0 {
		return share
	}
	return taken / total
}
