package suggest

// This file finds loops of few iterations that can be shared together with the loop in them.

import (
	"math"
	"slices"

	"pathspan/ir"
	"pathspan/memory/depend"
)

// few is how many iterations a processor has of a loop for the loop in it to be looked at.
const few = 8

// inner returns the loop of the same function that is all that the iterations of a part do: each
// enters it once, with hardly anything around it. It returns nil where there is none.
func (p *program) inner(x *sourceLoop, part *loopPart) *loopPart {
	if len(part.levels) != 1 {
		return nil
	}
	f := part.f
	var levels []int
	var of statement
	for _, l := range f.nodes[part.levels[0]].children {
		if f.nodes[l].entries == 0 {
			continue
		}
		is := p.loopStatement(f, l)
		if is.name != x.name || is.scope != x.scope || len(levels) > 0 && is.loc != of.loc {
			return nil
		}
		of, levels = is, append(levels, l)
	}
	groups := f.sequences(levels)
	if len(groups) != 1 {
		return nil
	}
	in := p.part(f, groups[0], f.endsOf())
	if in.vary && !part.vary {
		return nil // how long it is depends on the iteration
	}
	kind, iterations := p.kindOf[p.serial], part.entries*part.trips
	if in.alone[kind] < 0.98*part.alone[kind] || math.Abs(in.entries-iterations) > 0.05*iterations || in.trips < 2 {
		return nil
	}
	return &in
}

// collapsed values a loop as one with the loop in it, where it has few iterations and that
// is worth it: such loops ask more of the source.
func (p *program) collapsed(c *prospect, x *sourceLoop, main int) {
	if c.Trips < 1.5 || c.Trips >= float64(few*len(p.kindOf)) || len(p.kindOf) == 1 {
		return
	}
	if slices.ContainsFunc(c.Dependences.clauses(), func(x Clause) bool { return x.Clause == "linear" }) {
		return // it goes on once in each iteration of the outer loop
	}
	both := slices.Clone(x.parts)
	for i := range both {
		in := p.inner(x, &both[i])
		if in == nil {
			return
		}
		both[i].trips *= in.trips
		both[i].vary = both[i].vary || in.vary
		if p.depend != nil && p.depend.Loop(in.f.index, in.f.cfg.Loops[in.main()-1].Header, depend.Lines{}).Verdict == depend.Dependent {
			return
		}
		both[i].within = in
	}
	inner := p.loopStatement(both[main].within.f, both[main].within.main())
	if inner.word == ir.WhileLoop || inner.word == ir.DoLoop || inner.loc == x.loc || inner.loc.Line == 0 {
		return
	}
	one, iteration := *c, *c.Iteration
	before := p.saving([]*prospect{c})
	p.share(c, both, main)
	if p.saving([]*prospect{c}) < before+0.02*c.under {
		*c, *one.Iteration = one, iteration
		return
	}
	c.Collapse, c.inner = 2, inner
}
