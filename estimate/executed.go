package estimate

// This file tells what executions of tasks take, one by one, of those that a trace of the flow of data tells apart.

import (
	"math"
	"slices"

	"pathspan/estimate/table"
	"pathspan/ir"
	"pathspan/mapping"
)

// Executed is what executions of a trace take by themselves.
type Executed struct {
	Cycles []float64 // by execution, of the first processor; -1 where only averages of its statement are known
	// Mixed are statements in a loop that was entered several times, with as many items, of which the profile keeps what
	// each took and not which was which: by item, theirs are means over these.
	Mixed []int
}

// Executed finds what the profile keeps of tasks that are statements of the trace, with everything on the first processor.
func (e *Estimator) Executed() (*Executed, error) {
	trace := e.Bundle.Flow
	out := &Executed{Cycles: slices.Repeat([]float64{-1}, trace.Len())}
	tasks := e.Bundle.Program.TaskEntries()
	if len(tasks) == 0 || !ExecutionBased.Suits(e.Bundle) {
		return out, nil
	}
	roots, err := e.tasksTook()
	if roots == nil || err != nil {
		return out, err
	}
	times := map[int]int{} // statements by task
	for i := range trace.Statements {
		if task, ok := tasks[trace.Statements[i].Func]; ok {
			times[task]++
		}
	}
	for s, runs := range trace.Entered() {
		if task, ok := tasks[trace.Statements[s].Func]; ok && times[task] == 1 && out.tell(runs, roots, task, trace.Omitted > 0) {
			out.Mixed = append(out.Mixed, s)
		}
	}
	return out, nil
}

// rootTasks is what tasks take in executions of a root, in the order of the program.
type rootTasks struct {
	weight float64
	of     map[int][]float64 // by task of the program
}

// tasksTook walks the rows; nil where they say only on average what is inside, or not which tasks these are.
func (e *Estimator) tasksTook() ([]rootTasks, error) {
	m := mapping.Default(e.Platform, e.Bundle.Program)
	rows, err := e.RowsUnder(ExecutionBased, m)
	if err != nil {
		return nil, err
	}
	var out []rootTasks
	known := true
	for _, root := range rows.Roots {
		x := rootTasks{root.Weight, map[int][]float64{}}
		depth, sum := 0, 0.0
		known = rows.Walk(root.Execution, nil, func(s table.Step) {
			if depth > 0 {
				sum += s.Own[rows.KindOf[0]]
			}
			switch s.Mark {
			case ir.TaskBegin:
				known = known && s.Section == 0 // else it was executed at once, and no row says which task it is
				depth++
			case ir.TaskEnd:
				if depth--; depth == 0 {
					x.of[s.Construct] = append(x.of[s.Construct], sum)
					sum = 0
				}
			}
		}) && known
		if !known {
			return nil, nil
		}
		out = append(out, x)
	}
	return out, nil
}

// tell finds what executions of a task take, as the loop around them was entered so many times, and reports whether some are
// means.
func (x *Executed) tell(runs [][]int, roots []rootTasks, task int, cut bool) (mixed bool) {
	all, times := 0, 0.0
	for _, r := range runs {
		all += len(r)
	}
	var with []rootTasks
	for _, r := range roots {
		if len(r.of[task]) > 0 {
			with, times = append(with, r), times+r.weight
		}
	}
	if len(with) == 1 && math.Abs(times-1) < sameTime && (len(with[0].of[task]) == all || cut && len(with[0].of[task]) > all) {
		runs = [][]int{slices.Concat(runs...)}
	} else if math.Abs(times-float64(len(runs))) > sameTime*times && !cut {
		return false
	}
	found := make([]float64, 0, all)
	for i, run := range runs {
		var like []rootTasks
		for _, r := range with {
			if n := len(r.of[task]); n == len(run) || cut && i == len(runs)-1 && n > len(run) {
				like = append(like, r)
			}
		}
		if like == nil {
			return false
		}
		for k := range run {
			sum, weight := 0.0, 0.0
			for _, r := range like {
				sum, weight = sum+r.weight*r.of[task][k], weight+r.weight
				mixed = mixed || math.Abs(r.of[task][k]-like[0].of[task][k]) > sameTime*r.of[task][k]
			}
			found = append(found, sum/weight)
		}
	}
	for i, at := range slices.Concat(runs...) {
		x.Cycles[at] = found[i]
	}
	return mixed
}
