package hierarchy

// This file knows what connects local memories and main memory: a bus, or links between two.

import (
	"slices"

	"pathspan/yamlstrict"
)

// MainNode stands for main memory where a link leads to it.
const MainNode = -1

// Between is what lies between memories: each local one, by its processor, and main memory.
type Between struct {
	Bus   bool // Links has one, which all copies use
	Links []Link
	names []string // of processors
}

// Link carries copies both ways; those that use it at a time share its rate evenly.
type Link struct {
	Nodes   [2]int  // processors, MainNode; of a bus nothing
	Latency float64 // ns from when a copy is asked for to when its first byte moves
	GBs     float64 // 10^9 bytes a second
}

// Node tells whose memory a processor works on: its own, or main memory.
func (m *Memory) Node(processor int) int {
	if m.LocalOf(processor) != nil {
		return processor
	}
	return MainNode
}

// ReadInterconnect reads what connects the memories of a platform that Read has read; nil is no memory.
//
//	interconnect:
//	  links:                                     # or bus: {...}, one for all
//	    - {between: [main, dsp0], latency_ns: 40, gb_s: 2}
//	    - {between: [dsp0, dsp1], mhz: 500, latency: 4, bytes_per_cycle: 8}
//
// Latencies and bytes by cycle are those of its own clock.
func ReadInterconnect(v yamlstrict.Value, m *Memory, processors []string) {
	if m == nil || len(m.Local) == 0 {
		v.Fail("interconnect connects local memories, and no processor has one: add local: to memory, or leave interconnect out; processors that share caches or main memory find there what others wrote")
		return
	}
	f := v.Fields("bus", "links")
	bus, links := f.Get("bus"), f.Get("links")
	m.names = processors
	switch {
	case bus.Has() && links.Has():
		links.Fail("interconnect has a bus and links: give one of the two")
	case bus.Has():
		m.Bus, m.Links = true, []Link{link(bus.Fields("latency_ns", "latency", "gb_s", "bytes_per_cycle", "mhz"), bus)}
	case links.Has():
		for _, l := range links.List() {
			m.link(l)
		}
		m.connected(links)
	default:
		v.Fail("interconnect says nothing: give its bus or links")
	}
}

// link reads how fast one is.
func link(f yamlstrict.Fields, v yamlstrict.Value) (l Link) {
	mhz, cycles, bytes := f.Get("mhz"), f.Get("latency"), f.Get("bytes_per_cycle")
	ns, gbs := f.Get("latency_ns"), f.Get("gb_s")
	cycle := 0.0 // in ns
	switch needs := cycles.Has() || bytes.Has(); {
	case mhz.Has() && !needs:
		mhz.Fail("mhz is the clock of latency and bytes_per_cycle, and neither is there: leave it out")
	case needs:
		cycle = 1e3 / positive(f.Need("mhz"))
	}
	switch {
	case cycles.Has() && ns.Has():
		ns.Fail("latency and latency_ns: give one of the two")
	case bytes.Has() && gbs.Has():
		gbs.Fail("bytes_per_cycle and gb_s: give one of the two")
	case !cycles.Has() && !ns.Has():
		v.Fail("what does it take until the first byte moves? give latency_ns, or latency in cycles of mhz; 0 for nothing")
	case !bytes.Has() && !gbs.Has():
		v.Fail("how fast is it? give gb_s in 10^9 bytes a second, or bytes_per_cycle and mhz")
	}
	if cycles.Has() {
		l.Latency = cycles.Number(0, maxLatency) * cycle
	} else if ns.Has() {
		l.Latency = ns.Number(0, maxLatency)
	}
	if bytes.Has() {
		l.GBs = positive(bytes) / cycle
	} else if gbs.Has() {
		l.GBs = positive(gbs)
	}
	return l
}

// link reads a link between two memories.
func (m *Memory) link(v yamlstrict.Value) {
	f := v.Fields("between", "latency_ns", "latency", "gb_s", "bytes_per_cycle", "mhz")
	l := link(f, v)
	ends := f.Need("between").List()
	if len(ends) != 2 && f.Get("between").Has() {
		f.Get("between").Fail("a link lies between two memories, not %d: name processors, or %s", len(ends), mainName)
		return
	}
	for i, x := range ends {
		l.Nodes[i] = m.node(x)
	}
	if len(ends) == 2 && l.Nodes[0] == l.Nodes[1] {
		f.Get("between").Fail("the link leads from %s to itself", m.nodeName(l.Nodes[0]))
	}
	m.Links = append(m.Links, l)
}

// mainName is main memory in between.
const mainName = "main"

func (m *Memory) nodeName(node int) string {
	if node == MainNode {
		return mainName
	}
	return m.names[node]
}

// node reads an end of a link.
func (m *Memory) node(v yamlstrict.Value) int {
	var names []string
	main := false
	for p, name := range m.names {
		if m.LocalOf(p) != nil {
			names = append(names, name)
		} else {
			main = true
		}
	}
	if main {
		names = append(names, mainName)
	}
	if text := v.Text(); slices.Contains(m.names, text) && !slices.Contains(names, text) {
		v.Fail("a link leads to processor %s, which has no local memory: want %s, where its data lie", text, mainName)
		return MainNode
	}
	text := v.Word(names...)
	if text == mainName {
		return MainNode
	}
	return slices.Index(m.names, text)
}

// connected refuses links of which none leads from some memory to the others.
func (m *Memory) connected(v yamlstrict.Value) {
	from := m.Node(0)
	for p, name := range m.names {
		if to := m.Node(p); to != from && m.Route(from, to) == nil {
			if to == MainNode {
				name = mainName
			}
			v.Fail("no link leads from %s to %s, and what one computes the other may need: add one, or links over others", m.nodeName(from), name)
			return
		}
	}
}

// Route returns the links from one memory to another, one of those ways that take the least latency, and of these of
// the fewest links; nil where they are one, or where there is none.
func (m *Memory) Route(from, to int) []int {
	if from == to {
		return nil
	}
	if m.Bus {
		return []int{0}
	}
	type way struct {
		latency float64
		links   []int
		done    bool
	}
	ways := map[int]*way{from: {}}
	for {
		at, next := 0, (*way)(nil)
		for node := MainNode; node < len(m.names); node++ { // in order, so that ties are always broken the same
			if w := ways[node]; w != nil && !w.done && (next == nil || w.latency < next.latency || w.latency == next.latency && len(w.links) < len(next.links)) {
				at, next = node, w
			}
		}
		if next == nil {
			return nil
		}
		if at == to {
			return next.links
		}
		next.done = true
		for i := range m.Links {
			l := &m.Links[i]
			k := slices.Index(l.Nodes[:], at)
			if k < 0 {
				continue
			}
			w := &way{latency: next.latency + l.Latency, links: append(slices.Clone(next.links), i)}
			if old := ways[l.Nodes[1-k]]; old == nil || !old.done && (w.latency < old.latency || w.latency == old.latency && len(w.links) < len(old.links)) {
				ways[l.Nodes[1-k]] = w
			}
		}
	}
}

// linkedAlike reports whether it makes no difference if two processors change their places: both have no local
// memory, or equal ones, at a bus or at the ends of one equal link each to the same memory.
func (m *Memory) linkedAlike(p, q int) bool {
	if m.LocalOf(p) != m.LocalOf(q) {
		return false
	}
	if m.LocalOf(p) == nil || m.Bus {
		return true
	}
	ends := func(node int) (to int, link Link, n int) {
		for _, l := range m.Links {
			if k := slices.Index(l.Nodes[:], node); k >= 0 {
				to, link = l.Nodes[1-k], l
				n++
			}
		}
		link.Nodes = [2]int{}
		return to, link, n
	}
	a, one, n := ends(p)
	b, other, k := ends(q)
	return n == 1 && k == 1 && one == other && a == b
}
