package procmodels

// This file tells packages of models which opcodes LLVM has.

import "strings"

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
