// Package scaffold writes skeletons of processor models: folders that work as they are
// and are made to be edited.
//
//	s, err := scaffold.New(scaffold.Options{Name: "mycore", Language: scaffold.Table})
//	err = s.Write("mycore")
//	fmt.Println(s.Next)
//
// The skeletons are templates, a folder a language in templates/; the Python files that a
// model needs beside it are those of plugins/example-python. Nothing is compiled or run.
package scaffold

// This file makes the files of a skeleton from their templates, under a name that a model
// may have.

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"text/template"

	examplepython "pathspan/plugins/example-python"
	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

//go:embed templates
var templates embed.FS

// The languages of skeletons.
const (
	Table  = "table"  // a weight table in YAML
	Go     = "go"     // a plugin with package procmodels/sdk
	Python = "python" // a plugin with pathspan_model.py
)

// Languages lists them.
func Languages() []string { return []string{Table, Go, Python} }

// Options say what to make.
type Options struct {
	Name     string // of the model: a letter, then letters, digits, - and _
	Language string // one of Languages
	// Tree is the folder of pathspan's own source, which a plugin in Go is built
	// against; other languages do not use it.
	Tree string
}

// Skeleton is a folder that is not written yet.
type Skeleton struct {
	Files []File // in the order in which a reader should meet them
	// Model is the file within the folder that a reference names, Reference what comes
	// before it: "plugin:".
	Model, Reference string
	// Build is the command that makes Model, empty when there is nothing to build.
	Build string
}

// File is a file of a skeleton.
type File struct {
	Name string
	Data []byte
	Exec bool // it is a program
}

// New makes a skeleton. Errors are one line and name what to write instead.
func New(o Options) (*Skeleton, error) {
	if err := checkName(o.Name); err != nil {
		return nil, err
	}
	switch o.Language {
	case Table:
		s := &Skeleton{Model: o.Name + ".yaml"}
		return s, s.render(o, "table.yaml", s.Model)
	case Python:
		s := &Skeleton{Model: "model.py", Reference: "plugin:"}
		if err := s.render(o, "model.py", s.Model, "README.md", "README.md"); err != nil {
			return nil, err
		}
		s.Files[0].Exec = true
		return s, s.copyAll(examplepython.SDK)
	case Go:
		s := &Skeleton{Model: o.Name, Reference: "plugin:", Build: "go build -o " + o.Name + " ."}
		if err := s.render(o, "main.go", "main.go", "README.md", "README.md"); err != nil {
			return nil, err
		}
		return s, s.addModule(o)
	}
	if near := yamlstrict.Nearest(o.Language, Languages()); near != "" {
		return nil, fmt.Errorf("no skeleton for language %q; did you mean %s?", o.Language, near)
	}
	return nil, fmt.Errorf("no skeleton for language %q; want %s", o.Language, strings.Join(Languages(), ", "))
}

// render adds files made from templates: pairs of a template's name and a file's.
func (s *Skeleton) render(o Options, pairs ...string) error {
	for i := 0; i < len(pairs); i += 2 {
		name := path.Join("templates", o.Language, pairs[i]+".tmpl")
		t, err := template.ParseFS(templates, name)
		if err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
		var text bytes.Buffer
		if err := t.Execute(&text, o); err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
		s.Files = append(s.Files, File{Name: pairs[i+1], Data: text.Bytes()})
	}
	return nil
}

// copyAll adds all files of a folder as they are.
func (s *Skeleton) copyAll(folder fs.FS) error {
	return fs.WalkDir(folder, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(folder, name)
		s.Files = append(s.Files, File{Name: name, Data: data})
		return err
	})
}

var goodName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,63}$`)

// checkName refuses what would make no file name, no Go module or no YAML word, and what
// is a model already.
func checkName(name string) error {
	switch {
	case name == "":
		return errors.New("the name is empty; give the model's name")
	case !goodName.MatchString(name):
		return fmt.Errorf("%q is no name for a model: want a letter, then letters, digits, - and _, 64 at most", name)
	case slices.Contains(procmodels.Names(), name):
		return fmt.Errorf("%s is a built-in model; choose another name", name)
	}
	return nil
}
