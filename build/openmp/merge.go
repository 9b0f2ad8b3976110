package openmp

// This file numbers the regions of several modules together, once they are linked to one.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pathspan/ir"
	"pathspan/ir/asm"
)

// Merge makes one result of those of the modules that linked was made of, whose numbers
// of regions do not overlap, and has its markers say the common numbers. A region whose
// function the linker took from another module is that module's.
func Merge(linked *asm.Module, parts []*Result) (_ *Result, err error) {
	defer failed(&err)
	if len(parts) == 1 {
		return parts[0], nil
	}
	marks := marks(linked)
	present := make(map[int]bool)
	for _, m := range marks {
		if !m.mark.Kind.OfTasks() {
			present[m.mark.Region] = true
		}
	}
	type region struct {
		number int // in the markers
		part   int
		view   ir.Region
		origin ir.Origin
	}
	var all []region
	out := &Result{}
	for i, r := range parts {
		for j, g := range r.Regions {
			x := region{number: r.First + j, part: i, view: g}
			if j < len(r.Origins) {
				x.origin = r.Origins[j]
			}
			all = append(all, x)
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
		return cmp.Or(cmp.Compare(a.view.File, b.view.File), cmp.Compare(a.origin.Path, b.origin.Path), cmp.Compare(a.view.Line, b.view.Line), cmp.Compare(a.view.Col, b.view.Col))
	})
	number := make(map[int]int)
	for i, r := range kept {
		if slices.ContainsFunc(kept, func(o region) bool { return o.part != r.part && o.origin.Symbol == r.origin.Symbol }) {
			r.origin.Symbol += fmt.Sprintf(" of module %d", r.part) // static functions of one name
		}
		number[r.number] = i
		out.Regions, out.Origins = append(out.Regions, copyOf(r.view)), append(out.Origins, r.origin)
	}
	ir.NameRegions(out.Regions, out.Origins)
	for _, m := range marks {
		if m.mark.Kind.OfTasks() {
			continue
		}
		m.renumber(number[m.mark.Region], m.mark.Construct)
	}
	return out, nil
}

// copyOf copies a region, which gets another name.
func copyOf(g ir.Region) ir.Region {
	g.Constructs = slices.Clone(g.Constructs)
	for i := range g.Constructs {
		g.Constructs[i].Sections = slices.Clone(g.Constructs[i].Sections)
	}
	return g
}

// marker is a call of [ir.MarkerFunc] and what it says.
type marker struct {
	in   *asm.Instr
	mark *ir.Mark
}

// renumber has a marker say another region and construct.
func (m *marker) renumber(region, construct int) {
	text := m.in.Text()
	at := strings.Index(text, "@"+ir.MarkerFunc)
	end := strings.IndexByte(text[at:], ')') + at + 1
	call := markText(m.mark.Kind, region, construct, m.mark.Section)
	must(m.in.SetText(text[:at] + call[strings.IndexByte(call, '@'):] + text[end:]))
}

func marks(m *asm.Module) []marker {
	var out []marker
	for in := range m.Instrs() {
		c := in.Call()
		if c == nil || c.Callee != ir.MarkerFunc {
			continue
		}
		mark, err := ir.ReadMark(c)
		if err != nil {
			must(fmt.Errorf("function @%s, block %s: %w", in.Block().Func().Name(), in.Block().Name(), err))
		}
		out = append(out, marker{in, mark})
	}
	return out
}
