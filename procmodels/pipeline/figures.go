package pipeline

// This file has out-of-order, the pipeline, with the figures of a processor that was measured.

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

// Reordering is the pipeline that figures are put into.
const Reordering = "out-of-order"

// Figures are those of a processor that executes out of order.
type Figures struct {
	Issue, Window int // instructions a cycle, and under way
	// Forward is how many cycles what was stored is there for a load of the same variable, where it
	// is an integer, and where it is not.
	Forward, ForwardFloat int
	Penalty               int            // cycles of a branch that was foretold wrongly
	Taken                 int            // cycles between two branches that go elsewhere than to what lies behind
	Waiting               int            // instructions of floating point that wait for what they use, at most
	Units                 map[string]int // how many there are, by name
	// Latency and Occupancy are cycles by the name of the class.
	Latency, Occupancy map[string]int
}

// OutOfOrder returns the pipeline with these figures. Units and classes that they do not name are as
// the file of the pipeline says.
func OutOfOrder(f Figures) (*Model, error) {
	m, err := open(Reordering)
	if err != nil {
		return nil, err
	}
	m.width, m.window, m.forward, m.forwardFloat, m.branch.penalty = f.Issue, f.Window, f.Forward, f.ForwardFloat, f.Penalty
	m.branch.taken, m.waiting = f.Taken, f.Waiting
	for _, name := range slices.Sorted(maps.Keys(f.Units)) {
		i := m.unit(name)
		if i < 0 {
			return nil, fmt.Errorf("pipeline:%s has no unit %q", Reordering, name)
		}
		m.units[i].count = f.Units[name]
	}
	for k, of := range []map[string]int{f.Latency, f.Occupancy} {
		for _, name := range slices.Sorted(maps.Keys(of)) {
			i := m.class(name)
			if i < 0 || m.classes[i].unit < 0 {
				return nil, fmt.Errorf("pipeline:%s has no class %q that a unit executes", Reordering, name)
			}
			if c := &m.classes[i]; k == 0 {
				c.latency = of[name]
			} else {
				c.occupancy = of[name]
			}
		}
	}
	m.figures = f
	return m, nil
}

// Executes reports whether what an instruction calls outside of the program is an instruction
// itself.
func (m *Model) Executes(in *ir.Instr) bool {
	p := player{m: m}
	of, ok := p.said(in)
	return ok && of.class >= 0
}

// Width is how many instructions issue in a cycle.
func (m *Model) Width() int { return m.width }

// Figures writes the figures that the model was made with, as ReadFigures reads them.
func (m *Model) Figures() string {
	f := &m.figures
	list := func(of map[string]int) string {
		var all []string
		for _, name := range slices.Sorted(maps.Keys(of)) {
			all = append(all, fmt.Sprintf("%s: %d", name, of[name]))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return fmt.Sprintf("{issue: %d, window: %d, forward: %d, forward_float: %d, penalty: %d, taken: %d, waiting: %d, units: %s, latency: %s, occupancy: %s}",
		f.Issue, f.Window, f.Forward, f.ForwardFloat, f.Penalty, f.Taken, f.Waiting, list(f.Units), list(f.Latency), list(f.Occupancy))
}

// ReadFigures reads what Figures wrote. It returns nil where that is wrong, which the value's file
// is told.
func ReadFigures(v yamlstrict.Value) *Model {
	top := v.Fields("issue", "window", "forward", "forward_float", "penalty", "taken", "waiting", "units", "latency", "occupancy")
	list := func(key string, least, most int) map[string]int {
		of := map[string]int{}
		for _, e := range top.Get(key).Entries() {
			of[e.Key] = e.Value.Int(least, most)
		}
		return of
	}
	f := Figures{
		Issue: top.Need("issue").Int(1, widest), Window: top.Need("window").Int(1, longest), Penalty: top.Need("penalty").Int(0, longest),
		Forward: top.Need("forward").Int(0, longest), ForwardFloat: top.Need("forward_float").Int(0, longest),
		Taken: top.Need("taken").Int(0, longest), Waiting: top.Need("waiting").Int(0, longest),
		Units: list("units", 1, widest), Latency: list("latency", 0, longest), Occupancy: list("occupancy", 1, longest),
	}
	m, err := OutOfOrder(f)
	if err != nil {
		v.Fail("%v", err)
		return nil
	}
	return m
}
