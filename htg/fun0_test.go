package htg

// This file builds the graphs of the worked example of the paper (Fig. 1, Fig. 5).

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// program builds a Program of one function f from one line a block:
//
//	name [mark]: opcode or @callee ... -> successor ...
//
// where mark is R0( or R0) for begin and end of region 0, R0.0.1( and R0.0.1) for
// section 1 of construct 0. @name calls a function of the program, @? any function.
// Blocks stand on source lines 1, 2, 3 and so on. Each region has two constructs of
// four sections.
func program(t testing.TB, text string) (*ir.Program, *ir.Func) {
	t.Helper()
	p := &ir.Program{Files: []string{"f.c"}}
	f := &ir.Func{Name: "f", Source: "f"}
	callee := &ir.Func{Index: 1, Name: "g", Blocks: []*ir.Block{{Name: "entry", Instrs: []ir.Instr{{Op: "ret"}}}}}
	p.Funcs = []*ir.Func{f, callee}
	regions := 0
	var succs [][]string
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		head, rest, _ := strings.Cut(line, ":")
		code, targets, _ := strings.Cut(rest, "->")
		words := strings.Fields(head)
		b := &ir.Block{Index: len(f.Blocks), Name: words[0]}
		loc := ir.Loc{Line: b.Index + 1}
		if len(words) > 1 {
			b.Mark = parseMark(t, words[1])
			regions = max(regions, b.Mark.Region+1)
			b.Instrs = append(b.Instrs, ir.Instr{Op: "call", Loc: loc, Call: &ir.Call{Callee: -1, Name: ir.MarkerFunc}})
		}
		for _, op := range strings.Fields(code) {
			in := ir.Instr{Op: op, Loc: loc}
			switch {
			case op == "@?":
				in.Op, in.Call = "call", &ir.Call{Callee: -1, Indirect: true}
			case op == "@g":
				in.Op, in.Call = "call", &ir.Call{Callee: 1, Name: "g"}
			case op[0] == '@':
				in.Op, in.Call = "call", &ir.Call{Callee: -1, Name: op[1:]}
			}
			b.Instrs = append(b.Instrs, in)
		}
		succs = append(succs, strings.Fields(targets))
		switch {
		case len(b.Instrs) > 0 && b.Terminator().Op == "unreachable":
		case len(succs[b.Index]) == 0:
			b.Instrs = append(b.Instrs, ir.Instr{Op: "ret", Loc: loc})
		default:
			b.Instrs = append(b.Instrs, ir.Instr{Op: "br", Loc: loc})
		}
		f.Blocks = append(f.Blocks, b)
	}
	for i, names := range succs {
		for _, name := range names {
			to := f.BlockNamed(name)
			if to < 0 {
				t.Fatalf("block %s has unknown successor %s", f.Blocks[i].Name, name)
			}
			f.Blocks[i].Succs = append(f.Blocks[i].Succs, to)
		}
	}
	for r := range regions {
		reg := ir.Region{Name: fmt.Sprintf("f.c:f:%d", 100+r), Function: "f"}
		n := 0
		for range 2 {
			var c ir.Construct
			for range 4 {
				n++
				c.Sections = append(c.Sections, ir.Section{Name: fmt.Sprintf("%s/%d", reg.Name, n)})
			}
			reg.Constructs = append(reg.Constructs, c)
		}
		p.Regions = append(p.Regions, reg)
	}
	return p, f
}

func parseMark(t testing.TB, s string) *ir.Mark {
	t.Helper()
	m := &ir.Mark{}
	body := s[:len(s)-1]
	begin := s[len(s)-1] == '('
	if n, _ := fmt.Sscanf(body, "R%d.%d.%d", &m.Region, &m.Construct, &m.Section); n == 3 {
		m.Kind = ir.SectionEnd
		if begin {
			m.Kind = ir.SectionBegin
		}
		return m
	}
	if n, _ := fmt.Sscanf(body, "R%d", &m.Region); n != 1 {
		t.Fatalf("mark %q", s)
	}
	m.Kind = ir.RegionEnd
	if begin {
		m.Kind = ir.RegionBegin
	}
	return m
}

func build(t testing.TB, text string) (*Graphs, *ir.Program) {
	t.Helper()
	p, f := program(t, text)
	g, err := Build(f, flow.Analyze(f), p)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Check(); err != nil {
		t.Fatal(err)
	}
	return g, p
}

// describe lists the tasks of all levels: label, name, kind, blocks, predecessors.
func describe(g *Graphs) string {
	var s strings.Builder
	for _, l := range g.Levels {
		for i := range l.Tasks {
			t := &l.Tasks[i]
			fmt.Fprintf(&s, "%d %s", l.Level, t.Label)
			if t.Kind != Entry && t.Kind != Exit {
				var blocks []string
				for _, b := range t.Blocks {
					blocks = append(blocks, g.Func.Blocks[b].Name)
				}
				fmt.Fprintf(&s, " %s %v [%s]", t.Name, t.Kind, strings.Join(blocks, " "))
				if t.Loop >= 0 {
					fmt.Fprintf(&s, " loop %s", g.Func.Blocks[g.CFG.Loops[t.Loop].Header].Name)
				}
			}
			for _, p := range t.Preds {
				fmt.Fprintf(&s, " <%s", l.Tasks[p].Label)
			}
			s.WriteString("\n")
		}
	}
	return s.String()
}

func wantTasks(t *testing.T, g *Graphs, want string) {
	t.Helper()
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(want), "\n") {
		lines = append(lines, strings.TrimSpace(l))
	}
	if got := strings.TrimSpace(describe(g)); got != strings.Join(lines, "\n") {
		t.Errorf("tasks:\n%s\nwant:\n%s", got, strings.Join(lines, "\n"))
	}
}

// The sections laid one after the other; blocks are named by the paper's block and,
// where a block's statements belong to several tasks, the task.
const fun0 = `
	1:                 store              -> region
	region R0(:                           -> s1
	s1 R0.0.0(:        add icmp           -> 2 3
	2:                 @g                 -> 4
	3:                 mul                -> 4
	4:                 add add            -> e1
	e1 R0.0.0):                           -> s2
	s2 R0.0.1(:                           -> 5
	5:                 icmp               -> 6 13.2
	6:                 store icmp         -> 7 8
	7:                 @g                 -> 9
	8:                 add                -> 9
	9:                 add                -> 5
	13.2:              @g                 -> e2
	e2 R0.0.1):                           -> s3
	s3 R0.0.2(:        store icmp         -> 11 12
	11:                @g                 -> 13.3
	12:                mul                -> 13.3
	13.3:                                 -> e3
	e3 R0.0.2):                           -> end
	end R0):                              -> 13
	13:                add`

func TestWorkedExample(t *testing.T) {
	g, _ := build(t, fun0)
	wantTasks(t, g, `
		0 Entry
		0 Task0 f:1 simple [1 region] <Entry
		0 Task1 f.c:f:100/1 compound [s1 2 3 4] <Task0
		0 Task2a f.c:f:100/2a loop [s2] loop 5 <Task0
		0 Task2b f.c:f:100/2b compound [13.2] <Task2a
		0 Task3 f.c:f:100/3 compound [s3 11 12 13.3] <Task0
		0 Task4 f:22 simple [e1 e2 e3 end 13] <Task1 <Task2b <Task3
		0 Exit <Task4
		1 Entry
		1 Task5 f:9 compound [5 6 7 8 9] <Entry
		1 Exit <Task5`)
	if len(g.Warnings) > 0 {
		t.Error(g.Warnings)
	}
	if got := g.TaskOf(0, g.Func.BlockNamed("9")); g.Levels[0].Tasks[got].Label != "Task2a" {
		t.Errorf("block 9 counts in task %d of level 0", got)
	}
}
