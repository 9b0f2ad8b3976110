package estimate

// This file walks along a path of a level.

import "pathspan/pathprof"

// traversal is a last, partial traversal, within a path, of a loop that reaches a region:
// the loop's own graph schedules it.
type traversal struct {
	loop  int
	steps []pathprof.Step
	first int // the block that it is entered from, or nowhere
}

// walk visits the steps of a path of a level, which is entered from the block first: blocks
// with the task that they count in and the block that they are entered from, and loops that
// are executed in a task. It returns the partial traversals in the path.
func (f *function) walk(level int, steps []pathprof.Step, first int, block func(task, block, from int), loop func(task, loop int)) []traversal {
	var inside []traversal
	at := map[int]int{} // by loop: index into inside
	for n, s := range steps {
		from := f.entered(steps, n, first)
		task := f.taskOf(level, s)
		around := f.graphs.Levels[level].Tasks[task].Loop
		switch l := s.Loop(); {
		case l >= 0 && l == around:
			loop(task, l)
		case around >= 0 && f.hot(around+1) && (l >= 0 || f.cfg.InLoop(around, int(s))): // own blocks of a loop's task that lead to it are not in it
			i, ok := at[around]
			if !ok {
				i = len(inside)
				at[around] = i
				inside = append(inside, traversal{loop: around, first: from})
			}
			inside[i].steps = append(inside[i].steps, s)
		case l >= 0:
			loop(task, l)
		default:
			block(task, int(s), from)
		}
	}
	return inside
}
