package openmp

// This file numbers the regions of several modules together, once they are linked to one.

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// numbered ends the name of a region that shares its line with others.
var numbered = regexp.MustCompile(`#[0-9]+$`)

// Merge makes one result of those of the modules that linked was made of, whose numbers
// of regions do not overlap, and has its markers say the common numbers. A region whose
// function the linker took from another module is that module's.
func Merge(linked *asm.Module, parts []*Result) (*Result, error) {
	if len(parts) == 1 {
		return parts[0], nil
	}
	marks, err := marks(linked)
	if err != nil {
		return nil, err
	}
	present := make(map[int]bool)
	for _, m := range marks {
		present[m.mark.Region] = true
	}
	type region struct {
		number int // in the markers
		part   int
		view   ir.Region
	}
	var all []region
	out := &Result{}
	for i, r := range parts {
		for j, g := range r.Regions {
			all = append(all, region{r.First + j, i, g})
		}
		for _, n := range r.Notes {
			if !slices.Contains(out.Notes, n) { // a header's
				out.Notes = append(out.Notes, n)
			}
		}
	}
	elsewhere := func(r region) bool {
		return slices.ContainsFunc(all, func(o region) bool {
			return o.part != r.part && present[o.number] && o.view.File == r.view.File && o.view.Line == r.view.Line && o.view.Col == r.view.Col
		})
	}
	kept := slices.DeleteFunc(slices.Clone(all), func(r region) bool { return !present[r.number] && elsewhere(r) })
	slices.SortStableFunc(kept, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.view.File, b.view.File), cmp.Compare(a.view.Line, b.view.Line), cmp.Compare(a.view.Col, b.view.Col))
	})
	number := make(map[int]int)
	used := make(map[string]int)
	for i, r := range kept {
		number[r.number] = i
		out.Regions = append(out.Regions, rename(r.view, used))
	}
	for _, m := range marks {
		text := m.in.Text()
		at := strings.Index(text, "@"+ir.MarkerFunc)
		end := strings.IndexByte(text[at:], ')') + at + 1
		call := markText(m.mark.Kind, number[m.mark.Region], m.mark.Construct, m.mark.Section)
		if err := m.in.SetText(text[:at] + call[strings.IndexByte(call, '@'):] + text[end:]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// rename gives a region and its sections names that are unique in the program.
func rename(g ir.Region, used map[string]int) ir.Region {
	name := numbered.ReplaceAllString(g.Name, "")
	used[name]++
	if n := used[name]; n > 1 {
		name += fmt.Sprintf("#%d", n)
	}
	g.Constructs = slices.Clone(g.Constructs)
	for i := range g.Constructs {
		c := &g.Constructs[i]
		c.Sections = slices.Clone(c.Sections)
		for j := range c.Sections {
			c.Sections[j].Name = name + strings.TrimPrefix(c.Sections[j].Name, g.Name)
		}
	}
	g.Name = name
	return g
}

// marker is a call of [ir.MarkerFunc] and what it says.
type marker struct {
	in   *asm.Instr
	mark *ir.Mark
}

func marks(m *asm.Module) ([]marker, error) {
	var out []marker
	for _, f := range m.Funcs() {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c := in.Call()
				if c == nil || c.Callee != ir.MarkerFunc {
					continue
				}
				mark, err := ir.ReadMark(c)
				if err != nil {
					return nil, fmt.Errorf("function @%s, block %s: %w", f.Name(), b.Name(), err)
				}
				out = append(out, marker{in, mark})
			}
		}
	}
	return out, nil
}
