package conform

// This file makes programs with the same blocks in another order or in other company.

import (
	"math/rand"
	"slices"

	"pathspan/ir"
	"pathspan/procmodels"
)

// copy returns a subject that shares nothing with s that a model may keep hold of.
func (s *subject) copy() *subject {
	p, _ := rearranged(s.Program, ascending(len(s.Program.Funcs)), func(f *ir.Func) []int { return ascending(len(f.Blocks)) })
	return &subject{s.name, procmodels.Subject{Program: p, Module: slices.Clone(s.Module)}}
}

// shuffled puts functions and blocks in other orders, entries first; of a module only
// functions. It returns where the places went, and false when there is only one order.
func (s *subject) shuffled(rng *rand.Rand) (*subject, func(place) (place, bool), bool) {
	if len(s.Program.Funcs) < 2 {
		return nil, nil, false
	}
	funcs := rng.Perm(len(s.Program.Funcs))
	if slices.IsSorted(funcs) {
		slices.Reverse(funcs)
	}
	if s.Module != nil {
		other, ok := s.reordered(funcs)
		at := inverse(funcs)
		return other, func(p place) (place, bool) { return place{at[p.fn], p.block}, true }, ok
	}
	p, to := rearranged(s.Program, funcs, func(f *ir.Func) []int {
		order := ascending(len(f.Blocks))
		if len(order) > 1 {
			rest := order[1:] // the entry stays first
			rng.Shuffle(len(rest), func(i, j int) { rest[i], rest[j] = rest[j], rest[i] })
		}
		return order
	})
	return &subject{s.name, procmodels.Subject{Program: p}}, func(q place) (place, bool) { return to(q), true }, true
}

// alone returns a program of one function of s, which must call no function of it.
func (s *subject) alone(fn int) (*subject, bool) {
	for _, b := range s.Program.Funcs[fn].Blocks {
		for i := range b.Instrs {
			if c := b.Instrs[i].Call; c != nil && (c.Callee >= 0 || len(c.FuncArgs) > 0) {
				return nil, false
			}
		}
	}
	if s.Module != nil {
		return s.reordered([]int{fn})
	}
	p, _ := rearranged(s.Program, []int{fn}, func(f *ir.Func) []int { return ascending(len(f.Blocks)) })
	return &subject{s.name, procmodels.Subject{Program: p}}, true
}

// rearranged copies a program with some of its functions, those of funcs in that order,
// and their blocks in the order that blocks gives. No function that stays may refer to
// one that goes. It returns where each place went.
func rearranged(p *ir.Program, funcs []int, blocks func(*ir.Func) []int) (*ir.Program, func(place) place) {
	at := map[int]int{}
	for i, old := range funcs {
		at[old] = i
	}
	q := &ir.Program{Triple: p.Triple, DataLayout: p.DataLayout, Files: slices.Clone(p.Files), Regions: slices.Clone(p.Regions)}
	blockAt := map[int][]int{} // by old function: new index by old block
	for i, old := range funcs {
		f := p.Funcs[old]
		order := blocks(f)
		to := inverse(order)
		blockAt[old] = to
		g := &ir.Func{Index: i, Name: f.Name, Source: f.Source, Loc: f.Loc, Exported: f.Exported, NoUnwind: f.NoUnwind}
		for j, ob := range order {
			b := f.Blocks[ob]
			nb := &ir.Block{Index: j, Name: b.Name, Mark: b.Mark, TaskMark: b.TaskMark, Instrs: slices.Clone(b.Instrs)}
			for k := range nb.Instrs {
				nb.Instrs[k].Call = movedCall(b.Instrs[k].Call, at)
			}
			for _, t := range b.Succs {
				nb.Succs = append(nb.Succs, to[t])
			}
			g.Blocks = append(g.Blocks, nb)
		}
		q.Funcs = append(q.Funcs, g)
	}
	return q, func(p place) place { return place{at[p.fn], blockAt[p.fn][p.block]} }
}

// movedCall copies a call; at says where the functions went.
func movedCall(c *ir.Call, at map[int]int) *ir.Call {
	if c == nil {
		return nil
	}
	d := *c
	d.ConstArgs = slices.Clone(c.ConstArgs)
	d.FuncArgs = nil
	for _, f := range c.FuncArgs {
		d.FuncArgs = append(d.FuncArgs, at[f])
	}
	if c.Callee >= 0 {
		d.Callee = at[c.Callee]
	}
	return &d
}

func ascending(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// inverse returns the place of each number in a permutation.
func inverse(order []int) []int {
	if len(order) == 0 {
		return nil
	}
	at := make([]int, slices.Max(order)+1)
	for i, x := range order {
		at[x] = i
	}
	return at
}
