package main

// This file makes random C programs of tasks that loops, sections, single and other tasks make,
// with locks and waits inside of them, and asks all commands about them.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/mapping"
)

// taskSource writes one program. Tasks make others up to a depth, so that all ends.
type taskSource struct {
	r    *rand.Rand
	out  strings.Builder
	vars int
	flat bool // no task makes others
	bare bool // amid an untied task: clang writes no valid code for a taskgroup there that waits
}

func (s *taskSource) line(indent int, format string, args ...any) {
	fmt.Fprintf(&s.out, strings.Repeat("    ", indent)+format+"\n", args...)
}

func randomTaskSource(seed uint64) string {
	s := &taskSource{r: rand.New(rand.NewPCG(seed, 13)), flat: seed >= 30}
	s.out.WriteString(`static volatile unsigned sink, shared;
static char at[64];

__attribute__((noinline)) static void work(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sink += i * 3u;
}

static void tree(int depth, unsigned n)
{
    work(n);
    if (depth == 0)
        return;
#pragma omp task
    tree(depth - 1, n + 7);
#pragma omp task
    tree(depth - 1, n / 2 + 3);
`)
	if s.r.IntN(2) == 0 {
		s.line(0, "#pragma omp taskwait")
	}
	s.line(0, "    work(n / 4);\n}\n\nint main(void)\n{")
	for range 2 + s.r.IntN(2) {
		s.region()
	}
	s.line(0, "    return 0;\n}")
	return s.out.String()
}

// region writes a parallel region of one or two constructs.
func (s *taskSource) region() {
	s.line(0, "#pragma omp parallel\n    {")
	for range 1 + s.r.IntN(2) {
		switch s.r.IntN(4) {
		case 0:
			s.line(0, "#pragma omp single")
			s.line(2, "{")
			s.code(3, 2, "3")
			s.line(2, "}")
		case 1:
			s.line(0, "#pragma omp sections")
			s.line(2, "{")
			for range 2 {
				s.line(0, "#pragma omp section")
				s.line(2, "{")
				s.code(3, 2, "5")
				s.line(2, "}")
			}
			s.line(2, "}")
		default:
			clause := randomSchedules[s.r.IntN(8)]
			if strings.Contains(clause, "%d") {
				clause = fmt.Sprintf(clause, 1+s.r.IntN(4))
			}
			s.vars++
			i := fmt.Sprintf("v%d", s.vars)
			s.line(0, "#pragma omp for %s%s", clause, []string{"", " nowait"}[s.r.IntN(2)])
			s.line(2, "for (int %s = 0; %s < %d; %s++) {", i, i, 1+s.r.IntN(60), i)
			s.code(3, 2, i)
			s.line(2, "}")
		}
	}
	s.line(1, "}")
}

// code writes a few statements whose work depends on a variable, or a number.
func (s *taskSource) code(indent, depth int, of string) {
	for range 1 + s.r.IntN(3) {
		switch k := s.r.IntN(9); {
		case k < 2 || depth == 0 && k < 6 || s.flat && (k == 5 || depth < 2):
			s.line(indent, "work(%d + %s %% 7 * %d);", 20+s.r.IntN(200), of, s.r.IntN(40))
		case k < 5:
			clause := []string{"", "", " untied", fmt.Sprintf(" if(%s %% 2)", of), fmt.Sprintf(" depend(inout: at[%s %% 3])", of)}[s.r.IntN(5)]
			s.line(0, "#pragma omp task%s", clause)
			s.line(indent, "{")
			before := s.bare
			s.bare = before || clause == " untied"
			s.code(indent+1, depth-1, of)
			s.bare = before
			s.line(indent, "}")
		case k == 5 || k == 8 && s.bare:
			s.line(indent, "tree(%d, %d);", 1+s.r.IntN(4), 10+s.r.IntN(100))
		case k == 6:
			s.line(0, "#pragma omp taskwait")
		case k == 7:
			s.line(0, "#pragma omp critical(%s)", []string{"a", "b"}[s.r.IntN(2)])
			s.line(indent, "{ shared += %s; work(%d); }", of, 5+s.r.IntN(60))
		default:
			s.line(0, "#pragma omp taskgroup")
			s.line(indent, "{")
			s.code(indent+1, max(0, depth-1), of)
			s.line(indent, "}")
		}
	}
}

// testRandomTasks asks about random programs of tasks, on equal processors and others that differ
// in clock and model.
func testRandomTasks(t *testing.T, dir string) {
	seeds := []uint64{1, 2, 25, 30}
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		seeds = seeds[:0]
		for seed := range uint64(40) {
			seeds = append(seeds, seed)
		}
	}
	var all []*asked
	for _, seed := range seeds {
		path := writeText(t, dir, fmt.Sprintf("tasks%d.c", seed), randomTaskSource(seed))
		a := &asked{name: filepath.Base(path), sources: []string{path}, seed: seed}
		n := 2 + int(seed%3)
		other, err := unequalSetting(dir, "tasks", "leon3", "generic", n)
		if err != nil {
			t.Fatal(err)
		}
		a.settings = []setting{{model: "generic", flags: []string{"-p", fmt.Sprint(n), "--model", "generic"}, platform: mapping.Homogeneous(n, "generic"), uniform: true}, other}
		all = append(all, a)
	}
	askAll(t, dir, all)
}
