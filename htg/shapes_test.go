package htg

// This file tests graphs of regions in loops, branches and sections, and of regions
// that cannot be delimited.

import (
	"strings"
	"testing"
)

func TestShapes(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"serial code around loops", `
			a: add -> h
			h: icmp -> b c
			b: add -> h
			c: @g -> h2
			h2: icmp -> b2 d
			b2: @? -> h2
			d: -> e
			e:`, `
			0 Entry
			0 Task0a f:1 simple [a] <Entry
			0 Task0b f:2 loop [] loop h <Task0a
			0 Task0c f:4 compound [c] <Task0b
			0 Task0d f:5 loop [] loop h2 <Task0c
			0 Task0e f:8 simple [d e] <Task0d
			0 Exit <Task0e
			1 Entry
			1 Task1 f:2#2 simple [h b] <Entry
			1 Exit <Task1
			2 Entry
			2 Task2 f:5#2 compound [h2 b2] <Entry
			2 Exit <Task2`},
		{"a region in a loop, with two constructs", `
			a: add -> h
			h: icmp -> r x
			r R0(: -> p
			p R0.0.0(: add -> pe
			pe R0.0.0): add -> q
			q R0.0.1(: add -> qe
			qe R0.0.1): add -> u
			u R0.1.0(: add -> ue
			ue R0.1.0): -> v
			v R0.1.1(: @g -> ve
			ve R0.1.1): -> e
			e R0): -> h
			x: add`, `
			0 Entry
			0 Task0a f:1 simple [a] <Entry
			0 Task0b f:2 loop [] loop h <Task0a
			0 Task0c f:13 simple [x] <Task0b
			0 Exit <Task0c
			1 Entry
			1 Task1 f:2#2 simple [h r] <Entry
			1 Task2 f.c:f:100/1 simple [p] <Task1
			1 Task3 f.c:f:100/2 simple [q] <Task1
			1 Task4 f:5 simple [pe qe] <Task2 <Task3
			1 Task5 f.c:f:100/5 simple [u] <Task4
			1 Task6 f.c:f:100/6 compound [v] <Task4
			1 Task7 f:9 simple [ue ve e] <Task5 <Task6
			1 Exit <Task7`},
		{"a region in a section, in a branch, with an exit", `
			a: icmp -> r z
			r R0(: -> p
			p R0.0.0(: add -> r1
			r1 R1(: -> p1
			p1 R1.0.0(: icmp -> die p1e
			die: unreachable
			p1e R1.0.0): -> q1
			q1 R1.0.1(: add -> q1e
			q1e R1.0.1): -> e1
			e1 R1): -> w
			w: add -> pe
			pe R0.0.0): -> q
			q R0.0.1(: icmp -> die qe
			qe R0.0.1): -> e
			e R0): -> y
			z: mul -> y
			y: add`, `
			0 Entry
			0 Task0 f:1 simple [a r] <Entry
			0 Task1a f.c:f:100/1a simple [p r1] <Task0
			0 Task1.1 f.c:f:101/1 simple [p1] <Task1a
			0 Task1.2 f.c:f:101/2 simple [q1] <Task1a
			0 Task1b f.c:f:100/1b simple [p1e q1e e1 w] <Task1.1 <Task1.2
			0 Task2 f.c:f:100/2 simple [q] <Task0
			0 Task3 f:6 simple [pe die qe e z y] <Task1b <Task2
			0 Exit <Task3`},
		{"a construct in a loop of its region", `
			r R0(: add -> h
			h: add -> p
			p R0.0.0(: add -> pe
			pe R0.0.0): -> q
			q R0.0.1(: @g -> qe
			qe R0.0.1): icmp -> h e
			e R0): add`, `
			0 Entry
			0 Task0a f:1 simple [r] <Entry
			0 Task0b f:2 loop [] loop h <Task0a
			0 Task0c f:7 simple [e] <Task0b
			0 Exit <Task0c
			1 Entry
			1 Task1 f:2#2 simple [h] <Entry
			1 Task2 f.c:f:100/1 simple [p] <Task1
			1 Task3 f.c:f:100/2 compound [q] <Task1
			1 Task4 f:6 simple [pe qe] <Task2 <Task3
			1 Exit <Task4`},
		{"a copy of a region", `
			a: icmp -> r s
			r R0(: -> p
			p R0.0.0(: add -> pe
			pe R0.0.0): -> e
			e R0): -> z
			s R0(: -> q
			q R0.0.0(: add -> qe
			qe R0.0.0): -> f
			f R0): -> z
			z:`, `
			0 Entry
			0 Task0 f:1 simple [a r] <Entry
			0 Task1 f.c:f:100/1 simple [p] <Task0
			0 Task2 f:4 simple [pe e s] <Task1
			0 Task3 f.c:f:100/1#2 simple [q] <Task2
			0 Task4 f:10 simple [qe f z] <Task3
			0 Exit <Task4`},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := build(t, c.code)
			wantTasks(t, g, c.want)
			if len(g.Warnings) > 0 {
				t.Error(g.Warnings)
			}
		})
	}
}

// Regions without order become serial, with the reason; others stay parallel.
func TestRegionsThatCannotBeDelimited(t *testing.T) {
	for _, c := range []struct {
		name, code, why string
		groups          int
	}{
		{"entered on one way only", `
			a: icmp -> r z
			r R0(: -> p
			p R0.0.0(: -> pe
			pe R0.0.0): -> z
			z: -> ok
			ok R1(: -> k
			k R1.0.0(: add -> ke
			ke R1.0.0): -> e
			e R1):`, "region f.c:f:100 in function f is treated as serial code: control reaches block z from inside and outside it", 1},
		{"a region that ends in a loop", `
			r R0(: -> p
			p R0.0.0(: add -> pe
			pe R0.0.0): -> h
			h: -> e
			e R0): icmp -> e x
			x:`, "region f.c:f:100 in function f is treated as serial code: a loop around block e cuts through it", 0},
		{"a section left for another", `
			r R0(: -> p
			p R0.0.0(: add -> q
			q R0.0.1(: add -> qe
			qe R0.0.1): -> e
			e R0):`, "region f.c:f:100 in function f is treated as serial code: its marks do not pair up in block q", 0},
		{"an end without a begin", `
			a: -> e
			e R0):`, "region f.c:f:100 in function f is treated as serial code: a mark in block e stands outside it", 0},
		{"a jump into a section", `
			r R0(: icmp -> p x
			p R0.0.0(: add -> x
			x: add -> pe
			pe R0.0.0): -> e
			e R0):`, "region f.c:f:100 in function f is treated as serial code: control reaches block x from inside and outside one of its sections", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			g, _ := build(t, c.code)
			if len(g.Warnings) != 1 || g.Warnings[0] != c.why {
				t.Errorf("warnings %q, want %q", g.Warnings, c.why)
			}
			n := 0
			for _, l := range g.Levels {
				n += len(l.Groups)
			}
			if n != c.groups {
				t.Errorf("%d groups, want %d", n, c.groups)
			}
		})
	}
}

func TestMarksOfNoRegion(t *testing.T) {
	p, f := program(t, "a R0(: -> b\nb R0.0.3(: add")
	f.Blocks[1].Mark.Section = 4
	if _, err := Build(f, nil, p); err == nil || !strings.Contains(err.Error(), "region f.c:f:100 has no section 4 of construct 0") {
		t.Error(err)
	}
	f.Blocks[0].Mark.Region = 1
	if _, err := Build(f, nil, p); err == nil || !strings.Contains(err.Error(), "mark of region 1 of 1") {
		t.Error(err)
	}
}
