package main

// This file holds what is explored of programs with tasks to more than one order of stealing.

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"
)

// TestExploreIsSteady: what a search finds must not be best by the order of stealing that is
// played alone. The mapping is estimated, and replayed, whose order is another.
func TestExploreIsSteady(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	file := filepath.Join(dir, "app.pspan")
	succeed(t, "profile", "-q", "-o", file, writeText(t, dir, "app.c", randomTaskSource(8)))
	unequal, err := unequalSetting(dir, "tasks", "leon3", "generic", 4)
	if err != nil {
		t.Fatal(err)
	}
	mapped := filepath.Join(dir, "best.yaml")
	text := succeed(t, append([]string{"explore", "--budget", "2000", "-o", mapped, file}, unequal.flags...)...)
	t.Log(text)
	if !strings.Contains(text, "takes less time over others") || strings.Contains(text, "proven optimal") {
		t.Error("a lucky mapping did not give way")
	}
	speedUp := func(command string) float64 {
		var out struct {
			Estimates []struct {
				SpeedUp float64 `json:"speedUp"`
			}
		}
		if err := json.Unmarshal([]byte(succeed(t, append([]string{command, "--json", "--mapping", mapped, file}, unequal.flags...)...)), &out); err != nil || len(out.Estimates) == 0 {
			t.Fatal(out, err)
		}
		return out.Estimates[0].SpeedUp
	}
	estimated, replayed := speedUp("estimate"), speedUp("replay")
	t.Logf("%.3f, replay %.3f", estimated, replayed)
	if math.Abs(estimated/replayed-1) > 0.05 {
		t.Errorf("explore's mapping is estimated at %.3f, and replayed at %.3f", estimated, replayed)
	}
}
