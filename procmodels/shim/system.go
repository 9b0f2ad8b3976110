package shim

// This file declares a system as SHIM describes it, whichever version it came from.
// Names in the comments that begin with a capital letter are elements of SHIM 2.0.

// System is a SystemConfiguration: components, how they reach memory, how they talk.
type System struct {
	Name           string // Shim/@name
	ClockHz        int64  // of components without a clock of their own; 0 when unknown
	Root           ComponentSet
	Communications []Communication // CommunicationSet, in document order
	AddressSpaces  []AddressSpace  // AddressSpaceSet
}

// ComponentSet is a cluster of components.
type ComponentSet struct {
	Name, ID string
	Sets     []ComponentSet
	Masters  []Master
	Slaves   []Slave
	Caches   []Cache
}

// Master is a MasterComponent: something that computes or transfers.
type Master struct {
	Name, ID       string
	Type           string // @masterType: PU (processing unit), TU (transfer unit) or OTHER
	Arch           string // "Generic", "IA-32"
	ArchOption     string
	PID            string // the processor's number, as the file spells it
	Endian         string // LITTLE or BIG
	Channels       int    // @nChannel, 0 when not given
	Threads        int    // @nThread: hardware threads, 0 when not given
	ClockHz        int64  // 0: that of the system
	InstructionSet string // CommonInstructionSet/@name, "" without one
	Units          []FunctionalUnit
	Caches         []string // CacheRef: ids of caches
	AccessTypes    []AccessType
}

// FunctionalUnit is a part of a processor and the instructions it executes.
// SHIM 1.0 has none; its instructions are read as one unit of the set's name.
type FunctionalUnit struct {
	Name         string
	Instructions []Instruction
}

// Instruction is what one LLVM instruction costs.
type Instruction struct {
	Name       string // free
	Operation  string // the LLVM opcode as the file spells it; of SHIM 1.0 its @name
	InputBits  int    // @inputBitWidth, 0 when not given: any
	OutputBits int    // @outputBitWidth, 0 when not given: any
	SIMDWidth  int    // elements at a time, 0 and 1: a scalar instruction
	Signedness string // SIGNED, UNSIGNED, BOTH or ""
	Addressing string // @operandAddressing: NONE, IMMEDIATE, REGISTER, BOTH or ""
	Emulated   bool   // by a routine
	Pitch      Range  // cycles until the next instruction can issue
	Latency    Range  // cycles until the result can be used
}

// Range is a figure in cycles of the component that executes or accesses. Best and
// Worst equal Typical where the file gives only that. Nothing keeps a file from
// negative figures; Lint reports them, Load warns.
type Range struct{ Best, Typical, Worst float64 }

// AccessType is a way in which a master can access memory.
type AccessType struct {
	Name, ID  string
	RW        string // @rwType: letters of RWX
	Bytes     int    // @accessByteSize, 0 when not given
	Alignment int    // @alignmentByteSize in bytes, 0 when not given
	Burst     int    // @nBurst: accesses of one burst, 0 when not given
}

// Slave is a SlaveComponent: a memory.
type Slave struct {
	Name, ID string
	Bytes    int64  // @size times @sizeUnit
	RW       string // letters of RWX
	ClockHz  int64  // 0: that of the system
}

// Cache is a cache. The caches and masters behind it name it in CacheRef.
type Cache struct {
	Name, ID    string
	Type        string   // DATA, INSTRUCTION or UNIFIED
	Coherency   string   // HARDWARE or SOFTWARE
	Bytes       int64    // @size times @sizeUnit
	Ways        int      // @nWay; 1 when not given
	LineBytes   int      // @lineSize; 16 when not given
	LockDown    string   // NONE, LINE, WAY or ""
	Replacement string   // FIFO, LRU, RANDOM or ""
	Caches      []string // CacheRef: ids of caches
	ClockHz     int64    // 0: that of the system
}

// Communication is a way for masters to talk, of one of the kinds of Kinds.
type Communication struct {
	Kind         string // "FIFO", "SharedMemory", ...: the element without "Communication"
	Name         string
	Bytes        int64  // @dataSize times @dataSizeUnit, 0 when not given
	Queue        int    // FIFO: @queueSize in elements
	Registers    int    // SharedRegister: @nRegister
	Operation    string // SharedMemory: TAS, LLSC, CAX, OTHER or ""
	AddressSpace string // SharedMemory: id or ""
	SubSpace     string // SharedMemory: id or ""
	Connections  []Connection
}

// Kinds lists the kinds of communications.
func Kinds() []string {
	return []string{"SharedRegister", "SharedMemory", "Event", "FIFO", "Interrupt"}
}

// Connection is a directed pair of masters that a Communication connects.
type Connection struct {
	From, To string // ids of masters
	Access   []Access
}

// Access is a Performance: what one access or one message costs.
type Access struct {
	AccessType     string // id, or "" for any
	Pitch, Latency Range  // cycles, as of an Instruction
}

// AddressSpace is a space of addresses, by parts.
type AddressSpace struct {
	Name, ID  string
	SubSpaces []SubSpace
}

// SubSpace is a range of addresses and the memories behind it.
type SubSpace struct {
	Name, ID    string
	Start, End  int64  // first and last address
	Endian      string // LITTLE, BIG or ""
	Consistency []Consistency
	Bindings    []Binding
}

// Consistency is a MemoryConsistencyModel: ORDERED, UNORDERED or "" for each pair of
// a later and an earlier access.
type Consistency struct{ RAW, WAR, WAW, RAR string }

// Binding says what it costs masters to access a memory.
type Binding struct {
	Slave     string // id
	Accessors []Accessor
}

// Accessor holds the costs of one master.
type Accessor struct {
	Master string // id
	Sets   []PerformanceSet
}

// PerformanceSet holds costs by access type, of hits in a cache or of memory itself.
type PerformanceSet struct {
	ID     string // "" when not given
	Cache  string // id, or "" for the memory itself
	Access []Access
}

// MixedKinds reports whether there are communications of several kinds, which the
// schema of SHIM 2.0 does not allow and that of 1.0 does. Write writes them all.
func (s *System) MixedKinds() bool {
	for _, c := range s.Communications {
		if c.Kind != s.Communications[0].Kind {
			return true
		}
	}
	return false
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
