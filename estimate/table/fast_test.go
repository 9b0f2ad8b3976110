package table

// This file holds candidates whose values are kept against those that are valued each time.

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pathspan/ir"
)

func TestFound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	flat, general := 0, 0
	for range 300 {
		table, m := random(r, 1+r.IntN(4))
		prog := &ir.Program{}
		for i := range m.Regions {
			prog.Regions = append(prog.Regions, ir.Region{Constructs: []ir.Construct{{Sections: make([]ir.Section, len(m.Regions[i].Proc[0]))}}})
		}
		space := func() *Space { return NewSpace(table, m.Platform, prog, 0, 1, nil, nil) }
		kept, anew, v := space(), space(), table.NewValuer()
		for i := range anew.Units {
			anew.Units[i].found = nil
			if anew.Units[i].General {
				general++
			} else {
				flat++
			}
		}
		f, g, other := kept.NewFast(), anew.NewFast(), kept.NewFast()
		same := func(what string) {
			t.Helper()
			x, y := make([]float64, len(table.KindOf)), make([]float64, len(table.KindOf))
			f.BusySeconds(x)
			g.BusySeconds(y)
			if math.Float64bits(f.Seconds()) != math.Float64bits(g.Seconds()) || !slices.Equal(x, y) || !slices.Equal(f.Genes, g.Genes) {
				t.Fatalf("%s: %v busy %v, anew %v busy %v", what, f.Seconds(), x, g.Seconds(), y)
			}
			if z, err := v.Value(kept.Mapping(f.Genes)); err != nil || math.Abs(z-f.Seconds()) > 1e-9*z {
				t.Fatalf("%s: %v, the mapping's value is %v, %v", what, f.Seconds(), z, err)
			}
		}
		same("at rest")
		genes := make([]int32, len(kept.Genes))
		for range 40 {
			if len(genes) == 0 {
				break
			}
			for i := range genes {
				genes[i] = int32(r.IntN(kept.Genes[i].Values))
			}
			gene := r.IntN(len(genes))
			switch to := genes[gene]; r.IntN(4) {
			case 0:
				f.Set(genes)
				g.Set(genes)
				same("set")
			case 1:
				f.Move(gene, to)
				g.Move(gene, to)
				f.Undo()
				g.Undo()
				same("undone before it was valued")
			case 2:
				f.Move(gene, to)
				g.Move(gene, to)
				same("moved")
				f.Undo()
				g.Undo()
				same("undone")
			default:
				other.Move(gene, to) // what it finds, f finds there
				_ = other.Seconds()
				f.Move(gene, to)
				g.Move(gene, to)
				same("moved")
			}
		}
	}
	if flat < 50 || general < 100 {
		t.Errorf("only %d flat and %d general units", flat, general)
	}
}
