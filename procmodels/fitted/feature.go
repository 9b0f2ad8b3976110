package fitted

// This file counts the features of a block.

import (
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// Scheme says which features blocks have. Its zero value counts the instructions of
// each class.
type Scheme struct {
	// Widths splits the classes whose work depends on it by the width of the type:
	// alu.32, alu.64, alu.wide.
	Widths bool
	// Pairs adds, for each two instructions of a block that follow each other, one of
	// the pair of their classes; instructions without code do not come between.
	Pairs bool
}

// Feature is something countable in a block.
type Feature struct {
	Name  string  // "alu", "call memcpy", "load > alu"
	Count float64 // in one execution
}

// Features counts what is in each block of a function, ascending by name.
func (s Scheme) Features(f *ir.Func) [][]Feature {
	cfg := flow.Analyze(f)
	list := make([][]Feature, len(f.Blocks))
	for bi, b := range f.Blocks {
		list[bi] = s.block(b, decidesLoop(cfg, bi))
	}
	return list
}

// decidesLoop says whether a block ends with the choice to leave its loop or to begin
// another iteration. Such branches are foreseen better than others.
func decidesLoop(cfg *flow.CFG, block int) bool {
	l := cfg.LoopOf[block]
	return l >= 0 && slices.ContainsFunc(cfg.Succs[block], func(t int) bool { return !cfg.InLoop(l, t) || t == cfg.Loops[l].Header })
}

// block counts what is in one block.
func (s Scheme) block(b *ir.Block, loops bool) []Feature {
	count := map[string]float64{}
	last := ""
	for i := range b.Instrs {
		in := &b.Instrs[i]
		c := s.class(in, b, loops)
		if c == "" {
			continue
		}
		count[c]++
		if c == indirectCall {
			count["call"]++
		}
		if fused(in) { // a multiplication and an addition
			count[s.named(classOf["fadd"], in.Type)]++
		}
		if n := bytesMoved(in); n > 0 {
			count[bytesClass] += n
		}
		if s.Pairs && last != "" && !isLibrary(last) && !isLibrary(c) {
			count[last+pairSign+c]++
		}
		last = c
	}
	list := make([]Feature, 0, len(count))
	for name, n := range count {
		list = append(list, Feature{name, n})
	}
	slices.SortFunc(list, func(a, b Feature) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// IsPair says whether a feature is a pair of neighbours.
func IsPair(feature string) bool { return strings.Contains(feature, pairSign) }

// IsLibrary says whether a feature stands for work outside the program, of which no
// instruction is seen.
func IsLibrary(feature string) bool { return isLibrary(feature) }

func fused(in *ir.Instr) bool {
	return in.Call != nil && (strings.HasPrefix(in.Call.Name, "llvm.fmuladd.") || strings.HasPrefix(in.Call.Name, "llvm.fma."))
}

// bytesMoved returns the constant size of a memcpy, memmove or memset, else 0.
func bytesMoved(in *ir.Instr) float64 {
	if in.Call == nil {
		return 0
	}
	name := strings.TrimPrefix(in.Call.Name, "llvm.")
	name, _, _ = strings.Cut(name, ".")
	if name != "memcpy" && name != "memmove" && name != "memset" {
		return 0
	}
	for _, a := range in.Call.ConstArgs {
		if a.Index == 2 && a.Value > 0 {
			return float64(a.Value)
		}
	}
	return 0
}
