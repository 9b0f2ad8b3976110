package estimate

// This file holds the intermediate values against Tables 11 to 17 of the paper.

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"pathspan/pathprof"
)

// names of the paper's regions as ours, which are in the order of first blocks.
var paperRegion = map[string]string{
	"A": "A", "B": "B", "C": "C", "D": "D", "E": "E", "F": "H", "G": "I", "H": "F", "I": "G",
}

func explain(t *testing.T, l *literal, level int) *Explanation {
	t.Helper()
	e := l.estimator("fun_0", 2)
	x, err := e.Explain(e.onto(0, 1, 0), "fun_0", level)
	if err != nil {
		t.Fatal(err)
	}
	if x.Differences != 0 {
		t.Errorf("level %d: %d differences between blocks and regions", level, x.Differences)
	}
	return x
}

// appendixLiteral runs all four paths of Table 11, and both of the loop.
func appendixLiteral(t *testing.T) *literal {
	l := fun0Literal(t, 'a')
	head, tail, end := "1.0 region s1 1.1 ", " 4.1 10.1 e1 s2 L5 5 13.2 e2 s3 4.3 10.3 ", " e3 end 13.4"
	l.run("fun_0", 0, pathprof.EndFunction, "0: "+head+"2"+tail+"12"+end, "0: "+head+"3"+tail+"11"+end)
	l.run("fun_0", 1, pathprof.EndIteration, "0: 5 6 8 9")
	return l
}

// columns returns the row of a table as text, virtual tasks left out.
func columns(row []float64) string {
	var s []string
	for _, v := range row[1 : len(row)-1] {
		s = append(s, number(v))
	}
	return strings.Join(s, " ")
}

func TestTable11(t *testing.T) {
	want := map[string]string{ // by the blocks that tell the paths apart
		"2 11": "A,B,C,F", "2 12": "A,B,C,G", "3 11": "A,B,D,F", "3 12": "A,B,D,G", "7": "B,E,H", "8": "B,E,I",
	}
	got := map[string]string{}
	for level := range 2 {
		for _, p := range explain(t, appendixLiteral(t), level).Paths {
			var key, crp []string
			for _, b := range strings.Fields(p.Text) {
				if slices.Contains([]string{"2", "3", "7", "8", "11", "12"}, b) {
					key = append(key, b)
				}
			}
			for _, r := range p.CRP {
				for paper, ours := range paperRegion {
					if ours == r {
						crp = append(crp, paper)
					}
				}
			}
			slices.Sort(crp)
			got[strings.Join(key, " ")] = strings.Join(crp, ",")
		}
	}
	if !maps.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Tables 12 and 13, level 0: rows by the paper's block, summed over our blocks of it.
func TestTables12And13(t *testing.T) {
	bc := map[string]string{
		"1": "1 2 0 0 0 0", "2": "0 2050 0 0 0 0", "3": "0 1 0 0 0 0", "4": "0 1 0 0 1 0", "5": "0 0 1 0 0 0",
		"6": "0 0 0 0 0 0", "7": "0 0 0 0 0 0", "8": "0 0 0 0 0 0", "9": "0 0 0 0 0 0", "10": "0 1 0 0 1 0",
		"11": "0 0 0 0 2050 0", "12": "0 0 0 0 1 0", "13": "0 0 0 10 0 4",
	}
	bar := maps.Clone(bc)
	bar["5"] = "0 0 1051 0 0 0"
	inner := map[string]string{"5": "1", "6": "2", "7": "101", "8": "2", "9": "1"}
	for _, c := range []struct {
		name  string
		level int
		rows  func(*Explanation) [][]float64
		want  map[string]string
	}{
		{"12a", 1, func(x *Explanation) [][]float64 { return x.BC }, inner},
		{"12b", 0, func(x *Explanation) [][]float64 { return x.BC }, bc},
		{"13a", 1, func(x *Explanation) [][]float64 { return x.BCBar }, inner},
		{"13b", 0, func(x *Explanation) [][]float64 { return x.BCBar }, bar},
	} {
		x := explain(t, appendixLiteral(t), c.level)
		sums := map[string][]float64{}
		for i, b := range x.Blocks {
			name, _, _ := strings.Cut(b.Name, ".")
			if _, ok := c.want[name]; !ok {
				if columns(c.rows(x)[i]) != "0 0 0 0 0 0" {
					t.Errorf("table %s: block %s: %s", c.name, b.Name, columns(c.rows(x)[i]))
				}
				continue
			}
			if sums[name] == nil {
				sums[name] = make([]float64, len(x.Tasks))
			}
			for k, v := range c.rows(x)[i] {
				sums[name][k] += v
			}
		}
		for name, want := range c.want {
			if got := columns(sums[name]); got != want {
				t.Errorf("table %s: block %s: %s, want %s", c.name, name, got, want)
			}
		}
	}
}

// rowsBy returns the rows of a table by name.
func rowsBy(names []string, rows [][]float64) map[string]string {
	m := map[string]string{}
	for i, n := range names {
		m[n] = columns(rows[i])
	}
	return m
}

func TestTable14(t *testing.T) {
	x := explain(t, appendixLiteral(t), 0)
	got := rowsBy(x.Regions, x.CC)
	for paper, want := range map[string]string{
		"A": "0 0 0 0 0 0", "B": "1 4 1051 10 2 4", "C": "0 2050 0 0 0 0", "D": "0 1 0 0 0 0", "E": "0 0 0 0 0 0",
		"F": "0 0 0 0 2050 0", "G": "0 0 0 0 1 0", "H": "0 0 0 0 0 0", "I": "0 0 0 0 0 0",
	} {
		if got[paperRegion[paper]] != want {
			t.Errorf("region %s: %s, want %s", paper, got[paperRegion[paper]], want)
		}
	}
	x = explain(t, appendixLiteral(t), 1)
	got = rowsBy(x.Regions, x.CC)
	for paper, want := range map[string]string{"B": "1", "E": "3", "H": "101", "I": "2"} {
		if got[paperRegion[paper]] != want {
			t.Errorf("level 1, region %s: %s, want %s", paper, got[paperRegion[paper]], want)
		}
	}
}

func TestTables15To17(t *testing.T) {
	x := explain(t, appendixLiteral(t), 0)
	if labels := "Entry Task0 Task1 Task2a Task2b Task3 Task4 Exit"; labels != func() string {
		var s []string
		for _, task := range x.Tasks {
			s = append(s, task.Label)
		}
		return strings.Join(s, " ")
	}() {
		t.Fatalf("tasks %v", x.Tasks)
	}
	// In the order in which appendixLiteral runs them: paths 1, 4, 2 and 3 of Table 11.
	for i, want := range []struct {
		tpc, bar, start, stop string
		pc                    float64
	}{
		{"1 2054 1051 10 2052 4", "1 2104 1101 20 2062 4", "0 1 1 1102 2105 4167", "1 2105 1102 1122 4167 4171", 4171},
		{"1 5 1051 10 3 4", "1 55 1101 20 13 4", "0 1 1 1102 56 1122", "1 56 1102 1122 69 1126", 1126},
		{"1 2054 1051 10 3 4", "1 2104 1101 20 13 4", "0 1 1 1102 2105 2118", "1 2105 1102 1122 2118 2122", 2122},
		{"1 5 1051 10 2052 4", "1 55 1101 20 2062 4", "0 1 1 1102 56 2118", "1 56 1102 1122 2118 2122", 2122},
	} {
		for _, c := range []struct {
			name, want string
			row        []float64
		}{
			{"TPC", want.tpc, x.TPC[i]}, {"TPC by regions", want.tpc, x.ByRegions[i]}, {"TPC-bar", want.bar, x.TPCBar[i]},
			{"START", want.start, x.Start[i]}, {"STOP", want.stop, x.Stop[i]},
		} {
			if got := columns(c.row); got != c.want {
				t.Errorf("path %d: %s %s, want %s", i, c.name, got, c.want)
			}
		}
		last := len(x.Tasks) - 1
		if x.PC[i] != want.pc || x.Start[i][0] != 0 || x.Stop[i][0] != 0 || x.Start[i][last] != want.pc {
			t.Errorf("path %d: PC %v, Exit starts at %v, want %v", i, x.PC[i], x.Start[i][last], want.pc)
		}
	}
	if x.HTC != 2648.5 {
		t.Errorf("HTC %v, want 2648.5", x.HTC)
	}
	x = explain(t, appendixLiteral(t), 1)
	for i, want := range []float64{105, 6} {
		if x.TPC[i][1] != want || x.TPCBar[i][1] != want || x.PC[i] != want || x.Stop[i][1] != want {
			t.Errorf("level 1, path %d: %v, want %v", i, x.TPC[i], want)
		}
	}
	if x.HTC != 1050 || x.Iterations != 10 {
		t.Errorf("HTC_5 %v over %v iterations, want 1050 over 10", x.HTC, x.Iterations)
	}
}

func TestWriteTables(t *testing.T) {
	var s strings.Builder
	for level := range 2 {
		if err := explain(t, appendixLiteral(t), level).WriteTables(&s, 0); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "testdata/fun0_solB.txt", s.String())
}
