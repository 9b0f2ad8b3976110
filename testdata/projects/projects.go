// Package projects reads the list of the test projects, projects.yaml: programs of
// several files with ordinary build files.
//
//	list, err := projects.Load("../testdata/projects")
//	for _, p := range list {
//		sources := p.Paths(p.Sources) // to profile without the build
//		flags := p.Flags()            // that they need
//	}
//
// It does not build or run anything.
package projects

// This file declares the list's entries and reads them.

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"gopkg.in/yaml.v3"
)

// Project is one entry of the list. Its files are relative to its folder.
type Project struct {
	Name      string   `yaml:"name"`    // of its folder
	Build     string   `yaml:"build"`   // make or cmake
	Program   string   `yaml:"program"` // relative to the build folder
	Sources   []string `yaml:"sources"`
	Assembler []string `yaml:"assembler"`
	Include   []string `yaml:"include"` // folders
	Runs      []Run    `yaml:"runs"`
	Dir       string   `yaml:"-"` // its folder
}

// Run is one way to run a project's program, which exits with status 0.
type Run struct {
	Args   []string `yaml:"args"`
	Stdout string   `yaml:"stdout"` // file with the expected output
}

// Paths returns where files of the project are.
func (p *Project) Paths(files []string) []string {
	paths := make([]string, len(files))
	for i, f := range files {
		paths[i] = filepath.Join(p.Dir, f)
	}
	return paths
}

// Flags returns the compiler's flags for the project's folders of headers.
func (p *Project) Flags() []string {
	var flags []string
	for _, dir := range p.Paths(p.Include) {
		flags = append(flags, "-I"+dir)
	}
	return flags
}

// Load reads projects.yaml in the folder root and checks it.
func Load(root string) ([]*Project, error) {
	path := filepath.Join(root, "projects.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct {
		Projects []*Project `yaml:"projects"`
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	decoder.KnownFields(true)
	if err := decoder.Decode(&file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, p := range file.Projects {
		if p.Build != "make" && p.Build != "cmake" || p.Program == "" || len(p.Sources) == 0 || len(p.Runs) == 0 {
			return nil, fmt.Errorf("%s: project %q: build, program, sources or runs are missing or unknown", path, p.Name)
		}
		p.Dir = filepath.Join(root, p.Name)
	}
	return file.Projects, nil
}
