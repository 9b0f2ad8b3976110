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
	p := &printer{}
	fmt.Fprintf(p, "system %s, clock %s\n", clip(cmp.Or(s.Name, "without a name")), hertz(s.ClockHz))
	names := map[string]string{}
	s.Root.each(func(c *ComponentSet) {
		for i := range c.Masters {
			m := &c.Masters[i]
			names[m.ID] = clip(cmp.Or(m.Name, m.ID))
			instructions := map[int]string{0: "no instructions", 1: "1 instruction"}[m.count()]
			fmt.Fprintf(p, "component %s: %s %s, clock %s, %s\n", names[m.ID], m.Type, clip(m.Arch), hertz(s.ClockOf(m)),
				cmp.Or(instructions, fmt.Sprintf("%d instructions", m.count())))
		}
		for _, x := range c.Slaves {
			fmt.Fprintf(p, "memory %s: %s, %s\n", clip(cmp.Or(x.Name, x.ID)), bytesText(x.Bytes), x.RW)
		}
		for _, x := range c.Caches {
			fmt.Fprintf(p, "cache %s: %s, %s, %d ways, lines of %d bytes\n", clip(cmp.Or(x.Name, x.ID)), bytesText(x.Bytes), strings.ToLower(x.Type), x.Ways, x.LineBytes)
		}
	})
	p.accesses(s)
	for i := range s.Communications {
		p.communication(&s.Communications[i], names)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// printer gathers the text.
type printer struct{ strings.Builder }

// accesses lists the latencies of memories, masters with equal ones together.
func (p *printer) accesses(s *System) {
	groups := grouped{at: map[[2]string]*group{}}
	for _, m := range s.Masters() {
		types := map[string]AccessType{}
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
					lines = append(lines, of+types[a.AccessType].text()+": "+a.text())
				}
			}
			slices.Sort(lines) // access types are each master's own
			groups.add("access to "+clip(cmp.Or(r.space.Name, r.space.ID)), lines, clip(cmp.Or(m.Name, m.ID)))
		}
	}
	p.groups(groups)
}

func (p *printer) communication(c *Communication, names map[string]string) {
	groups := grouped{at: map[[2]string]*group{}}
	text := fmt.Sprintf("communication %s: %s", clip(cmp.Or(c.Name, "without a name")), c.Kind)
	if c.Bytes != 0 {
		text += ", " + bytesText(c.Bytes)
	}
	if len(c.Connections) == 0 {
		fmt.Fprintf(p, "%s, no connections\n", text)
	}
	for _, cn := range c.Connections {
		var lines []string
		for _, a := range cn.Access {
			lines = append(lines, a.text())
		}
		groups.add(text, lines, names[cn.From]+" to "+names[cn.To])
	}
	p.groups(groups)
}

// grouped holds who shares a text, in the order of first use.
type grouped struct {
	list []*group
	at   map[[2]string]*group
}

type group struct {
	head, text string
	who        []string
}

func (g *grouped) add(head string, lines []string, who string) {
	key := [2]string{head, strings.Join(slices.Compact(lines), "\n  ")}
	x := g.at[key]
	if x == nil {
		x = &group{head: key[0], text: key[1]}
		g.at[key] = x
		g.list = append(g.list, x)
	}
	if len(x.who) == 0 || x.who[len(x.who)-1] != who { // several memories in one sub-space
		x.who = append(x.who, who)
	}
}

// maxSharers bounds how many of those who share a text are named.
const maxSharers = 8

func (p *printer) groups(all grouped) {
	for _, g := range all.list {
		who := strings.Join(g.who[:min(len(g.who), maxSharers)], ", ")
		if len(g.who) > maxSharers {
			who += fmt.Sprintf(" and %d more", len(g.who)-maxSharers)
		}
		fmt.Fprintf(p, "%s, from %s\n  %s\n", g.head, who, cmp.Or(g.text, "no figures"))
	}
}

func (a AccessType) text() string {
	if a.ID == "" {
		return "any access"
	}
	text := cmp.Or(a.RW, "any access")
	if a.Bytes != 0 {
		text += fmt.Sprintf(", %d bytes", a.Bytes)
	}
	if a.Burst != 0 {
		text += fmt.Sprintf(", %d accesses a burst", a.Burst)
	}
	return text
}

func (a Access) text() string { return "latency " + a.Latency.text() + ", pitch " + a.Pitch.text() }

// text is best / typical / worst, or one number where they are equal.
func (r Range) text() string {
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
