package flow

// This file numbers the ways that branches can go, for what tells of them and for what reads that.

import (
	"cmp"
	"slices"
	"strings"

	"pathspan/ir"
)

// Way is a successor of a block that has several, or a value of a select, of which compilers may make a branch.
type Way struct {
	Func, Block int
	Succ        int // the first of those that are this block; of a select 0 or 1, as it has its values
	Select      int // the number of the select in the block, from 1; 0: the branch at its end
}

// Ways lists the ways of branches and switches, in the program's order, and behind them those of selects between single
// values.
func Ways(p *ir.Program) (list []Way) {
	var selects []Way
	for fi, f := range p.Funcs {
		for bi, b := range f.Blocks {
			for i := range b.Instrs {
				if in := &b.Instrs[i]; in.Op == "select" && !strings.ContainsAny(in.Type, "<{[") {
					selects = append(selects, Way{fi, bi, 0, i + 1}, Way{fi, bi, 1, i + 1})
				}
			}
			if len(b.Succs) < 2 || len(b.Instrs) == 0 {
				continue
			}
			if op := b.Instrs[len(b.Instrs)-1].Op; op != "br" && op != "switch" {
				continue
			}
			for k, to := range b.Succs {
				if slices.Index(b.Succs, to) == k {
					list = append(list, Way{fi, bi, k, 0})
				}
			}
		}
	}
	return append(list, selects...)
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

// CompareWays orders ways as [Ways] does.
func CompareWays(a, b Way) int {
	return cmp.Or(cmp.Compare(min(a.Select, 1), min(b.Select, 1)), cmp.Compare(a.Func, b.Func), cmp.Compare(a.Block, b.Block), cmp.Compare(a.Select, b.Select), cmp.Compare(a.Succ, b.Succ))
}
