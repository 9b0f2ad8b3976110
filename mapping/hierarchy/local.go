package hierarchy

// This file knows local memories: what a processor works on that reaches no other memory itself.

import (
	"slices"

	"pathspan/yamlstrict"
)

// Local is a memory that each of some processors has for itself, behind its caches if it has some.
type Local struct {
	Name       string
	Size       int64   // bytes; 0 where Remote
	Latency    Latency // of what its caches miss; none where there are none
	Processors []int   // ascending
	// Remote is set where nothing is copied: each access to what others use as well crosses the
	// interconnect (C_D of L. Cai, D. Gajski, UC Irvine TR 02-07, section 5.3.2.2). Else a section copies
	// what it reads of others when it begins, and what they read of it when it ends (C_S, 5.3.2.1).
	Remote bool
}

// LocalOf returns the local memory of a processor, nil where it works on main memory.
func (m *Memory) LocalOf(processor int) *Local {
	for i := range m.Local {
		if slices.Contains(m.Local[i].Processors, processor) {
			return &m.Local[i]
		}
	}
	return nil
}

// locals reads local memories, behind the levels.
func (m *Memory) locals(v yamlstrict.Value, processors []string) {
	for _, x := range v.List() {
		f := x.Fields("name", "size", "latency", "latency_ns", "processors", "copies")
		l := Local{Name: f.Need("name").Text(), Processors: named(f.Get("processors"), processors), Latency: latency(f)}
		if c := f.Get("copies"); c.Has() {
			l.Remote = c.Word("ends", "none") == "none"
		}
		size := f.Get("size")
		switch {
		case !l.Remote:
			l.Size = int64(f.Need("size").Int(1, maxBytes))
		case size.Has():
			size.Fail("local memory %s has copies: none, so that nothing asks how large it is: leave size out", l.Name)
		}
		for _, p := range l.Processors {
			if other := m.LocalOf(p); other != nil {
				x.Fail("processor %s has local memory %s, and %s as well: give it one", processors[p], other.Name, l.Name)
			}
		}
		m.nest(x, &inner{"local memory " + l.Name, l.Processors, false, l.Size, 0, l.Latency, "leave shared out there, or name those that have no local memory in its processors"})
		m.Local = append(m.Local, l)
	}
	if v.Has() && len(m.Local) == 0 {
		v.Fail("memory.local is empty: leave it out")
	}
}
