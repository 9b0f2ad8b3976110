package estimate

// This file says of which pipelines buffers may have other depths than the run had.

import (
	"fmt"

	"pathspan/estimate/table"
	"pathspan/ir"
)

// WhyNotDeeper says what else than its buffers decides when stages of a pipeline begin.
const WhyNotDeeper = "its tasks wait for others as well, which other depths would change"

// Deepens reports why nothing is known of other depths of a pipeline's buffers: its stages waited for other tasks than
// those of its items, or for what lies elsewhere among them.
func (e *Estimator) Deepens(pipeline int) error {
	of := &e.Bundle.Program.Pipelines[pipeline]
	if e.Bundle.Executions == nil {
		return fmt.Errorf("depths of pipeline %s: the profile keeps no executions of its stages", of.Name)
	}
	e.onceDeep.Do(func() { e.otherWaits, e.deepErr = e.findOtherWaits() })
	switch {
	case e.deepErr != nil:
		return e.deepErr
	case e.otherWaits[pipeline]:
		return fmt.Errorf("depths of pipeline %s: %s", of.Name, WhyNotDeeper)
	}
	return nil
}

// makerOfTasks is what makes tasks in a walk: how many it has made, and before it waited for all of these last.
type makerOfTasks struct{ made, over int }

// findOtherWaits finds the pipelines of which a stage waits for a task that its pipeline does not have it wait for, itself or
// by others. What had ended when their maker waited for all does not count: places of buffers are used again.
func (e *Estimator) findOtherWaits() (others []bool, err error) {
	prog := e.Bundle.Program
	others = make([]bool, len(prog.Pipelines))
	rows, err := e.Rows(ExecutionBased, 0)
	if err != nil {
		return nil, err
	}
	known := map[[2]int]bool{} // task and distance
	for _, root := range rows.Roots {
		if !rows.MakesTasks(root.Execution) {
			continue
		}
		makers := []makerOfTasks{{}}
		rows.Walk(root.Execution, nil, func(s table.Step) {
			top := &makers[len(makers)-1]
			switch s.Mark {
			case ir.TaskBegin:
				if s.Section == 0 { // deferred
					if at, stage := prog.StageOf(s.Construct); at >= 0 {
						for _, d := range s.After {
							if int(d) > top.made-top.over {
								continue
							}
							key := [2]int{s.Construct, int(d)}
							if _, ok := known[key]; !ok {
								known[key] = follows(&prog.Pipelines[at], stage, int(d))
							}
							others[at] = others[at] || !known[key]
						}
					}
					top.made++
				}
				makers = append(makers, makerOfTasks{})
			case ir.TaskWait:
				if s.Section == 0 {
					top.over = top.made
				}
			case ir.RegionBegin, ir.SectionBegin:
				makers = append(makers, makerOfTasks{})
			case ir.TaskEnd, ir.RegionEnd, ir.SectionEnd:
				makers = makers[:len(makers)-1]
			}
		})
	}
	return others, nil
}

// follows reports whether a stage waits for the elder task so many before it as the plan has stages wait for each other:
// itself, or by those that it waits for.
func follows(x *ir.Pipeline, stage, distance int) bool {
	n := len(x.Stages)
	reached := make([]bool, distance+1)
	reached[0] = true
	for at := range distance {
		if !reached[at] {
			continue
		}
		for _, d := range x.Waits(((stage-at)%n+n)%n, x.Depths) {
			if at+int(d) <= distance {
				reached[at+int(d)] = true
			}
		}
	}
	return reached[distance]
}
