package procmodels

// This file reads line tables: cycles by source file and line.

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"

	"pathspan/yamlstrict"
)

const linesSchema = "pathspan.linetable/1"

// lineTable is a line table as read.
type lineTable struct {
	file     string // of the table, for warnings
	desc     Description
	entries  []lineEntry // in the order of the file
	other    float64     // cycles of a line without an entry
	fallback *weightTable
}

// lineEntry is what one source line costs each time it is executed.
type lineEntry struct {
	file     string // matched as a path suffix
	line     int
	cycles   float64
	included bool // what the line calls is in cycles
	at       int  // line of the entry in the table
}

// readLines reads a line table:
//
//	schema: pathspan.linetable/1
//	name: measured
//	default: 0            # cycles of a line without an entry, or instead
//	fallback: generic     # a weight table that prices such lines
//	lines:
//	  - {file: fun0.c, line: 12, cycles: 1}
//	  - {file: fun0.c, line: 15, cycles: 2050, calls: included}
func readLines(r *yamlstrict.Reader) *lineTable {
	top := r.Root().Fields("schema", "name", "source", "notes", "clock_mhz", "default", "fallback", "lines")
	top.Schema(linesSchema, true)
	t := &lineTable{desc: readDescription(top, KindLines, linesSchema), file: r.Root().Pos().File}
	t.desc.Unit = "cycle of the processor as the table counts them, for one execution of a line's statement"
	t.other = cycles(top.Get("default"))
	if v := top.Get("fallback"); v.Has() {
		t.fallback = readFallback(v)
		if top.Get("default").Has() {
			v.Fail("fallback and default both price lines without an entry: keep one")
		}
	}
	type place struct {
		file string
		line int
	}
	seen := map[place]int{}
	for _, v := range top.Need("lines").List() {
		e := readLineEntry(v)
		if first, dup := seen[place{e.file, e.line}]; dup {
			v.Fail("%s:%d has two entries: the first on line %d", e.file, e.line, first)
		}
		seen[place{e.file, e.line}] = e.at
		t.entries = append(t.entries, e)
	}
	return t
}

// readFallback opens a built-in weight table; others would make one file depend on
// the place of another.
func readFallback(v yamlstrict.Value) *weightTable {
	name := v.Word(names...)
	if name == "" {
		return nil
	}
	m, err := Open(name, "")
	if err != nil {
		v.Fail("%v", err)
		return nil
	}
	w, ok := m.(*weightTable)
	if !ok {
		v.Fail("model %s is no weight table", name)
	}
	return w
}

func readLineEntry(v yamlstrict.Value) lineEntry {
	f := v.Fields("file", "line", "cycles", "calls")
	e := lineEntry{at: v.Pos().Line}
	e.file = path.Clean(strings.ReplaceAll(f.Need("file").Text(), `\`, "/"))
	e.line = f.Need("line").Int(1, math.MaxInt32)
	e.cycles = cycles(f.Need("cycles"))
	e.included = f.Get("calls").Word("included", "excluded") == "included"
	return e
}

// lineFinder finds the entry of a source line: of several that match, the one with
// the longest file name.
type lineFinder struct {
	byLine map[int][]int // entries by line, longest file name first
	t      *lineTable
}

func newLineFinder(t *lineTable) *lineFinder {
	f := &lineFinder{map[int][]int{}, t}
	for i := range t.entries {
		f.byLine[t.entries[i].line] = append(f.byLine[t.entries[i].line], i)
	}
	for _, at := range f.byLine {
		slices.SortStableFunc(at, func(a, b int) int {
			return cmp.Compare(len(t.entries[b].file), len(t.entries[a].file))
		})
	}
	return f
}

// find returns the index of the entry for a line of a file, or -1.
func (f *lineFinder) find(file string, line int) int {
	for _, i := range f.byLine[line] {
		if hasPathSuffix(file, f.t.entries[i].file) {
			return i
		}
	}
	return -1
}

// hasPathSuffix says whether file is suffix or ends in /suffix.
func hasPathSuffix(file, suffix string) bool {
	return file == suffix || strings.HasSuffix(file, "/"+strings.TrimPrefix(suffix, "/"))
}
