package shim

// This file is what differs in SHIM 1.0: its structure, and what it cannot say.

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
)

// Write10 writes a system as a SHIM 1.0 file and returns what 1.0 has no place for, a
// remark each: widths of operands (one figure an opcode stays, that of 32 bits if there
// is one), clocks of memories, references of masters to shared caches, and the like.
// A system of a 1.0 file loses nothing. The same system gives the same bytes. A system
// without any clock is an error and writes nothing.
func Write10(out io.Writer, s *System) (lost []string, err error) {
	masters := s.Masters()
	clock := s.ClockHz
	users := map[string]int{} // masters by cache that they refer to
	for _, m := range masters {
		if clock == 0 {
			clock = m.ClockHz
		}
		for _, id := range m.Caches {
			users[id]++
		}
	}
	if clock == 0 {
		return nil, fmt.Errorf("SHIM 1.0 needs a clock, and neither the system nor a component has one; write version 2.0")
	}
	w := newWriter(schema10(), s)
	w.private = map[string]bool{}
	s.Root.each(func(set *ComponentSet) {
		for _, m := range set.Masters {
			for _, x := range set.Caches {
				if users[x.ID] == 1 && slices.Contains(m.Caches, x.ID) {
					w.private[x.ID] = true
				}
			}
		}
	})
	root := w.element("SystemConfiguration", reflect.ValueOf(s).Elem())
	root.attrs = []attr{{"name", s.Name}, {"shimVersion", "1.0"}}
	root.add("ClockFrequency", "clockValue", strconv.FormatInt(clock, 10))
	return w.lost10(s), w.print(out, root)
}

func (w *writer) ten() bool { return w.private != nil }

// nestCaches moves the private caches of a cluster into their masters.
func (w *writer) nestCaches(n *node, set *ComponentSet) {
	masters := n.all("MasterComponent")
	n.children = slices.DeleteFunc(n.children, func(c *node) bool {
		at := slices.IndexFunc(set.Masters, func(m Master) bool {
			return c.name == "Cache" && w.private[c.attr("id")] && slices.Contains(m.Caches, c.attr("id"))
		})
		if at >= 0 {
			masters[at].children = append(masters[at].children, c)
			masters[at].arrange(w.schema["MasterComponent"])
		}
		return at >= 0
	})
}

// oneEach leaves one figure for each opcode, in one unit; nil where there is none.
func oneEach(units []FunctionalUnit) []Instruction {
	var list []Instruction
	at := map[string]int{}
	for _, u := range units {
		for _, in := range u.Instructions {
			i, ok := at[in.Operation]
			switch {
			case !ok:
				at[in.Operation] = len(list)
				list = append(list, in)
			case rank10(&in) < rank10(&list[i]):
				list[i] = in
			}
		}
	}
	for i := range list {
		list[i].Name = list[i].Operation
	}
	return list
}

// rank10 orders the figures of an opcode by how well they stand for all: scalar
// before vector, any width, then 32 bits, then wider, then narrower.
func rank10(in *Instruction) int {
	bits := max(in.InputBits, in.OutputBits)
	rank := 0
	switch {
	case bits == 0:
	case bits >= 32:
		rank = bits
	default:
		rank = 1<<20 - bits
	}
	if in.SIMDWidth > 1 {
		rank += 1 << 24
	}
	return rank
}

// lost10 lists what of a system 1.0 cannot say, each thing once.
func (w *writer) lost10(s *System) []string {
	var lost []string
	lose := func(is bool, format string, args ...any) {
		if text := fmt.Sprintf(format, args...); is && !slices.Contains(lost, text) {
			lost = append(lost, text)
		}
	}
	s.Root.each(func(set *ComponentSet) {
		clock := map[string]int64{} // of private caches: that of their master
		for _, x := range set.Slaves {
			lose(x.ClockHz != 0, "the clock of memory %q", x.Name)
		}
		for _, m := range set.Masters {
			lose(m.Channels != 0, "the channels of component %q", m.Name)
			seen := map[string]bool{}
			for _, u := range m.Units {
				for _, in := range u.Instructions {
					lose(seen[in.Operation], "the widths of %q of component %q but one", in.Operation, m.Name)
					seen[in.Operation] = true
				}
			}
			for _, id := range m.Caches {
				clock[id] = m.ClockHz
				lose(!w.private[id], "that component %q uses cache %q, which others use or which lies elsewhere", m.Name, id)
			}
		}
		for _, x := range set.Caches {
			lose(x.Replacement != "", "the replacement of cache %q", x.Name)
			lose(x.ClockHz != 0 && (!w.private[x.ID] || x.ClockHz != clock[x.ID]), "the clock of cache %q", x.Name)
		}
	})
	s.eachAccessor(func(sub *SubSpace, _ *Binding, a *Accessor) {
		for _, set := range a.Sets {
			lose(set.Cache != "", "latencies of hits in a cache, of sub-space %q", sub.Name)
		}
	})
	return lost
}
