package explore

// This file declares constraints and reads them from files.

import (
	"fmt"
	"slices"
	"strconv"

	"pathspan/bounded"
	"pathspan/mapping"
	"pathspan/yamlstrict"
)

// Constraints limit the candidates, by the names of the program and the platform.
type Constraints struct {
	Pin    []Rule // the section runs on the processor
	Forbid []Rule // it does not; no section at all does where Section is ""
	// MaxProcessors is the most processors in use, the serial one among them; 0 for no
	// limit.
	MaxProcessors int
	// Memory and Demand are bytes: a processor's limit, before that of the platform
	// file, and what a section takes on the processor that runs it. Sections without a demand take
	// their footprint, if the profile tells of memory (see footprints), else nothing.
	Memory, Demand []Amount
	// MinSpeedup is the lowest speed-up of interest, 0 for any.
	MinSpeedup float64
}

// Rule is about a section and a processor.
type Rule struct {
	Section, Processor string
	Where              string // the flag, or file and line
}

// Amount is bytes of a section or a processor.
type Amount struct {
	Name  string
	Bytes float64
	Where string
}

const (
	constraintsSchema = "pathspan.constraints/1"
	maxBytes          = 1 << 53 // beyond it numbers are no longer exact
)

// LoadConstraints reads a constraints file. Errors are one line each and name file and
// line.
//
//	schema: pathspan.constraints/1      # may be left out
//	pin: {"fun0.c:fun_0#1/2": beta}
//	forbid:
//	  dsp0: all                         # runs no section
//	  dsp1: ["fun0.c:fun_0#1/1"]       # does not run these
//	max_processors: 4
//	memory: {beta: 65536}               # bytes
//	demand: {"fun0.c:fun_0#1/2": 20000}
//	min_speedup: 1.2
func LoadConstraints(path string) (*Constraints, error) {
	data, err := bounded.ReadFile(path, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("constraints: %w", err)
	}
	return parseConstraints(path, data)
}

func parseConstraints(path string, data []byte) (*Constraints, error) {
	r := yamlstrict.Parse(path, data)
	top := r.Root().Fields("schema", "pin", "forbid", "max_processors", "memory", "demand", "min_speedup")
	top.Schema(constraintsSchema, false)
	c := &Constraints{}
	for _, e := range top.Get("pin").Entries() {
		c.Pin = append(c.Pin, Rule{e.Key, e.Value.Text(), e.At.String()})
	}
	for _, e := range top.Get("forbid").Entries() {
		if e.Value.IsScalar() {
			e.Value.Word("all")
			c.Forbid = append(c.Forbid, Rule{"", e.Key, e.At.String()})
			continue
		}
		for _, v := range e.Value.List() {
			c.Forbid = append(c.Forbid, Rule{v.Text(), e.Key, v.Pos().String()})
		}
	}
	if v := top.Get("max_processors"); v.Has() {
		c.MaxProcessors = v.Int(1, 4096)
	}
	amounts := func(v yamlstrict.Value, least int) (all []Amount) {
		for _, e := range v.Entries() {
			all = append(all, Amount{e.Key, float64(e.Value.Int(least, maxBytes)), e.At.String()})
		}
		return all
	}
	c.Memory, c.Demand = amounts(top.Get("memory"), 1), amounts(top.Get("demand"), 0)
	if v := top.Get("min_speedup"); v.Has() {
		c.MinSpeedup = v.Positive()
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return c, nil
}

// limits are constraints in indices.
type limits struct {
	pin      map[section]int
	forbid   map[section][]bool // by processor
	never    []bool             // by processor: runs no section
	memory   []float64          // by processor, infinite when not limited
	demand   map[section]float64
	measured map[section]bool // whose demand is what the profile tells
	tied     bool             // some limit of memory can matter
}

// section names a section by its indices.
type section struct{ region, construct, section int }

// find returns the section of a full name.
func (s *Search) find(name string) (section, error) {
	prog := s.e.Bundle.Program
	region, number, err := mapping.FindSection(prog, name)
	if err != nil {
		return section{}, err
	}
	k := number - 1
	for c := range prog.Regions[region].Constructs {
		x := &prog.Regions[region].Constructs[c]
		if x.Loop != nil {
			continue
		}
		if k < len(x.Sections) {
			return section{region, c, k}, nil
		}
		k -= len(x.Sections)
	}
	return section{}, fmt.Errorf("section %q is not in region %s", name, prog.Regions[region].Name)
}

// resolve turns names into indices.
func (s *Search) resolve(c *Constraints) error {
	pl := s.e.Platform
	n := len(pl.Processors)
	l := &limits{pin: map[section]int{}, forbid: map[section][]bool{}, never: make([]bool, n), demand: map[section]float64{}, measured: map[section]bool{}}
	var processors []string
	for i := range pl.Processors {
		processors = append(processors, pl.Processors[i].Name)
		l.memory = append(l.memory, pl.Processors[i].Memory)
	}
	var first error // that was met
	fail := func(where, format string, args ...any) {
		if first == nil {
			first = fmt.Errorf(where+": "+format, args...)
		}
	}
	find := func(name, where string) section {
		x, err := s.find(name)
		if err != nil {
			fail(where, "%w", err)
		}
		return x
	}
	processor := func(name, where string) int {
		p := pl.Index(name)
		if p < 0 {
			fail(where, "processor %q is not on platform %s: %s", name, pl.Name, nearest(name, processors))
		}
		return max(p, 0)
	}
	for _, rule := range c.Pin {
		x, p := find(rule.Section, rule.Where), processor(rule.Processor, rule.Where)
		if old, twice := l.pin[x]; twice && old != p {
			fail(rule.Where, "section %q is pinned to %s and to %s", rule.Section, pl.Processors[old].Name, rule.Processor)
		}
		l.pin[x] = p
	}
	for _, rule := range c.Forbid {
		p := processor(rule.Processor, rule.Where)
		if rule.Section == "" {
			l.never[p] = true
			continue
		}
		x := find(rule.Section, rule.Where)
		if l.forbid[x] == nil {
			l.forbid[x] = make([]bool, n)
		}
		l.forbid[x][p] = true
	}
	for _, m := range c.Memory {
		l.memory[processor(m.Name, m.Where)] = m.Bytes
	}
	if slices.ContainsFunc(l.memory, func(bytes float64) bool { return bytes > 0 }) {
		s.footprints(l)
	}
	if err := s.localRooms(l); err != nil && first == nil {
		first = err
	}
	for _, d := range c.Demand {
		x := find(d.Name, d.Where)
		l.demand[x] = d.Bytes
		delete(l.measured, x)
	}
	total := 0.0
	for _, d := range l.demand {
		total += d // of whole numbers, so in any order
	}
	for p := range l.memory {
		if l.memory[p] == 0 {
			l.memory[p] = total
		}
		l.tied = l.tied || l.memory[p] < total
	}
	if err := s.roomFor(l); err != nil && first == nil {
		first = err
	}
	for _, rule := range c.Pin {
		x, _ := s.find(rule.Section) // as above
		if p := l.pin[x]; l.never[p] || l.forbid[x] != nil && l.forbid[x][p] {
			fail(rule.Where, "section %q is pinned to %s, which is forbidden", rule.Section, rule.Processor)
		}
	}
	s.limits = l
	return first
}

// nearest says what a name may have meant.
func nearest(word string, words []string) string {
	if n := yamlstrict.Nearest(word, words); n != "" {
		return "want " + strconv.Quote(n)
	}
	if len(words) == 0 {
		return "there are none"
	}
	return "want one of " + yamlstrict.List(words)
}

// may reports whether a section may run on a processor.
func (l *limits) may(x section, p int) bool {
	if at, ok := l.pin[x]; ok {
		return at == p
	}
	return !l.never[p] && (l.forbid[x] == nil || !l.forbid[x][p])
}

// usual reports that OpenMP's static schedule of nested regions needs no check.
func (l *limits) usual() bool {
	return !slices.Contains(l.never, true) && len(l.pin) == 0 && len(l.forbid) == 0 && !l.tied
}
