package hierarchy

// This file reads what platform files say of memory.

import (
	"math"
	"slices"

	"pathspan/mapping/caches"
	"pathspan/yamlstrict"
)

// Limits of what a file may say, far beyond what there is.
const (
	maxBytes   = 1 << 40
	maxLine    = 1 << 16
	maxLatency = 1e9 // cycles, ns
)

// Read reads the memory of a platform whose processors have such names.
func Read(v yamlstrict.Value, processors []string) *Memory {
	f := v.Fields("levels", "local", "main", "stores", "elsewhere")
	m := &Memory{}
	list := f.Get("levels")
	for _, l := range list.List() {
		m.level(l, processors)
	}
	m.locals(f.Get("local"), processors)
	if s := f.Get("stores"); s.Has() {
		if m.Buffered = s.Word("wait", "buffered") == "buffered"; m.Buffered && len(m.Local) > 0 {
			s.Fail("stores of processors with a local memory wait: leave stores out")
		}
	}
	if e := f.Get("elsewhere"); e.Has() {
		m.elsewhere(e, len(processors))
	}
	if len(m.Local) == 0 {
		list = f.Need("levels")
	}
	if len(m.Caches) == 0 && list.Has() {
		list.Fail("%s is empty: want at least the first level, whose misses are what main memory is asked for", "memory.levels")
	}
	all := true
	for p, name := range processors {
		if m.LocalOf(p) != nil {
			continue
		}
		if all = false; !slices.ContainsFunc(m.Caches, func(l Level) bool { return slices.Contains(l.Processors, p) }) {
			v.Fail("processor %s has no cache: name it in the processors of a level, or leave processors out", name)
		}
	}
	if main := f.Get("main"); all && main.Has() {
		main.Fail("all processors work on local memories, and none on main: leave it out")
	}
	if !all {
		m.main(f.Need("main"))
	}
	return m
}

// elsewhere reads what an access takes whose line is at another processor.
func (m *Memory) elsewhere(v yamlstrict.Value, processors int) {
	f := v.Fields("read", "read_ns", "write", "write_ns")
	of := func(cycles, ns string) (l Latency) {
		c, n := f.Get(cycles), f.Get(ns)
		switch {
		case c.Has() == n.Has():
			v.Fail("give %s (cycles) or %s, one of the two: what an access takes longer whose line is at another processor", cycles, ns)
		case c.Has():
			l.Cycles = positive(c)
		default:
			l.NS = positive(n)
		}
		return l
	}
	m.Elsewhere = &Elsewhere{Read: of("read", "read_ns"), Write: of("write", "write_ns")}
	switch {
	case processors < 2:
		v.Fail("elsewhere is what lies at another processor, and there is one: leave it out")
	case len(m.Local) > 0:
		v.Fail("elsewhere is of processors that share main memory: leave it out, and say what copies take in interconnect")
	}
}

func (m *Memory) level(v yamlstrict.Value, processors []string) {
	f := v.Fields("name", "size", "line", "ways", "latency", "latency_ns", "processors", "shared")
	l := Level{Name: f.Need("name").Text(), Cache: caches.Cache{
		Size: int64(f.Need("size").Int(1, maxBytes)),
		Line: int64(f.Need("line").Int(1, maxLine)),
	}}
	if w := f.Get("ways"); w.Has() {
		l.Cache.Ways = int64(w.Int(1, maxBytes))
	}
	if slices.ContainsFunc(m.Caches, func(k Level) bool { return k.Name == l.Name }) {
		v.Fail("level %q is there twice", l.Name)
	}
	if l.Name != "" && l.Cache.Size > 0 && l.Cache.Line > 0 {
		if err := l.Cache.Check(); err != nil {
			v.Fail("level %s: %v", l.Name, err)
		}
	}
	l.Processors, l.Latency = named(f.Get("processors"), processors), latency(f)
	if x := f.Get("shared"); x.Has() {
		if l.Shared = x.Word("true", "false") == "true"; l.Shared && len(l.Processors) == 1 {
			x.Fail("level %s is shared by one processor: leave shared out, or name the others", l.Name)
		}
	}
	m.nest(v, &inner{"level " + l.Name, l.Processors, l.Shared, l.Cache.Size, l.Cache.Line, l.Latency, "all who share that must share this one"})
	m.Caches = append(m.Caches, l)
}

// inner is what lies behind caches: a level, or a local memory.
type inner struct {
	name       string // with what it is
	processors []int
	shared     bool
	size, line int64 // 0 where nothing asks
	latency    Latency
	together   string // what to do where a level before it is shared
}

// nest refuses what cannot lie behind the levels of its processors.
func (m *Memory) nest(v yamlstrict.Value, l *inner) {
	behind := 0
	for _, p := range l.processors {
		if slices.ContainsFunc(m.Caches, func(in Level) bool { return slices.Contains(in.Processors, p) }) {
			behind++
		}
	}
	said := l.latency != (Latency{})
	switch {
	case behind == 0 && said:
		v.Fail("%s is the first of its processors: what a model says of loads and stores is what they take there, so leave its latency out", l.name)
	case behind > 0 && behind < len(l.processors):
		v.Fail("%s is the first of some of its processors, and lies behind a cache for the rest: make it two", l.name)
	case behind > 0 && !said:
		v.Fail("%s lies behind a cache: give its latency (cycles) or latency_ns, what an access takes longer that finds its line there and not before", l.name)
	}
	for i := range m.Caches {
		in := &m.Caches[i]
		apart := slices.ContainsFunc(in.Processors, func(p int) bool { return !slices.Contains(l.processors, p) })
		switch {
		case !slices.ContainsFunc(in.Processors, func(p int) bool { return slices.Contains(l.processors, p) }):
		case in.Shared && (!l.shared || apart):
			v.Fail("%s does not nest: level %s before it is shared, so %s", l.name, in.Name, l.together)
		case l.size > 0 && l.size <= in.Cache.Size:
			v.Fail("%s of %d bytes lies behind %s of %d, and would hold nothing that is not there: list levels from the processors outwards", l.name, l.size, in.Name, in.Cache.Size)
		case l.line > 0 && l.line < in.Cache.Line:
			v.Fail("%s has lines of %d bytes behind those of %s of %d: want no shorter ones", l.name, l.line, in.Name, in.Cache.Line)
		}
	}
}

// named reads names of processors, all where there are none.
func named(v yamlstrict.Value, processors []string) (list []int) {
	if !v.Has() {
		for p := range processors {
			list = append(list, p)
		}
		return list
	}
	for _, x := range v.List() {
		p := slices.Index(processors, x.Word(processors...))
		if slices.Contains(list, p) {
			x.Fail("processor %s is there twice", x.Text())
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		v.Fail("processors is empty: leave it out for all of them")
	}
	slices.Sort(list)
	return list
}

func latency(f yamlstrict.Fields) Latency {
	cycles, ns := f.Get("latency"), f.Get("latency_ns")
	if cycles.Has() && ns.Has() {
		ns.Fail("latency and latency_ns: give one of the two")
	}
	l := Latency{}
	if cycles.Has() {
		l.Cycles = positive(cycles)
	}
	if ns.Has() {
		l.NS = positive(ns)
	}
	return l
}

// least is the smallest figure that counts as one.
const least = 1e-9

func positive(v yamlstrict.Value) float64 { return v.Number(least, maxLatency) }

func (m *Memory) main(v yamlstrict.Value) {
	f := v.Fields("latency", "latency_ns", "dram")
	m.Main.Latency = latency(f)
	d := f.Get("dram")
	switch said := m.Main.Latency != (Latency{}); {
	case d.Has() && said:
		d.Fail("main has a latency and dram: give one of the two; dram has a latency_ns of its own")
	case !d.Has() && !said && v.Has():
		v.Fail("main says nothing: give its latency (cycles), latency_ns or dram")
	case d.Has():
		m.Main.DRAM = readDRAM(d)
	}
}

func readDRAM(v yamlstrict.Value) *DRAM {
	f := v.Fields("ras_ns", "rcd_ns", "cas_ns", "rp_ns", "controller_ns", "data_bits", "data_mhz", "bus_bits", "bus_mhz", "gb_s", "banks", "latency_ns")
	d := &DRAM{
		RAS: positive(f.Need("ras_ns")), RCD: positive(f.Need("rcd_ns")), CAS: positive(f.Need("cas_ns")), RP: positive(f.Need("rp_ns")),
		Pins: float64(f.Need("data_bits").Int(1, 1<<16)), DataMHz: positive(f.Need("data_mhz")),
	}
	if x := f.Get("controller_ns"); x.Has() {
		d.Controller = positive(x)
	}
	if x := f.Get("latency_ns"); x.Has() {
		d.Latency = positive(x)
	}
	if x := f.Get("gb_s"); x.Has() {
		d.GBs = positive(x)
	}
	d.Banks = 1
	if x := f.Get("banks"); x.Has() {
		d.Banks = float64(x.Int(1, 1<<10))
	}
	bits, mhz := f.Get("bus_bits"), f.Get("bus_mhz")
	if bits.Has() || mhz.Has() {
		d.BusBits, d.BusMHz = float64(f.Need("bus_bits").Int(1, math.MaxInt32)), positive(f.Need("bus_mhz"))
	}
	return d
}
