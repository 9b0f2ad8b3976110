package estimate_test

// This file holds Tables 11 to 17 of the paper and compares an explanation with them.
// Regions, blocks and paths are matched by the source lines that they hold.

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"pathspan/estimate"
	"pathspan/profile"
)

// Lines of fun0.c of the paper's statements, by the control dependence region and by
// the basic block that holds them. Statements 6 and 14, of BB4 and BB10, share a block
// of ours in section 1, and 7 and 15 one in section 3, so that the rows of these two
// blocks can be compared as a sum only.
var (
	paperRegions = map[string][]int{
		"B": {46, 51, 52, 56, 57, 61, 69, 73, 74, 80}, "C": {53}, "D": {55}, "E": {62, 63, 67}, "F": {75}, "G": {77}, "H": {64}, "I": {66},
	}
	paperBlocks = map[string][]int{
		"1": {46, 51, 52}, "2": {53}, "3": {55}, "4+10": {56, 57, 73, 74}, "5": {61}, "6": {62, 63}, "7": {64}, "8": {66},
		"9": {67}, "11": {75}, "12": {77}, "13": {69, 80},
	}
)

// Tables 12b, 13b (with BB5 of 13b in barBlock5) and 14b; columns Task0, Task1,
// Task2a, Task2b, Task3, Task4. Rows that are not listed hold zeros.
var (
	table12b = map[string]string{
		"1": "1 2 0 0 0 0", "2": "0 2050 0 0 0 0", "3": "0 1 0 0 0 0", "4+10": "0 2 0 0 2 0", "5": "0 0 1 0 0 0",
		"11": "0 0 0 0 2050 0", "12": "0 0 0 0 1 0", "13": "0 0 0 10 0 4",
	}
	barBlock5 = "0 0 1051 0 0 0"
	table14b  = map[string]string{
		"B": "1 4 1051 10 2 4", "C": "0 2050 0 0 0 0", "D": "0 1 0 0 0 0", "F": "0 0 0 0 2050 0", "G": "0 0 0 0 1 0",
	}
	// Tables 12a and 13a are equal; column Task6.
	table12a = map[string]string{"5": "1", "6": "2", "7": "101", "8": "2", "9": "1"}
	table14a = map[string]string{"B": "1", "E": "3", "H": "101", "I": "2"}
)

// paperPath is a row of Tables 11, 15b, 16b and a column of 17b; virtual tasks Entry
// and Exit stand first and last in start and stop.
type paperPath struct {
	crp                   string
	count                 map[string]uint64 // by situation
	tpc, bar, start, stop string
	pc                    float64
}

var level0Paths = map[string]paperPath{
	"1": {"A,B,C,F", map[string]uint64{"a": 5}, "1 2054 1051 10 2052 4", "1 2104 1101 20 2062 4",
		"0 0 1 1 1102 2105 4167 4171", "0 1 2105 1102 1122 4167 4171 4171", 4171},
	"2": {"A,B,C,G", map[string]uint64{"b": 5}, "1 2054 1051 10 3 4", "1 2104 1101 20 13 4",
		"0 0 1 1 1102 2105 2118 2122", "0 1 2105 1102 1122 2118 2122 2122", 2122},
	"3": {"A,B,D,F", map[string]uint64{"b": 5}, "1 5 1051 10 2052 4", "1 55 1101 20 2062 4",
		"0 0 1 1 1102 56 2118 2122", "0 1 56 1102 1122 2118 2122 2122", 2122},
	"4": {"A,B,D,G", map[string]uint64{"a": 5}, "1 5 1051 10 3 4", "1 55 1101 20 13 4",
		"0 0 1 1 1102 56 1122 1126", "0 1 56 1102 1122 69 1126 1126", 1126},
}

// level5Paths holds HTG_5: Tables 15a, 16a and 17a.
var level5Paths = map[string]paperPath{
	"5": {"B,E,H", nil, "105", "105", "0 0 105", "0 105 105", 105},
	"6": {"B,E,I", nil, "6", "6", "0 0 6", "0 6 6", 6},
}

// explained is an explanation with the names of the paper.
type explained struct {
	*estimate.Explanation
	region map[string]string // the paper's name by ours
	block  []string          // by row of Blocks: the paper's block, "" when it holds no statement
}

func explainPaper(t *testing.T, b *profile.Bundle, level int) *explained {
	t.Helper()
	e, m := onPaperPlatform(t, b, "solB.yaml")
	x, err := e.Explain(m, "fun_0", level)
	if err != nil {
		t.Fatal(err)
	}
	if x.Differences != 0 {
		t.Errorf("level %d: paths differ from their regions in %d cells", level, x.Differences)
	}
	o := &explained{Explanation: x, region: map[string]string{"A": "A"}}
	lines := map[string][]int{}
	for _, row := range x.Blocks {
		held := statementLines(b, row.Index)
		lines[row.Region] = append(lines[row.Region], held...)
		o.block = append(o.block, nameOf(t, "block "+row.Name, paperBlocks, held, false))
	}
	for ours, held := range lines {
		if ours == "A" {
			t.Errorf("region A holds lines %v: it is the function's entry and holds no block", held)
			continue
		}
		o.region[ours] = nameOf(t, "region "+ours, paperRegions, held, level == 0)
	}
	return o
}

// statementLines lists the lines of a block of fun_0 that are statements of the paper.
// The branch from the end of the loop's body back to its test has the test's line.
func statementLines(b *profile.Bundle, block int) []int {
	var lines []int
	instrs := b.Program.Func("fun_0").Blocks[block].Instrs
	for i := range instrs {
		l := instrs[i].Loc.Line
		if l == 61 && i > 0 && instrs[i].Op == "br" && instrs[i-1].Loc.Line != 61 {
			continue
		}
		for _, statements := range paperRegions {
			if slices.Contains(statements, l) && !slices.Contains(lines, l) {
				lines = append(lines, l)
			}
		}
	}
	return lines
}

// nameOf finds the paper's region or block that holds the lines: all of its lines
// where whole is set, some of them otherwise.
func nameOf(t *testing.T, what string, names map[string][]int, lines []int, whole bool) string {
	t.Helper()
	if len(lines) == 0 {
		return ""
	}
	slices.Sort(lines)
	for name, want := range names {
		if whole && slices.Equal(slices.Compact(slices.Clone(lines)), want) {
			return name
		}
		if !whole && !slices.ContainsFunc(lines, func(l int) bool { return !slices.Contains(want, l) }) {
			return name
		}
	}
	t.Errorf("%s holds lines %v, which is none of the paper's: %v", what, lines, names)
	return "?"
}

// checkLevel0 compares HTG_0, as SolB maps it.
func checkLevel0(t *testing.T, d *differences, x *explained, situation string) {
	t.Helper()
	d.text("17b", "tasks", "labels", x.labels(), "Entry Task0 Task1 Task2a Task2b Task3 Task4 Exit")
	d.text("-", "tasks", "processors", x.processors(), "alpha alpha beta beta alpha alpha")
	table13b := map[string]string{}
	maps.Copy(table13b, table12b)
	table13b["5"] = barBlock5
	x.compareBlocks(d, "12b", x.BC, table12b)
	x.compareBlocks(d, "13b", x.BCBar, table13b)
	x.compareRegions(d, "14b", table14b)
	expect := map[string]paperPath{}
	for id, p := range level0Paths {
		if p.count[situation] > 0 {
			expect[id] = p
		}
	}
	x.comparePaths(d, "b", expect, situation)
	htc := map[string]float64{"a": 2648.5, "b": 2122}
	d.number("eq. 14, 15", "HTC_0", "cycles", x.HTC, htc[situation])
	d.number("11", "entries", "", x.Entries, 10)
}

// checkLevel5 compares HTG_5, of which one path ran, 100 times.
func checkLevel5(t *testing.T, d *differences, x *explained, path string) {
	t.Helper()
	p := level5Paths[path]
	p.count = map[string]uint64{"": 100}
	x.compareBlocks(d, "12a", x.BC, table12a)
	x.compareBlocks(d, "13a", x.BCBar, table12a)
	x.compareRegions(d, "14a", table14a)
	x.comparePaths(d, "a", map[string]paperPath{path: p}, "")
	d.number("eq. 13", "HTC_5", "cycles", x.HTC, 10*p.pc)
	d.number("eq. 2", "N_5", "iterations", x.Iterations, 10)
	d.number("11", "entries", "", x.Entries, 10)
}

func (x *explained) labels() string {
	var s []string
	for _, task := range x.Tasks {
		s = append(s, task.Label)
	}
	return strings.Join(s, " ")
}

func (x *explained) processors() string {
	var s []string
	for _, task := range x.Tasks[1 : len(x.Tasks)-1] {
		s = append(s, task.Processor)
	}
	return strings.Join(s, " ")
}

// cells compares a row, one cell for each task; the virtual tasks Entry and Exit only
// where the paper's row has them.
func (x *explained) cells(d *differences, table, row string, got []float64, want string) {
	words := strings.Fields(want)
	first := 0
	if len(words) == len(got)-2 {
		d.number(table, row, x.Tasks[0].Label, got[0], 0)
		d.number(table, row, x.Tasks[len(got)-1].Label, got[len(got)-1], 0)
		first = 1
	} else if len(words) != len(got) {
		d.text(table, row, "number of tasks", strconv.Itoa(len(got)), strconv.Itoa(len(words)))
		return
	}
	for i, w := range words {
		v, err := strconv.ParseFloat(w, 64)
		if err != nil {
			panic("paper_tables_test: " + w + " is no number")
		}
		d.number(table, row, x.Tasks[i+first].Label, got[i+first], v)
	}
}

// rowSums adds up rows by name.
func rowSums(names []string, rows [][]float64) map[string][]float64 {
	sums := map[string][]float64{}
	for i, r := range rows {
		if sums[names[i]] == nil {
			sums[names[i]] = make([]float64, len(r))
		}
		for k, v := range r {
			sums[names[i]][k] += v
		}
	}
	return sums
}

// compareRows compares all rows, of which those without a wanted one are zero.
func (x *explained) compareRows(d *differences, table, what string, rows map[string][]float64, want map[string]string) {
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	for name := range want {
		if rows[name] == nil {
			d.text(table, what+" "+name, "row", "missing", want[name])
		}
	}
	sort.Strings(names)
	zeros := strings.TrimSpace(strings.Repeat("0 ", len(x.Tasks)-2))
	for _, name := range names {
		w, ok := want[name]
		if !ok {
			w = zeros
		}
		x.cells(d, table, what+" "+name, rows[name], w)
	}
}

func (x *explained) compareBlocks(d *differences, table string, rows [][]float64, want map[string]string) {
	x.compareRows(d, table, "BB", rowSums(x.block, rows), want)
}

func (x *explained) compareRegions(d *differences, table string, want map[string]string) {
	names := make([]string, len(x.Regions))
	for i, r := range x.Regions {
		names[i] = x.region[r]
	}
	x.compareRows(d, table, "CDR", rowSums(names, x.CC), want)
}

// comparePaths compares Table 11 and Tables 15 to 17 of a level.
func (x *explained) comparePaths(d *differences, level string, want map[string]paperPath, situation string) {
	seen := map[string]bool{}
	for i, p := range x.Paths {
		var crp []string
		for _, r := range p.CRP {
			crp = append(crp, x.region[r])
		}
		slices.Sort(crp)
		id := ""
		for name, w := range want {
			if w.crp == strings.Join(crp, ",") {
				id = name
			}
		}
		if id == "" || seen[id] {
			d.text("11", fmt.Sprintf("path of regions %s, x %d", strings.Join(crp, ","), p.Count), "row", p.Text, "no such row")
			continue
		}
		seen[id] = true
		w, row := want[id], "path "+id
		d.number("11", row, "count", float64(p.Count), float64(w.count[situation]))
		x.cells(d, "15"+level, row, x.TPC[i], w.tpc)
		x.cells(d, "15"+level, row+" (eq. 6)", x.ByRegions[i], w.tpc)
		x.cells(d, "16"+level, row, x.TPCBar[i], w.bar)
		x.cells(d, "17"+level, row+" START", x.Start[i], w.start)
		x.cells(d, "17"+level, row+" STOP", x.Stop[i], w.stop)
		d.number("17"+level, row, "PC", x.PC[i], w.pc)
	}
	for id := range want {
		if !seen[id] {
			d.text("11", "path "+id+" of regions "+want[id].crp, "count", "none", strconv.FormatUint(want[id].count[situation], 10))
		}
	}
}

// differences collects the values that differ from the paper's.
type differences struct {
	compared int
	rows     [][5]string
}

func (d *differences) number(table, row, column string, got, want float64) {
	d.text(table, row, column, strconv.FormatFloat(got, 'g', -1, 64), strconv.FormatFloat(want, 'g', -1, 64))
}

func (d *differences) text(table, row, column, got, want string) {
	d.compared++
	if got != want {
		d.rows = append(d.rows, [5]string{table, row, column, got, want})
	}
}

// report fails the test with a table of what differs.
func (d *differences) report(t *testing.T, what string) {
	t.Helper()
	if len(d.rows) == 0 {
		t.Logf("%s: %d values are the paper's", what, d.compared)
		return
	}
	var s strings.Builder
	w := tabwriter.NewWriter(&s, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "table\trow\tcolumn\tgot\tpaper")
	for _, r := range d.rows {
		fmt.Fprintln(w, strings.Join(r[:], "\t"))
	}
	w.Flush()
	t.Errorf("%s: %d of %d values differ from the paper's\n%s", what, len(d.rows), d.compared, s.String())
}
