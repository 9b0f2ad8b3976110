package cc

// This file links: programs instrumented, shared objects natively with the modules of
// their objects.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/build/record"
	"pathspan/build/toolchain"
)

// objectOf names the temporary object of a source in a link.
func (d *Driver) objectOf(input int) string {
	return d.path(fmt.Sprintf("%d-%s.o", input, stem(d.cmd.items[input].value)))
}

func (d *Driver) link(ctx context.Context) (int, error) {
	output := d.cmd.output
	if output == "" {
		output = "a.out"
	}
	for _, it := range d.cmd.items {
		if _, err := os.Stat(it.value); it.kind == inputItem && it.value != "-" && err != nil {
			return d.clang(ctx, d.cmd.all()) // clang says what is wrong
		}
	}
	target := d.cmd.output
	for i := range d.cmd.items {
		it := &d.cmd.items[i]
		if it.kind != inputItem || it.lang == "" {
			continue
		}
		if target == "" {
			target = stem(it.value) + ".o"
		}
		status, err := d.compile(ctx, i, d.objectOf(i), target, false)
		if err != nil || status != 0 {
			return status, err
		}
		target = d.cmd.output
	}
	if d.cmd.shared {
		return d.linkShared(ctx, output)
	}
	plain := d.path(filepath.Base(output))
	if info, err := os.Stat(output); err == nil && !info.Mode().IsRegular() {
		status, _, _, err := d.linkProgram(ctx, output)
		return status, err
	}
	remove(output)
	status, list, serial, err := d.linkProgram(ctx, plain)
	if err != nil || status != 0 {
		return status, err
	}
	p, err := d.program(list, plain, serial)
	if err != nil {
		return 1, err
	}
	if err := d.cmd.linkDependencies(plain, output); err != nil {
		return 1, err
	}
	if len(p.modules) == 0 {
		d.warn("%s: none of its objects was compiled by pathspan cc, so it is not profiled", output)
		data, err := os.ReadFile(plain)
		if err != nil {
			return 1, err
		}
		return 0, place(output, data, 0o777)
	}
	if err := d.instrument(ctx, p, plain, output, serial); err != nil {
		remove(output)
		var failed *toolchain.Error
		if errors.As(err, &failed) && strings.Count(strings.TrimSpace(failed.Stderr), "\n") > 0 {
			io.WriteString(d.Stderr, failed.Stderr)
		}
		return 1, fmt.Errorf("%s cannot be profiled: %w; to build it without: %s=plain", output, err, EnvMode)
	}
	p.report(d, output)
	return 0, nil
}

// linkProgram links a program natively to output, and tells what the linker took and which
// OpenMP library, "" for none: few programs need one, and it is compiled when the first does.
func (d *Driver) linkProgram(ctx context.Context, output string) (status int, list []taken, serial string, err error) {
	if !slices.ContainsFunc(d.cmd.items, leavesUndefined) {
		var out, said bytes.Buffer
		without := *d
		without.Stdout, without.Stderr = &out, &said
		if status, list, err = without.plainLink(ctx, output, ""); err != nil || status == 0 {
			d.Stdout.Write(out.Bytes())
			d.Stderr.Write(said.Bytes())
			return status, list, "", err
		}
	}
	if serial, err = d.serial(ctx); err != nil {
		return 1, nil, "", err
	}
	status, list, err = d.plainLink(ctx, output, serial)
	return status, list, serial, err
}

// leavesUndefined reports options by which the linker may accept that a symbol is nowhere.
func leavesUndefined(it item) bool {
	return it.kind == linkerItem && (strings.Contains(it.value, "unresolved") || strings.Contains(it.value, "undef") || strings.Contains(it.value, "noinhibit"))
}

// plainLink links natively to output and tells what the linker took.
func (d *Driver) plainLink(ctx context.Context, output, serial string) (int, []taken, error) {
	var args []string
	sources, prints := false, false
	for i, it := range d.cmd.items {
		switch {
		case it.kind == inputItem && it.lang != "":
			sources = true
			args = append(args, d.objectOf(i))
			continue
		case it.kind == flagItem && !forLink(it):
			continue
		case it.kind == linkerItem:
			prints = prints || linkerPrints[it.value]
		}
		args = append(args, it.words...)
	}
	if sources {
		args = append(args, "-Qunused-arguments") // flags of the compilation
	}
	if serial != "" {
		args = append(args, serial)
	}
	args = append(append(args, "-o", output), traceFlags...)
	var out bytes.Buffer
	status, err := d.tool(ctx, args, d.Stdin, &out, d.Stderr)
	if prints {
		d.Stdout.Write(out.Bytes())
	}
	return status, readTrace(out.String()), err
}

// linkerPrints holds the linker's options that make it print what someone wants to see.
var linkerPrints = words("-t --trace -M --print-map --verbose -v -V --version --cref --print-gc-sections --stats --print-memory-usage")

// forLink reports whether an option is one that a link of objects needs. OpenMP's
// run-time library is ours.
func forLink(it item) bool {
	word := it.words[0]
	switch {
	case it.name == "-o", it.name == "--output", hasPrefix(word, "--output="), it.name == "-x", it.name == "--language", isDepend(it):
		return false
	}
	return !hasPrefix(word, "-flto", "-fthinlto", "-fopenmp", "-fwhole-program-vtables", "-fsplit-lto-unit", "-ffat-lto-objects")
}

// linkShared makes a shared object, and puts what it is made of into a section of it, so
// that a program linked with it can have it instrumented.
func (d *Driver) linkShared(ctx context.Context, output string) (int, error) {
	serial, err := d.serial(ctx)
	if err != nil {
		return 1, err
	}
	status, list, err := d.plainLink(ctx, output, serial)
	if err != nil || status != 0 {
		return status, err
	}
	parts, err := d.parts(list, output, serial)
	if err != nil {
		return 1, err
	}
	var section []byte
	modules := false
	for i := range parts {
		p := &parts[i]
		switch {
		case p.shared:
			continue
		case p.profiled():
			modules = true
		default:
			p.records = []Record{{Header: Header{Source: p.name, Native: true, Defines: definitions(p.data)}, Module: p.data}}
		}
		for j := range p.records {
			data, err := p.records[j].encode()
			if err != nil {
				return 1, err
			}
			section = append(section, data...)
		}
	}
	info, err := os.Stat(output)
	if !modules || err != nil || !info.Mode().IsRegular() {
		return 0, nil
	}
	data, err := os.ReadFile(output)
	if err != nil {
		return 1, err
	}
	if data, err = appendSection(data, SectionName, section); err != nil {
		return 1, fmt.Errorf("%s: %w; to build it without profiling: %s=plain", output, err, EnvMode)
	}
	return 0, place(output, data, 0o777)
}

// instrument builds the instrumented program and puts it in its place.
func (d *Driver) instrument(ctx context.Context, p *program, plain, output, serial string) error {
	exe := plain + ".profiled"
	// A shared object that is left out had a library of its own.
	if serial == "" && slices.ContainsFunc(slices.Concat(p.modules, p.natives), func(r Record) bool { return record.NamesOpenMP(r.Module) }) {
		var err error
		if serial, err = d.serial(ctx); err != nil {
			return err
		}
	}
	args, err := p.arguments(d, serial)
	if err != nil {
		return err
	}
	planned, marks, marked, err := p.plan(d, output)
	if err != nil {
		return err
	}
	notes, s := p.notes(d), d.Settings
	r := &record.Recorder{Toolchain: d.tc, Dir: d.work}
	var names []string
	for i, m := range p.modules {
		names = append(names, fmt.Sprintf("0-%d.bc", i))
		if err := os.WriteFile(d.path(names[i]), m.Module, 0o666); err != nil {
			return err
		}
	}
	_, err = r.Build(ctx, record.Options{Level: p.level, CFlags: p.flags(), PathsOnly: s.PathsOnly, Vectorize: s.Vectorize, Memory: s.Memory, Branches: s.Branches,
		Threads: s.Threads || p.threads(), SelfContained: true, Tool: s.Tool, Plan: planned,
		Link: &record.Link{Modules: names, Sources: p.sources(), Notes: notes, Foreign: p.foreignCode(), Plan: marks, Marked: marked, LTO: d.cmd.lto, CXX: d.CXX, Args: args, Output: exe}})
	if err != nil {
		return err
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		return err
	}
	return place(output, data, 0o777)
}
