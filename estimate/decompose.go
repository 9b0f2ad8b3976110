package estimate

// This file takes a program apart: which sections constructs contribute to the total
// independently of each other, how often each is executed, and with which times.
//
// Code outside sections runs on the serial processor, so how often each level and each
// called function is executed there does not depend on the mapping, and their times add
// up. A construct met there is a stage of its level: it begins when its fork task ends
// and ends with its last section, whatever else the mapping says. If no section of it
// reaches another region, a section's time on a path depends on its processor alone, so
// that the construct contributes
//
//	sum over paths of weight * max over processors of (its sections' times + overheads)
//
// and moving a section changes this term alone. The order of the sections on a processor
// does not matter, since they all are ready at the fork and all end before the join.
//
// Regions come apart in this way unless their sections reach a region, lie in a section,
// or are reached by recursion. Those that do not are valued together, by the evaluator.
// Only among them can the order matter: where a construct lies in a section of the same
// level, other sections of the outer construct can wait for its sections.

import (
	"encoding/binary"
	"math"
	"slices"

	"pathspan/htg"
)

// decomposition says how a program comes apart; slices are by region, then construct.
type decomposition struct {
	e        *Estimator
	flat     []bool    // its constructs are terms of their own
	nested   []bool    // it is reached inside a section
	ordered  [][]bool  // the order of its sections can matter
	sections [][][]int // sections that were reached, in source order
	tables   [][]*unitTable

	fn    []float64     // by hot function: executions per execution of the root
	level [][]float64   // [hot function][level]: entries
	parts [][][]float64 // [hot function][level][part]
}

// unitTable holds the times of a construct's sections, in cycles of processor 0. Paths
// that cost the sections the same are one row.
type unitTable struct {
	rows, sections int
	weight         []float64 // by row: executions per execution of the root
	runs           []float64 // by row: 1 when the construct is executed, else 0
	time           []float64 // [(kind*sections+section)*rows+row]
}

func (t *unitTable) column(kind, section int) []float64 {
	at := (kind*t.sections + section) * t.rows
	return t.time[at : at+t.rows]
}

func (e *Estimator) decompose(serial int) *decomposition {
	regions := e.Bundle.Program.Regions
	n := len(regions)
	d := &decomposition{e: e, flat: make([]bool, n), nested: make([]bool, n), ordered: make([][]bool, n), sections: make([][][]int, n), tables: make([][]*unitTable, n)}
	for r := range regions {
		d.flat[r] = true
		d.ordered[r] = make([]bool, len(regions[r].Constructs))
		d.sections[r] = make([][]int, len(regions[r].Constructs))
		d.tables[r] = make([]*unitTable, len(regions[r].Constructs))
	}
	d.reached(func(h *hotFunc, l int, hl *hotLevel) {
		for g := range hl.graph.Groups {
			d.inspect(h, hl, &hl.graph.Groups[g])
		}
		for _, o := range hl.orphans { // their time is no task's
			if hl.graph.Tasks[e.Graphs[h.fn].LoopTask(l, o-1)].Group >= 0 {
				d.keep(hl.regions)
			}
		}
		if h.cyclic {
			d.keep(e.funcs[h.fn].reaches)
		}
	})
	d.count(e.kindOf[serial])
	d.rows()
	return d
}

// reached calls visit with the levels that reach a region and are reached by the root.
func (d *decomposition) reached(visit func(h *hotFunc, l int, hl *hotLevel)) {
	for _, h := range d.e.hot {
		if !d.e.reached[h.fn] {
			continue
		}
		for l := range h.levels {
			if hl := &h.levels[l]; hl.on {
				visit(h, l, hl)
			}
		}
	}
}

// keep keeps regions together.
func (d *decomposition) keep(set regionSet) {
	for r := range d.flat {
		if set[r/64]&(1<<(r%64)) != 0 {
			d.flat[r] = false
		}
	}
}

// inspect notes the sections of a group and what they reach.
func (d *decomposition) inspect(h *hotFunc, hl *hotLevel, g *htg.Group) {
	var sections []int
	for i := range g.Sections {
		sections = append(sections, g.Sections[i].Section)
	}
	slices.Sort(sections)
	if have := d.sections[g.Region][g.Construct]; have == nil {
		d.sections[g.Region][g.Construct] = union(nil, sections)
	} else if all := union(have, sections); len(all) != len(have) || len(all) != len(sections) {
		// Copies of the construct differ in which processors they use.
		d.sections[g.Region][g.Construct] = all
		d.flat[g.Region] = false
	}
	if g.Parent >= 0 {
		outer := &hl.graph.Groups[g.Parent]
		d.flat[outer.Region], d.ordered[outer.Region][outer.Construct] = false, true
		d.flat[g.Region], d.nested[g.Region] = false, true
	}
	for i := range g.Sections {
		for _, t := range g.Sections[i].Tasks {
			for _, x := range []*costTable{&hl.sum, &hl.class, &hl.parts} {
				for row := range x.rows {
					cell := row*x.tasks + t
					for n := x.first[cell]; n < x.first[cell+1]; n++ {
						d.flat[g.Region] = false
						d.inside(h, hl.deps[x.deps[n]])
					}
				}
			}
		}
	}
}

// inside notes that a section reaches what a value depends on.
func (d *decomposition) inside(h *hotFunc, x dep) {
	set := d.e.funcs[h.fn].regions[x.level]
	if x.hot >= 0 {
		set = d.e.funcs[d.e.hot[x.hot].fn].reaches
	}
	d.keep(set)
	for r := range d.nested {
		if set[r/64]&(1<<(r%64)) != 0 {
			d.nested[r] = true
		}
	}
}

// union merges two ascending lists.
func union(a, b []int) []int {
	out := []int{}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case len(a) == 0 || b[0] < a[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return out
}

// count finds how often what runs outside sections is executed, callers first, outer
// levels first. Recursive functions are left out, as all that they reach is kept
// together.
func (d *decomposition) count(kind int) {
	d.fn = make([]float64, len(d.e.hot))
	for _, h := range d.e.hot {
		d.level = append(d.level, make([]float64, len(h.levels)))
		parts := make([][]float64, len(h.levels))
		for l := range parts {
			parts[l] = make([]float64, h.levels[l].parts.rows)
		}
		d.parts = append(d.parts, parts)
	}
	if root := d.e.hotOf[d.e.Root]; root >= 0 {
		d.fn[root] = 1
	}
	for i := len(d.e.hot) - 1; i >= 0; i-- {
		h := d.e.hot[i]
		if h.cyclic {
			continue
		}
		d.level[i][0] += d.fn[i]
		for l := range h.levels {
			hl := &h.levels[l]
			if !hl.on {
				continue
			}
			each := d.level[i][l] / hl.denom
			d.follow(i, hl, &hl.sum, 0, kind, each)
			for row, w := range d.parts[i][l] {
				d.follow(i, hl, &hl.parts, row, kind, w)
			}
			for _, o := range hl.orphans {
				d.level[i][o] += each
			}
		}
	}
}

// follow adds the executions of what serial tasks depend on.
func (d *decomposition) follow(h int, hl *hotLevel, t *costTable, row, kind int, w float64) {
	if w == 0 {
		return
	}
	for task := range t.tasks {
		if hl.graph.Tasks[task].Group >= 0 {
			continue
		}
		cell := row*t.tasks + task
		for n := t.first[cell]; n < t.first[cell+1]; n++ {
			times := w * t.weight[kind][n]
			switch x := hl.deps[t.deps[n]]; {
			case x.hot >= 0:
				d.fn[x.hot] += times
			case x.part < 0:
				d.level[h][x.level] += times
			default:
				d.parts[h][x.level][x.part] += times
			}
		}
	}
}

// rows fills the tables of flat constructs.
func (d *decomposition) rows() {
	known := map[*unitTable]map[string]int{}
	for i, h := range d.e.hot {
		for l := range h.levels {
			hl := &h.levels[l]
			if !hl.on || h.cyclic || !d.e.reached[h.fn] {
				continue
			}
			for g := range hl.graph.Groups {
				gr := &hl.graph.Groups[g]
				if !d.flat[gr.Region] {
					continue
				}
				t := d.tables[gr.Region][gr.Construct]
				if t == nil {
					t = &unitTable{sections: len(gr.Sections)}
					d.tables[gr.Region][gr.Construct], known[t] = t, map[string]int{}
				}
				each := d.level[i][l] / hl.denom
				for c, count := range hl.count {
					d.addRow(t, known[t], gr, &hl.class, c, hl.runs[c*hl.groups+g], each*count)
				}
				for row, w := range d.parts[i][l] {
					d.addRow(t, known[t], gr, &hl.parts, row, hl.partRuns[row*hl.groups+g], w)
				}
			}
		}
	}
	for t := range known {
		t.transpose(len(d.e.kinds))
	}
}

// addRow adds the times of a group's sections on a path; rows are still one behind the
// other, [row][section][kind].
func (d *decomposition) addRow(t *unitTable, known map[string]int, g *htg.Group, from *costTable, row int, runs bool, w float64) {
	if w == 0 {
		return
	}
	key := []byte{0}
	run := 0.0
	if runs {
		key[0], run = 1, 1
	}
	any := runs
	times := make([]float64, 0, len(g.Sections)*len(d.e.kinds))
	for _, section := range d.sections[g.Region][g.Construct] {
		place := slices.IndexFunc(g.Sections, func(s htg.Section) bool { return s.Section == section })
		for k := range d.e.kinds {
			x := 0.0
			for _, task := range g.Sections[place].Tasks {
				x += from.base[k][row*from.tasks+task]
			}
			any = any || x != 0
			times = append(times, x)
			key = binary.LittleEndian.AppendUint64(key, math.Float64bits(x))
		}
	}
	if !any {
		return
	}
	if n, ok := known[string(key)]; ok {
		t.weight[n] += w
		return
	}
	known[string(key)] = t.rows
	t.rows++
	t.weight, t.runs, t.time = append(t.weight, w), append(t.runs, run), append(t.time, times...)
}

// transpose brings the times of a section on a kind together, as columns are summed.
func (t *unitTable) transpose(kinds int) {
	out := make([]float64, len(t.time))
	for r := range t.rows {
		for s := range t.sections {
			for k := range kinds {
				out[(k*t.sections+s)*t.rows+r] = t.time[(r*t.sections+s)*kinds+k]
			}
		}
	}
	t.time = out
}
