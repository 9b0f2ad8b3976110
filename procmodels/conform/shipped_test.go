package conform_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"pathspan/procmodels"
	"pathspan/procmodels/conform"
	_ "pathspan/procmodels/fitted"
)

// conforms runs the kit over a model that must pass, and returns what it found.
func conforms(t *testing.T, ref string) *conform.Report {
	t.Helper()
	r := conform.Check(context.Background(), func() (procmodels.Model, error) { return procmodels.Open(ref, "") }, conform.DefaultLimit)
	if err := r.Err(); err != nil {
		t.Errorf("%s: %v", ref, err)
	}
	return r
}

func TestBuiltInModelsConform(t *testing.T) {
	for _, name := range procmodels.Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := conforms(t, name)
			if x := result(t, r, "additive"); x.Verdict != conform.Pass {
				t.Errorf("additive: %v", x)
			}
		})
	}
}

func TestLineTablesConform(t *testing.T) {
	conforms(t, "../../testdata/fun0/table1.yaml")
	// Entries that match the kit's own programs, and a fallback.
	path := filepath.Join(t.TempDir(), "lines.yaml")
	if err := os.WriteFile(path, []byte(`schema: pathspan.linetable/1
name: lines
source: invented
fallback: generic
lines:
  - {file: conform.c, line: 3, cycles: 7}
  - {file: conform.c, line: 5, cycles: 11, calls: included}
  - {file: conform.h, line: 9, cycles: 0.5}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := conforms(t, path)
	if x := result(t, r, "additive"); x.Verdict != conform.Skip {
		t.Errorf("additive: %v, want it skipped: lines are charged once, not by instruction", x)
	}
}

func TestFittedModelsConform(t *testing.T) {
	r := conforms(t, "../fitted/testdata/model.yaml")
	for _, check := range []string{"factors", "additive"} {
		if x := result(t, r, check); x.Verdict != conform.Pass {
			t.Errorf("%s: %v", check, x)
		}
	}
}

func result(t *testing.T, r *conform.Report, check string) conform.Result {
	t.Helper()
	for _, x := range r.Results {
		if x.Check == check {
			return x
		}
	}
	t.Fatalf("no check %q", check)
	return conform.Result{}
}
