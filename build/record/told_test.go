package record

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ending is a program that uses memory in three loops, and in between does what it is told to.
const ending = `#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static int a[1 << 14];
static jmp_buf back;
static void jump(int sig) { siglongjmp(back, sig); }
static long work(int n) {
  long t = 0;
  for (int r = 0; r < n; r++)
    for (int i = 0; i < 1 << 14; i++) {
      a[i] += i ^ r;
      t += a[i * 7 & ((1 << 14) - 1)];
    }
  return t;
}
int main(int argc, char **argv) {
  long t = work(9);
  const char *what = argv[1];
  if (!strcmp(what, "fork")) {
    for (int k = 0; k < 2; k++)
      if (!fork()) exit(work(9) != 0);
    while (wait(0) > 0) {}
  } else if (!strcmp(what, "vfork")) {
    if (!vfork()) {
      work(2);
      _exit(0);
    }
  } else if (!strcmp(what, "jump")) {
    signal(SIGSEGV, jump);
    for (volatile int k = 0; k < 3; k++)
      if (!sigsetjmp(back, 1)) *(volatile int *)8 = 1;
  } else if (!strcmp(what, "abort")) {
    abort();
  } else if (!strcmp(what, "fault")) {
    *(volatile int *)8 = 1;
  } else if (!strcmp(what, "_exit")) {
    _exit(3);
  } else if (!strcmp(what, "quick_exit")) {
    quick_exit(4);
  }
  t += work(9);
  if (!strcmp(what, "nothing")) { /* how many threads there are */
    char line[256];
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
      if (!strncmp(line, "Threads:", 8)) fputs(line, stdout);
  }
  return t == 1;
}
`

// TestCellsByAnotherThread runs programs of which another thread keeps the cells, and of which none does: what they tell
// is the same, byte for byte, however they end.
func TestCellsByAnotherThread(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("skipped: there is no such thread on this machine")
	}
	if out, err := exec.Command("setarch", "-R", "true").CombinedOutput(); err != nil {
		t.Skipf("skipped: setarch -R: %v: %s", err, out)
	}
	r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
	source := filepath.Join(t.TempDir(), "ending.c")
	if err := os.WriteFile(source, []byte(ending), 0o600); err != nil {
		t.Fatal(err)
	}
	b, err := r.Build(t.Context(), Options{Sources: []string{source}, Level: "2", Memory: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{"nothing", "fork", "vfork", "jump", "abort", "fault", "_exit", "quick_exit"} {
		told := func(thread string) []byte {
			file := r.path("raw.told")
			os.Remove(file)
			cmd := exec.Command("setarch", "-R", b.Executable, what)
			cmd.Env = []string{"PATHSPAN_FILE=" + file, "PATHSPAN_MEMORY_THREAD=" + thread, "REST=" + strings.Repeat("-", 4-len(thread))} // so that the stack lies where it lay
			var out bytes.Buffer
			cmd.Stdout = &out
			status := cmd.Run()
			if want := map[string]string{"off": "Threads:\t1\n", "on": "Threads:\t2\n"}[thread]; what == "nothing" && out.String() != want {
				t.Errorf("%s: the program has %q, want %q", thread, &out, want)
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatalf("%s: %v: %v", what, status, err)
			}
			return raw
		}
		if one, two := told("off"), told("on"); !bytes.Equal(one, two) {
			t.Errorf("%s: by two threads it tells %d bytes that differ from the %d by one", what, len(two), len(one))
		}
	}
}
