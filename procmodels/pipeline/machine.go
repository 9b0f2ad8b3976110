package pipeline

// This file has pipelines take a program for the processor's own instructions.

import "pathspan/procmodels"

// MachineCode returns a pipeline that takes each instruction for one of the processor's: nothing
// becomes one with another, nothing is added, and all stays where it is. A load or store of a struct of two is one that
// accesses two registers, of the class that restores or saves them where the file names one. It
// returns false for a model of another kind.
func MachineCode(m procmodels.Model) (procmodels.Model, bool) {
	p, ok := m.(*Model)
	if !ok {
		return nil, false
	}
	machine := *p
	machine.pairs = map[string]int{}
	for op, class := range map[string]int{"load": p.restores, "store": p.saves} {
		if class != p.moves {
			machine.pairs[op] = class
		}
	}
	machine.folds, machine.moves, machine.scheduled = [len(foldNames)]bool{}, -1, false
	return &machine, true
}
