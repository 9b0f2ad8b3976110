package record

// This file holds what a profile keeps of tasks to what libomp does with the same programs:
// how many of each were made, and that what was told to wait for another ran behind it.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/ir"
	"pathspan/profile"
)

// withLibomp builds a program with libomp, and runs it on four threads. It skips the test where there
// is none.
func withLibomp(t *testing.T, source string) func(which int) []string {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skipf("no compiler to run libomp with: %v", err)
	}
	exe := filepath.Join(t.TempDir(), "tasks")
	if out, err := exec.Command(tc.Clang, "-w", "-O1", "-fopenmp=libomp", "-idirafter", "../runtime/include", source, "-o", exe).CombinedOutput(); err != nil {
		if !bytes.Contains(out, []byte("-lomp")) {
			t.Fatalf("%v\n%s", err, out)
		}
		t.Skipf("%s has no libomp to link with (Debian: apt-get install libomp-%d-dev)", tc.Clang, tc.Version)
	}
	return func(which int) []string {
		cmd := exec.Command(exe, fmt.Sprint(which))
		cmd.Env = append(os.Environ(), "OMP_NUM_THREADS=4", fmt.Sprintf("LD_LIBRARY_PATH=/usr/lib/llvm-%d/lib", tc.Version))
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("program %d with libomp: %v", which, err)
		}
		return strings.Split(strings.TrimSpace(string(out)), "\n")
	}
}

// tasksOfLibomp runs a program of tasks.c: how many it made of each, and when they began and ended.
func tasksOfLibomp(t *testing.T) func(which int) (made string, times [][2]int) {
	lines := withLibomp(t, "testdata/tasks.c")
	return func(which int) (made string, times [][2]int) {
		all := lines(which)
		for _, l := range all[1:] {
			var x [2]int
			fmt.Sscan(l, &x[0], &x[1])
			times = append(times, x)
		}
		return strings.TrimSpace(all[0]), times
	}
}

// madeBy counts the tasks of a bundle that were followed, by place in the source.
func madeBy(b *profile.Bundle) string {
	n := make([]uint64, len(b.Program.Tasks))
	for i := range b.Executions.Entries {
		if x := &b.Executions.Entries[i]; x.OfTasks {
			if t, _ := x.Task(b.Program); t >= 0 {
				n[t] += x.Count
			}
		}
	}
	return strings.Trim(fmt.Sprint(n), "[]")
}

// workOfRoots is all work, of all kinds.
func workOfRoots(x *profile.Executions) float64 {
	sum := 0.0
	works := x.Works()
	for _, r := range x.Roots {
		for _, w := range works[r.Entry] {
			sum += w * float64(r.Count)
		}
	}
	return sum
}

// waitsOf lists for which elder siblings the tasks wait that the first section makes, by
// their order.
func waitsOf(b *profile.Bundle) (waits [][]uint64) {
	x := b.Executions
	var read func(lane []profile.ExecutionPart)
	read = func(lane []profile.ExecutionPart) {
		for _, p := range lane {
			for range p.Times {
				if p.Entry < 0 {
					continue
				}
				in := &x.Entries[p.Entry]
				switch task, form := in.Task(b.Program); {
				case form == ir.Piece:
					read(in.Lanes[0])
				case form == ir.Dependent && len(x.Entries[in.Lanes[1][0].Entry].Lanes) > 0:
					waits = append(waits, x.WaitsFor(in, b.Program))
				case task >= 0:
					waits = append(waits, nil)
				}
			}
		}
	}
	for i := range x.Entries {
		if e := &x.Entries[i]; !e.OfTasks && len(e.Lanes) == 1 {
			read(e.Lanes[0])
		}
	}
	return waits
}

func TestTasksAreThoseOfLibomp(t *testing.T) {
	libomp := tasksOfLibomp(t)
	r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
	built, err := r.Build(context.Background(), Options{Sources: []string{"testdata/tasks.c"}, Level: "2"})
	if err != nil {
		t.Fatal(err)
	}
	for i, task := range built.Program.Tasks {
		if want := task.Name == "tasks.c:untied/task1"; task.Untied != want {
			t.Errorf("task %d, %s: untied %v, want %v", i, task.Name, task.Untied, want)
		}
		if want := task.Line == 125; task.Priority != want {
			t.Errorf("task %d, %s: a priority %v, want %v", i, task.Name, task.Priority, want)
		}
	}
	for which := range 10 {
		b, _, err := r.Run(context.Background(), built, []string{fmt.Sprint(which)}, Streams{Stdout: io.Discard, Stderr: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		want, _ := libomp(which)
		if got := madeBy(b); got != want {
			t.Errorf("program %d made %s, with libomp %s", which, got, want)
		}
		for depth := 1; depth <= 4; depth++ { // as if tasks were final, all is there
			final, ok := b.WithTaskCutOff(profile.TaskCutOff{Final: depth})
			if err := final.Check(); err != nil || !ok {
				t.Errorf("program %d, final from %d: %v", which, depth, err)
			}
			if got, want := workOfRoots(final.Executions), workOfRoots(b.Executions); math.Abs(got-want) > 1e-9*want {
				t.Errorf("program %d, final from %d: work %v, want %v", which, depth, got, want)
			}
		}
		if which != 3 && which != 4 {
			continue
		}
		waits := waitsOf(b)
		for range 5 {
			_, times := libomp(which)
			if len(times) != len(waits) {
				t.Fatalf("program %d has %d tasks, with libomp %d", which, len(waits), len(times))
			}
			for i := range waits {
				for _, d := range waits[i] {
					if before := i - int(d); times[before][1] > times[i][0] {
						t.Errorf("program %d: task %d waits for %d, but with libomp it began at %d, when that was under way until %d", which, i, before, times[i][0], times[before][1])
					}
				}
			}
		}
	}
}
