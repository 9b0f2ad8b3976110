package foreign

// This file makes a program of machine code.

import (
	"slices"

	"pathspan/ir"
)

// lifted is all machine code that ran outside of the program, as one function.
type lifted struct {
	program *ir.Program
	uses    *ir.Operands
	ways    map[uint64][]int // the blocks that one of the emulator's is
}

// nowhere is an instruction of what is never run: code that was not, between what was.
var nowhere = ir.Instr{Op: "unreachable", Type: "void", Loc: ir.Loc{File: -1}}

// lift divides the code where something led to, so that each instruction is in one block.
func (r *Run) lift(triple string) *lifted {
	all, leaders := map[uint64]instruction{}, map[uint64]bool{}
	for pc, t := range r.blocks {
		if t.own {
			continue
		}
		leaders[pc] = true
		for _, in := range t.code {
			all[in.at] = in
		}
		leaders[t.last().end()] = true
	}
	var at []uint64
	for pc := range all {
		at = append(at, pc)
	}
	slices.Sort(at)
	f := &ir.Func{Name: "outside", Source: "outside", Loc: ir.Loc{File: -1}}
	l := &lifted{program: &ir.Program{Triple: triple, Funcs: []*ir.Func{f}}, ways: map[uint64][]int{}}
	begins, code := map[uint64]int{}, [][]meaning{}
	add := func(in ...meaning) {
		f.Blocks = append(f.Blocks, &ir.Block{Index: len(f.Blocks)})
		code = append(code, in)
	}
	for i, pc := range at {
		apart := i > 0 && all[at[i-1]].end() != pc
		if apart {
			add() // so that what lies behind does not follow
		}
		if i == 0 || apart || leaders[pc] {
			begins[pc] = len(f.Blocks)
			add()
		}
		n := len(code) - 1
		code[n] = append(code[n], r.machine.mean(all[pc].text)...)
	}
	add() // what conditional branches lead to that never did
	never := len(f.Blocks) - 1
	// Where control went, within the emulator's blocks and from one to the next.
	succs := make([]map[int]bool, len(f.Blocks))
	for i := range succs {
		succs[i] = map[int]bool{}
	}
	for pc, t := range r.blocks {
		if t.own {
			continue
		}
		for _, in := range t.code {
			if b, ok := begins[in.at]; ok {
				if n := len(l.ways[pc]); n > 0 {
					succs[l.ways[pc][n-1]][b] = true
				}
				l.ways[pc] = append(l.ways[pc], b)
			}
		}
	}
	for _, c := range r.called {
		for s := range c.steps {
			if from := l.ways[s.from]; s.from != 0 {
				succs[from[len(from)-1]][l.ways[s.to][0]] = true
			}
		}
	}
	for i, b := range f.Blocks {
		for to := range succs[i] {
			b.Succs = append(b.Succs, to)
		}
		slices.Sort(b.Succs)
		if n := len(code[i]); n == 0 {
			b.Instrs, b.Succs = []ir.Instr{nowhere}, nil
		} else if last := code[i][n-1]; last.op == "br" && last.typ == "i1" && len(b.Succs) < 2 {
			b.Succs = append(b.Succs, never)
		}
	}
	l.fill(f, code)
	return l
}

// fill makes the instructions, and phis of the registers that a block finds, so that what they
// wait for is known from each predecessor.
func (l *lifted) fill(f *ir.Func, code [][]meaning) {
	preds := make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		for _, s := range b.Succs {
			preds[s] = append(preds[s], i)
		}
	}
	// found are the registers that a block reads before it writes them, given where a block
	// writes a register last.
	found, given := make([][]string, len(code)), make([]map[string]int, len(code))
	for i, block := range code {
		given[i] = map[string]int{}
		for n, m := range block {
			for _, u := range slices.Concat(m.uses, m.address) {
				if _, ok := given[i][u]; !ok && !slices.Contains(found[i], u) {
					found[i] = append(found[i], u)
				}
			}
			for _, g := range m.gives {
				given[i][g] = n
			}
		}
	}
	l.uses = nil
	ops := make([][][]ir.Operand, len(code))
	for i, block := range code {
		if len(block) == 0 {
			ops[i] = [][]ir.Operand{nil}
			continue
		}
		b, at := f.Blocks[i], map[string]int{}
		for n, reg := range found[i] {
			b.Instrs = append(b.Instrs, ir.Instr{Op: "phi", Type: "i64", Loc: ir.Loc{File: -1}})
			var from []ir.Operand
			for _, p := range preds[i] {
				if last, ok := given[p][reg]; ok {
					from = append(from, ir.Operand{Kind: ir.Computed, Block: int32(p), N: int64(len(found[p]) + last)}, ir.Operand{Kind: ir.From, Block: int32(p)})
				}
			}
			ops[i] = append(ops[i], from)
			at[reg] = n
		}
		for n, m := range block {
			in := ir.Instr{Op: m.op, Type: m.typ, Loc: ir.Loc{File: -1}}
			if m.call != "" {
				in.Call = &ir.Call{Callee: -1, Name: m.call, NoUnwind: true}
			}
			b.Instrs = append(b.Instrs, in)
			var uses []ir.Operand
			for _, u := range m.uses {
				uses = append(uses, ir.Operand{Kind: ir.Computed, Block: int32(i), N: int64(at[u])})
			}
			if m.op == "store" && len(uses) == 0 {
				uses = []ir.Operand{{Kind: ir.Constant}} // xzr
			}
			for _, u := range m.address {
				uses = append(uses, ir.Operand{Kind: ir.Computed, Block: int32(i), N: int64(at[u])})
			}
			ops[i] = append(ops[i], uses)
			for _, g := range m.gives {
				at[g] = len(found[i]) + n
			}
		}
	}
	l.uses = ir.NewOperands(l.program)
	for i := range ops {
		for _, uses := range ops[i] {
			l.uses.Add(0, i, uses, nil)
		}
	}
}
