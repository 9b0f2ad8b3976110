package averaged

// This file asks for causes on a bundle that keeps executions.

import (
	"path/filepath"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/profile"
	"pathspan/validate/ledger"
)

func TestBlame(t *testing.T) {
	b, err := profile.ReadFile(filepath.Join("..", "..", "cmd", "pathspan", "testdata", "nested.pspan"))
	if err != nil {
		t.Fatal(err)
	}
	pl := mapping.Homogeneous(2, "")
	e, err := estimate.OpenOn(b, pl, "main")
	if err != nil {
		t.Fatal(err)
	}
	p, err := Blame(e, mapping.Default(pl, b.Program))
	if err != nil {
		t.Fatal(err)
	}
	if p == nil || p.Region != "nested_regions.c:sort_batch#1" || p.Difference > -0.1 || len(p.Causes) == 0 || p.Causes[0].Kind != ledger.Nested || p.Causes[0].Name != "sort_half" {
		t.Errorf("blames %+v", p)
	}
	if p, err := Blame(e, mapping.OnOne(pl, 0, b.Program)); p != nil || err != nil {
		t.Errorf("on one processor: %+v, %v", p, err)
	}
}
