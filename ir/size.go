package ir

// This file knows how large the values of LLVM's types are.

import (
	"strconv"
	"strings"
)

// PointerBits is the size of a pointer of address space 0, by a data layout.
func PointerBits(layout string) int {
	for _, spec := range strings.Split(layout, "-") {
		f := strings.Split(spec, ":")
		if len(f) > 1 && (f[0] == "p" || f[0] == "p0") {
			if n, err := strconv.Atoi(f[1]); err == nil {
				return n
			}
		}
	}
	return 64
}

// ScalarBits returns the size of a value that a register can hold, 0 for aggregates and types
// not known here.
func ScalarBits(typ string, pointerBits int) int {
	switch typ {
	case "ptr":
		return pointerBits
	case "half", "bfloat":
		return 16
	case "float":
		return 32
	case "double":
		return 64
	case "x86_fp80":
		return 80
	case "fp128", "ppc_fp128":
		return 128
	}
	if strings.HasSuffix(typ, "*") {
		return pointerBits
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(typ, "i")); err == nil && strings.HasPrefix(typ, "i") {
		return (n + 7) / 8 * 8
	}
	if strings.HasPrefix(typ, "<") && !strings.Contains(typ, "vscale") {
		n, elem, ok := strings.Cut(strings.Trim(typ, "<>"), " x ")
		if count, err := strconv.Atoi(n); ok && err == nil {
			return count * ScalarBits(elem, pointerBits)
		}
	}
	return 0
}
