package record

// This file tests programs that write bundles with memory themselves: they tell what a profiled run tells, and the
// runs that one file adds up tell what their bundles tell when they are merged.

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"pathspan/memory"
	"pathspan/profile"
)

// remembering makes objects by other calls in each run, leaves data from section to section and through a lock, and has a
// child read what its parent wrote.
const remembering = `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <omp.h>
struct node { struct node *next; int value; };
static int table[64];
static omp_lock_t lock;
__attribute__((noinline)) static struct node *made(struct node *next, int v)
{
	struct node *n = malloc(sizeof *n);
	n->next = next;
	n->value = v;
	return n;
}
__attribute__((noinline)) static struct node *twice(struct node *l, int v) { return made(made(l, v), v + 1); }
__attribute__((noinline)) static int total(struct node *l)
{
	int s = 0;
	for (; l; l = l->next) s += l->value;
	return s;
}
__attribute__((noinline)) static int sum(void)
{
	int s = 0;
	for (int i = 0; i < 64; i++) s += table[i];
	return s;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4, a = 0, b = 0, shared = 0;
	const char *how = argc > 2 ? argv[2] : "";
	struct node *l = 0;
	omp_init_lock(&lock);
	for (int i = 0; i < n; i++) l = strchr(how, 't') ? twice(l, i) : made(l, i);
	for (int i = 0; i < 64; i++) table[i] = n * i;
#pragma omp parallel sections
	{
#pragma omp section
		{ a = total(l); if (strchr(how, 'l')) { omp_set_lock(&lock); shared += a; omp_unset_lock(&lock); } }
#pragma omp section
		{ b = sum(); omp_set_lock(&lock); shared += b; omp_unset_lock(&lock); }
	}
	if (strchr(how, 'f')) {
		if (fork() == 0) return sum() == 0;
		wait(0);
	}
	char text[40];
	snprintf(text, sizeof text, "%d %d %d", a, b, shared);
	puts(text);
	return 0;
}`

// communication is what a run tells of memory, but of lines, which hang on addresses.
func communication(d *memory.Data) *memory.Data {
	c := *d
	c.Reuse, c.Spans, c.Shared, c.Sets, c.Between, c.Fresh = nil, nil, nil, nil, nil, nil
	return &c
}

// bytesRead is what a function read.
func bytesRead(b *profile.Bundle, fn string) (n uint64) {
	for _, f := range b.Memory.Flows {
		if b.Program.Funcs[b.Memory.Places[f.To.Place].Func].Source == fn {
			n += f.Bytes
		}
	}
	return n
}

func TestSelfWrittenMemory(t *testing.T) {
	t.Parallel()
	source := filepath.Join(t.TempDir(), "remembering.c")
	if err := os.WriteFile(source, []byte(remembering), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &Recorder{Toolchain: anyLLVM(t), Dir: t.TempDir()}
	b, err := r.Build(t.Context(), Options{Sources: []string{source}, Level: "1", Memory: true, SelfContained: true})
	if err != nil {
		t.Fatal(err)
	}
	raw := withoutTemplate(t, r, b)
	run := func(b *Built) *profile.Bundle {
		bundle, _, err := r.Run(t.Context(), b, []string{"6", "tl"}, Streams{Stdout: &bytes.Buffer{}})
		if err != nil {
			t.Fatal(err)
		}
		return bundle
	}
	own, profiled := run(b), run(raw)
	if !reflect.DeepEqual(communication(own.Memory), communication(profiled.Memory)) {
		t.Errorf("by itself it tells %+v\nprofiled %+v", communication(own.Memory), communication(profiled.Memory))
	}
	if len(own.Memory.Reuse) == 0 || len(own.Memory.Paths) < 3 || len(own.Memory.Guards) != 2 || bytesRead(own, "sum") != 256 {
		t.Errorf("it tells little: %+v", own.Memory)
	}
	if !strings.Contains(strings.Join(own.Notes, "\n"), "by chance") && !reflect.DeepEqual(own.Memory, run(b).Memory) {
		t.Error("two runs that have the same addresses differ")
	}
	// Runs that meet other objects, calls and locks, in another order.
	runs := [][]string{{"3"}, {"5", "t"}, {"0", "l"}, {"9", "tl"}, {"4"}}
	dir := t.TempDir()
	for _, args := range runs {
		if o := runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=sum-%m.pspan"}, args...); o.stderr != "" {
			t.Fatalf("%q: %s", args, o.stderr)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(files) != 1 {
		t.Fatalf("files %q, %v", files, err)
	}
	got, want := readBundle(t, files[0]), sumOfSingles(t, b.Executable, runs)
	sameSum(t, "memory", got, want)
	if !reflect.DeepEqual(communication(got.Memory), communication(want.Memory)) {
		t.Errorf("runs in one file tell %+v\nmerged %+v", communication(got.Memory), communication(want.Memory))
	}
	if n := bytesRead(got, "sum"); n != 256*uint64(len(runs)) {
		t.Errorf("sum read %d bytes in %d runs", n, len(runs))
	}
	// A child reads what its parent wrote, and both tell of what they did themselves.
	dir = t.TempDir()
	runAlone(t, b.Executable, dir, []string{"PATHSPAN_FILE=%m.pspan"}, "2", "f")
	if files, _ = filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Fatalf("files %q", files)
	}
	if both := readBundle(t, files[0]); bytesRead(both, "sum") != 512 || bytesRead(both, "total") != bytesRead(readBundleOf(t, b, "2"), "total") {
		t.Errorf("with a child sum reads %d bytes, total %d", bytesRead(both, "sum"), bytesRead(both, "total"))
	}
}

// readBundleOf runs a program by itself and reads what it left.
func readBundleOf(t *testing.T, b *Built, args ...string) *profile.Bundle {
	t.Helper()
	dir := t.TempDir()
	runAlone(t, b.Executable, dir, nil, args...)
	return readBundle(t, filepath.Join(dir, "default.pspan"))
}
