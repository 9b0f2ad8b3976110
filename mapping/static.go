package mapping

// This file places sections as OpenMP's static schedule does.

import (
	"slices"

	"pathspan/ir"
)

// StaticThread returns the thread, of a team of threads, that runs section s of n, all
// counted from 0.
//
// Clang lowers a sections construct to a loop over section numbers with the
// unchunked static schedule. libomp splits such a loop evenly with the larger
// shares first (kmp_sched.cpp, __kmp_for_static_init, the balanced method):
// with fewer sections than threads each has a thread of its own; otherwise a
// thread takes n/threads consecutive sections, the first n%threads one more.
// kmp_global.cpp initialises the method to "greedy", equal ceilings, but what
// runs is "balanced": testdata/libomp14.txt is a record of what threads did.
func StaticThread(s, n, threads int) int {
	small, extras := n/threads, n%threads
	if big := (small + 1) * extras; s >= big {
		return extras + (s-big)/small
	}
	return s / (small + 1)
}

// DefaultName names the mapping that Default returns: by its schedule where that is static all
// over, and else by what the program says of its loops and tasks.
func DefaultName(prog *ir.Program) string {
	if prog.HasTasks() {
		return asWritten
	}
	for r := range prog.Regions {
		for c := range prog.Regions[r].Constructs {
			if l := prog.Regions[r].Constructs[c].Loop; l != nil && l.Schedule != ir.Static {
				return asWritten
			}
		}
	}
	return "OpenMP static"
}

const asWritten = "OpenMP as written"

// Default returns the mapping that OpenMP's static schedule gives on the platform.
// A region runs on as many threads as there are processors, or as its num_threads
// clause says if those are fewer. Thread 0 is the processor that meets the region,
// which is the first; thread t is the t-th after it. A region inside a region is
// placed in the same way, though most OpenMP runtimes would run it on one thread.
func Default(pl *Platform, prog *ir.Program) *Resolved {
	return DefaultFrom(pl, 0, prog)
}

// DefaultFrom is Default where another processor runs what is outside sections: it is
// thread 0, and the first processor follows the last.
func DefaultFrom(pl *Platform, serial int, prog *ir.Program) *Resolved {
	r := &Resolved{Platform: pl, Serial: serial, Regions: make([]RegionMap, len(prog.Regions))}
	for i := range prog.Regions {
		r.Regions[i] = staticRegion(len(pl.Processors), serial, &prog.Regions[i])
		if prog.HasTasks() {
			r.Regions[i].Team = teamOf(len(pl.Processors), serial, &prog.Regions[i])
		}
	}
	return r
}

func staticRegion(processors, serial int, reg *ir.Region) RegionMap {
	threads := threadsOf(processors, reg)
	rm := RegionMap{Proc: make([][]int, len(reg.Constructs)), Order: make([][]int, len(reg.Constructs))}
	if len(loopsOf(reg)) > 0 {
		rm.Loops = make([]*LoopMap, len(reg.Constructs))
	}
	for c := range reg.Constructs {
		n := len(reg.Constructs[c].Sections)
		rm.Proc[c], rm.Order[c] = make([]int, n), make([]int, n)
		for s := range n {
			rm.Order[c][s] = s
		}
		if l := reg.Constructs[c].Loop; l != nil {
			team := min(n, threads)
			rm.Loops[c] = ClauseOf(l)
			rm.Loops[c].Threads = team
			for t := range n {
				rm.Proc[c][t] = (serial + min(t, team-1)) % processors
			}
			continue
		}
		for s := range n {
			rm.Proc[c][s] = (serial + StaticThread(s, n, threads)) % processors
		}
	}
	return rm
}

// OnOne returns the mapping that leaves everything to one processor.
func OnOne(pl *Platform, processor int, prog *ir.Program) *Resolved {
	r := DefaultFrom(pl, processor, prog)
	for i := range r.Regions {
		if r.Regions[i].Team != nil {
			r.Regions[i].Team = []int{processor}
		}
		for _, proc := range r.Regions[i].Proc {
			for s := range proc {
				proc[s] = processor
			}
		}
	}
	return r
}

// OnlyRegion returns the mapping with all regions but one, or none if it is -1, on the serial
// processor.
func (r *Resolved) OnlyRegion(region int) *Resolved {
	out := *r
	out.Regions = slices.Clone(r.Regions)
	for i := range out.Regions {
		if i == region {
			continue
		}
		if out.Regions[i].Team != nil {
			out.Regions[i].Team = []int{r.Serial}
		}
		out.Regions[i].Proc = slices.Clone(r.Regions[i].Proc)
		for c := range out.Regions[i].Proc {
			out.Regions[i].Proc[c] = slices.Repeat([]int{r.Serial}, len(r.Regions[i].Proc[c]))
		}
	}
	return &out
}
