package main

// This file holds searches of depths to all there is: each placement with each depth, asked of serve one by one, with
// what buffers take added up by hand. It shares nothing with package explore.

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
)

// deepProgram passes items on in arrays of four places; the last stage reads what the first wrote as well.
const deepProgram = `#include <stdio.h>
static int a[4][24], b[4][10];
static long sum;
static void fill(int n) { for (int i = 0; i < 24; i++) a[n & 3][i] = n * i + 1; }
static void fold(int n) { for (int k = 0; k < 1 + n % 3 * 9; k++) for (int i = 0; i < 10; i++) b[n & 3][i] = a[n & 3][i] * 3 + a[n & 3][i + 14] + k; }
static void take(int n) { for (int k = 0; k < 2 + n % 4 * 7; k++) for (int i = 0; i < 10; i++) sum += b[n & 3][i] + a[n & 3][3]; }
int main(void) {
  for (int n = 0; n < 30; n++) {
    fill(n);
    fold(n);
    take(n);
  }
  printf("%ld\n", sum);
  return 0;
}
`

const deepPlan = "plan:\n  - pipeline: {function: main, calls: [fill, fold, take]}\n    depth: [1, 2]\n"

// deepApp profiles it.
func deepApp(t *testing.T, dir, flag string) (bundle string) {
	t.Helper()
	writeText(t, dir, "deep.c", deepProgram)
	bundle = filepath.Join(dir, "deep.pspan")
	succeed(t, "profile", "-q", flag, "-O", "1", "-o", bundle, "--plan", writeText(t, dir, "deep.plan.yaml", deepPlan), "deep.c")
	return bundle
}

func TestDepthsAreSearchedWhole(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	bundle := deepApp(t, dir, "--flow")
	// Of a: fold reads 20 of 24, take one. Of b: take reads all 10. The buffers hold ints.
	const first, second = 32 * (20 + 1), 32 * (10 + 1)
	writeText(t, dir, "q.yaml", "schema: pathspan.accelerator/1\nname: q\nextends: ku060\nloops:\n  deep.c:4: {takes: {LUT: {1: 600}}}\n")
	for _, c := range []struct {
		processors string
		units      [2]float64 // bits of a unit
		limits     [2]float64 // units
		loop       float64    // the part of q that fill's loop takes where q may execute fill
	}{
		{"  - {name: p, clock_mhz: 100, capacity: {SRAM: 9}, fifo: {SRAM: 400}}\n  - {name: q, clock_mhz: 170, capacity: {BRAM: 12}, fifo: {BRAM: 512}}\n", [2]float64{400, 512}, [2]float64{9, 12}, 0},
		{"  - {name: p, clock_mhz: 40}\n  - {name: q, model: q.yaml, capacity: {BRAM: 5, LUT: 1000}, fifo: {BRAM: 512}}\n", [2]float64{0, 512}, [2]float64{0, 5}, 0.6},
	} {
		platform := writeText(t, dir, "p.yaml", "processors:\n"+c.processors+"overheads: {task: 30, steal: 20}\n")
		places := []string{``, `["p"]`, `["q"]`}
		on := [][2]bool{{true, true}, {true, false}, {false, true}}
		var stdin strings.Builder
		var areas []float64 // NaN where it cannot be
		for team := range 2 {
			for section := range 2 {
				for k := range 27 * 9 {
					at := [3]int{k % 3, k / 3 % 3, k / 9 % 3}
					depths := [2]int{[]int{1, 2, 3}[k/27%3], []int{1, 2, 3}[k/81]}
					who, tasks := [2]bool{true, team == 1}, `["p"]`
					if team == 1 {
						tasks = `["p", "q"]`
					}
					var kept []string
					for s, name := range []string{"fill", "fold", "take"} {
						if places[at[s]] != "" {
							kept = append(kept, fmt.Sprintf(`"%s": %s`, name, places[at[s]]))
						}
					}
					fmt.Fprintf(&stdin, `{"id": %d, "techniques": ["eb"], "mapping": {"serial": "p", "regions": {"deep.c:main#1": {"%s": [1], "tasks": %s}}, "tasks": {%s}, "depths": {"fill": %d, "fold": %d}}}`+"\n",
						len(areas), []string{"p", "q"}[section], tasks, strings.Join(kept, ", "), depths[0], depths[1])
					var takes [2]float64
					for buffer, bits := range []float64{first, second} {
						holds := func(stage int) (held [2]bool) {
							for q := range held {
								// Who is kept to processors that are not of the team may execute it all.
								kept := on[at[stage]]
								if !(kept[0] && who[0] || kept[1] && who[1]) {
									kept = [2]bool{true, true}
								}
								held[q] = who[q] && kept[q] && c.units[q] > 0
							}
							return held
						}
						held := holds(buffer + 1)
						if held == [2]bool{} {
							held = holds(buffer)
						}
						for q := range held {
							if held[q] {
								takes[q] += math.Ceil(float64(depths[buffer]) * bits / c.units[q])
							}
						}
					}
					area := 0.0
					for q := range takes {
						part := 0.0
						if takes[q] > 0 {
							part = takes[q] / c.limits[q]
						}
						if part > 1 {
							part = math.NaN()
						}
						// One thread executes tasks where it makes them.
						if q == 1 && (who[1] && on[at[0]][1] || !who[1] && section == 1) {
							part = max(part, c.loop)
						}
						area += part
					}
					if depths[0]+depths[1] > 4 { // fill would write over what take may still read
						area = math.NaN()
					}
					areas = append(areas, area)
				}
			}
		}
		o := pathspan(stdin.String(), "serve", "--platform", platform, bundle)
		lines := strings.Split(strings.TrimSpace(o.stdout), "\n")
		if o.status != 0 || len(lines) != len(areas)+1 {
			t.Fatalf("%d lines of %d: %s", len(lines), len(areas), o.stderr)
		}
		var all []timeAndArea
		for i, line := range lines[1:] {
			var got struct {
				Error   *struct{ Message string }
				Results []timeAndArea
			}
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatal(err, line)
			}
			if got.Error != nil {
				if !math.IsNaN(areas[i]) || !strings.Contains(got.Error.Message, "and its loops and the buffers of stages take") {
					t.Errorf("area %g: %s", areas[i], line)
				}
				continue
			}
			if !math.IsNaN(areas[i]) {
				all = append(all, timeAndArea{got.Results[0].Seconds, areas[i]})
			}
		}
		var front []timeAndArea
		for _, x := range all {
			worse := func(y timeAndArea) bool {
				return y.Seconds <= x.Seconds && y.Area <= x.Area && !y.near(x) || y.near(x) && slices.ContainsFunc(front, x.near)
			}
			if !slices.ContainsFunc(all, worse) {
				front = append(front, x)
			}
		}
		slices.SortFunc(front, func(a, b timeAndArea) int { return int(math.Copysign(1, a.Seconds-b.Seconds)) })
		if len(front) < 3 || len(all) < 100 {
			t.Errorf("a front of %v of %d mappings", front, len(all))
		}
		var found struct {
			Searches []struct {
				Proven bool
				Best   timeAndArea
				Front  []timeAndArea
			}
		}
		search := func(args ...string) {
			t.Helper()
			found.Searches = nil
			text := succeed(t, append([]string{"explore", "--json", "--technique", "eb", "--platform", platform, "--depths", "1,2,3", bundle}, args...)...)
			if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Searches) != 1 {
				t.Fatalf("%v: %.400s", err, text)
			}
			writeText(t, dir, "found.json", text)
		}
		search("--pareto", "time,area")
		same := len(found.Searches[0].Front) == len(front) && found.Searches[0].Proven
		for i := 0; same && i < len(front); i++ {
			same = front[i].near(found.Searches[0].Front[i])
		}
		if !same {
			t.Errorf("front %v, want %v", found.Searches[0].Front, front)
		}
		for _, algorithm := range []string{"exhaustive", "branch-and-bound"} {
			search("--algorithm", algorithm, "-o", "best.yaml", "--objective", "time")
			if got := found.Searches[0].Best; !near(got.Seconds, front[0].Seconds, 1e-9) {
				t.Errorf("%s: %v, want %v", algorithm, got, front[0])
			}
		}
		// Reports on what was found are of the same mapping.
		succeed(t, "report", "-q", "--platform", platform, "--explored", "found.json", "-o", "report.json", bundle)
		data, err := os.ReadFile("report.json")
		if err != nil || strings.Contains(string(data), "its best mapping takes") || !strings.Contains(string(data), `"parallel_seconds": `+strconv.FormatFloat(found.Searches[0].Best.Seconds, 'f', -1, 64)) {
			t.Errorf("a report of another mapping: %v", err)
		}
		search("--algorithm", "annealing", "--objective", "area")
		if got := found.Searches[0].Best; math.Abs(got.Area-front[len(front)-1].Area) > 1e-9 {
			t.Errorf("the least area found is %v, want %v", got, front[len(front)-1])
		}
		succeed(t, "estimate", "--verify", "--technique", "eb", "--platform", platform, "--mapping", "best.yaml", bundle)
		var again struct {
			Estimates []estimated
		}
		if err := json.Unmarshal([]byte(succeed(t, "replay", "--json", "--platform", platform, "--mapping", "best.yaml", bundle)), &again); err != nil || !near(again.Estimates[0].ParallelSeconds, front[0].Seconds, 0.01) {
			t.Errorf("replayed %+v, want %v", again, front[0])
		}
	}
}

// Programs that run have the depths of their mapping, and what needs others is told.
func TestDepthsOfMappings(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	bundle := deepApp(t, dir, "--flow")
	deep := writeText(t, dir, "m.yaml", "tasks: {fill: [cpu0], fold: [cpu1], take: [cpu0]}\ndepths:\n  deep.c:8: 3\n  fill: 2\n")
	target := []string{"-p", "2", "--mapping", deep, bundle}
	pipelines, _, notes := pipelinesOf(t, target...)
	if d := pipelines[0].Depths; !slices.Equal(d, []int{2, 3}) {
		t.Errorf("depths %v", d)
	}
	if want := "deep.c:9: stage fill reads what stage take wrote of 4 items before, or writes over what that may still use, and with the depths of m.yaml does not wait for it"; !slices.ContainsFunc(notes, func(n string) bool { return strings.HasPrefix(n, want) }) {
		t.Errorf("%q, want %s", notes, want)
	}
	if text := succeed(t, append([]string{"export", "--format", "sdf3", "--pipeline", pipelines[0].Name}, target...)...); !strings.Contains(text, `initialTokens="3"`) {
		t.Error(text)
	}
	sound := writeText(t, dir, "sound.yaml", "depths: {fill: 2}\n")
	if text := succeed(t, "measure", "-n", "1", "-p", "2", "--mapping", sound, bundle); !strings.Contains(text, "sound.yaml") {
		t.Error(text)
	}
	for want, args := range map[string][]string{
		"m.yaml:2: depths.fill is \"0\": want a whole number from 1":                                            {"depths: {fill: 0}\n"},
		"m.yaml:2: depths: \"fil\" is no pipeline and no stage: want \"fill\"":                                  {"depths: {fil: 2}\n"},
		"m.yaml:2: depths: stage \"take\" is the last of its pipeline, so that no buffer is behind it":          {"depths: {take: 2}\n"},
		"m.yaml:2: depths: \"deep.c:8\" is there twice":                                                         {"depths: {deep.c:main/pipeline1: 2, deep.c:8: 3}\n"},
		"--depths 0: want 1 to 65536 items":                                                                     {"", "explore", "--depths", "0"},
		"depths: technique pb takes the stages of a pipeline one after the other: go by one of executions":      {"", "explore", "--depths", "2", "--technique", "pb"},
		"depths: with none of those given stages of pipeline deep.c:main/pipeline1 wait for all that they need": {"", "explore", "--depths", "7,9", "--technique", "eb"},
		"m.yaml and sound.yaml have other depths for the buffers of stages, which are built into the program":   {"depths: {fill: 3}\n", "measure", "-n", "1", "--mapping", sound},
		"p.yaml:2: fifo of processor a: nothing says how many SRAM there are: give capacity: {SRAM: N}":         {"", "estimate", "--platform", writeText(t, dir, "p.yaml", "processors:\n  - {name: a, fifo: {SRAM: 64}}\n")},
		"processor cpu has 1 SRAM, and its loops and the buffers of stages take ":                               {"", "estimate", "--platform", writeText(t, dir, "q.yaml", "processors:\n  - {name: cpu, count: 1, capacity: {SRAM: 1}, fifo: {SRAM: 64}}\n")},
	} {
		command := []string{"estimate"}
		if len(args) > 1 {
			command = args[1:]
		}
		if args[0] != "" {
			command = slices.Concat(command[:1], []string{"-p", "2", "--mapping", writeText(t, dir, "m.yaml", "serial: cpu0\n"+args[0])}, command[1:])
		}
		if line := fail(t, append(command, bundle)...); !strings.Contains(line, want) {
			t.Errorf("%q says %s\nwant %s", command, line, want)
		}
	}
	if line := fail(t, "estimate", "--mapping", writeText(t, dir, "none.yaml", "depths: {x: 2}\n"), "testdata-none.pspan"); line == "" {
		t.Error("a bundle that is not there")
	}
}
