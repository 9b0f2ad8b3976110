package ir

import "testing"

// TestNameMade: functions that clang made go by tasks, or by the function of their directive.
func TestNameMade(t *testing.T) {
	mark := func(construct, callee int) []*Block {
		call := Instr{Op: "call", Call: &Call{Callee: callee}}
		return []*Block{{TaskMark: &Mark{Kind: TaskBegin, Construct: construct}, Instrs: []Instr{call, {Op: "ret"}}}}
	}
	p := &Program{
		Regions: []Region{{Function: "sort", Line: 7}},
		Tasks:   []Task{{File: "a.c", Function: "fib", Line: 5, Name: "a.c:fib/task1"}},
	}
	want := []string{"fib", "a.c:fib/task1", "fib (line 5)", "_Z4workv", "work (line 9)", "sort (line 7)", ".omp_reduction", "__cxx_global_var_init"}
	for i, f := range []Func{
		{Name: "fib", Loc: Loc{Line: 3}, Blocks: mark(0, 1)},
		{Name: ".omp_task_entry..4", Loc: Loc{Line: 5}},
		{Name: ".omp_task_privates_map.", Loc: Loc{Line: 5}},
		{Name: "_Z4workv", Source: "work", Loc: Loc{Line: 8}},
		{Name: "_Z4workv.omp_outlined", Loc: Loc{Line: 9}},
		{Name: ".omp_outlined.", Loc: Loc{Line: 7}},
		{Name: ".omp_reduction", Loc: Loc{Line: 70}},
		{Name: "__cxx_global_var_init"},
	} {
		if f.Index = i; f.Source == "" {
			f.Source = f.Name
		}
		p.Funcs = append(p.Funcs, &f)
	}
	p.Files = []string{"a.c"}
	// What was inlined: a task's body, in its function and where the task was inlined with it; a region's.
	p.Scopes = []Scope{
		{Name: ".omp_outlined..3", Loc: Loc{File: 0}},
		{Name: ".omp_task_entry..4", Loc: Loc{File: 0, Line: 5}},
		{Name: ".omp_outlined..3", Loc: Loc{File: 0}, Parent: 2},
		{Name: "_Z4workv.omp_outlined", Loc: Loc{Line: 9}},
		{Name: "work", Loc: Loc{Line: 8}},
	}
	p.Funcs[1].Blocks = []*Block{{Instrs: []Instr{{Op: "load", Scope: 1}}}}
	p.NameMade()
	for i, want := range []string{"a.c:fib/task1", "a.c:fib/task1", "a.c:fib/task1", "work (line 9)", "work"} {
		if s := p.Scopes[i]; s.Name != want || ByDirective(s.Name) != (i < 4) {
			t.Errorf("inlined %d: %q, want %q", i, s.Name, want)
		}
	}
	if s := p.Scopes[0]; s.Loc.Line != 5 {
		t.Errorf("the task's body is at line %d, want 5", s.Loc.Line)
	}
	for i, f := range p.Funcs {
		if got := f.Shown(); got != want[i] {
			t.Errorf("%s: %q, want %q", f.Name, got, want[i])
		}
		if made := i != 0 && i != 3; Made(f.Name) != made {
			t.Errorf("%s: made by the compiler: %v", f.Name, !made)
		}
	}
}
