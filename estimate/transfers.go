package estimate

// This file finds what constructs move between processors: lines that a lane uses first and
// another lane wrote last.

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
)

// crossings are what lanes use first of what others wrote.
type crossings struct {
	lines map[[2]int]caches.Histogram // by writer and reader
	had   map[[2]int]caches.Histogram // the same lines, and those that the reader had as well
	// The same of tasks, and of executions of a loop, where another task or execution wrote it: all that they use first.
	others map[[2]int]caches.Histogram
	lasts  map[[2]int][]part   // by writer and reader: who used the lines last
	began  []float64           // by lane: how often
	stack  []float64           // by lane: lines of a stack of its own that wait
	of     map[memory.Lane]int // lanes by what they are
}

// part is what part of lines a lane has.
type part struct {
	lane int
	of   float64
}

// crossings finds them. Of the lines that a lane uses first, those are new to it that were written to since it used them last, as the profile knows of
// a sample; it had the rest before, and finds them as the order of the run says.
func (a *Analysis) crossings(buffered bool) *crossings {
	d := a.Bundle.Memory
	c := &crossings{lasts: lastsOf(d, buffered), lines: map[[2]int]caches.Histogram{}, had: map[[2]int]caches.Histogram{}, others: map[[2]int]caches.Histogram{}, began: make([]float64, len(d.Lanes)), stack: make([]float64, len(d.Lanes)), of: map[memory.Lane]int{}}
	for l := range d.Lanes {
		c.of[d.Lanes[l]] = l
	}
	for _, s := range d.Spans {
		c.began[s.Lane] += float64(s.Times)
	}
	for _, f := range d.Fresh {
		if f.From < 0 {
			c.stack[f.Lane] += waiting(&memory.Reuse{Reads: f.Reads, Writes: f.Writes}, buffered)
		}
	}
	first, fresh := map[[2]int]float64{}, freshOf(d)
	for i := range d.Reuse {
		r := &d.Reuse[i]
		if pair := [2]int{r.From, r.Lane}; r.First && r.From >= 0 && r.From != r.Lane {
			first[pair] += float64(r.Reads + r.Writes)
			c.lines[pair] = append(c.lines[pair], caches.Reuse{Lines: r.Lines, Times: fresh.of(pair, r, buffered)})
			c.had[pair] = append(c.had[pair], caches.Reuse{Lines: r.Lines, Times: waiting(r, buffered)})
		} else if r.First && r.From == r.Lane && (d.Lanes[r.Lane].Kind == memory.InTask || d.Lanes[r.Lane].Kind == memory.InLoop) {
			c.others[pair] = append(c.others[pair], caches.Reuse{Lines: r.Lines, Times: waiting(r, buffered)})
		}
	}
	read := map[[2]int]float64{}
	for i := range d.Flows {
		f := &d.Flows[i]
		read[[2]int{f.From.Lane, f.To.Lane}] += float64(f.Distinct)
	}
	for pair, h := range c.lines {
		if d.Fresh == nil { // an older bundle: those lines of which the bytes are that it reads for the first time, 64 to a line
			share := min(1, read[pair]/(caches.RecordedLine*first[pair]))
			for i := range h {
				h[i].Times *= share
			}
		}
		if d.Lanes[pair[0]].Kind == memory.InTask && d.Lanes[pair[1]].Kind == memory.InTask {
			c.others[pair] = h
		}
	}
	return c
}

// freshness is what part of uses, by writer and reader, is of lines that are new, of those that began with a read and with a write.
type freshness map[[2]int][2]float64

func freshOf(d *memory.Data) freshness {
	if d.Fresh == nil {
		return nil
	}
	part := func(some, all uint64) float64 { return float64(some) / max(1, float64(all)) }
	out, sums := freshness{}, map[[2]int]memory.Fresh{}
	for _, f := range d.Fresh {
		s := sums[[2]int{f.From, f.Lane}]
		s.Reads, s.FreshReads, s.Writes, s.FreshWrites = s.Reads+f.Reads, s.FreshReads+f.FreshReads, s.Writes+f.Writes, s.FreshWrites+f.FreshWrites
		sums[[2]int{f.From, f.Lane}] = s
	}
	for pair, s := range sums {
		out[pair] = [2]float64{part(s.FreshReads, s.Reads), part(s.FreshWrites, s.Writes)}
	}
	return out
}

// lastsOf tells, by writer and reader, who used lines last that are new to the reader, where that was another than the writer.
func lastsOf(d *memory.Data, buffered bool) map[[2]int][]part {
	out, all := map[[2]int][]part{}, map[[2]int]float64{}
	for _, f := range d.Fresh {
		pair, times := [2]int{f.From, f.Lane}, float64(f.FreshReads)
		if !buffered {
			times += float64(f.FreshWrites)
		}
		if all[pair] += times; times > 0 && f.Last >= 0 && f.Last != f.From {
			out[pair] = append(out[pair], part{f.Last, times})
		}
	}
	for pair, parts := range out {
		for i := range parts {
			parts[i].of /= all[pair]
		}
	}
	return out
}

// of is how many uses of a record wait and are of lines that are new: all, of a profile that does not know it.
func (f freshness) of(pair [2]int, r *memory.Reuse, buffered bool) float64 {
	if f == nil {
		return waiting(r, buffered)
	}
	times := f[pair][0] * float64(r.Reads)
	if !buffered {
		times += f[pair][1] * float64(r.Writes)
	}
	return times
}

// transfers tells a machine what each construct moves under the platform's memory, with streaks or
// without, how far processors are apart, and which share a cache, where that is known.
func (e *Estimator) transfers(to *table.Machine, streaks bool, in Setting) {
	if !e.KnowsMemory() {
		return
	}
	var all [][]*table.Transfers
	var apart [][]int
	var near [][]bool
	n, h := len(e.kindOf), e.Platform.Hierarchy
	m := &mover{e: e, in: in, x: e.crossings(h.Buffered), seen: make([]hierarchy.Seen, len(e.kinds)), occupied: make([]float64, len(e.kinds))}
	for p := range n {
		m.seen[e.kindOf[p]] = e.seen(p)
		m.occupied[e.kindOf[p]] = h.Occupied(p, e.seen(p), e.memoryMHz(p))
		apart, near = append(apart, make([]int, n)), append(near, make([]bool, n))
		for q := range n {
			apart[p][q] = h.Levels(p, q)
			near[p][q] = apart[p][q] < len(e.seen(q).Caches)
			m.classes = max(m.classes, apart[p][q]+1)
			m.share = m.share || p != q && near[p][q]
		}
	}
	m.uses = e.accesses().uses
	if len(h.Local) > 0 {
		m.copies = e.copies(m.x)
	}
	if e.Contended() || e.Bundle.Memory.Between != nil {
		m.means = e.sectionMeans()
	}
	for r := range e.Bundle.Program.Regions {
		reg := &e.Bundle.Program.Regions[r]
		of := make([]*table.Transfers, len(reg.Constructs))
		for c := range of {
			first, together := reg.Together(c)
			if !streaks {
				first, together = c, 1
			}
			if c == first {
				of[c] = m.construct(r, c, together)
			}
		}
		all = append(all, of)
	}
	to.Transfers, to.Apart, to.Near = all, apart, near
	to.Tokens = m.tokens()
	if m.copies == nil && len(e.Bundle.Program.Tasks) > 0 {
		to.Beside, to.Reads = m.besides(), m.reads()
	}
}

// mover makes what constructs move.
type mover struct {
	e       *Estimator
	in      Setting
	x       *crossings
	seen    []hierarchy.Seen // by kind
	classes int
	uses    []caches.Histogram // by lane
	share   bool               // some processors share a cache
	copies  []copies           // by lane; nil where all work on main memory
	// Where main memory serves one processor at a time:
	occupied []float64 // by kind: cycles that an access keeps others waiting
	means    sectionMeans
	between  [][]*between // by lane

	madeTaken []*takenLoop // by lane
}

// construct returns what executions of a construct, or of a streak of several, move.
func (m *mover) construct(region, construct, n int) *table.Transfers {
	var inside, constructOf []int // lanes of the profile, -1 where it knows none
	loop := false
	constructs := m.e.Bundle.Program.Regions[region].Constructs[construct : construct+n]
	for c := range constructs {
		loop = loop || constructs[c].Loop != nil
		for s := range constructs[c].Sections {
			if constructs[c].Loop != nil && s > 0 { // a section for each thread
				break
			}
			inside, constructOf = append(inside, m.lane(region, construct+c, s)), append(constructOf, c)
		}
	}
	executes := m.executes(inside, loop)
	at := func(lane, to int) int { return m.laneAt(lane, executes, to, region, construct, n) }
	out, some, spread := &table.Transfers{Shared: loop}, m.e.Contended(), false
	for to, l := range inside {
		var in, among, back table.Crossing
		if l >= 0 && m.x.began[l] > 0 {
			if !loop {
				in = m.stack(l, m.x.began[l])
			}
			for other := range m.e.Bundle.Memory.Lanes {
				c, from := m.crossing(other, l, 1, m.x.began[l]), at(other, to)
				if from == to || from >= 0 && loop {
					continue
				}
				if from == table.Anywhere && !besides(m.e.Bundle.Memory.Lanes[other].Kind) { // a task
					from = table.WhereMet
				}
				if slices.Contains(inside, other) {
					if c := m.sharedBySections(l, other); c != nil {
						out.Beside, some = append(out.Beside, table.Between{From: from, To: to, Via: from, Crossing: c}), true
					}
				}
				if c != nil && !loop {
					var via []table.Between
					via, c = m.via(c, [2]int{other, l}, from, to, at)
					out.Between, some = append(out.Between, via...), true
				}
				switch {
				case c == nil || loop && (m.knowsTaken(l, other) || m.sharedAlike(l, other)):
				case from >= 0:
					out.Between, some = append(out.Between, table.Between{From: from, To: to, Via: from, Crossing: c}), true
				case from == table.Anywhere:
					among, spread = among.Add(m.spread(c, other)), true
				default:
					in = in.Add(c)
				}
				if executes.section(other, to) < 0 && m.outside(other, region) {
					back = back.Add(m.crossing(l, other, 1, m.x.began[l]))
				}
			}
			for _, x := range executes[to][1:] {
				out.Inside = append(out.Inside, m.inside(x, to, region, executes, at, m.x.began[l])...)
				some = some || out.Inside != nil
			}
		}
		if turns := m.turns(region, construct+constructOf[to], l); turns != nil {
			out.AddTurns(turns)
			some = true
		}
		if brought := m.brought(l); loop && brought != nil {
			out.AddTurns(brought)
			some = true
		}
		out.In, out.Among, out.Out = append(out.In, in), append(out.Among, among), append(out.Out, back)
		out.Most = append(out.Most, m.sharedBySections(l, l))
		if m.share {
			crowd, waits := m.crowd(region, construct, l)
			out.Crowd, some = append(out.Crowd, crowd), some || waits
		}
		some = some || in != nil || spread || back != nil
	}
	if out.Nearer = m.nearer(region, construct, n, inside, constructOf, loop); out.Nearer != nil {
		some = true
	}
	if out.Copies = m.copied(inside, loop); out.Copies != nil {
		some = true
	}
	if !spread {
		out.Among = nil
	}
	switch {
	case !some:
		return nil
	case loop: // all threads take part in each
		for i := 1; i < len(out.In); i++ {
			out.In[0], out.Out[0] = out.In[0].Add(out.In[i]), out.Out[0].Add(out.Out[i])
			if spread {
				out.Among[0] = out.Among[0].Add(out.Among[i])
			}
			if m.share {
				out.Crowd[0] = out.Crowd[0].Add(out.Crowd[i])
			}
		}
		out.In, out.Among, out.Out, out.Crowd = out.In[:1], out.Among[:min(1, len(out.Among))], out.Out[:1], out.Crowd[:min(1, len(out.Crowd))]
	}
	if m.e.Contended() {
		out.Bus = m.bus(region, construct, n, inside, loop)
	}
	return out
}

// spread is what is read of what a lane of another construct wrote, as of what lies with all processors evenly: it is with one of as many as
// that construct has sections, or threads.
func (m *mover) spread(c table.Crossing, lane int) table.Crossing {
	x, all := &m.e.Bundle.Memory.Lanes[lane], len(m.e.kindOf)
	on := float64(min(all, len(m.e.Bundle.Program.Regions[x.Region].Constructs[x.Construct].Sections)))
	if all < 2 {
		return c
	}
	c = slices.Clone(c)
	floats.Scale((1-1/on)/(1-1/float64(all)), c)
	return c
}

// laneAt is the lane of a construct on whose processor what a lane of the profile used last lies: -1 for that where the construct is met, -2 where
// that is not known.
func (m *mover) laneAt(lane int, executes onProcessor, to, region, construct, n int) int {
	if s := executes.section(lane, to); s >= 0 {
		return s
	}
	if m.meets(lane, region) {
		return table.WhereMet
	}
	if s := m.alike(lane, region, construct, n); s >= 0 {
		return s
	}
	if besides(m.e.Bundle.Memory.Lanes[lane].Kind) || m.e.Bundle.Memory.Lanes[lane].Kind == memory.InTask {
		return table.Anywhere
	}
	return table.WhereMet
}

// via takes apart what a lane waits for lines of a writer: those that a lane used since whose processor is known, which has them, and the others.
func (m *mover) via(c table.Crossing, pair [2]int, from, to int, at func(lane, to int) int) (out []table.Between, others table.Crossing) {
	left := 1.0
	for _, p := range m.x.lasts[pair] {
		if via := at(p.lane, to); via != table.Anywhere && via != from {
			out = append(out, table.Between{From: from, To: to, Via: via, Crossing: c.Times(p.of)})
			left -= p.of
		}
	}
	if left <= 1e-9 {
		return out, nil
	}
	return out, c.Times(left)
}

// alike is the section of a construct that is taken to lie where a section of another construct does that has as many: -1 for none.
func (m *mover) alike(other, region, construct, n int) int {
	x, regions := &m.e.Bundle.Memory.Lanes[other], m.e.Bundle.Program.Regions
	c := &regions[region].Constructs[construct]
	if n > 1 || c.Loop != nil || x.Kind != memory.InSection || len(regions[x.Region].Constructs[x.Construct].Sections) != len(c.Sections) {
		return -1
	}
	return x.Section
}

// crowd is what a lane waits longer in each execution where others use the same caches, of lines that it
// uses again there: between executions lies in the order of the run what all lanes use. It is nil of a lane that never ran.
func (m *mover) crowd(region, construct, lane int) (out table.Crossing, waits bool) {
	if lane < 0 || m.x.began[lane] == 0 {
		return nil, false
	}
	lanes, lines := 0, 0.0 // of which each may be on a processor of its own, and what all use
	for c, of := range m.e.Bundle.Program.Regions[region].Constructs[construct:] {
		lanes += len(of.Sections)
		for s := range of.Sections {
			if l := m.lane(region, construct+c, s); l >= 0 && (of.Loop == nil || s == 0) {
				lines += m.linesOf(l)
			}
		}
	}
	const nothing = 0.01 // cycles of an execution: chance leaves some everywhere
	kinds, most := len(m.seen), min(lanes, len(m.e.kindOf))
	out = make(table.Crossing, most*kinds)
	distinct := m.distinctLines(region, construct)
	for others := 1; others < most; others++ {
		for k, seen := range m.seen {
			if x := m.crowded(seen, lane, max(1, float64(others+1)*distinct), lines*distinct); x > nothing*m.x.began[lane] {
				out[others*kinds+k], waits = x/m.x.began[lane]*m.e.factor[k], true
			}
		}
	}
	return out, waits
}

// distinctLines is how many lines the sections of a construct use together, as a part of what they use one by one: of what a section uses first, an earlier
// one of the same execution had those that it used last. Of a loop it is 1, whose threads have no lines in common.
func (m *mover) distinctLines(region, construct int) float64 {
	c, d := &m.e.Bundle.Program.Regions[region].Constructs[construct], m.e.Bundle.Memory
	if c.Loop != nil {
		return 1
	}
	index, first := map[int]int{}, map[int]float64{}
	for s := range c.Sections {
		if l := m.lane(region, construct, s); l >= 0 {
			index[l] = s + 1
		}
	}
	for i := range d.Reuse {
		if r := &d.Reuse[i]; r.First {
			first[r.Lane] += float64(r.Reads + r.Writes)
		}
	}
	sampled, had := map[int]float64{}, map[int]float64{}
	for _, b := range d.Between {
		if b.By >= 0 || index[b.Lane] == 0 {
			continue
		}
		if sampled[b.Lane] += float64(b.Times); index[b.Last] > 0 && index[b.Last] < index[b.Lane] {
			had[b.Lane] += float64(b.Times)
		}
	}
	all, distinct := 0.0, 0.0
	for s := range c.Sections {
		if l := m.lane(region, construct, s); l >= 0 {
			all += first[l]
			distinct += first[l] * (1 - had[l]/max(1, sampled[l]))
		}
	}
	if all == 0 {
		return 1
	}
	return distinct / all
}

// crowded is what all executions of a lane wait longer where so many processors share caches, and use so many lines.
func (m *mover) crowded(seen hierarchy.Seen, lane int, sharers, lines float64) float64 {
	x := m.e.accesses()
	return seen.Crowded(x.waitingWithin(seen.Buffered)[lane], x.conflicts(seen.Buffered)[lane], sharers, lines)
}

// linesOf is how many lines an execution of a lane uses on average.
func (m *mover) linesOf(lane int) float64 {
	sum := 0.0
	for _, s := range m.e.Bundle.Memory.Spans {
		if s.Lane == lane {
			sum += float64(s.Lines)
		}
	}
	return sum / max(1, m.x.began[lane])
}

// bus returns for what part of its time each lane keeps main memory busy, or all threads of loops do.
func (m *mover) bus(region, construct, n int, inside []int, loop bool) []float64 {
	var out []float64
	kinds := len(m.seen)
	for k, seen := range m.seen {
		busy, took, at := make([]float64, len(inside)), make([]float64, len(inside)), 0
		for c, sections := range m.means[k][region][construct : construct+n] {
			if loop {
				took[c] = floats.Sum(sections)
				continue
			}
			at += copy(took[at:], sections)
		}
		for i, l := range inside {
			if l >= 0 && m.x.began[l] > 0 && m.occupied[k] > 0 {
				misses := seen.Misses(m.uses[l])
				busy[i] = misses[len(misses)-1] / m.x.began[l] * m.occupied[k] * m.e.factor[k]
			}
		}
		if loop {
			busy, took = []float64{floats.Sum(busy)}, []float64{floats.Sum(took)}
		}
		if out == nil {
			out = make([]float64, len(busy)*kinds)
		}
		for i := range busy {
			if took[i] > 0 {
				out[i*kinds+k] = min(1, busy[i]/took[i])
			}
		}
	}
	return out
}

// besides reports whether lanes of a kind run beside others, and so wait for what they read
// themselves.
func besides(k memory.LaneKind) bool { return k == memory.InSection || k == memory.InLoop }

// lane finds a section's lane, or that of a loop.
func (m *mover) lane(region, construct, section int) int {
	for _, kind := range []memory.LaneKind{memory.InSection, memory.InLoop} {
		if l, ok := m.x.of[memory.Lane{Kind: kind, Region: region, Construct: construct, Section: section}]; ok {
			return l
		}
	}
	return -1
}

// crossing is what one lane waits longer for what another wrote, in each of so many executions, and, where that is said, to write
// again what the other read of its own. Where sections have a part of the lane's executions each, it is that of one: of lines which several of these
// read that were written once, one of each section brings them in.
func (m *mover) crossing(from, to int, of, executions float64) table.Crossing {
	pair := [2]int{from, to}
	h := m.x.lines[pair]
	if of < 1 {
		h = slices.Clone(h)
		for i := range h {
			h[i].Times = min(h[i].Times, of*m.x.had[pair][i].Times)
		}
	}
	return m.apart(h, executions).Add(m.again(m.x.lines[[2]int{to, from}], max(m.x.began[from], m.x.began[to]), executions/of))
}

// stack is what a processor waits, in each of so many executions, for the lines of a stack of its own, which it brings in once. They are at hand where
// the construct is met.
func (m *mover) stack(lane int, executions float64) (out table.Crossing) {
	if m.x.stack[lane] == 0 || executions == 0 {
		return nil
	}
	out = make(table.Crossing, m.classes*len(m.seen))
	lines := caches.Histogram{{Lines: caches.First, Times: m.x.stack[lane]}}
	for class := 1; class < m.classes; class++ {
		for k, seen := range m.seen {
			out[class*len(m.seen)+k] = seen.Stall(lines) / executions * m.e.factor[k]
		}
	}
	return out
}

// again is what a lane waits that writes lines which another reads each of so many times, but before the first.
func (m *mover) again(read caches.Histogram, times, executions float64) (out table.Crossing) {
	lines := 0.0
	for _, r := range read {
		lines += r.Times
	}
	lines *= max(0, times-1) / max(1, times)
	for class := 1; class < m.classes; class++ {
		for k, seen := range m.seen {
			if waits := seen.Write * lines; waits > 0 {
				if out == nil {
					out = make(table.Crossing, m.classes*len(m.seen))
				}
				out[class*len(m.seen)+k] = waits / executions * m.e.factor[k]
			}
		}
	}
	return out
}

func (m *mover) apart(h caches.Histogram, executions float64) table.Crossing {
	if h == nil {
		return nil
	}
	kinds := len(m.seen)
	var out table.Crossing
	for class := range m.classes {
		for k, seen := range m.seen {
			if waits := seen.Apart(h, min(class, len(seen.Caches))); waits > 0 {
				if out == nil {
					out = make(table.Crossing, m.classes*kinds)
				}
				out[class*kinds+k] = waits / executions * m.e.factor[k]
			}
		}
	}
	return out
}
