package procmodels

// This file decides which blocks a source line is charged to.

import (
	"slices"

	"pathspan/ir"
	"pathspan/ir/flow"
)

// chargeLines returns, for each block, the lines that are charged when it executes,
// such that each execution of a line's statement is charged once though the line
// may span several blocks. noLine is never among them.
//
// A block holds a line when one of its instructions that is code has it. Within the
// blocks of one innermost loop, a line is charged at the holders that no other
// holder dominates: of "x = c ? a : b" the block that tests c, of "a && b" the one
// that tests a. A loop is a scope of its own, so the line of a while is charged at
// the header, once per test.
//
// The line of a for is held by the block before the loop as well, for its
// initialisation. A block that does nothing but lead into the header of a loop
// inside its own is not charged for lines for which the header is.
func chargeLines(f *ir.Func, c *flow.CFG) [][]srcLine {
	held := make([][]srcLine, len(f.Blocks))
	for bi, b := range f.Blocks {
		if c.Reachable[bi] {
			held[bi] = linesOf(b)
		}
	}
	charged := make([][]srcLine, len(f.Blocks))
	// In a preorder of the dominator tree the blocks that one block dominates are
	// consecutive, so that the last charged block is the only one to ask.
	type scope struct {
		line srcLine
		loop int
	}
	last := map[scope]int{}
	for _, bi := range c.DominatorPreorder() {
		for _, l := range held[bi] {
			s := scope{l, c.LoopOf[bi]}
			if top, ok := last[s]; ok && c.Dominates(top, bi) {
				continue
			}
			last[s] = bi
			charged[bi] = append(charged[bi], l)
		}
	}
	for bi := range f.Blocks {
		if len(charged[bi]) == 0 {
			continue
		}
		if h := leadsInto(f, c, bi); h >= 0 {
			charged[bi] = slices.DeleteFunc(charged[bi], func(l srcLine) bool {
				return slices.Contains(charged[h], l)
			})
		}
	}
	return charged
}

// linesOf lists the lines that a block holds, in the order of their first instruction.
func linesOf(b *ir.Block) []srcLine {
	var lines []srcLine
	for i := range b.Instrs {
		in := &b.Instrs[i]
		l := lineOf(in)
		if l == noLine || !isCode(in, b) {
			continue
		}
		if n := len(lines); n > 0 && lines[n-1] == l || slices.Contains(lines, l) {
			continue
		}
		lines = append(lines, l)
	}
	return lines
}

// leadsInto returns the header of the loop, directly inside that of the block, that
// the block's only edge leads to, through blocks that hold no code; else -1.
func leadsInto(f *ir.Func, c *flow.CFG, bi int) int {
	loop, at := c.LoopOf[bi], bi
	for range len(f.Blocks) {
		if len(f.Blocks[at].Succs) != 1 {
			return -1
		}
		at = f.Blocks[at].Succs[0]
		switch l := c.LoopOf[at]; {
		case l >= 0 && c.Loops[l].Header == at && c.Loops[l].Parent == loop:
			return at
		case l != loop || l >= 0 && c.Loops[l].Header == at:
			return -1 // out of the loop, or around it
		}
		if hasCode(f.Blocks[at]) {
			return -1
		}
	}
	return -1
}

func hasCode(b *ir.Block) bool {
	for i := range b.Instrs {
		if isCode(&b.Instrs[i], b) {
			return true
		}
	}
	return false
}
