package fitted

// This file prices blocks.

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"pathspan/procmodels"
	"pathspan/procmodels/pipeline"
)

// lackFactor is the name of the factor behind what the features do not see.
const lackFactor = "what the classes do not tell, the same share of every block"

// Costs implements procmodels.Model. Factor 0 is the scatter of whole programs about
// the fit, which moves all blocks by the same share of their cost; the others are the
// columns of the Cholesky factor of the coefficients' covariance, so that the cost of
// a block moves as its coefficients do, together.
func (m *Model) Costs(ctx context.Context, s *procmodels.Subject) (*procmodels.Costs, error) {
	if m.byName == nil {
		return nil, fmt.Errorf("model %s: it was not checked", m.Name)
	}
	p := s.Program
	t := procmodels.NewTally(m.Name, p)
	pr := &pricing{m: m, tally: t, defaults: map[string]byDefault{}}
	if m.Fit.Residual > 0 {
		pr.first = 1
		t.Costs.Factors = append(t.Costs.Factors, procmodels.Factor{Name: lackFactor})
	}
	for k, i := range m.inOrder {
		name := "coefficient " + m.Coefficients[i].Feature
		if k > 0 {
			name += ", given those before"
		}
		t.Costs.Factors = append(t.Costs.Factors, procmodels.Factor{Name: name})
	}
	if of := p.Machine(); of != "" && m.Machine != "" && of != m.Machine {
		t.Costs.Warnings = append(t.Costs.Warnings, fmt.Sprintf("model %s was fitted to programs of %s; this is one of %s", m.Name, m.Machine, of))
	}
	if run, ok := s.Run.(interface{ TellsBranches() bool }); ok && m.Scheme.Machine != nil && !run.TellsBranches() {
		t.Costs.Warnings = append(t.Costs.Warnings, fmt.Sprintf("model %s was fitted to runs that tell which branches are foretold; here only paths do: profile with --branches", m.Name))
	}
	blocks, err := m.Scheme.Program(ctx, s)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", m.Name, err)
	}
	for fi := range blocks {
		for bi := range blocks[fi] {
			b, bc := &blocks[fi][bi], &t.Costs.Blocks[fi][bi]
			pr.block(b.List, bc)
			for _, a := range b.After {
				bc.After = append(bc.After, procmodels.AfterCost{Pred: a.Pred, Cycles: pr.behind(b.List, a.Played, bc.Cycles)})
			}
		}
	}
	return t.Costs, nil
}

// pricing is the state of one call of Costs.
type pricing struct {
	m        *Model
	tally    *procmodels.Tally
	first    int // factor of the covariance's first column
	defaults map[string]byDefault
}

type byDefault struct {
	cycles float64
	why    string
}

func (p *pricing) block(features []Feature, bc *procmodels.BlockCost) {
	m := p.m
	counts := make([]float64, len(m.inOrder)) // by row of the covariance
	for _, f := range features {
		i, ok := m.coefficient(f.Name)
		if !ok {
			p.byDefault(f, bc)
			continue
		}
		bc.Cycles += f.Count * m.Coefficients[i].Cycles
		if row, ok := slices.BinarySearch(m.inOrder, i); ok {
			counts[row] = f.Count
		}
	}
	// What is not foretold before a block may have had it wait for less in it, more than its own cycles come to.
	bc.Cycles = max(0, bc.Cycles)
	if p.first > 0 && bc.Cycles > 0 {
		share := m.Fit.Residual * bc.Cycles
		bc.Varies = append(bc.Varies, procmodels.Variation{Factor: 0, Down: share, Up: share})
	}
	for k := range m.inOrder {
		move := 0.0
		for i := k; i < len(counts); i++ {
			if counts[i] != 0 {
				move += counts[i] * m.factor[i][k]
			}
		}
		if math.Abs(move) > 1e-12*bc.Cycles {
			bc.Varies = append(bc.Varies, procmodels.Variation{Factor: p.first + k, Down: move, Up: move})
		}
	}
}

// behind is what a block costs that is played otherwise than on average.
func (p *pricing) behind(list []Feature, played pipeline.Played, cycles float64) float64 {
	for _, f := range list {
		is, ok := map[string]float64{executed: played.Cycles, wrong: played.Wrong}[f.Name]
		if i, known := p.m.coefficient(f.Name); ok && known {
			cycles += (is - f.Count) * p.m.Coefficients[i].Cycles
		}
	}
	return max(0, cycles)
}

func (p *pricing) byDefault(f Feature, bc *procmodels.BlockCost) {
	d, ok := p.defaults[f.Name]
	if !ok {
		d.cycles, d.why = p.m.defaultFor(f.Name)
		p.defaults[f.Name] = d
	}
	if d.why == "" {
		return
	}
	bc.Cycles += f.Count * d.cycles
	p.tally.Assume(bc, d.why, f.Count*d.cycles, int(f.Count))
}

// Cycles prices a whole execution from the counts of its features. Of these, unknown
// ones cost their default.
func (m *Model) Cycles(counts map[string]float64) float64 {
	sum := 0.0
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		if i, ok := m.coefficient(name); ok {
			sum += counts[name] * m.Coefficients[i].Cycles
		} else {
			cycles, _ := m.defaultFor(name)
			sum += counts[name] * cycles
		}
	}
	return sum
}
