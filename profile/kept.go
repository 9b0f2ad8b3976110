package profile

// This file holds the executions that a bundle keeps against those that its paths count.

import (
	"fmt"
	"strings"

	"pathspan/ir"
)

// Kept says how many executions of a sections construct a bundle keeps, and how many began
// by its paths. The two differ in a bundle that was merged with one of paths alone, where
// the program left functions without an end of their paths, and where regions are nested
// deeper than the run-time library follows.
type Kept struct {
	Region, Construct int
	Kept, Ran         uint64
}

// Begun calls visit with how many executions of constructs began in the invocations of
// function fn by its paths: how often their first sections did. A construct may come
// several times.
func (b *Bundle) Begun(fn int, visit func(region, construct int, n uint64)) {
	var counts []uint64
	blocks := b.Program.Funcs[fn].Blocks
	for block := range blocks {
		m := blocks[block].Mark
		if b.Funcs[fn] == nil || m == nil || m.Kind != ir.SectionBegin || m.Section != 0 || !b.known(m) {
			continue
		}
		if counts == nil {
			counts = b.Funcs[fn].BlockCounts(len(blocks))
		}
		visit(m.Region, m.Construct, counts[block])
	}
}

// known tells whether the construct of a mark exists; whoever follows the marks of a forged
// bundle says where it does not.
func (b *Bundle) known(m *ir.Mark) bool {
	regions := b.Program.Regions
	return m.Region >= 0 && m.Region < len(regions) && m.Construct >= 0 && m.Construct < len(regions[m.Region].Constructs)
}

// Incomplete lists the constructs of which a bundle with executions does not keep exactly
// those that its paths count, in program order.
func (b *Bundle) Incomplete() []Kept {
	if b.Executions == nil {
		return nil
	}
	var all [][]Kept
	for r := range b.Program.Regions {
		all = append(all, make([]Kept, len(b.Program.Regions[r].Constructs)))
	}
	for fn := range b.Funcs {
		b.Begun(fn, func(region, construct int, n uint64) { all[region][construct].Ran += n })
	}
	for i := range b.Executions.Entries {
		e := &b.Executions.Entries[i]
		if len(e.Lanes) == 0 || e.Region >= len(b.Program.Regions) { // the end of blocks of iterations; tasks; locks
			continue
		}
		all[e.Region][e.Construct].Kept += e.Count
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

// KeptNotes says, for people, which executions a bundle does not keep and what estimates
// make of it.
func (b *Bundle) KeptNotes() []string {
	var few, many []string
	for _, k := range b.Incomplete() {
		reg := &b.Program.Regions[k.Region]
		name := "region " + reg.Label()
		if len(reg.Constructs) > 1 {
			name += fmt.Sprintf(" (sections at line %d)", reg.Constructs[k.Construct].Line)
		}
		if k.Kept < k.Ran {
			few = append(few, fmt.Sprintf("%d of the %d of %s", k.Kept, k.Ran, name))
		} else {
			many = append(many, fmt.Sprintf("%d of %s, which has paths of %d", k.Kept, name, k.Ran))
		}
	}
	finest := finestGrid // those of locks may be coarser than they could be
	if b.Program.HasTasks() {
		finest = finerGrid
	}
	notes := b.Executions.coarsened(finest)
	if few != nil {
		notes = append(notes, fmt.Sprintf("the bundle keeps a part of the executions (it is merged with one of --paths-only, regions are nested too deep, or a signal ended the program in a region): %s; EB (execution by execution) takes the others to be like them, with the work that their paths tell", firstOf(few)))
	}
	if many != nil {
		notes = append(notes, fmt.Sprintf("the bundle keeps executions whose paths are lost (the program left functions without an end): %s; EB (execution by execution) counts those that have paths", firstOf(many)))
	}
	return notes
}

// coarsened says, for people, what of the executions was joined to keep them few.
func (x *Executions) coarsened(finest int) []string {
	if x == nil || x.Grid >= finest && x.Depth == 0 {
		return nil
	}
	how := ""
	switch {
	case x.Grid >= finest:
	case x.Grid > 1:
		how = fmt.Sprintf("works are told apart by %d steps to a factor of two, not %d", x.Grid, finest)
	case x.Grid == 1:
		how = fmt.Sprintf("works are told apart by factors of two, not %d steps to each", finest)
	default:
		how = "works are told apart by what was executed inside them alone"
	}
	if x.Depth > 0 {
		if how != "" {
			how += "; "
		}
		how += fmt.Sprintf("regions nested more than %d deep count as work of the section around them", x.Depth)
	}
	return []string{"executions went in more ways than are kept: " + how + "; sums and averages are exact"}
}

// firstOf joins the first of some texts.
func firstOf(texts []string) string {
	const shown = 3
	if n := len(texts) - shown; n > 0 {
		texts = append(texts[:shown:shown], fmt.Sprintf("%d more", n))
	}
	return strings.Join(texts, "; ")
}
