package compare

// This file says what part of a block's cycles each instruction has, for other packages.

import (
	"context"

	"pathspan/ir"
	"pathspan/procmodels"
)

// Splitter splits the cycles of blocks among their instructions.
type Splitter struct{ by splitter }

// NewSplitter returns the splitter of a model's costs of a program: by what instructions
// cost on their own where the model is additive, evenly among those with a source line
// elsewhere. A model of nil is not additive.
func NewSplitter(ctx context.Context, m procmodels.Model, p *ir.Program) (*Splitter, error) {
	if m == nil || !m.Describe().Additive {
		return &Splitter{evenly{}}, nil
	}
	s, err := newInstructionSplitter(ctx, Candidate{Ref: m.Describe().Name, Model: m}, p)
	if err != nil {
		return nil, err
	}
	return &Splitter{s}, nil
}

// Split returns the cycles of each instruction of a block; their sum is cycles.
func (s *Splitter) Split(b *ir.Block, cycles float64) []float64 { return s.by.split(b, cycles) }
