package mapping

// This file declares the resolved mapping and its checker.

import (
	"fmt"

	"pathspan/ir"
)

// Resolved is a mapping and schedule in indices of one platform and one program.
type Resolved struct {
	Platform *Platform
	Serial   int         // processor of everything outside sections
	Regions  []RegionMap // by region index
	// Tasks lists, by task of the program, the processors that may execute it; nil, as all of
	// it may be, where any processor of the team may.
	Tasks [][]int
	// Depths lists, by pipeline of the program, how many items each of its buffers holds; nil, as all
	// of it may be, where that is as the plan says.
	Depths [][]int
	// Defaulted names the sections that a mapping file leaves out and that went
	// where OpenMP's static schedule puts them, in program order. It is empty
	// when there is no mapping file: then the default is what was asked for.
	Defaulted []string
}

// RegionMap is the mapping and schedule of one region.
type RegionMap struct {
	Explicit bool // the mapping file names the region
	// Team lists the processors whose threads execute the tasks that the region makes, the one
	// that meets it first. It is nil where the program makes none.
	Team []int
	// Proc[construct][section] is the processor that runs the section.
	Proc [][]int
	// Order[construct] is a permutation of the construct's sections: those that
	// share a processor run in this order.
	Order [][]int
	// Loops[construct] says how a worksharing loop shares its iterations among its threads,
	// which are its sections; nil for sections. It is nil for a region without loops.
	Loops []*LoopMap
}

// Loop returns how a construct shares its iterations, nil for sections.
func (rm *RegionMap) Loop(construct int) *LoopMap {
	if rm.Loops == nil {
		return nil
	}
	return rm.Loops[construct]
}

// Check reports the first way in which the mapping does not fit its platform and
// the program. Resolve and Default always return mappings that pass.
func (r *Resolved) Check(prog *ir.Program) error {
	n := len(r.Platform.Processors)
	if r.Tasks != nil && len(r.Tasks) != len(prog.Tasks) {
		return fmt.Errorf("mapping: %d tasks for a program of %d", len(r.Tasks), len(prog.Tasks))
	}
	for t, on := range r.Tasks {
		for _, p := range on {
			if p < 0 || p >= n {
				return fmt.Errorf("mapping: task %s on processor %d of %d", prog.Tasks[t].Name, p, n)
			}
		}
	}
	if err := r.checkDepths(prog); err != nil {
		return err
	}
	if r.Serial < 0 || r.Serial >= n {
		return fmt.Errorf("mapping: serial processor %d of %d", r.Serial, n)
	}
	if len(r.Regions) != len(prog.Regions) {
		return fmt.Errorf("mapping: %d regions for a program of %d", len(r.Regions), len(prog.Regions))
	}
	for i := range prog.Regions {
		reg, rm := &prog.Regions[i], &r.Regions[i]
		if len(rm.Proc) != len(reg.Constructs) || len(rm.Order) != len(reg.Constructs) {
			return fmt.Errorf("mapping: region %s: %d constructs mapped, %d ordered, of %d", reg.Name, len(rm.Proc), len(rm.Order), len(reg.Constructs))
		}
		for _, p := range rm.Team {
			if p < 0 || p >= n {
				return fmt.Errorf("mapping: region %s: tasks on processor %d of %d", reg.Name, p, n)
			}
		}
		for c := range reg.Constructs {
			if err := checkConstruct(rm.Proc[c], rm.Order[c], len(reg.Constructs[c].Sections), n); err != nil {
				return fmt.Errorf("mapping: region %s: construct %d: %w", reg.Name, c, err)
			}
			l := reg.Constructs[c].Loop
			if l == nil {
				continue
			}
			if len(rm.Loops) != len(reg.Constructs) || rm.Loops[c] == nil || rm.Loops[c].Threads < 1 || rm.Loops[c].Threads > len(reg.Constructs[c].Sections) {
				return fmt.Errorf("mapping: region %s: construct %d: the threads of a loop are not said", reg.Name, c)
			}
		}
	}
	return nil
}

func checkConstruct(proc, order []int, sections, processors int) error {
	if len(proc) != sections || len(order) != sections {
		return fmt.Errorf("%d sections mapped, %d ordered, of %d", len(proc), len(order), sections)
	}
	seen := make([]bool, sections)
	for s := range sections {
		if proc[s] < 0 || proc[s] >= processors {
			return fmt.Errorf("section %d on processor %d of %d", s, proc[s], processors)
		}
		if o := order[s]; o < 0 || o >= sections || seen[o] {
			return fmt.Errorf("order %v is no permutation of %d sections", order, sections)
		}
		seen[order[s]] = true
	}
	return nil
}
