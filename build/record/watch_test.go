package record

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"pathspan/estimate"
)

// A section that waits for the one behind it never ends where they run one after another.
const spins = `static volatile int ready, value;
static int consumed;
int main(void)
{
    #pragma omp parallel sections
    {
        #pragma omp section
        {
            while (!ready)
                ;
            consumed = value;
        }
        #pragma omp section
        {
            value = 42;
            ready = 1;
        }
    }
    return consumed;
}
`

func TestSectionThatWaits(t *testing.T) {
	tc := anyLLVM(t)
	every, long := watchEvery, watchLong
	watchEvery, watchLong = 10*time.Millisecond, 50*time.Millisecond
	t.Cleanup(func() { watchEvery, watchLong = every, long })
	source := filepath.Join(t.TempDir(), "spins.c")
	if err := os.WriteFile(source, []byte(spins), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, opt := range []Options{{Level: "0"}, {Level: "2"}, {Level: "2", PathsOnly: true}, {Level: "2", SelfContained: true}} {
		opt.Sources = []string{source}
		var said []string
		// The run is stopped as soon as the section is named.
		r := &Recorder{Toolchain: tc, Dir: t.TempDir(), Notice: func(text string) {
			said = append(said, text)
			stopChildren(t, "./spins")
		}}
		b, err := r.Build(context.Background(), opt)
		if err != nil {
			t.Fatal(err)
		}
		bundle, status, err := r.Run(context.Background(), b, nil, Streams{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)})
		if err != nil {
			t.Fatal(err)
		}
		const section = "section 1 of region spins.c:main#1 (line 9)"
		if len(said) != 1 || !strings.HasPrefix(said[0], section+" has been running for ") {
			t.Errorf("%+v: said %q", opt, said)
		}
		if status.Signal != syscall.SIGTERM {
			t.Errorf("%+v: the program %s", opt, status)
		}
		if _, err := estimate.Prepare(bundle, "main"); err == nil || !strings.Contains(err.Error(), "stopped by signal 15 (terminated) inside "+section) {
			t.Errorf("%+v: estimate said %v", opt, err)
		}
	}
}

// stopChildren ends the children of this process that run a command.
func stopChildren(t *testing.T, command string) {
	list, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		t.Error(err)
	}
	for _, name := range list {
		data, _ := os.ReadFile(name)
		for _, pid := range strings.Fields(string(data)) {
			line, _ := os.ReadFile("/proc/" + pid + "/cmdline")
			if !bytes.HasPrefix(line, []byte(command+"\x00")) {
				continue
			}
			var n int
			for _, c := range pid {
				n = 10*n + int(c-'0')
			}
			syscall.Kill(n, syscall.SIGTERM)
		}
	}
}
