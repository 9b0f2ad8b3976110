package conform

// This file checks that a model says what it had no cost for.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
)

const (
	noOpcode   = "frobnicate"
	noFunction = "frobnicate_everything"
)

// coverage prices what no model can know: it must be a default whose reason names it.
func (k *kit) coverage() outcome {
	s := unknowns()
	blocks := []struct {
		fn   int
		what string
		name string
	}{{0, "opcode " + noOpcode, noOpcode}, {1, "a call of the unknown function " + noFunction, noFunction}}
	if k.desc.NeedsModule {
		s = unknownCallModule()
		blocks = blocks[1:]
		blocks[0].fn = 0
	}
	costs, err := k.sound(s)
	if err != nil {
		return failed("price what is unknown by a default, and report it", "%s: %v", s.name, err)
	}
	for _, b := range blocks {
		bc := &costs.Blocks[b.fn][0]
		named := func(d procmodels.DefaultCost) bool {
			return strings.Contains(strings.ToLower(costs.Reasons[d.Reason]), b.name)
		}
		do := fmt.Sprintf("add a default to the block, whose reason names it, such as %q", b.what+": not modelled")
		switch {
		case len(bc.Defaults) == 0:
			return failed(do, "%s is priced at %g cycles as if it were known", b.what, bc.Cycles)
		case !slices.ContainsFunc(bc.Defaults, named):
			return failed(do, "%s is a default, but none of its reasons names it: %q", b.what, reasonsOf(costs, bc))
		}
	}
	if k.desc.NeedsModule {
		return passed("a function that it does not know is a default, named")
	}
	return passed("what it does not know is a default, named")
}

func reasonsOf(c *procmodels.Costs, b *procmodels.BlockCost) []string {
	var list []string
	for _, d := range b.Defaults {
		list = append(list, c.Reasons[d.Reason])
	}
	return list
}

// unknowns is a program of an opcode and a call that do not exist.
func unknowns() *subject {
	p := program()
	p.Files = append(p.Files, noOpcode+".c") // models of source lines name lines
	for i, text := range []string{noOpcode + " i32", "call void " + noFunction} {
		in := instr(text, 7+i)
		in.Loc.File = 1
		f := addFunc(p, fmt.Sprint("unknown", i), []ir.Instr{in})
		f.Blocks[0].Terminator().Loc.Line = 0
	}
	return invented("a program with what does not exist", p)
}
