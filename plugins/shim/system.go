package shim

import "slices"

// This file declares a system as SHIM describes it, whichever version it came from.
// Names in the comments that begin with a capital letter are elements of SHIM 2.0. The
// tags say where SHIM 2.0 has a field; see layoutOf.

// System is a SystemConfiguration: components, how they reach memory, how they talk.
type System struct {
	Name           string          // Shim/@name
	ClockHz        int64           // of components without a clock of their own; 0 when unknown
	Root           ComponentSet    `shim:"/ComponentSet"`
	Communications []Communication `shim:"/CommunicationSet/Communication"` // those of a kind together, as Kinds lists them
	AddressSpaces  []AddressSpace  `shim:"/AddressSpaceSet/AddressSpace"`
}

// ComponentSet is a cluster of components.
type ComponentSet struct {
	Name    string         `shim:"name"`
	ID      string         `shim:"id"`
	Sets    []ComponentSet `shim:"/ComponentSet"`
	Masters []Master       `shim:"/MasterComponent"`
	Slaves  []Slave        `shim:"/SlaveComponent"`
	Caches  []Cache        `shim:"/Cache"`
}

// Master is a MasterComponent: something that computes or transfers.
type Master struct {
	Name           string `shim:"name"`
	ID             string `shim:"id"`
	Type           string `shim:"masterType=PU"` // PU (processing unit), TU (transfer unit) or OTHER
	Arch           string `shim:"arch"`          // "Generic", "IA-32"
	ArchOption     string `shim:"archOption"`
	PID            string `shim:"pid"` // the processor's number, as the file spells it
	Endian         string `shim:"endian=LITTLE"`
	Channels       int    `shim:"nChannel"` // 0 when not given
	Threads        int    `shim:"nThread"`  // hardware threads, 0 when not given
	ClockHz        int64  `shim:"clock"`    // 0: that of the system
	InstructionSet string // CommonInstructionSet/@name, "" without one
	Units          []FunctionalUnit
	Caches         []string     `shim:"/CacheRef"` // ids
	AccessTypes    []AccessType `shim:"/AccessTypeSet/AccessType"`
}

// FunctionalUnit is a part of a processor and the instructions it executes.
// SHIM 1.0 has none; its instructions are read as one unit of the set's name.
type FunctionalUnit struct {
	Name         string        `shim:"name"`
	Instructions []Instruction `shim:"/Instruction"`
}

// Instruction is what one LLVM instruction costs.
type Instruction struct {
	Name       string `shim:"name"`                // free
	Operation  string `shim:"operation"`           // the LLVM opcode as the file spells it; of SHIM 1.0 its @name
	InputBits  int    `shim:"inputBitWidth"`       // 0 when not given: any
	OutputBits int    `shim:"outputBitWidth"`      // 0 when not given: any
	SIMDWidth  int    `shim:"SIMDWidth"`           // elements at a time, 0 and 1: a scalar instruction
	Signedness string `shim:"supportedSignedness"` // SIGNED, UNSIGNED, BOTH or ""
	Addressing string `shim:"operandAddressing"`   // NONE, IMMEDIATE, REGISTER, BOTH or ""
	Emulated   bool   `shim:"isEmulated"`          // by a routine
	Pitch      Range  // cycles until the next instruction can issue
	Latency    Range  // cycles until the result can be used
}

// Range is a figure in cycles of the component that executes or accesses. Best and
// Worst equal Typical where the file gives only that. Nothing keeps a file from
// negative figures; Lint reports them, Load warns.
type Range struct {
	Best    float64 `json:"best"`
	Typical float64 `json:"typical"`
	Worst   float64 `json:"worst"`
}

// AccessType is a way in which a master can access memory. Figures are 0 when not given.
type AccessType struct {
	Name      string `shim:"name"`
	ID        string `shim:"id"`
	RW        string `shim:"rwType"` // letters of RWX
	Bytes     int    `shim:"accessByteSize"`
	Alignment int    `shim:"alignmentByteSize"` // in bytes
	Burst     int    `shim:"nBurst"`            // accesses of one burst
}

// Slave is a SlaveComponent: a memory.
type Slave struct {
	Name    string `shim:"name" json:"name"`
	ID      string `shim:"id" json:"id"`
	Bytes   int64  `shim:"size*sizeUnit" json:"bytes"`
	RW      string `shim:"rwType=RW" json:"rw"` // letters of RWX
	ClockHz int64  `shim:"clock" json:"-"`      // 0: that of the system
}

// Cache is a cache. The caches and masters behind it name it in CacheRef.
type Cache struct {
	Name        string   `shim:"name" json:"name"`
	ID          string   `shim:"id" json:"id"`
	Type        string   `shim:"cacheType=UNIFIED" json:"type"`    // DATA, INSTRUCTION or UNIFIED
	Coherency   string   `shim:"cacheCoherency=SOFTWARE" json:"-"` // HARDWARE or SOFTWARE
	Bytes       int64    `shim:"size*sizeUnit" json:"bytes"`
	Ways        int      `shim:"nWay=1" json:"ways"`
	LineBytes   int      `shim:"lineSize=16" json:"line_bytes"`
	LockDown    string   `shim:"lockDownType" json:"-"` // NONE, LINE, WAY or ""
	Replacement string   `shim:"replacement" json:"-"`  // FIFO, LRU, RANDOM or ""
	Caches      []string `shim:"/CacheRef" json:"-"`    // ids
	ClockHz     int64    `shim:"clock" json:"-"`        // 0: that of the system
}

// Communication is a way for masters to talk, of one of the kinds of Kinds. What a kind
// has not is 0 or "".
type Communication struct {
	Kind         string       // "FIFO", "SharedMemory", ...: the element without "Communication"
	Name         string       `shim:"name"`
	Bytes        int64        `shim:"dataSize*dataSizeUnit"`
	Queue        int          `shim:"queueSize"`     // in elements
	Registers    int          `shim:"nRegister"`     // number
	Operation    string       `shim:"operationType"` // TAS, LLSC, CAX, OTHER or ""
	AddressSpace string       `shim:"addressSpaceRef"`
	SubSpace     string       `shim:"subSpaceRef"`
	Connections  []Connection `shim:"/ConnectionSet/Connection"`
}

// Kinds lists the kinds of communications.
func Kinds() []string {
	return []string{"SharedRegister", "SharedMemory", "Event", "FIFO", "Interrupt"}
}

// Connection is a directed pair of masters that a Communication connects.
type Connection struct {
	From   string   `shim:"from"` // ids
	To     string   `shim:"to"`
	Access []Access `shim:"/Performance"`
}

// Access is a Performance: what one access or one message costs.
type Access struct {
	AccessType     string `shim:"accessTypeRef!"` // id, or "" for any
	Pitch, Latency Range  // cycles, as of an Instruction
}

// AddressSpace is a space of addresses, by parts.
type AddressSpace struct {
	Name      string     `shim:"name"`
	ID        string     `shim:"id"`
	SubSpaces []SubSpace `shim:"/SubSpace"`
}

// SubSpace is a range of addresses and the memories behind it.
type SubSpace struct {
	Name        string        `shim:"name"`
	ID          string        `shim:"id"`
	Start       int64         `shim:"start"` // first address
	End         int64         `shim:"end"`   // last address
	Endian      string        `shim:"endian"`
	Consistency []Consistency `shim:"/MemoryConsistencyModel"`
	Bindings    []Binding     `shim:"/MasterSlaveBindingSet/MasterSlaveBinding"`
}

// Consistency is a MemoryConsistencyModel: ORDERED, UNORDERED or "" for each pair of
// a later and an earlier access.
type Consistency struct {
	RAW string `shim:"rawOrdering"`
	WAR string `shim:"warOrdering"`
	WAW string `shim:"wawOrdering"`
	RAR string `shim:"rarOrdering"`
}

// Binding says what it costs masters to access a memory.
type Binding struct {
	Slave     string     `shim:"slaveComponentRef"` // id
	Accessors []Accessor `shim:"/Accessor"`
}

// Accessor holds the costs of one master.
type Accessor struct {
	Master string           `shim:"masterComponentRef"` // id
	Sets   []PerformanceSet `shim:"/PerformanceSet"`
}

// PerformanceSet holds costs by access type, of hits in a cache or of memory itself.
type PerformanceSet struct {
	ID     string   `shim:"id"`       // "" when not given
	Cache  string   `shim:"cacheRef"` // id, or "" for the memory itself
	Access []Access `shim:"/Performance"`
}

// MixedKinds reports whether there are communications of several kinds, which the
// schema of SHIM 2.0 does not allow and that of 1.0 does. Write writes them all.
func (s *System) MixedKinds() bool {
	return slices.ContainsFunc(s.Communications, func(c Communication) bool { return c.Kind != s.Communications[0].Kind })
}

// Masters lists the masters of all clusters in document order: those of inner
// clusters first.
func (s *System) Masters() []*Master {
	var all []*Master
	s.Root.each(func(c *ComponentSet) {
		for i := range c.Masters {
			all = append(all, &c.Masters[i])
		}
	})
	return all
}

// eachAccessor visits what accesses to memories cost a master, in document order.
func (s *System) eachAccessor(visit func(*SubSpace, *Binding, *Accessor)) {
	for _, space := range s.AddressSpaces {
		for i := range space.SubSpaces {
			for j := range space.SubSpaces[i].Bindings {
				b := &space.SubSpaces[i].Bindings[j]
				for k := range b.Accessors {
					visit(&space.SubSpaces[i], b, &b.Accessors[k])
				}
			}
		}
	}
}

// ClockOf returns the clock of a master in Hz, 0 when unknown.
func (s *System) ClockOf(m *Master) int64 {
	if m.ClockHz != 0 {
		return m.ClockHz
	}
	return s.ClockHz
}

func (c *ComponentSet) each(visit func(*ComponentSet)) {
	for i := range c.Sets {
		c.Sets[i].each(visit)
	}
	visit(c)
}

// count is how many instructions the master has figures for.
func (m *Master) count() int {
	n := 0
	for _, u := range m.Units {
		n += len(u.Instructions)
	}
	return n
}
