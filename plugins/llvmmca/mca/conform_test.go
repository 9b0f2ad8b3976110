package mca

// This file holds the model to the contract with the kit that plugin authors have.

import (
	"context"
	"testing"
	"time"

	"pathspan/procmodels"
	"pathspan/procmodels/conform"
	"pathspan/procmodels/sdk"
)

func TestConforms(t *testing.T) {
	t.Parallel()
	open(t, nil) // skips where tools are missing
	report := conform.Check(context.Background(), func() (procmodels.Model, error) {
		return Open(sdk.NewParameters(map[string]string{"cpu": "cortex-m4"}))
	}, time.Hour)
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
}
