package pipeline

// This file prices blocks behind their predecessors.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

// Costs implements procmodels.Model.
func (m *Model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	ops, err := s.Operands()
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.desc.Name, err)
	}
	if ops == nil {
		return nil, errors.New("model " + m.desc.Name + ": it needs the program's module, which this bundle does not hold; profile the program again")
	}
	calls, _ := procmodels.CallPrices(m.library)
	p := &player{m: m, p: s.Program, ops: ops, calls: calls, tally: procmodels.NewTally(m.desc.Name, s.Program)}
	for fi, f := range s.Program.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("model %s: %w", m.desc.Name, err)
		}
		p.fn(fi, f)
	}
	return p.tally.Finish(), nil
}

// mostParts bounds how many elements of a type are issued one behind the other.
const mostParts = 1 << 16

// player prices the blocks of one program.
type player struct {
	m     *Model
	p     *ir.Program
	ops   *ir.Operands
	calls func(*ir.Instr) procmodels.Price
	tally *procmodels.Tally
	uses  []use
}

func (p *player) fn(fi int, f *ir.Func) {
	blocks := p.tally.Costs.Blocks[fi]
	preds := make([][]int, len(f.Blocks))
	for bi, b := range f.Blocks {
		bc := &blocks[bi]
		cycles, outside := p.play(newScoreboard(p.m), fi, -1, bi, bc)
		bc.Cycles = float64(cycles) + outside
		for _, s := range b.Succs {
			if n := len(preds[s]); n == 0 || preds[s][n-1] != bi {
				preds[s] = append(preds[s], bi)
			}
		}
	}
	for bi := range f.Blocks {
		for _, pred := range preds[bi] {
			s := newScoreboard(p.m)
			p.play(s, fi, -1, pred, nil)
			cycles, outside := p.play(s, fi, pred, bi, nil)
			after := float64(cycles) + outside + p.edge(f.Blocks[pred], bi)
			if bc := &blocks[bi]; math.Abs(after-bc.Cycles) > 1e-9 {
				bc.After = append(bc.After, procmodels.AfterCost{Pred: pred, Cycles: after})
			}
		}
	}
}

// play issues the instructions of a block behind a predecessor, or -1, that was played
// before, and returns the cycles, and those beside them that are outside of the program.
// What is assumed goes to bc, unless nil.
func (p *player) play(s *scoreboard, fi, pred, bi int, bc *procmodels.BlockCost) (cycles int, outside float64) {
	b := p.p.Funcs[fi].Blocks[bi]
	begin := s.finish()
	before := 0 // number of the predecessor's first result
	first := len(s.done)
	if pred >= 0 {
		before = first - len(p.p.Funcs[fi].Blocks[pred].Instrs)
	}
	for i := range b.Instrs {
		in := &b.Instrs[i]
		class, parts := p.classOf(b, in, bc)
		p.uses = p.uses[:0]
		all := p.ops.Of(fi, bi, i)
		for k, o := range all {
			if o.Kind != ir.Computed || in.Op == "phi" && (k+1 >= len(all) || int(all[k+1].Block) != pred) {
				continue // a phi's values of other predecessors
			}
			at := -1
			switch {
			// A phi reads what was, and a block behind itself what it computed before.
			case int(o.Block) == bi && in.Op != "phi" && o.N < int64(i):
				at = first + int(o.N)
			case int(o.Block) == pred:
				at = before + int(o.N)
			}
			if at >= 0 {
				p.uses = append(p.uses, use{at, in.Op == "load" && k == 0 || in.Op == "store" && k == 1 || (in.Op == "cmpxchg" || in.Op == "atomicrmw") && k == 0})
			}
		}
		s.issue(class, parts, p.uses)
		if in.Call != nil {
			cost := p.call(in, bc)
			outside += cost
			if in.Call.Callee >= 0 || cost > 0 && !strings.HasPrefix(in.Call.Name, "llvm.") {
				s.drain()
			}
		}
	}
	return s.finish() - begin, outside
}

// call returns what a call or an intrinsic costs besides its own issue: where it is none of
// the program's functions, what the weight table says of all of it.
func (p *player) call(in *ir.Instr, bc *procmodels.BlockCost) float64 {
	if in.Call.Callee >= 0 {
		return 0
	}
	pr := p.calls(in)
	if bc != nil && pr.Reason != "" {
		p.tally.Assume(bc, pr.Reason, pr.Defaulted, 1)
	}
	return pr.Cycles
}

// classOf returns the class of an instruction, and how many parts it is issued in.
func (p *player) classOf(b *ir.Block, in *ir.Instr, bc *procmodels.BlockCost) (class, parts int) {
	op := in.Op
	switch {
	case in.Call != nil && in.Call.Callee < 0:
		return p.m.opcodes["phi"].other, 1 // the weight table has all of it
	case op == "br" && b.Branch() == ir.Conditional:
		op = conditional
	case op == "br" && len(b.Succs) == 1 && b.Succs[0] == b.Index+1:
		return p.m.opcodes["phi"].other, 1 // it falls through
	}
	of, ok := p.m.opcodes[op]
	if !ok {
		of = p.m.opcodes["add"]
		if bc != nil {
			p.tally.Assume(bc, "opcode "+in.Op+": not known, taken as add", 0, 1)
		}
	}
	typ := in.Type
	shape := procmodels.ShapeOf(typ, ir.PointerBits(p.p.DataLayout))
	if at := strings.LastIndex(typ, " x "); strings.HasPrefix(typ, "<") && at > 0 {
		typ = strings.TrimSuffix(typ[at+3:], ">")
	}
	if strings.HasSuffix(typ, "*") {
		typ = "ptr"
	}
	class = of.other
	if c, ok := of.types[typ]; ok {
		class = c
	}
	if procmodels.OneWeight(in.Op) {
		return class, 1
	}
	return class, max(1, min(shape.Elements, mostParts))
}

// edge returns what going from a block to a successor costs.
func (p *player) edge(b *ir.Block, to int) float64 {
	cost := 0.0
	if to != b.Index+1 {
		cost = float64(p.m.branch.taken)
	}
	kind := b.Branch()
	if kind != ir.Conditional && kind != ir.Multiway && kind != ir.Indirect {
		return cost
	}
	wrong := p.m.branch.rate
	if p.m.branch.static {
		// A conditional branch back is taken, one forward is not; where others go is not known.
		goesBack := false
		for _, s := range b.Succs {
			goesBack = goesBack || s <= b.Index
		}
		if wrong = 0; kind != ir.Conditional || (to <= b.Index) != goesBack {
			wrong = 1
		}
		if kind == ir.Conditional && !goesBack { // both forward: the next block is expected, or the second where neither is
			expected := b.Succs[1]
			for _, s := range b.Succs {
				if s == b.Index+1 {
					expected = s
				}
			}
			if wrong = 0; to != expected {
				wrong = 1
			}
		}
	}
	return cost + wrong*float64(p.m.branch.penalty)
}
