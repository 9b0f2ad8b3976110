package flow

// This file finds the loops of a function whose iterations are those of a worksharing loop.

import (
	"iter"
	"slices"

	"pathspan/ir"
)

// Shared is a loop whose iterations are those of a worksharing loop, or several of them each,
// after vectorising and unrolling.
type Shared struct {
	Loop              *Loop
	Begin             int // the block with the mark of its begin
	Region, Construct int
}

// Worksharing lists the loops of a function that are outermost in a worksharing loop, or inside
// of the loop over its chunks, by the blocks where those begin. Loops that are entered beside
// their header are among them.
func Worksharing(p *ir.Program, f *ir.Func, g *CFG) []Shared {
	var out []Shared
	for start, b := range f.Blocks {
		m := b.Mark
		if m == nil || m.Kind != ir.SectionBegin || !g.Reachable[start] {
			continue
		}
		loop := p.Regions[m.Region].Constructs[m.Construct].Loop
		if loop == nil {
			continue
		}
		inside := between(f, start)
		var own []int
		for i, l := range g.Loops {
			if within(l, inside) && (l.Parent < 0 || !within(g.Loops[l.Parent], inside)) {
				own = append(own, i)
			}
		}
		if loop.Schedule != ir.Static || loop.Chunk != 0 || loop.Ordered { // a loop over chunks is around
			var inner []int
			for _, i := range own {
				inner = append(inner, g.Loops[i].Children...)
			}
			own = inner
		}
		for _, i := range own {
			out = append(out, Shared{g.Loops[i], start, m.Region, m.Construct})
		}
	}
	return out
}

// ByMark yields the loops of each mark.
func ByMark(list []Shared) iter.Seq[[]Shared] {
	return func(yield func([]Shared) bool) {
		for i, n := 0, 0; i < len(list); i += n {
			n = slices.IndexFunc(list[i:], func(s Shared) bool { return s.Begin != list[i].Begin })
			if n < 0 {
				n = len(list) - i
			}
			if !yield(list[i : i+n]) {
				return
			}
		}
	}
}

// between tells the blocks from a mark of a section's begin to that of its end.
func between(f *ir.Func, start int) []bool {
	begin := f.Blocks[start].Mark
	return Reached(len(f.Blocks), []int{start}, func(b int, visit func(int)) {
		for _, s := range f.Blocks[b].Succs {
			if m := f.Blocks[s].Mark; m == nil || m.Kind != ir.SectionEnd || m.Region != begin.Region || m.Construct != begin.Construct {
				visit(s)
			}
		}
	})
}

func within(l *Loop, inside []bool) bool {
	return !slices.ContainsFunc(l.Blocks, func(b int) bool { return !inside[b] })
}
