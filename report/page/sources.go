package page

// This file chooses the source lines that the page carries.

import (
	"slices"
	"strings"

	"pathspan/report/document"
)

const (
	// wholeBytes is how much source text is carried whole; of more, only what lies near
	// lines that the page names.
	wholeBytes = 300 << 10
	// around is how many lines before and after a named line are carried then.
	around = 30
)

func newSources(d *document.Document) map[string][]sourceRun {
	all := map[string][]sourceRun{}
	bytes := 0
	for i := range d.Sources {
		bytes += len(d.Sources[i].Text)
	}
	var named map[string][]bool
	for i := range d.Sources {
		s := &d.Sources[i]
		if s.Text == "" {
			continue
		}
		lines := strings.Split(strings.TrimSuffix(s.Text, "\n"), "\n")
		for k := range lines {
			lines[k] = strings.TrimSuffix(lines[k], "\r")
		}
		if bytes <= wholeBytes {
			all[s.File] = []sourceRun{{First: 1, Lines: lines}}
			continue
		}
		if named == nil {
			named = namedLines(d)
		}
		if runs := runsOf(lines, named[s.File]); len(runs) > 0 {
			all[s.File] = runs
		}
	}
	return all
}

// runsOf cuts out what is near lines that are set.
func runsOf(lines []string, set []bool) []sourceRun {
	var runs []sourceRun
	end := 0 // of the last run
	for n := 1; n < len(set) && n <= len(lines); n++ {
		if !set[n] {
			continue
		}
		first, last := max(1, n-around), min(len(lines), n+around)
		if first > end {
			runs = append(runs, sourceRun{First: first})
		}
		r := &runs[len(runs)-1]
		first = max(first, end+1)
		if first <= last {
			r.Lines = append(r.Lines, lines[first-1:last]...)
			end = last
		}
	}
	return runs
}

// namedLines returns, by file, which lines the page names.
func namedLines(d *document.Document) map[string][]bool {
	all := map[string][]bool{}
	add := func(file string, first, last int) {
		if file == "" || first < 1 {
			return
		}
		last = min(max(last, first), first+2000)
		set := all[file]
		if len(set) <= last {
			set = append(set, make([]bool, last+1-len(set))...)
		}
		for n := first; n <= last; n++ {
			set[n] = true
		}
		all[file] = set
	}
	for i := range d.Graphs {
		for k := range d.Graphs[i].Levels {
			l := &d.Graphs[i].Levels[k]
			for _, t := range l.Tasks {
				add(t.File, t.Line, t.LastLine)
				for _, r := range t.Lines {
					add(r.File, r.First, r.Last)
				}
			}
		}
	}
	for i := range d.Paths {
		for _, r := range d.Paths[i].Lines {
			add(r.File, r.First, r.Last)
		}
	}
	for i := range d.Timelines {
		for _, b := range d.Timelines[i].Bars {
			add(b.File, b.Line, b.Line)
		}
	}
	for _, r := range d.Mapping.Regions {
		add(r.File, r.Line, r.Line)
		for _, s := range r.Sections {
			add(r.File, s.Line, s.Line)
		}
	}
	if d.Losses != nil {
		for _, l := range d.Losses.Losses {
			for _, item := range l.Items {
				if file, line, ok := place(item.Place); ok {
					add(file, line, line)
				}
			}
		}
	}
	return all
}

func hasSource(d *document.Document, file string) bool {
	return slices.ContainsFunc(d.Sources, func(s document.Source) bool { return s.File == file && s.Text != "" })
}
