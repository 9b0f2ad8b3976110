package accelerator

// This file reads accelerators.

import (
	"embed"
	"maps"
	"slices"
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

// Names lists the accelerators that come with pathspan.
func Names() []string { return shipped.Names() }

func open(name string) (*Model, error) { return shipped.Open(name) }

// The figures that a file may give: far above any design.
const (
	mostOperators = 1 << 16
	longest       = 1e12
	mostUnroll    = 1 << 16
	mostTrips     = 1 << 30
)

// otherwise is the opcode of all that a file does not list.
const otherwise = "default"

func read(r *yamlstrict.Reader) *Model {
	top := r.Root().Fields("schema", "name", "extends", "source", "notes", "clock_mhz", "units", "ports", "classes", "opcodes", "calls", "library", "trips", "loops", "functions", "capacity", "report")
	top.Schema(schema, true)
	m := &Model{opcodes: map[string]procmodels.ByType{}, calls: map[string]int{}}
	need := top.Need
	if v := top.Get("extends"); v.Has() {
		base, err := open(strings.TrimPrefix(v.Text(), Kind+":"))
		if err != nil {
			v.Fail("extends: %v", err)
			return m
		}
		*m, need = *base, top.Get
		m.opcodes, m.calls = maps.Clone(base.opcodes), maps.Clone(base.calls)
	}
	d := &m.desc
	d.Name, d.Kind, d.Version, d.NeedsModule, d.NeedsOperands = top.Need("name").Text(), Kind, schema, true, true
	d.Unit = "clock cycle of the accelerator; innermost loops are pipelines, memory answers after the latency that the file gives, without contention"
	if v := need("source"); v.Has() {
		d.Source = strings.TrimSpace(v.Paragraph())
	}
	if v := top.Get("notes"); v.Has() {
		d.Notes = strings.TrimSpace(v.Paragraph())
	}
	m.readReports(top.Get("report"))
	if v := top.Get("clock_mhz"); v.Has() || m.desc.ClockMHz == 0 && need("clock_mhz").Has() {
		d.ClockMHz = v.Positive()
	}
	m.readClasses(top, need)
	if v := top.Get("ports"); v.Has() {
		m.ports = v.Int(1, mostOperators)
	}
	if v := need("library"); v.Has() {
		m.library = procmodels.OpenLibrary(v)
	}
	if v := top.Get("trips"); v.Has() {
		m.trips = float64(v.Int(1, mostTrips))
	}
	for _, e := range top.Get("loops").Entries() {
		m.readLoop(e)
	}
	m.readFuncs(top.Get("functions"))
	if m.trips > 0 && r.Err() == nil && len(m.funcs) == 0 && !slices.ContainsFunc(m.loops, func(g given) bool { return g.latency != nil }) {
		top.Get("trips").Fail("trips is of the latencies of loops and functions, and none is given: leave it out")
	}
	for i, e := range top.Get("loops").Entries() {
		if i < len(m.loops) && m.loops[i].tries != nil && m.reported() {
			e.Value.Fail("try of the loop at %s: latencies of loops around others, and of functions, are those of one design: leave try out", e.Key)
		}
	}
	if said := m.fit(top.Get("capacity")); said != "" {
		d.Notes = strings.TrimSpace(d.Notes + " " + said)
	}
	return m
}

// readClasses reads operators, classes and who is of them. Those of a file go before all of what it extends.
func (m *Model) readClasses(top yamlstrict.Fields, need func(string) yamlstrict.Value) {
	if v := top.Get("units"); v.Has() {
		m.units = nil
		for _, e := range v.Entries() {
			m.units = append(m.units, unit{e.Key, e.Value.Int(1, mostOperators)})
		}
		if c := top.Get("classes"); !c.Has() {
			top.Need("classes") // which say what executes where
			return
		}
	}
	if v := need("classes"); v.Has() {
		m.classes = nil
		used := make([]bool, len(m.units))
		for _, e := range v.Entries() {
			f := e.Value.Fields("unit", "latency", "every")
			c := class{name: e.Key, unit: -1, latency: f.Need("latency").Number(0, longest), every: 1}
			if u := f.Get("unit"); u.Has() {
				name := u.Text()
				c.unit = slices.IndexFunc(m.units, func(u unit) bool { return u.name == name })
				if c.unit < 0 {
					u.Fail("class %q is executed by unit %q, which units does not have", e.Key, name)
					return
				}
				used[c.unit] = true
				if o := f.Get("every"); o.Has() {
					c.every = o.Number(1, longest)
				}
			} else {
				f.Refuse("every", "without a unit there are as many operators as are needed; leave it out")
			}
			m.classes = append(m.classes, c)
		}
		for i, e := range top.Get("units").Entries() {
			if !used[i] {
				e.Value.Fail("no class is executed by unit %q: give it one, or leave it out", e.Key)
				return
			}
		}
		m.opcodes, m.calls = map[string]procmodels.ByType{}, map[string]int{}
		top.Need("opcodes") // whose classes these are
	}
	if v := need("opcodes"); v.Has() {
		m.readOpcodes(v)
	}
	for _, e := range top.Get("calls").Entries() {
		m.calls[e.Key] = m.classNamed(e.Value)
	}
	if v := top.Get("classes"); v.Has() {
		m.allUsed(v)
	}
}

func (m *Model) classNamed(v yamlstrict.Value) int {
	return procmodels.ClassNamed(v, func(name string) int {
		return slices.IndexFunc(m.classes, func(c class) bool { return c.name == name })
	})
}

func (m *Model) readOpcodes(v yamlstrict.Value) {
	procmodels.ReadOpcodes(v, m.opcodes, append(procmodels.Opcodes(), otherwise), "default, or one of the Language Reference, such as fadd", m.classNamed)
	if _, ok := m.opcodes[otherwise]; !ok {
		v.Fail("the opcodes that are not listed have no class: add default")
	}
}

// allUsed refuses classes that nothing is of.
func (m *Model) allUsed(classes yamlstrict.Value) {
	used := procmodels.UsedClasses(m.opcodes, len(m.classes))
	for _, c := range m.calls {
		used[c] = true
	}
	for i, e := range classes.Entries() {
		if i < len(used) && !used[i] {
			e.Value.Fail("no opcode and no call is of class %q: give it one, or leave it out", e.Key)
			return
		}
	}
}

// readLoop reads what is given of a loop.
func (m *Model) readLoop(e yamlstrict.Entry) {
	f := e.Value.Fields("ii", "latency", "unroll", "partition", "pipeline", "flatten", "sum", "scan", "takes", "shares", "banks", "try", "report")
	g := given{name: e.Key, at: e.At, unroll: 1, partition: 1, pipeline: true}
	if !strings.Contains(e.Key, ":") {
		e.Value.Fail("%q is no loop: want FILE:LINE, such as app.c:12", e.Key)
		return
	}
	if v := f.Get("pipeline"); v.Has() {
		g.pipeline = v.Word("yes", "no") == "yes"
	}
	if v := f.Get("flatten"); v.Has() {
		g.flatten = v.Word("yes", "no") == "yes"
	}
	if v := f.Get("ii"); v.Has() {
		g.ii, g.iiAt = float64(v.Int(1, 1<<30)), v.Pos()
	}
	if v := f.Get("latency"); v.Has() {
		l := readLatency(v)
		g.latency, g.latencyAt = &l, v.Pos()
	}
	if v := f.Get("unroll"); v.Has() {
		g.unroll = v.Int(1, mostUnroll)
	}
	// Arrays are split as loops are unrolled, so that the copies find theirs.
	g.partition = g.unroll
	if v := f.Get("partition"); v.Has() {
		g.partition, g.parted = v.Int(1, mostUnroll), true
	}
	if v := f.Get("sum"); v.Has() {
		v.Word("tree")
		g.transform, g.how = tree, v.Pos()
		f.Refuse("scan", "the loop's sums are a tree; leave one of them out")
	}
	if v := f.Get("scan"); v.Has() {
		g.transform, g.how, g.scan = scan, v.Pos(), v.Int(2, mostTrips)
	}
	if g.transform != asWritten {
		f.Refuse("ii", "that of partial sums follows from the operators; leave it out")
	}
	if !g.pipeline {
		for _, key := range []string{"ii", "unroll", "partition", "sum", "scan"} {
			f.Refuse(key, "a loop that is no pipeline has none; leave it out")
		}
	}
	g.resources = resources{measurements(f.Get("takes")), measurements(f.Get("shares")), measurements(f.Get("banks"))}
	if why := g.unforetold(g.unroll, g.partition); why != "" {
		e.Value.Fail("%s", why)
		return
	}
	g.readTries(f.Get("try"))
	if v := f.Get("report"); v.Has() {
		if g.reported = v.Text(); m.reports == nil {
			v.Fail("report of the loop at %s: the file names no report: give report: csynth.xml at its top", g.name)
		}
	}
	m.desc.Accuracy = append(m.desc.Accuracy, g.fits()...)
	m.loops = append(m.loops, g)
}

// readLatency reads a number of cycles, or [least, most].
func readLatency(v yamlstrict.Value) latency {
	if v.IsScalar() {
		x := v.Number(0, longest)
		return latency{x, x}
	}
	list := v.List()
	if len(list) != 2 {
		v.Fail("latency is %d figures: want cycles, or [LEAST, MOST]", len(list))
		return latency{}
	}
	l := latency{list[0].Number(0, longest), list[1].Number(0, longest)}
	if l.least > l.most {
		v.Fail("latency [%g, %g]: want the least first", l.least, l.most)
	}
	return l
}

func (m *Model) readFuncs(v yamlstrict.Value) {
	for _, e := range v.Entries() {
		f := e.Value.Fields("latency")
		m.funcs = append(m.funcs, givenFunc{name: e.Key, at: f.Need("latency").Pos(), latency: readLatency(f.Need("latency"))})
	}
	if len(m.funcs) > 0 && m.trips == 0 {
		v.Fail("latencies of functions: say of how many iterations of their loops with trips, at the top of the file")
	}
}
