package report

// This file says which code of a program was not profiled.

import (
	"fmt"

	"pathspan/pathprof"
)

// UnprofiledNotes names what the program is linked with that was not profiled, its share
// of the program's code, and how often profiled code called it.
func UnprofiledNotes(b *pathprof.Bundle) []string {
	var notes []string
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
