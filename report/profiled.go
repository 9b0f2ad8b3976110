package report

// This file tells what a profiling run counted.

import (
	"fmt"
	"io"
	"slices"

	"pathspan/ir"
	"pathspan/profile"
)

// Profile says what a bundle counted.
type Profile struct {
	Schema    string       `json:"schema" is:"pathspan.profile/1"`
	Bundle    string       `json:"bundle"`        // the file that was written
	Ran       int          `json:"functions_ran"` // of those that someone has written
	Functions int          `json:"functions"`
	Inlined   int          `json:"functions_inlined"` // further ones, whose code is in those
	Loops     int          `json:"loops"`             // of functions that ran
	Paths     int          `json:"paths"`             // different ones
	Taken     uint64       `json:"paths_taken"`
	Runs      []InspectRun `json:"runs"`
	Notes     []string     `json:"notes"`
}

// NewProfile sums up a bundle that was written to a file.
func NewProfile(b *profile.Bundle, file string) *Profile {
	p := &Profile{Bundle: file, Inlined: len(b.Program.Inlined), Notes: slices.Concat(b.Notes, gaps(b))}
	for i, f := range b.Funcs {
		made := ir.Made(b.Program.Funcs[i].Name)
		if !made {
			p.Functions++
		}
		if f == nil {
			continue
		}
		if !made {
			p.Ran++
		}
		p.Loops += len(f.Levels) - 1
		for i := range f.Levels {
			p.Paths += len(f.Levels[i].Paths)
			for j := range f.Levels[i].Paths {
				p.Taken += f.Levels[i].Paths[j].Count
			}
		}
	}
	for _, r := range b.Provenance.Runs {
		p.Runs = append(p.Runs, inspectRun(r))
	}
	return p
}

// Profiled prints a summary of a bundle that was just written, and its notes.
func Profiled(w io.Writer, b *profile.Bundle, file string) {
	p := NewProfile(b, file)
	if err := b.CheckEnded(); err != nil {
		p.Notes = append(p.Notes, err.Error())
	}
	for _, n := range p.Notes {
		fmt.Fprintf(w, "pathspan: note: %s\n", n)
	}
	inlined := ""
	if p.Inlined > 0 {
		inlined = Count(p.Inlined, "inlined function") + " and "
	}
	fmt.Fprintf(w, "pathspan: %s of %s ran, with %s%s; %s, taken %s; wrote %s\n",
		number(p.Ran), Count(p.Functions, "function"), inlined, Count(p.Loops, "loop"), Count(p.Paths, "different path"), Times(p.Taken), file)
}
