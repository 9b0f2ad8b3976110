package shim

// This file tells people what a system holds: components, clocks, latencies.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Summary writes what a system holds, a line a component, memory or group of
// connections that cost alike. Figures are best / typical / worst in cycles, or one
// number where they are equal.
func (s *System) Summary(w io.Writer) error {
	p := &printer{w: w}
	p.line("system %s, clock %s", clip(cmp.Or(s.Name, "without a name")), hertz(s.ClockHz))
	names := map[string]string{}
	s.Root.each(func(c *ComponentSet) {
		for i := range c.Masters {
			p.master(s, &c.Masters[i])
			names[c.Masters[i].ID] = clip(cmp.Or(c.Masters[i].Name, c.Masters[i].ID))
		}
		for _, x := range c.Slaves {
			p.line("memory %s: %s, %s", clip(cmp.Or(x.Name, x.ID)), bytesText(x.Bytes), x.RW)
		}
		for _, x := range c.Caches {
			p.line("cache %s: %s, %s, %d ways, lines of %d bytes", clip(cmp.Or(x.Name, x.ID)), bytesText(x.Bytes), strings.ToLower(x.Type), x.Ways, x.LineBytes)
		}
	})
	p.accesses(s)
	for i := range s.Communications {
		p.communication(&s.Communications[i], names)
	}
	return p.err
}

type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

func (p *printer) master(s *System, m *Master) {
	n := 0
	for _, u := range m.Units {
		n += len(u.Instructions)
	}
	text := fmt.Sprintf("component %s: %s %s, clock %s, ", clip(cmp.Or(m.Name, m.ID)), m.Type, clip(m.Arch), hertz(s.ClockOf(m)))
	switch n {
	case 0:
		p.line("%sno instructions", text)
	case 1:
		p.line("%s1 instruction", text)
	default:
		p.line("%s%d instructions", text, n)
	}
}

// accesses lists the latencies of memories, masters with equal ones together.
func (p *printer) accesses(s *System) {
	types := map[string]AccessType{}
	var groups grouped
	for _, m := range s.Masters() {
		for _, a := range m.AccessTypes {
			types[a.ID] = a
		}
		for _, r := range s.memoriesOf(m) {
			var lines []string
			for _, set := range r.sets {
				of := ""
				if set.Cache != "" {
					of = "hits in cache " + clip(set.Cache) + ", "
				}
				for _, a := range set.Access {
					lines = append(lines, of+accessText(types[a.AccessType])+figuresText(a))
				}
			}
			slices.Sort(lines) // access types are each master's own
			groups.add("access to "+clip(cmp.Or(r.space.Name, r.space.ID)), strings.Join(slices.Compact(lines), "\n"), clip(cmp.Or(m.Name, m.ID)))
		}
	}
	groups.print(p, "from")
}

func (p *printer) communication(c *Communication, names map[string]string) {
	var groups grouped
	text := fmt.Sprintf("communication %s: %s", clip(cmp.Or(c.Name, "without a name")), c.Kind)
	if c.Bytes != 0 {
		text += ", " + bytesText(c.Bytes)
	}
	if len(c.Connections) == 0 {
		p.line("%s, no connections", text)
		return
	}
	for _, cn := range c.Connections {
		var lines []string
		for _, a := range cn.Access {
			lines = append(lines, figuresText(a))
		}
		groups.add(text, strings.Join(slices.Compact(lines), "\n"), names[cn.From]+" to "+names[cn.To])
	}
	groups.print(p, "from")
}

// grouped holds who shares a text, in the order of first use.
type grouped struct {
	keys [][2]string
	who  map[[2]string][]string
}

func (g *grouped) add(head, text, who string) {
	key := [2]string{head, text}
	if g.who == nil {
		g.who = map[[2]string][]string{}
	}
	if _, ok := g.who[key]; !ok {
		g.keys = append(g.keys, key)
	}
	if list := g.who[key]; len(list) == 0 || list[len(list)-1] != who { // several memories in one sub-space
		g.who[key] = append(list, who)
	}
}

// maxSharers bounds how many of those who share a text are named.
const maxSharers = 8

func (g *grouped) print(p *printer, how string) {
	for _, key := range g.keys {
		who := g.who[key]
		list := strings.Join(who[:min(len(who), maxSharers)], ", ")
		if len(who) > maxSharers {
			list += fmt.Sprintf(" and %d more", len(who)-maxSharers)
		}
		p.line("%s, %s %s", key[0], how, list)
		if key[1] == "" {
			p.line("  no figures")
			continue
		}
		for line := range strings.SplitSeq(key[1], "\n") {
			p.line("  %s", line)
		}
	}
}

func accessText(a AccessType) string {
	if a.ID == "" {
		return "any access: "
	}
	text := cmp.Or(a.RW, "any access")
	for _, part := range []struct {
		n    int
		unit string
	}{{a.Bytes, "bytes"}, {a.Burst, "accesses a burst"}} {
		if part.n != 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.unit)
		}
	}
	return text + ": "
}

func figuresText(a Access) string {
	return fmt.Sprintf("latency %s, pitch %s", rangeText(a.Latency), rangeText(a.Pitch))
}

func rangeText(r Range) string {
	if r.Best == r.Typical && r.Worst == r.Typical {
		return fmt.Sprintf("%g", r.Typical)
	}
	return fmt.Sprintf("%g / %g / %g", r.Best, r.Typical, r.Worst)
}

func hertz(hz int64) string {
	if hz == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%g MHz", float64(hz)/1e6)
}

func bytesText(n int64) string {
	value, unit := size(n)
	return value + " " + unit
}
