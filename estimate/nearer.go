package estimate

// This file finds how much shorter lanes take as lines that others use between two uses of one come into caches of other
// processors. A profile says of a sample of the uses with which a lane begins who used the line before, and who
// used what lies between; how many uses lie how far apart, it has counted.

import (
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"pathspan/estimate/table"
	"pathspan/mapping/caches"
	"pathspan/mapping/hierarchy"
	"pathspan/memory"
)

// between is uses of a lane: how far apart, and by lanes of the profile which part of the lines in between is theirs.
type between struct {
	last int
	uses caches.Histogram
	by   []float64

	lock  sync.Mutex
	known []waitsLess
}

// waitsLess is what uses wait less on a processor that sees so much, by the part of the lines in between that comes into its caches: costs of
// blocks play no part, so that all draws of them have the same.
type waitsLess struct {
	seen hierarchy.Seen
	by   [table.Points + 1]float64
}

func (b *between) waitsLess(seen hierarchy.Seen, sample []caches.Conflict) [table.Points + 1]float64 {
	b.lock.Lock()
	defer b.lock.Unlock()
	at := slices.IndexFunc(b.known, func(w waitsLess) bool { return w.seen.Equal(seen) })
	if at < 0 {
		w := waitsLess{seen: seen}
		for part := range w.by {
			w.by[part] = seen.Nearer(b.uses, sample, float64(part)/table.Points)
		}
		at, b.known = len(b.known), append(b.known, w)
	}
	return b.known[at].by
}

// between lists by lane the uses that wait of which it is known who was there meanwhile.
func (a *Analysis) between(buffered bool) [][]*between {
	made := &a.madeBetween
	if buffered {
		made = &a.madeReadBetween
	}
	made.once.Do(func() { made.of = a.makeBetween(buffered) })
	return made.of
}

// betweens are made on first use.
type betweens struct {
	once sync.Once
	of   [][]*between
}

func (a *Analysis) makeBetween(buffered bool) [][]*between {
	d := a.Bundle.Memory
	type at struct {
		lane  int
		lines int64
	}
	first, sampled := map[at]float64{}, map[at]float64{}
	for i := range d.Reuse {
		if r := &d.Reuse[i]; r.First {
			first[at{r.Lane, r.Lines}] += waiting(r, buffered)
		}
	}
	for _, b := range d.Between {
		if b.By < 0 {
			sampled[at{b.Lane, b.Lines}] += float64(b.Times)
		}
	}
	out := make([][]*between, len(d.Lanes))
	for i := 0; i < len(d.Between); {
		head, by := d.Between[i], make([]float64, len(d.Lanes))
		uses := 0.0
		for ; i < len(d.Between) && d.Between[i].Lane == head.Lane && d.Between[i].Last == head.Last && d.Between[i].Lines == head.Lines; i++ {
			if b := &d.Between[i]; b.By < 0 {
				uses += float64(b.Times)
			} else {
				by[b.By] += float64(b.Times)
			}
		}
		sum, here := floats.Sum(by), at{head.Lane, head.Lines}
		if sum == 0 || uses == 0 {
			continue
		}
		floats.Scale(1/sum, by)
		out[head.Lane] = append(out[head.Lane], &between{last: head.Last, uses: caches.Histogram{{Lines: head.Lines, Times: first[here] * uses / sampled[here]}}, by: by})
	}
	return out
}

// nothingNearer is what part of the time of a lane is not worth a band.
const nothingNearer = 1e-4

// nearer returns how much shorter the lanes of a construct, or of a streak, take; nil where that is nothing.
func (m *mover) nearer(region, construct, n int, inside, constructOf []int, loop bool) []table.Nearer {
	if m.copies != nil || m.e.Bundle.Memory.Between == nil {
		return nil
	}
	if m.between == nil {
		m.between = slices.Clone(m.e.between(m.e.Platform.Hierarchy.Buffered))
		for _, makers := range m.e.makers() { // whose tasks others execute, as they come
			for maker := range makers {
				if l := m.lane(maker.region, maker.construct, maker.section); l >= 0 {
					m.between[l] = nil
				}
			}
		}
	}
	out, some := make([]table.Nearer, len(inside)), false
	took := m.took(region, construct, inside, constructOf, loop)
	at := func(lane int) int {
		if s := slices.Index(inside, lane); s >= 0 {
			return s
		}
		return m.alike(lane, region, construct, n)
	}
	for i, l := range inside {
		if l < 0 || m.x.began[l] == 0 {
			continue
		}
		for _, b := range m.between[l] {
			band, worth := m.band(b, i, inside, at, took, loop)
			if worth {
				out[i], some = append(out[i], band), true
			}
		}
	}
	if !some {
		return nil
	}
	if loop {
		out = []table.Nearer{slices.Concat(out...)}
	}
	for i, bands := range out {
		lanes, times := inside, took
		if !loop {
			lanes, times = inside[i:i+1], make([][]float64, len(took))
			for k := range times {
				times[k] = took[k][i : i+1]
			}
		}
		m.limit(bands, lanes, times)
	}
	return out
}

// took is what executions of lanes take on average, by kind and lane: of a loop its threads together.
func (m *mover) took(region, construct int, inside, constructOf []int, loop bool) [][]float64 {
	out, stalls, section := make([][]float64, len(m.seen)), m.e.ownStalls(), 0
	for i := range inside {
		if section++; i == 0 || constructOf[i] != constructOf[i-1] {
			section = 0
		}
		at := lane{region, construct + constructOf[i], section}
		for k := range out {
			sections := m.means[k][at.region][at.construct]
			mean := sections[section]
			if loop {
				mean = floats.Sum(sections)
			}
			if own := stalls[at]; own != nil {
				mean = max(mean, mean+own[k])
			}
			out[k] = append(out[k], mean)
		}
	}
	return out
}

// limit keeps lanes from taking less than without what they wait: uses are taken band by band, of which each rounds to whole lines. Where blocks say less
// than that, as paths do of functions that several lanes call, something is left all the same.
func (m *mover) limit(bands table.Nearer, lanes []int, took [][]float64) {
	const nearlyAll = 1 - 1e-6
	for k, seen := range m.seen {
		waits, sum := 0.0, 0.0
		for _, l := range lanes {
			if l >= 0 && m.x.began[l] > 0 {
				x := m.e.accesses()
				waits += seen.StallOf(x.waiting(seen.Buffered)[l], x.conflicts(seen.Buffered)[l]) / m.x.began[l] * m.e.factor[k]
			}
		}
		most := min(nearlyAll, waits/max(floats.Sum(took[k]), 1e-9))
		for i := range bands {
			sum += bands[i].Less[k] // where nothing is here
		}
		for i := range bands {
			for at := k; sum > most && at < len(bands[i].Less); at += len(m.seen) {
				bands[i].Less[at] *= most / sum
			}
		}
	}
}

// band is uses as lanes of a construct see them.
func (m *mover) band(b *between, lane int, inside []int, at func(lane int) int, took [][]float64, loop bool) (out table.Band, worth bool) {
	kinds, l := len(m.seen), inside[lane]
	if out.Last = -1; loop && m.knowsTaken(l, b.last) {
		out.Kept, out.Each = m.kept(l, b.uses[0].Lines), m.each(l)
	}
	if out.Kept != nil {
	} else if loop && m.sharedAlike(l, b.last) {
		out.Last = 0
	} else if loop && b.last == l && m.dealt(l) {
		out.Dealt = min(1, b.by[l])
	}
	if loop {
		for other, part := range b.by {
			if !besides(m.e.Bundle.Memory.Lanes[other].Kind) && m.e.Bundle.Memory.Lanes[other].Kind != memory.InTask {
				out.Met += part
			}
		}
		out.Met = min(out.Met, 1-out.Dealt)
	} else {
		out = table.Band{Last: at(b.last), By: make([]float64, len(inside)+2)}
		for other, part := range b.by {
			if s := at(other); s >= 0 {
				out.By[s] += part
			} else if besides(m.e.Bundle.Memory.Lanes[other].Kind) {
				out.By[len(inside)+1] += part / float64(min(len(inside), len(m.e.kindOf))) // spread as evenly as this one
			} else {
				out.By[len(inside)] += part
			}
		}
	}
	out.Less = make([]float64, (table.Points+1)*kinds)
	for k, seen := range m.seen {
		all := took[k][lane]
		if loop {
			all = floats.Sum(took[k])
		}
		if all == 0 {
			continue
		}
		for at, cycles := range b.waitsLess(seen, m.e.accesses().conflicts(seen.Buffered)[l]) {
			less := cycles / m.x.began[l] * m.e.factor[k] / all
			out.Less[at*kinds+k] = less
			worth = worth || less > nothingNearer
		}
	}
	return out, worth
}

// dealt reports whether any thread of a loop may have any of its iterations, each time.
func (m *mover) dealt(lane int) bool {
	x := &m.e.Bundle.Memory.Lanes[lane]
	l := m.in.loop(x.Region, x.Construct)
	return l != nil && l.Shares == nil && l.Schedule.Dispatched()
}

// sharedAlike reports whether two loops share their iterations out alike, so that a thread has those of both that lie in one part of an array.
func (m *mover) sharedAlike(lane, last int) bool {
	of := func(l int) *sharing {
		x := &m.e.Bundle.Memory.Lanes[l]
		if x.Kind != memory.InLoop {
			return nil
		}
		return m.in.loop(x.Region, x.Construct)
	}
	now, then := of(lane), of(last)
	return now != nil && then != nil && (now.Shares != nil || !now.Schedule.Dispatched()) && now.Schedule == then.Schedule && slices.Equal(now.Shares, then.Shares)
}
