package shim

// This file adds the latencies of memories to loads and stores.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

// accessesOf lists the accesses that an opcode makes to memory.
var accessesOf = map[string][]string{
	"load": {"load"}, "store": {"store"}, "atomicrmw": {"load", "store"}, "cmpxchg": {"load", "store"},
}

// reached is a memory that a master can access, through one sub-space.
type reached struct {
	space *SubSpace
	slave *Slave // nil where the file does not have it
	sets  []PerformanceSet
}

// name is that of the sub-space; with the memory's behind it where several lie there.
func (r *reached) name() string {
	n := cmp.Or(r.space.Name, r.space.ID)
	if len(r.space.Bindings) > 1 && r.slave != nil {
		n += "/" + cmp.Or(r.slave.Name, r.slave.ID)
	}
	return clip(n)
}

func (r *reached) is(want string) bool {
	return want == r.name() || want == r.space.Name || want == r.space.ID || r.slave != nil && (want == r.slave.Name || want == r.slave.ID)
}

// memoriesOf lists what a master can access, in document order.
func (s *System) memoriesOf(m *Master) []*reached {
	slaves := map[string]*Slave{}
	s.Root.each(func(c *ComponentSet) {
		for i := range c.Slaves {
			slaves[c.Slaves[i].ID] = &c.Slaves[i]
		}
	})
	var list []*reached
	s.eachAccessor(func(sub *SubSpace, b *Binding, a *Accessor) {
		if a.Master == m.ID {
			list = append(list, &reached{sub, slaves[b.Slave], a.Sets})
		}
	})
	return list
}

// maxNamed bounds how many memories a message lists.
const maxNamed = 20

// memoryNames lists the names of memories, each once.
func memoryNames(list []*reached) string {
	var names []string
	for _, r := range list {
		if n := r.name(); !slices.Contains(names, n) {
			names = append(names, n)
		}
		if len(names) > maxNamed {
			names[maxNamed] = "..."
			break
		}
	}
	if len(names) == 0 {
		return "the file gives it none"
	}
	return strings.Join(names, ", ")
}

// pickMemory finds a memory by name or id; nil for "".
func pickMemory(list []*reached, want string) (*reached, error) {
	if want == "" {
		return nil, nil
	}
	var names []string
	for _, r := range list {
		if r.is(want) {
			return r, nil
		}
		names = append(names, r.name())
		if r.slave != nil {
			names = append(names, r.slave.Name)
		}
	}
	if len(list) == 0 {
		return nil, errors.New("the file gives it no latency of any memory; leave memory= out")
	}
	if near := yamlstrict.Nearest(want, names); near != "" {
		return nil, fmt.Errorf("it reaches no memory %q; did you mean %q?", clip(want), near)
	}
	return nil, fmt.Errorf("it reaches no memory %q; it reaches %s", clip(want), memoryNames(list))
}

// readMemory takes the latencies of accesses in: of the memory itself, not of hits in
// a cache, by access type; of single accesses rather than bursts.
func (t *model) readMemory(path, name string, m *Master, memory *reached, opt options) {
	if memory == nil {
		return
	}
	warn := func(format string, args ...any) {
		t.warnings = append(t.warnings, fmt.Sprintf("%s: %s: memory %s: ", path, name, memory.name())+fmt.Sprintf(format, args...))
	}
	var list, hits []Access
	for _, set := range memory.sets {
		if set.Cache == "" {
			list = append(list, set.Access...)
		} else {
			hits = append(hits, set.Access...)
		}
	}
	if len(list) == 0 && len(hits) > 0 {
		warn("only hits in a cache have figures; these are taken")
		list = hits
	}
	types := map[string]AccessType{}
	for _, a := range m.AccessTypes {
		types[a.ID] = a
	}
	t.memory = map[string][]figure{}
	for _, access := range []string{"load", "store"} {
		single, burst := accessFigures(list, types, access, opt)
		if len(single) == 0 {
			single = burst
		}
		if len(single) == 0 {
			warn("no figure for a %s; it pays nothing", access)
			continue
		}
		nameFactors(single, fmt.Sprintf("%s access to %s", access, memory.name()), false)
		t.memory[access] = single
	}
}

// accessFigures picks the figures of accesses that read or write, one for each width;
// the first counts.
func accessFigures(list []Access, types map[string]AccessType, access string, opt options) (single, burst []figure) {
	letter := "R"
	if access == "store" {
		letter = "W"
	}
	for _, a := range list {
		at := types[a.AccessType]
		if at.RW != "" && !strings.Contains(at.RW, letter) {
			continue
		}
		f, _ := figureOf(opt.of(a.Pitch, a.Latency))
		f.inBits, f.outBits = 8*at.Bytes, 8*at.Bytes
		into := &single
		if at.Burst > 1 {
			into = &burst
		}
		if !slices.ContainsFunc(*into, func(g figure) bool { return g.inBits == f.inBits }) {
			*into = append(*into, f)
		}
	}
	return single, burst
}
