package estimate

// This file holds estimates of the worked example against the paper's figures (Fig. 1,
// Tables 1-3, Appendix A).

import (
	"testing"

	"pathspan/pathprof"
)

// The blocks of the paper; where the statements of one belong to several tasks, one
// block a task. Sections are laid one after the other. Cycles are those of Table 1,
// callees' included.
const fun0 = `
	func fun_0
	1.0               1:          -> region
	region R0(        0:          -> s1
	s1     R0.0.0(    0:          -> 1.1
	1.1               2:          -> 2 3
	2              2050: !@fun_1  -> 4.1
	3                 1:          -> 4.1
	4.1               1:          -> 10.1
	10.1              1:          -> e1
	e1     R0.0.0)    0:          -> s2
	s2     R0.0.1(    0:          -> 5
	5                 1:          -> 6 13.2
	6                 2:          -> 7 8
	7               101: !@fun_2  -> 9
	8                 2:          -> 9
	9                 1:          -> 5
	13.2             10: !@fun_4  -> e2
	e2     R0.0.1)    0:          -> s3
	s3     R0.0.2(    0:          -> 4.3
	4.3               1:          -> 10.3
	10.3              1:          -> 11 12
	11             2050: !@fun_3  -> e3
	12                1:          -> e3
	e3     R0.0.2)    0:          -> end
	end    R0)        0:          -> 13.4
	13.4              4:
	func fun_1
	b 1000:
	func fun_2
	b 50:
	func fun_3
	b 1000:
	func fun_4
	b 5:
`

// fun0Literal runs fun_0 ten times: c1 = c2 in situation a, c1 = !c2 in b.
func fun0Literal(t testing.TB, situation byte) *literal {
	l := parseLiteral(t, fun0)
	head, tail := "1.0 region s1 1.1 ", " 4.1 10.1 e1 s2 L5 5 13.2 e2 s3 4.3 10.3 "
	end := " e3 end 13.4"
	path := func(c1, c2 string) string { return "5: " + head + c1 + tail + c2 + end }
	if situation == 'a' {
		l.run("fun_0", 0, pathprof.EndFunction, path("2", "11"), path("3", "12"))
	} else {
		l.run("fun_0", 0, pathprof.EndFunction, path("2", "12"), path("3", "11"))
	}
	l.run("fun_0", 1, pathprof.EndIteration, "100: 5 6 7 9")
	l.trips("fun_0", 1, 10)
	l.run("fun_1", 0, pathprof.EndFunction, "5: b")
	l.run("fun_2", 0, pathprof.EndFunction, "100: b")
	l.run("fun_3", 0, pathprof.EndFunction, "5: b")
	l.run("fun_4", 0, pathprof.EndFunction, "10: b")
	return l
}

func TestWorkedExample(t *testing.T) {
	solA, solB := []int{0, 0, 1}, []int{0, 1, 0}
	for _, c := range []struct {
		situation byte
		name      string
		procs     []int
		technique Technique
		parallel  float64
		serial    float64
	}{
		{'a', "SolB", solB, PathBased, 2648.5, 3123},
		{'b', "SolB", solB, PathBased, 2122, 3123},
		{'a', "SolA", solA, PathBased, 2155.5, 3123},
		{'b', "SolA", solA, PathBased, 2648.5, 3123},
		// Averages: 1 + max(1029.5+50 + 1027.5+10, ...) + 4 and
		// 1 + 1029.5+50 + 1051 + 10+10 + 4.
		{'a', "SolB", solB, AverageTime, 2122, 3123},
		{'b', "SolB", solB, AverageTime, 2122, 3123},
		{'a', "SolA", solA, AverageTime, 2155.5, 3123},
		{'b', "SolA", solA, AverageTime, 2155.5, 3123},
		// Maxima: 5172 = 1 + 2054 + 1061 + 2052 + 4.
		{'a', "SolB", solB, MaximalTime, 4171, 5172},
		{'b', "SolB", solB, MaximalTime, 4171, 5172},
		{'a', "SolA", solA, MaximalTime, 3180, 5172},
		{'b', "SolA", solA, MaximalTime, 3180, 5172},
		// Each section on its own processor, with both overheads: 1 + m + 60 + 4, where
		// m is 2054 or 1061 in (a) and 2054 or 2052 in (b).
		{'a', "SolB", solB, PathBasedUnmapped, 1 + (2054+1061)/2.0 + 60 + 4, 3123},
		{'b', "SolA", solA, PathBasedUnmapped, 1 + (2054+2052)/2.0 + 60 + 4, 3123},
	} {
		e := fun0Literal(t, c.situation).estimator("fun_0", 2)
		r := estimate(t, e, e.onto(c.procs...), c.technique)
		if r.ParallelCycles != c.parallel || r.SequentialCycles != c.serial {
			t.Errorf("(%c) %s %v: %v of %v cycles, want %v of %v", c.situation, c.name, c.technique, r.ParallelCycles, r.SequentialCycles, c.parallel, c.serial)
		}
	}
}
