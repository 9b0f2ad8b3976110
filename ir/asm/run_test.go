package asm_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/ir/asm"
)

// counters is linked to the edited program: it counts and prints at exit.
const counters = `#include <stdio.h>
#include <stdlib.h>
static unsigned long n[100000];
static void print(void) { for (int i = 0; i < 100000; i++) if (n[i]) fprintf(stderr, "%d %lu\n", i, n[i]); }
void edge_hit(int i) { static int on; if (!on) { on = 1; atexit(print); } n[i]++; }
`

// A program with a counter on every edge and in every block does what it did
// before, and each block runs as often as its edges in.
func TestEdgesRun(t *testing.T) {
	for _, s := range samples(t) {
		if s.debug || s.source != "control.c" && s.source != "small.cc" {
			continue
		}
		t.Run(s.name(), func(t *testing.T) {
			t.Parallel()
			m := s.named(t)
			plain := execute(t, s, m.Bytes())
			if err := m.AddDecl(hit); err != nil {
				t.Fatal(err)
			}
			n := 0
			number := func() string { n++; return fmt.Sprintf("call void @edge_hit(i32 %d)", n) }
			edgesIn := map[int][]int{} // edge counters by block counter
			for _, f := range m.Funcs() {
				block := map[string]int{}
				uncounted := map[string]bool{}
				blocks := slices.Clone(f.Blocks)
				for _, b := range blocks {
					if err := b.InsertAtStart(number()); err != nil {
						t.Fatal(err)
					}
					block[b.Name()] = n
				}
				for _, b := range blocks {
					for k, to := range b.Succs() {
						_, err := f.InsertOnEdge(b, k, number())
						if errors.Is(err, asm.ErrUnsplittable) {
							uncounted[to] = true
							continue
						}
						if err != nil {
							t.Fatal(err)
						}
						edgesIn[block[to]] = append(edgesIn[block[to]], n)
					}
				}
				for to := range uncounted {
					delete(edgesIn, block[to])
				}
			}
			got := execute(t, s, m.Bytes())
			if got.out != plain.out || got.status != plain.status {
				t.Errorf("prints %q and ends with %d, was %q and %d", got.out, got.status, plain.out, plain.status)
			}
			count := map[int]int{}
			for line := range strings.Lines(got.err) {
				var i, c int
				if _, err := fmt.Sscan(line, &i, &c); err == nil {
					count[i] = c
				}
			}
			if len(count) < 10 {
				t.Errorf("only %d counters were hit", len(count))
			}
			for b, edges := range edgesIn {
				sum := 0
				for _, e := range edges {
					sum += count[e]
				}
				if sum != count[b] {
					t.Errorf("block %d ran %d times, its edges %v %d times", b, count[b], edges, sum)
				}
			}
		})
	}
}

type result struct {
	out, err string
	status   int
}

func execute(t *testing.T, s *sample, module []byte) result {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"m.ll": string(module), "c.c": counters} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := run(nil, dir, "clang++-"+s.version, "-w", "-O0", "-o", "prog", "m.ll", "-x", "c", "c.c"); err != nil {
		t.Fatal(err)
	}
	return start(t, filepath.Join(dir, "prog"))
}

func start(t *testing.T, program string) result {
	t.Helper()
	procs <- struct{}{}
	defer func() { <-procs }()
	var out, stderr strings.Builder
	c := exec.Command(program)
	c.Stdout, c.Stderr = &out, &stderr
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return result{out.String(), stderr.String(), c.ProcessState.ExitCode()}
}
