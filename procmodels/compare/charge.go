package compare

// This file charges a model's cycles to source lines and opcodes: what part of a block's
// cycles each instruction has, other packages ask too.

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/profile"
)

// charges is what a program's executions cost under a model.
type charges struct {
	total    float64
	defaults float64 // the part of it that rests on defaults
	lines    map[string]*charged
	opcodes  map[string]*charged
}

// charged is the part of a line or an opcode.
type charged struct {
	executions uint64
	cycles     float64
}

// splitter says what part each instruction has in the cycles of its block.
type splitter interface {
	split(b *ir.Block, cycles float64) []float64
}

// evenly gives each instruction as much, those with a source line where any has one.
type evenly struct{}

func (evenly) split(b *ir.Block, cycles float64) []float64 {
	parts := make([]float64, len(b.Instrs))
	n := 0
	for i := range b.Instrs {
		if known(b.Instrs[i].Loc) {
			n++
		}
	}
	for i := range parts {
		switch {
		case n == 0:
			parts[i] = cycles / float64(len(parts))
		case known(b.Instrs[i].Loc):
			parts[i] = cycles / float64(n)
		}
	}
	return parts
}

func known(l ir.Loc) bool { return l.File >= 0 && l.Line > 0 }

func charge(b *profile.Bundle, r *runs, costs *procmodels.Costs, s splitter) *charges {
	c := &charges{lines: map[string]*charged{}, opcodes: map[string]*charged{}}
	own := r.own(costs)
	for fi, counts := range r.blocks {
		most := map[string]uint64{} // executions by line, in this function
		for bi, n := range counts {
			if n == 0 {
				continue
			}
			f, bc := b.Program.Funcs[fi], &costs.Blocks[fi][bi]
			blk := f.Blocks[bi]
			times := float64(n) * own[fi]
			c.total += times * bc.Cycles
			for _, d := range bc.Defaults {
				c.defaults += times * d.Cycles
			}
			for i, part := range s.split(blk, bc.Cycles) {
				in := &blk.Instrs[i]
				line := cmp.Or(b.Program.UserString(b.Program.UserLoc(f, in)), "?")
				at(c.lines, line).cycles += times * part
				most[line] = max(most[line], n)
				op := at(c.opcodes, opcodeOf(in))
				op.cycles += times * part
				op.executions += n
			}
		}
		for line, n := range most {
			c.lines[line].executions += n
		}
	}
	return c
}

func at(m map[string]*charged, key string) *charged {
	if m[key] == nil {
		m[key] = &charged{}
	}
	return m[key]
}

// opcodeOf names an instruction by opcode and type, a call by its callee.
func opcodeOf(in *ir.Instr) string {
	c := in.Call
	switch {
	case c == nil && in.Type == "":
		return in.Op
	case c == nil:
		return in.Op + " " + in.Type
	case c.Callee >= 0:
		return in.Op + " of a function of the program"
	case c.Indirect || c.Name == "":
		return in.Op + " through a pointer"
	case c.Name == "asm":
		return "inline assembly"
	}
	return in.Op + " " + c.Name
}

// compareWhere orders lines by file and number, opcodes by name.
func compareWhere(a, b string) int {
	af, al := splitLine(a)
	bf, bl := splitLine(b)
	return cmp.Or(strings.Compare(af, bf), cmp.Compare(al, bl), strings.Compare(a, b))
}

func splitLine(s string) (file string, line int) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0
	}
	n, err := strconv.Atoi(s[i+1:])
	if err != nil {
		return s, 0
	}
	return s[:i], n
}

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
