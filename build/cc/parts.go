package cc

// This file finds the modules and the foreign code in what a link takes.

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"pathspan/bounded"
)

// part is one object that belongs to a program: of a file, an archive or a shared
// object of the project.
type part struct {
	name    string // as the build names it
	file    string // of the object, the archive or the shared object
	member  string
	shared  bool
	records []Record
	data    []byte // of an object
	text    uint64 // bytes of code
}

// parts returns the parts of linked, a program or a shared object, in the order of the
// link. The system's and our serial library are left out.
func (d *Driver) parts(list []taken, linked, serial string) ([]part, error) {
	var present map[string]bool
	var out []part
	archives := make(map[string][]member)
	for _, t := range list {
		if d.isSystem(t.path) || t.path == serial {
			continue
		}
		data, err := os.ReadFile(t.path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.path, bounded.Reason(err))
		}
		if !isArchive(data) {
			if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
				continue // a linker script names others
			}
			p, err := newPart(d.sourceName(t.path), data)
			if err != nil {
				return nil, err
			}
			p.file = t.path
			out = append(out, p)
			continue
		}
		if t.member == "" {
			continue
		}
		members := archives[t.path]
		if members == nil {
			if members, err = readArchive(t.path, data); err != nil {
				return nil, fmt.Errorf("%s: %w", t.path, err)
			}
		}
		var named []int
		for i, m := range members {
			if m.is(t.member) {
				named = append(named, i)
			}
		}
		if len(named) == 0 {
			return nil, fmt.Errorf("%s: the linker takes member %s, which is not there", t.path, t.member)
		}
		at := named[0]
		if len(named) > 1 { // which of them, the linker does not say
			if present == nil {
				present = definedIn(linked)
			}
			for _, i := range slices.Backward(named) {
				if slices.ContainsFunc(definitions(members[i].data), func(s string) bool { return present[s] }) {
					at = i
				}
			}
		}
		m := members[at]
		archives[t.path] = slices.Delete(slices.Clone(members), at, at+1)
		p, err := newPart(fmt.Sprintf("%s(%s)", filepath.Clean(t.path), m.name), m.data)
		if err != nil {
			return nil, err
		}
		p.file, p.member = t.path, m.name
		out = append(out, p)
	}
	return out, nil
}

// definedIn returns the symbols that a linked file defines. Of a stripped one nothing is
// known.
func definedIn(path string) map[string]bool {
	out := make(map[string]bool)
	f, err := elf.Open(path)
	if err != nil {
		return out
	}
	defer f.Close()
	list, _ := f.Symbols()
	for _, s := range list {
		if s.Section != elf.SHN_UNDEF {
			out[s.Name] = true
		}
	}
	return out
}

// is reports whether a linker's name is this member's. For members of thin archives
// linkers print a path or its last part.
func (m member) is(name string) bool {
	return m.name == name || filepath.Base(m.name) == filepath.Base(name) && m.path != ""
}

// newPart reads an object or a shared object.
func newPart(name string, data []byte) (part, error) {
	p := part{name: name, data: data}
	if !bytes.HasPrefix(data, []byte(elf.ELFMAG)) {
		return p, nil
	}
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return p, fmt.Errorf("%s: not a sound ELF file: %w", name, err)
	}
	p.shared = f.Type == elf.ET_DYN
	for _, s := range f.Sections {
		if s.Flags&elf.SHF_EXECINSTR != 0 {
			p.text += s.Size
		}
	}
	if p.records, err = readSection(data); err != nil {
		return p, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// sourceName names the source where an object is temporary, as in `cc a.c -o a`.
func (d *Driver) sourceName(path string) string {
	for i, it := range d.cmd.items {
		if it.kind == inputItem && it.lang != "" && path == d.objectOf(i) {
			return it.value
		}
	}
	return filepath.Clean(path)
}

// profiled reports whether the part's modules stand for all of it. Joined by `ld -r`, it
// may hold foreign code as well.
func (p *part) profiled() bool {
	if len(p.records) == 0 {
		return false
	}
	if p.shared {
		return true
	}
	known := make(map[string]bool)
	for _, r := range p.records {
		for _, s := range r.Header.Defines {
			known[s] = true
		}
	}
	return !slices.ContainsFunc(definitions(p.data), func(s string) bool { return !known[s] })
}

// startsThreads reports whether foreign code refers to a function that starts threads.
func (p *part) startsThreads() bool {
	for _, s := range symbols(p.data) {
		if s.Section == elf.SHN_UNDEF && (s.Name == "pthread_create" || s.Name == "thrd_create" || s.Name == "clone") {
			return true
		}
	}
	return false
}

// symbols returns the symbols of an object, or the dynamic ones of a shared object.
func symbols(data []byte) []elf.Symbol {
	f, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		return nil
	}
	var list []elf.Symbol
	if f.Type == elf.ET_DYN {
		list, _ = f.DynamicSymbols()
	} else {
		list, _ = f.Symbols()
	}
	return list
}

// definitions lists the symbols of an object that no other may define, in the order of
// its table of symbols.
func definitions(data []byte) []string {
	var out []string
	for _, s := range symbols(data) {
		if elf.ST_BIND(s.Info) == elf.STB_GLOBAL && s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_COMMON {
			out = append(out, s.Name)
		}
	}
	return out
}

// functions lists the functions that other code can call by name. Assembler need not say
// that a symbol is a function.
func functions(data []byte) []string {
	var out []string
	for _, s := range symbols(data) {
		kind := elf.ST_TYPE(s.Info)
		if elf.ST_BIND(s.Info) != elf.STB_LOCAL && s.Section != elf.SHN_UNDEF && s.Section != elf.SHN_COMMON && (kind == elf.STT_FUNC || kind == elf.STT_NOTYPE) {
			out = append(out, s.Name)
		}
	}
	return out
}
