package report

// This file tells what a profiling run counted.

import (
	"fmt"
	"io"

	"pathspan/pathprof"
)

// Profiled prints a summary of a bundle that was just written, and its notes.
func Profiled(w io.Writer, b *pathprof.Bundle, file string) {
	ran, loops, paths := 0, 0, 0
	var counted uint64
	for _, f := range b.Funcs {
		if f == nil {
			continue
		}
		ran++
		loops += len(f.Levels) - 1
		for i := range f.Levels {
			paths += len(f.Levels[i].Paths)
			for j := range f.Levels[i].Paths {
				counted += f.Levels[i].Paths[j].Count
			}
		}
	}
	for _, n := range b.Notes {
		fmt.Fprintf(w, "pathspan: note: %s\n", n)
	}
	fmt.Fprintf(w, "pathspan: %s of %s ran, with %s; %s, taken %s; wrote %s\n",
		number(ran), count(len(b.Funcs), "function"), count(loops, "loop"), count(paths, "different path"), times(counted), file)
}

// count renders a number with its noun, plural as needed.
func count(n int, noun string) string { return countBig(uint64(n), noun) }

func countBig(n uint64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return group(n) + " " + noun + "s"
}

// times renders how often something happened.
func times(n uint64) string {
	if n == 1 {
		return "once"
	}
	return group(n) + " times"
}

func number(n int) string { return group(uint64(n)) }

// group renders a number with thousands separated.
func group(n uint64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
