package openmp

// This file finds what a program does by the numbers of threads.

import "pathspan/ir/asm"

// byNumber says what is done with a call that asks for the number of a thread, or of all.
func byNumber(callee string) string {
	switch callee {
	case "omp_get_thread_num":
		return "the profiled program has one thread, of number 0: what it does by other numbers is not estimated"
	case "omp_get_num_threads":
		return "the profiled program has one thread: what another number would change is not estimated"
	}
	return ""
}

// numbers notes the calls of m that ask for numbers of threads, where they are OpenMP's.
func (n *notes) numbers(m *asm.Module) {
	for _, f := range m.Funcs() {
		if f.Name() == "main" {
			continue // around all regions, whose bodies are functions of their own
		}
		for in := range f.Instrs() {
			c := in.Call()
			if c == nil || byNumber(c.Callee) == "" || m.Func(c.Callee) != nil && len(m.Func(c.Callee).Blocks) > 0 {
				continue // or the program's own
			}
			var pos position
			pos.file, pos.line = lineOf(m, in)
			n.add(pos, c.Callee, byNumber(c.Callee))
		}
	}
}
