package mca

// This file compares the model's figures with llvm-mca run by hand.

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// kernel is straight-line code without calls, which each processor runs from end to end.
const kernel = `
define i32 @kernel(i32 %a, i32 %b, i32 %c) {
entry:
  %x = mul i32 %a, %b
  %y = add i32 %x, %c
  %z = xor i32 %y, %a
  %d = sdiv i32 %z, 7
  %s = shl i32 %d, 3
  %r = sub i32 %s, %b
  ret i32 %r
}
`

// The figure of a block is what llvm-mca says of its code: llc and llvm-mca are run here
// with flags of this test's own, and the code is cut out without the package's reader.
func TestIsolatedBlock(t *testing.T) {
	eachLLVM(t, func(t *testing.T, tl *tools) {
		dir := t.TempDir()
		source := filepath.Join(dir, "kernel.ll")
		if err := os.WriteFile(source, []byte(kernel), 0o600); err != nil {
			t.Fatal(err)
		}
		cpus := shipped
		if tl.version == 16 || tl.version == 19 {
			cpus = cpus[:1] // the others' schedules are those of the oldest or the newest
		}
		for _, name := range cpus {
			m := open(t, map[string]string{"cpu": name, "llvm": strconv.Itoa(tl.version)})
			c := m.o.cpu
			target := []string{"-mtriple=" + c.triple, "-mcpu=" + c.name}
			if c.features != "" {
				target = append(target, "-mattr="+c.features)
			}
			code := output(t, tl.llc, append(target, "-O2", source, "-o", "-")...)
			if _, after, ok := strings.Cut(code, "%bb.0:"); ok {
				code = after[strings.IndexByte(after, '\n'):]
			} else {
				t.Fatalf("%s: no block in\n%s", name, code)
			}
			code, _, _ = strings.Cut(code, ".Lfunc_end0")
			asm := filepath.Join(dir, "kernel.s")
			if err := os.WriteFile(asm, []byte(code), 0o600); err != nil {
				t.Fatal(err)
			}
			cycles := func(n int) float64 {
				report := output(t, tl.mca, append(target, fmt.Sprintf("-iterations=%d", n), asm)...)
				return number(t, report, `Total Cycles:\s+(\d+)`)
			}
			got := price(t, m, parsed(t, kernel)).Blocks[0][0]
			if want := cycles(100) / 100; math.Abs(got.Cycles-want) > 1e-9 {
				t.Errorf("%s: typical %g, llvm-mca says %g", name, got.Cycles, want)
			}
			if want := math.Max(cycles(1), got.Cycles); math.Abs(got.Worst-want) > 1e-9 {
				t.Errorf("%s: worst %g, llvm-mca says %g", name, got.Worst, want)
			}
		}
	})
}

func output(t *testing.T, path string, args ...string) string {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", path, err, stderr.String())
	}
	return out.String()
}

func number(t *testing.T, text, pattern string) float64 {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %s in\n%s", pattern, text)
	}
	x, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Figures depend neither on how many processes share the work nor on the run.
func TestDeterministic(t *testing.T) {
	m := open(t, map[string]string{"cpu": "cortex-a53"})
	s := costed(t, toolchain.All()[0].Version, "cipher/cipher.c")
	one := price(t, m, s)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	if two := price(t, m, s); !reflect.DeepEqual(one, two) {
		t.Error("two runs differ")
	}
}

func TestInterrupted(t *testing.T) {
	m := open(t, map[string]string{"cpu": "cortex-a53"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Costs(ctx, parsed(t, kernel)); err == nil {
		t.Error("no error")
	}
}
