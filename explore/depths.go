package explore

// This file lists the depths of buffers that are tried, and says what buffers take and whether stages still wait for what
// they need: neither adds up over decisions, so that all are searched together.

import (
	"errors"
	"fmt"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/table"
)

// findDepths lists what is tried of each buffer: the depths asked for, but for those with which stages would not wait for
// what they need though all other buffers were least deep.
func (s *Search) findDepths() error {
	if s.Depths == nil {
		return nil
	}
	pipelines := s.e.Bundle.Program.Pipelines
	switch {
	case len(pipelines) == 0:
		return errors.New("depths: the program has no pipelines: leave them out")
	case !s.Technique.Entry().Executions:
		return fmt.Errorf("depths: technique %s takes the stages of a pipeline one after the other: go by one of executions", s.Technique)
	}
	all := slices.Clone(s.Depths)
	slices.Sort(all)
	all = slices.Compact(all)
	s.depths = make([][][]int, len(pipelines))
	for i := range pipelines {
		if err := s.e.Deepens(i); err != nil {
			return err
		}
		for k := range pipelines[i].Depths {
			tried := slices.DeleteFunc(slices.Clone(all), func(depth int) bool {
				with := slices.Repeat([]int{all[0]}, len(pipelines[i].Depths))
				with[k] = depth
				return !s.sound(i, with)
			})
			if len(tried) == 0 {
				return fmt.Errorf("depths: with none of those given stages of pipeline %s wait for all that they need of each other: try less deep buffers", pipelines[i].Name)
			}
			s.depths[i] = append(s.depths[i], tried)
		}
	}
	return nil
}

func (s *Search) sound(pipeline int, depths []int) bool {
	return s.Sound == nil || s.Sound(pipeline, depths)
}

// whole reports whether what one unit does decides what another may.
func (s *Search) whole() bool { return s.limits.tied || s.depths != nil || s.buffers || s.tasked }

// area is what the candidate of f takes (see Area), and by how much that is more than there is: a loop that tasks come to
// and that is not made is 1.
func (w *worker) area() (area, over float64) {
	if !w.s.buffers && len(w.p.idle) == 0 {
		return w.p.area, 0
	}
	m := w.p.space.Mapping(w.f.Genes)
	for _, o := range w.p.idle {
		if w.p.e.Comes(m, o.processor, o.loop) {
			over++
		}
	}
	if !w.s.buffers {
		return w.p.area, over
	}
	for _, t := range w.p.taken {
		w.p.e.AddBuffers(&t, w.p.e.Bundle.Program, m)
		for _, r := range t.Resources {
			if r.Limited && r.Amount > r.Limit {
				over += r.Amount/r.Limit - 1
			}
		}
		area += t.Share()
	}
	return area, over
}

// unsound counts the pipelines whose stages would not wait for all that they need under the candidate of f.
func (w *worker) unsound() (n float64) {
	if w.s.depths == nil || w.s.Sound == nil {
		return 0
	}
	depths := make([][]int, len(w.s.depths))
	for g, v := range w.f.Genes {
		if x := &w.p.space.Genes[g]; x.Kind == table.Depth {
			depths[x.Pipeline] = append(depths[x.Pipeline], w.p.space.Depth(g, v))
		}
	}
	for i, d := range depths {
		if d != nil && !w.s.sound(i, d) {
			n++
		}
	}
	return n
}

// unfit reports whether loops and buffers take more than there is, or stages would not wait for what they need.
func (w *worker) unfit() bool {
	_, over := w.area()
	return over > 0 || w.unsound() > 0
}

// takenBy is what each processor's hardware takes of loops that are made, where buffers count as well.
func (s *Search) takenBy(picks []option) []estimate.Taken {
	all := make([]estimate.Taken, len(s.e.Platform.Processors))
	for p := range all {
		all[p].Processor = p
	}
	for p, d := range s.madeBy(picks) {
		if t, err := s.e.MakesOtherwise(p, d.design, d.made); err == nil { // it was made before
			all[p] = t
		}
	}
	return all
}
