package serve

// This file reads a candidate from a line of JSON.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"pathspan/estimate"
	"pathspan/mapping"
)

const keys = "want id, sections, order, serial, mapping or techniques"

// read reads one candidate, an object.
func (c *candidate) read(s *scanner) {
	c.reset()
	start := s.at
	var seen [6]bool
	once := func(i int, key string) {
		if seen[i] && s.bad == nil {
			s.bad = faultf(key, "given twice")
		}
		seen[i] = true
	}
	s.object("", "a candidate: an object in braces", func(key []byte) {
		switch string(key) {
		case "id":
			once(0, "id")
			if id := s.plain("id"); s.bad == nil {
				c.id = append(c.id[:0], id...)
			}
		case "sections":
			once(1, "sections")
			c.compact = true
			c.sections = s.integers("sections", "the index of a processor", c.sections[:0])
		case "order":
			once(2, "order")
			c.order = s.integers("order", "the index of a section", c.order[:0])
		case "serial":
			once(3, "serial")
			if s.next() == '"' {
				if c.serial = string(s.text("serial", "a processor")); c.serial == "" && s.bad == nil {
					s.bad = faultf("serial", "the name is empty; want that of a processor")
				}
				return
			}
			if c.serialAt = s.integer("serial", "a processor's name or index"); c.serialAt < 0 && s.bad == nil {
				s.bad = faultf("serial", "processor %d: want 0 or more", c.serialAt)
			}
		case "mapping":
			once(4, "mapping")
			c.full = s.mapping()
			c.shares = sharesLoops(c.full)
		case "techniques":
			once(5, "techniques")
			c.readTechniques(s)
		default:
			s.bad = faultf(string(key), "unknown field; %s", keys)
		}
	})
	if s.bad != nil && len(c.id) == 0 {
		c.findID(s.data[start:])
	}
}

// findID looks for the id of a candidate that could not be read.
func (c *candidate) findID(data []byte) {
	var v struct {
		ID json.RawMessage `json:"id"`
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if d.Decode(&v) == nil && len(v.ID) > 0 && (v.ID[0] == '"' || v.ID[0] == '-' || '0' <= v.ID[0] && v.ID[0] <= '9') {
		c.id = append(c.id[:0], v.ID...)
	}
}

// integers reads a list of whole numbers.
func (s *scanner) integers(field, what string, into []int) []int {
	if s.need('[', field, "a list of whole numbers"); s.bad != nil || s.take(']') {
		return into
	}
	for {
		n := s.integer(field, what)
		if s.bad != nil {
			s.bad.field = indexed(field, len(into))
			return into
		}
		into = append(into, n)
		if s.take(']') {
			return into
		}
		if !s.take(',') {
			s.fail(field, "a comma or the end of the list")
			return into
		}
	}
}

func (c *candidate) readTechniques(s *scanner) {
	s.list("techniques", "a list of techniques", func(i int) {
		name := s.text("techniques", "a technique")
		if s.bad == nil {
			c.addTechnique(s, i, string(name))
		}
	})
	if s.bad == nil && len(c.techniques) == 0 {
		s.bad = faultf("techniques", "the list is empty; name one at least, or leave it out")
	}
}

func (c *candidate) addTechnique(s *scanner, i int, name string) {
	t, err := estimate.ParseTechnique(name)
	if err != nil {
		s.bad = faultf(indexed("techniques", i), "%v", err)
	}
	c.techniques = append(c.techniques, t)
}

// mapping reads a mapping as mapping files are.
func (s *scanner) mapping() *mapping.Mapping {
	m := &mapping.Mapping{}
	s.object("mapping", "a mapping: an object in braces", func(key []byte) {
		switch field := "mapping." + string(key); string(key) {
		case "schema":
			if v := s.text(field, "a schema"); s.bad == nil && string(v) != "pathspan.mapping/1" {
				s.bad = faultf(field, "%q: want pathspan.mapping/1", v)
			}
		case "serial":
			m.Serial = mapping.Word{Text: string(s.text(field, "a processor")), Pos: fieldPos(field)}
			if s.bad == nil && m.Serial.Text == "" {
				s.bad = faultf(field, "the name is empty; want that of a processor")
			}
		case "regions":
			s.object(field, "regions: an object in braces", func(key []byte) {
				m.Regions = append(m.Regions, s.region(fmt.Sprintf("%s[%q]", field, key), string(key)))
			})
		case mapping.TasksKey:
			s.object(field, "tasks: an object in braces", func(key []byte) {
				at := fmt.Sprintf("%s[%q]", field, key)
				m.Tasks = append(m.Tasks, mapping.TaskFile{Name: mapping.Word{Text: string(key), Pos: fieldPos(at)}, Processors: s.processors(at)})
			})
		case mapping.DepthsKey:
			s.object(field, "depths of buffers: an object in braces", func(key []byte) {
				at := fmt.Sprintf("%s[%q]", field, key)
				n := s.integer(at, "how many items the buffer holds")
				if s.bad == nil && (n < 1 || n > mapping.MostDepth) {
					s.bad = faultf(at, "%d: want 1 to %d items", n, mapping.MostDepth)
				}
				m.Depths = append(m.Depths, mapping.DepthFile{Name: mapping.Word{Text: string(key), Pos: fieldPos(at)}, Depth: n})
			})
		default:
			s.bad = faultf(field, "unknown field; want serial, regions, tasks or depths")
		}
	})
	return m
}

// sharesLoops reports whether a mapping says how some loop shares its iterations.
func sharesLoops(m *mapping.Mapping) bool {
	return slices.ContainsFunc(m.Regions, func(r mapping.RegionFile) bool { return len(r.Loops) > 0 })
}

// loop reads how a loop shares its iterations.
func (s *scanner) loop(field, number string) mapping.LoopFile {
	l := mapping.LoopFile{Number: mapping.Word{Text: number, Pos: fieldPos(field)}}
	s.object(field, "how a loop shares its iterations: an object in braces", func(key []byte) {
		at := field + "." + string(key)
		switch string(key) {
		case "schedule":
			l.Schedule = mapping.Word{Text: string(s.text(at, "a schedule")), Pos: fieldPos(at)}
			if s.bad == nil && l.Schedule.Text == "" {
				s.bad = faultf(at, "the schedule is empty; leave it out, or name one")
			}
		case "processors":
			s.list(at, "a list of processors", func(i int) {
				l.Processors = append(l.Processors, mapping.Word{Text: string(s.text(indexed(at, i), "a processor")), Pos: fieldPos(indexed(at, i))})
			})
			if s.bad == nil && l.Processors == nil {
				s.bad = faultf(at, "the list is empty; name a processor for each thread, or leave it out")
			}
		case "shares":
			s.list(at, "a list of numbers", func(i int) {
				x, err := strconv.ParseFloat(string(s.plain(indexed(at, i))), 64)
				if s.bad == nil && (err != nil || !(x >= 0 && x <= mapping.MaxShare)) {
					s.bad = faultf(indexed(at, i), "want a number from 0 to %g", float64(mapping.MaxShare))
				}
				l.Shares = append(l.Shares, mapping.Share{Value: x, Pos: fieldPos(at)})
			})
			if s.bad == nil && l.Shares == nil {
				s.bad = faultf(at, "the list is empty; give a share for each thread, or leave it out")
			}
		default:
			s.bad = faultf(at, "unknown field; want schedule, processors or shares")
		}
	})
	return l
}

// processors lists those that execute tasks.
func (s *scanner) processors(at string) (out []mapping.Word) {
	s.list(at, "a list of processors", func(i int) {
		out = append(out, mapping.Word{Text: string(s.text(indexed(at, i), "a processor")), Pos: fieldPos(indexed(at, i))})
	})
	if s.bad == nil && out == nil {
		s.bad = faultf(at, "the list is empty; name the processors of its tasks, or leave it out")
	}
	return out
}

func (s *scanner) region(field, name string) mapping.RegionFile {
	r := mapping.RegionFile{Name: mapping.Word{Text: name, Pos: fieldPos(field)}}
	s.object(field, "processors with their sections: an object in braces", func(key []byte) {
		at := field + "." + string(key)
		if string(key) == mapping.LoopsKey {
			s.object(at, "loops by number: an object in braces", func(key []byte) {
				r.Loops = append(r.Loops, s.loop(at+"."+string(key), string(key)))
			})
			return
		}
		if string(key) == mapping.TasksKey {
			r.Team = s.processors(at)
			return
		}
		list := mapping.ProcessorList{Name: mapping.Word{Text: string(key), Pos: fieldPos(at)}}
		s.list(at, "a list of sections", func(i int) {
			word := mapping.Word{Pos: fieldPos(indexed(at, i))}
			if s.next() == '"' {
				word.Text = string(s.text(at, "a section"))
			} else {
				word.Text = strconv.Itoa(s.integer(indexed(at, i), "a section's number or name"))
			}
			list.Sections = append(list.Sections, word)
		})
		r.Processors = append(r.Processors, list)
	})
	return r
}
