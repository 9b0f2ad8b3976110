package verify

// This file holds stages that copy what they read to their second computation, on random pipelines, tokens and mappings.

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
)

// randomTokens are what stages read of each other and of what is no stage, of all items alike or of each another amount.
func randomTokens(r *rand.Rand, stages, items, processors int) (out []*table.Tokens) {
	crossing := func() table.Crossing {
		if r.Intn(2) == 0 {
			return nil
		}
		c := make(table.Crossing, 4) // of two kinds, near and far
		for i := range c {
			c[i] = float64(r.Intn(9))
		}
		return c
	}
	for s := range stages {
		x := &table.Tokens{Back: table.Token{From: -1, Bytes: float64(r.Intn(3)), Copies: r.Float64()}, Accesses: float64(r.Intn(5)), Bytes: float64(r.Intn(50))}
		for from := -1; from < stages; from++ {
			if from != s && r.Intn(2) == 0 {
				x.In = append(x.In, table.Token{From: from, Bytes: float64(1 + r.Intn(60)), Copies: 2 * r.Float64(), Crossing: crossing()})
			}
		}
		for range r.Intn(2) * r.Intn(items+1) {
			var of []table.Brought
			for i := range x.In {
				for back := range r.Intn(3) {
					of = append(of, table.Brought{In: i, Back: int32(2 * back), Times: 0.25 + r.Float64(), Copies: r.Float64()})
				}
			}
			x.Items = append(x.Items, of)
		}
		out = append(out, x)
	}
	return out
}

// randomBeside are what stages take longer beside each other and themselves.
func randomBeside(r *rand.Rand, stages int) (out [][]*table.Beside) {
	crossing := func(most float64) table.Crossing {
		return table.Crossing{0, 0, most * r.Float64(), most * r.Float64()}
	}
	for range stages {
		of := make([]*table.Beside, stages)
		for with := range of {
			if r.Intn(2) == 0 {
				of[with] = &table.Beside{Most: crossing(0.5)}
				for range r.Intn(9) {
					of[with].Longer = append(of[with].Longer, crossing(0.4))
				}
			}
		}
		out = append(out, of)
	}
	return out
}

func TestRandomStages(t *testing.T) {
	longer := 0
	for seed := range int64(600) {
		r := rand.New(rand.NewSource(seed))
		n, items := 2+r.Intn(4), r.Intn(31) // of none it is the wait behind them alone
		e, machine := subject(n)
		x := ir.Pipeline{}
		for task := range e.Bundle.Program.Tasks {
			x.Stages = append(x.Stages, ir.Stage{Task: task, Stateless: r.Intn(3) == 0})
		}
		depths := []int{1 + r.Intn(4), 1 + r.Intn(4)}
		e.Bundle.Program.Pipelines = []ir.Pipeline{x}
		machine.Apart = make([][]int, n)
		links := &table.Links{Route: make([][]table.Route, n)}
		own := make([]bool, n)
		for p := range n {
			links.Rate, own[p] = append(links.Rate, 0.25+r.Float64()), r.Intn(3) > 0
		}
		remote, bus := r.Intn(4) == 0, r.Intn(2) == 0
		for p := range n {
			for q := range n {
				machine.Apart[p] = append(machine.Apart[p], min(1, p^q))
				var way table.Route
				for _, at := range []int{p, q} {
					if p != q && own[at] {
						way.Links, way.Latency, way.Remote = append(way.Links, at), way.Latency+float64(r.Intn(9)), remote
					}
				}
				if bus && way.Links != nil {
					way.Links = []int{0}
				}
				links.Route[p] = append(links.Route[p], way)
			}
		}
		b := table.NewBuilder(machine, 2)
		var lane []table.Part
		for range items {
			for s := range x.Stages {
				body := []table.Part{part(r.Float64()*100, -1, 1, 2)}
				lane = append(lane, part(r.Float64()*9, b.Only(b.Task(table.Deferred, s, x.Waits(s, depths), body)), 1, 2))
			}
		}
		lane = append(lane, part(0, b.Only(b.Task(table.Wait, -1, nil, nil)), 1, 2))
		b.Root(b.Execution(0, 0, 1, [][]table.Part{lane}), 1)
		rows, err := b.Table([]float64{0, 0})
		if err != nil {
			t.Fatal(err)
		}
		m := mapping.Default(e.Platform, e.Bundle.Program)
		m.Regions[0].Team = mapping.Team(n, 0, 1+r.Intn(n))
		for range x.Stages {
			on := r.Perm(n)[:1+r.Intn(n)]
			if slices.Sort(on); r.Intn(4) == 0 {
				on = nil
			}
			m.Tasks = append(m.Tasks, on)
		}
		without, err := rows.NewValuer().Value(m)
		if err != nil {
			t.Fatal(err)
		}
		rows.Tokens = randomTokens(r, len(x.Stages), items, n)
		if r.Intn(4) > 0 {
			rows.Links = links
		} else {
			rows.Beside = randomBeside(r, len(x.Stages))
		}
		got, err := rows.NewValuer().Value(m)
		if err != nil {
			t.Fatal(err)
		}
		want, ok, err := withMemory(e, rows, m)
		if err != nil || !ok || math.Abs(got-want) > tolerance*want {
			t.Errorf("seed %d: %d items on %d processors take %v, a second time %v, without tokens %v: %t, %v", seed, items, n, got, want, without, ok, err)
		}
		if got > 1.02*without {
			longer++
		}
	}
	if longer < 300 {
		t.Errorf("only %d take longer for what they bring in", longer)
	}
}
