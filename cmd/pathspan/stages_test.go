package main

// This file holds what is said of stages of pipelines: the programs of testdata/pipelines, whose
// stages go to processors by name, against replay; other depths against plans that have them;
// and plans that are not as they should be.

import (
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/mapping"
	"pathspan/testdata/programs"
)

// pipelined is a pipeline as estimate --json prints it.
type pipelined struct {
	Processors int
	Name       string
	Items      float64
	Seconds    float64
	Slowest    int
	Depths     []int
	Levels     []struct {
		Mean, Full float64
		Most       int
	}
	Stages []struct {
		Name, Task          string
		Stateless           bool
		Executions, Seconds float64
		Least, Mean, Most   float64
		Processors          []string
		Utilisation         float64
		Stall               float64 `json:"stall_rate"`
	}
	Formulas struct{ Sequential, FSM, Parallel, Dataflow, Pipeline float64 }
	Channels []struct {
		From, To  string
		Depth     int
		Unordered bool
		Trace     *struct {
			Class  string
			Tokens int
			Reads  int
			Near   int `json:"items_back_least"`
			Far    int `json:"items_back_most"`
			Bytes  *struct{ Least, Most uint32 }
		}
		Memory *struct {
			Read, Distinct uint64
			Objects        []string
		}
	}
	Buffers *struct {
		Even, Near int
		Each       []int
		Tried      []struct {
			Depth   int
			Seconds float64
		}
		Refused string
	}
}

// pipelinesOf runs estimate --json.
func pipelinesOf(t *testing.T, args ...string) (pipelines []pipelined, all []estimated, notes []string) {
	t.Helper()
	var out struct {
		Estimates []estimated
		Pipelines []pipelined
		Notes     []string
	}
	if err := json.Unmarshal([]byte(succeed(t, append([]string{"estimate", "--json", "--technique", "eb", "--samples", "0"}, args...)...)), &out); err != nil || len(out.Pipelines) == 0 {
		t.Fatalf("%d pipelines: %v", len(out.Pipelines), err)
	}
	return out.Pipelines, out.Estimates, out.Notes
}

// channelsOfPrograms is what is known of the programs: from, to, class, tokens of the small run, and
// how many bytes a read takes; those of stages with themselves are left out.
var channelsOfPrograms = map[string][]string{
	"video": {"take denoise IOM- 24 3072-3072", "denoise compare IOM- 24 3072-3072", "denoise sharpen IOM- 24 3072-3072", "compare sharpen IOM- 24 ", "sharpen show IOM- 24 1536-1536"},
	"jpeg":  {"load brighten IOM- 24 3072-3072", "brighten transform IOM- 24 2048-2048", "transform encode IOM- 24 2048-2048", "encode store IOM- 24 "},
	"radio": {"receive mix IOM- 30 2048-2048", "mix decimate IOM- 30 2048-2048", "decimate demodulate IOM- 30 512-512", "demodulate soften IOM- 30 4-260", "soften play IOM- 30 4-260"},
}

func TestPipelinesOfTestdata(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	root, err := filepath.Abs("../../testdata/pipelines")
	if err != nil {
		t.Fatal(err)
	}
	list, err := programs.Load(root)
	if err != nil || len(list) != 3 {
		t.Fatal(list, err)
	}
	for n, p := range list {
		t.Run(p.Name, func(t *testing.T) {
			dir := t.TempDir()
			source := p.Paths(root)[0]
			run := append([]string{"--plan", planBeside(source), source, "--"}, p.Small().Args...)
			flow, memory, both := filepath.Join(dir, "flow.pspan"), filepath.Join(dir, "memory.pspan"), filepath.Join(dir, "both.pspan")
			want, err := os.ReadFile(filepath.Join(root, p.Small().Expect.Stdout))
			if err != nil {
				t.Fatal(err)
			}
			for file, flags := range map[string][]string{flow: {"--flow"}, memory: {"--memory"}, both: {"--flow", "--memory"}} {
				if got := succeed(t, slices.Concat([]string{"profile", "-q", "-o", file}, flags, run)...); got != string(want) {
					t.Fatalf("it prints %q with %s, want %q", got, flags, want)
				}
			}
			testStageChannels(t, p.Name, flow, memory)
			testBothChannels(t, flow, memory, both)
			testStagesReported(t, dir, flow)
			testStagesPlaced(t, dir, memory, run, uint64(n))
			if o := pathspan("", "races", "-q", memory); o.status != 0 || !strings.Contains(o.stdout, "no race was found") {
				t.Errorf("races: %s%s", o.stdout, o.stderr)
			}
		})
	}
}

// readByOneLine are channels of the programs, as compiled, of which one line of the reader reads each byte once.
var readByOneLine = []string{"sharpen show", "load brighten", "brighten transform", "transform encode", "receive mix"}

// testBothChannels: one run that records both knows of each channel what each record alone does.
func testBothChannels(t *testing.T, flow, memory, both string) {
	t.Helper()
	traced, _, _ := pipelinesOf(t, "-p", "3", flow)
	remembered, _, _ := pipelinesOf(t, "-p", "3", memory)
	got, _, _ := pipelinesOf(t, "-p", "3", both)
	held := 0
	for i := range got[0].Channels {
		c := &got[0].Channels[i]
		if c.From != c.To && c.Trace != nil && c.Memory != nil && c.Trace.Bytes != nil && c.Trace.Bytes.Least == c.Trace.Bytes.Most {
			// Memory counts for each line of the reader: the same where one alone reads.
			flow, by := uint64(c.Trace.Reads)*uint64(c.Trace.Bytes.Least), c.Memory.Distinct
			if flow == 0 || by < flow || slices.Contains(readByOneLine, c.From+" "+c.To) && by != flow {
				t.Errorf("%s to %s: %d bytes by memory, %d by flow", c.From, c.To, by, flow)
			}
			held++
		}
		for _, f := range traced[0].Channels {
			if f.From == c.From && f.To == c.To && !reflect.DeepEqual(f.Trace, c.Trace) {
				t.Errorf("%s to %s: %+v, with its flow alone %+v", c.From, c.To, c.Trace, f.Trace)
			}
		}
		for _, m := range remembered[0].Channels {
			if m.From == c.From && m.To == c.To && !reflect.DeepEqual(m.Memory, c.Memory) {
				t.Errorf("%s to %s: %+v, with its memory alone %+v", c.From, c.To, c.Memory, m.Memory)
			}
		}
	}
	if held == 0 {
		t.Error("no bytes were held to each other")
	}
	if len(got[0].Channels) < max(len(traced[0].Channels), len(remembered[0].Channels)) || len(traced[0].Channels) == 0 {
		t.Errorf("%d channels, with the flow alone %d, with memory %d", len(got[0].Channels), len(traced[0].Channels), len(remembered[0].Channels))
	}
}

// testStageChannels holds channels to what is known of the program, and both records to each other.
func testStageChannels(t *testing.T, name, flow, memory string) {
	traced, _, notes := pipelinesOf(t, "-p", "3", flow)
	if slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "stage ") }) {
		t.Errorf("notes of a sound plan: %q", notes)
	}
	remembered, _, _ := pipelinesOf(t, "-p", "3", memory)
	var got []string
	for _, c := range traced[0].Channels {
		if c.Unordered || c.Trace == nil || c.Memory != nil {
			t.Errorf("%+v", c)
			continue
		}
		if c.From == c.To {
			if c.Trace.Near < 1 || c.Depth != 0 {
				t.Errorf("%+v", c)
			}
			continue
		}
		if c.Trace.Near != 0 || c.Trace.Far != 0 {
			t.Errorf("%+v", c)
		}
		got = append(got, fmt.Sprintf("%s %s %s %d %d-%d", c.From, c.To, c.Trace.Class, c.Trace.Tokens, c.Trace.Bytes.Least, c.Trace.Bytes.Most))
		found := false
		for _, m := range remembered[0].Channels {
			// Memory counts what each line of the reader reads, so that a byte may count more often.
			if m.From == c.From && m.To == c.To && m.Memory != nil && m.Trace == nil {
				found = m.Memory.Distinct >= uint64(c.Trace.Tokens)*uint64(c.Trace.Bytes.Least) && m.Memory.Read >= m.Memory.Distinct && len(m.Memory.Objects) > 0
			}
		}
		if !found {
			t.Errorf("a record of memory has no such channel: %+v of %+v", c, remembered[0].Channels)
		}
	}
	for i, want := range channelsOfPrograms[name] {
		if i >= len(got) || !slices.ContainsFunc(got, func(g string) bool { return strings.HasPrefix(g, want) }) {
			t.Errorf("channels %q, want %q among them", got, want)
		}
	}
	if len(got) != len(channelsOfPrograms[name]) {
		t.Errorf("channels %q", got)
	}
}

// testStagesReported holds a report to estimate: with stages kept to a processor each, as many as
// there are, its bars are where their stages go and no longer than these work.
func testStagesReported(t *testing.T, dir, bundle string) {
	plain, _, _ := pipelinesOf(t, "-p", "2", bundle)
	text := "tasks:\n"
	for i, s := range plain[0].Stages {
		text += fmt.Sprintf("  %s: [cpu%d]\n", s.Name, i)
	}
	target := []string{"-p", fmt.Sprint(len(plain[0].Stages)), "--mapping", writeText(t, dir, "each.yaml", text)}
	want, all, _ := pipelinesOf(t, append(target, bundle)...)
	file := filepath.Join(dir, "report.json")
	succeed(t, append(append([]string{"report", "-q", "--technique", "eb", "-o", file}, target...), bundle)...)
	var out struct {
		Answer    struct{ Estimates []estimated }
		Pipelines []pipelined
		Timelines []struct {
			Executions float64
			Bars       []struct {
				Name             string
				Stage, Processor int
				Start, Stop      float64
			}
		}
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &out); err != nil || len(out.Pipelines) != 1 || len(out.Timelines) != 1 || out.Answer.Estimates[0].ParallelSeconds != all[0].ParallelSeconds || out.Pipelines[0].Seconds != want[0].Seconds {
		t.Fatalf("%v: the report has %+v, estimate %+v", err, out.Pipelines, want)
	}
	long := make([]float64, len(want[0].Stages))
	for _, b := range out.Timelines[0].Bars {
		if b.Stage == 0 {
			continue
		}
		if s := want[0].Stages[b.Stage-1]; b.Processor != b.Stage-1 || b.Name != s.Task {
			t.Errorf("%+v is to be of %s", b, s.Task)
		}
		long[b.Stage-1] += (b.Stop - b.Start) * out.Timelines[0].Executions
	}
	for i, s := range want[0].Stages { // bars that are too short to be seen are left to those before
		if !near(long[i], s.Seconds, 0.1) {
			t.Errorf("bars of stage %s are %g s long, it works for %g", s.Name, long[i], s.Seconds)
		}
	}
	for _, format := range []string{"report.md", "report.html"} {
		file := filepath.Join(dir, format)
		succeed(t, append(append([]string{"report", "-q", "-o", file}, target...), bundle)...)
		data, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(data), want[0].Name) || !strings.Contains(string(data), "works for") {
			t.Errorf("%s has no pipeline: %v", format, err)
		}
	}
}

// testStagesPlaced sends stages to processors at random: each executes there, and estimate, why and
// replay agree on the time. So they do on what explore finds.
func testStagesPlaced(t *testing.T, dir, bundle string, run []string, seed uint64) {
	platform := writeText(t, dir, "four.yaml", `processors:
  - {name: a, model: generic, clock_mhz: 100}
  - {name: b, model: generic, clock_mhz: 150}
  - {name: c, model: arm922t, clock_mhz: 200}
  - {name: d, model: generic, clock_mhz: 100}
overheads: {task: 90, steal: 60}
`)
	// Two processors, a DSP and an accelerator, which takes the loops of its stages as pipelines.
	system := writeText(t, dir, "system.yaml", `processors:
  - {name: a, model: cortex-a7, clock_mhz: 1200}
  - {name: b, model: cortex-a7, clock_mhz: 1200}
  - {name: c, model: c6000, clock_mhz: 600}
  - {name: d, model: "accelerator:ku060", clock_mhz: 200}
`)
	target := []string{"--platform", platform}
	plain, _, _ := pipelinesOf(t, append(target, bundle)...)
	r := rand.New(rand.NewPCG(seed, 2))
	for round := range 4 {
		within := 0.002
		if target[1] = platform; round >= 2 {
			// Executions tell instructions by their kinds, and an accelerator is paid by iterations.
			target[1], within = system, 0.04
		}
		var mapping, region string
		on := map[string][]string{}
		for _, s := range plain[0].Stages {
			on[s.Name] = []string{string(rune('a' + r.IntN(4)))}
			if other := string(rune('a' + r.IntN(4))); s.Stateless && other != on[s.Name][0] {
				on[s.Name] = append(on[s.Name], other)
			}
			mapping += fmt.Sprintf("  %s: [%s]\n", []string{s.Name, s.Task}[round%2], strings.Join(on[s.Name], ", "))
		}
		region = strings.Replace(plain[0].Name, "/pipeline1", "#1", 1)
		file := writeText(t, dir, fmt.Sprintf("m%d.yaml", round), fmt.Sprintf("serial: a\nregions:\n  %s:\n    a: [1]\n    tasks: [a, b, c, d]\ntasks:\n%s", region, mapping))
		with := append(slices.Clone(target), "--mapping", file)
		pipelines, all, _ := pipelinesOf(t, append(with, bundle)...)
		sum, slowest := 0.0, 0.0
		for _, s := range pipelines[0].Stages {
			for _, p := range s.Processors {
				if !slices.Contains(on[s.Name], p) {
					t.Errorf("stage %s runs on %v, and is to run on %v", s.Name, s.Processors, on[s.Name])
				}
			}
			if s.Executions != pipelines[0].Items || s.Least > s.Mean*(1+1e-9) || s.Mean > s.Most*(1+1e-9) || !near(s.Mean*s.Executions, s.Seconds, 1e-9) || !near(s.Stall, 1-s.Utilisation, 1e-9) && s.Utilisation < 1-1e-9 {
				t.Errorf("%+v of %g items", s, pipelines[0].Items)
			}
			sum, slowest = sum+s.Seconds, max(slowest, s.Seconds/float64(len(s.Processors)))
		}
		if f := pipelines[0].Formulas; !near(f.Sequential, sum, 1e-9) || !near(f.FSM, sum, 1e-9) || f.Parallel > pipelines[0].Seconds*(1+1e-9) || f.Parallel > f.Pipeline || f.Pipeline > f.Dataflow || pipelines[0].Seconds > all[0].ParallelSeconds {
			t.Errorf("formulas %+v, stages take %g in all, %g at most, the pipeline %g, the program %g", f, sum, slowest, pipelines[0].Seconds, all[0].ParallelSeconds)
		}
		var why struct {
			Parallel float64 `json:"parallel_cycles"`
		}
		if err := json.Unmarshal([]byte(succeed(t, append(append([]string{"why", "--json"}, with...), bundle)...)), &why); err != nil || !near(why.Parallel, all[0].ParallelCycles, 1e-6) {
			t.Errorf("why says %g cycles, estimate %g: %v", why.Parallel, all[0].ParallelCycles, err)
		}
		replayed(t, with, run, all[0].ParallelSeconds, within)
	}
	target[1] = platform
	best := filepath.Join(dir, "best.yaml")
	succeed(t, append(append([]string{"explore", "-q", "--budget", "300", "--serial", "a", "-o", best}, target...), bundle)...)
	_, all, _ := pipelinesOf(t, append(target, "--mapping", best, bundle)...)
	_, asWritten, _ := pipelinesOf(t, append(target, bundle)...)
	if all[0].ParallelSeconds > asWritten[0].ParallelSeconds*(1+1e-9) {
		t.Errorf("explore finds %g s, as written it takes %g", all[0].ParallelSeconds, asWritten[0].ParallelSeconds)
	}
	replayed(t, append(target, "--mapping", best), run, all[0].ParallelSeconds, 0.002)
}

// replayed holds a time to an exact replay. Executions are priced by what each section and stage
// takes on average for its work, so that they are not the same to the last.
func replayed(t *testing.T, target, run []string, seconds, within float64) {
	t.Helper()
	var out struct{ Estimates []estimated }
	text := succeed(t, append(append([]string{"replay", "-q", "--json"}, target...), run...)...)
	if at := strings.IndexByte(text, '{'); at >= 0 {
		text = text[at:]
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil || len(out.Estimates) != 1 || !near(out.Estimates[0].ParallelSeconds, seconds, within) {
		t.Errorf("estimate says %g s: %v, %s", seconds, err, text)
		return
	}
	t.Logf("estimate %g s, %+.3f %% off replay", seconds, 100*(seconds/out.Estimates[0].ParallelSeconds-1))
}

// TestTokensAreOneAnswer crosses platforms whose processors reach each other's data over caches, a bus, links, or by each access with
// techniques and commands: all that are of stages give estimate's figure, replay says the same, and what moves shows in it.
func TestTokensAreOneAnswer(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	source, err := filepath.Abs("../../testdata/pipelines/radio.c")
	if err != nil {
		t.Fatal(err)
	}
	run := []string{"--plan", planBeside(source), source, "--", "60"}
	bundle := filepath.Join(dir, "radio.pspan")
	succeed(t, append([]string{"profile", "-q", "--memory", "-o", bundle}, run...)...)
	const processors = "processors: [{name: cpu0, clock_mhz: 100}, {name: cpu1, clock_mhz: 150}, {name: cpu2, clock_mhz: 100}, {name: cpu3, clock_mhz: 100}]\noverheads: {create: 60, sync: 20, task: 15, steal: 10}\n"
	const local = "memory:\n  levels: [{name: L1, size: 32768, line: 64, ways: 4}]\n  local: [{name: pad, size: 524288, latency: 4, processors: [cpu1, cpu2, cpu3]%s}]\n  main: {latency: 9}\ninterconnect:\n"
	mappings := []mappingText{
		{text: `{}`},
		{text: `{"tasks": {"receive": ["cpu1"], "mix": ["cpu2"], "decimate": ["cpu3"], "demodulate": ["cpu0"], "soften": ["cpu1", "cpu2"], "play": ["cpu0"]}}`},
	}
	mappings = append(mappings, mappingText{text: strings.TrimSuffix(mappings[1].text, "}") + `, "depths": {"receive": 1, "mix": 5, "radio.c:main/demodulate": 2}}`})
	for i := range mappings {
		mappings[i].path = writeText(t, dir, fmt.Sprintf("mapping%d.yaml", i), mappings[i].text)
	}
	for name, memory := range map[string]string{
		"caches":   "memory:\n  levels: [{name: L1, size: 32768, line: 64, ways: 4}]\n  main: {latency: 60}\n",
		"bus":      fmt.Sprintf(local, "") + "  bus: {mhz: 100, latency: 200, bytes_per_cycle: 1}\n",
		"links":    fmt.Sprintf(local, "") + "  links: [{between: [cpu1, main], latency_ns: 900, gb_s: 0.2}, {between: [cpu1, cpu2], latency_ns: 300, gb_s: 0.1}, {between: [cpu2, cpu3], latency_ns: 70, gb_s: 0.05}]\n",
		"accesses": fmt.Sprintf(strings.Replace(local, "size: 524288, ", "", 1), ", copies: none") + "  bus: {mhz: 100, latency: 2, bytes_per_cycle: 8}\n",
	} {
		t.Run(name, func(t *testing.T) {
			file := writeText(t, dir, name+".yaml", processors+memory)
			pl, err := mapping.LoadPlatform(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &setting{model: "generic", flags: []string{"-p", "4", "--platform", file}, platform: pl, mappings: slices.Clone(mappings)}
			a := &asked{name: "tokens/" + name, bundle: bundle, said: map[string]spanned{}}
			if err := a.explore(s, filepath.Join(dir, name+"-best.yaml")); err != nil {
				t.Fatal(err)
			}
			if err := a.estimates(s); err != nil {
				t.Fatal(err)
			}
			for k := range s.mappings {
				if err := a.one(s, k); err != nil {
					t.Error(err)
				}
				args := append(slices.Clone(s.flags), "--mapping", s.mappings[k].path, "--verify", bundle)
				if text := succeed(t, append([]string{"estimate"}, args...)...); !strings.Contains(text, "verified: 4 results agree with a second computation\n") {
					t.Errorf("not all is recomputed: %s", text)
				}
			}
			if err := errors.Join(a.serve(s), a.tables(s)); err != nil {
				t.Error(err)
			}
			free := writeText(t, dir, name+"-free.yaml", processors) // nothing is moved
			for _, technique := range matrixTechniques {
				of := func(command string, platform string) estimated {
					var out struct {
						Estimates []estimated
						Answer    struct{ Estimates []estimated }
					}
					args := []string{command, "--platform", platform, "--mapping", s.mappings[1].path, "--technique", technique, bundle}
					if args = append(args, "--json"); command == "report" {
						args = append(args[:len(args)-1], "-o", "-", "--format", "json")
					}
					if err := json.Unmarshal([]byte(succeed(t, args...)), &out); err != nil {
						t.Fatal(err)
					}
					return append(out.Estimates, out.Answer.Estimates...)[0]
				}
				got, without := of("estimate", file), of("estimate", free)
				if report := of("report", file); report.ParallelCycles != got.ParallelCycles {
					t.Errorf("%s: report says %v cycles, estimate %v", technique, report.ParallelCycles, got.ParallelCycles)
				}
				if technique == "eb" && got.ParallelCycles < 1.03*without.ParallelCycles {
					t.Errorf("%s takes %v cycles, and %v where nothing is moved", technique, got.ParallelCycles, without.ParallelCycles)
				}
			}
			if name == "accesses" {
				return // of which replay knows nothing, and says so
			}
			for k := range s.mappings {
				within := 0.02
				if k == 0 || name == "caches" { // where each stage goes hangs on single cycles, and misses are those of one processor
					within = 0.06
				}
				replayed(t, append(slices.Clone(s.flags), "--mapping", s.mappings[k].path), run, s.estimate[k].ParallelSeconds, within)
			}
		})
	}
}

// TestDepths plays a chain with other depths than it was planned with, and profiles it with these.
// TestTokensByItem holds tokens whose size the program draws by item, and which come from several items before, to replay: a record of
// memory alone knows the mean. What tells a task of variables around it, as total, is no copy.
func TestTokensByItem(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	source := writeText(t, dir, "sized.c", `#include <stdio.h>
#include <string.h>
static char raw[16][4096], done[16][4096];
static unsigned drawn(unsigned i) { return i / 12 % 2 ? 3600 : 48 + i % 5 * 64; }
__attribute__((noinline)) static void make(unsigned i) { memset(raw[i % 16], i, drawn(i)); }
__attribute__((noinline)) static void shape(unsigned i)
{
    for (unsigned k = 0; k < 256; k++)
        done[i % 16][k] = raw[i % 16][k % 40] + 1;
    for (unsigned k = 0; k < drawn(i); k++)
        done[i % 16][k] += raw[i % 16][k];
}
__attribute__((noinline)) static void use(unsigned i, unsigned *total)
{
    unsigned of = i % 3 || i < 2 ? i : i - 2;
    for (unsigned k = 0; k < 256 || k < drawn(of); k++)
        *total = *total * 31 + done[of % 16][k];
}
int main(void)
{
    unsigned total = 0;
    for (unsigned i = 0; i < 96; i++) {
        make(i);
        shape(i);
        use(i, &total);
    }
    printf("%u\n", total);
    return 0;
}
`)
	run := []string{"--plan", writeText(t, dir, "plan.yaml", "plan:\n  - pipeline: {function: main, calls: [make, shape, use]}\n    depth: 6\n    stateless: shape\n"), source}
	platform := writeText(t, dir, "pads.yaml", `processors: [{name: cpu0, clock_mhz: 100}, {name: cpu1, clock_mhz: 100}, {name: cpu2, clock_mhz: 100}, {name: cpu3, clock_mhz: 100}]
memory:
  levels: [{name: L1, size: 65536, line: 64, ways: 4}]
  local: [{name: pad, size: 524288, latency: 1, processors: [cpu1, cpu2, cpu3]}]
  main: {latency: 1}
interconnect:
  links: [{between: [cpu1, main], latency_ns: 500, gb_s: 0.01}, {between: [cpu2, main], latency_ns: 90, gb_s: 0.02}, {between: [cpu3, main], latency_ns: 300000, gb_s: 0.02}]
`)
	off := map[string]float64{}
	for _, flags := range []string{"--memory", "--memory --flow"} {
		file := filepath.Join(dir, fmt.Sprint(len(flags), ".pspan"))
		succeed(t, append(append([]string{"profile", "-q", "-O", "1", "-o", file}, strings.Fields(flags)...), run...)...)
		for _, tasks := range []string{"make: [cpu1], shape: [cpu2], use: [cpu3]", "make: [cpu1], shape: [cpu2, cpu0], use: [cpu3]"} {
			target := []string{"-O", "1", "--platform", platform, "--mapping", writeText(t, dir, "m.yaml", "tasks: {"+tasks+"}\n")}
			_, all, _ := pipelinesOf(t, append(target[2:], "--verify", file)...) // which fails where it is not the same
			var out struct{ Estimates []estimated }
			text := succeed(t, append(append([]string{"replay", "-q", "--json"}, target...), run...)...)
			if err := json.Unmarshal([]byte(text[strings.IndexByte(text, '{'):]), &out); err != nil {
				t.Fatal(err)
			}
			x := math.Abs(all[0].ParallelSeconds/out.Estimates[0].ParallelSeconds - 1)
			t.Logf("%s, %s: estimate %g s, replay %g, %.2f %% off", flags, tasks, all[0].ParallelSeconds, out.Estimates[0].ParallelSeconds, 100*x)
			off[flags] = max(off[flags], x)
		}
	}
	if off["--memory --flow"] > 0.03 || off["--memory"] < 0.1 || off["--memory"] > 0.2 {
		t.Errorf("off replay by %v", off)
	}
}

func TestDepths(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	// Stages take turns at being long.
	source := strings.NewReplacer("get(a)", "get(a * (i % 5 == 0) + 20)", "&state, b)", "&state, b * (i % 7 < 2) + 30)", ", c)", ", c * (i % 4 == 1) + 9)").Replace(chain(make([]string, 8)...))
	writeText(t, dir, "app.c", source)
	profiled := func(name, keys string) string {
		file := filepath.Join(dir, name+".pspan")
		succeed(t, "profile", "-q", "-O", "1", "-o", file, "--plan", writeText(t, dir, name+".yaml", "plan:\n  - pipeline: [app.c:26, app.c:27, app.c:28]\n    stages: [get, shape, total]\n"+keys), "app.c", "--", "120", "2500", "400", "700")
		return file
	}
	const text = "serial: cpu0\nregions:\n  app.c:main#1:\n    cpu0: [1]\n    tasks: [cpu0, cpu1, cpu2, cpu3]\ntasks: {get: [cpu1], shape: [cpu2], total: [cpu3]}\n"
	target := []string{"-p", "4", "--mapping", writeText(t, dir, "m.yaml", text)}
	all, _, _ := pipelinesOf(t, append(target, "--depths", profiled("four", "    depth: 4\n"))...)
	b := all[0].Buffers
	if b == nil || b.Refused != "" || b.Even < 2 || b.Even > 120 || len(b.Each) != 2 || slices.Max(b.Each) > b.Even || b.Near > b.Even {
		t.Fatalf("%+v", b)
	}
	t.Logf("%+v", b)
	of := func(name, keys string) float64 {
		again, _, _ := pipelinesOf(t, append(target, profiled(name, keys))...)
		return again[0].Seconds
	}
	const alike = 0.002 // buffers of other depths are counted by other code
	for _, tried := range b.Tried {
		if tried.Depth <= 8 {
			if got := of(fmt.Sprint("tried", tried.Depth), fmt.Sprintf("    depth: %d\n", tried.Depth)); !near(got, tried.Seconds, alike) {
				t.Errorf("depth %d takes %g s, played it takes %g", tried.Depth, got, tried.Seconds)
			}
			// A mapping that deepens the buffers of another plan says the same.
			deep := writeText(t, dir, "deep.yaml", text+fmt.Sprintf("depths: {app.c:main/pipeline1: %d}\n", tried.Depth))
			again, _, _ := pipelinesOf(t, "-p", "4", "--mapping", deep, filepath.Join(dir, "four.pspan"))
			if !near(again[0].Seconds, tried.Seconds, 1e-12) || slices.Max(again[0].Depths) != tried.Depth {
				t.Errorf("depth %d of a mapping takes %g s, played it takes %g", tried.Depth, again[0].Seconds, tried.Seconds)
			}
		}
	}
	best := b.Tried[len(b.Tried)-1].Seconds
	if got := of("each", fmt.Sprintf("    depth: [%d, %d]\n", b.Each[0], b.Each[1])); !near(got, best, alike) {
		t.Errorf("depths %v take %g s, want %g", b.Each, got, best)
	}
	if got := of("near", fmt.Sprintf("    depth: %d\n", b.Near)); got > best*(1.01+alike) {
		t.Errorf("depth %d takes %g s, want at most 1 %% more than %g", b.Near, got, best)
	}
	for k := range b.Each {
		less := slices.Clone(b.Each)
		if less[k]--; less[k] == 0 {
			continue
		}
		if got := of(fmt.Sprint("less", k), fmt.Sprintf("    depth: [%d, %d]\n", less[0], less[1])); got < best*(1-alike) {
			t.Errorf("depths %v take %g s, less than %g", less, got, best)
		}
	}
}

// TestUnsoundPipelines: each fault of a plan is a note with file and line.
func TestUnsoundPipelines(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "app.c", `#include <stdio.h>
static int in[64], mid[64], out[64], back[64], turn;
__attribute__((noinline)) static void first(int i) { in[i % 64] = i * 3 + (i > 1 ? back[(i - 2) % 64] : 0); }
__attribute__((noinline)) static void second(int i) { static int sum; sum += in[i % 64]; mid[i % 64] = sum; turn++; }
__attribute__((noinline)) static void alone(int i) { out[i % 64] = i * i; }
__attribute__((noinline)) static void last(int i) { back[i % 64] = mid[i % 64] & 7 ^ turn & 1; }
int main(void)
{
    for (int i = 0; i < 40; i++) {
        first(i);
        second(i);
        alone(i);
        last(i);
    }
    printf("%d %d\n", back[39], out[39]);
    return 0;
}
`)
	const plan = "plan:\n  - pipeline: {function: main, calls: [first, second, alone, last]}\n"
	notesOf := func(name, keys string) (stages []string) {
		file := filepath.Join(dir, name+".pspan")
		succeed(t, "profile", "-q", "--flow", "-O", "1", "-o", file, "--plan", writeText(t, dir, name+".yaml", plan+keys), "app.c")
		_, _, notes := pipelinesOf(t, "-p", "2", file)
		for _, n := range notes {
			if strings.Contains(n, ": stage ") {
				stages = append(stages, n)
			}
		}
		return stages
	}
	const none = "app.c:12: stage alone reads nothing that a stage before it wrote, and waits for second all the same; it need not be a stage of this pipeline"
	const back = "app.c:10: stage first reads what stage last wrote for an item before, and does not wait for it; make the two one stage, or the buffers between less deep"
	const self = "app.c:11: stage second reads what it wrote for an item before, and does not wait for it as it is stateless; take it out of stateless"
	// That second reads turn itself before it writes it hides nothing.
	const over = "app.c:11: stage second writes over what stage last may still use, of 1 item before; give more items a place of their own, or make the buffers between less deep"
	for keys, want := range map[string][]string{
		"":                        {none, back, over},
		"    stateless: second\n": {none, self, back, over},
	} {
		if got := notesOf(fmt.Sprint("plan", len(keys)), keys); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
			t.Errorf("%q: notes\n%s\nwant\n%s", keys, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	// Arrays of eight places are enough for buffers of eight items, and not for more.
	writeText(t, dir, "chain.c", chain(make([]string, 8)...))
	for depth, want := range map[int]int{8: 0, 9: 2, 20: 2} {
		name := fmt.Sprint("deep", depth)
		file := filepath.Join(dir, name+".pspan")
		succeed(t, "profile", "-q", "--flow", "-O", "1", "-o", file, "--plan", writeText(t, dir, name+".yaml", fmt.Sprintf("plan:\n  - pipeline: [chain.c:26, chain.c:27, chain.c:28]\n    depth: %d\n", depth)), "chain.c", "--", "40", "9", "9", "9")
		_, _, notes := pipelinesOf(t, "-p", "2", file)
		var got []string
		for _, n := range notes {
			if strings.HasPrefix(n, "chain.c:") {
				got = append(got, n)
			}
		}
		if len(got) != want || want > 0 && got[0] != "chain.c:26: stage stage1 writes over what stage stage2 may still use, of 8 items before; give more items a place of their own, or make the buffers between less deep" {
			t.Errorf("depth %d: %q", depth, got)
		}
	}
	// So they are for depths that are played, and the table says so.
	var played struct {
		Pipelines []struct {
			Buffers struct {
				Tried []struct {
					Depth   int
					Seconds float64
					Unsound bool
				}
			} `json:"buffers"`
		}
	}
	deep8 := filepath.Join(dir, "deep8.pspan")
	if err := json.Unmarshal([]byte(succeed(t, "estimate", "-p", "3", "--technique", "eb", "--depths", "--json", deep8)), &played); err != nil {
		t.Fatal(err)
	}
	tried := played.Pipelines[0].Buffers.Tried
	for _, x := range tried {
		if x.Unsound != (x.Depth > 8) {
			t.Errorf("depths of %d: unsound is %v", x.Depth, x.Unsound)
		}
	}
	shown := slices.Clone(tried)
	for n := len(shown) - 1; n > 0 && shown[n].Seconds == shown[n-1].Seconds; n-- { // deeper ones change nothing
		shown = shown[:n]
	}
	last := shown[len(shown)-1]
	text := succeed(t, "estimate", "-p", "3", "--technique", "eb", "--depths", deep8)
	if column := strings.Contains(text, "stages wait for what they need"); len(tried) < 6 || column != last.Unsound || column && !regexp.MustCompile(fmt.Sprintf(`\n +1 .* yes\n(.*\n)* +%d .* no\n`, last.Depth)).MatchString(text) {
		t.Errorf("%d depths tried, up to %+v: %s", len(tried), last, text)
	}
	// Other names are refused where mappings name them.
	file := filepath.Join(dir, "plan0.pspan")
	m := writeText(t, dir, "m.yaml", "tasks:\n  frist: [cpu1]\n")
	if got, want := fail(t, "estimate", "-p", "2", "--mapping", m, file), `pathspan: m.yaml:2: task "frist" does not exist: want "first"`; !strings.HasPrefix(strings.ReplaceAll(got, dir+"/", ""), want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPipelinesAsDataflow executes the dataflow graph of a pipeline whose items are equal, each actor
// as soon as there are tokens: it takes what estimate says where stages have a processor each.
func TestPipelinesAsDataflow(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "app.c", chain(make([]string, 8)...))
	mapping := writeText(t, dir, "m.yaml", "serial: cpu0\nregions:\n  app.c:main#1:\n    cpu0: [1]\n    tasks: [cpu0, cpu1, cpu2, cpu3]\ntasks: {get: [cpu1], shape: [cpu2], total: [cpu3]}\n")
	for name, keys := range map[string]string{"one": "    depth: 1\n", "two": "    depth: [1, 3]\n"} {
		file := filepath.Join(dir, name+".pspan")
		succeed(t, "profile", "-q", "-O", "1", "--flow", "-o", file, "--plan", writeText(t, dir, name+".yaml", "plan:\n  - pipeline: [app.c:26, app.c:27, app.c:28]\n    stages: [get, shape, total]\n"+keys), "app.c", "--", "50", "900", "200", "400")
		target := []string{"-p", "4", "--mapping", mapping}
		all, _, _ := pipelinesOf(t, append(target, file)...)
		var graph struct {
			Actors []struct {
				Name string `xml:"name,attr"`
			} `xml:"applicationGraph>sdf>actor"`
			Channels []struct {
				Name   string `xml:"name,attr"`
				Source string `xml:"srcActor,attr"`
				Target string `xml:"dstActor,attr"`
				Tokens int    `xml:"initialTokens,attr"`
			} `xml:"applicationGraph>sdf>channel"`
			Times []struct {
				Actor string `xml:"actor,attr"`
				Time  struct {
					Time float64 `xml:"time,attr"`
				} `xml:"processor>executionTime"`
			} `xml:"applicationGraph>sdfProperties>actorProperties"`
			Sizes []struct {
				Channel string `xml:"channel,attr"`
				Size    struct {
					Bits int `xml:"sz,attr"`
				} `xml:"tokenSize"`
			} `xml:"applicationGraph>sdfProperties>channelProperties"`
		}
		text := succeed(t, append(append([]string{"export", "--format", "sdf3", "--pipeline", all[0].Name}, target...), file)...)
		if err := xml.Unmarshal([]byte(text), &graph); err != nil || len(graph.Actors) != 3 || len(graph.Channels) != 7 || len(graph.Sizes) != 2 || graph.Sizes[0].Size.Bits != 64 {
			t.Fatalf("%v: %+v", err, graph)
		}
		takes := map[string]float64{}
		for _, a := range graph.Times {
			takes[a.Actor] = a.Time.Time * 1e-9
		}
		ends, last := make([]map[string]float64, 50), 0.0
		for n := range ends {
			ends[n] = map[string]float64{}
			for _, a := range graph.Actors { // in the order in which items go through
				begin := 0.0
				for _, c := range graph.Channels {
					if from := n - c.Tokens; c.Target == a.Name && from >= 0 {
						begin = max(begin, ends[from][c.Source])
					}
				}
				ends[n][a.Name] = begin + takes[a.Name]
				last = max(last, ends[n][a.Name])
			}
		}
		// What lies in a buffer lies there from when one stage is done with it to when the next is.
		for k, level := range all[0].Levels {
			from, to := all[0].Stages[k].Name, all[0].Stages[k+1].Name
			lay, most := 0.0, 0
			for n := range ends {
				lay += ends[n][to] - ends[n][from]
				there := 0
				for m := range ends {
					if ends[m][from] <= ends[n][from] && ends[m][to] > ends[n][from] {
						there++
					}
				}
				most = max(most, there)
			}
			if !near(level.Mean, lay/last, 0.001) || level.Most != most || level.Most > all[0].Depths[k] || level.Full < 0 || level.Full > 1 || level.Most < all[0].Depths[k] && level.Full > 0 {
				t.Errorf("%s: level %+v of the buffer behind %s, want %g on average and %d at most", name, level, from, lay/last, most)
			}
		}
		testWaves(t, succeed(t, append(append([]string{"export", "--format", "vcd"}, target...), file)...), &all[0])
		if n := len(all[0].Levels); n != 2 {
			t.Errorf("%s: levels of %d buffers", name, n)
		}
		t.Logf("%s: the graph takes %g s, the pipeline %g, levels %+v", name, last, all[0].Seconds, all[0].Levels)
		if !near(last, all[0].Seconds, 0.001) {
			t.Errorf("%s: the graph takes %g s, the pipeline %g", name, last, all[0].Seconds)
		}
	}
	testFlowOfPipeline(t, dir, mapping)
	// A stage that holds all up on a processor that suits it less is to be moved.
	slow := writeText(t, dir, "slow.yaml", "processors: [{name: a, model: generic, clock_mhz: 100}, {name: b, model: generic, clock_mhz: 20}, {name: c, model: generic, clock_mhz: 100}]\n")
	for tasks, want := range map[string]string{
		"get: [b], shape: [a], total: [c]": "\nmove the stage to a, where it takes ",
		"get: [a], shape: [c], total: [c]": "\nmore processors, or stages moved from that one to others\n",
	} {
		m := writeText(t, dir, "slow-m.yaml", "tasks: {"+tasks+"}\n")
		if text := succeed(t, "why", "--platform", slow, "--mapping", m, filepath.Join(dir, "deep.pspan")); !strings.Contains(text, want) {
			t.Errorf("%s: want %q of %s", tasks, want, text)
		}
	}
	one, plain := filepath.Join(dir, "one.pspan"), filepath.Join(dir, "plain.pspan")
	if text := succeed(t, "inspect", one); !strings.Contains(text, "\npipeline   app.c:main/pipeline1 (line 25): get -1-> shape -1-> total\n") {
		t.Error(text)
	}
	succeed(t, "profile", "-q", "-o", plain, writeText(t, dir, "plain.c", "int main(void) {\n#pragma omp parallel sections\n{ }\nreturn 0; }\n"))
	for want, args := range map[string][]string{
		"--pipeline other: there is none of that name; want app.c:main/pipeline1":                     {"export", "--format", "sdf3", "--pipeline", "other", "-p", "2", one},
		"--pipeline other: no pipeline of a plan ran":                                                 {"export", "--format", "sdf3", "--pipeline", "other", "-p", "2", plain},
		"--pipeline chooses what --format sdf3 or vcd writes; leave it out for csv":                   {"export", "--format", "csv", "--pipeline", "x", one},
		"--pipeline and --level exclude each other: one graph is written":                             {"export", "--format", "sdf3", "--pipeline", "x", "--level", "1", one},
		"--depths: plain.pspan has no pipeline of a plan that ran, with its executions; leave it out": {"estimate", "--depths", plain},
		"--depths plays executions of stages: add eb to --technique, or leave --depths out":           {"estimate", "--depths", "--technique", "pb", one},
		"--depths plays executions of stages, and --explain prints tables of paths; leave one out":    {"estimate", "--depths", "--explain", one},
	} {
		if got := fail(t, args...); got != "pathspan: "+want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
	// Who asks for a task graph is told that stages are not in it.
	for _, x := range []struct {
		args []string
		told bool
	}{{[]string{"sdf3"}, true}, {[]string{"wfformat"}, true}, {[]string{"csv"}, false}, {[]string{"sdf3", "--level", "0"}, false}, {[]string{"sdf3", "--pipeline", "app.c:main/pipeline1"}, false}} {
		o := pathspan("", append([]string{"export", one, "-p", "2", "--format"}, x.args...)...)
		if o.status != 0 || strings.Contains(o.stderr, "shows no stages; --format sdf3 --pipeline NAME writes those of app.c:main/pipeline1") != x.told {
			t.Errorf("%q: %d: %s", x.args, o.status, o.stderr)
		}
	}
}

// testWaves reads waveforms of a pipeline back: over time buffers hold what estimate says on average, and stages work as long.
func testWaves(t *testing.T, text string, p *pipelined) {
	t.Helper()
	names, values, since := map[string]string{}, map[string]float64{}, map[string]float64{}
	area, most, full := map[string]float64{}, map[string]float64{}, map[string]float64{}
	depths := map[string]int{}
	for k, d := range p.Depths {
		depths["behind_"+p.Stages[k].Name] = d
	}
	now := 0.0
	set := func(name string, to float64) {
		area[name] += values[name] * (now - since[name])
		if d := depths[name]; d > 0 && values[name] >= float64(d) {
			full[name] += now - since[name]
		}
		values[name], since[name], most[name] = to, now, max(most[name], to)
	}
	for line := range strings.Lines(text) {
		w := strings.Fields(line)
		switch {
		case w[0] == "$var":
			names[w[3]] = w[4]
		case line[0] == '#':
			at, err := strconv.ParseFloat(w[0][1:], 64)
			if err != nil || at < now {
				t.Fatalf("time goes from %g to %q", now, line)
			}
			now = at
		case line[0] == 'b' && len(w) == 2:
			to, err := strconv.ParseInt(w[0][1:], 2, 64)
			if err != nil || names[w[1]] == "" {
				t.Fatalf("%q", line)
			}
			set(names[w[1]], float64(to))
		}
	}
	for name := range values {
		set(name, 0)
	}
	if len(values) != len(p.Stages)+len(p.Levels) || !near(now*1e-9, p.Seconds, 1e-6) {
		t.Errorf("%d signals until %g ns, of %+v", len(values), now, p)
	}
	for _, s := range p.Stages {
		if !near(area[s.Name]*1e-9, s.Seconds, 1e-4) {
			t.Errorf("stage %s works for %g ns, and takes %g s", s.Name, area[s.Name], s.Seconds)
		}
	}
	for k, l := range p.Levels {
		if name := "behind_" + p.Stages[k].Name; !near(area[name]/now, l.Mean, 1e-4) || int(most[name]) != l.Most || !near(full[name]/now, l.Full, 1e-3) {
			t.Errorf("buffer %s holds %g on average, %g at most, and is full for %g: %+v", name, area[name]/now, most[name], full[name]/now, l)
		}
	}
}

// flowing is what flow --json prints.
type flowing struct {
	Designs []struct {
		Name   string
		Finish int64 `json:"finish_cycles"`
	}
	Statements []struct {
		Name        string
		Latency     int64
		Least       int64 `json:"least_latency"`
		Longest     int64 `json:"longest_latency"`
		Executions  int
		Utilisation float64
		First       int64 `json:"first_start"`
		Last        int64 `json:"last_start"`
	}
}

func flowOf(t *testing.T, args ...string) (out flowing) {
	t.Helper()
	if err := json.Unmarshal([]byte(succeed(t, append([]string{"flow", "--json", "--model", "generic"}, args...)...)), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// testFlowOfPipeline: with a processor for each stage and a place for each item, a pipeline whose items are alike
// takes what the flow of data with a unit a stage does, which knows no depths.
func testFlowOfPipeline(t *testing.T, dir, mapping string) {
	file := filepath.Join(dir, "deep.pspan")
	succeed(t, "profile", "-q", "-O", "1", "--flow", "--memory", "-o", file, "--plan", writeText(t, dir, "deep.yaml", "plan:\n  - pipeline: [app.c:26, app.c:27, app.c:28]\n    stages: [get, shape, total]\n    depth: 50\n"), "app.c", "--", "50", "900", "200", "400")
	all, _, _ := pipelinesOf(t, "-p", "4", "--mapping", mapping, file)
	x, cycles := flowOf(t, file), all[0].Seconds*1e8
	t.Logf("flow takes %d cycles, the pipeline %g", x.Designs[0].Finish, cycles)
	if !near(float64(x.Designs[0].Finish), cycles, 0.001) || len(x.Statements) != 3 {
		t.Errorf("flow takes %d cycles, the pipeline %g: %+v", x.Designs[0].Finish, cycles, x)
	}
	for i, s := range all[0].Stages {
		if f := x.Statements[i]; f.Name != s.Name || f.Executions != 50 || !near(float64(f.Latency), s.Mean*1e8, 0.001) {
			t.Errorf("stage %+v, of flow %+v", s, f)
		}
	}
	if what := flowOf(t, "--unfold", "shape=2", file); len(what.Designs) != 3 {
		t.Errorf("a stage is not unfolded by its name: %+v", what)
	}
}

// TestFlowByExecutions prices each execution of a stage by what it took: of stages whose work the program draws by item, when
// executions of the first start is when the work says, and with a processor for each and a place for each item the whole takes
// what replay of the program does, which is far from what means give.
func TestFlowByExecutions(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	const items = 60
	// Runs of the loop have 20 and 40 items, or 60 at once.
	source := writeText(t, dir, "uneven.c", `#include <stdio.h>
#include <stdlib.h>
static unsigned cell[64], seen, total, state;
static unsigned spin(unsigned n, unsigned x) { for (unsigned k = 0; k < n; k++) x = x * 1664525 + 1013904223; return x; }
static unsigned drawn(unsigned i) { return (i / 15 % 2 ? 100 : 900) + (i * 2654435761u >> 26); }
__attribute__((noinline)) static void get(unsigned i) { state = spin(200 + 2 * drawn(i), state); cell[i % 64] = state; }
__attribute__((noinline)) static void shape(unsigned i) { cell[i % 64] = spin(200 + 2 * (1023 - drawn(i)), cell[i % 64]); }
__attribute__((noinline)) static void add(unsigned i) { total += spin(i % 7 ? 300 : 4000, cell[i % 64]); }
static void run(unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        get(i);
        shape(i);
        add(i);
    }
}
int main(int argc, char **argv)
{
    unsigned cut = atoi(argv[1]);
    if (cut)
        run(0, cut);
    run(cut, 60);
    printf("%u\n", total);
    return 0;
}
`)
	plan := writeText(t, dir, "plan.yaml", "plan:\n  - pipeline: {function: run, calls: [get, shape, add]}\n    depth: 64\n")
	mapping := writeText(t, dir, "m.yaml", "tasks: {get: [cpu0], shape: [cpu1], add: [cpu2]}\n")
	for _, cut := range []string{"0", "20"} {
		file := filepath.Join(dir, cut+".pspan")
		run := []string{"--plan", plan, source, "--", cut}
		succeed(t, append([]string{"profile", "-q", "-O", "1", "--flow", "-o", file}, run...)...)
		x := flowOf(t, file)
		work := func(i int) float64 { return float64(200 + 2*(900-800*(i/15%2)) + 2*int(uint32(i)*2654435761>>26)) }
		whole := 0.0
		for i := range items {
			whole += work(i)
		}
		var starts []int64
		lines, err := csv.NewReader(strings.NewReader(succeed(t, "flow", "--csv", file))).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range lines {
			if l[0] == "get" && l[1] == "execute" && l[3] == "1" {
				at, _ := strconv.ParseInt(l[2], 10, 64)
				starts = append(starts, at)
			}
		}
		if len(starts) != items {
			t.Fatalf("get starts %d times", len(starts))
		}
		first, done := starts[0], 0.0
		for i, at := range starts {
			want := done / (whole - work(items-1)) * float64(starts[items-1]-first)
			if got := float64(at - first); math.Abs(got-want) > 0.1*float64(x.Statements[0].Latency) {
				t.Errorf("cut at %s: item %d starts in cycle %g behind the first, by its work in %g", cut, i, got, want)
			}
			done += work(i)
		}
		if cut != "0" {
			continue // the second run of the loop waits for the first, which no data asks for
		}
		all, estimates, _ := pipelinesOf(t, "-p", "3", "--mapping", mapping, file)
		costs := "functions:\n"
		for _, s := range x.Statements {
			costs += fmt.Sprintf("  %s: {ii: %d, latency: %d}\n", s.Name, s.Latency, s.Latency)
		}
		var means flowing
		if err := json.Unmarshal([]byte(succeed(t, "flow", "--json", "--costs", writeText(t, dir, "means.yaml", costs), file)), &means); err != nil {
			t.Fatal(err)
		}
		finish := float64(x.Designs[0].Finish)
		t.Logf("flow takes %g cycles, the pipeline %g, means give %d", finish, all[0].Seconds*1e8, means.Designs[0].Finish)
		if !near(finish, all[0].Seconds*1e8, 0.002) || near(finish, float64(means.Designs[0].Finish), 0.03) {
			t.Errorf("flow takes %g cycles, the pipeline %g, means give %d", finish, all[0].Seconds*1e8, means.Designs[0].Finish)
		}
		// What is not in stages is the same for both.
		replayed(t, []string{"-O", "1", "-p", "3", "--mapping", mapping}, run, estimates[0].ParallelSeconds-all[0].Seconds+finish*1e-8, 0.002)
	}
}

// TestFlowOfLoops finds by hand when loops start that a plan makes tasks, of which the source tells what they read: with a unit
// for each, and one for each execution.
func TestFlowOfLoops(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "loops.pspan")
	succeed(t, "profile", "-q", "--flow", "-o", file, "--plan", writeText(t, dir, "plan.yaml", "plan:\n  - task: [loops.c:8, loops.c:10, loops.c:12, loops.c:14]\n"), "../../build/record/testdata/flow/loops.c")
	for design, args := range [][]string{{file}, {"--unbounded", file}} {
		x := flowOf(t, args...)
		if len(x.Statements) != 4 {
			t.Fatalf("%+v", x)
		}
		var start, free, done [4]int64 // of a, b, c and d: the last round
		finish := int64(0)
		for round := range 5 {
			starts := func(s int, reads ...int) {
				at := int64(0)
				for _, r := range reads {
					at = max(at, done[r])
				}
				at++ // reading: the first reads t, which nobody wrote
				takes := x.Statements[s].Longest
				if round == 0 { // where d is not read
					takes = x.Statements[s].Least
				}
				if design == 0 {
					at = max(at, free[s])
				}
				start[s], free[s], done[s] = at, at+takes, at+takes+1
				finish = max(finish, done[s])
				if f := x.Statements[s]; round == 0 && f.First != at || round == 4 && f.Last != at || f.Executions != 5 {
					t.Errorf("%+v: round %d starts at %d, by hand", f, round, at)
				}
			}
			starts(0)
			starts(1, 0)
			starts(2, 0)
			if starts(3, [][]int{{1, 2}, {1, 2, 3}}[min(round, 1)]...); round == 4 && x.Designs[design].Finish != finish {
				t.Errorf("%s ends at %d, by hand %d: %+v", x.Designs[design].Name, x.Designs[design].Finish, finish, x)
			}
		}
	}
}

// TestStagesOfTemplates: stages of one line, and those of each instance of a template, are told apart,
// whatever compiles them.
func TestStagesOfTemplates(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "t.cc", `#include <cstdio>
static int ring[8], outs[8]; static long sum;
__attribute__((noinline)) static int make(int i) { int x = i; for (int k = 0; k < 50 + i % 9 * 20; k++) x = x * 7 + k; return x; }
__attribute__((noinline)) static void eat(int v) { for (int k = 0; k < 90; k++) sum += v >> (k & 7); }
template <class T> void run(T n) {
    for (T i = 0; i < n; i++) { ring[i % 8] = make(i); outs[i % 8] = ring[i % 8] / 3; eat(outs[i % 8]); }
    for (T i = 0; i < n; i++) {
        ring[i % 8] = make(i);
        eat(ring[i % 8]);
    }
}
int main() { run<int>(40); run<long>(30); printf("%ld\n", sum); return 0; }
`)
	plan := writeText(t, dir, "t.yaml", "plan:\n  - pipeline: [t.cc:6:33, t.cc:6:56, t.cc:6:87]\n  - pipeline: [t.cc:8, t.cc:9]\n    stages: [make, eat]\n")
	const want = "t.cc:run/pipeline1 40 t.cc:run/stage1 t.cc:run/stage2 t.cc:run/stage3; t.cc:run/pipeline2 30 t.cc:run/stage1#2 t.cc:run/stage2#2 t.cc:run/stage3#2; t.cc:run/pipeline3 40 t.cc:run/make t.cc:run/eat; t.cc:run/pipeline4 30 t.cc:run/make#2 t.cc:run/eat#2; "
	for _, tc := range toolchain.All() {
		t.Setenv("PATHSPAN_CLANG", tc.Clang)
		file := filepath.Join(dir, fmt.Sprintf("llvm%d.pspan", tc.Version))
		succeed(t, "profile", "-q", "-o", file, "--plan", plan, "t.cc")
		all, _, _ := pipelinesOf(t, "-p", "3", file)
		got := ""
		for _, p := range all {
			got += fmt.Sprint(p.Name, " ", p.Items)
			for k, s := range p.Stages {
				got += " " + s.Task
				if s.Executions != p.Items || k == 0 && s.Most < 2*s.Least || k > 0 && s.Most != s.Least {
					t.Errorf("llvm%d: %+v", tc.Version, s)
				}
			}
			got += "; "
		}
		if got != want {
			t.Errorf("llvm%d: pipelines\n%s\nwant\n%s", tc.Version, got, want)
		}
	}
}

// randomPipeline writes a program with a pipeline, its plan, and how many items it has.
func randomPipeline(r *rand.Rand) (source, plan string, items, stages int) {
	stages = 2 + r.IntN(4)
	var calls, lines, depths, stateless []string
	rounds, n, skipped, from := 1+r.IntN(3), 5+r.IntN(40), 2+r.IntN(5), r.IntN(2)
	body := ""
	if from == 1 { // some rounds are no items
		body = fmt.Sprintf("            if (i %% %d == 1)\n                continue;\n", skipped)
	}
	for i := range n {
		if from == 0 || i%skipped != 1 {
			items += rounds
		}
	}
	text := "#include <stdio.h>\nstatic unsigned seed = 3;\nstatic long kept[64];\n"
	for s := range stages {
		text += fmt.Sprintf(`__attribute__((noinline)) static void f%d(int i)
{
    unsigned x = seed;
    for (int k = 0; k < %d + (i %% %d == 0) * %d; k++)
        x = x * 1664525u + (x >> %d) + 7;
    kept[%d] += x;
    if (i %% %d == 2)
        for (int k = 0; k < %d; k++)
            kept[%d] ^= k * i;
}
`, s, 5+r.IntN(80), 2+r.IntN(6), r.IntN(300), 3+r.IntN(9), s, 3+r.IntN(4), r.IntN(90), s)
	}
	text += fmt.Sprintf("int main(void)\n{\n    for (int round = 0; round < %d; round++)\n        for (int i = 0; i < %d; i++) {\n%s", rounds, n, body)
	for s := range stages {
		text += fmt.Sprintf("            f%d(i + round);\n", s)
		calls, lines = append(calls, fmt.Sprintf("f%d", s)), append(lines, fmt.Sprintf("app.c:%d", strings.Count(text, "\n")))
		if s > 0 {
			depths = append(depths, fmt.Sprint(1+r.IntN(6)))
		}
		if r.IntN(3) == 0 {
			stateless = append(stateless, fmt.Sprint(s+1))
		}
	}
	text += "        }\n    printf(\"%ld\\n\", kept[0]);\n    return 0;\n}\n"
	plan = "plan:\n  - pipeline: [" + strings.Join(lines, ", ") + "]\n"
	if r.IntN(2) == 0 {
		plan = "plan:\n  - pipeline: {function: main, calls: [" + strings.Join(calls, ", ") + "]}\n"
	}
	plan += "    depth: [" + strings.Join(depths, ", ") + "]\n"
	if stateless != nil {
		plan += "    stateless: [" + strings.Join(stateless, ", ") + "]\n"
	}
	return text, plan, items, stages
}

// TestRandomPipelines holds random programs to replay, under random mappings of their stages.
func TestRandomPipelines(t *testing.T) {
	all := toolchain.All()
	if len(all) == 0 {
		t.Skip("no LLVM is installed")
	}
	seeds := uint64(4)
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		seeds = 100
	}
	dir := t.TempDir()
	t.Chdir(dir)
	for seed := range seeds {
		r := rand.New(rand.NewPCG(seed, 31))
		source, plan, items, stages := randomPipeline(r)
		t.Setenv("PATHSPAN_CLANG", all[int(seed)%len(all)].Clang)
		writeText(t, dir, "app.c", source)
		file := filepath.Join(dir, "app.pspan")
		run := []string{"-O", fmt.Sprint(1 + r.IntN(2)), "--plan", writeText(t, dir, "plan.yaml", plan), "app.c"}
		succeed(t, append([]string{"profile", "-q", "--flow", "-o", file}, run...)...)
		processors := 1 + r.IntN(5)
		platform := "processors:\n"
		for p := range processors {
			platform += fmt.Sprintf("  - {name: p%d, model: generic, clock_mhz: %d}\n", p, 100+10*r.IntN(20))
		}
		target := []string{"--platform", writeText(t, dir, "platform.yaml", platform+fmt.Sprintf("overheads: {create: %d, task: %d, steal: %d}\n", r.IntN(90), r.IntN(60), r.IntN(60)))}
		plain, _, notes := pipelinesOf(t, append(target, file)...)
		if len(plain) != 1 || plain[0].Items != float64(items) || len(plain[0].Stages) != stages {
			t.Fatalf("seed %d: %+v, want %d items of %d stages\n%s%s", seed, plain, items, stages, source, plan)
		}
		for _, n := range notes { // stages that pass nothing on, and keep something
			if strings.Contains(n, "app.c:") && strings.Contains(n, ": stage ") && !strings.Contains(n, "reads nothing that a stage before it wrote") && !strings.Contains(n, "take it out of stateless") {
				t.Errorf("seed %d: %s", seed, n)
			}
		}
		for range 3 {
			text, within := "serial: p0\ntasks:\n", 0.002
			for _, s := range plain[0].Stages {
				if r.IntN(3) == 0 {
					within = 0.06 // who steals a task may hang on a cycle
				} else {
					text += fmt.Sprintf("  %s: [p%d]\n", s.Name, r.IntN(processors))
				}
			}
			if strings.HasSuffix(text, "tasks:\n") {
				text = "serial: p0\n"
			}
			with := append(slices.Clone(target), "--mapping", writeText(t, dir, "m.yaml", text))
			got, estimates, _ := pipelinesOf(t, append(with, "--depths", file)...)
			if b := got[0].Buffers; b == nil || b.Refused != "" || b.Near > b.Even {
				t.Errorf("seed %d: depths %+v", seed, b)
			}
			replayed(t, with, append([]string{"-O", run[1]}, run[2:]...), estimates[0].ParallelSeconds, within)
		}
	}
}

// TestLoopsHaveOneName: inspect calls loops by the lines that files of accelerators do, those of their statements.
func TestLoopsHaveOneName(t *testing.T) {
	if len(toolchain.All()) == 0 {
		t.Skip("no LLVM is installed")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "nest.c", `float a[64], b[64];
__attribute__((noinline)) float sum(int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) {
        a[i] = 0;
        for (int k = 0;
             k < n; k++)
            a[i] += b[k] * i;
        s += a[i];
    }
    return s;
}
int main(int argc, char **argv)
{
    while (argc < 40) {
        b[argc] = argc;
        argc += 1 + (sum(argc) < 0);
    }
    return 0;
}
`)
	for _, level := range []string{"0", "1", "2"} {
		succeed(t, "profile", "-q", "-O", level, "-o", "nest.pspan", "nest.c")
		var out struct {
			Functions []struct{ Levels []struct{ Loop string } }
		}
		if err := json.Unmarshal([]byte(succeed(t, "inspect", "--json", "nest.pspan")), &out); err != nil {
			t.Fatal(err)
		}
		var loops []string
		for _, f := range out.Functions {
			for _, l := range f.Levels {
				if l.Loop != "" {
					loops = append(loops, l.Loop)
				}
			}
		}
		slices.Sort(loops)
		writeText(t, dir, "hw.yaml", "schema: pathspan.accelerator/1\nname: hw\nextends: ku060\nloops:\n  nest.c:1: {unroll: 2}\n")
		want := "its loops are at " + strings.Join(slices.Compact(loops), ", ")
		if text := fail(t, "estimate", "-p", "1", "--model", "hw.yaml", "nest.pspan"); !strings.HasSuffix(text, want) || level == "1" && !slices.Equal(loops, []string{"nest.c:16", "nest.c:5", "nest.c:7"}) {
			t.Errorf("-O %s: inspect has %q; %s", level, loops, text)
		}
	}
}
