package htg

// This file builds graphs of random structured functions, whose series of tasks and
// groups is known from their making.

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"pathspan/ir/flow"
)

// maker writes a random function in the language of program, and, for each block, the
// region sections it lies in.
type maker struct {
	r       *rand.Rand
	lines   []string
	blocks  int
	regions int
	stack   []string // regions, sections and loops, outermost first
	where   map[string]string
}

func (m *maker) name() string {
	m.blocks++
	n := fmt.Sprintf("b%d", m.blocks)
	m.where[n] = strings.Join(m.stack, " ")
	return n
}

func (m *maker) line(format string, args ...any) {
	m.lines = append(m.lines, fmt.Sprintf(format, args...))
}

// code writes a piece of code that is entered at block from and leads to block to.
func (m *maker) code(from, to string, depth int) {
	ops := []string{"add", "@g", "", "@?"}
	op := ops[m.r.Intn(len(ops))]
	if depth == 0 {
		m.line("%s: %s -> %s", from, op, to)
		return
	}
	switch m.r.Intn(6) {
	case 0:
		m.line("%s: %s -> %s", from, op, to)
	case 1: // in sequence
		mid := m.name()
		m.code(from, mid, depth-1)
		m.code(mid, to, depth-1)
	case 2: // a branch, perhaps with an abort
		a, b := m.name(), m.name()
		m.line("%s: icmp -> %s %s", from, a, b)
		m.code(a, to, depth-1)
		if m.r.Intn(4) == 0 {
			m.line("%s: unreachable", b)
		} else {
			m.code(b, to, depth-1)
		}
	case 3: // a loop
		out := m.name()
		m.stack = append(m.stack, "L"+from)
		header := m.name()
		body, latch := m.name(), m.name()
		m.line("%s: -> %s", from, header)
		m.line("%s: icmp -> %s %s", header, body, out)
		m.code(body, latch, depth-1)
		m.line("%s: -> %s", latch, header)
		m.stack = m.stack[:len(m.stack)-1]
		m.line("%s: -> %s", out, to)
	default:
		m.region(from, to, depth)
	}
}

func (m *maker) region(from, to string, depth int) {
	id := m.regions
	m.regions++
	begin, end := m.name(), m.name()
	m.line("%s: -> %s", from, begin)
	next := m.name()
	m.line("%s R%d(: -> %s", begin, id, next)
	for c := range 1 + m.r.Intn(2) {
		for s := range 1 + m.r.Intn(3) {
			after := m.name()
			m.stack = append(m.stack, fmt.Sprintf("R%d.%d.%d", id, c, s))
			open := m.name()
			first := m.name()
			m.stack = m.stack[:len(m.stack)-1]
			m.line("%s: -> %s", next, open)
			m.line("%s R%d.%d.%d(: -> %s", open, id, c, s, first)
			m.stack = append(m.stack, fmt.Sprintf("R%d.%d.%d", id, c, s))
			m.code(first, after+"x", depth-1)
			m.stack = m.stack[:len(m.stack)-1]
			m.line("%sx R%d.%d.%d): -> %s", after, id, c, s, after)
			m.where[after+"x"] = strings.Join(m.stack, " ")
			next = after
		}
	}
	m.line("%s: -> %s", next, end)
	m.line("%s R%d): -> %s", end, id, to)
}

// random returns the text of a function.
func random(seed int64) (string, map[string]string) {
	m := &maker{r: rand.New(rand.NewSource(seed)), where: map[string]string{}}
	first, last := m.name(), m.name()
	m.code(first, last, 2+m.r.Intn(4))
	m.line("%s:", last)
	// The entry must be the first block; the rest comes in any order.
	m.r.Shuffle(len(m.lines), func(i, j int) { m.lines[i], m.lines[j] = m.lines[j], m.lines[i] })
	for i, l := range m.lines {
		if strings.HasPrefix(l, first+":") || strings.HasPrefix(l, first+" ") {
			m.lines[0], m.lines[i] = m.lines[i], m.lines[0]
		}
	}
	return strings.Join(m.lines, "\n"), m.where
}

// sectionsOf returns the sections, within its level, that hold a task.
func sectionsOf(g *Graphs, l *Graph, group, section int) []string {
	var names []string
	for group >= 0 {
		gr := &l.Groups[group]
		names = append([]string{fmt.Sprintf("R%d.%d.%d", gr.Region, gr.Construct, gr.Sections[section].Section)}, names...)
		group, section = gr.Parent, gr.ParentSection
	}
	return names
}

func TestRandomFunctions(t *testing.T) {
	regions := 0
	for seed := range int64(400) {
		text, where := random(seed)
		g, _ := build(t, text)
		if len(g.Warnings) > 0 {
			t.Fatalf("seed %d: %q\n%s", seed, g.Warnings, text)
		}
		regions += len(g.Instances)
		for level, l := range g.Levels {
			for i := range l.Tasks {
				task := &l.Tasks[i]
				for _, b := range task.Blocks {
					want := strings.Fields(where[g.Func.Blocks[b].Name])
					// Sections inside the level's loop and outside further loops, which
					// a block that aborts was written in but is not part of.
					inner, depth := 0, 0
					for k, w := range want {
						if w[0] != 'L' {
							continue
						}
						if level == 0 || depth == g.CFG.Loops[level-1].Depth {
							want = want[:k]
							break
						}
						depth++
						inner = k + 1
					}
					got := sectionsOf(g, l, task.Group, task.Section)
					if strings.Join(got, " ") != strings.Join(want[inner:], " ") {
						t.Fatalf("seed %d, level %d: block %s is in %q of the level, want %q\n%s", seed, level, g.Func.Blocks[b].Name, got, want[inner:], text)
					}
				}
			}
			inside := false
			if level > 0 {
				for _, w := range strings.Fields(where[g.Func.Blocks[g.CFG.Loops[level-1].Header].Name]) {
					inside = inside || w[0] == 'R'
				}
			}
			if inside != (l.Inside >= 0) {
				t.Fatalf("seed %d, level %d: inside region instance %d", seed, level, l.Inside)
			}
		}
	}
	if regions < 500 {
		t.Errorf("only %d regions", regions)
	}
}

func BenchmarkBuild(b *testing.B) {
	text, _ := random(7)
	for seed := int64(8); len(text) < 20000; seed++ {
		if more, _ := random(seed); len(more) > len(text) {
			text = more
		}
		if seed > 2000 {
			break
		}
	}
	p, f := program(b, text)
	c := flow.Analyze(f)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(f, c, p); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(f.Blocks)), "blocks")
}
