package main

// This file profiles memory of the same program in different surroundings: everything has the same
// address, so that the bytes of profiles are the same.

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// The program's stack, heap, globals and arguments share sets of caches.
const scatteredAddresses = `#include <stdio.h>
#include <stdlib.h>
static int table[3000];
int main(int argc, char **argv) {
  int own[3000], sum = 0;
  for (int k = 1; k < 60; k++) {
    int *p = malloc(100 * k * sizeof *p);
    for (int i = 0; i < 100 * k; i++) p[i] = own[i % 3000] = i * k;
    for (int i = 0; i < 3000; i++) table[i] += own[i] + p[i % (100 * k)];
    for (int i = 1; i < argc; i++)
      for (char *c = argv[i]; *c; c++) sum += *c;
    if (k % 3) free(p);
  }
  printf("%d %d\n", sum, table[17]);
  return 0;
}
`

func TestSameBytesAnywhere(t *testing.T) {
	for _, triple := range append([]string{""}, namesOf(toolchain.Targets())...) {
		t.Run("on "+triple, func(t *testing.T) {
			args := []string{"profile", "-q", "--memory"}
			if triple != "" {
				emulated(t, triple)
				args = append(args, "--target", triple)
			}
			dir := t.TempDir()
			source := filepath.Join(dir, "app.c")
			writeText(t, dir, "app.c", scatteredAddresses)
			var want []byte
			for i, folder := range []string{"a", "b/longer/than/the/other", "a"} {
				at := filepath.Join(dir, folder)
				if err := os.MkdirAll(at, 0o755); err != nil {
					t.Fatal(err)
				}
				t.Chdir(at)
				for k := range 20 * i {
					t.Setenv("SOME_"+strings.Repeat("E", k), strings.Repeat("x", 17*i))
				}
				t.Setenv("TMPDIR", at)
				bundle := filepath.Join(at, "app.pspan")
				succeed(t, append(args, "-o", bundle, source, "--", "argument", "another")...)
				got, err := os.ReadFile(bundle)
				if err != nil {
					t.Fatal(err)
				}
				if says := succeed(t, "inspect", bundle); strings.Contains(says, "the system chose other addresses") {
					t.Skip("skipped: this system lets no program choose")
				}
				if want != nil && !bytes.Equal(got, want) {
					t.Errorf("in %s, as run %d, the profile differs", folder, i)
				}
				want = got
			}
		})
	}
}

func namesOf(targets []toolchain.Target) (names []string) {
	for _, t := range targets {
		names = append(names, t.Name)
	}
	return names
}

// TestTooMuchMemoryElsewhere has a program use more than 32 bits of addresses leave room for: one line says so.
func TestTooMuchMemoryElsewhere(t *testing.T) {
	emulated(t, "arm-linux-gnueabihf")
	dir := t.TempDir()
	writeText(t, dir, "app.c", `#include <stdlib.h>
int main(void) {
  size_t n = 400u << 20;
  char *p = malloc(n);
  for (size_t i = 0; i < n; i += 64) p[i] = 1;
  return p[n / 2] - 1;
}
`)
	bundle := filepath.Join(dir, "app.pspan")
	said := fail(t, "profile", "-q", "--memory", "--target", "arm-linux-gnueabihf", "-o", bundle, filepath.Join(dir, "app.c"))
	if !strings.Contains(said, "more than a profile of memory has room for on this machine") || strings.Contains(said, "exec") {
		t.Errorf("it says %q", said)
	}
	if _, err := os.Stat(bundle); err == nil {
		t.Error("a bundle was written")
	}
}
