package main

// This file loads what commands are asked about: a bundle with a function of it, priced for
// platforms, with mappings on them.

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report"
)

// question is a bundle that is being estimated.
type question struct {
	*estimate.Analysis
	name     string // of the bundle's file
	data     []byte // its content
	function string // linker name
	pricer   *estimate.Pricer
	basis    []string // notes on what was asked so far
	defaults []string // notes on overheads that nobody gave
	threads  int      // that loops have a section for
}

// priced is the bundle priced for a platform, with mappings on it and the names of those.
type priced struct {
	*estimate.Estimator
	mappings []*mapping.Resolved
	names    []string
}

// open reads a bundle whose parallelism can be estimated, and finds the function that is
// asked about.
func (o *targetFlags) open(path string) (*question, error) {
	q, err := o.read(path)
	if err != nil {
		return nil, err
	}
	if err := report.Estimable(q.Bundle, q.name); err != nil {
		return nil, err
	}
	return q, nil
}

// read reads any bundle and finds the function that is asked about.
func (o *targetFlags) read(path string) (*question, error) {
	data, err := load(path)
	if err != nil {
		return nil, err
	}
	b, err := parseBundle(path, data)
	if err != nil {
		return nil, err
	}
	name := filepath.Base(path)
	if o.tasks != (profile.TaskCutOff{}) {
		some := false
		if b, some = b.WithTaskCutOff(o.tasks); !some {
			return nil, errors.New("--task-final, --task-grain and --task-least: the bundle keeps no tasks; leave them out")
		}
	}
	fn, err := ranFunction(b, name, o.function)
	if err != nil {
		return nil, err
	}
	a, err := estimate.Prepare(b, fn.Name)
	if err != nil {
		return nil, err
	}
	var basis []string
	if o.tasks.Final > 0 {
		basis = append(basis, fmt.Sprintf("tasks are taken to be final from a depth of %d on (--task-final), which EB alone knows", o.tasks.Final))
	}
	if o.tasks.Grain > 0 {
		basis = append(basis, fmt.Sprintf("%d tasks of a place that are made one after the other are taken to be one (--task-grain), which EB alone knows", o.tasks.Grain))
	}
	if o.tasks.Least > 0 {
		basis = append(basis, fmt.Sprintf("tasks of fewer than %g instructions are taken to run where they are made (--task-least), which EB alone knows", o.tasks.Least))
	}
	return &question{basis: basis, Analysis: a, name: name, data: data, function: fn.Name, pricer: estimate.NewPricer(b)}, nil
}

// on prices the bundle for a platform and resolves mappings there, which make loops the same way.
func (q *question) on(ctx context.Context, pl *mapping.Platform, files ...mappingFile) (*priced, error) {
	if err := q.team(len(pl.Processors)); err != nil {
		return nil, err
	}
	if len(files) > 0 {
		var err error
		if pl, err = pl.Designed(files[0].mapping); err != nil {
			return nil, err
		}
	}
	procs, err := q.pricer.Processors(ctx, pl)
	if err != nil {
		return nil, err
	}
	e, err := q.On(procs)
	if err != nil {
		return nil, err
	}
	q.basis = addNotes(q.basis, report.Notes(q.pricer, e)...)
	out := &priced{Estimator: e}
	for _, file := range files {
		m, err := mapping.Resolve(pl, file.mapping, q.Bundle.Program)
		if err != nil {
			return nil, err
		}
		if err := procs.Fits(q.Bundle.Program, m); err != nil {
			return nil, err
		}
		name := file.in(q.Bundle.Program)
		q.basis = addNotes(q.basis, append(report.MappingNotes(q.Bundle, m, name), report.HardwareNotes(procs, q.Bundle.Program, m, name)...)...)
		out.mappings, out.names = append(out.mappings, m), append(out.names, name)
	}
	q.defaults = addNotes(q.defaults, report.OverheadNotes(q.pricer, procs, out.mappings...)...)
	return out, nil
}

// team gives worksharing loops a section for each thread of the largest team.
func (q *question) team(threads int) error {
	if threads <= q.threads {
		return nil
	}
	q.threads = threads
	b := q.Bundle.WithTeams(threads)
	if b == q.Bundle {
		return nil
	}
	a, err := estimate.Prepare(b, q.function)
	if err != nil {
		return err
	}
	q.Analysis, q.pricer.Program = a, b.Program
	return nil
}

// ask asks about all platforms and mappings that flags name; counts are the numbers of equal
// processors where none does.
func (q *question) ask(ctx context.Context, o *targetFlags, counts ...int) ([]*priced, error) {
	platforms, err := o.platforms(counts...)
	if err != nil {
		return nil, err
	}
	files, err := o.mappingFiles()
	if err != nil {
		return nil, err
	}
	most := 0
	for _, pl := range platforms {
		most = max(most, len(pl.Processors))
	}
	if err := q.team(most); err != nil {
		return nil, err
	}
	var all []*priced
	for _, pl := range platforms {
		for rest := files; len(rest) > 0; {
			n := 1
			for n < len(rest) && mapping.SameDesigns(rest[0].mapping, rest[n].mapping) {
				n++
			}
			a, err := q.on(ctx, pl, rest[:n]...)
			if err != nil {
				return nil, err
			}
			all, rest = append(all, a), rest[n:]
		}
	}
	return all, nil
}

// notes are what should be known beside the answer, more with it.
func (q *question) notes(more ...string) []string {
	return slices.Concat(q.basis, more, q.pricer.Warnings)
}
