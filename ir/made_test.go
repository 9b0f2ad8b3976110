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
	p.NameMade()
	for i, f := range p.Funcs {
		if got := f.Shown(); got != want[i] {
			t.Errorf("%s: %q, want %q", f.Name, got, want[i])
		}
		if made := i != 0 && i != 3; Made(f.Name) != made {
			t.Errorf("%s: made by the compiler: %v", f.Name, !made)
		}
	}
}
