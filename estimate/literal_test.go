package estimate

// This file holds a small language for programs, profiles and costs in tests.

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
)

// literal is a program with its profile and its costs on one processor.
type literal struct {
	t      testing.TB
	prog   *ir.Program
	bundle *profile.Bundle
	costs  *procmodels.Costs
	edges  map[edge]float64 // how often each was taken, where the program was interpreted
}

// parseLiteral reads functions of one line a block:
//
//	func name
//	block [mark] cycles: call ... -> successor ...
//
// A mark is R0( or R0) for begin and end of region 0, R0.1.2( for section 2 of
// construct 1. A call is @f, @?f,g for an indirect call (see targets), @x&f for a
// call of the external x that passes f, and !@f for one whose cost is included.
// Every region has one construct unless a mark says otherwise.
func parseLiteral(t testing.TB, text string) *literal {
	t.Helper()
	l := &literal{t: t, prog: &ir.Program{Files: []string{"f.c"}}, costs: &procmodels.Costs{Model: "literal"}}
	index := map[string]int{}
	for _, line := range strings.Split(text, "\n") {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "func "); ok {
			index[name] = len(l.prog.Funcs)
			l.prog.Funcs = append(l.prog.Funcs, &ir.Func{Index: len(l.prog.Funcs), Name: name, Source: name})
		}
	}
	var f *ir.Func
	var succs [][]string
	link := func() {
		for i, names := range succs {
			for _, n := range names {
				to := f.BlockNamed(n)
				if to < 0 {
					t.Fatalf("block %s of %s has unknown successor %s", f.Blocks[i].Name, f.Name, n)
				}
				f.Blocks[i].Succs = append(f.Blocks[i].Succs, to)
			}
		}
		succs = nil
	}
	lines := 0
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if name, ok := strings.CutPrefix(line, "func "); ok {
			link()
			f = l.prog.Funcs[index[name]]
			l.costs.Blocks = append(l.costs.Blocks, nil)
			continue
		}
		lines++
		head, rest, _ := strings.Cut(line, ":")
		code, to, _ := strings.Cut(rest, "->")
		words := strings.Fields(head)
		b := &ir.Block{Index: len(f.Blocks), Name: words[0]}
		cost := procmodels.BlockCost{}
		var err error
		if cost.Cycles, err = strconv.ParseFloat(words[len(words)-1], 64); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		loc := ir.Loc{Line: lines}
		if len(words) > 2 {
			b.Mark = l.mark(words[1])
		}
		for _, c := range strings.Fields(code) {
			in := ir.Instr{Op: "call", Loc: loc, Call: &ir.Call{Callee: -1}}
			if strings.HasPrefix(c, "!") {
				c = c[1:]
				cost.Included = append(cost.Included, len(b.Instrs))
			}
			switch {
			case strings.HasPrefix(c, "@?"):
				in.Call.Indirect = true
			case strings.Contains(c, "&"):
				name, arg, _ := strings.Cut(c[1:], "&")
				in.Call.Name, in.Call.FuncArgs = name, []int{index[arg]}
			default:
				in.Call.Name = c[1:]
				i, ok := index[in.Call.Name]
				if !ok {
					t.Fatalf("unknown function %s", in.Call.Name)
				}
				in.Call.Callee = i
			}
			b.Instrs = append(b.Instrs, in)
		}
		if cost.Cycles > 0 {
			b.Instrs = append(b.Instrs, ir.Instr{Op: "add", Loc: loc})
		}
		term := ir.Instr{Op: "br", Loc: loc}
		if strings.TrimSpace(to) == "" {
			term.Op = "ret"
		}
		b.Instrs = append(b.Instrs, term)
		succs = append(succs, strings.Fields(to))
		f.Blocks = append(f.Blocks, b)
		l.costs.Blocks[f.Index] = append(l.costs.Blocks[f.Index], cost)
	}
	link()
	l.bundle = &profile.Bundle{Program: l.prog, Funcs: make([]*profile.FuncProfile, len(l.prog.Funcs))}
	return l
}

func (l *literal) mark(s string) *ir.Mark {
	m := &ir.Mark{}
	if n, _ := fmt.Sscanf(s, "R%d.%d.%d", &m.Region, &m.Construct, &m.Section); n == 3 {
		m.Kind = ir.SectionEnd
		if strings.HasSuffix(s, "(") {
			m.Kind = ir.SectionBegin
		}
	} else if n, _ := fmt.Sscanf(s, "R%d", &m.Region); n == 1 {
		m.Kind = ir.RegionEnd
		if strings.HasSuffix(s, "(") {
			m.Kind = ir.RegionBegin
		}
	} else {
		l.t.Fatalf("mark %q", s)
	}
	for len(l.prog.Regions) <= m.Region {
		l.prog.Regions = append(l.prog.Regions, ir.Region{Name: fmt.Sprintf("f.c:f:%d", len(l.prog.Regions))})
	}
	r := &l.prog.Regions[m.Region]
	if m.Kind == ir.SectionBegin || m.Kind == ir.SectionEnd {
		for len(r.Constructs) <= m.Construct {
			r.Constructs = append(r.Constructs, ir.Construct{})
		}
		c := &r.Constructs[m.Construct]
		for len(c.Sections) <= m.Section {
			c.Sections = append(c.Sections, ir.Section{})
		}
		n := 0
		for i := range r.Constructs {
			for k := range r.Constructs[i].Sections {
				n++
				r.Constructs[i].Sections[k].Name = fmt.Sprintf("%s/%d", r.Name, n)
			}
		}
	}
	return m
}

// run adds executed paths to a level: "count: block L5 block ...", where L5 stands for
// the completed iterations of the loop with header 5.
func (l *literal) run(fn string, level int, end pathprof.SinkKind, paths ...string) {
	l.t.Helper()
	f := l.prog.Func(fn)
	p := l.bundle.Funcs[f.Index]
	c := flow.Analyze(f)
	if p == nil {
		p = &profile.FuncProfile{Func: f.Index, Levels: make([]profile.LevelProfile, len(c.Loops)+1)}
		for i := range p.Levels {
			p.Levels[i].Loop = i - 1
		}
		l.bundle.Funcs[f.Index] = p
	}
	for _, text := range paths {
		count, rest, _ := strings.Cut(text, ":")
		n, err := strconv.ParseUint(count, 10, 64)
		if err != nil {
			l.t.Fatal(err)
		}
		path := profile.Path{End: end, ID: uint64(len(p.Levels[level].Paths)), Count: n}
		for _, w := range strings.Fields(rest) {
			if b := f.BlockNamed(w); b >= 0 {
				path.Steps = append(path.Steps, pathprof.Step(b))
				continue
			}
			header := f.BlockNamed(strings.TrimPrefix(w, "L"))
			if header < 0 || c.LoopOf[header] < 0 {
				l.t.Fatalf("step %q", w)
			}
			path.Steps = append(path.Steps, pathprof.LoopStep(c.LoopOf[header]))
		}
		p.Levels[level].Paths = append(p.Levels[level].Paths, path)
	}
}

// trips sets the largest trip count of a level.
func (l *literal) trips(fn string, level int, n uint64) {
	p := &l.bundle.Funcs[l.prog.Func(fn).Index].Levels[level]
	p.MaxTrips, p.MaxKnown = n, true
}

// estimator prices the literal for n equal processors with create 50 and sync 10.
func (l *literal) estimator(root string, n int) *Estimator {
	l.t.Helper()
	a, err := Prepare(l.bundle, root)
	if err != nil {
		l.t.Fatal(err)
	}
	for _, g := range a.Graphs {
		if g != nil {
			if err := g.Check(); err != nil {
				l.t.Fatal(err)
			}
		}
	}
	e, err := a.On(equal(n, l.costs))
	if err != nil {
		l.t.Fatal(err)
	}
	return e
}

// equal returns n equal processors.
func equal(n int, costs *procmodels.Costs) Processors {
	p := Processors{Platform: mapping.Homogeneous(n, "literal")}
	for range n {
		p.Costs = append(p.Costs, costs)
		p.ClockMHz = append(p.ClockMHz, 100)
	}
	return p
}

// onto maps the sections of region 0, construct 0 to processors in source order.
func (e *Estimator) onto(procs ...int) *mapping.Resolved {
	m := mapping.Default(e.Platform, e.Bundle.Program)
	m.Regions[0].Explicit = true
	m.Regions[0].Proc[0] = procs
	return m
}

// estimate estimates in both ways (verify_test.go).
func estimate(t testing.TB, e *Estimator, m *mapping.Resolved, technique Technique) Result {
	t.Helper()
	if err := m.Check(e.Bundle.Program); err != nil {
		t.Fatal(err)
	}
	return verified(t, second(t, e), e, m, technique)
}

func near(a, b float64) bool {
	return math.Abs(a-b) <= 1e-9*math.Max(1, math.Max(math.Abs(a), math.Abs(b)))
}
