package mapping

// This file finds the regions and sections that people name.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

// FindRegion returns the index of the region that a name means: its own, or its function
// with a line, file.c:function:line, behind which #n tells the n-th of several there.
// Directories may stand before the file where they are those of the region's. The error is
// one line without a prefix, and says which regions there are.
func FindRegion(prog *ir.Program, name string) (int, error) {
	names := make([]string, len(prog.Regions))
	for i := range prog.Regions {
		if names[i] = prog.Regions[i].Name; names[i] == name {
			return i, nil
		}
	}
	if len(names) == 0 {
		return 0, fmt.Errorf("region %q: the program has no parallel regions with sections", name)
	}
	w := parseName(name)
	var inFunction, meant []int
	for i := range prog.Regions {
		if r := &prog.Regions[i]; w.function(r) {
			inFunction = append(inFunction, i)
			if w.place(r) {
				meant = append(meant, i)
			}
		}
	}
	if w.line > 0 && w.number > 0 {
		if w.number <= len(meant) {
			return meant[w.number-1], nil
		}
		meant = nil
	}
	switch {
	case len(meant) == 1:
		return meant[0], nil
	case len(meant) > 1:
		return 0, fmt.Errorf("region %q is one of %d: want %s", name, len(meant), labels(prog, meant))
	case len(inFunction) > 0:
		return 0, fmt.Errorf("region %q does not exist: %s has %s", name, w.stem, labels(prog, inFunction))
	}
	return 0, fmt.Errorf("region %q does not exist: want %s", name, suggest(name, names))
}

// FindSection returns the region that a full name of a section means, and the section's
// number there, from 1. The error is one line without a prefix.
func FindSection(prog *ir.Program, name string) (region, number int, err error) {
	for i := range prog.Regions {
		r := &prog.Regions[i]
		for n, s := range sectionsOf(r) {
			if r.Constructs[s.construct].Sections[s.section].Name == name {
				return i, n + 1, nil
			}
		}
	}
	of, number, ok := cutSection(name)
	if !ok {
		if i, err := FindRegion(prog, name); err == nil {
			r := &prog.Regions[i]
			return 0, 0, fmt.Errorf("section %q does not exist: want a slash and a number behind it, %s", name, numbers(len(sectionsOf(r))))
		}
		var names []string
		for i := range prog.Regions {
			for _, s := range sectionsOf(&prog.Regions[i]) {
				names = append(names, prog.Regions[i].Constructs[s.construct].Sections[s.section].Name)
			}
		}
		if len(names) == 0 {
			return 0, 0, errors.New("the program has no sections")
		}
		return 0, 0, fmt.Errorf("section %q does not exist: want a region, a slash and a number: %s", name, suggest(name, names))
	}
	if region, err = FindRegion(prog, of); err != nil {
		return 0, 0, err
	}
	if n := len(sectionsOf(&prog.Regions[region])); number < 1 || number > n {
		return 0, 0, fmt.Errorf("section %d of region %s does not exist: want %s", number, prog.Regions[region].Name, numbers(n))
	}
	return region, number, nil
}

func cutSection(name string) (region string, number int, ok bool) {
	i := strings.LastIndexByte(name, '/')
	if i < 0 {
		return "", 0, false
	}
	number, err := strconv.Atoi(name[i+1:])
	return name[:i], number, err == nil
}

// labels lists regions for an error.
func labels(prog *ir.Program, regions []int) string {
	var all []string
	for _, i := range regions {
		all = append(all, prog.Regions[i].Label())
	}
	return yamlstrict.List(all)
}

// named is a region's name in its parts.
type named struct {
	stem         string // file and function
	line, number int    // 0 where not given
}

func parseName(name string) named {
	w := named{stem: name}
	if i := strings.LastIndexByte(name, '#'); i >= 0 {
		if n, err := strconv.Atoi(name[i+1:]); err == nil {
			w.stem, w.number = name[:i], n
		}
	}
	if i := strings.LastIndexByte(w.stem, ':'); i >= 0 {
		if n, err := strconv.Atoi(w.stem[i+1:]); err == nil {
			w.stem, w.line = w.stem[:i], n
		}
	}
	return w
}

// function reports whether the stem is the file and function of a region.
func (w named) function(r *ir.Region) bool {
	own := parseName(r.Name).stem
	if w.stem == own {
		return true
	}
	// Own without the file holds what tells instances apart; the function alone means all.
	file, ok := strings.CutSuffix(w.stem, ":"+r.Function)
	if !ok {
		if at := strings.IndexByte(own, ':'); at < 0 {
			return false
		} else if file, ok = strings.CutSuffix(w.stem, own[at:]); !ok {
			return false
		}
	}
	whole := "/" + strings.ReplaceAll(r.File, `\`, "/")
	return file != "" && strings.HasSuffix(whole, "/"+strings.TrimPrefix(strings.ReplaceAll(file, `\`, "/"), "/"))
}

// place reports whether the line or, without one, the number is that of a region.
func (w named) place(r *ir.Region) bool {
	if w.line > 0 {
		return r.Line == w.line
	}
	return w.number > 0 && parseName(r.Name).number == w.number
}
