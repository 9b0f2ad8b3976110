package procmodels

// This file lists the opcodes that LLVM has and a weight table may give weights for.

import (
	"strings"
)

// opcodes are the instructions of LLVM 14 to 22, by the Language Reference, and
// the three kinds of "br" that tables tell apart.
var opcodes = []string{
	"add", "sub", "mul", "udiv", "sdiv", "urem", "srem",
	"shl", "lshr", "ashr", "and", "or", "xor",
	"fneg", "fadd", "fsub", "fmul", "fdiv", "frem",
	"icmp", "fcmp", "select", "phi", "freeze",
	"trunc", "zext", "sext", "fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp",
	"ptrtoint", "ptrtoaddr", "inttoptr", "bitcast", "addrspacecast",
	"alloca", "load", "store", "getelementptr", "fence", "cmpxchg", "atomicrmw",
	"extractelement", "insertelement", "shufflevector", "extractvalue", "insertvalue",
	"ret", brJump, brCond, brAlone, "switch", "indirectbr", "unreachable", "resume",
	"call", "invoke", "callbr", "va_arg",
	"landingpad", "catchpad", "cleanuppad", "catchswitch", "catchret", "cleanupret",
}

// The kinds of "br". LLVM spells all three alike, processors do not run them alike.
const (
	brJump  = "br"       // unconditional
	brCond  = "br.cond"  // conditional: two successors
	brAlone = "br.alone" // unconditional, in a block that holds nothing else
)

// oneWeight holds the opcodes whose work does not grow with the size of the type:
// their weight is never multiplied by an element count.
var oneWeight = map[string]bool{
	"phi": true, "freeze": true, "bitcast": true, "alloca": true, "fence": true,
	"getelementptr":  true,
	"extractelement": true, "insertelement": true, "extractvalue": true, "insertvalue": true,
	"ret": true, brJump: true, brCond: true, brAlone: true, "switch": true, "indirectbr": true,
	"unreachable": true, "resume": true, "call": true, "invoke": true, "callbr": true, "va_arg": true,
	"landingpad": true, "catchpad": true, "cleanuppad": true, "catchswitch": true, "catchret": true, "cleanupret": true,
}

// sumsFields holds the opcodes that move an aggregate field by field.
var sumsFields = map[string]bool{"load": true, "store": true}

// standsFor names the opcode whose weight counts where one has none of its own.
var standsFor = map[string]string{brAlone: brJump, brCond: brJump, "invoke": "call", "callbr": "call"}

// Opcodes lists the instructions of LLVM 14 to 22 as the Language Reference spells
// them and as ir.Instr has them in Op.
func Opcodes() []string {
	var list []string
	for _, op := range opcodes {
		if !strings.Contains(op, ".") { // a kind of "br" that only tables tell apart
			list = append(list, op)
		}
	}
	return list
}

// OneWeight says whether the work of an opcode stays the same whatever its type, so
// that a vector costs what a scalar does.
func OneWeight(opcode string) bool { return oneWeight[opcode] }
