package replay

// This file makes the memory of a platform one that can be simulated.

import (
	"slices"

	"pathspan/mapping/hierarchy"
)

// MemoryOf returns the memory of a platform whose processors have such clocks, in MHz: levels and
// latencies are those that estimates use.
func MemoryOf(h *hierarchy.Memory, clocks []float64) *Memory {
	m := &Memory{Far: make([]float64, len(clocks)), Buffered: h.Buffered}
	if len(h.Local) > 0 {
		m.connect(h, clocks)
	}
	for i := range h.Caches {
		c := &h.Caches[i]
		l := Level{Size: c.Cache.Size, Line: c.Cache.Line, Ways: c.Cache.Ways, Of: make([]int, len(clocks)), Cycles: make([]float64, len(clocks))}
		for p, mhz := range clocks {
			l.Cycles[p] = c.Latency.Of(mhz)
			switch at := slices.Index(c.Processors, p); {
			case c.Shared && at >= 0:
				l.Of[p] = 0
			default:
				l.Of[p] = at // -1 for those that do not reach it
			}
		}
		m.Levels = append(m.Levels, l)
	}
	for p, mhz := range clocks {
		longer := h.Of(p, mhz).Longer
		m.Far[p] = longer[len(longer)-1]
		if e := h.Elsewhere; e != nil {
			m.Read, m.Write = append(m.Read, e.Read.Of(mhz)), append(m.Write, e.Write.Of(mhz))
		}
	}
	if d := h.Main.DRAM; d != nil && len(m.Levels) > 0 {
		m.Occupied = d.Occupied(float64(m.Levels[len(m.Levels)-1].Line)) * clocks[0] / 1e3
	}
	return m
}

// connect notes the processors that have memories of their own, and what lies between these.
func (m *Memory) connect(h *hierarchy.Memory, clocks []float64) {
	perNS := clocks[0] / 1e3
	for _, l := range h.Links {
		m.Links = append(m.Links, l.GBs/perNS)
	}
	for p := range clocks {
		own := h.LocalOf(p)
		m.Local, m.Remote = append(m.Local, own != nil), m.Remote || own != nil && own.Remote
		ways := make([]Way, len(clocks))
		for q := range clocks {
			ways[q].Links = h.Route(h.Node(p), h.Node(q))
			for _, l := range ways[q].Links {
				ways[q].Latency += h.Links[l].Latency * perNS
			}
		}
		m.Ways = append(m.Ways, ways)
	}
}
