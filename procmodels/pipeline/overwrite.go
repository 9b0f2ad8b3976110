package pipeline

// This file tells what is particular to machine code whose operations overwrite their first operand, and whose
// addresses add up more than an index of their own size, as that of x86-64.

import (
	"strings"

	"pathspan/ir"
)

// kept counts the instructions that put something into a register in front of one that overwrites it: a copy of what
// is used later, or a constant.
func (l *folder) kept(bi, i int) int {
	in := &l.f.Blocks[bi].Instrs[i]
	ops := l.ops.Of(l.fi, bi, i)
	if in.Call != nil && in.Call.Callee < 0 && strings.HasPrefix(in.Call.Name, "llvm.") {
		if fused := strings.HasPrefix(in.Call.Name, "llvm.fmuladd."); !fused || l.out.plain || len(ops) < 2 {
			return 0
		}
		return l.either(bi, i, ops[0], ops[1])
	}
	switch in.Op {
	case "call", "invoke":
		count := 0
		for _, o := range ops {
			if o.Kind != ir.Computed || int(o.Block) != bi || len(l.users[o.Block][o.N]) > 1 || l.at(o).Op == "phi" {
				count++
			}
		}
		return count
	case "udiv", "sdiv", "urem", "srem":
		switch constant := len(ops) == 2 && ops[1].Kind == ir.Constant; {
		case !constant:
			return 2 // the lower half of what is divided, and the upper
		case l.out.plain:
			return 3
		case ops[1].N&(ops[1].N-1) != 0:
			return 1
		}
		return 0
	case "zext":
		if from := l.at(ops[0]); !l.out.plain && from != nil && from.Op == "icmp" {
			return 1
		}
	case "sitofp", "uitofp":
		return 1 // the register's upper half is cleared
	}
	if l.out.plain || l.out.gone[bi][i] || len(ops) < 2 || in.Type == "i1" || strings.HasPrefix(in.Type, "<") {
		return 0
	}
	switch in.Op {
	case "add":
		if l.loaded(bi, i, ops[0]) || l.loaded(bi, i, ops[1]) {
			return l.either(bi, i, ops[0], ops[1])
		} // else its sum may go elsewhere, as an address
	case "and", "or", "xor", "fadd", "fmul":
		return l.either(bi, i, ops[0], ops[1])
	case "mul":
		if ops[1].Kind != ir.Constant {
			return l.either(bi, i, ops[0], ops[1])
		}
	case "shl", "lshr", "ashr":
		if ops[1].Kind != ir.Constant {
			return 1 + l.outlives(bi, i, ops[0]) // how far is in a register of its own
		} else if in.Op == "shl" && ops[1].N <= 3 {
			return 0 // an address
		}
		return l.outlives(bi, i, ops[0])
	case "sub", "fsub", "fdiv":
		return l.outlives(bi, i, ops[0])
	case "select":
		if len(ops) == 3 {
			return l.either(bi, i, ops[1], ops[2])
		}
	}
	return 0
}

// either is 0 where one of two operands is not used later, which is then overwritten.
func (l *folder) either(bi, i int, a, b ir.Operand) int {
	switch {
	case b.Kind == ir.Constant || b.Kind == ir.Unknown || b.Kind == ir.Global:
		return l.outlives(bi, i, a)
	case a.Kind == ir.Constant || a.Kind == ir.Unknown || a.Kind == ir.Global:
		return l.outlives(bi, i, b)
	case l.loaded(bi, i, a):
		return l.outlives(bi, i, b)
	case l.loaded(bi, i, b):
		return l.outlives(bi, i, a)
	}
	return min(l.outlives(bi, i, a), l.outlives(bi, i, b))
}

// loaded tells of an operand that an instruction may take from memory.
func (l *folder) loaded(bi, i int, o ir.Operand) bool {
	in := l.at(o)
	return in != nil && in.Op == "load" && int(o.Block) == bi && len(l.users[bi][o.N]) == 1
}

// outlives is 1 where an operand of an instruction is used later, or is a constant.
func (l *folder) outlives(bi, i int, o ir.Operand) int {
	if o.Kind != ir.Computed {
		return 1
	}
	if at := l.cfg.LoopOf[bi]; at >= 0 && !l.cfg.InLoop(at, int(o.Block)) {
		return 1 // the next iteration uses it again
	}
	for _, u := range l.users[o.Block][o.N] {
		by := &l.f.Blocks[u.block].Instrs[u.instr]
		switch {
		case by.Op == "phi":
			return 1
		case u.block == bi && u.instr > i, u.block != bi && l.cfg.Pos[u.block] > l.cfg.Pos[bi]:
			return 1
		}
	}
	return 0
}

// goesOn tells of what a loop computes of its counter for nothing but addresses, by adding and multiplying: compilers have
// those go on by themselves (LLVM's loop strength reduction).
func (l *folder) goesOn(bi, i int) bool {
	if l.cfg == nil || l.cfg.LoopOf[bi] < 0 || len(l.users[bi][i]) == 0 {
		return false
	}
	for _, u := range l.users[bi][i] {
		switch by := &l.f.Blocks[u.block].Instrs[u.instr]; by.Op {
		case "getelementptr":
			if u.operand == 0 {
				return false
			}
		case "add", "sub", "or", "shl", "mul":
			if !l.out.gone[u.block][u.instr] {
				return false
			}
		default:
			return false
		}
	}
	in := &l.f.Blocks[bi].Instrs[i]
	return in.Op != "phi" && l.straight(computed(bi, i), l.cfg.LoopOf[bi])
}

// straight tells of what changes by the same amount in each iteration of a loop.
func (l *folder) straight(o ir.Operand, loop int) bool {
	if l.still(o, loop) {
		return true
	}
	if c, ok := l.counterOf(o); ok {
		return c.loop == loop
	}
	in := l.at(o)
	if in == nil {
		return false
	}
	ops := l.ops.Of(l.fi, int(o.Block), int(o.N))
	switch in.Op {
	case "add", "sub", "or": // of bits that are not in both, as there is no other use in an address
		return len(ops) == 2 && l.straight(ops[0], loop) && l.straight(ops[1], loop)
	case "shl", "mul":
		return len(ops) == 2 && ops[1].Kind == ir.Constant && l.straight(ops[0], loop)
	}
	return false
}

// isIndexed tells whether all that use an address are accesses, which add up an index, a constant and what it begins at.
func (l *folder) isIndexed(bi, i int, ops []ir.Operand) bool {
	variable := 0
	for _, o := range ops[1:] {
		if o.Kind != ir.Constant {
			variable++
		}
	}
	if variable > 1 || variable == 0 && !l.m.folds[foldOffset] {
		return false
	}
	for _, u := range l.users[bi][i] {
		by := &l.f.Blocks[u.block].Instrs[u.instr]
		switch {
		case by.Op == "load" && u.operand == 0, by.Op == "store" && u.operand == 1:
			a, ok := l.ops.Address(l.fi, u.block, u.instr)
			if !ok || a.Index.Kind != ir.Unknown && a.Scale != 1 && a.Scale != 2 && a.Scale != 4 && a.Scale != 8 {
				return false
			}
		case by.Op == "getelementptr" && u.operand == 0 && l.out.gone[u.block][u.instr]:
			for _, o := range l.ops.Of(l.fi, u.block, u.instr)[1:] {
				if variable > 0 && o.Kind != ir.Constant {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// division tells what a division by a constant is: what is issued first, what waits for that in turn, and how many shifts
// stand beside it.
func (w *walker) division(in *ir.Instr, by int64) (first int, then []int, beside int) {
	alu, mul := w.m.opcodes["add"].Other, w.m.opcodes["mul"].Other
	signed, rest := in.Op[0] == 's', strings.HasSuffix(in.Op, "rem")
	switch power := by&(by-1) == 0; {
	case power && !signed:
		return alu, nil, 0
	case power: // what rounds towards zero is chosen by the sign
		first, then, beside = alu, []int{alu, alu}, 1
		if rest {
			then = append(then, alu)
		}
		return first, then, beside
	case !signed:
		first, then = mul, []int{alu}
	case in.Type == "i32":
		first, then, beside = alu, []int{mul, alu, alu}, 1
	default:
		first, then, beside = mul, []int{alu, alu}, 1
	}
	if rest {
		then = append(then, mul, alu)
	}
	return first, then, beside
}
