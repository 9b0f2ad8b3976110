package record

// This file tests where things of programs lie: in the same place each time, or a note says that they do not.

import (
	"bytes"
	"os"
	"strings"
	"syscall"
	"testing"
)

func TestSystemsThatChooseAddresses(t *testing.T) {
	set := personality
	how, _ := os.ReadFile("/proc/sys/kernel/randomize_va_space")
	random := !strings.HasPrefix(string(how), "0") // where nothing is at random, nothing need be refused
	defer func() { personality = set }()
	for name, c := range map[string]struct {
		refuses func(to uintptr) bool
		noted   bool
	}{
		"a system that lets it be asked for": {func(to uintptr) bool { return false }, false},
		"a container that refuses":           {func(to uintptr) bool { return to != ^uintptr(0) }, true},
		"one that refuses all of it":         {func(to uintptr) bool { return true }, true},
	} {
		personality = func(to uintptr) (uintptr, syscall.Errno) {
			if c.refuses(to) {
				return 0, syscall.EPERM
			}
			return set(to)
		}
		for _, memory := range []bool{true, false} {
			r, built := buildC(t, "1", "int main(void) { volatile int a = 1; return a - 1; }\n")
			if memory {
				opt := built.Options
				opt.Memory = true
				var err error
				if built, err = r.Build(t.Context(), opt); err != nil {
					t.Fatal(err)
				}
			}
			bundle, _, err := r.Run(t.Context(), built, nil, Streams{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{}})
			if err != nil {
				t.Fatal(err)
			}
			if noted := strings.Contains(strings.Join(bundle.Notes, "\n"), "had its addresses by chance"); noted != (c.noted && memory && random) {
				t.Errorf("%s, memory %t: notes are %q", name, memory, bundle.Notes)
			}
		}
		if was, errno := set(^uintptr(0)); errno == 0 && was&noRandomize != 0 {
			t.Errorf("%s: threads of ours are left so", name)
		}
	}
}
