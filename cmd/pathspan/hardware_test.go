package main

// This file holds searches of loops in hardware to all there is: each mapping with each design,
// estimated one by one, and what loops take added up by hand.

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/report"
	"pathspan/yamlstrict/keytest"
)

// hardProgram has three sections, of which two have a loop each, one of these in a function of its own.
const hardProgram = `#define N 600
float a[N], b[N], c[N];
int d[N];
void scale(float by)
{
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < N; i++)
    a[i] = b[i] * by + a[i];
}
int main(void)
{
  for (int n = 0; n < 4; n++) {
#pragma omp parallel sections
    {
#pragma omp section
      scale(n);
#pragma omp section
      {
#pragma clang loop unroll(disable) vectorize(disable)
        for (int i = 0; i < N; i++)
          c[i] = c[i] / 3 + 1;
      }
#pragma omp section
      for (int i = 0; i < N; i++)
        d[i] = d[i] * 3 + n * d[N - 1 - i];
    }
  }
  return 0;
}
`

const hardModel = `schema: pathspan.accelerator/1
name: hard
extends: ku060
loops:
  h.c:7:
    takes: {LUT: {1: 100, 2: 190, 4: 420}}
    shares: {DSP: {1: 3, 2: 6, 4: 12}}
    banks: {BRAM: {1: 4, 2: 4, 4: 7}}
    try: {unroll: [1, 2, 4], partition: [1, 2, 4]}
  h.c:20:
    takes: {LUT: {1: 150, 2: 310}}
    shares: {DSP: {1: 4, 2: 8}}
    banks: {BRAM: {1: 2, 2: 3}}
    try: {unroll: [1, 2]}
`

// hardTakes is the same, in no order that the program knows: DSP that are shared, LUT, BRAM.
var hardTakes = map[string][3]float64{
	"7/1/1": {3, 100, 4}, "7/1/2": {3, 100, 4}, "7/1/4": {3, 100, 7}, "7/2/1": {6, 190, 4}, "7/2/2": {6, 190, 4}, "7/2/4": {6, 190, 7},
	"7/4/1": {12, 420, 4}, "7/4/2": {12, 420, 4}, "7/4/4": {12, 420, 7}, "20/1": {4, 150, 2}, "20/2": {8, 310, 3},
}

type timeAndArea struct {
	Seconds float64 `json:"parallel_seconds"`
	Area    float64 `json:"area"`
}

func (a timeAndArea) near(b timeAndArea) bool {
	return math.Abs(a.Seconds-b.Seconds) < 1e-9*b.Seconds && math.Abs(a.Area-b.Area) < 1e-9
}

func TestHardwareIsSearchedWhole(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "h.c", hardProgram)
	writeText(t, dir, "hard.yaml", hardModel)
	succeed(t, "profile", "-q", "-O", "1", "-o", "h.pspan", "h.c")
	for _, c := range []struct {
		processors, capacity string
		limits               [3]float64
	}{
		{"  - {name: cpu, model: cortex-a7, clock_mhz: 300, count: 2}\n", "{DSP: 14, LUT: 700, BRAM: 9}", [3]float64{14, 700, 9}},
		{"  - {name: cpu, model: cortex-a7, clock_mhz: 900}\n", "{LUT: 600}", [3]float64{math.Inf(1), 600, math.Inf(1)}},
	} {
		platform := writeText(t, dir, "p.yaml", "processors:\n"+c.processors+"  - {name: fpga, model: hard.yaml, capacity: "+c.capacity+"}\n")
		names := []string{"cpu", "fpga"}
		if strings.Contains(c.processors, "count") {
			names = []string{"cpu0", "cpu1", "fpga"}
		}
		var all []timeAndArea
		refused := 0
		for _, u := range []string{"1", "2", "4"} {
			for _, p := range []string{"1", "2", "4"} {
				for _, v := range []string{"1", "2"} {
					args, areas := []string{"estimate", "--json", "--technique", "eb", "--platform", platform}, []float64(nil)
					for k := range len(names) * len(names) * len(names) {
						at := []string{names[k%len(names)], names[k/len(names)%len(names)], names[k/len(names)/len(names)]}
						var takes [3]float64
						if at[0] == "fpga" {
							takes = hardTakes["7/"+u+"/"+p]
						}
						if x := hardTakes["20/"+v]; at[1] == "fpga" {
							takes = [3]float64{max(takes[0], x[0]), takes[1] + x[1], takes[2] + x[2]}
						}
						text, area, fits := "regions:\n  h.c:main#1: {", 0.0, true
						for n, name := range names {
							var sections []string
							for s := range at {
								if at[s] == name {
									sections = append(sections, fmt.Sprint(s+1))
								}
							}
							if sections != nil {
								text += fmt.Sprintf("%s: [%s], ", names[n], strings.Join(sections, ", "))
							}
						}
						for r := range takes {
							fits = fits && takes[r] <= c.limits[r]
							area = max(area, takes[r]/c.limits[r])
						}
						file := writeText(t, dir, fmt.Sprintf("m%s-%s-%s-%d.yaml", u, p, v, k), text+"}\ndesigns: {fpga: {h.c:7: {unroll: "+u+", partition: "+p+"}, h.c:20: {unroll: "+v+"}}}\n")
						if !fits {
							if refused++; refused == 1 {
								if line := fail(t, "estimate", "--platform", platform, "--mapping", file, "h.pspan"); !strings.Contains(line, "processor fpga has ") || !strings.Contains(line, "and the loops that are made for what it executes take ") {
									t.Errorf("says %s", line)
								}
							}
							continue
						}
						args, areas = append(args, "--mapping", file), append(areas, area)
					}
					var got struct {
						Estimates []struct {
							Seconds float64 `json:"parallel_seconds"`
						} `json:"estimates"`
					}
					if err := json.Unmarshal([]byte(succeed(t, append(args, "h.pspan")...)), &got); err != nil || len(got.Estimates) != len(areas) {
						t.Fatalf("%v: %d estimates of %d mappings", err, len(got.Estimates), len(areas))
					}
					for i := range areas {
						all = append(all, timeAndArea{got.Estimates[i].Seconds, areas[i]})
					}
				}
			}
		}
		if refused == 0 {
			t.Error("every design fits")
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
		if len(front) < 4 {
			t.Errorf("a front of %v", front)
		}
		var found struct {
			Searches []struct {
				Proven bool          `json:"proven"`
				Best   timeAndArea   `json:"best"`
				Front  []timeAndArea `json:"front"`
			} `json:"searches"`
		}
		search := func(args ...string) {
			t.Helper()
			found.Searches = nil
			text := succeed(t, append([]string{"explore", "--json", "--platform", platform, "h.pspan"}, args...)...)
			if err := json.Unmarshal([]byte(text), &found); err != nil || len(found.Searches) != 1 || !found.Searches[0].Proven {
				t.Fatalf("%v: %.400s", err, text)
			}
		}
		search("--pareto", "time,area")
		same := len(found.Searches[0].Front) == len(front)
		for i := range front {
			same = same && front[i].near(found.Searches[0].Front[i])
		}
		if !same {
			t.Errorf("%s: front %v, want %v", c.capacity, found.Searches[0].Front, front)
		}
		for objective, want := range map[string]timeAndArea{"speedup": front[0], "area": front[len(front)-1]} {
			search("--objective", objective, "-o", "best.yaml")
			if got := found.Searches[0].Best; !got.near(want) {
				t.Errorf("%s, %s: %v, want %v", c.capacity, objective, got, want)
			}
			// What it wrote means the same to who simulates the program.
			var again struct {
				Estimates []struct {
					Seconds float64 `json:"parallel_seconds"`
				} `json:"estimates"`
			}
			if err := json.Unmarshal([]byte(succeed(t, "replay", "--json", "--platform", platform, "--mapping", "best.yaml", "h.pspan")), &again); err != nil || len(again.Estimates) != 1 || math.Abs(again.Estimates[0].Seconds/want.Seconds-1) > 1e-9 {
				t.Errorf("%s, %s: replayed %+v, want %v", c.capacity, objective, again, want)
			}
		}
		for _, algorithm := range []string{"branch-and-bound", "annealing", "genetic", "random"} {
			text := succeed(t, "explore", "--json", "--platform", platform, "--algorithm", algorithm, "h.pspan")
			found.Searches = nil
			if err := json.Unmarshal([]byte(text), &found); err != nil || !found.Searches[0].Best.near(front[0]) {
				t.Errorf("%s, %s: %v, want %v", c.capacity, algorithm, found.Searches, front[0])
			}
		}
	}
}

// Each key of designs is used, and a search goes on from its state where the ways to make loops are the same.
func TestDesignsAreUsed(t *testing.T) {
	source, err := filepath.Abs("../../mapping/designs.go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "h.c", hardProgram)
	writeText(t, dir, "hard.yaml", hardModel)
	platform := writeText(t, dir, "p.yaml", "processors: [{name: cpu}, {name: fpga, model: hard.yaml, capacity: {DSP: 9}}]\n")
	succeed(t, "profile", "-q", "-O", "1", "-o", "h.pspan", "h.c")
	keytest.Check(t, []string{source}, "regions: {h.c:main#1: {fpga: [1, 2], cpu: [3]}}\ndesigns: {fpga: {h.c:7: {unroll: 2, partition: 2}}}\n",
		func(t *testing.T, text string) string {
			o := pathspan("", "why", "--json", "--platform", platform, "--mapping", writeText(t, dir, "m.yaml", text), "h.pspan")
			return o.stdout + o.stderr
		}, []keytest.Change{
			{Key: "unroll", Old: "unroll: 2", New: "unroll: 1"}, {Key: "partition", Old: "partition: 2", New: "partition: 4"},
			{Key: "designs", Old: "designs: {fpga: {h.c:7: {unroll: 2, partition: 2}}}", New: ""},
		}, "designs")
	explore := []string{"explore", "--platform", platform, "--pareto", "time,area", "--state", "state.json", "h.pspan"}
	if first := succeed(t, explore...); succeed(t, explore...) != first {
		t.Error("a search that goes on from its end finds something else")
	}
	writeText(t, dir, "hard.yaml", strings.Replace(hardModel, "LUT: {1: 150, 2: 310}", "LUT: {1: 150, 2: 311}", 1))
	if line := fail(t, explore...); !strings.Contains(line, "--state state.json: it is of a search with another") {
		t.Error(line)
	}
}

func TestHardwareThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "h.c", hardProgram)
	writeText(t, dir, "hard.yaml", hardModel)
	succeed(t, "profile", "-q", "-O", "1", "-o", "h.pspan", "h.c")
	const regions = "regions: {h.c:main#1: {fpga: [1, 2], cpu: [3]}}\n"
	for _, c := range []struct{ capacity, mapping, command, want string }{
		{"{DSP: 99}", "designs: {fpga: {h.c:7: {unroll: 0}}}\n", "estimate", "m.yaml:2: designs.fpga.h.c:7.unroll is \"0\": want a whole number from 1"},
		{"{DSP: 99}", "designs: {fpga: {h.c:7: {}}}\n", "estimate", "m.yaml:2: the design of the loop at h.c:7 is empty"},
		{"{DSP: 99}", "designs: {fpga: {h.c:8: {unroll: 2}}}\n", "estimate", "m.yaml:2: model hard has no loop h.c:8: its loops are h.c:20, h.c:7"},
		{"{DSP: 99}", "designs: {fgpa: {h.c:7: {unroll: 2}}}\n", "estimate", "m.yaml:2: processor \"fgpa\" is not on platform p: want \"fpga\""},
		{"{DSP: 99}", "designs: {cpu: {h.c:7: {unroll: 2}}}\n", "estimate", "m.yaml:2: designs: model cortex-a7 makes no hardware of loops"},
		{"{DSP: 99}", "designs: {fpga: {h.c:20: {partition: 8}}}\n", "estimate", ""},
		{"{DSP: 2}", "", "estimate", "processor fpga has 2 DSP, and the loops that are made for what it executes take 4"},
		{"{DSP: 2}", "", "replay", "processor fpga has 2 DSP, and the loops that are made for what it executes take 4"},
		{"{FF: 2}", "", "estimate", "p.yaml:4: capacity of processor fpga: no loop of model hard.yaml takes any FF"},
		{"{DSP: 0}", "", "estimate", "p.yaml:4: "},
		{"{DSP: 99}", "designs: {fpga: {h.c:7: {unroll: 2}}}\n", "measure", "m.yaml:2: designs of fpga: processors are as their models' files have them here"},
	} {
		writeText(t, dir, "p.yaml", "name: p\nprocessors:\n  - {name: cpu, model: cortex-a7}\n  - {name: fpga, model: hard.yaml, capacity: "+c.capacity+"}\n")
		writeText(t, dir, "m.yaml", regions+c.mapping)
		args := []string{c.command, "--platform", "p.yaml", "--mapping", "m.yaml", "h.pspan"}
		if c.want == "" {
			succeed(t, args...)
		} else if line := fail(t, args...); !strings.Contains(line, c.want) {
			t.Errorf("%s, %s\nsays %s\nwant %s", c.capacity, c.mapping, line, c.want)
		}
	}
	writeText(t, dir, "outside.yaml", "schema: pathspan.accelerator/1\nname: outside\nextends: ku060\nloops: {h.c:12: {takes: {LUT: {1: 100}}}}\n")
	for _, c := range []struct{ fpga, flag, want string }{
		{"{name: fpga, model: outside.yaml, capacity: {LUT: 99}}", "--serial=fpga", "no way to make the loops that fpga comes to fits what platform p has for them"},
		{"{name: fpga, model: outside.yaml, capacity: {LUT: 99}}", "--serial=any", ""},
		{"{name: fpga, model: hard.yaml}", "--pareto=time,area", "area: nothing says how much there is for the hardware of fpga: give it capacity"},
		{"{name: fpga, model: leon3}", "--objective=area", "area: no processor of platform p makes hardware of loops"},
		{"{name: fpga, model: leon3, capacity: {DSP: 3}}", "--objective=time", "p.yaml:4: capacity of processor fpga: model leon3 makes no hardware of loops"},
		{"{name: fpga, model: hard.yaml, capacity: {DSP: 2}}", "--objective=time", ""}, // all on the other
		{"{name: fpga, model: hard.yaml, capacity: {DSP: 2}}", "--serial=fpga", ""},
	} {
		writeText(t, dir, "p.yaml", "name: p\nprocessors:\n  - {name: cpu, model: cortex-a7}\n  - "+c.fpga+"\n")
		args := []string{"explore", "--platform", "p.yaml", c.flag, "h.pspan"}
		if c.want == "" {
			if text := succeed(t, args...); strings.Contains(text, "area") || !strings.Contains(text, "proven optimal") {
				t.Errorf("%s: nothing can be made, and it says\n%s", c.flag, text)
			}
		} else if line := fail(t, args...); !strings.Contains(line, c.want) {
			t.Errorf("%s %s\nsays %s\nwant %s", c.fpga, c.flag, line, c.want)
		}
	}
}

// sharedProgram shares the iterations of a loop, in each of which is one that can be made.
const sharedProgram = `#define N 64
float a[N][N], b[N];
int main(void)
{
#pragma omp parallel for schedule(static)
  for (int i = 0; i < N; i++) {
    float x = b[i];
#pragma clang loop unroll(disable) vectorize(disable)
    for (int k = 0; k < N; k++)
      a[i][k] = a[i][k] * x;
  }
  return 0;
}
`

// A loop goes to the processor that makes what is in it where there is enough for that, and else
// stays elsewhere.
func TestThreadsComeToHardware(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "s.c", sharedProgram)
	writeText(t, dir, "hard.yaml", "schema: pathspan.accelerator/1\nname: hard\nextends: ku060\nloops: {s.c:9: {takes: {LUT: {1: 100, 4: 400}}, try: {unroll: [1, 4]}}}\n")
	succeed(t, "profile", "-q", "-O", "1", "-o", "s.pspan", "s.c")
	last := 0.0
	for _, c := range []struct{ capacity, design, takes string }{
		{"500", "s.c:9: {unroll: 4}", "400 LUT of 500"}, {"399", "s.c:9: {unroll: 1}", "100 LUT of 399"}, {"99", "", ""},
	} {
		platform := writeText(t, dir, "p.yaml", "processors: [{name: cpu, model: leon3, clock_mhz: 250}, {name: fpga, model: hard.yaml, capacity: {LUT: "+c.capacity+"}}]\n")
		succeed(t, "explore", "--platform", platform, "-o", "best.yaml", "s.pspan")
		text := succeed(t, "estimate", "--json", "--verify", "--platform", platform, "--mapping", "best.yaml", "s.pspan")
		written, err := os.ReadFile("best.yaml")
		if best := string(written); err != nil || !strings.Contains(best, c.design) || strings.Contains(best, "designs") != (c.design != "") || !strings.Contains(text, c.takes) || strings.Contains(text, "are made on fpga") != (c.takes != "") {
			t.Errorf("%s: %v: %s\n%s", c.capacity, err, written, text)
		}
		_, text, _ = strings.Cut(text, `"parallel_seconds": `)
		var seconds float64
		if _, err := fmt.Sscanf(text, "%g", &seconds); err != nil || seconds <= last {
			t.Errorf("%s: %v s, with more %v", c.capacity, seconds, last)
		}
		last = seconds
	}
}

// The example, by all commands: one answer, whoever is asked.
func TestTheReceiver(t *testing.T) {
	example, err := filepath.Abs("../../examples/accelerator")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Chdir(dir)
	platform := filepath.Join(example, "soc.yaml")
	succeed(t, "profile", "-q", "-O", "1", "-o", "r.pspan", filepath.Join(example, "receiver.c"))
	succeed(t, "explore", "--platform", platform, "-o", "best.yaml", "r.pspan")
	writeText(t, dir, "x.json", succeed(t, "explore", "--json", "--platform", platform, "r.pspan"))
	target := []string{"--platform", platform, "--mapping", "best.yaml", "r.pspan"}
	of := func(args ...string) string { return succeed(t, append(args, target...)...) }
	var explored struct {
		Searches []struct {
			Best struct {
				Speedup float64 `json:"speedup"`
				Area    float64 `json:"area"`
			} `json:"best"`
		} `json:"searches"`
	}
	var estimated struct {
		Estimates []struct {
			Speedup  float64 `json:"speedup"`
			Parallel float64 `json:"parallel_cycles"`
		} `json:"estimates"`
		Notes []string `json:"notes"`
	}
	if err := json.Unmarshal([]byte(succeed(t, "explore", "--json", "--platform", platform, "r.pspan")), &explored); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(of("estimate", "--json", "--verify")), &estimated); err != nil {
		t.Fatal(err)
	}
	best, e := explored.Searches[0].Best, estimated.Estimates[0]
	if best.Area == 0 || math.Abs(best.Speedup-e.Speedup) > 1e-9 {
		t.Errorf("explore %+v, estimate %+v", best, e)
	}
	takes := estimated.Notes[slices.IndexFunc(estimated.Notes, func(n string) bool { return strings.Contains(n, "loops that are made on fpga") })]
	for what, text := range map[string]string{
		"why": of("why", "--json"), "report": of("report", "-o", "-", "--format", "json"),
		"report of explore": succeed(t, "report", "-o", "-", "--format", "json", "--platform", platform, "--explored", "x.json", "r.pspan"),
	} {
		_, text, _ = strings.Cut(text, `"speedup": `)
		var got float64
		if _, err := fmt.Sscanf(text, "%g", &got); err != nil || math.Abs(got-e.Speedup) > 1e-6 {
			t.Errorf("%s: %v, speed-up %v, want %v", what, err, got, e.Speedup)
		}
		if _, said, _ := strings.Cut(takes, ": "); !strings.Contains(text, said) {
			t.Errorf("%s does not say %q", what, said)
		}
	}
	if text := of("replay"); !strings.Contains(text, " "+withCommas(int(e.Parallel))) {
		t.Errorf("replay has not %v cycles:\n%s", e.Parallel, text)
	}
	// The front that docs/models.md shows; what is not in hardware hangs on the compiler.
	var front struct {
		Searches []struct {
			Front []timeAndArea `json:"front"`
		} `json:"searches"`
	}
	if err := json.Unmarshal([]byte(succeed(t, "explore", "--json", "--platform", platform, "--pareto", "time,area", "r.pspan")), &front); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(example, "../../docs/models.md"))
	if all := front.Searches[0].Front; err != nil || len(all) != 6 {
		t.Errorf("%v: a front of %v", err, all)
	} else {
		for _, x := range all[:5] {
			if row := fmt.Sprintf("| %s | %.1f%% |", report.Seconds(x.Seconds), 100*x.Area); !strings.Contains(string(page), row) {
				t.Errorf("docs/models.md does not have %s", row)
			}
		}
	}
	// As the file has them the three loops take 12, 24 and 16.
	small := writeText(t, dir, "small.yaml", "processors: [{name: cpu}, {name: fpga, model: "+filepath.Join(example, "fpga.yaml")+", capacity: {BRAM: 51}}]\n")
	o := pathspan(`{"sections": [1, 1, 1, 0]}`+"\n"+`{"sections": [1, 1, 0, 1]}`+"\n", "serve", "--platform", small, "r.pspan")
	if !strings.Contains(o.stdout, "processor fpga has 51 BRAM, and the loops that are made for what it executes take 52") || strings.Count(o.stdout, "take 52") != 1 {
		t.Errorf("serve says %s%s", o.stdout, o.stderr)
	}
	for _, format := range []string{"sdf3", "chrome", "csv"} {
		if text := of("export", "--format", format); !strings.Contains(text, "fpga") && format != "csv" {
			t.Errorf("export to %s does not have fpga:\n%.500s", format, text)
		}
	}
}
