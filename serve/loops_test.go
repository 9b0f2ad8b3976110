package serve

// This file tests candidates that say how worksharing loops share their iterations.

import (
	"fmt"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/serve/servepb"
	"pathspan/testdata/profiled"
)

// loops is the estimator of a program with a triangular loop, sections, and a loop of chunks.
func loops(t *testing.T) *estimate.Estimator {
	t.Helper()
	b := profiled.Text(t, "loops.c", `
double a[300], b[300];
int main(void) {
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 300; i++)
      for (int j = 0; j <= i; j++)
        a[i] += j * 0.5 / (i + 1);
#pragma omp sections
    {
#pragma omp section
      for (int i = 0; i < 300; i++) a[i] += b[i] / 3;
#pragma omp section
      for (int i = 0; i < 200; i++) b[i] += i / 3.0;
    }
#pragma omp for schedule(dynamic, 8)
    for (int i = 0; i < 200; i++)
      for (int j = 0; j < 50; j++)
        b[i] += a[i] * 0.5 / (j + 1);
  }
  return a[7] < 0;
}
`)
	pl := mapping.Homogeneous(3, "")
	pl.Processors[1].ClockMHz, pl.Processors[2].ClockMHz = 300, 200
	return estimator(t, b.WithTeams(3), "", pl)
}

func TestCandidatesOfLoops(t *testing.T) {
	e := loops(t)
	s, err := New(e, Options{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	d := &s.Description
	if len(d.Sections) != 2 || d.Regions[0].Sections != 2 || len(d.Loops) != 2 || d.Loops[1].Schedule != "dynamic,8" || d.Loops[1].Number != 2 || d.Loops[0].Name != "loops.c:main#1/loop1" {
		t.Fatalf("%+v", d)
	}
	want := func(change func(m *mapping.Mapping)) float64 {
		word := func(text string) mapping.Word { return mapping.Word{Text: text} }
		m := &mapping.Mapping{Serial: word("cpu1"), Regions: []mapping.RegionFile{{Name: word("loops.c:main#1"), Processors: []mapping.ProcessorList{{Name: word("cpu0"), Sections: []mapping.Word{word("1")}}, {Name: word("cpu2"), Sections: []mapping.Word{word("2")}}}}}}
		change(m)
		resolved, err := mapping.Resolve(e.Platform, m, e.Bundle.Program)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Estimate(resolved, s.techniques[0])
		if err != nil {
			t.Fatal(err)
		}
		return r.ParallelCycles
	}
	one := func(l mapping.LoopFile) func(m *mapping.Mapping) {
		l.Number = mapping.Word{Text: "1"}
		return func(m *mapping.Mapping) { m.Regions[0].Loops = []mapping.LoopFile{l} }
	}
	word := func(text string) mapping.Word { return mapping.Word{Text: text} }
	clause := want(func(*mapping.Mapping) {})
	seen := map[float64]bool{}
	for text, x := range map[string]float64{
		`{"sections": [0, 2], "serial": "cpu1"}`: clause,
		``:                                       clause,
		`, "loops": {"1": {"schedule": "static,4"}}`:                               want(one(mapping.LoopFile{Schedule: word("static,4")})),
		`, "loops": {"1": {"schedule": "guided", "processors": ["cpu2", "cpu0"]}}`: want(one(mapping.LoopFile{Schedule: word("guided"), Processors: []mapping.Word{word("cpu2"), word("cpu0")}})),
		`, "loops": {"1": {"processors": ["cpu2", "cpu0"], "shares": [2, 1.5]}}`:   want(one(mapping.LoopFile{Processors: []mapping.Word{word("cpu2"), word("cpu0")}, Shares: []mapping.Share{{Value: 2}, {Value: 1.5}}})),
	} {
		line := text
		if !strings.HasPrefix(text, "{") {
			line = fmt.Sprintf(`{"mapping": {"serial": "cpu1", "regions": {"loops.c:main#1": {"cpu0": [1], "cpu2": [2]%s}}}}`, text)
		}
		r := parse(t, ask(t, s, line+"\n")[0])
		if r.Error != nil || !same(r.Results[0].ParallelCycles, x) {
			t.Errorf("%s: %+v, want %v", line, r, x)
		}
		seen[x] = true
	}
	if len(seen) != 4 {
		t.Errorf("ways of sharing take %v cycles", seen)
	}
	for text, fault := range map[string]string{
		`{"3": {}}`:                               `mapping.regions["loops.c:main#1"].loops.3: loop "3" of region loops.c:main#1 does not exist: want 1 to 2`,
		`{"1": {"schedule": "static,0"}}`:         `.loops.1.schedule: schedule "static,0": chunk "0"`,
		`{"1": {"schedule": ""}}`:                 `.loops.1.schedule: the schedule is empty`,
		`{"1": {"processors": []}}`:               `.loops.1.processors: the list is empty`,
		`{"1": {"processors": ["cpu0", "cpu0"]}}`: `.loops.1.processors[1]: processor "cpu0" runs two threads of one loop`,
		`{"1": {"shares": [1, -1]}}`:              `.loops.1.shares[1]: want a number from 0 to 1e+09`,
		`{"2": {"shares": [1, 1, 1]}}`:            `shares want schedule: static`,
		`{"1": {"chunk": 4}}`:                     `.loops.1.chunk: unknown field; want schedule, processors or shares`,
		`[1]`:                                     `want loops by number`,
	} {
		r := parse(t, ask(t, s, fmt.Sprintf(`{"mapping": {"regions": {"loops.c:main#1": {"loops": %s}}}}`+"\n", text))[0])
		if r.Error == nil || !strings.Contains(r.Error.Field+": "+r.Error.Message, fault) {
			t.Errorf("%s: %+v, want %s", text, r.Error, fault)
		}
	}
	// The same by gRPC.
	m := &servepb.Mapping{Serial: "cpu1", Regions: []*servepb.RegionMapping{{Region: "loops.c:main#1",
		Processors: []*servepb.ProcessorSections{{Processor: "cpu0", Sections: []string{"1"}}, {Processor: "cpu2", Sections: []string{"2"}}},
		Loops:      []*servepb.LoopMapping{{Loop: 1, Processors: []string{"cpu2", "cpu0"}, Shares: []float64{2, 1.5}}}}}}
	answers, err := s.batch(&servepb.Batch{Candidates: []*servepb.Candidate{{Mapping: m}}})()
	if err != nil {
		t.Fatal(err)
	}
	x := want(one(mapping.LoopFile{Processors: []mapping.Word{word("cpu2"), word("cpu0")}, Shares: []mapping.Share{{Value: 2}, {Value: 1.5}}}))
	if a := answers.Answers[0]; a.Error != nil || !same(a.Results[0].ParallelCycles, x) {
		t.Errorf("%+v, want %v", a, x)
	}
	m.Regions[0].Loops[0].Shares[1] = -1
	answers, err = s.batch(&servepb.Batch{Candidates: []*servepb.Candidate{{Mapping: m}}})()
	if a := answers.Answers[0]; err != nil || a.Error == nil || a.Error.Field != "mapping.regions[0].loops[0].shares" {
		t.Errorf("%+v, %v", a, err)
	}
}
