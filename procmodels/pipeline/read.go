package pipeline

// This file reads pipelines.

import (
	"embed"
	"path"
	"slices"
	"strconv"
	"strings"

	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

//go:embed data/*.yaml
var data embed.FS

var shipped = &procmodels.Shipped[*Model]{Files: data, Kind: Kind}

func init() {
	procmodels.RegisterSchema(schema, func(r *yamlstrict.Reader) procmodels.Model { return read(r) })
	procmodels.RegisterScheme(Kind, func(rest, _ string) (procmodels.Model, error) { return open(rest) }, Names()...)
	shipped.Read = read
}

// Names lists the pipelines that come with pathspan.
func Names() []string { return shipped.Names() }

func open(name string) (*Model, error) { return shipped.Open(name) }

// The figures that a file may give: far above any processor.
const (
	widest  = 16
	longest = 10_000
	// mostCycles bounds what a call may be said to take.
	mostCycles = 1e12
)

// conditional is the conditional "br" in files; "br" is the other.
const conditional = "br.cond"

func read(r *yamlstrict.Reader) *Model { return readAt(r, 0) }

// readAt reads a pipeline that so many extend.
func readAt(r *yamlstrict.Reader, depth int) *Model {
	top := r.Root().Fields("schema", "name", "extends", "source", "notes", "targets", "clock_mhz", "issue", "window", "forward", "forward_float", "waiting", "units", "classes", "opcodes", "calls", "fold", "moves", "saves", "restores", "vector", "schedule", "branch", "library")
	top.Schema(schema, true)
	m := &Model{opcodes: map[string]procmodels.ByType{}, calls: map[string]outside{}, moves: -1}
	var from *Model
	need := top.Need
	if v := top.Get("extends"); v.Has() {
		if from = base(v, depth); from == nil {
			return m
		}
		need = top.Get
	}
	m.desc = procmodels.Description{
		Name: top.Need("name").Text(), Kind: Kind, Version: schema, Source: strings.TrimSpace(need("source").Paragraph()),
		Notes: strings.TrimSpace(top.Get("notes").Paragraph()), NeedsModule: true, NeedsOperands: true,
		Unit: "clock cycle of the processor; instructions issue in order and wait for operands and units, without cache misses or contention",
	}
	if from != nil {
		m.extend(from, top)
	}
	if v := top.Get("clock_mhz"); v.Has() {
		m.desc.ClockMHz = v.Positive()
	}
	if v := top.Get("targets"); v.Has() {
		m.readTargets(v)
	}
	if from == nil {
		m.readProcessor(top)
	}
	m.readCalls(top.Get("calls"))
	if v := need("branch"); v.Has() {
		m.branch = branches{}
		m.readBranch(v)
	}
	if v := need("library"); v.Has() {
		m.library = procmodels.OpenLibrary(v)
	}
	if r.Err() == nil && from == nil {
		m.allUsed(top)
	}
	return m
}

func (m *Model) readTargets(v yamlstrict.Value) {
	m.targets = nil
	for _, e := range v.List() {
		m.targets = append(m.targets, e.Text())
		if _, err := path.Match(e.Text(), ""); err != nil {
			e.Fail("target %q: want a processor as triples of LLVM begin, such as aarch64, or a pattern, such as armv*", e.Text())
		}
	}
	if len(m.targets) == 0 {
		v.Fail("targets is empty: want processors as triples of LLVM begin, such as aarch64, or leave it out")
	}
}

// readProcessor reads what issues where, and what LLVM's instructions are there.
func (m *Model) readProcessor(top yamlstrict.Fields) {
	m.width = top.Need("issue").Int(1, widest)
	for _, e := range top.Need("units").Entries() {
		m.units = append(m.units, unit{name: e.Key, count: e.Value.Int(1, widest)})
	}
	m.readClasses(top.Need("classes"))
	m.readOpcodes(top.Need("opcodes"))
	m.readFolds(top)
	m.readWindow(top)
}

// readWindow reads what executes out of order, and refuses what says something of order.
func (m *Model) readWindow(top yamlstrict.Fields) {
	v := top.Get("window")
	if !v.Has() {
		top.Refuse("forward", "it is of processors that execute out of order: give window as well")
		top.Refuse("forward_float", "it is of processors that execute out of order: give window as well")
		top.Refuse("waiting", "it is of processors that execute out of order: give window as well")
		for i, e := range top.Get("classes").Entries() {
			if m.classes[i].also >= 0 {
				e.Value.Fail("class %q: also is of processors that execute out of order: give window as well, or leave it out", e.Key)
				return
			}
		}
		if m.folds[foldMemory] {
			top.Get("fold").Fail("memory is of processors that execute out of order: give window as well, or leave it out")
		}
		return
	}
	m.window, m.forward, m.forwardFloat = v.Int(1, longest), top.Need("forward").Int(0, longest), top.Need("forward_float").Int(0, longest)
	for _, key := range []string{"moves", "saves", "restores", "schedule"} {
		top.Refuse(key, "a processor that executes out of order, as window says, is charged LLVM's instructions alone")
	}
	for i, e := range top.Get("classes").Entries() {
		if c := &m.classes[i]; c.alone || c.last || c.slow != nil || len(c.to) > 0 || c.toAddress >= 0 || c.toAddend >= 0 {
			e.Value.Fail("class %q: to, alone, last and slow are of processors that issue in order, and window says that this one does not", e.Key)
			return
		}
	}
	if v := top.Get("waiting"); v.Has() {
		f := v.Fields("entries", "units")
		m.waiting = f.Need("entries").Int(1, longest)
		for _, e := range f.Need("units").List() {
			i := m.unit(e.Text())
			if i < 0 {
				e.Fail("what waits for unit %q is counted, which units does not have", e.Text())
				return
			}
			m.units[i].waits = true
		}
	}
	if b := top.Get("branch"); b.Has() {
		if f := b.Fields("taken", "ahead", "penalty", "predict", "rate"); f.Need("predict").Word("static", "rate") == "static" {
			b.Fail("out of order, as window says, branches have a penalty and a rate, of those that go where they go less often: want {taken: N, penalty: N, predict: rate, rate: N}")
		}
	}
}

func (m *Model) readClasses(v yamlstrict.Value) {
	entries := v.Entries()
	for _, e := range entries {
		m.classes = append(m.classes, class{name: e.Key})
	}
	for i, e := range entries {
		c := &m.classes[i]
		c.unit, c.also, c.occupancy, c.toAddress, c.toAddend = -1, -1, 0, -1, -1
		if e.Value.IsScalar() {
			e.Value.Word("none")
			continue
		}
		f := e.Value.Fields("unit", "also", "latency", "occupancy", "instructions", "alone", "last", "to", "slow")
		for _, of := range []struct {
			v  yamlstrict.Value
			to *int
		}{{f.Need("unit"), &c.unit}, {f.Get("also"), &c.also}} {
			if !of.v.Has() {
				continue
			}
			if *of.to = m.unit(of.v.Text()); *of.to < 0 {
				of.v.Fail("class %q is executed by unit %q, which units does not have", e.Key, of.v.Text())
			}
		}
		c.latency, c.occupancy = f.Need("latency").Int(0, longest), 1
		if o := f.Get("occupancy"); o.Has() {
			c.occupancy = o.Int(1, longest)
		}
		c.count = 1
		if n := f.Get("instructions"); n.Has() {
			c.count = n.Int(1, widest)
		}
		if a := f.Get("alone"); a.Has() {
			c.alone = a.Word("yes", "no") == "yes"
		}
		if l := f.Get("last"); l.Has() {
			c.last = l.Word("yes", "no") == "yes"
		}
		if s := f.Get("slow"); s.Has() {
			k := s.Fields("behind", "within", "every", "others")
			c.slow = &slow{m.classOf(k.Need("behind")), k.Need("within").Int(1, longest), k.Need("every").Int(1, longest), k.Need("others").Int(1, longest)}
		}
		for _, to := range f.Get("to").Entries() {
			cycles := to.Value.Int(0, longest)
			switch to.Key {
			case "address":
				c.toAddress = cycles
				continue
			case "addend":
				c.toAddend = cycles
				continue
			}
			user := m.class(to.Key)
			if user < 0 {
				to.Value.Fail("class %q forwards to %q: want a class, address or addend", e.Key, to.Key)
				return
			}
			if c.to == nil {
				c.to = map[int]int{}
			}
			c.to[user] = cycles
		}
	}
}

// unit finds a unit by its name, -1 for none.
func (m *Model) unit(name string) int {
	return slices.IndexFunc(m.units, func(u unit) bool { return u.name == name })
}

// class finds a class by its name, -1 for none.
func (m *Model) class(name string) int {
	return slices.IndexFunc(m.classes, func(c class) bool { return c.name == name })
}

func (m *Model) classOf(v yamlstrict.Value) int { return procmodels.ClassNamed(v, m.class) }

func (m *Model) readOpcodes(v yamlstrict.Value) {
	known := append(procmodels.Opcodes(), conditional)
	procmodels.ReadOpcodes(v, m.opcodes, known, "one of the Language Reference, such as add, load, br.cond", m.classOf)
	for _, op := range known {
		if _, ok := m.opcodes[op]; !ok {
			v.Fail("opcode %q has no class: every opcode of LLVM needs one, \"free\" classes are {name}: none", op)
			return
		}
	}
}

// readCalls reads the classes of intrinsics and of functions outside of the program, or how many
// cycles a call takes beside the instruction that calls.
func (m *Model) readCalls(v yamlstrict.Value) {
	for _, e := range v.Entries() {
		if _, err := strconv.ParseFloat(e.Value.Text(), 64); err == nil {
			m.calls[e.Key] = outside{-1, e.Value.Number(0, mostCycles)}
		} else {
			m.calls[e.Key] = outside{class: m.classOf(e.Value)}
		}
	}
}

// readFolds reads how LLVM's instructions are others of the processor's.
func (m *Model) readFolds(top yamlstrict.Fields) {
	for _, e := range top.Get("fold").List() {
		if i := slices.Index(foldNames[:], e.Word(foldNames[:]...)); i >= 0 {
			if m.folds[i] {
				e.Fail("%s is there twice", foldNames[i])
			}
			m.folds[i] = true
		}
	}
	if v := top.Get("moves"); v.Has() {
		m.moves = m.executed(v, "moves")
	}
	m.saves, m.restores = m.moves, m.moves
	for _, of := range []struct {
		key string
		to  *int
	}{{"saves", &m.saves}, {"restores", &m.restores}} {
		if v := top.Get(of.key); v.Has() {
			if *of.to = m.executed(v, of.key); m.moves < 0 {
				v.Fail("registers are saved where moves are charged: give moves a class, or leave %s out", of.key)
			}
		}
	}
	if v := top.Get("schedule"); v.Has() {
		m.scheduled = v.Word("yes", "no") == "yes"
	}
	if v := top.Get("vector"); v.Has() {
		if m.vector = v.Int(8, longest); m.vector&(m.vector-1) != 0 {
			v.Fail("vector is %d bits: want a power of two", m.vector)
		}
	}
	if m.folds[foldCopy] && (m.moves < 0 || m.vector == 0) {
		top.Get("fold").Fail("copies are of vectors by moves: give both, or leave copy out")
	}
}

// executed finds the class of instructions that a key says the processor has. Where the file is refused already, there may be no class.
func (m *Model) executed(v yamlstrict.Value, key string) int {
	c := m.classOf(v)
	if c < len(m.classes) && m.classes[c].unit < 0 {
		v.Fail("%s are instructions, and class %q is none: want a class that a unit executes", key, v.Text())
	}
	return c
}

func (m *Model) readBranch(v yamlstrict.Value) {
	f := v.Fields("taken", "ahead", "penalty", "predict", "rate", "history")
	if a := f.Get("ahead"); a.Has() {
		m.branch.ahead = a.Int(1, longest)
	}
	m.branch.taken, m.branch.penalty = f.Need("taken").Int(0, longest), f.Need("penalty").Int(0, longest)
	how := f.Need("predict").Word("static", "rate", "paths")
	m.branch.static, m.branch.paths = how == "static", how == "paths"
	if m.branch.paths {
		m.branch.history = f.Need("history").Int(0, longest)
	} else {
		f.Refuse("history", "it is what a predictor remembers: want predict: paths, or leave it out")
	}
	if m.branch.static {
		f.Refuse("rate", "static prediction says itself what is wrong; leave it out")
		return
	}
	m.branch.rate = f.Need("rate").Number(0, 1)
}

// allUsed refuses classes and units that nothing uses.
func (m *Model) allUsed(top yamlstrict.Fields) {
	used, busy := procmodels.UsedClasses(m.opcodes, len(m.classes)), make([]bool, len(m.units))
	for _, c := range m.calls {
		if c.class >= 0 {
			used[c.class] = true
		}
	}
	if m.moves >= 0 {
		used[m.moves], used[m.saves], used[m.restores] = true, true, true
	}
	for i, e := range top.Get("classes").Entries() {
		if !used[i] {
			e.Value.Fail("no opcode is of class %q: give it one, or leave it out", e.Key)
			return
		}
		for _, u := range []int{m.classes[i].unit, m.classes[i].also} {
			if u >= 0 {
				busy[u] = true
			}
		}
	}
	for i, e := range top.Get("units").Entries() {
		if !busy[i] {
			e.Value.Fail("no class is executed by unit %q: give it one, or leave it out", e.Key)
			return
		}
	}
}
