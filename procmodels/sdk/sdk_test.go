package sdk

// This file checks what the SDK makes of a model.

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
)

// everything uses all that Cost offers.
type everything struct{}

func (everything) Describe() procmodels.Description {
	return procmodels.Description{Name: "all", Kind: "test", Version: "1", Unit: "cycle", NeedsModule: true}
}

func (everything) Block(f *ir.Func, b *ir.Block, cost *Cost) error {
	load := procmodels.Factor{Name: "load", Bounded: true}
	if b.Index == 0 {
		cost.Add(2)
		cost.AddRange(1, 2, 4)
		cost.Assume("second", 3)
		return nil
	}
	cost.Assume("first", 1)
	cost.Assume("second", 1)
	cost.Assume("first", 2)
	cost.Vary(load, 1, 2)
	cost.Vary(load, 1, 2)
	cost.After(1, 6)
	cost.After(0, 5)
	cost.Include(0)
	return nil
}

func TestCostGathers(t *testing.T) {
	p := &ir.Program{Funcs: []*ir.Func{{Name: "f", Blocks: []*ir.Block{
		{Succs: []int{1}}, {Index: 1, Succs: []int{1}, Instrs: []ir.Instr{{Op: "call", Call: &ir.Call{}}}},
	}}}}
	got, err := PerBlock(everything{}).Costs(t.Context(), &procmodels.Subject{Program: p})
	if err != nil {
		t.Fatal(err)
	}
	want := &procmodels.Costs{
		Model:   "all",
		Reasons: []string{"second", "first"},
		Factors: []procmodels.Factor{{Name: "load", Bounded: true}},
		Blocks: [][]procmodels.BlockCost{{
			{Cycles: 7, Best: 6, Worst: 9, Defaults: []procmodels.DefaultCost{{Reason: 0, Cycles: 3, Count: 1}}},
			{
				Cycles: 4, After: []procmodels.AfterCost{{Pred: 0, Cycles: 5}, {Pred: 1, Cycles: 6}}, Included: []int{0},
				Varies:   []procmodels.Variation{{Factor: 0, Down: 2, Up: 4}},
				Defaults: []procmodels.DefaultCost{{Reason: 0, Cycles: 1, Count: 1}, {Reason: 1, Cycles: 3, Count: 2}},
			},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if err := got.Check(p); err != nil {
		t.Error(err)
	}
}

func TestParameters(t *testing.T) {
	for _, c := range []struct {
		given map[string]string
		want  string
	}{
		{nil, ""},
		{map[string]string{"load": "2.5", "cpu": "b"}, ""},
		{map[string]string{"load": "-1"}, "load=-1: want a number of 0 or more (cycles)"},
		{map[string]string{"load": "NaN"}, "load=NaN: want a number"},
		{map[string]string{"load": "Inf"}, "load=Inf: want a number"},
		{map[string]string{"cpu": "z"}, "cpu=z: want a, b"},
		{map[string]string{"lod": "1"}, `unknown parameter "lod": want "load"`},
	} {
		p := NewParameters(c.given)
		p.Number("load", 2, "cycles")
		p.Choice("cpu", []string{"a", "b"}, "which")
		p.Text("note", "", "a remark")
		err := p.Err()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.given, err, c.want)
		}
	}
}

// TestServerDescribes opens a model once for each choice of parameters, and finds optional
// methods of the model inside.
func TestServerDescribes(t *testing.T) {
	opened := 0
	s := NewServer(func(p *Parameters) (procmodels.Model, error) {
		opened++
		if p.Text("bad", "", "breaks it") != "" {
			return nil, errors.New("two\nlines")
		}
		return PerBlock(everything{}), nil
	})
	for range 2 {
		d, err := s.Describe(t.Context(), &pluginpb.DescribeRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if !d.NeedsModule || len(d.Parameters) != 1 || d.Parameters[0].Name != "bad" {
			t.Errorf("described as %v", d)
		}
	}
	if opened != 1 {
		t.Errorf("opened %d times", opened)
	}
	if _, err := s.Describe(t.Context(), &pluginpb.DescribeRequest{Parameters: map[string]string{"bad": "1"}}); err == nil || !strings.Contains(err.Error(), "two lines") {
		t.Errorf("error %v", err)
	}
}
