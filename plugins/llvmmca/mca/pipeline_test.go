package mca

// This file holds pipelines of data files against llvm-mca, which compiles the program and has
// the processor's own instructions.

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pathspan/procmodels"
	_ "pathspan/procmodels/pipeline"
)

// TestPipelinesAgainstMCA compares what the two say of the blocks of programs, those apart that
// either says to call what is outside of the program. They differ in much, so what is held is
// the order of blocks, by rank correlation, and that the mean is no multiple.
func TestPipelinesAgainstMCA(t *testing.T) {
	eachLLVM(t, func(t *testing.T, tl *tools) {
		for _, program := range []string{"susan/susan.c", "dijkstra/dijkstra.c", "packet/packet.c"} {
			s := costed(t, tl.version, program)
			other := price(t, open(t, map[string]string{"cpu": "cortex-a53"}), s)
			for _, ref := range []string{"pipeline:cortex-a53", "generic"} {
				m, err := procmodels.Open(ref, "")
				if err != nil {
					t.Fatal(err)
				}
				costs, err := m.Costs(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				var x, y []float64
				difference := 0.0
				for f := range costs.Blocks {
					for b, bc := range costs.Blocks[f] {
						want := other.Blocks[f][b].Cycles
						outside := false
						for _, c := range s.Program.Funcs[f].Blocks[b].Calls() {
							outside = outside || c.Callee < 0
						}
						if outside || want == 0 || len(s.Program.Funcs[f].Blocks[b].Instrs) < 3 {
							continue
						}
						x, y = append(x, bc.Cycles), append(y, want)
						difference += math.Abs(bc.Cycles-want) / want
					}
				}
				rank := correlation(ranks(x), ranks(y))
				mean := difference / float64(len(x))
				t.Logf("%s, %s: %d blocks, rank correlation %.2f, mean relative difference %.0f %%", program, ref, len(x), rank, 100*mean)
				if ref != "generic" && (len(x) < 20 || rank < 0.6 || mean > 1.5) {
					t.Errorf("%s, %s: %d blocks, rank correlation %.2f, mean relative difference %.0f %%", program, ref, len(x), rank, 100*mean)
				}
			}
		}
	})
}

// ranks gives each value its place in order, equal values the mean of theirs.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	out := make([]float64, len(values))
	for i := 0; i < len(order); {
		j := i
		for j < len(order) && values[order[j]] == values[order[i]] {
			j++
		}
		for _, k := range order[i:j] {
			out[k] = float64(i+j-1) / 2
		}
		i = j
	}
	return out
}

// correlation is Pearson's.
func correlation(x, y []float64) float64 {
	n := float64(len(x))
	var sx, sy, xx, yy, xy float64
	for i := range x {
		sx, sy = sx+x[i], sy+y[i]
		xx, yy, xy = xx+x[i]*x[i], yy+y[i]*y[i], xy+x[i]*y[i]
	}
	return (n*xy - sx*sy) / math.Sqrt((n*xx-sx*sx)*(n*yy-sy*sy))
}
