package flow

// This file numbers the ways that branches can go, for what tells of them and for what reads that.

import (
	"cmp"
	"slices"

	"pathspan/ir"
)

// Way is a successor of a block that has several.
type Way struct {
	Func, Block int
	Succ        int // the first of those that are this block
}

// Ways lists the ways of branches and switches, in the program's order.
func Ways(p *ir.Program) (list []Way) {
	for fi, f := range p.Funcs {
		for bi, b := range f.Blocks {
			if len(b.Succs) < 2 || len(b.Instrs) == 0 {
				continue
			}
			if op := b.Instrs[len(b.Instrs)-1].Op; op != "br" && op != "switch" {
				continue
			}
			for k, to := range b.Succs {
				if slices.Index(b.Succs, to) == k {
					list = append(list, Way{fi, bi, k})
				}
			}
		}
	}
	return list
}

// Foretold is how often a way was taken, and how often of these a predictor of long histories had
// foretold another.
type Foretold struct {
	Way
	Wrong, Times uint64
}

// LongHistory stands for a predictor that remembers many outcomes of all branches together, where others remember so many of
// each (build/runtime/branches.c).
const LongHistory = -1

// CompareWays orders ways as the program has them.
func CompareWays(a, b Way) int {
	return cmp.Or(cmp.Compare(a.Func, b.Func), cmp.Compare(a.Block, b.Block), cmp.Compare(a.Succ, b.Succ))
}
