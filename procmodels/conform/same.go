package conform

// This file compares two answers to the same program, in whatever order its functions
// and blocks stood.

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"pathspan/procmodels"
)

type place struct{ fn, block int }

// rounding is how far two figures may be apart, relative to the larger, that are
// sums of the same parts in different orders.
const rounding = 1e-9

// differ says where the answer b differs from a, or returns "". Place p of the
// program of a is place to(p) of that of b; places for which to returns false are left
// out. Figures may differ by the slack, relative to the larger; 0 demands equal bits.
func differ(s *subject, a, b *procmodels.Costs, slack float64, to func(place) (place, bool)) string {
	for fi := range a.Blocks {
		for bi := range a.Blocks[fi] {
			q, ok := to(place{fi, bi})
			if !ok {
				continue
			}
			pred := func(p int) int {
				r, _ := to(place{fi, p})
				return r.block
			}
			if d := differBlock(a, b, &a.Blocks[fi][bi], &b.Blocks[q.fn][q.block], slack, pred); d != "" {
				return fmt.Sprintf("%s: %s", where(s, fi, bi), d)
			}
		}
	}
	return ""
}

// itself is where a place is in the same program.
func itself(p place) (place, bool) { return p, true }

func differBlock(a, b *procmodels.Costs, x, y *procmodels.BlockCost, slack float64, pred func(int) int) string {
	if !alike(x.Cycles, y.Cycles, slack) {
		return fmt.Sprintf("%v cycles, then %v", x.Cycles, y.Cycles)
	}
	if !alike(x.Best, y.Best, slack) || !alike(x.Worst, y.Worst, slack) {
		return fmt.Sprintf("%v to %v cycles, then %v to %v", x.Best, x.Worst, y.Best, y.Worst)
	}
	if !slices.Equal(x.Included, y.Included) {
		return fmt.Sprintf("included calls %v, then %v", x.Included, y.Included)
	}
	for _, part := range []struct {
		what string
		x, y []figure
	}{
		{"defaults", defaultsOf(a, x), defaultsOf(b, y)},
		{"costs by predecessor", afterOf(x, pred), afterOf(y, func(p int) int { return p })},
		{"variations", variesOf(a, x), variesOf(b, y)},
	} {
		same := slices.EqualFunc(part.x, part.y, func(f, g figure) bool {
			return f.name == g.name && f.number == g.number && alike(f.a, g.a, slack) && alike(f.b, g.b, slack)
		})
		if !same {
			return fmt.Sprintf("%s %v, then %v", part.what, part.x, part.y)
		}
	}
	return ""
}

// figure is a part of a block's cost without the numbering of the answer.
type figure struct {
	name   string
	number int
	a, b   float64
}

func (f figure) String() string {
	if f.b == 0 {
		return fmt.Sprintf("%s%d: %v", f.name, f.number, f.a)
	}
	return fmt.Sprintf("%s%d: %v, %v", f.name, f.number, f.a, f.b)
}

func sorted(list []figure) []figure {
	slices.SortFunc(list, func(f, g figure) int {
		return cmp.Or(cmp.Compare(f.name, g.name), cmp.Compare(f.number, g.number), cmp.Compare(f.a, g.a), cmp.Compare(f.b, g.b))
	})
	return list
}

func defaultsOf(c *procmodels.Costs, b *procmodels.BlockCost) []figure {
	var list []figure
	for _, d := range b.Defaults {
		list = append(list, figure{c.Reasons[d.Reason] + " x ", d.Count, d.Cycles, 0})
	}
	return sorted(list)
}

func afterOf(b *procmodels.BlockCost, pred func(int) int) []figure {
	var list []figure
	for _, a := range b.After {
		list = append(list, figure{"block ", pred(a.Pred), a.Cycles, 0})
	}
	return sorted(list)
}

func variesOf(c *procmodels.Costs, b *procmodels.BlockCost) []figure {
	var list []figure
	for _, v := range b.Varies {
		list = append(list, figure{c.Factors[v.Factor].Name + " ", 0, v.Down, v.Up})
	}
	return sorted(list)
}

func alike(x, y, slack float64) bool {
	if math.Float64bits(x) == math.Float64bits(y) {
		return true
	}
	return math.Abs(x-y) <= slack*max(math.Abs(x), math.Abs(y))
}
