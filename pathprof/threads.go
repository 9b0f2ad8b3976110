package pathprof

// This file finds the threads that a program starts itself: they run beside each other
// without a task graph that knows them.

import (
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
)

// threadStart names what a call of a function starts a thread with, of POSIX, C11, or the
// C++ library; "" for other functions.
func threadStart(name string) string {
	switch {
	case name == "pthread_create" || name == "thrd_create" || name == "clone":
		return name
	case strings.HasPrefix(name, "_ZNSt6thread15_M_start_thread"), strings.HasPrefix(name, "_ZNSt3__1") && strings.Contains(name, "thread"):
		return "thread of the C++ library"
	}
	return ""
}

// StartsThreads reports whether the program refers to a function that starts a thread.
func StartsThreads(p *ir.Program) bool {
	return refersTo(p, func(name string) bool { return threadStart(name) != "" })
}

// ThreadNotes names the places where a program starts threads, as the notes of constructs
// that are not modelled do: a line each, in the user's sources.
func ThreadNotes(p *ir.Program) []string {
	var notes []string
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				if in.Call == nil || threadStart(in.Call.Name) == "" {
					continue
				}
				for _, place := range userPlaces(p, f, in) {
					notes = append(notes, ir.Unmodelled{Place: place, Construct: threadStart(in.Call.Name), Done: "starts a thread of the program's own: " + ir.CountedOutside}.String())
				}
			}
		}
	}
	slices.Sort(notes)
	return slices.Compact(notes)
}

// userPlaces returns where the user's code has an instruction, or calls the function of a
// header that has it.
func userPlaces(p *ir.Program, f *ir.Func, in *ir.Instr) []string {
	var out []string
	seen := map[int]bool{}
	var climb func(f *ir.Func, in *ir.Instr)
	climb = func(f *ir.Func, in *ir.Instr) {
		l := p.UserLoc(f, in)
		if l.File >= 0 && !ir.Foreign(p.Files[l.File]) {
			out = append(out, fmt.Sprintf("%s:%d", p.Files[l.File], l.Line))
			return
		}
		if seen[f.Index] {
			return
		}
		seen[f.Index] = true
		for _, g := range p.Funcs {
			for _, b := range g.Blocks {
				for i := range b.Instrs {
					if c := b.Instrs[i].Call; c != nil && c.Name == f.Name {
						climb(g, &b.Instrs[i])
					}
				}
			}
		}
	}
	climb(f, in)
	if out == nil {
		return []string{"?"}
	}
	return out
}
