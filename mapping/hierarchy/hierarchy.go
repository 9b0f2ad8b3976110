// Package hierarchy describes what lies between the processors of a platform and its main
// memory, as platform files say it, and what accesses wait there.
//
//	memory:
//	  levels:                                    # from the processors outwards
//	    - {name: L1, size: 32768, line: 64, ways: 4}
//	    - {name: L2, size: 524288, line: 64, ways: 16, latency: 12}
//	  local:                                     # see [Local]
//	    - {name: scratchpad, size: 65536, processors: [dsp]}
//	  main: {latency_ns: 80}                     # or {dram: ...}, see [DRAM]
//	interconnect:                                # see [Interconnect]
//	  bus: {latency_ns: 50, gb_s: 4}
//
// What processor models say of a load or a store is what it takes in the first level. All else
// is added: a latency is how much longer an access takes that finds its line there and not before.
//
// The package knows caches from package caches, and nothing of programs.
package hierarchy

// This file declares the levels and says what accesses wait for.

import (
	"slices"

	"pathspan/mapping/caches"
)

// Memory is what a platform's processors reach their data through.
type Memory struct {
	Caches []Level // outwards
	Local  []Local // of some processors, behind their caches
	Main   Main    // of all others
	// Buffered says that stores wait for nothing: a buffer has them until their line is there.
	Buffered bool
	// Elsewhere is what an access takes whose line is at another processor; nil where levels say that.
	Elsewhere *Elsewhere
	Between
}

// Elsewhere is what an access takes longer than in the first level: one that reads what another processor wrote, and one that writes
// what another read or wrote since, which waits even where stores are buffered: the buffer holds few lines that are not there yet.
type Elsewhere struct{ Read, Write Latency }

// Level is a level of caches.
type Level struct {
	Name       string
	Cache      caches.Cache
	Latency    Latency
	Processors []int // that reach it, ascending
	Shared     bool  // they share one; else each has its own
}

// Latency is a time in cycles of the processor that waits, and one in ns, one of which is 0.
type Latency struct{ Cycles, NS float64 }

// Of returns the latency in cycles of a clock in MHz.
func (l Latency) Of(mhz float64) float64 { return l.Cycles + l.NS*mhz/1e3 }

// Main is the memory behind all levels.
type Main struct {
	Latency Latency
	DRAM    *DRAM // nil where the latency is all that is said
}

// Seen is what a processor sees: the caches on its way to main memory, and what an access takes
// longer that is served behind the first, behind the second and so on, in its cycles.
type Seen struct {
	Caches []caches.Cache
	Shared []bool // with other processors
	Longer []float64
	// Buffered says that stores do not wait; see [Memory].
	Buffered bool
	// Read and Write are what [Elsewhere] says, in its cycles; 0 where it says nothing.
	Read, Write float64
}

// Of returns what a processor sees at a clock in MHz.
func (m *Memory) Of(processor int, mhz float64) Seen {
	var s Seen
	line := int64(caches.RecordedLine)
	for i := range m.Caches {
		l := &m.Caches[i]
		if !slices.Contains(l.Processors, processor) {
			continue
		}
		if s.Caches != nil {
			s.Longer = append(s.Longer, l.Latency.Of(mhz))
		}
		s.Caches, s.Shared, line = append(s.Caches, l.Cache), append(s.Shared, l.Shared), l.Cache.Line
	}
	last := m.Main.latency(float64(line))
	if l := m.LocalOf(processor); l != nil {
		last = l.Latency
	}
	s.Longer, s.Buffered = append(s.Longer, last.Of(mhz)), m.Buffered && m.LocalOf(processor) == nil
	if e := m.Elsewhere; e != nil {
		s.Read, s.Write = e.Read.Of(mhz), e.Write.Of(mhz)
	}
	return s
}

// latency is what bringing in a line of so many bytes takes.
func (m *Main) latency(line float64) Latency {
	if m.DRAM == nil {
		return m.Latency
	}
	return Latency{NS: m.DRAM.Transfer(line)}
}

// Occupied returns how long an access of a processor to main memory keeps those of others waiting, in cycles
// of a clock in MHz; 0 where that is not said, and of one that works on a local memory.
func (m *Memory) Occupied(processor int, s Seen, mhz float64) float64 {
	if m.Main.DRAM == nil || m.LocalOf(processor) != nil {
		return 0
	}
	return Latency{NS: m.Main.DRAM.Occupied(float64(s.Caches[len(s.Caches)-1].Line))}.Of(mhz)
}

// Misses returns how many accesses miss in each cache, the first one's first. What misses in one has missed
// in all before it.
func (s Seen) Misses(h caches.Histogram) []float64 { return s.misses(h, nil, 1, 0) }

// misses is that where a sample says which lines share sets, so many times as many lines lie between two uses in the caches that the processor does
// not share, and so many lines of others in those that it does.
func (s Seen) misses(h caches.Histogram, sample []caches.Conflict, own, others float64) []float64 {
	out := make([]float64, len(s.Caches))
	for i, c := range s.Caches {
		if s.Shared[i] {
			out[i] = c.MissesBeside(h, sample, others)
		} else {
			out[i] = c.MissesOf(h, sample, own)
		}
		if i > 0 {
			out[i] = min(out[i], out[i-1])
		}
	}
	return out
}

// Stall returns the cycles that accesses wait beyond the first level: each for the level that
// serves it, one after the other, as on a processor that goes on when its data are there.
// Lines that are written back cost nothing.
func (s Seen) Stall(h caches.Histogram) float64 { return s.stall(s.Misses(h)) }

// StallOf is Stall where a sample says which lines share sets.
func (s Seen) StallOf(h caches.Histogram, sample []caches.Conflict) float64 {
	return s.stall(s.misses(h, sample, 1, 0))
}

// Nearer returns the cycles that accesses wait less than StallOf says where only a part of the lines between two uses of
// one comes into the caches that the processor does not share.
func (s Seen) Nearer(h caches.Histogram, sample []caches.Conflict, part float64) float64 {
	return max(0, s.StallOf(h, sample)-s.stall(s.misses(h, sample, part, 0)))
}

// Apart returns the cycles that accesses wait longer than Stall says where another processor
// wrote their lines last, which the first so many levels are not shared with: no line is there, and where it is said what
// that takes, it takes no other time in the level behind these.
func (s Seen) Apart(h caches.Histogram, levels int) float64 {
	misses, all := s.Misses(h), 0.0
	for _, r := range h {
		all += r.Times
	}
	near := s.stall(misses)
	for i := range levels {
		misses[i] = max(misses[i], all*float64(caches.RecordedLine/s.Caches[i].Line))
	}
	if levels > 0 && s.Read > 0 {
		s.Longer = slices.Clone(s.Longer)
		s.Longer[levels-1] = s.Read
	}
	return s.stall(misses) - near
}

// Crowded returns the cycles that accesses wait longer than StallOf says where so many processors use the levels that they share: as often as each
// other (X. E. Chen, T. M. Aamodt, HPCA 2009, and PPT-Multicore stretch distances so), and all together so many lines, so that no more lie between two uses of one.
func (s Seen) Crowded(h caches.Histogram, sample []caches.Conflict, sharers, lines float64) (longer float64) {
	for _, r := range h {
		if times := min(sharers, lines/float64(r.Lines)); times > 1 {
			one := caches.Histogram{r}
			others := (times - 1) * float64(caches.Behind(r.Lines)+r.Lines) / 2
			longer += s.stall(s.misses(one, sample, 1, others)) - s.StallOf(one, sample)
		}
	}
	return max(0, longer)
}

// stall adds up what misses wait for: each that the next level serves for that.
func (s Seen) stall(misses []float64) (sum float64) {
	for i, n := range misses {
		served := n
		if i+1 < len(misses) {
			served -= misses[i+1]
		}
		sum += served * s.Longer[i]
	}
	return sum
}

// Equal reports whether two see the same.
func (s Seen) Equal(o Seen) bool {
	return slices.Equal(s.Caches, o.Caches) && slices.Equal(s.Shared, o.Shared) && slices.Equal(s.Longer, o.Longer) && s.Buffered == o.Buffered && s.Read == o.Read && s.Write == o.Write
}

// Levels returns how many levels a reader does not share with a writer: 0 for the processor itself.
func (m *Memory) Levels(writer, reader int) (own int) {
	if writer == reader {
		return 0
	}
	for i := range m.Caches {
		if l := &m.Caches[i]; slices.Contains(l.Processors, reader) {
			if l.Shared && slices.Contains(l.Processors, writer) {
				return own
			}
			own++
		}
	}
	return own
}

// Alike reports whether two of so many processors share the same with all others, and reach them the same way.
func (m *Memory) Alike(p, q, processors int) bool {
	if !m.linkedAlike(p, q) {
		return false
	}
	for r := range processors {
		if r != p && r != q && (m.Levels(p, r) != m.Levels(q, r) || m.Levels(r, p) != m.Levels(r, q)) {
			return false
		}
	}
	return m.Levels(p, q) == m.Levels(q, p)
}

// Exact reports whether all lines are of the length that profiles tell apart (caches.Cache.Exact).
func (m *Memory) Exact() bool {
	return !slices.ContainsFunc(m.Caches, func(l Level) bool { return !l.Cache.Exact() })
}
