package main

// This file holds the time of loops of which reports of synthesis speak to what the reports say of whole functions.

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// firProgram has a pipeline in a loop, two loops that are one pipeline, and one with a loop unrolled inside.
const firProgram = `#define N 64
#define T 8
float x[N + T], h[T], y[N], z[N][T], w[N];
__attribute__((noinline)) void fir(int n)
{
rows:
  for (int i = 0; i < n; i++) {
    float sum = 0;
taps: // of a loop
#pragma clang loop unroll(disable) vectorize(disable)
    for (int k = 0; k < T; k++)
      sum += x[i + k] * h[k];
    y[i] = sum;
  }
}
__attribute__((noinline)) void spread(void)
{
  for (int i = 0; i < N; i++)
#pragma clang loop unroll(disable) vectorize(disable)
    for (int k = 0; k < T; k++)
      z[i][k] = y[i] * h[k];
}
__attribute__((noinline)) void whole(void)
{
#pragma clang loop unroll(disable) vectorize(disable)
  for (int i = 0; i < N; i++)
#pragma clang loop unroll(disable) vectorize(disable)
    for (int k = 0; k < 4; k++)
      w[i] += z[i][k];
}
int main(void)
{
  for (int n = 0; n < 3; n++) {
#pragma omp parallel sections
    {
#pragma omp section
      fir(N);
#pragma omp section
      spread();
#pragma omp section
      whole();
    }
  }
  return 0;
}
`

// firReport is what a tool could say of it: 64*47+1 cycles, of which an iteration's 44-2 are 8 of a pipeline with an
// interval of 4; 512-1+8+2 with a call; 2*63+32+2.
const firReport = `<profile>
  <ReportVersion><Version>2023.1</Version></ReportVersion>
  <UserAssignments><Part>made-up</Part><TopModelName>main</TopModelName><TargetClockPeriod>5.00</TargetClockPeriod></UserAssignments>
  <PerformanceEstimates><SummaryOfOverallLatency><Best-caseLatency>undef</Best-caseLatency><Worst-caseLatency>undef</Worst-caseLatency></SummaryOfOverallLatency></PerformanceEstimates>
  <AreaEstimates>
    <Resources><DSP>40</DSP><LUT>9000</LUT><BRAM_18K>0</BRAM_18K></Resources>
    <AvailableResources><DSP>220</DSP><LUT>53200</LUT><BRAM_18K>280</BRAM_18K></AvailableResources>
  </AreaEstimates>
  <ModuleInformation>
    <Module><Name>fir_Pipeline_taps</Name>
      <PerformanceEstimates>
        <SummaryOfOverallLatency><Best-caseLatency>44</Best-caseLatency><Worst-caseLatency>44</Worst-caseLatency></SummaryOfOverallLatency>
        <SummaryOfLoopLatency><taps><TripCount>8</TripCount><Latency>42</Latency><PipelineII>4</PipelineII><PipelineDepth>15</PipelineDepth></taps></SummaryOfLoopLatency>
      </PerformanceEstimates>
    </Module>
    <Module><Name>fir</Name>
      <PerformanceEstimates>
        <SummaryOfOverallLatency><Best-caseLatency>3009</Best-caseLatency><Worst-caseLatency>3009</Worst-caseLatency></SummaryOfOverallLatency>
        <SummaryOfLoopLatency><rows><TripCount>64</TripCount><Latency>3008</Latency><IterationLatency>47</IterationLatency></rows></SummaryOfLoopLatency>
      </PerformanceEstimates>
    </Module>
    <Module><Name>spread</Name>
      <PerformanceEstimates>
        <SummaryOfOverallLatency><Best-caseLatency>521</Best-caseLatency><Worst-caseLatency>521</Worst-caseLatency></SummaryOfOverallLatency>
        <SummaryOfLoopLatency><VITIS_LOOP_18_1_VITIS_LOOP_20_2><TripCount>512</TripCount><Latency>519</Latency><PipelineII>1</PipelineII><PipelineDepth>9</PipelineDepth></VITIS_LOOP_18_1_VITIS_LOOP_20_2></SummaryOfLoopLatency>
      </PerformanceEstimates>
    </Module>
    <Module><Name>whole</Name>
      <PerformanceEstimates>
        <SummaryOfOverallLatency><Best-caseLatency>160</Best-caseLatency><Worst-caseLatency>160</Worst-caseLatency></SummaryOfOverallLatency>
        <SummaryOfLoopLatency><VITIS_LOOP_26_1><TripCount>64</TripCount><Latency>158</Latency><PipelineII>2</PipelineII><PipelineDepth>33</PipelineDepth></VITIS_LOOP_26_1></SummaryOfLoopLatency>
      </PerformanceEstimates>
    </Module>
  </ModuleInformation>
</profile>
`

// quicksortReport is table 3.4 of Choi's work as Vivado HLS writes it, with 100 iterations of each loop.
const quicksortReport = `<profile>
<ReportVersion><Version>2019.1</Version></ReportVersion>
<UserAssignments><Part>made-up</Part><TopModelName>qsort_comp</TopModelName><TargetClockPeriod>4.00</TargetClockPeriod></UserAssignments>
<PerformanceEstimates><PipelineType>none</PipelineType>
<SummaryOfOverallLatency><Best-caseLatency>401</Best-caseLatency><Worst-caseLatency>8111401</Worst-caseLatency></SummaryOfOverallLatency>
<SummaryOfLoopLatency>
<Loop1><TripCount>100</TripCount><Latency><range><min>400</min><max>8111400</max></range></Latency><IterationLatency><range><min>4</min><max>81114</max></range></IterationLatency>
<Loop1.1><TripCount>100</TripCount><Latency>81100</Latency><IterationLatency>811</IterationLatency>
<Loop1.1.1><TripCount>100</TripCount><Latency>400</Latency><PipelineII>4</PipelineII><PipelineDepth>4</PipelineDepth></Loop1.1.1>
<Loop1.1.2><TripCount>100</TripCount><Latency>400</Latency><PipelineII>4</PipelineII><PipelineDepth>4</PipelineDepth></Loop1.1.2>
</Loop1.1>
</Loop1>
</SummaryOfLoopLatency>
</PerformanceEstimates>
</profile>
`

func sequentialCycles(t *testing.T, args ...string) (cycles float64, text string) {
	t.Helper()
	text = succeed(t, append([]string{"estimate", "--json", "--verify", "-p", "1"}, args...)...)
	var got struct {
		Estimates []struct {
			Sequential float64 `json:"sequential_cycles"`
		} `json:"estimates"`
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Estimates) == 0 {
		t.Fatalf("%v: %.300s", err, text)
	}
	return got.Estimates[0].Sequential, text
}

func TestReportsOfSynthesis(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{"fir": firProgram, "qsort": quicksortProgram} {
		writeText(t, dir, name+".c", text)
		succeed(t, "profile", "-q", "-O", "1", "-o", name+".pspan", name+".c", "--")
	}
	const head = "schema: pathspan.accelerator/1\nname: mine\nextends: ku060\n"
	report := func(name, text string) string {
		writeText(t, dir, name+".xml", text)
		return writeText(t, dir, name+".yaml", head+"report: "+name+".xml\n")
	}
	inner, swaps, rounds, empty := quicksortRounds()
	fir, sort := report("fir", firReport), report("qsort", quicksortReport)
	for _, c := range []struct {
		program, model, function string
		want                     float64
	}{
		{"fir", fir, "fir", 3009},
		{"fir", fir, "spread", 521},
		{"fir", fir, "whole", 160},
		{"qsort", sort, "qsort_comp", float64(4*(inner+2*swaps) + 11*swaps + 14*rounds + 4*empty + 1)},
		// Without what a function takes itself, the model finds that.
		{"fir", report("less", strings.Replace(firReport, "<Best-caseLatency>3009</Best-caseLatency><Worst-caseLatency>3009<", "<Best-caseLatency>undef</Best-caseLatency><Worst-caseLatency>undef<", 1)), "fir", 3008},
		// A pipeline without latencies is as deep as it is.
		{"fir", report("deep", strings.NewReplacer("<Latency>519<", "<Latency>undef<", ">521<", ">undef<").Replace(firReport)), "spread", 511 + 9},
		// What the file says goes before: half the iterations, of each two.
		{"fir", writeText(t, dir, "twice.yaml", head+"report: fir.xml\nloops: {fir.c:20: {unroll: 2}}\n"), "spread", 511/2. + 8 + 2},
	} {
		if got, text := sequentialCycles(t, "--function", c.function, "--model", c.model, c.program+".pspan"); got != c.want {
			t.Errorf("%s by %s: %g cycles, want %g\n%s", c.function, c.model, got, c.want, text)
		}
	}
	if text := strings.Join(strings.Fields(succeed(t, "model", "show", fir)), " "); !strings.Contains(text, "200 MHz") || !strings.Contains(text, "40 DSP of 220, 9000 LUT of 53200") {
		t.Errorf("shown as\n%s", text)
	}
	_, text := sequentialCycles(t, "--function", "fir", "--model", fir, "fir.pspan")
	if want := "loop at fir.c:11: ii 4 is the report's, and with operators as the model has them an iteration waits 8 cycles"; !strings.Contains(text, want) {
		t.Errorf("does not say %q", want)
	}
	// Loops that nothing matches are named, and the others are used.
	for _, c := range []struct{ old, new, more, want string }{
		{"rows>", "lines>", "", "odd.xml:19: loop fir/lines is not used: no loop of the program has this name or line; report: fir/lines of a loop in the file says which it is"},
		{"rows>", "lines>", "loops: {fir.c:7: {report: fir/lines}}\n", ""},
		{"VITIS_LOOP_26_1", "Loop1", "", "odd.xml:31: loop whole/Loop1 is not used: the loop at fir.c:26 is around others, and the report does not say how they are made"},
		{"VITIS_LOOP_26_1", "VITIS_LOOP_28_2", "", ""},
		{"<IterationLatency>47<", "<IterationLatency>undef<", "", "loop fir/rows has no figures that can be used: the loop at fir.c:7 is priced as the model finds it"},
		{"<Name>whole</Name>\n      <PerformanceEstimates>", "<Name>whole</Name>\n      <PerformanceEstimates><PipelineType>dataflow</PipelineType>", "", "what is in whole runs at the same time there (dataflow), and is priced one behind the other"},
	} {
		report("odd", strings.ReplaceAll(firReport, c.old, c.new))
		model := writeText(t, dir, "odd.yaml", head+"report: odd.xml\n"+c.more)
		if _, text := sequentialCycles(t, "--model", model, "fir.pspan"); !strings.Contains(text, c.want) || c.want == "" && strings.Contains(text, "is not used") {
			t.Errorf("%q for %q: want %q in\n%s", c.new, c.old, c.want, text)
		}
	}
	writeText(t, dir, "big.xml", strings.Replace(firReport, "<DSP>40<", "<DSP>221<", 1))
	for _, c := range []struct{ program, file, want string }{
		{"qsort", "report: fir.xml\n", "bad.yaml:4: fir.xml is of another program: none of its loops and functions (fir, fir_Pipeline_taps, main, spread, whole) is one of this, whose functions are main, qsort_comp"},
		{"fir", "report: big.xml\n", "bad.yaml:4: report: big.xml:6: main takes 221 DSP, of 220 that made-up has: it fits no such device"},
		{"fir", "report: nosuch.xml\n", "bad.yaml:4: report: nosuch.xml: no such file or directory: want a csynth.xml"},
		{"fir", "report: fir.c\n", "bad.yaml:4: report: fir.c:"},
		{"fir", "report: []\n", "bad.yaml:4: report names no file"},
		{"fir", "report: fir.xml\ncapacity: {DSP: 39}\n", "bad.yaml:5: the design takes 40 DSP, of 39 that there are"},
		{"fir", "report: fir.xml\nloops: {fir.c:11: {report: fir/tops}}\n", `bad.yaml:5: the loop at fir.c:11 is "fir/tops" of the report, which has none of that name: want fir/rows,`},
		{"fir", "report: fir.xml\nloops: {fir.c:11: {try: {unroll: [1, 2]}}}\n", "bad.yaml:5: try of the loop at fir.c:11: the report (fir.xml:13) is of one design of it: leave try out"},
		{"fir", "report: fir.xml\nloops: {fir.c:11: {sum: tree, unroll: 2}}\n", "bad.yaml:5: sum and scan of the loop at fir.c:11: the report (fir.xml:13) says what its iterations take"},
		{"fir", "loops: {fir.c:11: {report: fir/taps}}\n", "bad.yaml:4: report of the loop at fir.c:11: the file names no report"},
	} {
		model := writeText(t, dir, "bad.yaml", head+c.file)
		if got := strings.ReplaceAll(fail(t, "estimate", "-p", "1", "--model", model, c.program+".pspan"), dir+"/", ""); !strings.Contains(got, c.want) {
			t.Errorf("%s\nsays %s\nwant %s", c.file, got, c.want)
		}
	}
}

// The same figures by every command, with sections on an accelerator of which a report speaks.
func TestReportsInTheSameAnswer(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	writeText(t, dir, "fir.c", firProgram)
	writeText(t, dir, "fir.xml", firReport)
	writeText(t, dir, "fir.yaml", "schema: pathspan.accelerator/1\nname: mine\nextends: ku060\nreport: fir.xml\n")
	platform := writeText(t, dir, "p.yaml", "processors:\n  - {name: cpu, model: cortex-a7, clock_mhz: 100, count: 2}\n  - {name: fpga, model: fir.yaml, capacity: {DSP: 80}}\noverheads: {create: 10, sync: 10}\n")
	succeed(t, "profile", "-q", "-O", "1", "-o", "fir.pspan", "fir.c")
	found := succeed(t, "explore", "--json", "--platform", platform, "-o", "best.yaml", "fir.pspan")
	writeText(t, dir, "x.json", found)
	best, err := os.ReadFile("best.yaml")
	if err != nil || !strings.Contains(string(best), "fpga") {
		t.Fatalf("%v: %s", err, best)
	}
	speedup := func(what, text string) float64 {
		t.Helper()
		_, text, _ = strings.Cut(text, `"speedup": `)
		var x float64
		if _, err := fmt.Sscanf(text, "%g", &x); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		return x
	}
	target := []string{"--platform", platform, "--mapping", "best.yaml", "fir.pspan"}
	of := func(args ...string) string { return succeed(t, append(args, target...)...) }
	estimate := of("estimate", "--json", "--verify", "--technique", "eb")
	_, after, _ := strings.Cut(found, `"best":`)
	want := speedup("explore", after)
	for what, text := range map[string]string{
		"estimate": estimate, "why": of("why", "--json"), "report": of("report", "-o", "-", "--format", "json"),
		"report of explore": succeed(t, "report", "-o", "-", "--format", "json", "--platform", platform, "--explored", "x.json", "fir.pspan"),
	} {
		if got := speedup(what, text); got < want-1e-6 || got > want+1e-6 {
			t.Errorf("%s: speed-up %g, explore has %g", what, got, want)
		}
		if !strings.Contains(text, "take 40 DSP of 80") {
			t.Errorf("%s does not say what the design takes", what)
		}
	}
	_, after, _ = strings.Cut(estimate, `"parallel_cycles": `)
	var cycles float64
	if _, err := fmt.Sscanf(after, "%g", &cycles); err != nil {
		t.Fatal(err)
	}
	if text := of("replay"); !strings.Contains(text, " "+withCommas(int(cycles))) {
		t.Errorf("replay has not %g cycles:\n%s", cycles, text)
	}
}
