package probe

// This file says which selects the compiler makes branches of, for machines of x86-64, as LLVM 14 to 22 do: those between
// floating-point values that something else than a comparison of such decides, as there is no move for them; those one of whose
// values comes from memory and is used there alone; and those in innermost loops whose condition is there much later than their
// values, which a branch that is foretold does not wait for (LLVM's X86CmovConversion.cpp, whose arithmetic this is,
// with latencies that its model of code for no processor in particular has).

import (
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// mispredicted is what that model takes a branch to cost which was foretold wrongly, in cycles.
const mispredicted = 16

// SelectsAsBranches returns the selects of an optimised program that become branches, by the way of their first value.
func SelectsAsBranches(p *ir.Program, ops *ir.Operands, graphs func(fn int) *flow.CFG) map[flow.Way]bool {
	all := map[flow.Way]bool{}
	if p.Machine() != "x86_64" {
		return all
	}
	for fi, f := range p.Funcs {
		s := &selecting{fi: fi, f: f, ops: ops}
		s.findUsers()
		var groups [][]spot
		for bi := range f.Blocks {
			groups = append(groups, s.groups(bi)...)
		}
		g := graphs(fi)
		for _, l := range g.Loops {
			if len(l.Children) == 0 {
				s.loop(slices.Sorted(slices.Values(l.Blocks)), groups)
			}
		}
		for _, group := range groups {
			if at := group[0]; slices.ContainsFunc(group, s.hasNoMove) || !slices.ContainsFunc(group, s.stays) && (slices.ContainsFunc(group, s.loads) || s.worth[at]) {
				all[flow.Way{Func: fi, Block: at.block, Select: at.instr + 1}] = true
			}
		}
	}
	return all
}

// spot is an instruction of a function.
type spot struct{ block, instr int }

// selecting is the search in one function.
type selecting struct {
	fi    int
	f     *ir.Func
	ops   *ir.Operands
	users map[spot][]spot
	worth map[spot]bool // by the first select of a group
}

func (s *selecting) at(p spot) *ir.Instr          { return &s.f.Blocks[p.block].Instrs[p.instr] }
func (s *selecting) operands(p spot) []ir.Operand { return s.ops.Of(s.fi, p.block, p.instr) }

func (s *selecting) findUsers() {
	s.users, s.worth = map[spot][]spot{}, map[spot]bool{}
	for bi, b := range s.f.Blocks {
		for i := range b.Instrs {
			for _, o := range s.ops.Of(s.fi, bi, i) {
				if by, ok := computedBy(o); ok {
					s.users[by] = append(s.users[by], spot{bi, i})
				}
			}
		}
	}
}

// computedBy is the instruction that computes an operand.
func computedBy(o ir.Operand) (spot, bool) {
	return spot{int(o.Block), int(o.N)}, o.Kind == ir.Computed
}

// groups lists the selects of a block that one condition decides, which are one branch.
func (s *selecting) groups(block int) (list [][]spot) {
	by := map[ir.Operand]int{}
	for i := range s.f.Blocks[block].Instrs {
		p := spot{block, i}
		in, ops := s.at(p), s.operands(p)
		// A condition that is a constant decides nothing, and bits are computed with.
		if in.Op != "select" || len(ops) != 3 || in.Type == "i1" || in.Type[0] == '<' || ops[0].Kind == ir.Unknown || ops[0].Kind == ir.Constant {
			continue
		}
		k, ok := by[ops[0]]
		if !ok {
			k = len(list)
			by[ops[0]], list = k, append(list, nil)
		}
		list[k] = append(list[k], p)
	}
	return list
}

func isFloat(typ string) bool { return typ == "float" || typ == "double" }

// hasNoMove tells of a select between values of floating point that is a branch for want of a move.
func (s *selecting) hasNoMove(p spot) bool {
	in := s.at(p)
	by, ok := computedBy(s.operands(p)[0])
	return isFloat(in.Type) && (!ok || s.at(by).Op != "fcmp" || s.at(by).Type != in.Type)
}

// stays tells of a select that never becomes a branch: between constants, which mostly become one of two results of what is
// computed with them, or whose value is taken to be extended by the move.
func (s *selecting) stays(p spot) bool {
	ops := s.operands(p)
	if ops[1].Kind == ir.Constant && ops[2].Kind == ir.Constant {
		return true
	}
	return isFloat(s.at(p).Type) || s.at(p).Type == "i32" && slices.ContainsFunc(s.users[p], func(u spot) bool { return u.block == p.block && s.at(u).Op == "zext" })
}

// loads tells of a select that loads what it takes. Bytes are moved as 32 bits, and so loaded before.
func (s *selecting) loads(p spot) bool {
	typ, ops := s.at(p).Type, s.operands(p)
	return typ != "i8" && typ != "i16" && (s.folds(p, ops[1]) || s.folds(p, ops[2]))
}

// folds tells of an operand that is loaded by the move itself.
func (s *selecting) folds(p spot, o ir.Operand) bool {
	from, ok := computedBy(o)
	if !ok || from.block != p.block || s.at(from).Op != "load" || len(s.users[from]) != 1 {
		return false
	}
	for i := from.instr + 1; i < p.instr; i++ {
		if in := &s.f.Blocks[p.block].Instrs[i]; in.Op == "store" || in.Call != nil {
			return false
		}
	}
	return true
}

// depth is when a value is there, with all selects moves, and with those that may be branches such.
type depth struct{ moves, branches int }

// iterations are as many as a loop is looked at.
const iterations = 2

// loop says which groups of a loop are worth branches.
func (s *selecting) loop(blocks []int, groups [][]spot) {
	of := map[spot]depth{}
	get := func(o ir.Operand) depth {
		if by, ok := computedBy(o); ok {
			return of[by]
		}
		return depth{}
	}
	var loop [iterations]depth
	for k := range loop {
		for _, bi := range blocks {
			for i := range s.f.Blocks[bi].Instrs {
				p := spot{bi, i}
				in, ops := s.at(p), s.operands(p)
				var d depth
				for _, o := range ops {
					x := get(o)
					d.moves, d.branches = max(d.moves, x.moves), max(d.branches, x.branches)
				}
				if in.Op == "select" && len(ops) == 3 && in.Type != "i1" {
					d.branches = either(get(ops[1]).branches, get(ops[2]).branches)
				}
				n := s.latency(p)
				d.moves, d.branches = d.moves+n, d.branches+n
				of[p] = d
				loop[k] = depth{max(loop[k].moves, d.moves), max(loop[k].branches, d.branches)}
			}
		}
	}
	first, second := loop[0].moves-loop[0].branches, loop[1].moves-loop[1].branches
	switch {
	case second == first:
		if first*8 < loop[0].moves {
			return
		}
	case second < first, (second-first)*2 < loop[1].moves-loop[0].moves, second*8 < loop[1].moves:
		return
	}
	for _, group := range groups {
		if !slices.Contains(blocks, group[0].block) {
			continue
		}
		worth := true
		for _, p := range group {
			ops := s.operands(p)
			condition, value := get(ops[0]).moves, either(get(ops[1]).moves, get(ops[2]).moves)
			worth = worth && !s.leadsToLoad(p) && value <= condition && (condition-value)*4 >= mispredicted
		}
		s.worth[group[0]] = worth
	}
}

// either is when one of two values is there, each of which is taken three times out of four.
func either(a, b int) int { return (max(3*a+b, 3*b+a) + 3) / 4 }

// leadsToLoad tells of a value that nothing but a load uses, as its address.
func (s *selecting) leadsToLoad(p spot) bool {
	for range 2 {
		users := s.users[p]
		if len(users) != 1 {
			return false
		}
		switch p = users[0]; s.at(p).Op {
		case "load":
			return true
		case "getelementptr":
		default:
			return false
		}
	}
	return false
}

// latencies are those of LLVM's model of Sandy Bridge, which stands for code for no processor in particular; what is not
// there takes a cycle.
var latencies = map[string]int{
	"phi": 0, "freeze": 0, "bitcast": 0, "ptrtoint": 0, "inttoptr": 0, "trunc": 0, "zext": 0, "unreachable": 0, "select": 2, "mul": 3, "fadd": 3, "fsub": 3, "fcmp": 3,
	"fmul": 5, "sitofp": 4, "uitofp": 4, "fptosi": 5, "fptoui": 5, "udiv": 25, "sdiv": 25, "urem": 25, "srem": 25, "fdiv": 22, "load": 5,
}

func (s *selecting) latency(p spot) int {
	in := s.at(p)
	switch {
	case in.Op == "load" && isFloat(in.Type):
		return latencies["load"] + 1
	case in.Op == "getelementptr" && !slices.ContainsFunc(s.users[p], func(u spot) bool { return s.at(u).Op != "load" && s.at(u).Op != "store" }):
		return 0 // a part of the access
	case in.Op == "and" && len(s.users[p]) == 1 && s.at(s.users[p][0]).Op == "icmp":
		return 0 // they are one
	}
	if n, ok := latencies[in.Op]; ok {
		return n
	}
	return 1
}
