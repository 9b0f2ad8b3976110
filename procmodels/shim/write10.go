package shim

// This file writes a system as SHIM 1.0, as far as 1.0 can say it.

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strconv"
)

// Write10 writes a system as a SHIM 1.0 file and returns what 1.0 has no place for, a
// remark each: widths of operands (one figure an opcode stays, that of 32 bits if there
// is one), clocks of memories, references of masters to shared caches, and the like.
// A system of a 1.0 file loses nothing. The same system gives the same bytes. A system
// that Check refuses, or without any clock, is an error and writes nothing.
func Write10(out io.Writer, s *System) (lost []string, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	w := &writer{ten: true}
	clock := s.ClockHz
	masters := s.Masters()
	for i := 0; clock == 0 && i < len(masters); i++ {
		clock = masters[i].ClockHz
	}
	if clock == 0 {
		return nil, fmt.Errorf("SHIM 1.0 needs a clock, and neither the system nor a component has one; write version 2.0")
	}
	c := &components10{writer: w, users: map[string]int{}, ids: map[string]bool{}}
	for _, m := range masters {
		for _, id := range m.Caches {
			c.users[id]++
		}
		for _, a := range m.AccessTypes {
			c.ids[a.ID] = true
		}
	}
	w.buf.WriteString(xml.Header)
	w.open("SystemConfiguration", "name", s.Name, "shimVersion", "1.0")
	c.set(&s.Root)
	w.communications(s.Communications)
	w.addressSpaces(s.AddressSpaces)
	w.clock(clock)
	w.close()
	_, err = out.Write(w.buf.Bytes())
	return w.lost, err
}

// components10 writes clusters, whose private caches lie in their master in 1.0.
type components10 struct {
	*writer
	users map[string]int  // masters by cache that they refer to
	ids   map[string]bool // of access types
	next  map[string]int
}

// lose remarks on something, once.
func (w *writer) lose(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(w.lost, text) {
		w.lost = append(w.lost, text)
	}
}

func (w *writer) clock(hz int64) {
	w.leaf("ClockFrequency", "clockValue", strconv.FormatInt(hz, 10))
}

// spelling10 is how 1.0 spells a word of 2.0.
func spelling10(word string) string {
	for old, now := range renamed {
		if now == word {
			return old
		}
	}
	return word
}

func (c *components10) set(set *ComponentSet) {
	c.open("ComponentSet", "name", set.Name)
	for i := range set.Sets {
		c.set(&set.Sets[i])
	}
	for _, x := range set.Slaves {
		value, unit := size(x.Bytes)
		c.leaf("SlaveComponent", "name", x.Name, "id", x.ID, "size", value, "sizeUnit", unit, "rwType", x.RW)
		if x.ClockHz != 0 {
			c.lose("the clock of memory %q", x.Name)
		}
	}
	private := map[string]*Cache{}
	for i := range set.Caches {
		if x := &set.Caches[i]; c.users[x.ID] == 1 {
			private[x.ID] = x
		}
	}
	written := map[string]bool{}
	for i := range set.Masters {
		c.master(&set.Masters[i], private, written)
	}
	for i := range set.Caches {
		if x := &set.Caches[i]; !written[x.ID] {
			c.cache(x, 0)
		}
	}
	c.close()
}

func (c *components10) master(m *Master, private map[string]*Cache, written map[string]bool) {
	c.open("MasterComponent", "name", m.Name, "id", m.ID, "masterType", m.Type, "arch", m.Arch, "archOption", m.ArchOption,
		"pid", m.PID, "nThread", number(m.Threads), "endian", m.Endian)
	if m.Channels != 0 {
		c.lose("the channels of component %q", m.Name)
	}
	if m.InstructionSet != "" {
		c.instructions(m)
	}
	for _, id := range m.Caches {
		if x := private[id]; x != nil {
			c.cache(x, m.ClockHz)
			written[id] = true
		} else {
			c.lose("that component %q uses cache %q, which others use or which lies elsewhere", m.Name, id)
		}
	}
	if m.ClockHz != 0 {
		c.clock(m.ClockHz)
	}
	c.open("AccessTypeSet")
	for _, a := range m.AccessTypes {
		c.leaf("AccessType", "name", a.Name, "id", a.ID, "rwType", a.RW, "accessByteSize", number(a.Bytes),
			"alignmentByteSize", number(a.Alignment), "nBurst", number(a.Burst))
	}
	if len(m.AccessTypes) == 0 { // the schema wants one
		if c.next == nil {
			c.next = map[string]int{}
		}
		c.leaf("AccessType", "name", "any", "id", freeID("AT_any", c.next, func(id string) bool { return c.ids[id] }), "rwType", "RWX")
	}
	c.close()
	c.close()
}

func (c *components10) cache(x *Cache, clock int64) {
	value, unit := size(x.Bytes)
	c.open("Cache", "name", x.Name, "id", x.ID, "cacheType", x.Type, "cacheCoherency", spelling10(x.Coherency),
		"size", value, "sizeUnit", unit, "nWay", strconv.Itoa(x.Ways), "lineSize", strconv.Itoa(x.LineBytes), "lockDownType", x.LockDown)
	for _, id := range x.Caches {
		c.text("cacheRef", id)
	}
	c.close()
	if x.Replacement != "" {
		c.lose("the replacement of cache %q", x.Name)
	}
	if x.ClockHz != 0 && x.ClockHz != clock {
		c.lose("the clock of cache %q", x.Name)
	}
}

// instructions writes one figure for each opcode.
func (c *components10) instructions(m *Master) {
	var order []string
	by := map[string][]*Instruction{}
	for i := range m.Units {
		for j := range m.Units[i].Instructions {
			in := &m.Units[i].Instructions[j]
			if by[in.Operation] == nil {
				order = append(order, in.Operation)
			}
			by[in.Operation] = append(by[in.Operation], in)
		}
	}
	if len(order) == 0 {
		return // the schema wants one or more
	}
	c.open("CommonInstructionSet", "name", m.InstructionSet)
	for _, op := range order {
		in := by[op][0]
		for _, other := range by[op][1:] {
			if rank10(other) < rank10(in) {
				in = other
			}
		}
		if len(by[op]) > 1 {
			c.lose("the widths of %q of component %q but one", op, m.Name)
		}
		c.open("Instruction", "name", op)
		c.open("Performance")
		c.figures(in.Pitch, in.Latency)
		c.close()
		c.close()
	}
	c.close()
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
