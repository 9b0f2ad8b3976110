package shim

// This file writes the parts of a system: components, communications, addresses.

import "strconv"

// component is the attributes that every component has.
func (w *writer) component(name, id string, hz int64, more ...string) []string {
	attrs := []string{"name", name, "id", id}
	if hz != 0 {
		attrs = append(attrs, "frequencyDomainRef", w.domain, "operatingPointRef", w.points[hz])
	}
	return append(attrs, more...)
}

func (w *writer) componentSet(set *ComponentSet, hz int64) {
	w.open("ComponentSet", w.component(set.Name, set.ID, hz)...)
	for i := range set.Sets {
		w.componentSet(&set.Sets[i], 0)
	}
	for i := range set.Masters {
		w.master(&set.Masters[i])
	}
	for _, x := range set.Slaves {
		value, unit := size(x.Bytes)
		w.leaf("SlaveComponent", w.component(x.Name, x.ID, x.ClockHz, "size", value, "sizeUnit", unit, "rwType", x.RW)...)
	}
	for _, x := range set.Caches {
		value, unit := size(x.Bytes)
		w.open("Cache", w.component(x.Name, x.ID, x.ClockHz,
			"cacheType", x.Type, "cacheCoherency", x.Coherency, "size", value, "sizeUnit", unit,
			"nWay", strconv.Itoa(x.Ways), "lineSize", strconv.Itoa(x.LineBytes),
			"lockDownType", x.LockDown, "replacement", x.Replacement)...)
		for _, id := range x.Caches {
			w.text("CacheRef", id)
		}
		w.close()
	}
	w.close()
}

func (w *writer) master(m *Master) {
	w.open("MasterComponent", w.component(m.Name, m.ID, m.ClockHz,
		"masterType", m.Type, "arch", m.Arch, "archOption", m.ArchOption, "nChannel", number(m.Channels),
		"pid", m.PID, "endian", m.Endian, "nThread", number(m.Threads))...)
	if m.InstructionSet != "" {
		w.open("CommonInstructionSet", "name", m.InstructionSet)
		if len(m.Units) > 0 {
			w.open("FunctionalUnitSet")
			for i := range m.Units {
				w.unit(&m.Units[i])
			}
			w.close()
		}
		w.close()
	}
	for _, id := range m.Caches {
		w.text("CacheRef", id)
	}
	if len(m.AccessTypes) > 0 {
		w.open("AccessTypeSet")
		for _, a := range m.AccessTypes {
			w.leaf("AccessType", "name", a.Name, "id", a.ID, "rwType", a.RW, "accessByteSize", number(a.Bytes),
				"alignmentByteSize", number(a.Alignment), "nBurst", number(a.Burst))
		}
		w.close()
	}
	w.close()
}

func (w *writer) unit(u *FunctionalUnit) {
	w.open("FunctionalUnit", "name", u.Name)
	for _, in := range u.Instructions {
		emulated := ""
		if in.Emulated {
			emulated = "true"
		}
		w.open("Instruction", "name", in.Name, "operation", in.Operation,
			"inputBitWidth", strconv.Itoa(in.InputBits), "outputBitWidth", strconv.Itoa(in.OutputBits),
			"SIMDWidth", number(in.SIMDWidth), "supportedSignedness", in.Signedness,
			"operandAddressing", in.Addressing, "isEmulated", emulated)
		w.open("Performance")
		w.figures(in.Pitch, in.Latency)
		w.close()
		w.close()
	}
	w.close()
}

func (w *writer) access(list []Access) {
	for _, a := range list {
		w.open("Performance", "accessTypeRef", a.AccessType)
		w.figures(a.Pitch, a.Latency)
		w.close()
	}
}

func (w *writer) communications(list []Communication) {
	if len(list) == 0 {
		return
	}
	w.open("CommunicationSet")
	for i := range list {
		c := &list[i]
		attrs := []string{"name", c.Name}
		value, unit := size(c.Bytes)
		switch c.Kind {
		case "FIFO":
			attrs = append(attrs, "dataSize", value, "dataSizeUnit", unit, "queueSize", strconv.Itoa(c.Queue))
		case "SharedRegister":
			attrs = append(attrs, "dataSize", value, "dataSizeUnit", unit, "nRegister", strconv.Itoa(c.Registers))
		case "SharedMemory":
			attrs = append(attrs, "operationType", c.Operation)
			if c.Bytes != 0 {
				attrs = append(attrs, "dataSize", value, "dataSizeUnit", unit)
			}
			attrs = append(attrs, "addressSpaceRef", c.AddressSpace, "subSpaceRef", c.SubSpace)
		}
		w.open(c.Kind+"Communication", attrs...)
		if len(c.Connections) > 0 {
			w.open("ConnectionSet")
			for _, cn := range c.Connections {
				w.open("Connection", "from", cn.From, "to", cn.To)
				w.access(cn.Access)
				w.close()
			}
			w.close()
		}
		w.close()
	}
	w.close()
}

func (w *writer) addressSpaces(list []AddressSpace) {
	if len(list) == 0 {
		return
	}
	w.open("AddressSpaceSet")
	for _, a := range list {
		w.open("AddressSpace", "name", a.Name, "id", a.ID)
		for i := range a.SubSpaces {
			w.subSpace(&a.SubSpaces[i])
		}
		w.close()
	}
	w.close()
}

func (w *writer) subSpace(s *SubSpace) {
	w.open("SubSpace", "name", s.Name, "id", s.ID,
		"start", strconv.FormatInt(s.Start, 10), "end", strconv.FormatInt(s.End, 10), "endian", s.Endian)
	for _, c := range s.Consistency {
		if w.ten {
			c = Consistency{spelling10(c.RAW), spelling10(c.WAR), spelling10(c.WAW), spelling10(c.RAR)}
		}
		w.leaf("MemoryConsistencyModel", "rawOrdering", c.RAW, "warOrdering", c.WAR, "wawOrdering", c.WAW, "rarOrdering", c.RAR)
	}
	if len(s.Bindings) > 0 {
		w.open("MasterSlaveBindingSet")
		for _, b := range s.Bindings {
			w.open("MasterSlaveBinding", "slaveComponentRef", b.Slave)
			for _, a := range b.Accessors {
				w.open("Accessor", "masterComponentRef", a.Master)
				for _, p := range a.Sets {
					switch {
					case !w.ten:
						w.open("PerformanceSet", "id", p.ID, "cacheRef", p.Cache)
					case p.Cache != "":
						w.lose("latencies of hits in a cache, of sub-space %q", s.Name)
						continue
					default:
						w.open("PerformanceSet")
					}
					w.access(p.Access)
					w.close()
				}
				w.close()
			}
			w.close()
		}
		w.close()
	}
	w.close()
}
