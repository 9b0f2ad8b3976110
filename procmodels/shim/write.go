package shim

// This file writes a system as SHIM 2.0: the frame, components and clocks.

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
)

const (
	namespace20 = "http://www.multicore-association.org/2017/SHIM2.0/"
	version20   = "2.0"
)

// Write writes a system as a SHIM 2.0 file, elements in the schema's order and the
// attributes that have no value left out. Only the root element is qualified, as the
// schema wants it. The same system gives the same bytes, and Load gives an equal
// system back. A system that Check refuses is an error and writes nothing.
func Write(w io.Writer, s *System) error {
	if err := s.Check(); err != nil {
		return err
	}
	wr := &writer{points: map[int64]string{}}
	wr.number(s)
	wr.buf.WriteString(xml.Header)
	wr.open("shim:Shim", "xmlns:shim", namespace20, "name", s.Name, "shimVersion", version20)
	wr.open("SystemConfiguration")
	wr.componentSet(&s.Root, s.ClockHz)
	wr.communications(s.Communications)
	wr.addressSpaces(s.AddressSpaces)
	wr.frequencies()
	wr.close()
	wr.close()
	_, err := w.Write(wr.buf.Bytes())
	return err
}

type writer struct {
	ten    bool     // SHIM 1.0
	lost   []string // what 1.0 cannot say
	buf    bytes.Buffer
	within []string // open elements
	// Clocks in Hz in the order of their first use, and what refers to them.
	clocks []int64
	points map[int64]string // operating point of a clock: its id
	domain string           // id of the frequency domain of all of them
	sets   map[int64]string // operating point set of a clock: its id
}

// number gives ids to the clocks that the system uses, apart from those it has.
func (w *writer) number(s *System) {
	w.sets = map[int64]string{}
	c := &checker{kind: map[string]string{}}
	add := func(hz int64) {
		if _, ok := w.points[hz]; hz != 0 && !ok {
			w.clocks = append(w.clocks, hz)
			w.points[hz] = ""
		}
	}
	add(s.ClockHz)
	s.Root.each(func(set *ComponentSet) {
		c.kind[set.ID] = "ComponentSet"
		for _, m := range set.Masters {
			c.kind[m.ID] = "MasterComponent"
			for _, a := range m.AccessTypes {
				c.kind[a.ID] = "AccessType"
			}
			add(m.ClockHz)
		}
		for _, x := range set.Slaves {
			c.kind[x.ID] = "SlaveComponent"
			add(x.ClockHz)
		}
		for _, x := range set.Caches {
			c.kind[x.ID] = "Cache"
			add(x.ClockHz)
		}
	})
	for _, a := range s.AddressSpaces {
		c.kind[a.ID] = "AddressSpace"
		for _, sub := range a.SubSpaces {
			c.kind[sub.ID] = "SubSpace"
			for _, b := range sub.Bindings {
				for _, acc := range b.Accessors {
					for _, p := range acc.Sets {
						c.kind[p.ID] = "PerformanceSet"
					}
				}
			}
		}
	}
	next := map[string]int{}
	taken := func(id string) bool { return c.kind[id] != "" }
	w.domain = freeID("FD", next, taken)
	for _, hz := range w.clocks {
		w.sets[hz] = freeID("OPS", next, taken)
		w.points[hz] = freeID("OP", next, taken)
	}
}

// open begins an element; attributes are pairs of name and value, those with an
// empty value are left out.
func (w *writer) open(name string, attrs ...string) {
	w.start(name, attrs)
	w.buf.WriteString(">\n")
	w.within = append(w.within, name)
}

// leaf writes an element without children.
func (w *writer) leaf(name string, attrs ...string) {
	w.start(name, attrs)
	w.buf.WriteString("/>\n")
}

// text writes an element that holds text.
func (w *writer) text(name, text string) {
	w.start(name, nil)
	w.buf.WriteByte('>')
	w.escape(text)
	fmt.Fprintf(&w.buf, "</%s>\n", name)
}

func (w *writer) start(name string, attrs []string) {
	w.indent()
	w.buf.WriteByte('<')
	w.buf.WriteString(name)
	for i := 0; i+1 < len(attrs); i += 2 {
		if attrs[i+1] == "" && attrs[i] != "name" && attrs[i] != "arch" { // required ones stay
			continue
		}
		fmt.Fprintf(&w.buf, ` %s="`, attrs[i])
		w.escape(attrs[i+1])
		w.buf.WriteByte('"')
	}
}

func (w *writer) escape(s string) {
	_ = xml.EscapeText(&w.buf, []byte(s)) // a buffer takes everything
}

func (w *writer) close() {
	name := w.within[len(w.within)-1]
	w.within = w.within[:len(w.within)-1]
	w.indent()
	fmt.Fprintf(&w.buf, "</%s>\n", name)
}

func (w *writer) indent() {
	for range w.within {
		w.buf.WriteString("  ")
	}
}

// number renders a count, 0 as nothing.
func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func size(bytes int64) (value, unit string) {
	for _, u := range unitBytes {
		if bytes%u.bytes == 0 && bytes != 0 {
			return strconv.FormatInt(bytes/u.bytes, 10), u.unit
		}
	}
	return "0", "B"
}

func (w *writer) figures(f, l Range) {
	for _, x := range []struct {
		name string
		r    Range
	}{{"Pitch", f}, {"Latency", l}} {
		num := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
		w.leaf(x.name, "best", num(x.r.Best), "typical", num(x.r.Typical), "worst", num(x.r.Worst))
	}
}

// frequencies writes each clock as a set of one operating point.
func (w *writer) frequencies() {
	if len(w.clocks) == 0 {
		w.leaf("FrequencyVoltageSet")
		return
	}
	w.open("FrequencyVoltageSet")
	w.leaf("FrequencyDomain", "name", "clocks", "id", w.domain)
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
		w.open("OperatingPointSet", "name", name, "id", w.sets[hz])
		w.leaf("OperatingPoint", "name", name, "id", w.points[hz],
			"frequency", strconv.FormatInt(value, 10), "frequencyUnit", unit)
		w.close()
	}
	w.close()
}
