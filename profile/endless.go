package profile

// This file tells a run that was stopped where it would not have gone on.

import (
	"fmt"
	"syscall"

	"pathspan/ir"
)

// CheckEnded returns an error where a signal stopped a run inside a section that no
// execution of the profile completed: the section may have waited for another, for as long
// as it was let, and what was counted of it is no result.
func (b *Bundle) CheckEnded() error {
	for i := range b.Provenance.Runs {
		r := &b.Provenance.Runs[i]
		if r.Signal != 0 && r.Inside != nil && !b.completed(r.Inside) {
			return fmt.Errorf("a run was stopped by signal %d (%s) inside %s, which never ended, so there is nothing to estimate; sections run one after another while profiled: one that waits for another must not, and a long one must be let end",
				r.Signal, syscall.Signal(r.Signal), b.Program.SectionString(r.Inside))
		}
	}
	return nil
}

// completed reports whether some execution of a section came to its end.
func (b *Bundle) completed(section *ir.Mark) bool {
	end := ir.Mark{Kind: ir.SectionEnd, Region: section.Region, Construct: section.Construct, Section: section.Section}
	for i, f := range b.Funcs {
		if f == nil {
			continue
		}
		fn := b.Program.Funcs[i]
		for block, n := range f.BlockCounts(len(fn.Blocks)) {
			if m := fn.Blocks[block].Mark; m != nil && n > 0 && *m == end {
				return true
			}
		}
	}
	return false
}
