package ir

// This file names tasks, and numbers what profiles keep of tasks: each task of the program, then forms that
// tell how tasks are created and waited for, as if they were constructs of one more region
// behind the last. build/runtime/following.h has the same forms.

import (
	"fmt"
	"slices"
)

// TaskForm is a construct of the region of tasks, behind one of one lane for each task.
type TaskForm int

// The forms. What has no lanes happens in the lane that it stands in.
const (
	Undeferred TaskForm = iota // its lane is a task whose creator goes on behind it
	Dependent                  // for which elder siblings something waits, and what: a task, or a taskwait
	Piece                      // a piece of the lane that it stands in
	Waited                     // a taskwait
	Depended                   // a taskwait that waits by dependences alone
	GroupBegun                 // a taskgroup begins
	GroupEnded                 // and ends, and waits
	TaskForms                  // how many there are; the construct of this number is nothing
)

var formLanes = [...]int{Undeferred: 1, Dependent: 2, Piece: 1, TaskForms: 0}

// TaskLanes tells how many lanes each construct of the region of tasks has.
func TaskLanes(tasks int) []int {
	var lanes []int
	for range tasks {
		lanes = append(lanes, 1)
	}
	return append(lanes, formLanes[:]...)
}

// NameTasks names tasks, which stand in the order of the source: file.c:function/task2 is the
// second task of the functions of that name and file.
func NameTasks(tasks []Task) {
	n := map[string]int{}
	for i := range tasks {
		t := &tasks[i]
		r := Region{File: t.File, Line: t.Line}
		of := r.base() + ":" + t.Function
		n[of]++
		t.Name = fmt.Sprintf("%s/task%d", of, n[of])
	}
}

// Pipeline is a loop whose iterations pass through stages one after the other, each of which
// is a task of the program. An item is taken by a stage when the one before is done with it, and
// the buffer behind has room for it.
type Pipeline struct {
	Name     string // stable: file.c:function/pipeline1, the first of its function
	File     string
	Function string
	Line     int   // of the loop
	Depths   []int // items that lie between each stage and the next, at most
	Stages   []Stage
}

// Stage is a step of a pipeline.
type Stage struct {
	Task      int    // index into Program.Tasks
	Name      string // in the plan, or stage1
	Stateless bool   // it works on several items at a time
}

// StageOf returns which stage of which pipeline a task is, -1 where it is none.
func (p *Program) StageOf(task int) (pipeline, stage int) {
	for i := range p.Pipelines {
		for k := range p.Pipelines[i].Stages {
			if p.Pipelines[i].Stages[k].Task == task {
				return i, k
			}
		}
	}
	return -1, -1
}

// Waits lists for which elder tasks a stage waits, 1 for the one made last before it, where buffers hold as
// many items as depths say: for itself on the item before, for the stage before on this item, and until the stage
// behind is done with the item that lay in the same place of the buffer. Each item makes a task a stage.
func (x *Pipeline) Waits(stage int, depths []int) []uint64 {
	n := uint64(len(x.Stages))
	var out []uint64
	if stage > 0 {
		out = append(out, 1)
	}
	if !x.Stages[stage].Stateless {
		out = append(out, n)
	}
	if stage < len(depths) {
		out = append(out, uint64(depths[stage])*n-1)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// SamePipeline reports whether two tasks are stages of one pipeline.
func (p *Program) SamePipeline(a, b int) bool {
	of, _ := p.StageOf(a)
	with, _ := p.StageOf(b)
	return of >= 0 && of == with
}

// HasTasks reports whether the program makes tasks that are followed.
func (p *Program) HasTasks() bool { return len(p.Tasks) > 0 }
