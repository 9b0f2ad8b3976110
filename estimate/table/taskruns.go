package table

// This file plays rows for those who ask how tasks ran, one by one, and what if tasks waited
// for others than they did.

import "pathspan/mapping"

// TaskRun is an execution of a task in a row that is played. Times are in cycles of processor 0
// from when the construct began.
type TaskRun struct {
	Task       int // of the program; -1: what made the tasks waited for them, until End
	Processor  int
	Start, End float64
	Busy       float64 // what its processor spent in it, the rest in others amid it
}

// PlayTasks plays each row in which a construct makes tasks of its own, on however many processors
// they run, and visits its weight, how long it takes and the tasks in the order in which they
// end. Waits tells, by task of the program, for which elder siblings its executions wait: 1 is
// the one made last before it; tasks that are not in it wait as the mapping has it, or as they did. Rows that say only on
// average what is executed are not visited; their weight is returned.
func (v *Valuer) PlayTasks(m *mapping.Resolved, waits map[int][]uint64, visit func(execution int, weight, span float64, runs []TaskRun)) (unknown float64, err error) {
	v.set(m)
	var runs []TaskRun
	s := &v.tasks
	s.runs = &runs
	defer func() { s.runs = nil }()
	for task, of := range waits {
		if s.waits == nil {
			s.waits = map[int32][]uint64{}
		}
		s.waits[int32(task)] = of
	}
	for _, r := range v.t.Roots {
		if !v.t.makes[r.Execution] {
			continue
		}
		if !v.t.exact[r.Execution] {
			unknown += r.Weight
			continue
		}
		runs = runs[:0]
		span, err := s.run(r.Execution)
		if err != nil {
			return 0, err
		}
		visit(r.Execution, r.Weight, span, runs)
	}
	return unknown, nil
}

// spends is the task in which a thread goes on, -1 where nobody asks.
func (s *taskSimulator) spends(at int) int32 {
	if s.runs == nil {
		return -1
	}
	return s.me(at)
}

func (s *taskSimulator) spent(task int32, now, spent float64) {
	if task < 0 || spent == 0 {
		return
	}
	x := &s.tasks[task]
	if x.start < 0 {
		x.start = now
	}
	x.busy += spent
}

// runOf tells of a task that ends.
func (s *taskSimulator) runOf(at int, x *task, now float64) {
	if s.runs == nil || s.v.t.executions[x.execution].role != Deferred {
		return
	}
	if x.start < 0 {
		x.start = now
	}
	*s.runs = append(*s.runs, TaskRun{int(s.v.t.executions[x.execution].task), s.threads[at].processor, x.start, now, x.busy})
}

// waited tells that the lane of a construct waited for the tasks that it made.
func (s *taskSimulator) waited(at int, task int32, now float64) {
	if s.runs != nil && s.tasks[task].parent < 0 {
		*s.runs = append(*s.runs, TaskRun{Task: -1, Processor: s.threads[at].processor, Start: now, End: now})
	}
}
