package export

// This file makes the subjects of the tests: the worked example, and programs with nested
// and recursive regions where something can compile them.

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/procmodels"
	"pathspan/profile"
	"pathspan/testdata/profiled"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; got\n%s\nrewrite it with -update if that is right", name, got)
	}
}

// subject prices a bundle for a platform and resolves a mapping; nil stands for OpenMP's
// static schedule.
func subject(t testing.TB, b *profile.Bundle, root string, pl *mapping.Platform, file *mapping.Mapping) *Subject {
	t.Helper()
	e, err := estimate.OpenOn(b, pl, root)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Resolve(pl, file, b.Program)
	if err != nil {
		t.Fatal(err)
	}
	s := &Subject{Bundle: "app.pspan", MappingName: "static", Version: "test", Estimator: e, Mapping: m, Technique: estimate.Answering(b)}
	for i := range pl.Processors {
		m, err := procmodels.Open(pl.Processors[i].Model, pl.Processors[i].Dir)
		if err != nil {
			t.Fatal(err)
		}
		if !m.Describe().Additive {
			m = nil
		}
		s.Models = append(s.Models, m)
	}
	return s
}

// fun0 is the worked example in situation a under one of the paper's mappings.
func fun0(t testing.TB, solution string) *Subject {
	t.Helper()
	b, err := profile.ReadFile("../cmd/pathspan/testdata/fun0a.pspan")
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.LoadMapping("../testdata/fun0/" + solution + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	pl := mapping.Homogeneous(2, "arm922t")
	pl.Processors[0].Name, pl.Processors[1].Name = "alpha", "beta"
	s := subject(t, b, "", pl, m)
	s.Bundle, s.MappingName = "fun0a.pspan", solution+".yaml"
	return s
}

// Programs with regions in regions, in recursions, in loops, and shared by many callers.
var programs = []string{"nested.c", "recursive_region.c", "control_in_sections.c", "many_callers.c", "several_constructs.c"}

// everySubject calls visit with the worked example and the programs, each on equal and on
// unequal processors, regions mapped by default and by name, by the technique that answers
// and by paths.
func everySubject(t *testing.T, visit func(t *testing.T, s *Subject)) {
	bundles := map[string]*profile.Bundle{}
	for _, name := range []string{"fun0a", "fun0b"} {
		b, err := profile.ReadFile("../cmd/pathspan/testdata/" + name + ".pspan")
		if err != nil {
			t.Fatal(err)
		}
		bundles[name] = b
	}
	if _, err := toolchain.Find(""); err != nil {
		t.Logf("programs are left out, nothing to compile them with: %v", err)
	} else {
		for _, source := range programs {
			bundles[source] = profiled.Program{Source: filepath.Join("../testdata/openmp", source)}.Bundle(t)
		}
	}
	unequal := mapping.Homogeneous(3, "arm922t")
	unequal.Processors[1].Model, unequal.Processors[2].ClockMHz = "generic", 333
	unequal.Processors[2].Name = "big_core"
	for name, b := range bundles {
		for where, pl := range map[string]*mapping.Platform{"equal": mapping.Homogeneous(2, ""), "unequal": unequal} {
			for _, explicit := range []bool{false, true} {
				how := map[bool]string{false: "default", true: "named"}[explicit]
				t.Run(name+"/"+where+"/"+how, func(t *testing.T) {
					s := subject(t, b, "", pl, nil)
					for r := range s.Mapping.Regions {
						s.Mapping.Regions[r].Explicit = explicit
					}
					visit(t, s)
					if s.Technique != estimate.PathBased {
						s.Technique = estimate.PathBased
						visit(t, s)
					}
				})
			}
		}
	}
}

func estimated(t *testing.T, s *Subject) estimate.Result {
	t.Helper()
	r, err := s.Estimator.Estimate(s.Mapping, s.Technique)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func close9(a, b float64) bool {
	d := a - b
	return d <= 1e-9*max(a, b, -a, -b) && d >= -1e-9*max(a, b, -a, -b)
}
