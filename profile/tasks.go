package profile

// This file reads what executions keep of tasks. A task is an entry of one lane, executed in
// the lane that made it, where it made it: of the region behind the last, whose constructs
// ir.TaskLanes tells. Around it may lie others that tell how it was made. A dependent one has
// two lanes. The first holds, for each elder sibling that is waited for, as many executions of
// nothing as that was made before the one told before it, and a wait; the second holds the
// task, or a taskwait that waits for those siblings alone. Where trees were cut at a depth,
// tasks below it are work of the lane that made them.

import "pathspan/ir"

// Task tells what an entry of tasks is: a task of the program, or else a form.
func (e *Execution) Task(p *ir.Program) (task int, form ir.TaskForm) {
	if e.Construct < len(p.Tasks) {
		return e.Construct, -1
	}
	return -1, ir.TaskForm(e.Construct - len(p.Tasks))
}

// WaitsFor tells for which elder siblings a dependent entry waits: 1 is the one made last
// before it, as distances ascend.
func (x *Executions) WaitsFor(e *Execution, p *ir.Program) []uint64 {
	var out []uint64
	const most = 1 << 20 // a forged bundle may tell of more than anyone can wait for
	at, steps := uint64(0), 0
	var read func(parts []ExecutionPart, times uint64)
	read = func(parts []ExecutionPart, times uint64) {
		for ; times > 0 && steps <= most; times-- {
			for i := range parts {
				if steps++; steps > most {
					return
				}
				if parts[i].Entry < 0 {
					continue
				}
				in := &x.Entries[parts[i].Entry]
				switch _, form := in.Task(p); form {
				case ir.Piece:
					read(in.Lanes[0], parts[i].Times)
				case ir.Waited:
					out = append(out, at)
				default:
					at += parts[i].Times
				}
			}
		}
	}
	read(e.Lanes[0], 1)
	return out
}
