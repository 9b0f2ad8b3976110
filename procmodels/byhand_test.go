package procmodels

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gopkg.in/yaml.v3"

	"pathspan/ir"
)

// The program that the figures by hand beside each table are of: it reads a signal, filters
// it in integers, then in floats, and scales the result.
const byHandProgram = `
	entry: alloca i32; store i32; store i64; store double; call void llvm.memcpy.p0.p0.i32; br -> filter
	filter: phi i32; getelementptr ptr; load i32; load i8; sext i32; mul i32; add i32; ashr i32; add i64; icmp i32; br i1 -> filter mid
	mid: udiv i32; srem i32; sdiv i64; mul i64; select i32; sitofp double; call double local; br -> smooth
	smooth: phi i32; load double; load float; fpext double; fmul double; fadd double; fadd float; fmul float; fcmp double; store double; icmp i64; br i1 -> smooth scale
	scale: fdiv double; fdiv float; fneg float; fptosi double; fptosi float; call double sqrt; call float llvm.fabs.f32; call i32 llvm.ctlz.i32; switch i32 -> jump exit
	jump: br -> exit
	exit: ret`

// byHand is what somebody took from the processor's manual and added up, without the table.
type byHand struct {
	Cycles               map[string]float64    // by instruction, with all that a call costs
	Ranges               map[string][2]float64 // best and worst case; what is missing does not vary
	Typical, Best, Worst map[string]float64    // by block
}

// Each built-in table, the code that applies it and the reading of the manual are held
// against each other.
func TestTablesByHand(t *testing.T) {
	p := testProgram(t, map[string]string{"main": byHandProgram, "local": "entry: unreachable"}, "main", "local")
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(name, "byhand.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			var hand byHand
			if err := yaml.Unmarshal(data, &hand); err != nil {
				t.Fatal(err)
			}
			m, err := Open(name, "")
			if err != nil {
				t.Fatal(err)
			}
			seen := map[string]bool{}
			for bi, bc := range costs(t, m, p).Blocks[0] {
				b := p.Funcs[0].Blocks[bi]
				sum := 0.0
				for i := range b.Instrs {
					key := byHandKey(&b.Instrs[i], b)
					want, ok := hand.Cycles[key]
					if one := alone(t, m, p, b, i); !ok || one.Cycles != want {
						t.Errorf("%s: %v cycles, by hand %v", key, one.Cycles, want)
					} else if r, ok := hand.Ranges[key]; ok && (one.Best != r[0] || one.Worst != r[1]) || !ok && len(one.Varies) > 0 {
						t.Errorf("%s: %v to %v cycles, by hand %v", key, one.Best, one.Worst, r)
					}
					seen[key] = true
					sum += want
				}
				low, high := bc.Cycles, bc.Cycles
				if len(bc.Varies) > 0 {
					low, high = bc.Best, bc.Worst
				}
				for _, x := range []struct{ got, want float64 }{{sum, hand.Typical[b.Name]}, {bc.Cycles, hand.Typical[b.Name]}, {low, hand.Best[b.Name]}, {high, hand.Worst[b.Name]}} {
					if math.Abs(x.got-x.want) > 1e-6 {
						t.Errorf("block %s: %v cycles, by hand %v", b.Name, x.got, x.want)
					}
				}
			}
			for key := range hand.Cycles {
				if !seen[key] {
					t.Errorf("the program has no %s", key)
				}
			}
			for key := range hand.Ranges {
				if !seen[key] {
					t.Errorf("the program has no %s, which has a range", key)
				}
			}
		})
	}
}

func costs(t *testing.T, m Model, p *ir.Program) *Costs {
	t.Helper()
	c, err := m.Costs(context.Background(), &Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Check(p); err != nil {
		t.Error(err)
	}
	return c
}

// alone prices an instruction in a block that holds nothing else that costs.
func alone(t *testing.T, m Model, p *ir.Program, b *ir.Block, i int) BlockCost {
	t.Helper()
	only := &ir.Block{Instrs: b.Instrs[i : i+1]}
	if b.Instrs[i].Op == "br" {
		only.Succs = b.Succs
		if len(b.Instrs) > 1 {
			only.Instrs = []ir.Instr{{Op: "freeze", Type: "i32"}, b.Instrs[i]} // 0 cycles everywhere; else it stands alone
		}
	}
	q := &ir.Program{Funcs: append([]*ir.Func{{Name: "f", Blocks: []*ir.Block{only}}}, p.Funcs[1:]...)}
	c, err := m.Costs(context.Background(), &Subject{Program: q})
	if err != nil {
		t.Fatal(err)
	}
	return c.Blocks[0][0]
}

// byHandKey names an instruction as the files do.
func byHandKey(in *ir.Instr, b *ir.Block) string {
	switch {
	case in.Call != nil:
		return "call " + in.Type + " " + in.Call.Name
	case in.Op == "br" && len(b.Instrs) == 1:
		return "br.alone"
	case in.Op == "br" && len(b.Succs) > 1:
		return "br.cond i1"
	case in.Type == "":
		return in.Op
	}
	return in.Op + " " + in.Type
}
