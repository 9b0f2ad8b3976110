package randprogram

// This file makes costs.

import (
	"fmt"
	"math/rand/v2"

	"pathspan/ir"
	"pathspan/procmodels"
)

// Costs makes costs of a program that keep the contract, with reasons and factors in
// the order of their first use.
func Costs(r *rand.Rand, p *ir.Program, model string) *procmodels.Costs {
	c := &procmodels.Costs{Model: model}
	for _, f := range p.Funcs {
		out := make([]procmodels.BlockCost, len(f.Blocks))
		for i, b := range f.Blocks {
			out[i] = block(r, c, f, b)
		}
		c.Blocks = append(c.Blocks, out)
	}
	for i := range r.IntN(3) {
		c.Warnings = append(c.Warnings, fmt.Sprintf("remark %d: ü", i))
	}
	return c
}

func block(r *rand.Rand, c *procmodels.Costs, f *ir.Func, b *ir.Block) procmodels.BlockCost {
	out := procmodels.BlockCost{Cycles: r.Float64() * 100}
	if r.IntN(3) == 0 {
		out.Best, out.Worst = out.Cycles*r.Float64(), out.Cycles*(1+r.Float64())
	}
	for _, p := range predecessors(f, b.Index) {
		if r.IntN(3) == 0 {
			out.After = append(out.After, procmodels.AfterCost{Pred: p, Cycles: r.Float64() * 100})
		}
	}
	for _, i := range calls(b) {
		if r.IntN(3) == 0 {
			out.Included = append(out.Included, i)
		}
	}
	// Known ones first, in any number, then perhaps a new one: that is first use order.
	for i := range c.Reasons {
		if r.IntN(8) == 0 {
			out.Defaults = append(out.Defaults, procmodels.DefaultCost{Reason: i, Cycles: out.Cycles * r.Float64() / 50, Count: 1 + r.IntN(5)})
		}
	}
	if len(c.Reasons) < 20 && r.IntN(3) == 0 {
		out.Defaults = append(out.Defaults, procmodels.DefaultCost{Reason: len(c.Reasons), Count: 1})
		c.Reasons = append(c.Reasons, fmt.Sprintf("opcode o%d: not known", len(c.Reasons)))
	}
	for i := range c.Factors {
		if r.IntN(8) == 0 {
			out.Varies = append(out.Varies, procmodels.Variation{Factor: i, Down: r.Float64(), Up: r.Float64()})
		}
	}
	if len(c.Factors) < 20 && r.IntN(3) == 0 {
		out.Varies = append(out.Varies, procmodels.Variation{Factor: len(c.Factors), Up: 1})
		c.Factors = append(c.Factors, procmodels.Factor{Name: fmt.Sprintf("latency %d", len(c.Factors)), Bounded: r.IntN(2) == 0})
	}
	return out
}
