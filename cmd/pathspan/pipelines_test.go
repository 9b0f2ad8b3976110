package main

// This file holds pipelines of plans to the same programs with tasks written, to replay, and
// to what a pipeline of known stages takes.

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// filterChain reads samples, shapes and writes them; the places of %s are pragmas, or empty.
const filterChain = `#include <stdio.h>
#include <stdlib.h>
static unsigned seed = 1;
static double line[8], out[8];
__attribute__((noinline)) static double get(int work)
{
    for (int k = 0; k < work; k++) seed = seed * 1664525 + 1013904223;
    return seed >> 20;
}
__attribute__((noinline)) static double shape(double x, double *state, int work)
{
    for (int k = 0; k < work; k++) { *state = *state * 0.75 + x * 0.25; x += *state; }
    return *state;
}
__attribute__((noinline)) static double total(double x, int work)
{
    static double sum;
    for (int k = 0; k < work; k++) sum += x / (k + 1);
    return sum;
}
int main(int argc, char **argv)
{
    int n = atoi(argv[1]), a = atoi(argv[2]), b = atoi(argv[3]), c = atoi(argv[4]);
    double state = 0, last = 0;
    %s for (int i = 0; i < n; i++) {
        %s line[i % 8] = get(a); %s
        %s out[i % 8] = shape(line[i % 8], &state, b); %s
        %s last = total(out[i % 8], c); %s
    } %s
    printf("%.3f\n", last);
    return 0;
}
`

// chain fills the places of filterChain in.
func chain(parts ...string) string {
	text := filterChain
	for _, p := range parts {
		text = strings.Replace(text, "%s", p, 1)
	}
	return text
}

func TestPlansOfPipelines(t *testing.T) {
	plain := chain(make([]string, 8)...)
	const head = `_Pragma("omp parallel") _Pragma("omp single") { char pathspan_order[3], pathspan_slot[2][4]; unsigned pathspan_item = 0;`
	written := chain(head,
		`pathspan_item = (pathspan_item + 1) % 4; _Pragma("omp task depend(inout : pathspan_order[0]) depend(out : pathspan_slot[0][pathspan_item])") {`, "}",
		`_Pragma("omp task depend(in : pathspan_slot[0][pathspan_item]) depend(out : pathspan_slot[1][pathspan_item])") {`, "}",
		`_Pragma("omp task depend(inout : pathspan_order[2]) depend(in : pathspan_slot[1][pathspan_item])") {`, "}",
		`_Pragma("omp taskwait") }`)
	for _, tc := range toolchain.All() {
		t.Run(fmt.Sprint("llvm", tc.Version), func(t *testing.T) {
			samePlanned(t, "app.c", written, tc.Clang, nil, []string{"40", "30", "60", "20"}, plain,
				"plan:\n  - pipeline: [app.c:26, app.c:27, app.c:28]\n    depth: 4\n    stateless: 2\n")
		})
	}
}

// TestPipelinesFill holds estimates to what is known of pipelines: with a processor for each
// stage and buffers, the longest stage decides; with buffers of one item, neighbours take
// turns; a stage without state takes several processors at a time. Replay says the same.
func TestPipelinesFill(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "app.c", chain(make([]string, 8)...))
	speedUp := func(name, keys string, work []string, processors int) (eb, replay float64) {
		file := filepath.Join(dir, name+".pspan")
		args := []string{"profile", "-q", "-O", "1", "-o", file, "--plan", writeText(t, dir, name+".yaml", "plan:\n  - pipeline: [app.c:26, app.c:27, app.c:28]\n"+keys), "app.c", "--"}
		succeed(t, append(args, append([]string{"200"}, work...)...)...)
		var out struct {
			Estimates []struct {
				SpeedUp float64 `json:"speedUp"`
			}
		}
		p := fmt.Sprint(processors)
		if err := json.Unmarshal([]byte(succeed(t, "estimate", "--json", "-p", p, "--technique", "eb", file)), &out); err != nil || len(out.Estimates) != 1 {
			t.Fatal(out, err)
		}
		eb = out.Estimates[0].SpeedUp
		out.Estimates = nil
		if err := json.Unmarshal([]byte(succeed(t, "replay", "--json", "-p", p, file)), &out); err != nil || len(out.Estimates) != 1 {
			t.Fatal(out, err)
		}
		return eb, out.Estimates[0].SpeedUp
	}
	for _, c := range []struct {
		name, keys string
		work       []string
		processors int
		low, high  float64 // of the speed-up
	}{
		{"even", "    depth: 4\n", []string{"3000", "900", "900"}, 3, 2, 3},
		{"alone", "    depth: 1\n", []string{"3000", "900", "900"}, 3, 1.2, 2.05},
		{"one", "    depth: 4\n", []string{"3000", "900", "900"}, 1, 0.95, 1},
		{"longest", "    depth: 4\n", []string{"300", "3000", "100"}, 3, 1, 1.3},
		{"stateless", "    depth: 8\n    stateless: 2\n", []string{"300", "3000", "100"}, 3, 2.2, 3},
	} {
		eb, replay := speedUp(c.name, c.keys, c.work, c.processors)
		t.Logf("%s: %.3f, replay %.3f", c.name, eb, replay)
		if eb < c.low || eb > c.high {
			t.Errorf("%s: %.3f, want %.2f to %.2f", c.name, eb, c.low, c.high)
		}
		if math.Abs(eb/replay-1) > 0.01 {
			t.Errorf("%s: %.4f, replay says %.4f", c.name, eb, replay)
		}
	}
}
