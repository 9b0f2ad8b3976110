package profile

// This file holds the library's arithmetic, which does without 128-bit integers, to math/bits.

import (
	"bytes"
	"fmt"
	"math/bits"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// sharesProgram reads sums, shares and wholes, and works and grids, and prints what they give.
const sharesProgram = `
#include "executions.h"
#include <inttypes.h>
#include <stdio.h>
const u64 __pathspan_meter_count;
const u32 __pathspan_meter_weights[1];
u32 __pathspan_grid(const struct forest *f, u32 region) { return 0; }
int main(void) {
  u64 a, n, c;
  while (scanf("%" SCNu64 "%" SCNu64 "%" SCNu64, &a, &n, &c) == 3)
    printf("%" PRIu64 " %u\n", __pathspan_share(a, n, c), (unsigned)__pathspan_cell(a, 1u << (n % 10)));
}
`

func TestSharesAndCells(t *testing.T) {
	tc, err := toolchain.Find("")
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "shares.c"), filepath.Join(dir, "shares")
	if err := os.WriteFile(source, []byte(sharesProgram), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tc.Run(t.Context(), toolchain.Cmd{Path: tc.Clang, Args: []string{"-O1", "-I", "../build/runtime", source, "../build/runtime/forest.c", "-o", exe}}); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewSource(1))
	word := func() uint64 { return r.Uint64() >> r.Intn(64) }
	var in strings.Builder
	var want []string
	for range 20000 {
		a, n, c := word(), word(), word()
		switch r.Intn(4) {
		case 0:
			c = n
		case 1:
			a, c = ^uint64(0), ^uint64(0)
		}
		if n > c {
			n, c = c, n
		}
		if c == 0 {
			c = 1
		}
		fmt.Fprintln(&in, a, n, c)
		hi, lo := bits.Mul64(a, n)
		share := a
		if n < c {
			share, _ = bits.Div64(hi, lo, c)
		}
		want = append(want, fmt.Sprintf("%d %d", share, uint16(cell(a, 1<<(n%10)))))
	}
	cmd := exec.Command(exe)
	cmd.Stdin = strings.NewReader(in.String())
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	cases := strings.Split(strings.TrimSpace(in.String()), "\n")
	for i, line := range bytes.Split(bytes.TrimSpace(out), []byte("\n")) {
		if string(line) != want[i] {
			t.Fatalf("%s: share and cell %s, want %s", cases[i], line, want[i])
		}
	}
	if n := bytes.Count(out, []byte("\n")); n != len(want) {
		t.Errorf("%d answers to %d", n, len(want))
	}
}
