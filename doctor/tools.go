package doctor

// This file looks for programs beside the compiler, and for what is kept on disk.

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"

	"pathspan/build/toolchain"
	"pathspan/procmodels/costcache"
	"pathspan/report"
)

// versions lists each LLVM with its tools.
func (r *Report) versions() {
	var withMCA int
	for _, t := range toolchain.All() {
		v := LLVM{Version: t.Version, Full: t.Full, Clang: t.Clang, ClangXX: t.ClangXX, Opt: t.Opt, Link: t.Link, Dis: t.Dis, Profdata: t.Profdata,
			LLC: t.Companion("llc"), MCA: t.Companion("llvm-mca")}
		r.LLVM = append(r.LLVM, v)
		if v.LLC != "" && v.MCA != "" {
			withMCA = max(withMCA, v.Version)
		}
	}
	if withMCA > 0 {
		r.add(Finding{Group: "models", State: OK, Text: fmt.Sprintf("llc and llvm-mca %d, for plugin:llvmmca", withMCA)})
		return
	}
	version := toolchain.Newest
	if len(r.LLVM) > 0 {
		version = r.LLVM[0].Version
	}
	r.add(Finding{Group: "models", State: Optional, Text: "llc and llvm-mca, for plugin:llvmmca: none", Packages: []string{fmt.Sprintf("llvm-%d", version)}})
}

// targets lists the machines that programs can be profiled for under an emulator.
func (r *Report) targets() {
	for _, t := range toolchain.Targets() {
		f := Finding{Group: "targets", State: OK, Text: fmt.Sprintf("%s: C and C++, run by %s", t.Name, t.Emulator()), Packages: t.Lacks(true, true)}
		if len(f.Packages) > 0 {
			f.State, f.Text = Optional, t.Name+": not all of C library, C++ library, linker and emulator"
		}
		r.add(f)
	}
}

// others are programs that pathspan does without, what for, and the Debian package.
var others = []struct {
	programs []string // any of them
	purpose  string
	pack     string
}{
	{[]string{"dot"}, "draws what graph writes in DOT", "graphviz"},
	{[]string{"make"}, "builds pathspan, and projects", "make"},
	{[]string{"cmake"}, "builds projects that use it; tests of such builds", "cmake"},
	{[]string{"xmllint"}, "tests of SHIM files against their schema", "libxml2-utils"},
	{[]string{"verilator"}, "tests of networks of FIFOs against hardware", "verilator"},
	{[]string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}, "tests of report pages", "chromium"},
	{[]string{"man"}, "shows the manual pages that pathspan man writes", "man-db"},
}

func (r *Report) python(ctx context.Context) {
	f := Finding{Group: "models", State: OK, Text: "Python's grpc and protobuf, for models written in Python"}
	// That of the system, which plugins name in their first line.
	python := "/usr/bin/python3"
	if _, err := os.Stat(python); err != nil {
		python = "python3"
	}
	if err := exec.CommandContext(ctx, python, "-c", "import grpc, google.protobuf").Run(); err != nil {
		f.State, f.Text, f.Packages = Optional, f.Text+": none", []string{"python3-grpcio", "python3-protobuf"}
	}
	r.add(f)
}

func (r *Report) tools() {
	for _, o := range others {
		f := Finding{Group: "other tools", State: Optional, Text: fmt.Sprintf("%s (%s): none", o.programs[0], o.purpose), Packages: []string{o.pack}}
		for _, name := range o.programs {
			if path, err := exec.LookPath(name); err == nil {
				f = Finding{Group: "other tools", State: OK, Text: fmt.Sprintf("%s (%s): %s", o.programs[0], o.purpose, path)}
				break
			}
		}
		r.add(f)
	}
}

// caches measures the folders that are kept between runs.
func (r *Report) caches() {
	c := costcache.FromEnvironment()
	if c == nil {
		r.add(Finding{Group: "cache", State: OK, Text: "nothing is kept between runs (" + costcache.Variable + "=off, or no folder for caches)"})
		return
	}
	for _, k := range []struct{ what, path string }{
		{"costs that plugins gave", c.Dir},
		{"run-time libraries", filepath.Join(filepath.Dir(c.Dir), "runtime")},
	} {
		x := Cache{What: k.what, Path: k.path}
		// What cannot be read is not counted.
		_ = filepath.WalkDir(k.path, func(_ string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			if info, err := d.Info(); err == nil {
				x.Files++
				x.Bytes += info.Size()
			}
			return nil
		})
		r.Caches = append(r.Caches, x)
		r.add(Finding{Group: "cache", State: OK, Text: fmt.Sprintf("%s: %s, %s, %s", x.What, x.Path, report.Count(x.Files, "file"), size(x.Bytes))})
	}
	dir := os.TempDir()
	f, err := os.CreateTemp(dir, "pathspan-doctor-")
	if err != nil {
		r.add(Finding{Group: "cache", State: Missing, Text: fmt.Sprintf("intermediate files cannot be written to %s; set TMPDIR to a folder that can be written", dir)})
		return
	}
	f.Close()
	os.Remove(f.Name())
	r.add(Finding{Group: "cache", State: OK, Text: "intermediate files go to " + dir})
}

func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d bytes", n)
}
