package procmodels

// This file declares models that make hardware of a program's loops.

import (
	"pathspan/ir"
	"pathspan/mapping"
)

// Hardware is a model whose loops are made in hardware, each in one of several ways. What one of them changes of a
// block's cost does not hang on how the other loops are made.
type Hardware interface {
	Model
	// On returns the model as it is for a program, where it hangs on that which loops there are.
	On(p *ir.Program) (Hardware, error)
	// Made returns the model with loops made as a design says.
	Made(mapping.Design) (Hardware, error)
	// Loops lists the loops that are made, as the model has them now.
	Loops() []HardwareLoop
	// Capacity is what there is of resources, by name; nil where there is no limit.
	Capacity() map[string]float64
	// Find lists the headers of a loop in a program.
	Find(p *ir.Program, loop string) []HardwareAt
}

// HardwareLoop is a loop that is made in hardware.
type HardwareLoop struct {
	Loop              string // FILE:LINE
	Unroll, Partition int
	// Tries are the ways in which searches make it; none where it is no choice.
	Tries []mapping.LoopDesign
	// Own is what it takes of resources for itself, Shared what other loops may use as well, of
	// which the greatest counts.
	Own, Shared map[string]float64
}

// HardwareAt is a block of a program.
type HardwareAt struct{ Func, Block int }

// TakenBy returns what loops take together, by resource.
func TakenBy(loops []HardwareLoop) map[string]float64 {
	all, shared := map[string]float64{}, map[string]float64{}
	for i := range loops {
		for name, x := range loops[i].Own {
			all[name] += x
		}
		for name, x := range loops[i].Shared {
			shared[name] = max(shared[name], x)
		}
	}
	for name, x := range shared {
		all[name] += x
	}
	return all
}
