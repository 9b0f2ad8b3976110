package main

// This file measures what a large project costs to build with pathspan cc. `make bench`
// prints it.

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"pathspan/build/toolchain"
	"pathspan/testdata/large"
)

// BenchmarkDropInCompiler makes the large program with pathspan cc in
// place of the compiler, and reports wall time, the most memory of any one process, and
// the sizes of the executable and of the bundle that it writes.
func BenchmarkDropInCompiler(b *testing.B) {
	if len(toolchain.All()) == 0 {
		b.Skip(toolchain.ErrNoClang)
	}
	if _, err := exec.LookPath("make"); err != nil {
		b.Skip("skipped: make is not installed")
	}
	dir, bin := b.TempDir(), b.TempDir()
	files, lines := large.Size()
	if _, err := large.Write(dir, files, lines); err != nil {
		b.Fatal(err)
	}
	pathspan := filepath.Join(bin, "pathspan")
	if out, err := exec.Command("go", "build", "-o", pathspan, ".").CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	build := func(args ...string) {
		args = append([]string{"-s", "-C", dir, "-j" + strconv.Itoa(runtime.NumCPU()), "CC=" + pathspan + " cc"}, args...)
		if out, err := exec.Command("make", args...).CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, out)
		}
	}
	objects := []string{"main.o"}
	for i := range files - 1 {
		objects = append(objects, filepath.Join(large.Folder(i), large.File(i)+".o"))
	}
	stop := large.WatchMemory()
	var compile, link time.Duration
	for range b.N {
		build("clean")
		start := time.Now()
		build(objects...)
		compile += time.Since(start)
		start = time.Now()
		build("large")
		link += time.Since(start)
	}
	_, most := stop()
	b.ReportMetric(compile.Seconds()/float64(b.N), "s-compile")
	b.ReportMetric(link.Seconds()/float64(b.N), "s-link")
	b.ReportMetric(most, "MB-process")
	bundle := filepath.Join(bin, "large.pspan")
	cmd := exec.Command(filepath.Join(dir, "large"), "10")
	cmd.Env = append(os.Environ(), "PATHSPAN_FILE="+bundle)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	for name, unit := range map[string]string{cmd.Path: "MB-executable", bundle: "MB-bundle"} {
		info, err := os.Stat(name)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/1e6, unit)
	}
}
