package pipeline

// This file tells which of LLVM's instructions a compiler makes one of, and which it adds.

import (
	"math/bits"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// The rules that a file may name, each a fact about a set of instructions.
const (
	foldOffset      = iota // loads and stores add a constant to an address
	foldScaled             // they add an index times their size
	foldWiden              // loads and operations on 32 bits give wider values
	foldZero               // branches compare with zero
	foldCompare            // branches compare two registers
	foldShift              // arithmetic shifts an operand by a constant
	foldMultiplyAdd        // a multiplication adds
	foldDivide             // the compiler multiplies in place of dividing by constants
	foldCounter            // subtractions compare with zero, pointers go on as they are used
	foldCopy               // small copies are loads and stores of pairs of vectors
	foldMemory             // arithmetic takes an operand from memory
	foldIndexed            // addresses add an index of 64 bits times 1, 2, 4 or 8, and a constant
	foldOverwrite          // operations overwrite their first operand
)

var foldNames = [...]string{
	foldOffset: "offset", foldScaled: "scaled", foldWiden: "widen", foldZero: "zero", foldCompare: "compare",
	foldShift: "shift", foldMultiplyAdd: "multiply-add", foldDivide: "divide", foldCounter: "counter", foldCopy: "copy", foldMemory: "memory",
	foldIndexed: "indexed", foldOverwrite: "overwrite",
}

// lowered is what becomes of the instructions of a function.
type lowered struct {
	users [][][]place // by block and instruction, in the function
	gone  [][]bool    // by block and instruction: it is a part of another
	moves [][]int     // instructions that are added in front
	// products are the multiplications that add or subtract as well, by the place of what is added.
	products map[place]int
	// constants counts the phis of a block whose value from a predecessor is a constant, which
	// is moved into place on the way.
	constants map[edge]int
	// frames are where registers are saved and restored: on an edge, at a block's begin, from being
	// -1, or before its end, to being -1.
	frames map[edge]frame
	// across is what stays in registers that calls save: values that live across them, of plain code where its variables are.
	across []ir.Operand
	// plain code was not optimised: variables are in memory, each statement stands for itself,
	// and each way out of a block is a branch.
	plain bool
}

type edge struct{ from, to int }

// place is where an instruction stands, and which of its operands is meant.
type place struct{ block, instr, operand int }

// folder finds what becomes of one function.
type folder struct {
	*player
	fi    int
	f     *ir.Func
	cfg   *flow.CFG   // of optimised code
	users [][][]place // by block and instruction
	out   *lowered
	again []bool // by block: it is in a loop of optimised code, before which constants are moved
}

// lower returns nil where the file has no rules.
func (p *player) lower(fi int, f *ir.Func) *lowered {
	if p.m.moves < 0 && p.m.folds == [len(foldNames)]bool{} {
		return nil
	}
	l := &folder{player: p, fi: fi, f: f, out: &lowered{products: map[place]int{}, constants: map[edge]int{}, frames: map[edge]frame{}}, again: make([]bool, len(f.Blocks))}
	for _, b := range f.Blocks {
		l.users = append(l.users, make([][]place, len(b.Instrs)))
		l.out.gone = append(l.out.gone, make([]bool, len(b.Instrs)))
		l.out.moves = append(l.out.moves, make([]int, len(b.Instrs)))
	}
	for bi, b := range f.Blocks {
		for i := range b.Instrs {
			for k, o := range p.ops.Of(fi, bi, i) {
				if o.Kind == ir.Computed {
					at := &l.users[o.Block][o.N]
					*at = append(*at, place{bi, i, k})
				}
			}
		}
	}
	l.out.users, l.out.plain = l.users, l.isPlain()
	if !l.out.plain {
		l.cfg = flow.AnalyzeForward(f)
		for _, loop := range l.cfg.Loops {
			for _, b := range loop.Blocks {
				l.again[b] = true
			}
		}
	}
	// Users are looked at before what they use: what is left of an addition decides on its shift.
	for bi := len(f.Blocks) - 1; bi >= 0; bi-- {
		for i := len(f.Blocks[bi].Instrs) - 1; i >= 0; i-- {
			l.out.gone[bi][i] = l.folds(bi, i)
		}
	}
	for bi, b := range f.Blocks {
		for i := range b.Instrs {
			switch {
			case p.m.moves >= 0:
				l.out.moves[bi][i] = l.moved(bi, i)
			case p.m.folds[foldOverwrite]:
				l.out.moves[bi][i] = l.kept(bi, i)
			}
		}
	}
	if p.m.moves >= 0 || p.m.window > 0 {
		l.frame(l.cfg)
	}
	return l.out
}

// isPlain tells whether most accesses are to variables on the stack that an optimiser would have
// put into registers: those that are only loaded and stored.
func (l *folder) isPlain() bool {
	all, local := 0, 0
	for bi, b := range l.f.Blocks {
		for i := range b.Instrs {
			switch b.Instrs[i].Op {
			case "load", "store":
				all++
			case "alloca":
				if l.inRegister(l.users[bi][i]) {
					local += len(l.users[bi][i])
				}
			}
		}
	}
	return 2*local > all
}

func (l *folder) inRegister(users []place) bool {
	for _, u := range users {
		switch by := &l.f.Blocks[u.block].Instrs[u.instr]; {
		case by.Op == "load" && u.operand == 0, by.Op == "store" && u.operand == 1:
		case by.Call != nil && strings.HasPrefix(by.Call.Name, "llvm."): // debug information
		default:
			return false
		}
	}
	return true
}

// at returns the instruction that computes an operand, nil for others.
func (l *folder) at(o ir.Operand) *ir.Instr {
	if o.Kind != ir.Computed {
		return nil
	}
	return &l.f.Blocks[o.Block].Instrs[o.N]
}

// only returns the single user of an instruction.
func (l *folder) only(bi, i int) (place, *ir.Instr) {
	if u := l.users[bi][i]; len(u) == 1 {
		return u[0], &l.f.Blocks[u[0].block].Instrs[u[0].instr]
	}
	return place{}, nil
}

// folds tells whether an instruction is a part of another.
func (l *folder) folds(bi, i int) bool {
	in := &l.f.Blocks[bi].Instrs[i]
	ops := l.ops.Of(l.fi, bi, i)
	fold := l.m.folds
	if l.out.plain {
		fold[foldShift], fold[foldMultiplyAdd] = false, false
		if l.m.window > 0 {
			fold[foldWiden], fold[foldScaled], fold[foldIndexed] = false, false, false
		}
	}
	user, by := l.only(bi, i)
	if fold[foldCounter] {
		if steps, _ := l.steps(bi, i); steps {
			return true
		}
	}
	if fold[foldIndexed] && l.goesOn(bi, i) {
		return true
	}
	switch in.Op {
	case "getelementptr":
		return l.inAddress(bi, i, ops)
	case "zext", "sext":
		if from := l.at(ops[0]); fold[foldWiden] && from != nil {
			switch {
			case from.Op == "load":
				return in.Op == "zext" || len(l.users[ops[0].Block][ops[0].N]) == 1
			case in.Op == "zext" && from.Type == "i32" && from.Op != "icmp" && from.Op != "trunc":
				return true
			}
		}
		if fold[foldShift] && fold[foldWiden] && by != nil && user.operand == 1 && (by.Op == "icmp" || by.Op == "add" || by.Op == "sub") {
			return in.Op == "sext" || l.at(ops[0]) != nil && l.at(ops[0]).Op != "icmp" // widened as it is added
		}
		if in.Op == "zext" || !fold[foldScaled] {
			return false
		}
		for _, u := range l.users[bi][i] { // an index is widened as it is scaled
			if l.f.Blocks[u.block].Instrs[u.instr].Op != "getelementptr" {
				return false
			}
		}
		return len(l.users[bi][i]) > 0
	case "icmp":
		if by == nil || by.Op != "br" || user.block != bi {
			return false
		}
		zero := len(ops) == 2 && (isConstant(ops[1], 0) || ops[1].Kind == ir.Unknown && in.Type == "ptr")
		return fold[foldCompare] || fold[foldZero] && zero || fold[foldCounter] && l.countsDown(bi, i, ops)
	case "select":
		return in.Type == "i1" && !l.out.plain && fold[foldZero] && len(ops) > 1 && (l.isComparison(ops[0]) || l.isComparison(ops[1]))
	case "and", "or", "xor":
		if in.Type == "i1" && !l.out.plain { // a second comparison under the condition of the first
			return fold[foldZero] && (in.Op == "xor" || len(ops) == 2 && (l.isComparison(ops[0]) || l.isComparison(ops[1])))
		}
		// A branch tests one bit by itself, and and compares with zero.
		if in.Op == "and" && !l.out.plain && fold[foldZero] && by != nil && by.Op == "icmp" && len(ops) == 2 && ops[1].Kind == ir.Constant {
			_, branch := l.only(user.block, user.instr)
			return bits.OnesCount64(uint64(ops[1].N)) == 1 && branch != nil && branch.Op == "br" || !l.out.gone[user.block][user.instr]
		}
	case "shl", "lshr", "ashr":
		if fold[foldWiden] && len(ops) == 2 && l.extends(in, by, user, ops) {
			return true
		}
		if by == nil || !fold[foldShift] || len(ops) != 2 || ops[1].Kind != ir.Constant || user.block != bi {
			return false
		}
		others := l.ops.Of(l.fi, user.block, user.instr)
		switch by.Op {
		case "add", "sub", "and", "or", "xor":
			if len(others) == 2 && others[1-user.operand].Kind == ir.Constant {
				// A field is taken out of a register at once.
				mask := others[1-user.operand].N
				return by.Op == "and" && in.Op == "lshr" && mask > 0 && mask&(mask+1) == 0
			}
			// The second operand is shifted: of two shifts the later.
			if other := l.at(others[1-user.operand]); other != nil && l.out.gone[others[1-user.operand].Block][others[1-user.operand].N] {
				switch other.Op {
				case "shl", "lshr", "ashr", "mul":
					return other.Op != "mul" && in.Op != other.Op && by.Op == "or" // both halves of a rotation
				}
			}
			return by.Op != "sub" || user.operand == 1
		}
	case "mul":
		if by == nil || !fold[foldMultiplyAdd] || user.block != bi || strings.HasPrefix(in.Type, "<") {
			return false
		}
		if l.isShifted(ops) {
			return false
		}
		others, sum := l.ops.Of(l.fi, user.block, user.instr), place{block: bi, instr: user.instr}
		if _, taken := l.out.products[sum]; taken || by.Op != "add" && (by.Op != "sub" || user.operand != 1) || len(others) != 2 || others[1-user.operand].Kind == ir.Constant {
			return false
		}
		l.out.products[sum] = i
		return true
	}
	return false
}

func isConstant(o ir.Operand, n int64) bool { return o.Kind == ir.Constant && o.N == n }

// isShifted tells of a product that is the sum of a value and that value shifted, or the difference.
func (l *folder) isShifted(ops []ir.Operand) bool {
	return l.m.folds[foldShift] && !l.out.plain && len(ops) == 2 && ops[1].Kind == ir.Constant &&
		(bits.OnesCount64(uint64(ops[1].N-1)) == 1 || bits.OnesCount64(uint64(ops[1].N+1)) == 1)
}

func (l *folder) isComparison(o ir.Operand) bool {
	in := l.at(o)
	return in != nil && in.Op == "icmp" && len(l.users[o.Block][o.N]) == 1
}

// inAddress tells whether all that use an address are accesses which add it up themselves.
func (l *folder) inAddress(bi, i int, ops []ir.Operand) bool {
	if len(ops) == 0 || len(l.users[bi][i]) == 0 {
		return false
	}
	if l.m.folds[foldIndexed] {
		return l.isIndexed(bi, i, ops)
	}
	variable, offset := 0, false // what an address that it begins at adds is not its own
	for _, o := range ops[1:] {
		if o.Kind != ir.Constant {
			variable++
		}
		offset = offset || o.Kind == ir.Constant && o.N != 0
	}
	if variable > 1 || variable == 0 && !l.m.folds[foldOffset] || variable == 1 && !l.m.folds[foldScaled] {
		return false
	}
	for _, u := range l.users[bi][i] {
		switch by := &l.f.Blocks[u.block].Instrs[u.instr]; {
		case by.Op == "load" && u.operand == 0, by.Op == "store" && u.operand == 1:
			if variable == 0 {
				continue
			}
			if a, ok := l.ops.Address(l.fi, u.block, u.instr); !ok || offset || a.Scale != 1 && a.Scale != int64(a.Bytes) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// extends tells of two shifts that extend the low bits of a word with their sign. That is one instruction, the second shift,
// and none where these bits alone are loaded.
func (l *folder) extends(in, by *ir.Instr, user place, ops []ir.Operand) bool {
	low := map[string][]int64{"i32": {16, 24}, "i64": {32, 48, 56}}[in.Type]
	if ops[1].Kind != ir.Constant || !slices.Contains(low, ops[1].N) {
		return false
	}
	if in.Op == "shl" {
		if by == nil || by.Op != "ashr" || user.operand != 0 {
			return false
		}
		shifts := l.ops.Of(l.fi, user.block, user.instr)
		return len(shifts) == 2 && shifts[1] == ops[1]
	}
	from := l.at(ops[0])
	if in.Op != "ashr" || from == nil || from.Op != "shl" || len(l.users[ops[0].Block][ops[0].N]) != 1 {
		return false
	}
	shifted := l.ops.Of(l.fi, int(ops[0].Block), int(ops[0].N))
	if len(shifted) != 2 || shifted[1] != ops[1] {
		return false
	}
	load := l.at(shifted[0])
	return load != nil && load.Op == "load" && len(l.users[shifted[0].Block][shifted[0].N]) == 1
}
