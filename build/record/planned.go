package record

// This file has the sources of a program marked as a plan says.

import (
	"context"
	"path/filepath"
	"slices"

	"pathspan/build/plan"
	"pathspan/ir"
	"pathspan/profile"
)

// mark finds what the plan names in the sources, and marks it.
func (r *Recorder) mark(ctx context.Context, b *Built, include string) error {
	if b.Options.Plan == nil {
		return nil
	}
	m := plan.NewMarking(b.Options.Plan, r.Toolchain, r.path("marked"))
	for i, src := range b.Options.Sources {
		r.progress(float64(i)/float64(len(b.Options.Sources)), "looking for what the plan names in %s", src)
		if _, err := hashed(src); err != nil {
			return err
		}
		if !isSource(src) {
			m.Skip(src)
			continue
		}
		if err := m.Survey(ctx, b.compilation(src, "", include)); err != nil {
			return err
		}
	}
	if err := m.Mark(); err != nil {
		return err
	}
	b.marking = m
	b.plan = &profile.Plan{Name: b.Options.Plan.File, Text: string(b.Options.Plan.Text)}
	for k := range b.Options.Sources {
		b.marked = append(b.marked, m.Marked(k)...)
	}
	for _, name := range m.Files() {
		if slices.Contains(b.Options.Sources, name) {
			continue
		}
		s, err := hashed(name)
		if err != nil {
			return err
		}
		b.plan.Marked = append(b.plan.Marked, s)
	}
	return nil
}

// Deepened returns the plan of a program with its pipelines' buffers as deep as these.
func (b *Built) Deepened(pipelines []ir.Pipeline) (*plan.Plan, error) {
	return b.Options.Plan.Deepened(b.marked, b.Program.Tasks, pipelines)
}

// PlanNotes tells what the plan names and the program does not need, and what could not run
// in parallel as it stands. Names of files may be those of another folder.
func (b *Built) PlanNotes() []string {
	if b.Options.Plan == nil {
		return nil
	}
	return b.Options.Plan.Notes(b.marked, func(file string, line int) bool {
		return slices.ContainsFunc(b.Program.Regions, func(r ir.Region) bool { return r.Line == line && filepath.Base(r.File) == filepath.Base(file) })
	})
}
