package main

// This file holds explore to loops that hand lines on to each other: what pays in one alone costs others more.

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
)

func TestExploreSeesWhatLoopsHandOn(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	bundle := filepath.Join(dir, "rows.pspan")
	succeed(t, "profile", "-q", "--memory", "-o", bundle, writeText(t, dir, "rows.c", `enum { N = 240, ROWS = 32 };
static float in[ROWS][N], out[ROWS][N];
int main(int argc, char **argv) {
  (void)argv;
#pragma omp parallel for
  for (int r = 0; r < ROWS; r++) // threads with the first rows have less to do
    for (int i = 0; i < N - 20 * (r < 16); i++) in[r][i] = (float)(i * argc);
  for (int k = 0; k < 3; k++) {
#pragma omp parallel for
    for (int r = 0; r < ROWS; r++) // and these, other rows in caches of their own
      for (int i = 0; i < N; i++) out[r][i] += in[r][i] * (float)k;
  }
  return out[3][7] < 0;
}
`))
	platform := writeText(t, dir, "own.yaml", `processors: [{name: c, model: cortex-a7, clock_mhz: 1000, count: 4}]
overheads: {create: 500, sync: 200, dispatch: 30}
memory:
  levels:
    - {name: L1, size: 16384, line: 64, ways: 4}
    - {name: L2, size: 262144, line: 64, ways: 8, latency: 12}
  main: {latency: 100}
`)
	var all struct {
		Searches []struct {
			Best struct {
				Estimates []struct {
					Seconds float64 `json:"parallel_seconds"`
				}
			}
			Static []struct {
				Seconds float64 `json:"parallel_seconds"`
			} `json:"openmp_static"`
		}
	}
	if err := json.Unmarshal([]byte(succeed(t, "explore", "-q", "--json", "--platform", platform, bundle)), &all); err != nil {
		t.Fatal(err)
	}
	if len(all.Searches) != 1 || len(all.Searches[0].Static) == 0 {
		t.Fatalf("%+v", all)
	}
	if found := all.Searches[0]; found.Best.Estimates[0].Seconds > found.Static[0].Seconds*(1+1e-9) {
		t.Errorf("the best found takes longer than OpenMP does by itself: %+v", found)
	}
}
