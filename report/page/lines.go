package page

// This file says which source lines a path or a task runs.

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"pathspan/report/document"
)

// stretches is a set of lines of a file, written 3-5, 8.
type stretches struct {
	File, Text string
	Show       bool // the text is in the document
}

// linesOf returns the lines of a path in the file that most of it is in.
func linesOf(d *document.Document, p document.Path) stretches {
	file := mainFile(p.Lines)
	return stretches{File: file, Text: stretchText(p.Lines, file), Show: hasSource(d, file)}
}

// mainFile returns the file of most stretches, the first of equals.
func mainFile(lines []document.LineRange) string {
	count := map[string]int{}
	best := ""
	for _, r := range lines {
		if count[r.File]++; best == "" || count[r.File] > count[best] {
			best = r.File
		}
	}
	return best
}

// stretchText writes the lines that lie in a file as 3-5, 8.
func stretchText(ranges []document.LineRange, file string) string {
	set := map[int]bool{}
	for _, r := range ranges {
		if r.File == file {
			for n := r.First; n <= max(r.First, r.Last); n++ {
				set[n] = true
			}
		}
	}
	lines := slices.Sorted(maps.Keys(set))
	var all []string
	for i := 0; i < len(lines); {
		k := i
		for k+1 < len(lines) && lines[k+1] == lines[k]+1 {
			k++
		}
		text := strconv.Itoa(lines[i])
		if k > i {
			text += "-" + strconv.Itoa(lines[k])
		}
		all = append(all, text)
		i = k + 1
	}
	return strings.Join(all, ", ")
}
