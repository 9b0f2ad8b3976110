package serve

// This file turns candidates into mappings and estimates them.

import (
	"fmt"
	"strings"

	"pathspan/estimate"
	"pathspan/estimate/table"
	"pathspan/mapping"
	"pathspan/yamlstrict"
)

// candidate is a candidate as it was sent. Its slices are reused from one to the next.
type candidate struct {
	id         []byte // as JSON; empty when there is none
	compact    bool   // sections were given
	sections   []int
	order      []int
	serial     string // processor, by name
	serialAt   int    // or by index, -1 when not given
	full       *mapping.Mapping
	shares     bool // the mapping says how a loop shares its iterations
	techniques []estimate.Technique
}

func (c *candidate) reset() {
	*c = candidate{id: c.id[:0], sections: c.sections[:0], order: c.order[:0], serialAt: -1, techniques: c.techniques[:0]}
}

// fault is what is wrong with a candidate.
type fault struct{ field, message string }

func faultf(field, format string, args ...any) *fault {
	return &fault{field, fmt.Sprintf(format, args...)}
}

// worker estimates one candidate after the other.
type worker struct {
	s    *Service
	c    candidate
	m    mapping.Resolved // what the compact form is written into
	seen []bool           // by section
	out  []results
	text answerText
	// fast holds evaluators like Service.spaces; nil until one is needed.
	fast  [][]*table.Fast
	genes []int32
}

func newWorker(s *Service) *worker {
	techniques := len(estimate.Techniques())
	w := &worker{s: s, seen: make([]bool, len(s.places)), fast: make([][]*table.Fast, techniques)}
	w.text.known = make([]known, 2*techniques)
	for i := range w.fast {
		w.fast[i] = make([]*table.Fast, len(s.unnamed))
	}
	w.m = *s.unnamed[0]
	w.m.Regions = make([]mapping.RegionMap, len(s.unnamed[0].Regions))
	for r := range w.m.Regions {
		for _, procs := range s.unnamed[0].Regions[r].Proc {
			w.m.Regions[r].Proc = append(w.m.Regions[r].Proc, make([]int, len(procs)))
			w.m.Regions[r].Order = append(w.m.Regions[r].Order, make([]int, 0, len(procs)))
		}
		w.m.Regions[r].Loops = s.unnamed[0].Regions[r].Loops
	}
	return w
}

// estimate estimates the candidate into w.out.
func (w *worker) estimate() *fault {
	w.out = w.out[:0]
	m, f := w.mapping()
	if f != nil {
		return f
	}
	if err := w.s.e.Fits(w.s.e.Bundle.Program, m); err != nil {
		return &fault{"mapping", err.Error()}
	}
	techniques := w.c.techniques
	if len(techniques) == 0 {
		techniques = w.s.techniques
	}
	for _, t := range techniques {
		if r, ok := w.quick(m, t); ok {
			w.out = append(w.out, results{t, r})
			continue
		}
		r, err := w.s.e.Estimate(m, t)
		if err != nil {
			return faultf(w.c.form(), "%s", strings.TrimPrefix(err.Error(), "estimate: "))
		}
		w.out = append(w.out, results{t, r})
	}
	return nil
}

// form names the field that holds the mapping.
func (c *candidate) form() string {
	if c.compact {
		return "sections"
	}
	return "mapping"
}

func (w *worker) mapping() (*mapping.Resolved, *fault) {
	c := &w.c
	switch {
	case c.full != nil && c.compact:
		return nil, faultf("sections", "given together with mapping; give one of the two")
	case c.full != nil && (c.serial != "" || c.serialAt >= 0):
		return nil, faultf("serial", "given together with mapping; put it into mapping")
	case c.full != nil && len(c.order) > 0:
		return nil, faultf("order", "given together with mapping, whose lists are the order; leave it out")
	case c.full != nil:
		return w.resolve()
	case !c.compact && len(w.s.places) > 0:
		return nil, faultf("sections", "missing: give the processor of each section, or a mapping")
	}
	return w.compact()
}

func (w *worker) resolve() (*mapping.Resolved, *fault) {
	m, err := mapping.Resolve(w.s.e.Platform, w.c.full, w.s.e.Bundle.Program)
	if err == nil {
		return m, nil
	}
	field, message, ok := strings.Cut(err.Error(), endOfField+": ")
	if !ok {
		field, message = "mapping", err.Error()
	}
	return nil, &fault{field, strings.TrimSuffix(message, ": first on line 0")}
}

// endOfField ends the field that stands for a place in a file (see fieldPos).
const endOfField = "\x00"

// fieldPos lets errors of package mapping begin with a field rather than file and line.
func fieldPos(field string) yamlstrict.Pos { return yamlstrict.Pos{File: field + endOfField} }

// compact writes the compact form into the worker's mapping.
func (w *worker) compact() (*mapping.Resolved, *fault) {
	c, s, processors := &w.c, w.s, len(w.s.e.Platform.Processors)
	if len(c.sections) != len(s.places) {
		return nil, faultf("sections", "%d processors for %d sections; want one for each", len(c.sections), len(s.places))
	}
	serial := max(c.serialAt, 0)
	if c.serial != "" {
		if serial = s.e.Platform.Index(c.serial); serial < 0 {
			return nil, faultf("serial", "processor %q is not on platform %s", c.serial, s.e.Platform.Name)
		}
	}
	if serial >= processors {
		return nil, faultf("serial", "processor %d of %d: want 0 to %d", serial, processors, processors-1)
	}
	unnamed := s.unnamed[serial]
	m := &w.m
	m.Serial = serial
	for r := range m.Regions {
		m.Regions[r].Explicit, m.Regions[r].Team = false, unnamed.Regions[r].Team
		for k := range m.Regions[r].Order {
			if m.Regions[r].Loop(k) != nil { // as its clause says
				m.Regions[r].Order[k] = unnamed.Regions[r].Order[k]
				m.Regions[r].Proc[k] = unnamed.Regions[r].Proc[k]
				continue
			}
			m.Regions[r].Order[k] = m.Regions[r].Order[k][:0]
		}
	}
	for i, p := range c.sections {
		at := s.places[i]
		rm := &m.Regions[at.region]
		switch {
		case p == -1:
			p = unnamed.Regions[at.region].Proc[at.construct][at.section]
		case p < 0 || p >= processors:
			return nil, faultf(indexed("sections", i), "processor %d of %d: want 0 to %d, or -1 to leave the section out", p, processors, processors-1)
		default:
			rm.Explicit = true
		}
		rm.Proc[at.construct][at.section] = p
	}
	if len(c.order) > 0 {
		return m, w.reorder(m)
	}
	// What is left out comes last, as with mapping files.
	for _, out := range []bool{false, true} {
		for i, p := range c.sections {
			if at := s.places[i]; (p == -1) == out {
				order := &m.Regions[at.region].Order[at.construct]
				*order = append(*order, at.section)
			}
		}
	}
	return m, nil
}

// reorder fills the order from the candidate's.
func (w *worker) reorder(m *mapping.Resolved) *fault {
	c, s := &w.c, w.s
	if len(c.order) != len(s.places) {
		return faultf("order", "%d indices for %d sections; want each section once", len(c.order), len(s.places))
	}
	clear(w.seen)
	for k, i := range c.order {
		switch {
		case i < 0 || i >= len(s.places):
			return faultf(indexed("order", k), "section %d of %d: want 0 to %d", i, len(s.places), len(s.places)-1)
		case w.seen[i]:
			return faultf(indexed("order", k), "section %d is there twice", i)
		}
		w.seen[i] = true
		at := s.places[i]
		order := &m.Regions[at.region].Order[at.construct]
		*order = append(*order, at.section)
	}
	return nil
}

func indexed(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }
