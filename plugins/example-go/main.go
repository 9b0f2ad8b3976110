// Command example-go is a processor model as a plugin: a small scalar core.
package main

import (
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/procmodels/sdk"
)

type core struct{ load, multiply float64 }

func (core) Describe() procmodels.Description {
	return procmodels.Description{
		Name: "example core", Kind: "example", Version: "1", ClockMHz: 100,
		Source: "made up, to show how a plugin is written", Unit: "a clock cycle of the core; caches always hit",
	}
}

func (c core) Instruction(in *ir.Instr) (cycles float64, known bool) {
	switch in.Op {
	case "load":
		return c.load, true
	case "mul":
		return c.multiply, true
	case "phi", "alloca":
		return 0, true
	}
	library := in.Call != nil && in.Call.Callee < 0 // what it does is a guess, as are opcodes of the future
	return 1, !library && !strings.Contains(in.Type, "double") && slices.Contains(procmodels.Opcodes(), in.Op)
}

func main() {
	sdk.Serve(func(p *sdk.Parameters) (procmodels.Model, error) {
		return sdk.PerInstruction(core{p.Number("load", 2, "cycles of a load"), p.Number("multiply", 3, "cycles of a multiplication")}), nil
	})
}
