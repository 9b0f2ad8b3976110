package shim

// This file holds the models to the contract with the kit that plugin authors have.

import (
	"context"
	"testing"

	"pathspan/procmodels"
	"pathspan/procmodels/conform"
)

func TestConforms(t *testing.T) {
	for _, ref := range []string{"widths20.xml", "twocores10.xml#host", "twocores20.xml?figure=pitch&case=worst#dsp"} {
		report := conform.Check(context.Background(), func() (procmodels.Model, error) { return procmodels.Open("shim:"+ref, "testdata") }, conform.DefaultLimit)
		if err := report.Err(); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
}
