package shim

// This file loads what lies between components: communications and address spaces.

import (
	"math"
	"slices"
	"strings"
)

func (l *loader) communications(set *node) []Communication {
	var list []Communication
	kinds := Kinds()
	for _, n := range set.children {
		kind, ok := strings.CutSuffix(n.name, "Communication")
		if !ok || !slices.Contains(kinds, kind) {
			continue
		}
		c := Communication{Kind: kind, Name: n.attr("name")}
		switch kind {
		case "FIFO":
			c.Bytes = l.bytes(n, "dataSize", "dataSizeUnit")
			c.Queue = l.count(n, "queueSize", 0)
		case "SharedRegister":
			c.Bytes = l.bytes(n, "dataSize", "dataSizeUnit")
			c.Registers = l.count(n, "nRegister", 0)
		case "SharedMemory":
			c.Bytes = l.bytes(n, "dataSize", "dataSizeUnit")
			c.Operation = l.word(n, "operationType", "", "TAS", "LLSC", "CAX", "OTHER")
			if ref := n.attr("addressSpaceRef"); ref != "" {
				c.AddressSpace, _ = l.ref(n, ref, "AddressSpace")
			}
			if ref := n.attr("subSpaceRef"); ref != "" {
				c.SubSpace, _ = l.ref(n, ref, "SubSpace")
			}
		}
		if s := n.first("ConnectionSet"); s != nil {
			for _, cn := range s.all("Connection") {
				from, ok := l.ref(cn, cn.attr("from"), "MasterComponent")
				to, ok2 := l.ref(cn, cn.attr("to"), "MasterComponent")
				if ok && ok2 {
					c.Connections = append(c.Connections, Connection{from, to, l.access(cn)})
				}
			}
		}
		list = append(list, c)
	}
	// The writer keeps the schema's order of kinds.
	slices.SortStableFunc(list, func(a, b Communication) int {
		return slices.Index(kinds, a.Kind) - slices.Index(kinds, b.Kind)
	})
	return list
}

// access reads the Performances beneath an element.
func (l *loader) access(n *node) []Access {
	var list []Access
	for _, p := range n.all("Performance") {
		var a Access
		if ref := p.attr("accessTypeRef"); ref != "" {
			id, ok := l.ref(p, ref, "AccessType")
			if !ok {
				continue
			}
			a.AccessType = id
		}
		var ok bool
		if a.Pitch, a.Latency, ok = l.performance(p); ok {
			list = append(list, a)
		}
	}
	return list
}

func (l *loader) addressSpaces(set *node) []AddressSpace {
	var list []AddressSpace
	for _, n := range set.all("AddressSpace") {
		a := AddressSpace{Name: n.attr("name"), ID: l.index.id[n]}
		for _, c := range n.all("SubSpace") {
			a.SubSpaces = append(a.SubSpaces, l.subSpace(c))
		}
		list = append(list, a)
	}
	return list
}

func (l *loader) subSpace(n *node) SubSpace {
	s := SubSpace{
		Name: n.attr("name"), ID: l.index.id[n],
		Start:  l.whole(n, "start", 0, math.MinInt64, math.MaxInt64),
		End:    l.whole(n, "end", 0, math.MinInt64, math.MaxInt64),
		Endian: l.word(n, "endian", "", "LITTLE", "BIG"),
	}
	for _, c := range n.all("MemoryConsistencyModel") {
		order := func(name string) string { return l.word(c, name, "", "ORDERED", "UNORDERED") }
		s.Consistency = append(s.Consistency, Consistency{
			order("rawOrdering"), order("warOrdering"), order("wawOrdering"), order("rarOrdering"),
		})
	}
	bindings := n.first("MasterSlaveBindingSet")
	if bindings == nil {
		return s
	}
	for _, c := range bindings.all("MasterSlaveBinding") {
		slave, ok := l.ref(c, c.attr("slaveComponentRef"), "SlaveComponent")
		if !ok {
			continue
		}
		b := Binding{Slave: slave}
		for _, an := range c.all("Accessor") {
			master, ok := l.ref(an, an.attr("masterComponentRef"), "MasterComponent")
			if !ok {
				continue
			}
			a := Accessor{Master: master}
			for _, pn := range an.all("PerformanceSet") {
				p := PerformanceSet{ID: l.index.id[pn], Access: l.access(pn)}
				if ref := pn.attr("cacheRef"); ref != "" {
					p.Cache, _ = l.ref(pn, ref, "Cache")
				}
				a.Sets = append(a.Sets, p)
			}
			b.Accessors = append(b.Accessors, a)
		}
		s.Bindings = append(s.Bindings, b)
	}
	return s
}
