package suggest

// This file holds suggestions for the plain program against estimates, by executions, of
// the same program with its pragmas.

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/mapping/loops"
	"pathspan/profile"
	"pathspan/testdata/profiled"
)

// profileOf is the profile of a program.
func profileOf(t testing.TB, source, level string) *profile.Bundle {
	t.Helper()
	return profiled.Program{Source: source, Level: level, Flags: []string{"-lm"}}.Bundle(t)
}

func priced(t testing.TB, b *profile.Bundle, pl *mapping.Platform) (*estimate.Estimator, *mapping.Resolved) {
	t.Helper()
	a, err := estimate.Prepare(b.WithTeams(len(pl.Processors)), "")
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&estimate.Pricer{Program: a.Bundle.Program, Module: b.Module}).Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(p)
	if err != nil {
		t.Fatal(err)
	}
	return e, mapping.Default(pl, a.Bundle.Program)
}

var pragma = regexp.MustCompile(`^\s*#\s*pragma\s+omp`)

// plain writes a source without its pragmas: each line of one is left empty.
func plain(t testing.TB, source string) string {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	lines, more := strings.Split(string(text), "\n"), false
	for i, line := range lines {
		if more || pragma.MatchString(line) {
			more = strings.HasSuffix(strings.TrimSpace(line), `\`)
			lines[i] = ""
		}
	}
	out := filepath.Join(t.TempDir(), filepath.Base(source))
	if err := os.WriteFile(out, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

// forBehind is the line of the first for behind a line of a source.
func forBehind(t testing.TB, source string, line int) int {
	t.Helper()
	text, err := os.ReadFile(source)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range strings.Split(string(text), "\n") {
		if i >= line && strings.HasPrefix(strings.TrimSpace(s), "for (") {
			return i + 1
		}
	}
	return 0
}

// prospects are all of a program, valued alone.
func prospects(t testing.TB, e *estimate.Estimator, m *mapping.Resolved) (*program, []*prospect) {
	t.Helper()
	p, err := newProgram(e, m)
	if err != nil {
		t.Fatal(err)
	}
	all := p.prospects()
	for _, c := range all {
		p.judge(c)
	}
	if p.err != nil {
		t.Fatal(p.err)
	}
	return p, all
}

// Loops of programs of testdata/parallel that are valued: how far, in parts of the program's
// time, what the plain program's profile says that they save is off what executions say of
// the program with pragmas, under the schedule that is suggested.
func TestSavingsAgainstExecutions(t *testing.T) {
	for _, x := range []struct {
		program string
		most    float64
	}{{"triangle.c", 0.02}, {"mandelbrot.c", 0.02}, {"matmul.c", 0.02}, {"sparse.c", 0.02}, {"histogram.c", 0.02}, {"reductions.c", 0.02}, {"roles.c", 0.02}, {"waiting.c", 0.02}, {"wavefront.c", 0.02}, {"particles.cc", 0.02}} {
		t.Run(x.program, func(t *testing.T) {
			source := filepath.Join("..", "testdata", "parallel", x.program)
			pl := mapping.Homogeneous(4, "")
			e, m := priced(t, profileOf(t, source, "2"), pl)
			bare, on := priced(t, profileOf(t, plain(t, source), "2"), pl)
			_, all := prospects(t, bare, on)
			found := 0
			for r := range e.Bundle.Program.Regions {
				for k := range e.Bundle.Program.Regions[r].Constructs {
					if compareLoop(t, source, e, m, all, r, k, x.most) {
						found++
					}
				}
			}
			if found == 0 {
				t.Error("no loop was compared")
			}
		})
	}
}

// otherwise says of which loops the program with pragmas executes something else.
var otherwise = map[string]string{
	"matmul.c:80":     "collapsed with the one inside",
	"matmul.c:97":     "collapsed with two inside",
	"histogram.c:156": "what is atomic there cannot become a select",
}

// takesLocks reports whether iterations of a loop take locks.
func takesLocks(e *estimate.Estimator, r, k int) bool {
	all := e.Bundle.Executions.Entries
	return slices.ContainsFunc(all, func(x profile.Execution) bool {
		return x.Region == r && x.Construct == k && slices.ContainsFunc(x.Lanes[0], func(p profile.ExecutionPart) bool {
			return p.Entry >= 0 && all[p.Entry].Region == e.Bundle.Program.LockRegion()
		})
	})
}

// compareLoop compares what a loop saves, and reports whether there is something to compare.
func compareLoop(t *testing.T, source string, e *estimate.Estimator, m *mapping.Resolved, all []*prospect, r, k int, most float64) bool {
	t.Helper()
	region := &e.Bundle.Program.Regions[r]
	x := &region.Constructs[k]
	if x.Loop == nil || region.NumThreads > 0 {
		return false
	}
	line := forBehind(t, source, x.Line)
	i := slices.IndexFunc(all, func(c *prospect) bool { return c.Kind == Loop && c.Place.Line == line })
	if i < 0 {
		t.Logf("line %d: no prospect", line)
		return false
	}
	if why := otherwise[fmt.Sprintf("%s:%d", filepath.Base(source), line)]; why != "" {
		t.Logf("line %d: %s", line, why)
		return false
	}
	if takesLocks(e, r, k) {
		t.Logf("line %d: threads wait for locks, which the plain program has not", line)
		return false
	}
	c := all[i]
	alone := m.OnlyRegion(r)
	s := loops.Schedule{}
	if c.Schedule != "" {
		var err error
		if s, err = loops.Parse(c.Schedule); err != nil {
			t.Fatal(err)
		}
	}
	alone.Regions[r].Loops[k].Schedule = s.Clause(x.Loop.Ordered)
	with, err := newProgram(e, alone)
	if err != nil {
		t.Fatal(err)
	}
	want, got, least := 1-with.kept[r][k], c.SavesSeconds/(c.under*e.Second()), c.AtLeastSeconds/(c.under*e.Second())
	t.Logf("line %d, schedule %q: %.1f%% of the time, of which %.1f%% are saved, executions say %.1f%%, at least %.1f%%; iterations up to %.2f, known %v",
		line, c.Schedule, 100*c.Share, 100*got, 100*want, 100*least, c.Iteration.Largest, c.Iteration.Known)
	if math.Abs(got-want) > most {
		t.Errorf("line %d is suggested to save %.4f of its time, executions say %.4f", line, got, want)
	}
	if least > want+0.005 {
		t.Errorf("line %d is suggested to save %.4f of its time at least, executions say %.4f", line, least, want)
	}
	return true
}

// The loops and recursions that the authors of programs made parallel are among the first three suggestions
// for the plain program, once the loops around everything are left out that depend on what
// came before: over frames, rounds and time.
func TestAuthorsLoopsAreFound(t *testing.T) {
	for _, x := range []struct {
		program string
		around  []int // loops to leave out
		lines   []int // of which at least these are among the first three
	}{
		{"triangle.c", nil, []int{99, 89}}, {"mandelbrot.c", nil, []int{97, 120, 139}}, {"sparse.c", []int{145}, []int{96, 83, 164}},
		{"mergesort.c", nil, []int{141}}, {"particles.cc", nil, []int{133, 108}}, {"histogram.c", []int{181}, []int{112, 94}},
		{"reductions.c", []int{196}, []int{124, 142}}, {"waiting.c", []int{227}, []int{145, 177, 137}}, {"roles.c", []int{145}, []int{165}},
	} {
		t.Run(x.program, func(t *testing.T) {
			source := plain(t, filepath.Join("..", "testdata", "parallel", x.program))
			e, m := priced(t, profileOf(t, source, "2"), mapping.Homogeneous(4, ""))
			o := Options{Limit: 3}
			for _, line := range x.around {
				o.Without = append(o.Without, Lines{File: x.program, Line: line})
			}
			a, err := Of(e, m, o)
			if err != nil {
				t.Fatal(err)
			}
			var got []int
			for _, s := range a.Suggestions {
				got = append(got, s.Place.Line)
			}
			for _, line := range x.lines {
				if !slices.Contains(got, line) {
					t.Errorf("suggested are lines %v, not %d", got, line)
				}
			}
		})
	}
}
