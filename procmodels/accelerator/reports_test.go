package accelerator

// This file holds the reader of reports to files of the shapes that tools write, by hand.

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// oldReport is as Vivado HLS writes one of a function: loops without labels go by their order.
const oldReport = `<profile>
<ReportVersion><Version>2019.1</Version></ReportVersion>
<UserAssignments><Part>made-up</Part><TopModelName>f</TopModelName><TargetClockPeriod>4.00</TargetClockPeriod></UserAssignments>
<PerformanceEstimates><PipelineType>none</PipelineType>
<SummaryOfOverallLatency><Best-caseLatency>1</Best-caseLatency><Worst-caseLatency>undef</Worst-caseLatency></SummaryOfOverallLatency>
<SummaryOfLoopLatency>
<Loop1><TripCount><range><min>0</min><max>64</max></range></TripCount><Latency><range><min>0</min><max>4544</max></range></Latency><IterationLatency><range><min>7</min><max>71</max></range></IterationLatency>
<Loop1.1><TripCount>64</TripCount><Latency>68</Latency><PipelineII>1</PipelineII><PipelineDepth>6</PipelineDepth></Loop1.1>
</Loop1>
<alone><TripCount>8</TripCount><Latency>24</Latency><IterationLatency>3</IterationLatency></alone>
<endless><TripCount>undef</TripCount><Latency>undef</Latency><PipelineII>2</PipelineII><PipelineDepth>9</PipelineDepth></endless>
</SummaryOfLoopLatency>
</PerformanceEstimates>
<AreaEstimates><Resources><DSP48E>3</DSP48E><FF>70</FF><LUT>~0</LUT></Resources><AvailableResources><DSP48E>40</DSP48E><FF>900</FF><LUT>900</LUT></AvailableResources></AreaEstimates>
</profile>
`

// newReport is as Vitis HLS writes one of a design: a module for each pipeline, and where loops stand.
const newReport = `<profile>
  <ReportVersion><Version>2023.2</Version></ReportVersion>
  <UserAssignments><Part>made-up</Part><TopModelName>f</TopModelName></UserAssignments>
  <PerformanceEstimates><SummaryOfLoopLatency><VITIS_LOOP_2_1><TripCount>9</TripCount></VITIS_LOOP_2_1></SummaryOfLoopLatency></PerformanceEstimates>
  <ModuleInformation>
    <Module><Name>f_Pipeline_VITIS_LOOP_3_2</Name><PerformanceEstimates>
      <SummaryOfOverallLatency><Best-caseLatency>12</Best-caseLatency><Worst-caseLatency>75</Worst-caseLatency><PipelineType>no</PipelineType></SummaryOfOverallLatency>
      <SummaryOfLoopLatency><VITIS_LOOP_3_2><Name>VITIS_LOOP_3_2</Name><Slack>3.65</Slack><TripCount><range><min>1</min><max>32</max></range></TripCount><Latency>10 ~ 73</Latency><PipelineII>2</PipelineII><PipelineDepth>12</PipelineDepth><InstanceList/></VITIS_LOOP_3_2></SummaryOfLoopLatency>
      <SummaryOfViolations><SummaryOfLoopViolations><VITIS_LOOP_3_2><SourceLocation>src/a.c:3~src/b.c:9</SourceLocation></VITIS_LOOP_3_2></SummaryOfLoopViolations></SummaryOfViolations>
    </PerformanceEstimates></Module>
    <Module><Name>f</Name><PerformanceEstimates><SummaryOfOverallLatency><PipelineType>dataflow</PipelineType></SummaryOfOverallLatency></PerformanceEstimates></Module>
  </ModuleInformation>
</profile>
`

func TestReportsAreRead(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{oldReport, `2019.1 made-up f clock 4 takes map[DSP:3 FF:70] of map[DSP:40 FF:900 LUT:900]
f false {0 0 false}
Loop1 ii 0 total 4544 true
Loop1.1 ii 1 first 5 total 68 true
alone ii 0 total 24 true
endless ii 2 first 9 total 0 false
`},
		{newReport, `2023.2 made-up f clock 0 takes map[] of map[]
f_Pipeline_VITIS_LOOP_3_2 false {12 75 true}
VITIS_LOOP_3_2 ii 2 first 11 total 73 true [src/a.c:3 src/b.c:9]
f true {0 0 false}
`},
	} {
		root, err := parseReport("r.xml", []byte(c.text))
		if err != nil {
			t.Fatal(err)
		}
		r, err := reportOf("r.xml", root)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprintf("%s %s %s clock %g takes %v of %v\n", r.version, r.part, r.top, r.clock, r.takes, r.available)
		for _, m := range r.modules {
			got += fmt.Sprintln(m.name, m.dataflow, m.latency)
			m.each(func(l, _ *reported) {
				total, known := l.total()
				first := ""
				if l.ii > 0 {
					first = fmt.Sprintf(" first %g", l.first())
				}
				lines := ""
				if l.lines != nil {
					lines = fmt.Sprint(" ", l.lines)
				}
				got += fmt.Sprintf("%s ii %g%s total %g %v%s\n", l.name, l.ii, first, total, known, lines)
			})
		}
		if got != c.want {
			t.Errorf("read as\n%swant\n%s", got, c.want)
		}
	}
}

func TestBadReportsAreOneLine(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ text, want string }{
		{"", "has no profile with PerformanceEstimates"},
		{"<a/>", "r.xml:1: no report of Vitis HLS or Vivado HLS"},
		{strings.Replace(oldReport, "<DSP48E>3<", "<DSP48E>41<", 1), "r.xml:14: f takes 41 DSP, of 40 that made-up has: it fits no such device"},
		{oldReport[:300], "no well-formed XML"},
		{strings.Repeat("<a>", 100), "deeper than 64"},
	} {
		file := filepath.Join(dir, "r.xml")
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := readReport(file); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60q: %v\nwant %s", c.text, err, c.want)
		}
	}
}

func FuzzReports(f *testing.F) {
	f.Add([]byte(oldReport))
	f.Add([]byte(newReport))
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := parseReport("r.xml", data)
		if err != nil {
			return
		}
		r, err := reportOf("r.xml", root)
		if err != nil {
			return
		}
		for _, m := range r.modules {
			m.each(func(l, _ *reported) {
				if x := l.first(); x < 1 {
					t.Errorf("%s takes %g cycles", l.title(), x)
				}
				if x, _ := l.total(); x < 0 {
					t.Errorf("%s takes %g cycles", l.title(), x)
				}
			})
		}
	})
}
