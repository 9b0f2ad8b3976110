package large

// This file tests that the program is as large as asked for, always the same, and that
// a compiler takes it.

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	var before []byte
	for range 2 {
		dir := t.TempDir()
		sources, err := Write(dir, 12, 5000)
		if err != nil {
			t.Fatal(err)
		}
		var all []byte
		for _, s := range sources {
			data, err := os.ReadFile(s)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data...)
		}
		if n := bytes.Count(all, []byte("\n")); len(sources) != 12 || n < 5000 || n > 5500 {
			t.Errorf("%d sources with %d lines", len(sources), n)
		}
		if before != nil && !bytes.Equal(all, before) {
			t.Error("it is another program the second time")
		}
		before = all
		cc, err := exec.LookPath("gcc")
		if err != nil {
			t.Skip("skipped: gcc is not installed")
		}
		args := append([]string{"-Wall", "-Werror=implicit", "-Wno-unused", "-O0", "-fopenmp", "-I" + dir, "-o", filepath.Join(dir, "large")}, sources...)
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil || len(out) > 0 {
			t.Fatalf("%v\n%s", err, out)
		}
		if out, err := exec.Command(filepath.Join(dir, "large"), "3").Output(); err != nil || len(out) < 2 {
			t.Errorf("it prints %q, %v", out, err)
		}
	}
}
