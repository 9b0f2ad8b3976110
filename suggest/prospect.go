package suggest

// This file makes prospects: what could run in parallel, and what the program would gain.

import (
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/mapping/loops"
)

// Kind is a way to run in parallel.
type Kind string

// The kinds.
const (
	Loop     Kind = "loop"
	Sections Kind = "sections"
	Tasks    Kind = "tasks"
)

// prospect is something that could run in parallel.
type prospect struct {
	Suggestion
	change, worst change
	under         float64 // time of the program in it, as it is
	library       bool
	overheads     float64 // time of creating and synchronising on one processor
	word          ir.LoopWord
	callers       []caller  // of tasks
	inner         statement // the loop that is collapsed with this one
	out           bool      // left out
	early         bool      // a loop that can be left from within
	why           string    // it is not worth it; "" where it is
}

// even is how much the longest iteration may exceed the average for iterations to be alike.
const even = 1.05

// loop makes the prospect of a loop of the source.
func (p *program) loop(x *sourceLoop) *prospect {
	c := &prospect{library: x.library}
	c.Kind, c.Place, c.word = Loop, p.place(&x.statement), x.word
	out := change{loops: map[level]float64{}}
	for _, part := range x.parts {
		for _, l := range part.levels {
			out.loops[level{part.f.index, l}] = 0
		}
	}
	if p.under(c, out); c.under == 0 {
		return c
	}
	once := p.entries(x)
	main, most := 0, -1.0
	entries, trips := 0.0, 0.0
	for i := range x.parts {
		entries, trips = entries+once[i], trips+once[i]*x.parts[i].trips
		if t := once[i] * x.parts[i].alone[p.kindOf[p.serial]] / x.parts[i].entries; t > most {
			main, most = i, t
		}
	}
	c.Entries = entries
	if entries > 0 {
		c.Trips = trips / entries
	}
	c.Iteration, c.Dependences = &Iteration{}, p.dependences(x)
	p.share(c, x.parts, main)
	p.collapsed(c, x, main)
	c.overheads = p.mostOverhead() * entries
	for _, part := range x.parts {
		for _, l := range part.levels {
			c.External = append(c.External, p.externals(part.f, p.allBlocks(part.f, l))...)
			c.early = c.early || part.f.early(l, c.word)
			c.Regions = append(c.Regions, p.regionsIn(part.f, l)...)
		}
	}
	c.External, c.Regions = compact(c.External), compact(c.Regions)
	return c
}

// share values a loop of these parts, of which one takes most of its time.
func (p *program) share(c *prospect, parts []loopPart, main int) {
	part := &parts[main]
	turn := part // what an iteration is of
	if part.within != nil {
		turn = part.within
	}
	sp := p.spreadOf(turn.f, turn.main())
	kind, trips := p.kindOf[p.serial], c.Trips
	if part.within != nil {
		trips *= part.within.trips
	}
	ratio := 1.0
	if sp.mean > 0 {
		ratio = sp.largest / sp.mean
	}
	if trips > 0 {
		ratio = math.Max(1, math.Min(ratio, trips))
	}
	*c.Iteration = Iteration{Seconds: part.alone[kind] / part.entries / math.Max(1, part.trips) * p.e.Second(), Largest: ratio, Deviation: sp.deviation(), Known: sp.known}
	c.change, c.worst, c.Schedule = change{loops: map[level]float64{}}, change{loops: map[level]float64{}}, ""
	s := p.schedule(trips, part, ratio)
	if s.Kind != loops.Static {
		c.Schedule = s.String()
	}
	for i := range parts {
		part := &parts[i]
		each := slices.Clone(part.alone)
		for k := range each {
			each[k] /= part.entries
		}
		time := p.inPlace(s, part.trips, part.vary, each)
		worst := p.worst(s, part.trips, part.vary, each, ratio*each[kind]/math.Max(1, part.trips), &sp)
		for _, l := range part.levels {
			share := part.entries * part.f.nodes[l].alone[kind] / part.alone[kind]
			c.change.loops[level{part.f.index, l}] = time * share
			c.worst.loops[level{part.f.index, l}] = math.Max(time, worst) * share
		}
	}
}

// schedule chooses the schedule of a loop: OpenMP's static one where its iterations are alike
// and processors equal, else chunks that are handed out, so many to a thread that the last
// of them matter little.
func (p *program) schedule(trips float64, part *loopPart, ratio float64) loops.Schedule {
	all, slowest := p.speed(part.alone)
	equal := slowest*float64(len(p.kindOf)) >= all*0.99
	if ratio <= even && equal || len(p.kindOf) == 1 {
		return loops.Schedule{}
	}
	const chunksOfThread = 8
	chunk := int64(math.Min(trips/(chunksOfThread*float64(len(p.kindOf))*math.Max(1, ratio)), 1<<30))
	return loops.Schedule{Kind: loops.Dynamic, Chunk: max(1, chunk)}
}

// under finds the time of the program that a prospect is in.
func (p *program) under(c *prospect, without change) {
	c.under = math.Max(0, p.saving([]*prospect{{change: without}}))
	if c.under <= 1e-12*p.present {
		c.under = 0
	}
}

// entries finds how often each part of a loop is entered outside of other entries of it.
func (p *program) entries(x *sourceLoop) []float64 {
	out := make([]float64, len(x.parts))
	with := func(part int, time float64) float64 {
		ch := change{loops: map[level]float64{}}
		for i := range x.parts {
			for k, l := range x.parts[i].levels {
				t := 0.0
				if i == part && k == 0 {
					t = time
				}
				ch.loops[level{x.parts[i].f.index, l}] = t
			}
		}
		return p.saving([]*prospect{{change: ch}})
	}
	for i := range x.parts {
		// Large, so that what it adds to the time of the program is exact enough.
		unit := math.Max(1, p.present)
		out[i] = math.Max(0, with(i, 0)-with(i, unit)) / unit * x.parts[i].entries
	}
	return out
}

func (s *spread) deviation() float64 {
	count, sum := 0.0, 0.0
	for _, c := range s.classes {
		count, sum = count+c.count, sum+c.count*(c.time-s.mean)*(c.time-s.mean)
	}
	if count == 0 || s.mean == 0 {
		return 0
	}
	return math.Sqrt(sum/count) / s.mean
}

// allBlocks lists the blocks of a level with those of its loops.
func (p *program) allBlocks(f *function, l int) []int {
	if l == 0 {
		return f.cfg.Order
	}
	return f.cfg.Loops[l-1].Blocks
}

// externals names what blocks call that is not in the profile, through functions that are.
func (p *program) externals(f *function, blocks []int) []string {
	names := p.external(f, blocks)
	seen := map[int]bool{}
	var visit func(fn int)
	visit = func(fn int) {
		if seen[fn] {
			return
		}
		seen[fn] = true
		g := p.funcs[fn]
		names = append(names, p.external(g, g.cfg.Order)...)
		for i := range g.sites {
			visit(g.sites[i].callee)
		}
	}
	for _, b := range blocks {
		for _, s := range f.at[b] {
			visit(f.sites[s].callee)
		}
	}
	return names
}

// regionsIn names the parallel regions that a level leads to.
func (p *program) regionsIn(f *function, l int) []string {
	var names []string
	seen := map[int]bool{}
	var blocks func(f *function, list []int)
	blocks = func(f *function, list []int) {
		for _, b := range list {
			if m := f.fn.Blocks[b].Mark; m != nil && m.Kind == ir.RegionBegin && f.parts.Blocks[b].Runs > 0 {
				names = append(names, p.bundle.Program.Regions[m.Region].Name)
			}
			for _, s := range f.at[b] {
				if callee := f.sites[s].callee; !seen[callee] {
					seen[callee] = true
					if p.e.ReachesRegion(callee) {
						blocks(p.funcs[callee], p.funcs[callee].cfg.Order)
					}
				}
			}
		}
	}
	blocks(f, p.allBlocks(f, l))
	return names
}
