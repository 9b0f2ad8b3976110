package shim

// This file writes a system as SHIM 2.0 or 1.0, in the order of the version's schema.

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
)

const (
	namespace20 = "http://www.multicore-association.org/2017/SHIM2.0/"
	version20   = "2.0"
)

// Write writes a system as a SHIM 2.0 file, elements in the schema's order and the
// attributes that have no value left out. Only the root element is qualified, as the
// schema wants it. Elements have ids of their own and references lead to them, as in what
// Load and FromModel return. The same system gives the same bytes, and Load gives an equal
// system back.
func Write(out io.Writer, s *System) error {
	w := newWriter(schema20(), s)
	w.clock(nil, nil, s.ClockHz) // the first of all
	config := w.element("SystemConfiguration", reflect.ValueOf(s).Elem())
	top := config.first("ComponentSet")
	w.clock(top, nil, s.ClockHz)
	top.arrange(w.schema[top.name])
	config.children = append(config.children, w.frequencies())
	root := &node{name: "shim:Shim", children: []*node{config}, attrs: []attr{
		{"xmlns:shim", namespace20}, {"name", s.Name}, {"shimVersion", version20}}}
	return w.print(out, root)
}

// writer makes a tree of a system.
type writer struct {
	schema  schema
	ids     map[string]bool // that elements have
	next    map[string]int  // numbers of made-up ids by prefix
	private map[string]bool // in SHIM 1.0, caches that lie in the one master that uses them

	domain string  // id of the frequency domain of all clocks
	clocks []int64 // in Hz, in the order of their first use
	points map[int64]operatingPoint
}

// operatingPoint is what stands for a clock in SHIM 2.0: the ids of a set and of the one
// point in it.
type operatingPoint struct{ set, id string }

func newWriter(version schema, s *System) *writer {
	w := &writer{schema: version, ids: map[string]bool{}, next: map[string]int{}, points: map[int64]operatingPoint{}}
	w.take(reflect.ValueOf(s).Elem())
	return w
}

// take notes the ids of what a struct holds.
func (w *writer) take(v reflect.Value) {
	for _, f := range layoutOf(v.Type()) {
		switch x := v.Field(f.at); {
		case f.name == "id":
			w.ids[x.String()] = true
		case f.path != nil:
			f.elements(x, func(_ string, x reflect.Value) {
				if x.Kind() == reflect.Struct {
					w.take(x)
				}
			})
		}
	}
}

// freeID makes an id up.
func (w *writer) freeID(prefix string) string {
	return freeID(prefix, w.next, func(id string) bool { return w.ids[id] })
}

// element makes an element of what the fields of a struct hold, as far as the schema has a
// place for it.
func (w *writer) element(name string, v reflect.Value) *node {
	n, e := &node{name: name}, w.schema[name]
	for _, f := range layoutOf(v.Type()) {
		x := v.Field(f.at)
		switch {
		case f.path != nil:
			w.children(n, &f, x)
		case f.name == "clock":
			w.clock(n, e, x.Int())
		case e.attr(f.name) != nil:
			w.attribute(n, e.attr(f.name), &f, x)
		}
	}
	switch x := v.Addr().Interface().(type) {
	case *ComponentSet:
		w.nestCaches(n, x)
	case *Master:
		w.instructions(n, x)
		if w.ten() && len(x.AccessTypes) == 0 { // the schema wants one
			n.add("AccessTypeSet").add("AccessType", "name", "any", "id", w.freeID("AT_any"), "rwType", "RWX")
		}
	case *Instruction:
		figures(n.add("Performance"), x.Pitch, x.Latency)
	case *Access:
		figures(n, x.Pitch, x.Latency)
	}
	n.arrange(e)
	return n
}

// children adds the elements of a field at the end of its path.
func (w *writer) children(n *node, f *field, x reflect.Value) {
	within := n
	f.elements(x, func(name string, x reflect.Value) {
		if x.Kind() == reflect.String {
			if w.ten() {
				name = "cacheRef"
			}
			if w.schema[n.name].childAt(name) >= 0 {
				n.add(name).text = x.String()
			}
			return
		}
		if set, ok := x.Interface().(PerformanceSet); ok && w.ten() && set.Cache != "" {
			return
		}
		if within == n {
			for _, wrapper := range f.path[:len(f.path)-1] {
				within = within.add(wrapper)
			}
		}
		within.children = append(within.children, w.element(name, x))
	})
}

// attribute adds what a field holds, unless that is nothing and not required.
func (w *writer) attribute(n *node, a *attrType, f *field, x reflect.Value) {
	if x.IsZero() && !a.required && f.otherwise == "" {
		return
	}
	value := fmt.Sprint(x.Interface())
	switch {
	case a.words != nil && !slices.Contains(a.words, value):
		for old, now := range renamed {
			if now == value && w.ten() {
				value = old
			}
		}
		if value == "" {
			return
		}
	case f.unit != "":
		size, unit := size(x.Int())
		n.attrs = append(n.attrs, attr{f.unit, unit})
		value = size
	}
	n.attrs = append(n.attrs, attr{a.name, value})
}

// instructions adds a master's instructions.
func (w *writer) instructions(n *node, m *Master) {
	path, list := []string{"FunctionalUnitSet", "FunctionalUnit"}, reflect.ValueOf(m.Units)
	if w.ten() {
		path, list = []string{"Instruction"}, reflect.ValueOf(oneEach(m.Units))
	}
	if m.InstructionSet == "" || w.ten() && list.Len() == 0 { // 1.0 wants one or more
		return
	}
	set := n.add("CommonInstructionSet", "name", m.InstructionSet)
	w.children(set, &field{path: path}, list)
}

func figures(n *node, pitch, latency Range) {
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	n.add("Pitch", "best", number(pitch.Best), "typical", number(pitch.Typical), "worst", number(pitch.Worst))
	n.add("Latency", "best", number(latency.Best), "typical", number(latency.Typical), "worst", number(latency.Worst))
}

// arrange puts attributes and children into the schema's order.
func (n *node) arrange(e *elementType) {
	slices.SortStableFunc(n.attrs, func(a, b attr) int { return e.attrAt(a.name) - e.attrAt(b.name) })
	slices.SortStableFunc(n.children, func(a, b *node) int { return e.childAt(a.name) - e.childAt(b.name) })
}

// clock says what the clock of a component is: by an element of its own in SHIM 1.0, by
// reference to an operating point in 2.0.
func (w *writer) clock(n *node, e *elementType, hz int64) {
	if hz == 0 {
		return
	}
	if w.ten() {
		if e.childAt("ClockFrequency") >= 0 {
			n.add("ClockFrequency", "clockValue", strconv.FormatInt(hz, 10))
		}
		return
	}
	p, ok := w.points[hz]
	if !ok {
		if w.clocks == nil {
			w.domain = w.freeID("FD")
		}
		w.clocks = append(w.clocks, hz)
		p = operatingPoint{w.freeID("OPS"), w.freeID("OP")}
		w.points[hz] = p
	}
	if n != nil {
		n.attrs = append(n.attrs, attr{"frequencyDomainRef", w.domain}, attr{"operatingPointRef", p.id})
	}
}

// frequencies is each clock as a set of one operating point.
func (w *writer) frequencies() *node {
	all := &node{name: "FrequencyVoltageSet"}
	if len(w.clocks) == 0 {
		return all
	}
	all.add("FrequencyDomain", "name", "clocks", "id", w.domain)
	for _, hz := range w.clocks {
		value, unit := hz, "Hz"
		for _, u := range []struct {
			unit string
			hz   int64
		}{{"GHz", 1e9}, {"MHz", 1e6}, {"KHz", 1e3}} {
			if hz%u.hz == 0 {
				value, unit = hz/u.hz, u.unit
				break
			}
		}
		name := fmt.Sprintf("%d %s", value, unit)
		set := all.add("OperatingPointSet", "name", name, "id", w.points[hz].set)
		set.add("OperatingPoint", "name", name, "id", w.points[hz].id,
			"frequency", strconv.FormatInt(value, 10), "frequencyUnit", unit)
	}
	return all
}

func size(bytes int64) (value, unit string) {
	for _, u := range unitBytes {
		if bytes%u.bytes == 0 && bytes != 0 {
			return strconv.FormatInt(bytes/u.bytes, 10), u.unit
		}
	}
	return "0", "B"
}

// print writes the tree as text.
func (w *writer) print(out io.Writer, root *node) error {
	var b bytes.Buffer
	b.WriteString(xml.Header)
	w.text(&b, root, "")
	_, err := out.Write(b.Bytes())
	return err
}

func (w *writer) text(b *bytes.Buffer, n *node, indent string) {
	escape := func(s string) { _ = xml.EscapeText(b, []byte(s)) } // a buffer takes everything
	fmt.Fprintf(b, "%s<%s", indent, n.name)
	for _, a := range n.attrs {
		fmt.Fprintf(b, ` %s="`, a.name)
		escape(a.value)
		b.WriteByte('"')
	}
	switch e := w.schema[n.name]; {
	case n.text != "":
		b.WriteByte('>')
		escape(n.text)
		fmt.Fprintf(b, "</%s>\n", n.name)
	case len(n.children) == 0 && e != nil && len(e.children) == 0:
		b.WriteString("/>\n")
	default:
		b.WriteString(">\n")
		for _, c := range n.children {
			w.text(b, c, indent+"  ")
		}
		fmt.Fprintf(b, "%s</%s>\n", indent, n.name)
	}
}
