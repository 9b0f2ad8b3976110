package page_test

// This file makes documents of real programs for the tests.

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/report/document"
	"pathspan/report/page"
	programs "pathspan/testdata/profiled"
)

// profiled is a program's profile and what it is estimated on.
type profiled struct {
	name    string
	bundle  *profile.Bundle
	folders []string // with its sources
}

// committed reads a bundle of the tree.
func committed(t *testing.T, name string) profiled {
	t.Helper()
	b, err := profile.ReadFile(filepath.Join("../../cmd/pathspan/testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return profiled{name, b, []string{"../../testdata/fun0"}}
}

// recorded profiles a program of testdata, or skips.
func recorded(t *testing.T, source string, arguments ...string) profiled {
	t.Helper()
	b := programs.Program{Source: filepath.Join("../../testdata", source), Args: arguments}.Bundle(t)
	return profiled{name: strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)) + ".pspan", bundle: b}
}

// platformOf reads a platform file's text.
func platformOf(t *testing.T, text string) *mapping.Platform {
	t.Helper()
	file := filepath.Join(t.TempDir(), "platform.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	pl, err := mapping.LoadPlatform(file)
	if err != nil {
		t.Fatal(err)
	}
	return pl
}

// on prices the program for a platform, under OpenMP's static schedule.
func (p profiled) on(t *testing.T, pl *mapping.Platform) (*estimate.Estimator, *estimate.Pricer, *mapping.Resolved) {
	t.Helper()
	a, err := estimate.Prepare(p.bundle, estimate.DefaultRoot)
	if err != nil {
		t.Fatal(err)
	}
	pricer := &estimate.Pricer{Program: p.bundle.Program, Module: p.bundle.Module}
	procs, err := pricer.Processors(context.Background(), pl)
	if err != nil {
		t.Fatal(err)
	}
	e, err := a.On(procs)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Resolve(pl, nil, p.bundle.Program)
	if err != nil {
		t.Fatal(err)
	}
	return e, pricer, m
}

func (p profiled) document(t *testing.T, pl *mapping.Platform) *document.Document {
	t.Helper()
	e, pricer, m := p.on(t, pl)
	d, err := document.Build(context.Background(), document.Input{
		Bundle: p.name, Estimator: e, Pricer: pricer, Mapping: m, MappingName: "OpenMP static",
		Technique: estimate.Answering(e.Bundle), Unsaid: document.Unsaid{Mapping: true, Function: true, Technique: true}, Folders: p.folders, Samples: 200,
	})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func written(t *testing.T, d *document.Document) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := page.Write(&out, d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
