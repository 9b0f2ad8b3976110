// Package programs reads the manifest of the test programs, programs.yaml, so
// that every test that runs them agrees on how.
//
//	list, err := programs.Load("../testdata")
//	for _, p := range list {
//		sources := p.Paths("../testdata") // to compile
//		run := p.Small()                  // arguments, input, expected output
//	}
//
// It does not build or run anything.
package programs

// This file declares the manifest's entries and reads them.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"gopkg.in/yaml.v3"
)

// Program is one entry of the manifest.
type Program struct {
	Name       string   `yaml:"name"`
	Kind       string   `yaml:"kind"`     // real, feature or fun0
	Language   string   `yaml:"language"` // c or c++
	Sources    []string `yaml:"sources"`  // relative to the manifest's folder
	Link       []string `yaml:"link"`     // libraries: m, pthread
	Args       []string `yaml:"args"`
	Stdin      string   `yaml:"stdin"` // file, relative; "" for an empty input
	Expect     Expect   `yaml:"expect"`
	SmallArgs  []string `yaml:"small_args"`
	SmallWants *Expect  `yaml:"small_expect"`
	Tags       []string `yaml:"tags"`
}

// Expect is what a run must show.
type Expect struct {
	Exit   int    `yaml:"exit"`   // status as a shell gives it: 128 + number after a signal
	Signal string `yaml:"signal"` // name of the signal that ends it, or ""
	Stdout string `yaml:"stdout"` // file with the expected output, relative
}

// Run is one way to run a program.
type Run struct {
	Args   []string
	Stdin  string
	Expect Expect
}

// Default returns the run with the ordinary arguments.
func (p *Program) Default() Run { return Run{p.Args, p.Stdin, p.Expect} }

// Small returns the short run, or the ordinary one where that is short already.
func (p *Program) Small() Run {
	if p.SmallWants == nil {
		return p.Default()
	}
	return Run{p.SmallArgs, p.Stdin, *p.SmallWants}
}

// Paths returns the sources under the folder root.
func (p *Program) Paths(root string) []string {
	paths := make([]string, len(p.Sources))
	for i, s := range p.Sources {
		paths[i] = filepath.Join(root, s)
	}
	return paths
}

// Has reports whether the program carries the tag.
func (p *Program) Has(tag string) bool { return slices.Contains(p.Tags, tag) }

// Load reads programs.yaml in the folder root and checks it.
func Load(root string) ([]*Program, error) {
	path := filepath.Join(root, "programs.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Programs []*Program `yaml:"programs"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	seen := map[string]bool{}
	for _, p := range file.Programs {
		switch {
		case p.Name == "" || seen[p.Name]:
			return nil, fmt.Errorf("%s: program %q: the name is missing or used twice", path, p.Name)
		case p.Kind != "real" && p.Kind != "feature" && p.Kind != "fun0":
			return nil, fmt.Errorf("%s: program %s: kind %q is not real, feature or fun0", path, p.Name, p.Kind)
		case p.Language != "c" && p.Language != "c++":
			return nil, fmt.Errorf("%s: program %s: language %q is not c or c++", path, p.Name, p.Language)
		case len(p.Sources) == 0 || p.Expect.Stdout == "":
			return nil, fmt.Errorf("%s: program %s: sources or expected output missing", path, p.Name)
		}
		seen[p.Name] = true
	}
	return file.Programs, nil
}
