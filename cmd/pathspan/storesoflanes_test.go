package main

import (
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
)

// Where stores wait for nothing, lanes that write more of what they use wait less: estimates by executions are those of replay.
func TestStoresOfLanes(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	bundle, platform := filepath.Join(t.TempDir(), "stores.pspan"), "../../examples/platforms/gem5-minor-333mhz.yaml"
	succeed(t, "profile", "-q", "--memory", "-o", bundle, "testdata/stores.c")
	var cycles [2]float64
	for i, command := range [][]string{{"estimate", bundle, "--technique", "eb"}, {"replay", bundle}} {
		var said struct {
			Estimates []struct {
				Cycles float64 `json:"parallel_cycles"`
			} `json:"estimates"`
		}
		out := pathspan("", append(command, "--platform", platform, "--json")...)
		if err := json.Unmarshal([]byte(out.stdout), &said); out.status != 0 || err != nil || len(said.Estimates) != 1 {
			t.Fatalf("%v: %v\n%s%s", command, err, out.stdout, out.stderr)
		}
		cycles[i] = said.Estimates[0].Cycles
	}
	if off := cycles[0]/cycles[1] - 1; !(math.Abs(off) < 0.01) {
		t.Errorf("estimated %.0f cycles, replayed %.0f: %+.1f %%", cycles[0], cycles[1], 100*off)
	}
}
