package ir

// This file knows the functions that clang makes of directives, or for what runs before main,
// and names them by what they were made of: nobody has written them.

import (
	"fmt"
	"slices"
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
// by its task, others by the function of the source and the line of the directive. So it names
// those that were inlined.
func (p *Program) NameMade() {
	entries := p.TaskEntries()
	for fn, task := range entries {
		p.Funcs[fn].Source = p.Tasks[task].Name
	}
	for _, f := range p.Funcs {
		if Made(f.Name) && f.Source == f.Name && f.Loc.Line > 0 {
			f.Source = p.around(f.Name, f.Loc)
		}
	}
	p.nameInlined(entries)
}

// nameInlined names what was inlined of functions that the compiler made. Those of tasks' bodies
// have no line of their own: they are what holds them, the task.
func (p *Program) nameInlined(entries map[int]int) {
	in := make([]*Func, len(p.Scopes)) // the task's function that holds what was inlined
	for fn := range entries {
		f := p.Funcs[fn]
		for _, b := range f.Blocks {
			for k := range b.Instrs {
				for s := b.Instrs[k].Scope; s > 0 && in[s-1] == nil; s = p.Scopes[s-1].Parent {
					in[s-1] = f
				}
			}
		}
	}
	made := make([]bool, len(p.Scopes))
	for i := range p.Scopes { // those around lie before
		s := &p.Scopes[i]
		if made[i] = Made(s.Name); !made[i] {
			continue
		}
		task := slices.IndexFunc(p.Tasks, func(t Task) bool { return t.Line == s.Loc.Line && p.sameFile(t.File, s.Loc) })
		switch {
		case strings.HasPrefix(s.Name, ".omp_task_entry") && task >= 0:
			s.Name = p.Tasks[task].Name
		case s.Loc.Line > 0:
			s.Name = p.around(s.Name, s.Loc)
		case s.Parent > 0 && made[s.Parent-1]:
			s.Name, s.Loc = p.Scopes[s.Parent-1].Name, p.Scopes[s.Parent-1].Loc
		case in[i] != nil:
			s.Name, s.Loc = in[i].Source, in[i].Loc
		}
	}
}

func (p *Program) sameFile(file string, at Loc) bool {
	return at.File >= 0 && at.File < len(p.Files) && p.Files[at.File] == file
}

// around names a function that the compiler made by the one that holds its directive.
func (p *Program) around(name string, at Loc) string {
	holder, _, _ := strings.Cut(name, ".omp")
	if g := p.Func(holder); g != nil {
		holder = g.Source
	}
	for r := range p.Regions {
		if holder == "" && p.Regions[r].Line == at.Line {
			holder = p.Regions[r].Function
		}
	}
	for t := range p.Tasks {
		if holder == "" && p.Tasks[t].Line == at.Line {
			holder = p.Tasks[t].Function
		}
	}
	if holder == "" {
		return name
	}
	return fmt.Sprintf("%s (line %d)", holder, at.Line)
}

// ByDirective reports whether a function is named by its directive, as NameMade does: the
// sources have none of this name.
func ByDirective(source string) bool {
	return strings.Contains(source, " (line ") || strings.Contains(source, "/task")
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
