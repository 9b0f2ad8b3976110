package mapping

// This file resolves a mapping file against a platform and a program.

import (
	"strconv"

	"pathspan/ir"
	"pathspan/yamlstrict"
)

// Resolve turns the names of a mapping file into indices of the platform and the
// program. Sections that the file leaves out go where Default puts them, after the
// listed ones of their processor, and are named in Defaulted. A nil file gives
// Default itself. Errors are one line each, name file and line and, for a name that
// does not exist, the nearest that does.
func Resolve(pl *Platform, file *Mapping, prog *ir.Program) (*Resolved, error) {
	if file == nil {
		return Default(pl, prog), nil
	}
	if err := pl.designed(file); err != nil {
		return nil, err
	}
	serial := 0
	if file.Serial.Text != "" {
		var err error
		if serial, err = pl.find(file.Serial); err != nil {
			return nil, err
		}
	}
	r := DefaultFrom(pl, serial, prog)
	placed := make([]map[at]Word, len(prog.Regions))
	for i := range file.Regions {
		name := file.Regions[i].Name
		region, err := FindRegion(prog, name.Text)
		if err != nil {
			return nil, name.Pos.Errorf("%v", err)
		}
		if placed[region], err = r.place(&file.Regions[i], region, prog); err != nil {
			return nil, err
		}
	}
	if err := r.tasks(file.Tasks, prog); err != nil {
		return nil, err
	}
	if err := r.depths(file.Depths, prog); err != nil {
		return nil, err
	}
	for i := range prog.Regions {
		reg := &prog.Regions[i]
		for _, s := range sectionsOf(reg) {
			if _, ok := placed[i][s]; !ok {
				r.Defaulted = append(r.Defaulted, reg.Constructs[s.construct].Sections[s.section].Name)
			}
		}
	}
	return r, nil
}

func (pl *Platform) find(name Word) (int, error) {
	if i := pl.Index(name.Text); i >= 0 {
		return i, nil
	}
	names := make([]string, len(pl.Processors))
	for i := range pl.Processors {
		names[i] = pl.Processors[i].Name
	}
	return 0, name.Pos.Errorf("processor %q is not on platform %s: want %s", name.Text, pl.Name, suggest(name.Text, names))
}

// suggest names the nearest word; where there is none, or several words to choose
// from, it lists them.
func suggest(word string, words []string) string {
	n := yamlstrict.Nearest(word, words)
	switch {
	case n == "":
		return "one of " + yamlstrict.List(words)
	case len(words) == 1:
		return strconv.Quote(n)
	}
	return strconv.Quote(n) + " (there are " + yamlstrict.List(words) + ")"
}

// at is a section by its construct and its index there.
type at struct{ construct, section int }

// place puts the listed sections of one region where the file says, and returns them.
func (r *Resolved) place(rf *RegionFile, region int, prog *ir.Program) (map[at]Word, error) {
	reg, rm := &prog.Regions[region], &r.Regions[region]
	if rm.Explicit {
		return nil, rf.Name.Pos.Errorf("region %q is mapped twice", reg.Name)
	}
	rm.Explicit = true
	all := sectionsOf(reg)
	placed := map[at]Word{}
	order := make([][]int, len(reg.Constructs))
	for _, list := range rf.Processors {
		processor, err := r.Platform.find(list.Name)
		if err != nil {
			return nil, err
		}
		last := at{}
		for _, w := range list.Sections {
			s, err := findSection(w, prog, region, all)
			if err != nil {
				return nil, err
			}
			if first, dup := placed[s]; dup {
				return nil, w.Pos.Errorf("section %q of region %s is placed twice: first on line %d", w.Text, reg.Name, first.Pos.Line)
			}
			if s.construct < last.construct {
				return nil, w.Pos.Errorf("section %q of region %s stands after a section of a later sections construct: list them in the order of the constructs", w.Text, reg.Name)
			}
			last = s
			placed[s] = w
			rm.Proc[s.construct][s.section] = processor
			order[s.construct] = append(order[s.construct], s.section)
		}
	}
	// What the file leaves out keeps its default processor and comes last there.
	for _, s := range all {
		if _, ok := placed[s]; !ok {
			order[s.construct] = append(order[s.construct], s.section)
		}
	}
	for c := range order {
		if reg.Constructs[c].Loop == nil {
			rm.Order[c] = order[c]
		}
	}
	if err := r.team(rf, reg, rm); err != nil {
		return nil, err
	}
	said := map[string]bool{}
	for i := range rf.Loops {
		f := &rf.Loops[i]
		if said[f.Number.Text] {
			return nil, f.Number.Pos.Errorf("loop %s of region %s is mapped twice", f.Number.Text, reg.Name)
		}
		said[f.Number.Text] = true
		if err := r.share(f, reg, rm); err != nil {
			return nil, err
		}
	}
	return placed, nil
}

// sectionsOf lists the sections of a region, but the threads of loops; section number n is at
// index n-1.
func sectionsOf(reg *ir.Region) []at {
	var all []at
	for c := range reg.Constructs {
		if reg.Constructs[c].Loop != nil {
			continue
		}
		for s := range reg.Constructs[c].Sections {
			all = append(all, at{c, s})
		}
	}
	return all
}

// findSection finds a section of the region by its number or its full name.
func findSection(w Word, prog *ir.Program, region int, all []at) (at, error) {
	reg := &prog.Regions[region]
	for _, s := range all {
		if reg.Constructs[s.construct].Sections[s.section].Name == w.Text {
			return s, nil
		}
	}
	n, err := strconv.Atoi(w.Text)
	if err != nil {
		of, number, ok := cutSection(w.Text)
		if !ok {
			return at{}, w.Pos.Errorf("section %q of region %s does not exist: want %s, or a full name", w.Text, reg.Name, numbers(len(all)))
		}
		if i, err := FindRegion(prog, of); err != nil {
			return at{}, w.Pos.Errorf("%v", err)
		} else if i != region {
			return at{}, w.Pos.Errorf("section %q is not in region %s: want %s", w.Text, reg.Name, numbers(len(all)))
		}
		n = number
	}
	if n < 1 || n > len(all) {
		return at{}, w.Pos.Errorf("section %d of region %s does not exist: want %s", n, reg.Name, numbers(len(all)))
	}
	return all[n-1], nil
}

func numbers(n int) string {
	switch n {
	case 0:
		return "none, as it has no sections"
	case 1:
		return "1"
	}
	return "1 to " + strconv.Itoa(n)
}
