package main

// This file holds the flags that say what to estimate, replay or measure on.

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/ir"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/report"
)

// targetFlags name platforms, mappings and a function.
type targetFlags struct {
	platform, model, function string
	mappings                  []string
	processors                []int
	tasks                     profile.TaskCutOff // which tasks are taken not to be made
}

// add defines the flags but --function; counts are the numbers of processors without any.
func (o *targetFlags) add(f *pflag.FlagSet, counts string) {
	o.addPlatforms(f, counts)
	f.Var(listFlag{&o.mappings}, "mapping", "mapping `files` (YAML), several to compare; default: what OpenMP gives")
}

// addOne defines them for what is about one platform and one mapping.
func (o *targetFlags) addOne(f *pflag.FlagSet, count string) {
	o.add(f, count)
	f.Lookup("mapping").Usage = "mapping `file` (YAML); default: what OpenMP gives"
	f.Lookup("processors").Usage = "`number` of processors (default " + count + "; with --platform all of its processors)"
}

func (o *targetFlags) addPlatforms(f *pflag.FlagSet, counts string) {
	f.StringVar(&o.platform, "platform", "", "platform `file` (YAML); default: equal processors")
	f.StringVar(&o.model, "model", "", "processor `model` of the equal processors: a built-in name or a file (default "+mapping.DefaultModel+")")
	addProcessors(f, &o.processors, "`numbers` of processors, as 1-4,8 (default "+counts+"; with --platform all of its processors)")
}

// addProcessors defines -p.
func addProcessors(f *pflag.FlagSet, to *[]int, usage string) {
	f.VarP(&numbersFlag{to: to}, "processors", "p", usage)
}

// check reports flags that exclude each other.
func (o *targetFlags) check() error {
	if o.model != "" && o.platform != "" {
		return errors.New("--model and --platform exclude each other: the platform file names its processors' models")
	}
	return nil
}

// platforms returns the platforms asked for: the file's, cut to the numbers of
// processors, or equal processors, counts of them where no flag says how many.
func (o *targetFlags) platforms(counts ...int) ([]*mapping.Platform, error) {
	if o.model != "" {
		m, err := procmodels.Open(o.model, "")
		if err != nil {
			return nil, fileError("--model", o.model, fmt.Errorf("--model: %w", err))
		}
		closeModel(m)
	}
	if o.platform == "" {
		if o.processors != nil {
			counts = o.processors
		} else if o.mappings != nil && len(counts) > 1 {
			return nil, fmt.Errorf("--mapping %s names processors: give the platform they are on with --platform, or -p N for cpu0 to cpuN-1", o.mappings[0])
		}
		var all []*mapping.Platform
		for _, n := range counts {
			all = append(all, mapping.Homogeneous(n, o.model))
		}
		return all, nil
	}
	pl, err := mapping.LoadPlatform(o.platform)
	if err != nil {
		return nil, fileError("--platform", o.platform, err)
	}
	if o.processors == nil {
		return []*mapping.Platform{pl}, nil
	}
	var all []*mapping.Platform
	for _, n := range o.processors {
		if n > len(pl.Processors) {
			return nil, fmt.Errorf("-p %d: platform %s has %d processors; want 1 to %d", n, o.platform, len(pl.Processors), len(pl.Processors))
		}
		part := *pl
		part.Processors = pl.Processors[:n]
		all = append(all, &part)
	}
	return all, nil
}

// addNotes adds those that are not there yet.
func addNotes(notes []string, more ...string) []string {
	for _, n := range more {
		if !slices.Contains(notes, n) {
			notes = append(notes, n)
		}
	}
	return notes
}

// sayNotes prints notes beside an output that has no place for them.
func sayNotes(cmd *cobra.Command, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: note: %s\n", report.Demangled(n))
	}
}

// mappingFile is a mapping, and the name of its file.
type mappingFile struct {
	name    string
	mapping *mapping.Mapping // nil for what OpenMP gives
}

// in is the name that the mapping of a program is shown by.
func (f *mappingFile) in(prog *ir.Program) string {
	if f.mapping == nil {
		return mapping.DefaultName(prog)
	}
	return f.name
}

// mappingFiles reads the mappings asked for. They go by their files' names, by paths
// where two of the names are equal.
func (o *targetFlags) mappingFiles() ([]mappingFile, error) {
	if o.mappings == nil {
		return []mappingFile{{}}, nil
	}
	var files []mappingFile
	for i, path := range o.mappings {
		if slices.Contains(o.mappings[:i], path) {
			return nil, fmt.Errorf("--mapping %s is given twice; give each mapping once", path)
		}
		m, err := mapping.LoadMapping(path)
		if err != nil {
			return nil, fileError("--mapping", path, err)
		}
		name := filepath.Base(path)
		for k, other := range o.mappings {
			if k != i && filepath.Base(other) == name {
				name = path
			}
		}
		files = append(files, mappingFile{name, m})
	}
	return files, nil
}
