package ir

// This file knows the functions that clang makes of directives, or for what runs before main,
// and names them by what they were made of: nobody has written them.

import (
	"fmt"
	"strings"
)

// Made reports whether the compiler made the function of a name: a task, copies of its variables,
// a reduction, what a team runs, initialisers of globals. No name of C or C++ holds a period.
func Made(linker string) bool {
	return strings.Contains(linker, ".omp") || strings.HasPrefix(linker, "__cxx_global_var_init") || strings.HasPrefix(linker, "_GLOBAL__")
}

// Shown is the name to show people: the linker's, or by what the compiler made the function of.
func (f *Func) Shown() string {
	if Made(f.Name) {
		return f.Source
	}
	return f.Name
}

// NameMade names functions that the compiler made, once regions and tasks are known: a task's
// by its task, others by the function of the source and the line of the directive.
func (p *Program) NameMade() {
	for fn, task := range p.TaskEntries() {
		p.Funcs[fn].Source = p.Tasks[task].Name
	}
	for _, f := range p.Funcs {
		if Made(f.Name) && f.Source == f.Name && f.Loc.Line > 0 {
			f.Source = p.around(f)
		}
	}
}

// around names a function that the compiler made by the one that holds its directive.
func (p *Program) around(f *Func) string {
	holder, _, _ := strings.Cut(f.Name, ".omp")
	if g := p.Func(holder); g != nil {
		holder = g.Source
	}
	for r := range p.Regions {
		if holder == "" && p.Regions[r].Line == f.Loc.Line {
			holder = p.Regions[r].Function
		}
	}
	for t := range p.Tasks {
		if holder == "" && p.Tasks[t].Line == f.Loc.Line {
			holder = p.Tasks[t].Function
		}
	}
	if holder == "" {
		return f.Source
	}
	return fmt.Sprintf("%s (line %d)", holder, f.Loc.Line)
}

// StageNames is what plans call the stages that functions are, by function.
func (p *Program) StageNames() map[int]string {
	names := map[int]string{}
	for fn, task := range p.TaskEntries() {
		if at, k := p.StageOf(task); at >= 0 {
			names[fn] = p.Pipelines[at].Stages[k].Name
		}
	}
	return names
}

// TaskEntries tells which tasks functions are, by function.
func (p *Program) TaskEntries() map[int]int {
	out := map[int]int{}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			if b.TaskMark == nil || b.TaskMark.Kind != TaskBegin {
				continue
			}
			for _, c := range b.Calls() {
				if c.Callee >= 0 {
					out[c.Callee] = b.TaskMark.Construct
					break
				}
			}
		}
	}
	return out
}
