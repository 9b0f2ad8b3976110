package record

// This file holds the two ways in which lines of memory are found to each other: by the address,
// as programs of this machine find them, and in a table, as those of others do.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pathspan/testdata/programs"
)

// TestLinesInATable runs programs that find lines in a table on this machine, too: what they tell is
// the same, byte for byte, but for which lines share sets, as the table moves what lies behind it.
func TestLinesInATable(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("skipped: this machine finds lines in a table")
	}
	if out, err := exec.Command("setarch", "-R", "true").CombinedOutput(); err != nil {
		t.Skipf("skipped: setarch -R: %v: %s", err, out)
	}
	list, err := programs.Load(testdata)
	if err != nil {
		t.Fatal(err)
	}
	tc := anyLLVM(t)
	for _, p := range list {
		if !slices.Contains([]string{"dijkstra-all", "features/variadic", "openmp/objects", "features/state_machine"}, p.Name) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			opt, run := optionsOf(p, "2"), p.Small()
			opt.Memory = true
			r := &Recorder{Toolchain: tc, Dir: t.TempDir()}
			b, err := r.Build(t.Context(), opt)
			if err != nil {
				t.Fatal(err)
			}
			module, err := r.joinInlined(t.Context(), b, "5-probes.ll")
			if err != nil {
				t.Fatal(err)
			}
			object := func(source, flag string) string {
				o, err := r.object(t.Context(), source, flag)
				if err != nil {
					t.Fatal(err)
				}
				return o
			}
			withoutSets := object("memoryfile.c", "-DPATHSPAN_WITHOUT_SETS")
			linked := func(folder string, objects ...string) string {
				b := *b
				b.objects = append(slices.Clone(b.objects), objects...)
				b.Executable = strings.TrimSuffix(b.Executable, b.name()) + folder + "/" + b.name()
				if err := os.MkdirAll(filepath.Dir(b.Executable), 0o755); err != nil {
					t.Fatal(err)
				}
				others := slices.DeleteFunc(b.runtime(), func(source string) bool {
					return source == "memoryfile.c" || source == "memory.c" && len(objects) > 1
				})
				if err := r.link(t.Context(), &b, module, b.Executable, others...); err != nil {
					t.Fatal(err)
				}
				return b.Executable
			}
			at := b.Executable + ".at" // both are run by this name, for what is on the stack with it
			told := func(exe string) []byte {
				os.Remove(at)
				os.Remove(r.path("raw.told"))
				if err := os.Link(exe, at); err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				cmd := exec.Command("setarch", append([]string{"-R", at}, run.Args...)...) // else addresses differ each time
				cmd.Stdin, cmd.Stdout, cmd.Stderr = streamsOf(t, run, &out).Stdin, &out, &out
				cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+r.path("raw.told"))
				status := cmd.Run()
				raw, err := os.ReadFile(r.path("raw.told"))
				if err != nil {
					t.Fatalf("%v; %v: %s", err, status, out.Bytes())
				}
				return raw
			}
			if want, got := told(linked("map", withoutSets)), told(linked("table", withoutSets, object("memory.c", "-DPATHSPAN_LINES_IN_TABLE"))); !bytes.Equal(got, want) {
				t.Errorf("in a table it tells %d bytes that differ from the %d else", len(got), len(want))
			}
		})
	}
}
