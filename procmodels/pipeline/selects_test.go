package pipeline

// This file holds selects that became branches to a loop that is known by hand.

import (
	"math"
	"testing"

	"pathspan/ir/flow"
)

// A select waits for its condition, two products and a comparison here: 8 cycles an iteration. What a branch
// of it foretells does not, and the unit of products is what holds iterations up: 2 cycles. One in ten foretold wrongly costs
// these what its condition takes, and the penalty. The second select goes as the first.
func TestSelectsOutOfOrder(t *testing.T) {
	m := outOfOrder(t, figures)
	module := wrapped("  %y = mul i32 %x, %k\n  %z = mul i32 %y, %k\n  %b = icmp ugt i32 %z, 5\n  %u = add i32 %x, 1\n  %s = select i1 %b, i32 %u, i32 %k\n  %w = select i1 %b, i32 %z, i32 %k\n", "%s")
	run := longRuns(1_000_000)
	iteration := func() Played {
		got := loopCosts(t, m, module, run)
		got.Wrong -= blocksOf(t, m, module, run)[0][3].Wrong // of leaving the loop
		return got
	}
	if got := iteration(); math.Abs(got.Cycles-8) > 0.2 || got.Wrong > 0.1 {
		t.Errorf("a select that waits: %+v, want 8 cycles", got)
	}
	at := flow.Way{Func: 0, Block: 1, Select: 7}
	told := func(first, wrong uint64) map[flow.Way][2]flow.Foretold {
		return map[flow.Way][2]flow.Foretold{at: {{Way: at, Wrong: wrong * first / 1000, Times: first}, {Way: at, Wrong: wrong * (1000 - first) / 1000, Times: 1000 - first}}}
	}
	for _, c := range []struct{ first, wrong uint64 }{{1000, 0}, {0, 0}, {500, 0}, {1000, 100}, {500, 100}} {
		run.selected = told(c.first, c.wrong)
		got := iteration()
		least, most := 0.0, 0.1
		if c.wrong > 0 {
			least, most = 0.1*15, 0.1*(15+8+5) // the condition takes 8, and what is taken in anew 1 to 4 to be there
		}
		if math.Abs(got.Cycles-2) > 0.3 || got.Wrong < least || got.Wrong > most {
			t.Errorf("%d of 1000 the first value, %d wrong: %+v, want 2 cycles and %v to %v", c.first, c.wrong, got, least, most)
		}
	}
}
