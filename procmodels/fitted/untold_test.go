package fitted

import (
	"context"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/procmodels"
	"pathspan/procmodels/pipeline"
)

// ran is a run that went through a function of one block once.
type ran struct {
	procmodels.Run
	tells bool
}

func (ran) Runs() *flow.Runs {
	return &flow.Runs{Edges: [][][]uint64{{{}}}, Entries: []uint64{1}, Regular: [][]bool{{false}}}
}
func (ran) Mistaken(int) [][][]float64              { return nil }
func (ran) Selected() map[flow.Way][2]flow.Foretold { return nil }
func (ran) Moved(*ir.Program) map[*ir.Call]float64  { return nil }
func (r ran) TellsBranches() bool                   { return r.tells }

// A model of blocks that are played says where a profile does not tell of branches, which its samples did.
func TestBranchesThatAreNotTold(t *testing.T) {
	const module = "target triple = \"x86_64-unknown-linux-gnu\"\ndefine i32 @f(i32 %a) {\n  ret i32 %a\n}\n"
	p, err := ir.Read([]byte(module))
	if err != nil {
		t.Fatal(err)
	}
	m := model()
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ played, tells, warns bool }{{true, false, true}, {true, true, false}, {false, false, false}} {
		m.Scheme.Machine = nil
		if c.played {
			if m.Scheme.Machine, err = pipeline.OutOfOrder(pipeline.Figures{Issue: 4, Window: 100}); err != nil {
				t.Fatal(err)
			}
		}
		costs, err := m.Costs(context.Background(), &procmodels.Subject{Program: p, Module: []byte(module), Run: ran{tells: c.tells}})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(strings.Join(costs.Warnings, "\n"), "profile with --branches"); got != c.warns {
			t.Errorf("%+v: warnings %q", c, costs.Warnings)
		}
	}
}
