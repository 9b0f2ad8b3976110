package cc

// This file makes the arguments of the last link: what modules stand for is left out,
// everything else stays where it was.

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// arguments returns the driver's arguments behind the program's own object.
func (p *program) arguments(d *Driver, serial string) ([]string, error) {
	var out []string
	var err error
	static := d.cmd.static
	for i, it := range d.cmd.items {
		path := ""
		switch it.kind {
		case inputItem:
			if path = it.value; it.lang != "" {
				path = d.objectOf(i)
				it.words = []string{path}
			}
		case libItem:
			path = d.cmd.resolve(it.value, static)
		case linkerItem:
			switch it.value {
			case "-Bstatic", "-dn", "-non_shared", "-static":
				static = true
			case "-Bdynamic", "-dy", "-call_shared":
				static = d.cmd.static
			}
			if linkerPrints[it.value] || strings.HasPrefix(it.value, dependencyFile) {
				continue
			}
			if !hasPrefix(it.value, "-") && isFile(it.value) {
				path = it.value
			}
		case flagItem:
			if !forLink(it) || it.words[0] == "-v" {
				continue
			}
		}
		words := it.words
		if path != "" {
			if words, err = p.replace(d, path, it.words); err != nil {
				return nil, err
			}
		}
		out = append(out, words...)
	}
	for i, n := range p.natives {
		file := d.path(fmt.Sprintf("native-%d.o", i))
		if err := os.WriteFile(file, n.Module, 0o666); err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	for _, name := range p.needed {
		if args := p.neededArgs(d, name); !containsAll(out, args) {
			out = append(out, args...)
		}
	}
	if serial != "" {
		out = append(out, serial)
	}
	return out, nil
}

func containsAll(list, words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(list, w) })
}

// replace returns what stands for a file of the command line: nothing for one whose
// modules are in the program, for an archive with modules the members without.
func (p *program) replace(d *Driver, path string, words []string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return words, nil // the linker finds it elsewhere
	}
	if !isArchive(data) {
		for i := range p.parts {
			if part := &p.parts[i]; part.member == "" && sameFile(part.file, path) && !p.foreign[i] {
				return nil, nil
			}
		}
		return words, nil
	}
	members, err := readArchive(path, data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	thin := make(map[string]bool)
	modules := false
	for _, m := range members {
		if m.path != "" {
			thin[m.path] = true
		}
		records, err := readSection(m.data)
		if err != nil {
			return nil, fmt.Errorf("%s(%s): %w", path, m.name, err)
		}
		modules = modules || len(records) > 0
	}
	if !modules {
		return words, nil
	}
	out := []string{}
	for i := range p.parts {
		part := &p.parts[i]
		of := part.member != "" && sameFile(part.file, path) || part.member == "" && thin[filepath.Clean(part.file)]
		if !of || !p.foreign[i] {
			continue
		}
		file := d.path(fmt.Sprintf("member-%d.o", i))
		if err := os.WriteFile(file, part.data, 0o666); err != nil {
			return nil, err
		}
		if !slices.Contains(out, file) {
			out = append(out, file)
		}
	}
	return out, nil
}

func sameFile(a, b string) bool {
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// dependencyFile has the linker write what it read, as make wants it.
const dependencyFile = "--dependency-file="

// linkDependencies puts the output's name for that of the plain link into such a file.
func (c *Command) linkDependencies(plain, output string) error {
	for _, it := range c.items {
		file, ok := strings.CutPrefix(it.value, dependencyFile)
		if it.kind != linkerItem || !ok {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil // the linker did not write it
		}
		if err := place(file, bytes.Replace(text, []byte(plain), []byte(output), 1), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// resolve returns the file of the project that -l means, or "".
func (c *Command) resolve(lib string, static bool) string {
	names := []string{"lib" + lib + ".so", "lib" + lib + ".a"}
	if exact, ok := strings.CutPrefix(lib, ":"); ok {
		names = []string{exact}
	} else if static {
		names = names[1:]
	}
	for _, dir := range c.libraryFolders() {
		for _, name := range names {
			if path := filepath.Join(dir, name); isFile(path) {
				return path
			}
		}
	}
	return ""
}

// libraryFolders lists where the command line has the linker look.
func (c *Command) libraryFolders() []string {
	var out []string
	for i, it := range c.items {
		switch {
		case it.name == "-L" || it.name == "--library-directory":
			out = append(out, it.value)
		case it.kind != linkerItem:
		case strings.HasPrefix(it.value, "-L"):
			out = append(out, it.value[2:])
		case strings.HasPrefix(it.value, "-rpath-link=") || strings.HasPrefix(it.value, "-rpath=") ||
			strings.HasPrefix(it.value, "--rpath-link=") || strings.HasPrefix(it.value, "--rpath="):
			_, dirs, _ := strings.Cut(it.value, "=")
			out = append(out, filepath.SplitList(dirs)...)
		case strings.TrimLeft(it.value, "-") == "rpath" || strings.TrimLeft(it.value, "-") == "rpath-link":
			if i+1 < len(c.items) {
				out = append(out, filepath.SplitList(c.items[i+1].value)...)
			}
		}
	}
	return append(out, filepath.SplitList(os.Getenv("LIBRARY_PATH"))...)
}

// alwaysThere are shared objects that every link has.
var alwaysThere = []string{"libc.so.", "libm.so.", "libgcc_s.so.", "ld-linux", "libpthread.so.", "libdl.so."}

// neededArgs returns how to link what a shared object that is left out needs.
func (p *program) neededArgs(d *Driver, name string) []string {
	if hasPrefix(name, alwaysThere...) {
		return nil
	}
	for i, part := range p.parts {
		if part.shared && (soname(part.data) == name || filepath.Base(part.file) == name) {
			if p.foreign[i] {
				return []string{part.file}
			}
			return nil
		}
	}
	for _, dir := range d.cmd.libraryFolders() {
		if path := filepath.Join(dir, name); isFile(path) {
			return []string{path}
		}
	}
	return []string{"-l:" + name}
}

func dynamic(data []byte, tag elf.DynTag) []string {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	names, _ := f.DynString(tag)
	return names
}
