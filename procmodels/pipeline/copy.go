package pipeline

// This file tells which copies are no calls.

import (
	"strings"

	"pathspan/ir"
)

// Vectors that are copied, and set, without a call (LLVM's AArch64ISelLowering.cpp, MaxStoresPerMemcpy and
// MaxStoresPerMemset).
const copiedVectors, setVectors = 16, 32

// copied returns how often two vectors are loaded, and stored, by a copy of few bytes, or where memory is set.
func (p *player) copied(fi, bi, i int) (loads, stores int, small bool) {
	in := &p.p.Funcs[fi].Blocks[bi].Instrs[i]
	if !p.m.folds[foldCopy] || in.Call == nil || !copies(in.Call.Name) {
		return 0, 0, false
	}
	ops := p.ops.Of(fi, bi, i)
	if len(ops) < 3 || ops[2].Kind != ir.Constant {
		return 0, 0, false
	}
	bytes, most := int64(p.m.vector/8), int64(copiedVectors)
	set := strings.HasPrefix(in.Call.Name, "llvm.memset")
	if set {
		most = setVectors
	}
	if ops[2].N < 0 || ops[2].N > bytes*most {
		return 0, 0, false
	}
	if stores = int((ops[2].N + 2*bytes - 1) / (2 * bytes)); !set {
		loads = stores
	}
	return loads, stores, true
}
