package cc

// This file divides the parts of a program into what is profiled and what is not.

import (
	"debug/elf"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/bounded"
	"pathspan/profile"
)

// program is what an executable is made of.
type program struct {
	parts   []part
	modules []Record // in the order in which their constructors run
	natives []Record // objects without modules inside shared objects
	foreign []bool   // by part: it is linked as it is
	why     []string // by part: why it is foreign though it has modules, or ""
	level   string
	mixed   bool     // not all modules were compiled at one level
	needed  []string // shared objects that those left out ask for
}

// program divides what a link takes.
func (d *Driver) program(list []taken, linked, serial string) (*program, error) {
	parts, err := d.parts(list, linked, serial)
	if err != nil {
		return nil, err
	}
	if parts, err = d.sharedBehind(parts); err != nil {
		return nil, err
	}
	p := &program{parts: parts, foreign: make([]bool, len(parts)), why: make([]string, len(parts))}
	wrapped := d.cmd.wrapped()
	defined := make(map[string]bool)
	for _, shared := range []bool{false, true} {
		for i := range parts {
			if parts[i].shared == shared {
				p.judge(i, wrapped, defined)
			}
		}
	}
	// The constructors of shared objects run before the program's, those that others
	// need first.
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i].shared && !p.foreign[i] {
			p.take(&parts[i])
		}
	}
	for i := range parts {
		if !parts[i].shared && !p.foreign[i] {
			p.take(&parts[i])
		}
	}
	for _, m := range p.modules {
		if m.Header.Major > d.tc.Version {
			return nil, fmt.Errorf("%s was compiled by clang %d, and this is clang %d; compile and link with one", m.Header.Source, m.Header.Major, d.tc.Version)
		}
	}
	p.chooseLevel(d.cmd.level)
	return p, nil
}

// judge decides whether the modules of part i stand for it.
func (p *program) judge(i int, wrapped, defined map[string]bool) {
	part := &p.parts[i]
	switch {
	case len(part.records) == 0:
		p.foreign[i] = true
		return
	case !part.profiled():
		p.foreign[i], p.why[i] = true, "it holds objects without modules"
		return
	}
	var names []string
	for _, r := range part.records {
		names = append(names, r.Header.Defines...)
	}
	for _, s := range names {
		switch {
		case wrapped[s]:
			p.foreign[i], p.why[i] = true, "--wrap="+s+" needs it to stay an object"
			return
		case part.shared && defined[s]:
			p.foreign[i], p.why[i] = true, "it defines "+s+", as the program does, so it stays a shared object"
			return
		}
	}
	for _, s := range names {
		defined[s] = true
	}
}

func (p *program) take(part *part) {
	for _, r := range part.records {
		if r.Header.Native {
			p.natives = append(p.natives, r)
		} else {
			p.modules = append(p.modules, r)
		}
	}
	if part.shared {
		p.needed = append(p.needed, neededBy(part.data)...)
	}
}

// wrapped lists the symbols of --wrap.
func (c *Command) wrapped() map[string]bool {
	out := make(map[string]bool)
	for i, it := range c.items {
		if it.kind != linkerItem {
			continue
		}
		if s, ok := strings.CutPrefix(strings.TrimLeft(it.value, "-"), "wrap="); ok {
			out[s] = true
		} else if (it.value == "--wrap" || it.value == "-wrap") && i+1 < len(c.items) {
			out[c.items[i+1].value] = true
		}
	}
	return out
}

// sharedBehind adds the shared objects that those of the project need, as the linker may
// not name them.
func (d *Driver) sharedBehind(parts []part) ([]part, error) {
	dirs := d.cmd.libraryFolders()
	have := make(map[string]bool)
	for _, p := range parts {
		have[filepath.Base(p.file)] = true
		if p.shared {
			have[soname(p.data)] = true
		}
	}
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if !p.shared || len(p.records) == 0 {
			continue
		}
		for _, name := range neededBy(p.data) {
			if have[name] {
				continue
			}
			have[name] = true
			for _, dir := range append([]string{filepath.Dir(p.file)}, dirs...) {
				path := filepath.Join(dir, name)
				if !isFile(path) || d.isSystem(path) {
					continue
				}
				data, err := os.ReadFile(path)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", path, bounded.Reason(err))
				}
				more, err := newPart(path, data)
				if err != nil {
					return nil, err
				}
				if more.file = path; len(more.records) > 0 {
					parts = append(parts, more)
				}
				break
			}
		}
	}
	return parts, nil
}

// neededBy lists the shared objects that one asks for.
func neededBy(data []byte) []string { return dynamic(data, elf.DT_NEEDED) }

func soname(data []byte) string {
	if names := dynamic(data, elf.DT_SONAME); len(names) > 0 {
		return names[0]
	}
	return ""
}

// levelRank orders levels by how much they optimise.
const levelRank = "01zs23"

// chooseLevel takes the level of the link's command line, else the highest of the
// modules.
func (p *program) chooseLevel(asked string) {
	p.level = asked
	for _, m := range p.modules {
		p.mixed = p.mixed || m.Header.Level != p.modules[0].Header.Level
		if asked == "" && (p.level == "" || strings.Index(levelRank, m.Header.Level) > strings.Index(levelRank, p.level)) {
			p.level = m.Header.Level
		}
	}
	if len(p.modules) > 0 && asked != "" && p.modules[0].Header.Level != asked {
		p.mixed = true
	}
}

func (p *program) sources() []profile.Source {
	var out []profile.Source
	for _, m := range p.modules {
		s := profile.Source{Name: m.Header.Source}
		if sum, err := hex.DecodeString(m.Header.SHA256); err == nil {
			copy(s.SHA256[:], sum)
		}
		out = append(out, s)
	}
	return out
}

// flags returns the flags that the sources were compiled with, each once.
func (p *program) flags() []string {
	var out []string
	var seen [][]string
	for _, m := range p.modules {
		if slices.ContainsFunc(seen, func(f []string) bool { return slices.Equal(f, m.Header.Flags) }) {
			continue
		}
		seen = append(seen, m.Header.Flags)
		if len(seen) == 1 {
			out = slices.Clone(m.Header.Flags)
			continue
		}
		for _, f := range m.Header.Flags {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
	}
	return out
}

// threads reports whether foreign code of the program starts threads.
func (p *program) threads() bool {
	for i := range p.parts {
		if p.foreign[i] && p.parts[i].startsThreads() {
			return true
		}
	}
	return false
}

// notes tell the bundle what a reader of it should know of the link.
func (p *program) notes(d *Driver) []string {
	var out []string
	if p.mixed {
		levels := make(map[string]bool)
		for _, m := range p.modules {
			levels["-O"+m.Header.Level] = true
		}
		list := make([]string, 0, len(levels))
		for l := range levels {
			list = append(list, l)
		}
		slices.Sort(list)
		out = append(out, fmt.Sprintf("objects were compiled at %s; the program is optimised at -O%s", strings.Join(list, ", "), p.level))
	}
	if i := slices.IndexFunc(p.modules, func(m Record) bool { return !m.Header.Names }); i >= 0 && d.Settings.Memory {
		without := p.modules[i].Header.Source + " was compiled without --memory, and variables on its stack have no names"
		d.warn("%s; compile it again (make clean)", without)
		out = append(out, without)
	}
	return out
}

// foreignCode lists what is linked as it is.
func (p *program) foreignCode() []profile.Foreign {
	var out []profile.Foreign
	total := p.text()
	for i, part := range p.parts {
		if p.foreign[i] {
			out = append(out, profile.Foreign{Name: part.name, Bytes: part.text, Of: total, Why: p.why[i], Functions: functions(part.data)})
		}
	}
	for _, n := range p.natives {
		out = append(out, profile.Foreign{Name: n.Header.Source, Bytes: nativeText(n), Of: total, Why: "of a shared object", Functions: functions(n.Module)})
	}
	return out
}

func percent(part, whole uint64) string {
	return fmt.Sprintf("%.1f%%", 100*float64(part)/float64(max(whole, 1)))
}

// text is the size of the program's code as it is linked natively, in bytes.
func (p *program) text() uint64 {
	var n uint64
	for _, part := range p.parts {
		n += part.text
	}
	return n
}

func nativeText(r Record) uint64 {
	n, err := newPart(r.Header.Source, r.Module)
	if err != nil {
		return 0
	}
	return n.text
}

// report warns of what is not profiled, in one line.
func (p *program) report(d *Driver, output string) {
	var names []string
	var text uint64
	for i := range p.parts {
		if p.foreign[i] && p.parts[i].text > 0 {
			names = append(names, p.parts[i].name)
			text += p.parts[i].text
		}
	}
	for _, n := range p.natives {
		names = append(names, n.Header.Source)
		text += nativeText(n)
	}
	if len(names) == 0 {
		return
	}
	if len(names) > 5 {
		names = append(names[:5], fmt.Sprintf("%d more", len(names)-5))
	}
	d.warn("%s: %s of its code is not profiled: %s", output, percent(text, p.text()), strings.Join(names, ", "))
}
