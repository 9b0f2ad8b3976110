package pathprof

// This file holds the executions that a bundle keeps against those that its paths count.

import "pathspan/ir"

// Kept says how many executions of a sections construct a bundle keeps, and how many ran
// to their end by its paths. The two differ in a bundle that was merged with one of paths
// alone, where the program left functions without an end of their paths, and where regions
// are nested deeper than the run-time library follows.
type Kept struct {
	Region, Construct int
	Kept, Ran         uint64
}

// Ran returns how many executions of each sections construct ran to their end in the
// invocations of function fn, by region and construct: how often their last sections ended.
func (b *Bundle) Ran(fn int) [][]uint64 {
	ran := make([][]uint64, len(b.Program.Regions))
	for r := range ran {
		ran[r] = make([]uint64, len(b.Program.Regions[r].Constructs))
	}
	if b.Funcs[fn] == nil {
		return ran
	}
	blocks := b.Program.Funcs[fn].Blocks
	for block, n := range b.Funcs[fn].BlockCounts(len(blocks)) {
		m := blocks[block].Mark
		if m != nil && m.Kind == ir.SectionEnd && m.Section == len(b.Program.Regions[m.Region].Constructs[m.Construct].Sections)-1 {
			ran[m.Region][m.Construct] += n
		}
	}
	return ran
}

// Incomplete lists the constructs of which a bundle with executions does not keep exactly
// those that its paths count, in program order.
func (b *Bundle) Incomplete() []Kept {
	if len(b.Executions) == 0 {
		return nil
	}
	var all [][]Kept
	for r := range b.Program.Regions {
		all = append(all, make([]Kept, len(b.Program.Regions[r].Constructs)))
	}
	for fn := range b.Funcs {
		for r, constructs := range b.Ran(fn) {
			for c, n := range constructs {
				all[r][c].Ran += n
			}
		}
	}
	for i := range b.Executions {
		x := &b.Executions[i]
		for _, c := range x.Classes {
			all[x.Region][x.Construct].Kept += c.Count
		}
	}
	var out []Kept
	for r := range all {
		for c, k := range all[r] {
			if k.Kept != k.Ran {
				out = append(out, Kept{r, c, k.Kept, k.Ran})
			}
		}
	}
	return out
}
