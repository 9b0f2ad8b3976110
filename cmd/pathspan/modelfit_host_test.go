package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/mapping"
	"pathspan/procmodels/hostfit"
)

// The platform of this machine names its model as seen from where it lies, and is refused where no caches were measured.
func TestPlatformOfHost(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "boards"), 0o755); err != nil {
		t.Fatal(err)
	}
	platform, model := filepath.Join(dir, "boards", "here.yaml"), filepath.Join(dir, "host.yaml")
	measured := &hostfit.Result{Main: 300, Caches: []hostfit.Cache{{Name: "L1", Size: 32768, Line: 64, Ways: 8}, {Name: "L2", Size: 1 << 20, Line: 64, Ways: 16, Longer: 10}}}
	if err := writeHost(platform, model, measured); err != nil {
		t.Fatal(err)
	}
	pl, err := mapping.LoadPlatform(platform)
	if err != nil {
		t.Fatal(err)
	}
	if pl.Name != "here" || filepath.Clean(filepath.Join(filepath.Dir(platform), pl.Processors[0].Model)) != model && filepath.Clean(pl.Processors[0].Model) != model || pl.Hierarchy.Main.Latency.Cycles != 300 {
		t.Errorf("platform %s with model %s", pl.Name, pl.Processors[0].Model)
	}
	none := filepath.Join(dir, "none.yaml")
	if err := writeHost(none, model, &hostfit.Result{}); err == nil || !strings.HasPrefix(err.Error(), "--platform "+none+": ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("caches that were not measured: %v", err)
	}
	if _, err := os.Stat(none); err == nil {
		t.Error("a platform was written all the same")
	}
	if o := pathspan("", "model", "fit", "table.csv", "--platform", none); o.status == 0 || !strings.Contains(o.stderr, "--platform goes with --host") {
		t.Errorf("--platform with a table: %d, %s", o.status, o.stderr)
	}
}
