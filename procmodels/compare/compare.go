package compare

// This file prices a bundle under each model and puts the models against the first.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pathspan/procmodels"
	"pathspan/profile"
)

// Candidate is a model to compare, with the reference that named it.
type Candidate struct {
	Ref   string
	Model procmodels.Model
}

// Comparison is how models differ on a program.
type Comparison struct {
	Models []Total `json:"models"` // in the order of the candidates
	// Pairs puts each model but the first against the first.
	Pairs    []Pair   `json:"pairs"`
	Warnings []string `json:"warnings"` // of the models
}

// Total is what the whole program costs under a model, on one processor.
type Total struct {
	Model    string  `json:"model"` // the reference
	Cycles   float64 `json:"cycles"`
	ClockMHz float64 `json:"clock_mhz"` // 0 when unknown
	Seconds  float64 `json:"seconds"`   // at that clock, 0 when unknown
	Ratio    float64 `json:"ratio"`     // cycles over those of the first model, 0 when that has none and this is another
	Defaults float64 `json:"defaults"`  // share of the cycles that rests on defaults
}

// Pair is one model against the first.
type Pair struct {
	First string `json:"first"`
	Other string `json:"other"`
	// ByInstruction says that the cycles of lines are those of their instructions, which
	// takes two additive models. Else a block's cycles are spread evenly over its
	// instructions, under both, and there are no opcodes.
	ByInstruction bool  `json:"by_instruction"`
	Lines         []Row `json:"lines"`   // by difference, largest first; lines that neither charges are left out
	Opcodes       []Row `json:"opcodes"` // likewise; empty unless ByInstruction
}

// Row is a source line or an opcode under two models.
type Row struct {
	Where string `json:"where"` // "app.c:12", "load i32", "call printf"; "?" for code without a line
	// Executions of an opcode are counted one by one. Those of a line are of the block on
	// it that ran most, in each function that has the line.
	Executions  uint64  `json:"executions"`
	FirstCycles float64 `json:"first_cycles"` // all executions together
	OtherCycles float64 `json:"other_cycles"`
	FirstShare  float64 `json:"first_share"` // of the model's total
	OtherShare  float64 `json:"other_share"`
	// Difference is OtherShare - FirstShare: a factor between the models does not show.
	Difference float64 `json:"difference"`
}

// Run prices the bundle's program under each model. At least two are needed.
func Run(ctx context.Context, b *profile.Bundle, models []Candidate) (*Comparison, error) {
	if len(models) < 2 {
		return nil, errors.New("compare: give at least two models")
	}
	runs := countRuns(b)
	c := &Comparison{Warnings: []string{}}
	var priced []*pricedModel
	for i, m := range models {
		p, err := price(ctx, b, m)
		if err != nil {
			return nil, err
		}
		priced = append(priced, p)
		for _, w := range p.costs.Warnings {
			if !slices.Contains(c.Warnings, w) {
				c.Warnings = append(c.Warnings, w)
			}
		}
		all := charge(b, runs, p.costs, evenly{})
		t := Total{Model: m.Ref, Cycles: all.total, ClockMHz: p.clock, Ratio: 1, Defaults: share(all.defaults, all.total)}
		if t.ClockMHz > 0 {
			t.Seconds = t.Cycles / (t.ClockMHz * 1e6)
		}
		if i > 0 {
			t.Ratio = share(t.Cycles, c.Models[0].Cycles)
		}
		c.Models = append(c.Models, t)
	}
	for i, other := range priced[1:] {
		p := Pair{First: models[0].Ref, Other: models[i+1].Ref, Opcodes: []Row{}}
		p.ByInstruction = priced[0].single != nil && other.single != nil
		charged := func(m *pricedModel) *charges {
			if p.ByInstruction {
				return charge(b, runs, m.costs, m.single)
			}
			return charge(b, runs, m.costs, evenly{})
		}
		x, y := charged(priced[0]), charged(other)
		p.Lines = rows(x.lines, y.lines, x.total, y.total)
		if p.ByInstruction {
			p.Opcodes = rows(x.opcodes, y.opcodes, x.total, y.total)
		}
		c.Pairs = append(c.Pairs, p)
	}
	return c, nil
}

// pricedModel is what a model said of the program.
type pricedModel struct {
	costs  *procmodels.Costs
	clock  float64        // MHz, 0 when unknown
	single *byInstruction // nil unless the model is additive
}

func price(ctx context.Context, b *profile.Bundle, m Candidate) (*pricedModel, error) {
	d := m.Model.Describe()
	costs, err := m.Model.Costs(ctx, &procmodels.Subject{Program: b.Program, Module: b.Module, Run: b})
	if err == nil {
		err = costs.Check(b.Program)
	}
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Ref, err)
	}
	p := &pricedModel{costs: costs, clock: d.ClockMHz}
	if d.Additive && !d.NeedsModule {
		p.single, err = newInstructionSplitter(ctx, m, b.Program)
	}
	return p, err
}

// rows puts the same places side by side, the largest difference first.
func rows(first, other map[string]*charged, firstTotal, otherTotal float64) []Row {
	list := []Row{}
	for where, a := range first {
		b := other[where] // both hold the same places
		if a.cycles == 0 && b.cycles == 0 {
			continue
		}
		r := Row{Where: where, Executions: a.executions, FirstCycles: a.cycles, OtherCycles: b.cycles,
			FirstShare: share(a.cycles, firstTotal), OtherShare: share(b.cycles, otherTotal)}
		r.Difference = r.OtherShare - r.FirstShare
		list = append(list, r)
	}
	slices.SortFunc(list, func(x, y Row) int {
		return cmp.Or(cmp.Compare(math.Abs(y.Difference), math.Abs(x.Difference)),
			cmp.Compare(y.FirstShare, x.FirstShare), compareWhere(x.Where, y.Where))
	})
	return list
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return part / whole
}
