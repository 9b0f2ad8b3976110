package explore

// This file makes programs for tests: constructs of sections with branches that random
// situations decide, so that the sections' times are correlated.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/pathprof"
	"pathspan/procmodels"
	"pathspan/profile"
)

// synthetic is a program of constructs with equal numbers of sections, run in some
// situations. Each section is a branch with sides of different length.
func synthetic(r *rand.Rand, constructs, sections, situations int) (*profile.Bundle, func() *procmodels.Costs) {
	f := &ir.Func{Name: "main", Source: "main"}
	prog := &ir.Program{Files: []string{"s.c"}, Funcs: []*ir.Func{f}}
	var most []int // cycles of blocks at most
	add := func(name string, mark *ir.Mark, cycles int) int {
		i := len(f.Blocks)
		f.Blocks = append(f.Blocks, &ir.Block{Index: i, Name: name, Mark: mark, Instrs: []ir.Instr{{Op: "add"}, {Op: "br"}}})
		most = append(most, cycles)
		return i
	}
	link := func(from int, to ...int) { f.Blocks[from].Succs = to }
	type fork struct{ begin, left, right, end int }
	last := add("entry", nil, 30)
	chain := [][]fork{}
	serial := []int{last}
	for c := range constructs {
		reg := ir.Region{Name: fmt.Sprintf("s.c:main:%d", c+1), Constructs: []ir.Construct{{}}}
		begin := add(fmt.Sprintf("r%d", c), &ir.Mark{Kind: ir.RegionBegin, Region: c}, 5)
		link(last, begin)
		serial = append(serial, begin)
		last = begin
		var forks []fork
		for s := range sections {
			reg.Constructs[0].Sections = append(reg.Constructs[0].Sections, ir.Section{Name: fmt.Sprintf("%s/%d", reg.Name, s+1)})
			x := fork{
				add(fmt.Sprintf("s%d.%d", c, s), &ir.Mark{Kind: ir.SectionBegin, Region: c, Section: s}, 10),
				add(fmt.Sprintf("l%d.%d", c, s), nil, 500), add(fmt.Sprintf("m%d.%d", c, s), nil, 100),
				add(fmt.Sprintf("e%d.%d", c, s), &ir.Mark{Kind: ir.SectionEnd, Region: c, Section: s}, 3),
			}
			link(last, x.begin)
			link(x.begin, x.left, x.right)
			link(x.left, x.end)
			link(x.right, x.end)
			last = x.end
			forks = append(forks, x)
		}
		end := add(fmt.Sprintf("x%d", c), &ir.Mark{Kind: ir.RegionEnd, Region: c}, 20)
		link(last, end)
		serial = append(serial, end)
		last = end
		chain = append(chain, forks)
		prog.Regions = append(prog.Regions, reg)
	}
	f.Blocks[last].Instrs[1].Op = "ret"
	counts := &profile.FuncProfile{Levels: []profile.LevelProfile{{Loop: -1}}}
	for n := range situations {
		p := profile.Path{End: pathprof.EndFunction, ID: uint64(n), Count: 1 + r.Uint64N(9), Steps: []pathprof.Step{pathprof.Step(serial[0])}}
		mood := r.Uint64()
		for c, forks := range chain {
			p.Steps = append(p.Steps, pathprof.Step(serial[1+2*c]))
			for s, x := range forks {
				side := x.left
				if mood>>(s%60)&1 == 0 {
					side = x.right
				}
				p.Steps = append(p.Steps, pathprof.Step(x.begin), pathprof.Step(side), pathprof.Step(x.end))
			}
			p.Steps = append(p.Steps, pathprof.Step(serial[2+2*c]))
		}
		counts.Levels[0].Paths = append(counts.Levels[0].Paths, p)
	}
	b := &profile.Bundle{Program: prog, Funcs: []*profile.FuncProfile{counts}}
	return b, func() *procmodels.Costs {
		c := &procmodels.Costs{Model: fmt.Sprintf("model%d", r.IntN(1000)), Blocks: [][]procmodels.BlockCost{nil}}
		for _, n := range most {
			c.Blocks[0] = append(c.Blocks[0], procmodels.BlockCost{Cycles: float64(1 + r.IntN(n))})
		}
		return c
	}
}

// on prices a bundle for n processors, the kinds of models one after the other.
func on(t testing.TB, b *profile.Bundle, n int, kinds ...*procmodels.Costs) *estimate.Estimator {
	t.Helper()
	a, err := estimate.Prepare(b, "")
	if err != nil {
		t.Fatal(err)
	}
	p := estimate.Processors{Platform: mapping.Homogeneous(n, "")}
	p.Platform.Create, p.Platform.Sync = 20, 5
	for i := range n {
		k := i * len(kinds) / n
		p.Costs = append(p.Costs, kinds[k])
		p.ClockMHz = append(p.ClockMHz, 100*float64(1+k))
		p.Platform.Processors[i].Power = 0.2 + 0.5*float64(k)
		p.Platform.Processors[i].Idle = 0.05 + 0.02*float64(k)
	}
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// random makes a small estimator: up to 3 constructs, 5 sections, 4 processors of up to
// two kinds.
func random(t testing.TB, seed uint64) *estimate.Estimator {
	r := rand.New(rand.NewPCG(seed, 1))
	b, costs := synthetic(r, 1+r.IntN(3), 1+r.IntN(5), 1+r.IntN(6))
	kinds := []*procmodels.Costs{costs()}
	if r.IntN(2) == 0 {
		kinds = append(kinds, costs())
	}
	return on(t, b, 1+r.IntN(4), kinds...)
}

// fun0 is the paper's example on its platform.
func fun0(t testing.TB, situation string) *estimate.Estimator {
	t.Helper()
	e, err := estimate.Open(filepath.Join("..", "cmd", "pathspan", "testdata", "fun0"+situation+".pspan"), filepath.Join("..", "testdata", "fun0", "platform.yaml"), "fun_0")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func run(t testing.TB, e *estimate.Estimator, o Options) *Found {
	t.Helper()
	s, err := New(e, o)
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return f
}
