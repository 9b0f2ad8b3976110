package cc

// This file builds the little programs by which configure scripts ask the compiler
// questions: natively, as one wants them fast, and as they would write profiles into
// the folder that is configured.

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/build/record"
)

// isTest reports whether names tell that a build system asks a question: autoconf's
// conftest, CMake's cmTC_ and its identification of compilers, Meson's checks.
func (c *Command) isTest() bool {
	named := func(path string) bool {
		path = filepath.ToSlash(path)
		base := filepath.Base(path)
		return hasPrefix(base, "conftest.", "conftest1.", "conftest2.", "conftstm.", "cmTC_", "CMakeCCompiler", "CMakeCXXCompiler") || base == "conftest" ||
			strings.Contains(path, "/cmTC_") || strings.Contains(path, "/CMakeScratch/") || strings.Contains(path, "/CMakeTmp/") ||
			strings.Contains(path, "meson-private/")
	}
	if named(c.output) {
		return true
	}
	return slices.ContainsFunc(c.items, func(it item) bool { return it.kind == inputItem && named(it.value) })
}

// test has clang do the command line, with OpenMP as profiled programs have it.
func (d *Driver) test(ctx context.Context) (int, error) {
	var args []string
	source := false
	for _, it := range d.cmd.items {
		if it.kind == flagItem && hasPrefix(it.words[0], "-fopenmp") && it.words[0] != "-fopenmp-simd" {
			continue
		}
		source = source || it.kind == inputItem && carriesIR(it.lang) && it.lang != "ir"
		args = append(args, it.words...)
	}
	if source && d.cmd.openmp {
		include, err := (&record.Recorder{}).Headers()
		if err != nil {
			return 1, err
		}
		// Not the driver's own flag: that would link a library that may not be there.
		args = append([]string{"-Xclang", "-fopenmp", "-idirafter", include}, args...)
	}
	if d.cmd.Action == Link {
		serial, err := d.serial(ctx)
		if err != nil {
			return 1, err
		}
		args = append(args, "-x", "none", serial)
	}
	return d.clang(ctx, args)
}
