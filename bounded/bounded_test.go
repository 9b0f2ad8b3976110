package bounded_test

// This file tests the bounds, and that nothing is read as a whole past them.

import (
	"bytes"
	"errors"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"

	"pathspan/bounded"
	"pathspan/testdata/sources"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	for _, size := range []int{0, 1, 511, 512, 513, 100_000} {
		want := bytes.Repeat([]byte("x"), size)
		if err := os.WriteFile(path, want, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, limit := range []int64{int64(size), int64(size) + 1, bounded.Text} {
			if got, err := bounded.ReadFile(path, limit); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bytes, limit %d: %d bytes, %v", size, limit, len(got), err)
			}
		}
		if size == 0 {
			continue
		}
		got, err := bounded.ReadRegular(path, int64(size)-1)
		if got != nil || !errors.As(err, &bounded.ErrTooLarge{}) {
			t.Errorf("%d bytes, limit %d: %d bytes, %v", size, size-1, len(got), err)
		}
	}
	for limit, says := range map[int64]string{100: "100 bytes", 1 << 20: "1 MiB", 1<<20 + 1: "1048577 bytes"} {
		_, err := bounded.ReadFile("/dev/zero", limit)
		if err == nil || err.Error() != "read /dev/zero: larger than "+says+", which no such file is" {
			t.Errorf("/dev/zero to %d: %v", limit, err)
		}
	}
	if says := (bounded.ErrTooLarge{Limit: bounded.Object}).Error(); says != "larger than 4 GiB, which no such file is" {
		t.Error(says)
	}
	if _, err := bounded.ReadFile(filepath.Join(dir, "none"), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := bounded.ReadFile(dir, 1); err == nil {
		t.Error("a folder is read")
	}
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := bounded.ReadRegular(pipe, 1); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a pipe that somebody else names: %v", err)
	}
	go os.WriteFile(pipe, []byte("through a pipe"), 0)
	if got, err := bounded.ReadFile(pipe, 100); err != nil || string(got) != "through a pipe" {
		t.Errorf("a pipe: %q, %v", got, err)
	}
	broken := errors.New("broken")
	if _, err := bounded.Read(iotest.ErrReader(broken), 3); err != broken {
		t.Error(err)
	}
}

// unbounded lists, by file, why it reads what it reads without a bound of ours.
var unbounded = map[string]string{
	"build/cc/archive.go":             "members that the linker took",
	"build/cc/compile.go":             "what clang just wrote or is to read",
	"build/cc/link.go":                "what the linker just wrote",
	"build/cc/linkargs.go":            "what the linker took",
	"build/cc/parts.go":               "what the linker took",
	"build/cc/program.go":             "what the linker took",
	"build/cc/record.go":              "bounded there",
	"build/cc/serial.go":              "an object that was just compiled",
	"build/record/build.go":           "sources that clang reads as well, and what it just wrote",
	"build/record/dropin.go":          "a header of ours",
	"build/record/watch.go":           "two words that the program writes",
	"procmodels/plugin/supervisor.go": "/proc",
	"procmodels/hostfit/host.go":      "/proc",
	"procmodels/scaffold/gomodule.go": "go.mod and go.sum of this module",
	"measure/cpus.go":                 "/sys",
	"cmd/pathspan/measure.go":         "/proc",
	"plugins/llvmmca/mca/compile.go":  "what llc just wrote",
	"plugins/llvmmca/mca/timer.go":    "what llvm-mca just wrote",
	"build/toolchain/cached.go":       "a file of ours in the user's cache",
}

// TestAllIsBounded reads pathspan's sources: what takes whole files or streams into
// memory does so here.
func TestAllIsBounded(t *testing.T) {
	found := map[string]bool{}
	sources.Each(t, "..", "bounded", func(name string, place func(ast.Node) string, n ast.Node) {
		s, ok := n.(*ast.SelectorExpr)
		if !ok {
			return
		}
		x, ok := s.X.(*ast.Ident)
		if ok && (x.Name == "os" && s.Sel.Name == "ReadFile" || x.Name == "io" && s.Sel.Name == "ReadAll" || x.Name == "ioutil") {
			found[name] = true
			if unbounded[name] == "" {
				t.Errorf("%s: %s.%s; read with package bounded", place(n), x.Name, s.Sel.Name)
			}
		}
	})
	for name := range unbounded {
		if !found[name] {
			t.Errorf("%s reads nothing without a bound: take it off the list", name)
		}
	}
}
