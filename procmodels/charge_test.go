package procmodels

import (
	"math/rand"
	"slices"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// On random graphs the charged blocks are those of the definition: holders without a
// holder of the same innermost loop above them, less those that lead into a loop
// whose header is charged.
func TestChargeLinesByDefinition(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	charges, dropped := 0, 0
	for range 400 {
		f := randomFunc(rng)
		c := flow.Analyze(f)
		got := chargeLines(f, c)
		holds := func(b int, l srcLine) bool { return c.Reachable[b] && slices.Contains(linesOf(f.Blocks[b]), l) }
		tops := func(b int, l srcLine) bool {
			if !holds(b, l) {
				return false
			}
			for d := range f.Blocks {
				if d != b && c.LoopOf[d] == c.LoopOf[b] && holds(d, l) && c.Dominates(d, b) {
					return false
				}
			}
			return true
		}
		for b := range f.Blocks {
			for line := 1; line <= 3; line++ {
				l := srcLine{0, line}
				want := tops(b, l)
				if h := leadsInto(f, c, b); want && h >= 0 && tops(h, l) {
					want = false
					dropped++
				}
				if slices.Contains(got[b], l) != want {
					t.Fatalf("block %d, line %d: charged %v, want %v\n%v", b, line, !want, want, c.Succs)
				}
				if want {
					charges++
				}
			}
		}
	}
	if charges == 0 || dropped == 0 {
		t.Errorf("%d charges, %d dropped: the graphs show nothing", charges, dropped)
	}
}

func randomFunc(rng *rand.Rand) *ir.Func {
	n := 2 + rng.Intn(9)
	f := &ir.Func{Name: "f"}
	for i := range n {
		b := &ir.Block{Index: i}
		for range rng.Intn(3) {
			b.Instrs = append(b.Instrs, ir.Instr{Op: "add", Type: "i32", Loc: ir.Loc{Line: 1 + rng.Intn(3)}})
		}
		b.Instrs = append(b.Instrs, ir.Instr{Op: "br", Loc: ir.Loc{Line: rng.Intn(4)}})
		for range rng.Intn(3) {
			b.Succs = append(b.Succs, rng.Intn(n))
		}
		f.Blocks = append(f.Blocks, b)
	}
	return f
}

// Block 0 leads into the header 2 of a loop through the empty block 1; block 3 leads
// back around the loop, not into one.
func TestLeadsInto(t *testing.T) {
	f := testFunc(t, 0, "f", `
		entry: store i32 @1; br -> pre
		pre: br -> header
		header: icmp i32 @1; br -> body end
		body: store i32 @1; br -> header
		end: ret void @1`, nil)
	c := flow.Analyze(f)
	for b, want := range []int{2, 2, -1, -1, -1} {
		if got := leadsInto(f, c, b); got != want {
			t.Errorf("block %d leads into %d, want %d", b, got, want)
		}
	}
	// With code in the preheader, block 0 does more than lead in.
	f.Blocks[1].Instrs = append([]ir.Instr{{Op: "add", Loc: ir.Loc{File: -1}}}, f.Blocks[1].Instrs...)
	if got := leadsInto(f, c, 0); got != -1 {
		t.Errorf("block 0 leads into %d past code", got)
	}
}
