package report

// This file says what a profile leaves out. Every command says it whose figures rest on
// the profile.

import (
	"cmp"
	"fmt"
	"slices"

	"pathspan/pathprof"
)

// Omissions tells which activations are missing in the counts, which executions are not
// kept, and what the program is linked with that was not profiled: its share of the
// program's code, and how often profiled code called it.
func Omissions(b *pathprof.Bundle) []string {
	notes := append(b.KeptNotes(), lostNotes(b)...)
	for i := range b.Provenance.Foreign {
		f := &b.Provenance.Foreign[i]
		note := fmt.Sprintf("not profiled: %s, %s of code", f.Name, count(int(f.Bytes), "byte"))
		if f.Of > 0 {
			note += fmt.Sprintf(" (%s of the program's)", percent(float64(f.Bytes)/float64(f.Of)))
		}
		if n := b.ForeignCalls(f); n > 0 {
			note += ", called " + times(n) + " by what was"
		}
		if f.Why != "" {
			note += "; " + f.Why
		}
		notes = append(notes, note)
	}
	return notes
}

// lostNotes names the functions of which the counts miss activations, those with most first.
func lostNotes(b *pathprof.Bundle) []string {
	const most = 3
	lost := slices.Clone(b.Lost)
	slices.SortStableFunc(lost, func(x, y pathprof.Lost) int { return cmp.Compare(y.Activations, x.Activations) })
	var notes []string
	for i, l := range lost {
		if i == most {
			var n uint64
			for _, more := range lost[i:] {
				n += more.Activations
			}
			notes = append(notes, fmt.Sprintf("so are %s of %s more", countBig(n, "activation"), count(len(lost)-i, "function")))
			break
		}
		f := b.Program.Funcs[l.Func]
		notes = append(notes, fmt.Sprintf("%s of %s (%s) are missing in the counts: the program ended in a signal or while other threads ran, or control left them where no record could be kept",
			countBig(l.Activations, "activation"), demangled(f.Name), b.Program.LocString(f.Loc)))
	}
	return notes
}
