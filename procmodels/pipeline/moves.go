package pipeline

// This file counts what a compiler adds to LLVM's instructions: constants and addresses that are
// put into registers, and arguments.

import (
	"strings"

	"pathspan/ir"
)

const immediate = 1 << 12 // constants below are a part of additions and comparisons

// moved counts the instructions that are added in front of one.
func (l *folder) moved(bi, i int) int {
	in := &l.f.Blocks[bi].Instrs[i]
	ops := l.ops.Of(l.fi, bi, i)
	once := 1 // what is put into a register in front of a loop counts there, as nothing
	if l.again[bi] {
		once = 0
	}
	count := 0
	switch in.Op {
	case "phi":
		if l.out.plain {
			return 2 // stored by the predecessor, and loaded
		}
		for k := 0; k+1 < len(ops); k++ {
			if k+1 < len(ops) && ops[k+1].Kind == ir.From && ops[k].Kind != ir.Computed && ops[k].Kind != ir.Argument && ops[k].Kind != ir.From {
				l.out.constants[edge{int(ops[k+1].Block), bi}]++
			}
		}
		return 0
	case "call", "invoke", "callbr":
		if in.Call == nil || strings.HasPrefix(in.Call.Name, "llvm.") && !copies(in.Call.Name) {
			return 0
		}
		if _, _, small := l.copied(l.fi, bi, i); small {
			break
		}
		for _, o := range ops {
			switch o.Kind {
			case ir.Global:
				count += 2
			case ir.Computed:
				if int(o.Block) == bi && len(l.users[o.Block][o.N]) == 1 {
					continue // computed where it is passed
				}
				count++
			default:
				count++
			}
		}
		return count
	case "ret":
		if len(ops) == 1 && ops[0].Kind != ir.Computed {
			count++
		}
		return count
	case "load", "store":
		for k, o := range ops {
			address := (in.Op == "load") == (k == 0)
			switch {
			case o.Kind == ir.Global && address:
				count += once
			case o.Kind == ir.Global:
				count += 2 * once
			case o.Kind == ir.Constant && o.N != 0 && !address, o.Kind == ir.Unknown && !address && in.Type != "ptr":
				count += once
			}
		}
		return count
	case "add", "sub", "icmp":
		for _, o := range ops {
			if o.Kind == ir.Constant && (o.N >= immediate || o.N <= -immediate) {
				count += once
			}
		}
	case "mul", "udiv", "sdiv", "urem", "srem", "fadd", "fsub", "fmul", "fdiv", "fcmp":
		for _, o := range ops {
			if (o.Kind == ir.Constant || o.Kind == ir.Unknown) && !(in.Op == "mul" && l.isShifted(ops)) {
				count += once
			}
		}
	}
	for _, o := range ops {
		if o.Kind == ir.Global {
			count += 2 * once
		}
	}
	return count
}

// copies tells whether an intrinsic is a call of the library.
func copies(name string) bool {
	return strings.HasPrefix(name, "llvm.mem")
}

// isCall tells of an instruction that leads to code which uses registers of its own.
func isCall(in *ir.Instr) bool {
	return in.Call != nil && in.Call.Name != "__pathspan_mark" && (!strings.HasPrefix(in.Call.Name, "llvm.") || copies(in.Call.Name))
}

// calls is isCall, but for small copies.
func (l *folder) calls(bi, i int) bool {
	_, _, small := l.copied(l.fi, bi, i)
	return isCall(&l.f.Blocks[bi].Instrs[i]) && !small
}
