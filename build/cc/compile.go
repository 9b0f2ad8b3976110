package cc

// This file compiles sources to objects that carry their modules.

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/build/record"
)

// compileAll does -c: an object of each source. As clang does, it goes on after a
// source with errors.
func (d *Driver) compileAll(ctx context.Context) (int, error) {
	status := 0
	if d.cmd.output != "" && d.cmd.sources() > 1 {
		return d.clang(ctx, d.cmd.all()) // clang says what is wrong
	}
	for i := range d.cmd.items {
		it := &d.cmd.items[i]
		if it.kind != inputItem || it.lang == "" {
			continue
		}
		output := d.cmd.output
		if output == "" {
			output = stem(it.value) + ".o"
		}
		s, err := d.compile(ctx, i, output, output, true)
		if err != nil {
			return 1, err
		}
		if s != 0 && status == 0 {
			status = s
		}
	}
	return status, nil
}

func stem(path string) string {
	base := filepath.Base(path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// all returns the whole command line again.
func (c *Command) all() []string {
	var out []string
	for _, it := range c.items {
		if it.kind == linkerItem {
			out = append(out, it.given...)
			continue
		}
		out = append(out, it.words...)
	}
	return out
}

// compile makes the object of one input. Dependency files name target; loud says
// whether unused arguments are worth a warning.
func (d *Driver) compile(ctx context.Context, input int, object, target string, loud bool) (int, error) {
	it := d.cmd.items[input]
	quiet := []string{"-Qunused-arguments"}
	if loud {
		quiet = nil
	}
	if !carriesIR(it.lang) {
		args := append(append(d.cmd.compileArgs(input, nil), quiet...), d.cmd.dependArgs(it, target)...)
		return d.clang(ctx, append(args, "-c", "-o", object))
	}
	r := Record{Header: Header{Clang: d.tc.Full, Major: d.tc.Version, Source: it.value, CXX: d.CXX || hasPrefix(it.lang, "c++"), Level: d.cmd.level}}
	if r.Header.Level == "" {
		r.Header.Level = "0"
	}
	source, stdin, err := d.source(it.value)
	if err != nil {
		return d.clang(ctx, append(d.cmd.compileArgs(input, nil), "-c")) // clang says what is wrong
	}
	r.Header.SHA256 = fmt.Sprintf("%x", sha256.Sum256(source))
	include, err := (&record.Recorder{}).Headers()
	if err != nil {
		return 1, err
	}
	module := d.path(fmt.Sprintf("%d.bc", input))
	front := d.cmd.compileArgs(input, frontEnd)
	flags := d.tc.ModuleFlags(r.Header.Level, d.cmd.openmp, include)
	if r.Header.Names = d.Settings.Memory; r.Header.Names {
		flags = append(flags, record.KeepNames)
	}
	overlay, explain, err := d.mark(ctx, it.value, slices.Concat(front, flags), &r.Header)
	if err != nil {
		remove(object)
		return 1, err
	}
	args := slices.Concat(front, quiet, d.cmd.dependArgs(it, target), flags, overlay, []string{"-c", "-emit-llvm", "-o", module})
	var status int
	if explain != nil {
		status, err = d.compileMarked(ctx, args, explain)
	} else {
		status, err = d.tool(ctx, args, stdin, d.Stdout, d.Stderr)
	}
	if err != nil || status != 0 {
		remove(object)
		return status, err
	}
	native := d.path(fmt.Sprintf("%d.o", input))
	args = append(d.cmd.compileArgs(-1, backEnd), "-Qunused-arguments", "-Wno-override-module", "-c", "-o", native, "-x", "ir")
	if optimised, ok := d.optimised(ctx, fmt.Sprintf("%d.bc", input), r.Header); ok {
		args = append(args, optimised, "-Xclang", "-disable-llvm-passes")
	} else {
		args = append(args, module)
	}
	status, err = d.tool(ctx, args, nil, d.Stdout, d.Stderr)
	if err != nil || status != 0 {
		remove(object)
		return status, err
	}
	data, err := os.ReadFile(native)
	if err != nil {
		return 1, err
	}
	r.Header.Flags, r.Header.Defines = d.cmd.userFlags(), definitions(data)
	if r.Module, err = os.ReadFile(module); err != nil {
		return 1, err
	}
	section, err := r.encode()
	if err != nil {
		return 1, err
	}
	if data, err = appendSection(data, SectionName, section); err != nil {
		return 1, fmt.Errorf("%s: its object is %w; only such programs are profiled, so build without: %s=plain", it.value, err, EnvMode)
	}
	return 0, place(object, data, 0o666)
}

// optimised optimises a module as programs that hold it are optimised, so that it is done
// once for its native code and for them all. It reports false where clang is to do it: at
// -O0, and where the command line says more of how than its level.
func (d *Driver) optimised(ctx context.Context, module string, h Header) (string, bool) {
	if h.Level == "0" || d.cmd.lto || d.cmd.steersPasses() {
		return "", false
	}
	r := &record.Recorder{Toolchain: d.tc, Dir: d.work}
	file, ok, err := r.Optimised(ctx, module, h.Source, record.Options{Level: h.Level, Vectorize: d.Settings.Vectorize, Memory: d.Settings.Memory})
	return file, ok && err == nil
}

// steersPasses reports options of clang that say what the optimiser does or tells.
func (c *Command) steersPasses() bool {
	for _, it := range c.items {
		if it.kind == flagItem && hasPrefix(it.words[0], "-mllvm", "-Xclang", "-fplugin", "-fpass-plugin", "-Rpass", "-fsave-optimization-record", "-foptimization-record") {
			return true
		}
	}
	return false
}

// source reads a source, and returns what clang reads in its place: standard input can
// be read only once.
func (d *Driver) source(path string) ([]byte, io.Reader, error) {
	if path != "-" {
		data, err := os.ReadFile(path)
		return data, d.Stdin, err
	}
	data, err := io.ReadAll(d.Stdin)
	return data, bytes.NewReader(data), err
}

// remove takes away an output that would be taken for the result of a compilation that
// failed.
func remove(path string) {
	if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
		os.Remove(path)
	}
}
