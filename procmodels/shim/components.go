package shim

// This file loads components: clusters, masters with their instructions, memories,
// caches.

import "fmt"

func (l *loader) componentSet(n *node) ComponentSet {
	set := ComponentSet{Name: n.attr("name"), ID: l.index.id[n]}
	for _, c := range n.all("ComponentSet") {
		set.Sets = append(set.Sets, l.componentSet(c))
	}
	for _, c := range n.all("MasterComponent") {
		set.Masters = append(set.Masters, l.master(c))
		for _, own := range c.all("Cache") { // SHIM 1.0
			set.Caches = append(set.Caches, l.cache(own))
		}
	}
	for _, c := range n.all("SlaveComponent") {
		set.Slaves = append(set.Slaves, Slave{
			Name: c.attr("name"), ID: l.index.id[c], Bytes: l.bytes(c, "size", "sizeUnit"), RW: l.rw(c, "RW"),
		})
	}
	for _, c := range n.all("Cache") {
		set.Caches = append(set.Caches, l.cache(c))
	}
	return set
}

func (l *loader) master(n *node) Master {
	m := Master{
		Name: n.attr("name"), ID: l.index.id[n],
		Type:       l.word(n, "masterType", "PU", "PU", "TU", "OTHER"),
		Arch:       n.attr("arch"),
		ArchOption: n.attr("archOption"),
		PID:        n.attr("pid"),
		Endian:     l.word(n, "endian", "LITTLE", "LITTLE", "BIG"),
		Channels:   l.count(n, "nChannel", 0),
		Threads:    l.count(n, "nThread", 0),
		Caches:     l.cacheRefs(n),
	}
	for _, c := range n.all("Cache") { // SHIM 1.0: a master's caches lie in it
		m.Caches = append(m.Caches, l.index.id[c])
	}
	if set := n.first("CommonInstructionSet"); set != nil {
		m.InstructionSet = set.attr("name")
		if m.InstructionSet == "" {
			m.InstructionSet = "CommonInstructionSet"
		}
		m.Units = l.units(set)
	}
	if set := n.first("AccessTypeSet"); set != nil {
		for _, c := range set.all("AccessType") {
			m.AccessTypes = append(m.AccessTypes, AccessType{
				Name: c.attr("name"), ID: l.index.id[c], RW: l.rw(c, ""),
				Bytes:     l.count(c, "accessByteSize", 0),
				Alignment: l.count(c, "alignmentByteSize", 0),
				Burst:     l.count(c, "nBurst", 0),
			})
		}
	}
	return m
}

// units reads the instructions: directly beneath the set in SHIM 1.0, by functional
// unit in 2.0, perhaps in a file of their own.
func (l *loader) units(set *node) []FunctionalUnit {
	var units []FunctionalUnit
	if list := l.instructions(set); list != nil {
		units = append(units, FunctionalUnit{"all", list})
	}
	sets := set.all("FunctionalUnitSet")
	for _, c := range set.all("FunctionalUnitSetFile") {
		if other := l.unitFile(c); other != nil {
			sets = append(sets, other)
		}
	}
	for _, s := range sets {
		for _, c := range s.all("FunctionalUnit") {
			u := FunctionalUnit{c.attr("name"), l.instructions(c)}
			if u.Name == "" {
				u.Name = fmt.Sprintf("unit%d", len(units))
			}
			units = append(units, u)
		}
	}
	return units
}

func (l *loader) instructions(n *node) []Instruction {
	var list []Instruction
	for _, c := range n.all("Instruction") {
		p := c.first("Performance")
		if p == nil {
			l.warn(c, "%s has no Performance; left out", c.label())
			continue
		}
		in := Instruction{
			Name: c.attr("name"), Operation: c.attr("operation"),
			InputBits:  l.count(c, "inputBitWidth", 0),
			OutputBits: l.count(c, "outputBitWidth", 0),
			SIMDWidth:  l.count(c, "SIMDWidth", 0),
			Signedness: l.word(c, "supportedSignedness", "", "SIGNED", "UNSIGNED", "BOTH"),
			Addressing: l.word(c, "operandAddressing", "", "NONE", "IMMEDIATE", "REGISTER", "BOTH"),
			Emulated:   c.attr("isEmulated") == "true" || c.attr("isEmulated") == "1",
		}
		if in.Operation == "" {
			in.Operation = in.Name
		}
		var ok bool
		if in.Pitch, in.Latency, ok = l.performance(p); ok {
			list = append(list, in)
		}
	}
	for _, c := range n.all("CustomInstruction") {
		l.warn(c, "%s is not read: no LLVM opcode stands for it", c.label())
	}
	return list
}

func (l *loader) cache(n *node) Cache {
	return Cache{
		Name: n.attr("name"), ID: l.index.id[n],
		Type:        l.word(n, "cacheType", "UNIFIED", "DATA", "INSTRUCTION", "UNIFIED"),
		Coherency:   l.word(n, "cacheCoherency", "SOFTWARE", "HARDWARE", "SOFTWARE"),
		Bytes:       l.bytes(n, "size", "sizeUnit"),
		Ways:        l.count(n, "nWay", 1),
		LineBytes:   l.count(n, "lineSize", 16),
		LockDown:    l.word(n, "lockDownType", "", "NONE", "LINE", "WAY"),
		Replacement: l.word(n, "replacement", "", "FIFO", "LRU", "RANDOM"),
		Caches:      l.cacheRefs(n),
	}
}
