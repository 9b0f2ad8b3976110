package page

// This file says which source lines a path runs.

import (
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

// pathLines tells the lines of a path, and which of them not all paths of its level run.
type pathLines struct{ All, Own stretches }

func linesOf(d *document.Document, p document.Path) pathLines {
	file := mainFile(p)
	common := lineSet(p, file)
	for _, other := range d.Paths {
		if other.Function == p.Function && other.Level == p.Level {
			theirs := lineSet(other, file)
			for n := range common {
				if !theirs[n] {
					delete(common, n)
				}
			}
		}
	}
	all := lineSet(p, file)
	x := pathLines{All: stretches{File: file, Text: stretchText(all), Show: hasSource(d, file)}, Own: stretches{File: file}}
	for n := range common {
		delete(all, n)
	}
	x.Own.Text = stretchText(all)
	return x
}

// mainFile returns the file of most of a path's stretches, the first of equals.
func mainFile(p document.Path) string {
	count := map[string]int{}
	best := ""
	for _, r := range p.Lines {
		if count[r.File]++; best == "" || count[r.File] > count[best] {
			best = r.File
		}
	}
	return best
}

func lineSet(p document.Path, file string) map[int]bool {
	set := map[int]bool{}
	for _, r := range p.Lines {
		if r.File == file {
			for n := r.First; n <= max(r.First, r.Last); n++ {
				set[n] = true
			}
		}
	}
	return set
}

func stretchText(set map[int]bool) string {
	var lines []int
	for n := range set {
		lines = append(lines, n)
	}
	slices.Sort(lines)
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
