package plan

// This file tells which tasks of a compiled program are the stages of which pipeline, and
// names them. Marked text moves columns and no lines, so that a stage is the task on its line or, of
// several there, the one whose mark is as far to the left. Each instance of a template has a task
// for it, in one order for all stages.

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/ir"
)

// Pipelines returns the pipelines of a program whose tasks stand in the order of the source,
// and gives these the names of stages: app.c:main/shape. Marked is what [Marking.Marked] says.
func (p *Plan) Pipelines(marked []Marked, tasks []ir.Task) []ir.Pipeline {
	var out []ir.Pipeline
	number := map[string]int{}
	for i := range p.Entries {
		e := &p.Entries[i]
		if e.kind.form != stagesForm {
			continue
		}
		at := slices.IndexFunc(marked, func(m Marked) bool { return m.Entry == i && m.Stage == 0 })
		if at < 0 {
			continue
		}
		loop, stages := &marked[at], make([][]int, e.Clauses.parts) // tasks, by stage and instance
		for k := range stages {
			at := slices.IndexFunc(marked, func(m Marked) bool { return m.Entry == i && m.Stage == k+1 })
			if at >= 0 {
				stages[k] = tasksAt(&marked[at], marked, tasks)
			}
		}
		instances := len(stages[0])
		if slices.ContainsFunc(stages, func(s []int) bool { return len(s) != instances }) {
			continue // it is not compiled whole
		}
		for n := range instances {
			first := &tasks[stages[0][n]]
			of := first.Name[:strings.LastIndexByte(first.Name, '/')]
			number[of]++
			x := ir.Pipeline{Name: fmt.Sprintf("%s/pipeline%d", of, number[of]), File: first.File, Function: first.Function, Line: loop.Line, Depths: e.Clauses.depths}
			for k := range stages {
				x.Stages = append(x.Stages, ir.Stage{Task: stages[k][n], Name: e.stageName(k), Stateless: slices.Contains(e.Clauses.stateless, k+1)})
			}
			out = append(out, x)
		}
	}
	for i := range out {
		for _, s := range out[i].Stages {
			rename(tasks, s.Task, s.Name)
		}
	}
	return out
}

// HasPipelines reports whether the plan has some.
func (p *Plan) HasPipelines() bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.kind.form == stagesForm })
}

// HasTasks reports whether the plan makes statements tasks that are no stages.
func (p *Plan) HasTasks() bool {
	return slices.ContainsFunc(p.Entries, func(e Entry) bool { return e.kind == kindOf("task") })
}

// stageName is what the plan calls a stage: by its name, by the function that it calls, or by
// its number.
func (e *Entry) stageName(stage int) string {
	switch {
	case e.Clauses.stages != nil:
		return e.Clauses.stages[stage]
	case e.Caller != nil:
		return e.Calls[stage]
	}
	return fmt.Sprintf("stage%d", stage+1)
}

// rename gives a task the name of a stage, behind which #n tells the n-th of a function.
func rename(tasks []ir.Task, task int, stage string) {
	name := tasks[task].Name
	name = name[:strings.LastIndexByte(name, '/')+1] + stage
	unique := name
	for n := 2; slices.ContainsFunc(tasks, func(t ir.Task) bool { return t.Name == unique }); n++ {
		unique = fmt.Sprintf("%s#%d", name, n)
	}
	tasks[task].Name = unique
}

// tasksAt lists the tasks that a mark of a plan became.
func tasksAt(m *Marked, marked []Marked, tasks []ir.Task) []int {
	same := func(file string, line int) bool {
		return line == m.Line && filepath.Base(file) == filepath.Base(m.File)
	}
	var marks, columns []int
	for i := range marked {
		if o := &marked[i]; o.Column > 0 && same(o.File, o.Line) && !slices.Contains(marks, o.Column) {
			marks = append(marks, o.Column)
		}
	}
	var at []int
	for i := range tasks {
		if t := &tasks[i]; same(t.File, t.Line) {
			at = append(at, i)
			if !slices.Contains(columns, t.Col) {
				columns = append(columns, t.Col)
			}
		}
	}
	slices.SortFunc(marks, cmp.Compare[int])
	slices.SortFunc(columns, cmp.Compare[int])
	if len(marks) != len(columns) {
		return nil
	}
	column := columns[slices.Index(marks, m.Column)]
	return slices.DeleteFunc(at, func(i int) bool { return tasks[i].Col != column })
}
