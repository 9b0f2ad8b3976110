package mapping

// This file says how many items the buffers of pipelines hold where that is not as the plan has it.

import (
	"fmt"
	"slices"

	"pathspan/ir"
)

// DepthsKey is the word of mapping files for depths of buffers.
const DepthsKey = "depths"

// MostDepth is the most items that a buffer holds, as in plans.
const MostDepth = 1 << 16

// DepthFile is a depth as written: of the buffer behind a stage, or of all buffers of a pipeline.
type DepthFile struct {
	Name  Word // of a stage as in tasks, or of a pipeline: its own, or FILE:LINE of its loop
	Depth int
}

// depths does what a file says of buffers. What it says of a stage goes before what it says of the pipeline.
func (r *Resolved) depths(files []DepthFile, prog *ir.Program) error {
	said := map[[2]int]bool{} // pipeline, and buffer or -1 for all
	set := func(w Word, pipeline, buffer, depth int) error {
		if said[[2]int{pipeline, buffer}] {
			return w.Pos.Errorf("depths: %q is there twice", w.Text)
		}
		said[[2]int{pipeline, buffer}] = true
		if r.Depths == nil {
			r.Depths = make([][]int, len(prog.Pipelines))
		}
		d := &r.Depths[pipeline]
		if *d == nil {
			*d = slices.Clone(prog.Pipelines[pipeline].Depths)
		}
		for k := range *d {
			if k == buffer || buffer < 0 && !said[[2]int{pipeline, k}] {
				(*d)[k] = depth
			}
		}
		return nil
	}
	for _, f := range files {
		pipeline, stage, err := findBuffer(f.Name, prog)
		if err == nil {
			err = set(f.Name, pipeline, stage, f.Depth)
		}
		if err != nil {
			return err
		}
	}
	for i := range r.Depths { // what is as the plan has it is played as it was recorded
		if slices.Equal(r.Depths[i], prog.Pipelines[i].Depths) {
			r.Depths[i] = nil
		}
	}
	if !slices.ContainsFunc(r.Depths, func(d []int) bool { return d != nil }) {
		r.Depths = nil
	}
	return nil
}

// findBuffer finds the pipeline that a word means and the stage whose buffer it does, -1 for all of them.
func findBuffer(w Word, prog *ir.Program) (pipeline, stage int, err error) {
	if len(prog.Pipelines) == 0 {
		return 0, 0, w.Pos.Errorf("depths: the program has no pipelines: leave the key out")
	}
	var names []string
	found := -1
	for i := range prog.Pipelines {
		x := &prog.Pipelines[i]
		if w.Text == x.Name {
			return i, -1, nil
		}
		if w.Text == fmt.Sprintf("%s:%d", x.File, x.Line) {
			if found >= 0 {
				return 0, 0, w.Pos.Errorf("depths: the loop at %s has several pipelines: want %s or %s", w.Text, prog.Pipelines[found].Name, x.Name)
			}
			found = i
		}
		names = append(names, x.Name)
		for _, s := range x.Stages[:len(x.Depths)] {
			names = append(names, s.Name)
		}
	}
	if found >= 0 {
		return found, -1, nil
	}
	task := slices.IndexFunc(prog.Tasks, func(t ir.Task) bool { return t.Name == w.Text })
	if task < 0 {
		var several bool
		if task, several = stageNamed(prog, w.Text); several {
			return 0, 0, w.Pos.Errorf("depths: stage %q is one of several pipelines: want its full name, as %s", w.Text, prog.Tasks[task].Name)
		}
	}
	if task < 0 {
		return 0, 0, w.Pos.Errorf("depths: %q is no pipeline and no stage: want %s", w.Text, suggest(w.Text, names))
	}
	switch pipeline, stage = prog.StageOf(task); {
	case pipeline < 0:
		return 0, 0, w.Pos.Errorf("depths: task %q is no stage of a pipeline, so that no buffer is behind it", w.Text)
	case stage == len(prog.Pipelines[pipeline].Depths):
		return 0, 0, w.Pos.Errorf("depths: stage %q is the last of its pipeline, so that no buffer is behind it: name the stage before", w.Text)
	}
	return pipeline, stage, nil
}

// Pipelines returns the pipelines of a program with the depths that their buffers have under the mapping.
func (r *Resolved) Pipelines(prog *ir.Program) []ir.Pipeline {
	if r.Depths == nil {
		return prog.Pipelines
	}
	out := slices.Clone(prog.Pipelines)
	for i, d := range r.Depths {
		if d != nil {
			out[i].Depths = d
		}
	}
	return out
}

// DepthsFile is what a mapping file must say of depths: nil where they are the plan's. The words have no place.
func (r *Resolved) DepthsFile(prog *ir.Program) (out []DepthFile) {
	for i, d := range r.Depths {
		x := &prog.Pipelines[i]
		for k := range d {
			if d[k] != x.Depths[k] {
				out = append(out, DepthFile{Word{Text: prog.Tasks[x.Stages[k].Task].Name}, d[k]})
			}
		}
	}
	return out
}

// SameDepths reports whether two mappings have buffers of the same depths.
func SameDepths(a, b *Resolved, prog *ir.Program) bool {
	x, y := a.Pipelines(prog), b.Pipelines(prog)
	for i := range x {
		if !slices.Equal(x[i].Depths, y[i].Depths) {
			return false
		}
	}
	return true
}

func (r *Resolved) checkDepths(prog *ir.Program) error {
	if r.Depths != nil && len(r.Depths) != len(prog.Pipelines) {
		return fmt.Errorf("mapping: depths of %d pipelines for a program of %d", len(r.Depths), len(prog.Pipelines))
	}
	for i, d := range r.Depths {
		if d != nil && len(d) != len(prog.Pipelines[i].Depths) || slices.ContainsFunc(d, func(n int) bool { return n < 1 || n > MostDepth }) {
			return fmt.Errorf("mapping: depths %v for the buffers of pipeline %s", d, prog.Pipelines[i].Name)
		}
	}
	return nil
}
