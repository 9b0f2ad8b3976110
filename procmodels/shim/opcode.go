package shim

// This file relates the opcodes of a file to those of LLVM.

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"pathspan/procmodels"
)

var llvmOpcodes = sync.OnceValue(procmodels.Opcodes)

func isOpcode(op string) bool { return slices.Contains(llvmOpcodes(), op) }

func suggestOpcode(op string) string {
	if near := nearestOpcode(op); near != "" {
		return fmt.Sprintf("write %q", near)
	}
	return "write an instruction of the LLVM Language Reference"
}

func nearestOpcode(op string) string {
	return nearest(strings.ToLower(op), llvmOpcodes())
}
