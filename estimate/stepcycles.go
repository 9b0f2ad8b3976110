package estimate

// This file says what single paths and calls cost, for those who compare them.

import (
	"pathspan/profile"
)

// StepCycles returns what each step of a path of a level of a function costs on a processor,
// in its cycles and by the rules of all estimates (entered.go): loops and called functions
// are apart, so that a step through a loop costs 0. The function must have run.
func (e *Estimator) StepCycles(processor, fn, level int, p *profile.Path) []float64 {
	f, kind := e.funcs[fn], e.kindOf[processor]
	cycles := make([]float64, len(p.Steps))
	first := f.before(level, p)
	for i, s := range p.Steps {
		if s >= 0 {
			cycles[i] = e.cost(kind, fn, int(s), f.entered(p.Steps, i, first)) / e.factor[kind]
		}
	}
	return cycles
}

// CallCycles returns what a call of a function takes on average with everything on one
// processor, in its cycles. The function must have run.
func (e *Estimator) CallCycles(processor, fn int) float64 {
	kind := e.kindOf[processor]
	return e.serial[fn].levels[0][kind] / e.factor[kind]
}
