package mca

// This file holds blocks behind others to llvm-mca itself, given all that runs in one piece.

import (
	"math"
	"math/rand/v2"
	"testing"

	"pathspan/procmodels"
)

// walkUnits is about how much code a walk is, and what llvm-mca gets as one piece.
const walkUnits = 1000

// walk goes through a function at random, backwards more often than not, and begins again at its end.
func walk(f *machineFunc, rng *rand.Rand) []*machineBlock {
	var out []*machineBlock
	for at, units := 0, 0; units < walkUnits && len(out) < walkUnits; {
		b := f.blocks[at]
		out = append(out, b)
		units += len(b.units)
		if len(b.succs) == 0 {
			at = 0
			continue
		}
		next := b.succs[rng.IntN(len(b.succs))]
		for _, s := range b.succs {
			if s <= at && rng.IntN(4) > 0 {
				next = s
			}
		}
		at = next
	}
	return out
}

// TestBlocksBehindOthers compares the sum of what blocks take along random walks with llvm-mca's figure
// for the walk's code in one piece, which knows nothing of blocks: for blocks back to back with themselves, and
// behind others.
func TestBlocksBehindOthers(t *testing.T) {
	tl := installed()
	if len(tl) == 0 {
		t.Skip("no llc and llvm-mca installed")
	}
	// In %: a window of instructions out of order holds more than two blocks.
	most := map[string]float64{"cortex-a53": 1, "sifive-u74": 2, "cortex-a72": 30}
	if tl[0].version < 22 { // LLVM 19's schedule of the A53 leaves more to what stands behind
		most["cortex-a53"] = 1.5
	}
	for _, cpuName := range []string{"cortex-a53", "sifive-u74", "cortex-a72"} {
		alone, behind, walks := 0.0, 0.0, 0.0
		for _, program := range []string{"susan/susan.c", "dijkstra/dijkstra.c", "packet/packet.c", "cipher/cipher.c", "strsearch/strsearch.c", "canny/canny.c"} {
			s := costed(t, tl[0].version, program)
			_, code, _ := compileFor(t, tl[0], cpuName, s)
			m := open(t, map[string]string{"cpu": cpuName})
			c, err := m.cpuFor(tl[0])
			if err != nil {
				t.Fatal(err)
			}
			tm := &timer{tools: tl[0], cpu: c, dir: t.TempDir(), iterations: m.o.iterations}
			rng := rand.New(rand.NewPCG(1, 2))
			var funcs []*machineFunc
			var paths [][]*machineBlock
			var joints []joint
			for _, f := range s.Program.Funcs {
				mf := code.funcs[f.Name]
				funcs = append(funcs, mf)
				if len(mf.blocks) < 4 {
					continue
				}
				for range 2 {
					path := walk(mf, rng)
					paths = append(paths, path)
					for i, b := range path[1:] {
						joints = append(joints, joint{path[i].key(), b.key()})
					}
				}
			}
			figures, timed, err := tm.timeCode(t.Context(), funcs, m.o)
			if err != nil {
				t.Fatal(err)
			}
			more, err := tm.timeJoints(t.Context(), joints, timed, figures)
			if err != nil {
				t.Fatal(err)
			}
			var wholes []*piece
			for _, path := range paths {
				whole := &piece{}
				for _, b := range path {
					if c := timed[b.key()]; c != nil {
						for _, p := range c.pieces {
							whole.units = append(whole.units, p.units...)
						}
					}
				}
				wholes = append(wholes, whole)
			}
			once := *tm
			once.iterations = 1
			if err := once.time(t.Context(), wholes); err != nil {
				t.Fatal(err)
			}
			for n, path := range paths {
				a, b := 0.0, 0.0
				for i, block := range path {
					if c := timed[block.key()]; c != nil {
						for _, p := range c.pieces {
							a, b = a+p.t.steady, b+p.t.steady
						}
					}
					if i > 0 {
						b += more[joint{path[i-1].key(), block.key()}]
					}
				}
				want := wholes[n].t.single
				alone, behind, walks = alone+math.Abs(math.Log(a/want)), behind+math.Abs(math.Log(b/want)), walks+1
			}
		}
		alone, behind = 100*(math.Exp(alone/walks)-1), 100*(math.Exp(behind/walks)-1)
		t.Logf("%s: %.0f walks, blocks by themselves %.1f %% off, behind others %.1f %%", cpuName, walks, alone, behind)
		if walks < 10 || behind > most[cpuName] || behind > alone {
			t.Errorf("%s: blocks behind others are %.1f %% off, by themselves %.1f %%", cpuName, behind, alone)
		}
	}
}

// A loop of two blocks costs what llvm-mca says of their code back to back: a load and what waits for it are in one block
// each, so that neither waits by itself.
func TestLoopOfTwoBlocks(t *testing.T) {
	const module = `target triple = "aarch64-linux-gnu"
define i64 @f(i64 %n, i64 %d, ptr %p) {
entry:
  br label %head
head:
  %x = phi i64 [ %n, %entry ], [ %r, %latch ]
  %q = mul i64 %x, %d
  %c = icmp eq i64 %q, 7
  br i1 %c, label %out, label %latch
latch:
  %r = load volatile i64, ptr %p
  br label %head
out:
  ret i64 %q
}
`
	m := open(t, map[string]string{"cpu": "cortex-a53"})
	s := parsed(t, module)
	costs := price(t, m, s)
	var head, latch *procmodels.BlockCost
	for i, b := range s.Program.Funcs[0].Blocks {
		switch b.Name {
		case "head":
			head = &costs.Blocks[0][i]
		case "latch":
			latch = &costs.Blocks[0][i]
		}
	}
	if len(head.After) == 0 || len(latch.After) == 0 {
		t.Fatalf("head %+v, latch %+v: want costs behind others", head, latch)
	}
	loop := head.After[len(head.After)-1].Cycles + latch.After[0].Cycles
	_, code, _ := compileFor(t, m.tools[0], "cortex-a53", s)
	c, err := m.cpuFor(m.tools[0])
	if err != nil {
		t.Fatal(err)
	}
	whole := &piece{}
	for _, b := range code.funcs["f"].blocks {
		if b.name == "head" || b.name == "latch" {
			whole.units = append(whole.units, b.units...)
		}
	}
	tm := &timer{tools: m.tools[0], cpu: c, dir: t.TempDir(), iterations: 200}
	if err := tm.time(t.Context(), []*piece{whole}); err != nil {
		t.Fatal(err)
	}
	t.Logf("loop %.2f, back to back %.2f; by themselves %.2f", loop, whole.t.slope, head.Cycles+latch.Cycles)
	if math.Abs(loop-whole.t.slope) > 0.3 {
		t.Errorf("an iteration takes %.2f cycles, back to back %.2f", loop, whole.t.slope)
	}
}
