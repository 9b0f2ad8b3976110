package main

// This file makes random C programs of regions within regions and recursion, and asks all
// commands about them: no answer exceeds what the processors can do together, and answers
// by executions are those of replay, whether or not a mapping names the regions inside.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/mapping"
)

// source writes one program. Functions call later ones and themselves, each time with a
// smaller depth, so that all ends.
type source struct {
	r     *rand.Rand
	on    *rand.Rand // where threads go on without waiting
	out   strings.Builder
	fn    int // being written
	funcs int
	calls int  // that the function may still hold: they multiply
	loops int  // around the code being written, in the function
	even  bool // all work is of one size, so that much ends at the same time
	share bool // there are worksharing loops
	vars  int  // of those, so far
}

func (s *source) line(indent int, format string, args ...any) {
	fmt.Fprintf(&s.out, strings.Repeat("    ", indent)+format+"\n", args...)
}

// randomSource returns the program of a seed, with worksharing loops or without.
func randomSource(seed uint64, share bool) string {
	s := &source{r: rand.New(rand.NewPCG(seed, 7)), on: rand.New(rand.NewPCG(seed, 11)), share: share}
	s.funcs, s.even = 1+s.r.IntN(4), seed%4 == 3
	s.out.WriteString(`static volatile unsigned sink;
static unsigned state = 1;

static unsigned next(unsigned n)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % n;
}

__attribute__((noinline)) static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i * 3u;
}

__attribute__((noinline)) static void divide(unsigned n)
{
    for (unsigned i = 1; i <= n; i++)
        sink = (sink + 977u) / i;
}

`)
	for f := range s.funcs {
		s.line(0, "static void f%d(int depth);", f)
	}
	for s.fn = range s.funcs {
		s.calls, s.loops = 3, 0
		s.line(0, "\n__attribute__((noinline)) static void f%d(int depth)\n{", s.fn)
		s.line(1, "if (depth <= 0) {\n        work(%d + next(%d));\n        return;\n    }", 5+s.r.IntN(60), 1+s.r.IntN(60))
		s.code(1, 2)
		s.region(1, 2)
		s.line(0, "}")
	}
	s.line(0, "\nint main(void)\n{\n    for (int i = 0; i < %d; i++) {", 1+s.r.IntN(6))
	s.line(2, "work(next(%d));\n        f0(1 + next(%d));\n    }\n    return 0;\n}", 1+s.r.IntN(200), 1+s.r.IntN(3))
	return s.out.String()
}

// code writes a few statements.
func (s *source) code(indent, depth int) {
	for range 1 + s.r.IntN(2) {
		switch k := s.r.IntN(9); {
		case k < 3 || depth == 0:
			if s.even {
				s.line(indent, "work(64);")
				continue
			}
			s.line(indent, "%s(%d + next(%d));", []string{"work", "divide"}[s.r.IntN(2)], s.r.IntN(150), 1+s.r.IntN(150))
		case k < 5 && s.calls > 0 && s.loops == 0:
			s.calls--
			s.line(indent, "f%d(depth - 1);", s.fn+s.r.IntN(s.funcs-s.fn))
		case k == 5 && s.loops == 0:
			s.loops++
			s.line(indent, "for (unsigned i = 0, n = 1 + next(%d); i < n; i++) {", 1+s.r.IntN(3))
			s.code(indent+1, depth-1)
			s.line(indent, "}")
			s.loops--
		case k == 6:
			s.line(indent, "if (next(3) == 0) {")
			s.code(indent+1, depth-1)
			s.line(indent, "}")
		default:
			s.region(indent, depth)
		}
	}
}

// region writes a parallel region of one or two constructs.
func (s *source) region(indent, depth int) {
	section := func(at int) {
		for range 2 + s.r.IntN(3) {
			s.line(at, "#pragma omp section")
			s.line(at, "{")
			s.code(at+1, depth-1)
			s.line(at, "}")
		}
	}
	if s.share && s.r.IntN(3) > 0 {
		s.sharedLoops(indent, depth)
		return
	}
	if s.r.IntN(5) > 0 {
		s.line(indent, "#pragma omp parallel sections\n%s{", strings.Repeat("    ", indent))
		section(indent + 1)
		s.line(indent, "}")
		return
	}
	s.line(indent, "#pragma omp parallel\n%s{", strings.Repeat("    ", indent))
	for range 2 {
		s.line(indent+1, "#pragma omp sections%s\n%s{", s.nowait(), strings.Repeat("    ", indent+1))
		section(indent + 2)
		s.line(indent+1, "}")
	}
	s.line(indent, "}")
}

// randomSchedules are clauses of worksharing loops, some with a chunk.
var randomSchedules = []string{"", "schedule(static)", "schedule(static, %d)", "schedule(dynamic)", "schedule(dynamic, %d)", "schedule(monotonic: dynamic, %d)",
	"schedule(guided)", "schedule(guided, %d)", "schedule(auto)", "schedule(runtime)", "schedule(static, 1 + next(%d))", "schedule(dynamic, 1 + next(%d))"}

// sharedLoops writes a parallel region of one or two worksharing loops, or of one and sections.
func (s *source) sharedLoops(indent, depth int) {
	loop := func(at int, pragma string) {
		clause := randomSchedules[s.r.IntN(len(randomSchedules))]
		if strings.Contains(clause, "%d") {
			clause = fmt.Sprintf(clause, 1+s.r.IntN(6))
		}
		s.vars++
		i, kind := fmt.Sprintf("v%d", s.vars), []string{"int", "unsigned", "long long"}[s.r.IntN(3)]
		n := 1 + s.r.IntN(90)
		inTurn := s.on.IntN(3) == 0
		if inTurn {
			clause += " ordered"
		}
		s.line(at, "#pragma omp %s %s", pragma, clause)
		if s.r.IntN(3) == 0 && kind != "unsigned" {
			s.line(at, "for (%s %s = %d; %s > 0; %s -= %d) {", kind, i, n, i, i, 1+s.r.IntN(2))
		} else {
			s.line(at, "for (%s %s = 0; %s < %d; %s += %d) {", kind, i, i, n, i, 1+s.r.IntN(2))
		}
		switch s.r.IntN(4) {
		case 0:
			s.line(at+1, "work((unsigned)%s * 5u + %d);", i, s.r.IntN(60))
		case 1:
			s.line(at+1, "for (unsigned k = 0; k < (unsigned)%s; k++) sink += k;", i)
		default:
			s.loops++
			s.code(at+1, depth-1)
			s.loops--
		}
		if inTurn {
			s.line(at+1, "#pragma omp ordered\n%swork(%d);", strings.Repeat("    ", at+1), 1+s.on.IntN(40))
		}
		s.line(at, "}")
	}
	if s.r.IntN(3) > 0 {
		loop(indent, "parallel for")
		return
	}
	s.line(indent, "#pragma omp parallel\n%s{", strings.Repeat("    ", indent))
	loop(indent+1, "for"+s.nowait())
	loop(indent+1, "for"+s.nowait())
	s.line(indent, "}")
}

// nowait is a clause of most constructs that are not their region's only one.
func (s *source) nowait() string { return []string{"", " nowait", " nowait"}[s.on.IntN(3)] }

// testRandomAnswers asks about random programs on two to four processors, equal ones and
// others that differ in clock, or in clock and model. Seed 35 is one whose sections all end
// together, where it shows who comes first.
func testRandomAnswers(t *testing.T, dir string) {
	seeds := []uint64{5, 14, 35, 39}
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		seeds = seeds[:0]
		for seed := range uint64(40) {
			seeds = append(seeds, seed)
		}
	}
	var all []*asked
	for _, seed := range seeds {
		path := writeText(t, dir, fmt.Sprintf("random%d.c", seed), randomSource(seed, false))
		a := &asked{name: filepath.Base(path), sources: []string{path}, seed: seed}
		n, model := 2+int(seed%3), answeredModels[seed/3%4]
		a.settings = []setting{{model: model, flags: []string{"-p", fmt.Sprint(n), "--model", model}, platform: mapping.Homogeneous(n, model), uniform: true}}
		for _, other := range []string{model, answeredModels[(seed/3+1)%4]} {
			s, err := unequalSetting(dir, "beside-"+other, model, other, n)
			if err != nil {
				t.Fatal(err)
			}
			a.settings = append(a.settings, s)
		}
		all = append(all, a)
	}
	askAll(t, dir, all)
}
