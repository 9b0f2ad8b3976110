package estimate

// This file finds how long a program runs outside of its sections: the serial part of
// Amdahl's law.

import (
	"fmt"

	"pathspan/mapping"
)

// SerialSeconds returns the time of the code outside of all sections in one execution of
// the root, on a processor. No mapping makes it shorter.
func (e *Estimator) SerialSeconds(serial int) (float64, error) {
	if serial < 0 || serial >= len(e.Platform.Processors) {
		return 0, fmt.Errorf("estimate: serial processor %d of %d", serial, len(e.Platform.Processors))
	}
	kind, second := e.kindOf[serial], 1/(e.ClockMHz[0]*1e6)
	if e.hotOf[e.Root] < 0 {
		return e.serial[e.Root].levels[0][kind] * second, nil
	}
	v := e.pool.Get().(*evaluator)
	defer e.pool.Put(v)
	v.reset(mapping.DefaultFrom(e.Platform, serial, e.Bundle.Program), PathBased)
	all, err := v.executions(true)
	if err != nil {
		return 0, err
	}
	cycles := 0.0
	for i := range all {
		x, h := &all[i], e.hot[all[i].hot]
		for l, entries := range x.levels {
			hl := &h.levels[l]
			if !hl.on {
				continue
			}
			// What is not a term of the tables is what reaches no region.
			for t := range hl.graph.Tasks {
				if hl.graph.Tasks[t].Group >= 0 {
					continue
				}
				cycles += x.runs * entries / hl.denom * hl.sum.base[kind][t]
				for r, n := range x.parts[l] {
					cycles += x.runs * n * hl.parts.base[kind][r*hl.parts.tasks+t]
				}
			}
			for _, o := range hl.orphans {
				task := e.Graphs[h.fn].LoopTask(l, o-1)
				if !h.levels[o].on && hl.graph.Tasks[task].Group < 0 {
					cycles += x.runs * entries / hl.denom * e.serial[h.fn].levels[o][kind]
				}
			}
		}
	}
	return cycles * second, nil
}
