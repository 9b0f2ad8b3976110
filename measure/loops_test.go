package measure

// This file holds worksharing loops to mapping/loops: which thread executes which iterations
// in a real parallel run. No time is looked at.

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/record"
	"pathspan/build/toolchain"
	"pathspan/mapping"
	"pathspan/mapping/loops"
)

// taken is a piece of a loop that a thread got.
type taken struct {
	thread int
	loops.Chunk
}

// The library's arithmetic is that of mapping/loops, for any loop.
func TestIterationsTaken(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	exe := filepath.Join(t.TempDir(), "take")
	if out, err := exec.Command(tc.Clang, "-O1", "-Wall", "-Wextra", "-Werror", "-I../build/runtime", "testdata/take.c", "../build/runtime/loops.c", "-o", exe).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	type loop struct {
		kind    string
		s       loops.Schedule
		n       int64
		threads int
		shares  []float64
	}
	kinds := []string{"static", "weighted", "dynamic", "stealing", "guided", "auto"}
	rng := rand.New(rand.NewSource(12))
	var all []loop
	var in strings.Builder
	for range 3000 {
		l := loop{kind: kinds[rng.Intn(len(kinds))], n: rng.Int63n(1 << (1 + rng.Intn(14))), threads: 1 + rng.Intn(9)}
		if rng.Intn(2) == 0 {
			l.s.Chunk = 1 + rng.Int63n(1<<rng.Intn(8))
		}
		switch l.kind {
		case "dynamic":
			l.s.Kind, l.s.Order = loops.Dynamic, loops.Monotonic
		case "stealing":
			l.s.Kind, l.s.Order = loops.Dynamic, loops.Nonmonotonic
		case "guided":
			l.s.Kind = loops.Guided
		case "auto", "weighted":
			l.s.Chunk = 0
			if l.kind == "auto" {
				l.s.Kind = loops.Auto
			}
		}
		// Long loops in few chunks, where rounding shows.
		if l.kind != "dynamic" && l.kind != "stealing" && l.s.Chunk == 0 && l.kind != "auto" && l.kind != "guided" && rng.Intn(4) == 0 {
			l.n = rng.Int63()
		}
		fmt.Fprintf(&in, "%d %d %d %d", slices.Index(kinds, l.kind), l.s.Chunk, l.n, l.threads)
		for range l.threads {
			share := float64(rng.Intn(4)) * rng.Float64()
			l.shares = append(l.shares, share)
			in.WriteString(" " + strconv.FormatFloat(share, 'g', -1, 64))
		}
		in.WriteString("\n")
		all = append(all, l)
	}
	cmd := exec.Command(exe)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	for _, l := range all {
		var got []taken
		for lines.Scan() && lines.Text() != "done" {
			var k taken
			if _, err := fmt.Sscan(lines.Text(), &k.thread, &k.Begin, &k.End); err != nil {
				t.Fatalf("%q: %v", lines.Text(), err)
			}
			got = append(got, k)
		}
		what := fmt.Sprintf("%s %v, %d iterations on %d threads, shares %v", l.kind, l.s, l.n, l.threads, l.shares)
		byThread := make([][]loops.Chunk, l.threads)
		var chunks []loops.Chunk
		for _, k := range got {
			byThread[k.thread] = append(byThread[k.thread], k.Chunk)
			chunks = append(chunks, k.Chunk)
		}
		switch l.kind {
		case "static", "weighted":
			want := make([][]loops.Chunk, l.threads)
			for t := range want {
				want[t] = slices.Collect(l.s.Share(l.n, l.threads, t).All())
			}
			if l.kind == "weighted" {
				for t, k := range loops.Weighted(l.n, l.shares) {
					if want[t] = nil; k.Len() > 0 {
						want[t] = []loops.Chunk{k}
					}
				}
			}
			for i := range want {
				if !slices.Equal(byThread[i], want[i]) {
					t.Fatalf("%s: thread %d has %v, want %v", what, i, byThread[i], want[i])
				}
			}
		case "stealing":
			checkStolen(t, what, l.s, l.n, l.threads, byThread)
		default:
			var want []loops.Chunk
			for d := loops.NewDispenser(l.s, l.n, l.threads); ; {
				k, more := d.Next()
				if !more {
					break
				}
				want = append(want, k)
			}
			if !slices.Equal(chunks, want) {
				t.Fatalf("%s: %v, want %v", what, chunks, want)
			}
		}
	}
}

// checkStolen wants chunks that each went once, the last of them as the last of its thread.
func checkStolen(t *testing.T, what string, s loops.Schedule, n int64, threads int, byThread [][]loops.Chunk) {
	t.Helper()
	if threads == 1 {
		s.Chunk = max(n, 1)
	}
	size := max(s.Chunk, 1)
	var all []loops.Chunk
	for i, chunks := range byThread {
		all = append(all, chunks...)
		for k, c := range chunks {
			if c.End == n && k < len(chunks)-1 {
				t.Fatalf("%s: thread %d goes on behind the last chunk: %v", what, i, chunks)
			}
		}
	}
	slices.SortFunc(all, func(a, b loops.Chunk) int { return int(a.Begin - b.Begin) })
	at := int64(0)
	for _, c := range all {
		if c.Begin != at || c.End != min(at+size, n) {
			t.Fatalf("%s: %v, want chunks of %d", what, all, size)
		}
		at = c.End
	}
	if at != n {
		t.Fatalf("%s: %d iterations went", what, at)
	}
}

// loopNames are the regions of testdata/loops.c with one loop.
var loopNames = []string{"plain", "static,5", "static,chunk", "dynamic,2", "monotonic:dynamic,chunk", "guided", "auto", "runtime", "collapse"}

func TestLoopsRunWhereMapped(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	plan, prog := buildTimed(t, tc, []string{"testdata/loops.c"})
	if len(prog.Regions) != len(loopNames)+1 {
		t.Fatalf("%d regions: %v", len(prog.Regions), prog.Regions)
	}
	const processors = 4
	teams := prog.WithTeams(processors)
	pl := mapping.Homogeneous(processors, "")
	rng := rand.New(rand.NewSource(3))
	schedules := []string{"", "static", "static,4", "dynamic", "dynamic,3", "monotonic:dynamic,2", "guided", "guided,3", "auto", "shares"}
	for round, schedule := range schedules {
		for _, n := range []int{1, 3, 97, 1000} {
			const chunk = 6
			serial := rng.Intn(processors)
			m := mapping.DefaultFrom(pl, serial, teams)
			if schedule != "" {
				for r := range m.Regions {
					for c, l := range m.Regions[r].Loops {
						if l == nil {
							continue
						}
						l.Threads = 1 + rng.Intn(processors)
						copy(m.Regions[r].Proc[c], rng.Perm(processors))
						l.Computed, l.Shares = false, nil
						if schedule == "shares" {
							l.Schedule = loops.Schedule{}
							for range l.Threads {
								l.Shares = append(l.Shares, rng.Float64())
							}
							continue
						}
						s, err := loops.Parse(schedule)
						if err != nil {
							t.Fatal(err)
						}
						l.Schedule = s.Clause(teams.Regions[r].Constructs[c].Loop.Ordered)
					}
				}
			}
			if err := m.Check(teams); err != nil {
				t.Fatal(err)
			}
			got := runMapped(t, plan, m, strconv.Itoa(n), strconv.Itoa(chunk))
			lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
			what := fmt.Sprintf("round %d, schedule %q, %d iterations", round, schedule, n)
			if len(lines) != len(loopNames) {
				t.Fatalf("%s:\n%s", what, got)
			}
			for r, name := range loopNames {
				threads, is := strings.CutPrefix(lines[r], name+":")
				if !is {
					t.Fatalf("%s: %s", what, lines[r])
				}
				checkThreads(t, what+", loop "+name, m, r, n, chunk, strings.Fields(threads))
			}
		}
	}
}

// Threads of loops that have to do with each other print what one thread prints.
func TestLoopsPrintTheSame(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	for _, source := range []string{"testdata/same.c", "../build/openmp/testdata/orphans.c"} {
		t.Run(filepath.Base(source), func(t *testing.T) { printsTheSame(t, tc, source) })
	}
}

func printsTheSame(t *testing.T, tc *toolchain.Toolchain, source string) {
	plan, prog := buildTimed(t, tc, []string{source})
	rng := rand.New(rand.NewSource(4))
	for k, schedule := range []string{"", "static", "static,2", "dynamic", "monotonic:dynamic,3", "guided", "auto"} {
		n := 2 + k%3
		teams := prog.WithTeams(n)
		m := turned(n, teams)
		for r := range m.Regions {
			for c, l := range m.Regions[r].Loops {
				if l == nil {
					continue
				}
				copy(m.Regions[r].Proc[c], rng.Perm(n))
				if schedule != "" {
					s, err := loops.Parse(schedule)
					if err != nil {
						t.Fatal(err)
					}
					l.Schedule, l.Computed = s.Clause(teams.Regions[r].Constructs[c].Loop.Ordered), false
				}
			}
		}
		plan.Mappings = append(plan.Mappings, Mapping{Name: "schedule " + schedule, Resolved: m, CPUs: slices.Repeat([]int{-1}, n), Spin: 10})
	}
	// All on one processor, whose threads are one.
	one := mapping.OnOne(mapping.Homogeneous(2, ""), 1, prog.WithTeams(2))
	plan.Mappings = append(plan.Mappings, Mapping{Name: "one processor", Resolved: one, CPUs: []int{-1, -1}, Spin: 10})
	res, err := plan.Run(context.Background())
	if err != nil || res.OneThread {
		t.Fatalf("%+v, %v", res, err)
	}
}

// runMapped runs the parallel program and returns what it prints.
func runMapped(t *testing.T, plan *Plan, m *mapping.Resolved, args ...string) string {
	t.Helper()
	mp := Mapping{Resolved: m, CPUs: slices.Repeat([]int{-1}, len(m.Platform.Processors)), Spin: 10}
	path := filepath.Join(t.TempDir(), "mapping")
	if err := os.WriteFile(path, []byte(mp.Text()), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	_, status, err := plan.Recorder.Timed(context.Background(), plan.Parallel, args, record.Streams{Stdout: &out, Stderr: &out}, "PATHSPAN_MAPPING="+path)
	if err != nil || status != (record.Status{}) {
		t.Fatalf("%v, %v: %s\n%s", err, status, out.String(), mp.Text())
	}
	return out.String()
}

// checkThreads holds the threads of a region with one loop, as members of the team, to the
// mapping. Where chunks go to who asks first, each went to one thread.
func checkThreads(t *testing.T, what string, m *mapping.Resolved, region, n, chunk int, got []string) {
	t.Helper()
	rm := &m.Regions[region]
	l, team := rm.Loops[0], rm.Proc[0][:rm.Loops[0].Threads]
	members := []int{m.Serial}
	for _, p := range team {
		if p != m.Serial {
			members = append(members, p)
		}
	}
	if loopNames[region] == "collapse" {
		n = n / 4 * 4
	}
	who := make([]int, n)
	if len(got) != n {
		t.Fatalf("%s: %d iterations", what, len(got))
	}
	for i, word := range got {
		number, err := strconv.Atoi(word)
		if err != nil || number >= len(members) {
			t.Fatalf("%s: iteration %d: thread %s of %d", what, i, word, len(members))
		}
		if who[i] = slices.Index(team, members[number]); who[i] < 0 {
			t.Fatalf("%s: iteration %d was executed outside of the loop's team: %v", what, i, got)
		}
	}
	s := l.Schedule
	if l.Computed {
		s.Chunk = int64(chunk)
	}
	want := make([]int, n)
	put := func(thread int, c loops.Chunk) {
		for i := c.Begin; i < c.End; i++ {
			want[i] = thread
		}
	}
	switch {
	case l.Shares != nil:
		for thread, c := range loops.Weighted(int64(n), l.Shares) {
			put(thread, c)
		}
	case s.Kind == loops.Static:
		for thread := range l.Threads {
			for c := range s.Share(int64(n), l.Threads, thread).All() {
				put(thread, c)
			}
		}
	default:
		for d := loops.NewDispenser(s, int64(n), l.Threads); ; {
			c, more := d.Next()
			if !more {
				break
			}
			put(who[c.Begin], c)
		}
	}
	if !slices.Equal(who, want) {
		t.Fatalf("%s, %s on %v: threads\n%v, want\n%v", what, s, team, who, want)
	}
}
