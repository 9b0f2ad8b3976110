package conform_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/ir/asm"
	"pathspan/procmodels"
	"pathspan/procmodels/conform"
)

// compiling is the model generic as one that compiles programs: it takes blocks from the
// module, and its instructions for what it prices.
type compiling struct {
	procmodels.Model
	spoil func(*procmodels.Subject, *procmodels.Costs)
}

func (m compiling) Describe() procmodels.Description {
	d := m.Model.Describe()
	d.NeedsModule, d.Additive = true, false
	return d
}

func (m compiling) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	if s.Module == nil {
		return nil, errors.New("no module")
	}
	mod, err := asm.Parse(s.Module)
	if err != nil {
		return nil, err
	}
	p, err := ir.Build(mod)
	if err != nil {
		return nil, err
	}
	if len(p.Funcs) != len(s.Program.Funcs) {
		return nil, fmt.Errorf("%d functions in the module, %d in the program", len(p.Funcs), len(s.Program.Funcs))
	}
	for i, f := range p.Funcs {
		if f.Name != s.Program.Funcs[i].Name {
			return nil, fmt.Errorf("function %d is %s in the module, %s in the program", i, f.Name, s.Program.Funcs[i].Name)
		}
	}
	c, err := m.Model.Costs(ctx, &procmodels.Subject{Program: p})
	if err == nil && m.spoil != nil {
		m.spoil(s, c)
	}
	return c, err
}

func TestModelThatNeedsModules(t *testing.T) {
	generic, err := procmodels.Open("generic", "")
	if err != nil {
		t.Fatal(err)
	}
	check := func(spoil func(*procmodels.Subject, *procmodels.Costs)) *conform.Report {
		return conform.Check(context.Background(), func() (procmodels.Model, error) { return compiling{generic, spoil}, nil }, conform.DefaultLimit)
	}
	r := check(nil)
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"answers", "order", "company", "coverage", "opcodes", "types", "calls", "long block", "names", "no functions"} {
		if x := result(t, r, name); x.Verdict != conform.Pass {
			t.Errorf("%s: %s %s, want it to pass", name, x.Verdict, x.Why)
		}
	}
	r = check(func(s *procmodels.Subject, c *procmodels.Costs) {
		for i := range c.Blocks {
			c.Blocks[i][0].Cycles += float64(i)
		}
	})
	if x := result(t, r, "order"); x.Verdict != conform.Fail || !strings.Contains(x.Why, "in another order: function") {
		t.Errorf("order: %v", x)
	}
	r = check(func(s *procmodels.Subject, c *procmodels.Costs) {
		if strings.Contains(string(s.Module), "x86_fp80") {
			c.Blocks = nil
		}
	})
	if x := result(t, r, "types"); x.Verdict != conform.Fail {
		t.Errorf("types: %v", x)
	}
}
