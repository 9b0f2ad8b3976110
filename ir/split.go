package ir

// This file brings a view up to date with blocks that were split, for less than making it anew.

import (
	"slices"

	"pathspan/ir/asm"
)

// Split makes p the view of m again where since [Build] blocks were split behind instructions
// that are no terminators ([asm.Func.SplitBlock]), and nothing else was done.
func (p *Program) Split(m *asm.Module) {
	for i, f := range m.Funcs() {
		if g := p.Funcs[i]; len(f.Blocks) > len(g.Blocks) {
			g.split(f)
		}
	}
}

func (g *Func) split(f *asm.Func) {
	first, last := make([]int, len(g.Blocks)), make([]int, len(g.Blocks)) // pieces, by block
	store := make([]Block, len(f.Blocks))
	blocks := make([]*Block, len(f.Blocks))
	k := 0
	rest, atomics := g.Blocks[0].Instrs, g.Blocks[0].Atomics
	for i, blk := range f.Blocks {
		nb, old := &store[i], g.Blocks[k]
		blocks[i] = nb
		if len(rest) == len(old.Instrs) {
			first[k] = i
			*nb = *old
		}
		nb.Index, nb.Name = i, blk.Name()
		if nb.Atomics = nil; len(atomics) > 0 {
			n := len(Updates(blk))
			nb.Atomics, atomics = atomics[:n:n], atomics[n:]
		}
		if i+1 < len(f.Blocks) && (k+1 == len(g.Blocks) || f.Blocks[i+1].Name() != g.Blocks[k+1].Name) {
			n := 0
			for _, in := range blk.Instrs {
				if Viewed(in) {
					n++
				}
			}
			nb.Instrs = append(slices.Clone(rest[:n-1]), Instr{Op: "br", Loc: Loc{File: -1}})
			rest = rest[n-1:]
			continue
		}
		nb.Instrs, last[k] = rest, i
		if k++; k < len(g.Blocks) {
			rest, atomics = g.Blocks[k].Instrs, g.Blocks[k].Atomics
		}
	}
	for k, old := range g.Blocks {
		for i := first[k]; i < last[k]; i++ {
			blocks[i].Succs = []int{i + 1}
		}
		end := blocks[last[k]]
		end.Succs = slices.Clone(old.Succs)
		for j, s := range end.Succs {
			end.Succs[j] = first[s]
		}
	}
	for i := range g.Loops {
		g.Loops[i].Block = last[g.Loops[i].Block]
	}
	g.Blocks = blocks
}
