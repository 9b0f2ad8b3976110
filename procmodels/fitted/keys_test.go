package fitted

// This file holds that every key of a model file is used, and what of it comes first.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/ir"
	"pathspan/procmodels"
	"pathspan/yamlstrict/keytest"
)

func TestKeysAreUsed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "model.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	// With no library function measured, they cost a mean instruction.
	without := strings.Replace(string(text), "  - {feature: call memcpy, cycles: 12, samples: 4}\n", "", 1)
	const machine = "pipeline: {issue: 4, window: 64, forward: 1, forward_float: 5, penalty: 10, taken: 1, waiting: 40, units: {alu: 2}, latency: {multiply: 3}, occupancy: {divide: 4}}\n"
	show := func(t *testing.T, text string) string {
		m, err := parse("m.yaml", []byte(text))
		if err != nil {
			return err.Error()
		}
		costs, err := m.Costs(context.Background(), &procmodels.Subject{Program: program(), Uses: ir.NewOperands(program())})
		if err != nil {
			t.Fatal(err)
		}
		// Samples are a record of the fit: they price nothing, and people read them in the file.
		return fmt.Sprintf("%+v\n%+v\n%+v", m.Describe(), costs, m.Fit.Held)
	}
	keytest.Check(t, []string{"read.go"}, without+"notes: a note\n", show, []keytest.Change{
		{Key: "schema", Old: "fitted/1", New: "fitted/2"}, {Key: "name", Old: "name: test", New: "name: t"}, {Key: "unit", Old: "unit: cycles", New: "unit: us"},
		{Key: "source", Old: "by hand: figures", New: "by foot: figures"}, {Key: "notes", Old: "a note", New: "b"}, {Key: "machine", Old: "machine: x86_64", New: "machine: riscv64"}, {Key: "clock_mhz", Old: "clock_mhz: 100", New: "clock_mhz: 90"},
		{Key: "features", Old: "pairs: false", New: "pairs: true"}, {Key: "widths", Old: "widths: false", New: "widths: true"}, {Key: "pairs", Old: "pairs: false", New: "pairs: true"},
		{Key: "fit", Old: "samples: 9\n  groups", New: "samples: 10\n  groups"}, {Key: "method", Old: "method: by hand", New: "method: x"}, {Key: "groups", Old: "groups: 3", New: "groups: 4"},
		{Key: "mean_instruction", Old: "mean_instruction: 1.25", New: "mean_instruction: 1.5"}, {Key: "residual", Old: "residual: 0.1", New: "residual: 0.2"},
		{Key: "error", Old: "error: 0.3, samples: 9", New: "error: 0.31, samples: 9"}, {Key: "mean", Old: "mean: 0.1", New: "mean: 0.2"}, {Key: "median", Old: "median: 0.08", New: "median: 0.09"},
		{Key: "worst", Old: "worst: 0.3", New: "worst: 0.4"}, {Key: "worst_sample", Old: `worst_sample: "x`, New: `worst_sample: "y`}, {Key: "fitted_error", Old: "fitted_error: 0.05", New: "fitted_error: 0.06"},
		{Key: "warnings", Old: "few samples: nine", New: "few"}, {Key: "sources", Old: "a.csv", New: "b.csv"},
		{Key: "coefficients", Old: "feature: branch, cycles: 2", New: "feature: branch, cycles: 3"}, {Key: "feature", Old: "feature: fmul", New: "feature: fdiv"}, {Key: "cycles", Old: "feature: fadd, cycles: 3", New: "feature: fadd, cycles: 4"},
		{Key: "samples", Old: "measured: 10,", New: "measured: 11,"}, {Key: "measured", Old: "measured: 10,", New: "measured: 11,"}, {Key: "predicted", Old: "predicted: 9.5", New: "predicted: 9"},
		{Key: "name", Old: "name: y -O2", New: "name: y"}, {Key: "pipeline", Old: "notes: a note\n", New: "notes: a note\n" + machine}, {Key: "covariance", Old: "[0.09]", New: "[0.16]"},
	})
}

// Commands that show one line show how far off the model is on what it was not fitted to.
func TestLeftOutErrorComesFirst(t *testing.T) {
	m := model()
	if a := m.Describe().Accuracy; !strings.HasPrefix(a[0], "error on samples left out of the fit: mean 10.0 %") {
		t.Errorf("first %q", a)
	}
	m.Fit.Error = ErrorSummary{}
	if a := m.Describe().Accuracy; !strings.HasPrefix(a[0], "error on samples left out of the fit: unknown") {
		t.Errorf("first %q", a)
	}
}
