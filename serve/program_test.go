package serve

// This file makes services to test: of the paper's example, and of programs of any size.

import (
	"context"
	"fmt"
	"math/rand"
	"testing"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
)

// fun0 is the estimator of the paper's example.
func fun0(t testing.TB) *estimate.Estimator {
	t.Helper()
	b, err := profile.ReadFile("../cmd/pathspan/testdata/fun0a.pspan")
	if err != nil {
		t.Fatal(err)
	}
	pl, err := mapping.LoadPlatform("../testdata/fun0/platform.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return estimator(t, b, "fun_0", pl)
}

func estimator(t testing.TB, b *profile.Bundle, root string, pl *mapping.Platform) *estimate.Estimator {
	t.Helper()
	a, err := estimate.Prepare(b, root)
	if err != nil {
		t.Fatal(err)
	}
	procs, err := (&estimate.Pricer{Program: b.Program}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// synthetic is an estimator of a program whose main passes through regions of two
// constructs, each of so many sections. A section has two branches; paths take them at
// random. The processors differ.
func synthetic(t testing.TB, regions, sections, paths, processors int) *estimate.Estimator {
	t.Helper()
	r := rand.New(rand.NewSource(1))
	f := &ir.Func{Name: "main", Source: "main"}
	prog := &ir.Program{Files: []string{"s.c"}, Funcs: []*ir.Func{f}}
	costs := &procmodels.Costs{Model: "synthetic", Blocks: make([][]procmodels.BlockCost, 1)}
	steps := make([][]pathprof.Step, paths)
	block := func(mark *ir.Mark, cycles int) int {
		b := &ir.Block{Index: len(f.Blocks), Name: fmt.Sprint("b", len(f.Blocks)), Mark: mark}
		b.Instrs = []ir.Instr{{Op: "br", Loc: ir.Loc{Line: 1}}}
		f.Blocks = append(f.Blocks, b)
		costs.Blocks[0] = append(costs.Blocks[0], procmodels.BlockCost{Cycles: float64(cycles)})
		return b.Index
	}
	last := block(nil, 100)
	onAll := func(b int) {
		for p := range steps {
			steps[p] = append(steps[p], pathprof.Step(b))
		}
	}
	onAll(last)
	chain := func(mark *ir.Mark, cycles int) {
		b := block(mark, cycles)
		f.Blocks[last].Succs = append(f.Blocks[last].Succs, b)
		onAll(b)
		last = b
	}
	for region := range regions {
		reg := ir.Region{Name: fmt.Sprintf("s.c:main:%d", 10+region), File: "s.c", Function: "main", Line: 10 + region}
		chain(&ir.Mark{Kind: ir.RegionBegin, Region: region}, 0)
		n := 0
		for c := range 2 {
			con := ir.Construct{}
			for s := range sections {
				n++
				con.Sections = append(con.Sections, ir.Section{Name: fmt.Sprintf("%s/%d", reg.Name, n), Line: 100*region + n})
				mark := ir.Mark{Region: region, Construct: c, Section: s}
				open, shut := mark, mark
				open.Kind, shut.Kind = ir.SectionBegin, ir.SectionEnd
				chain(&open, 0)
				x, y := block(nil, r.Intn(5000)), block(nil, r.Intn(5000))
				end := block(&shut, 0)
				f.Blocks[last].Succs = []int{x, y}
				f.Blocks[x].Succs, f.Blocks[y].Succs = []int{end}, []int{end}
				for p := range steps {
					steps[p] = append(steps[p], pathprof.Step([]int{x, y}[r.Intn(2)]), pathprof.Step(end))
				}
				last = end
				chain(nil, 0)
			}
			reg.Constructs = append(reg.Constructs, con)
		}
		chain(&ir.Mark{Kind: ir.RegionEnd, Region: region}, 10)
		prog.Regions = append(prog.Regions, reg)
	}
	f.Blocks[last].Instrs[0].Op = "ret"
	level := profile.LevelProfile{Loop: -1}
	for p := range steps {
		level.Paths = append(level.Paths, profile.Path{End: pathprof.EndFunction, ID: uint64(p), Count: uint64(1 + r.Intn(9)), Steps: steps[p], Edge: -1})
	}
	b := &profile.Bundle{Program: prog, Funcs: []*profile.FuncProfile{{Levels: []profile.LevelProfile{level}}}}
	a, err := estimate.Prepare(b, "")
	if err != nil {
		t.Fatal(err)
	}
	p := estimate.Processors{Platform: mapping.Homogeneous(processors, "synthetic")}
	for i := range processors {
		p.Costs = append(p.Costs, costs)
		p.ClockMHz = append(p.ClockMHz, float64(100+50*(i%2)))
	}
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func service(t testing.TB, e *estimate.Estimator, workers int) *Service {
	t.Helper()
	s, err := New(e, Options{Bundle: "test.pspan", Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// nested is an estimator of a program that does not come apart: a section calls a
// function that has a region.
func nested(t testing.TB) *estimate.Estimator {
	t.Helper()
	prog := &ir.Program{Files: []string{"n.c"}}
	costs := &procmodels.Costs{Model: "nested"}
	b := &profile.Bundle{Program: prog}
	for i, name := range []string{"main", "inner"} {
		f := &ir.Func{Index: i, Name: name, Source: name}
		var path []pathprof.Step
		var blocks []procmodels.BlockCost
		block := func(kind ir.MarkKind, section int, cycles float64, instrs ...ir.Instr) {
			at := &ir.Block{Index: len(f.Blocks), Name: fmt.Sprint("b", len(f.Blocks))}
			if kind != 0 {
				at.Mark = &ir.Mark{Kind: kind, Region: i, Section: section}
			}
			if at.Index > 0 {
				f.Blocks[at.Index-1].Succs = []int{at.Index}
			}
			at.Instrs = append(instrs, ir.Instr{Op: "br"})
			f.Blocks, path = append(f.Blocks, at), append(path, pathprof.Step(at.Index))
			blocks = append(blocks, procmodels.BlockCost{Cycles: cycles})
		}
		block(0, 0, 10)
		block(ir.RegionBegin, 0, 0)
		reg := ir.Region{Name: fmt.Sprintf("n.c:%s:%d", name, 10*i), Constructs: make([]ir.Construct, 1)}
		for s := range 2 {
			reg.Constructs[0].Sections = append(reg.Constructs[0].Sections, ir.Section{Name: fmt.Sprintf("%s/%d", reg.Name, s+1)})
			block(ir.SectionBegin, s, 0)
			if i == 0 && s == 0 {
				block(0, 0, 100, ir.Instr{Op: "call", Call: &ir.Call{Callee: 1, Name: "inner"}})
			} else {
				block(0, 0, 1000+500*float64(s))
			}
			block(ir.SectionEnd, s, 0)
			block(0, 0, 1)
		}
		block(ir.RegionEnd, 0, 5)
		f.Blocks[len(f.Blocks)-1].Instrs[0].Op = "ret"
		prog.Funcs, prog.Regions = append(prog.Funcs, f), append(prog.Regions, reg)
		costs.Blocks = append(costs.Blocks, blocks)
		b.Funcs = append(b.Funcs, &profile.FuncProfile{Func: i, Levels: []profile.LevelProfile{{Loop: -1, Paths: []profile.Path{{End: pathprof.EndFunction, Count: 3, Steps: path, Edge: -1}}}}})
	}
	a, err := estimate.Prepare(b, "")
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(estimate.Processors{Platform: mapping.Homogeneous(3, "nested"), Costs: []*procmodels.Costs{costs, costs, costs}, ClockMHz: []float64{100, 100, 200}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}
