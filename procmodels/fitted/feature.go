package fitted

// This file counts the features of a block.

import (
	"context"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/procmodels"
	"pathspan/procmodels/pipeline"
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
	// Machine plays blocks out of order. Its cycles then stand in place of the classes of
	// instructions, but for what is outside of the program. Nil: classes are counted.
	Machine *pipeline.Model
}

// Feature is something countable in a block.
type Feature struct {
	Name  string  // "alu", "call memcpy", "load > alu"
	Count float64 // in one execution
}

// What is counted of blocks that are played out of order.
const (
	executed = "cycles executed"
	wrong    = "cycles of wrong branches"
)

// BlockFeatures is what a block has, ascending by name, on average over the ways into it.
type BlockFeatures struct {
	List  []Feature
	After []pipeline.PlayedAfter // what is played there behind predecessors
}

// Program counts what is in each block of a program.
func (s Scheme) Program(ctx context.Context, subject *procmodels.Subject) ([][]BlockFeatures, error) {
	var played [][]pipeline.PlayedBlock
	var formats map[*ir.Call]string
	if s.Machine != nil {
		var err error
		if played, err = pipeline.Play(ctx, s.Machine, subject); err != nil {
			return nil, err
		}
		if subject.Module != nil {
			if formats, err = ir.Formats(subject.Program, subject.Module); err != nil {
				return nil, err
			}
		}
	}
	all := make([][]BlockFeatures, len(subject.Program.Funcs))
	for fi, f := range subject.Program.Funcs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for bi, list := range s.Features(f) {
			b := BlockFeatures{List: list}
			if played != nil {
				p := played[fi][bi]
				b.List, b.After = append(b.List, Feature{executed, p.Cycles}, Feature{wrong, p.Wrong}), p.After
				b.List = append(b.List, printed(f.Blocks[bi], formats)...)
				slices.SortFunc(b.List, func(a, b Feature) int { return strings.Compare(a.Name, b.Name) })
			}
			all[fi] = append(all[fi], b)
		}
	}
	return all, nil
}

// Features counts the instructions in each block of a function, ascending by name.
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

func (s Scheme) block(b *ir.Block, loops bool) []Feature {
	count := map[string]float64{}
	last := ""
	for i := range b.Instrs {
		in := &b.Instrs[i]
		c := s.class(in, b, loops)
		if c == "" || s.Machine != nil && !isLibrary(c) {
			continue
		}
		if s.Machine != nil && (c == libraryPrefix+"memcpy" || c == libraryPrefix+"memset") {
			if n := bytesMoved(in); n > 0 && n <= inlined {
				count[bytesClass] += n
				continue
			}
		}
		count[c]++
		if c == indirectCall {
			count["call"]++
		}
		if fused(in) && s.Machine == nil { // a multiplication and an addition
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

// inlined is up to how many bytes compilers for x86-64 copy by themselves: eight stores of 16.
const inlined = 128

// Timed is the feature of a function outside the program that was timed by itself, or of a part of what one does.
func Timed(name string) string {
	if strings.HasPrefix(name, formatPrefix) || name == bytesClass {
		return name
	}
	return libraryPrefix + name
}

// IsLibrary says whether a feature stands for work outside the program, of which no
// instruction is seen.
func IsLibrary(feature string) bool { return isLibrary(feature) }

// IsPlayed says whether a feature is cycles that were played.
func IsPlayed(feature string) bool { return feature == executed || feature == wrong }

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
