package serve

// This file holds answers against estimates, and says how the service behaves.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/mapping"
)

// reply is an answer as a client reads it.
type reply struct {
	ID      json.RawMessage
	Results []struct {
		Technique         string
		Speedup           float64
		ParallelCycles    float64 `json:"parallel_cycles"`
		SequentialCycles  float64 `json:"sequential_cycles"`
		ParallelSeconds   float64 `json:"parallel_seconds"`
		SequentialSeconds float64 `json:"sequential_seconds"`
	}
	Error *struct{ Field, Message string }
}

// ask sends lines and returns the answers, without the description.
func ask(t testing.TB, s *Service, lines string) []string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Lines(strings.NewReader(lines), &out); err != nil {
		t.Fatal(err)
	}
	all := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	return all[1:]
}

func parse(t testing.TB, line string) reply {
	t.Helper()
	var r reply
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	return r
}

// same reports whether two figures differ by no more than the order of additions.
func same(x, y float64) bool { return math.Abs(x-y) <= 1e-13*max(x, y) }

// compactCandidate is a random candidate, and the mapping that it stands for.
func compactCandidate(r *rand.Rand, s *Service) (line string, sections, order []int, serial int, m *mapping.Resolved) {
	n, regions := len(s.e.Platform.Processors), s.e.Bundle.Program.Regions
	serial = r.Intn(n)
	m = mapping.Default(s.e.Platform, s.e.Bundle.Program)
	if serial > 0 {
		m = s.unnamed[serial]
		text, _ := json.Marshal(m)
		m = &mapping.Resolved{}
		json.Unmarshal(text, m)
		m.Platform = s.e.Platform
	}
	order = r.Perm(len(s.places))
	for reg := range regions {
		named := r.Intn(4) > 0
		m.Regions[reg].Explicit = named
		for c := range regions[reg].Constructs {
			m.Regions[reg].Order[c] = nil
			for i := range regions[reg].Constructs[c].Sections {
				p := -1
				if named {
					p = r.Intn(n)
					m.Regions[reg].Proc[c][i] = p
				}
				sections = append(sections, p)
			}
		}
	}
	for _, i := range order {
		at := s.places[i]
		m.Regions[at.region].Order[at.construct] = append(m.Regions[at.region].Order[at.construct], at.section)
	}
	text := func(v any) string { b, _ := json.Marshal(v); return string(b) }
	line = fmt.Sprintf(`{"sections":%s,"order":%s,"serial":%d,"techniques":["mt","pb","at","pb-unmapped"],"id":%d}`, text(sections), text(order), serial, r.Intn(1000))
	return line, sections, order, serial, m
}

func TestAnswersEqualEstimates(t *testing.T) {
	for _, e := range []*estimate.Estimator{fun0(t), synthetic(t, 2, 4, 20, 3), nested(t)} {
		s := service(t, e, 4)
		r := rand.New(rand.NewSource(1))
		var lines strings.Builder
		var want []*mapping.Resolved
		for range 500 {
			line, _, _, _, m := compactCandidate(r, s)
			if err := m.Check(e.Bundle.Program); err != nil {
				t.Fatal(err)
			}
			lines.WriteString(line + "\n")
			want = append(want, m)
		}
		answers := ask(t, s, lines.String())
		if len(answers) != len(want) {
			t.Fatalf("%d answers for %d candidates", len(answers), len(want))
		}
		for i, m := range want {
			got := parse(t, answers[i])
			for k, name := range []string{"mt", "pb", "at", "pb-unmapped"} {
				technique, _ := estimate.ParseTechnique(name)
				x, err := e.Estimate(m, technique)
				if err != nil {
					t.Fatal(err)
				}
				g := got.Results[k]
				if g.Technique != name || !same(g.Speedup, x.Speedup) || !same(g.ParallelCycles, x.ParallelCycles) || g.SequentialCycles != x.SequentialCycles || !same(g.ParallelSeconds, x.ParallelSeconds) || g.SequentialSeconds != x.SequentialSeconds {
					t.Fatalf("candidate %d: %+v, estimated %+v", i, g, x)
				}
			}
		}
	}
}

// Programs that come apart are valued by units, others as a whole.
func TestWhatComesApart(t *testing.T) {
	for _, c := range []struct {
		e     *estimate.Estimator
		apart bool
	}{{fun0(t), true}, {synthetic(t, 2, 4, 20, 3), true}, {nested(t), false}} {
		if s := service(t, c.e, 1); (s.space(1, estimate.PathBased).space != nil) != c.apart {
			t.Errorf("%s: comes apart: %v, want %v", s.Description.Function, !c.apart, c.apart)
		}
	}
}

// A mapping in JSON is the mapping file of the same names.
func TestMappingsEqualFiles(t *testing.T) {
	e := synthetic(t, 2, 3, 10, 3)
	s := service(t, e, 1)
	file := `serial: cpu1
regions:
  s.c:main:11:
    cpu2: [2, s.c:main:11/1, 4]
    cpu0: [6]
`
	path := filepath.Join(t.TempDir(), "m.yaml")
	if err := os.WriteFile(path, []byte(file), 0o644); err != nil {
		t.Fatal(err)
	}
	loaded, err := mapping.LoadMapping(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapping.Resolve(e.Platform, loaded, e.Bundle.Program)
	if err != nil {
		t.Fatal(err)
	}
	want, err := e.Estimate(m, estimate.PathBased)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		`{"mapping":{"schema":"pathspan.mapping/1","serial":"cpu1","regions":{"s.c:main:11":{"cpu2":[2,"s.c:main:11/1","4"],"cpu0":[6]}}}}`,
		// The same without names: -1 is left out.
		`{"sections":[-1,-1,-1,-1,-1,-1,2,2,-1,2,-1,0],"order":[0,1,2,3,4,5,7,6,8,9,11,10],"serial":"cpu1"}`,
	} {
		got := parse(t, ask(t, s, line)[0])
		if got.Error != nil || !same(got.Results[0].ParallelCycles, want.ParallelCycles) {
			t.Errorf("%s: %+v, want %v", line, got, want.ParallelCycles)
		}
	}
}

// Each malformed candidate gets an error that names the field, and the next an answer.
func TestMalformedCandidates(t *testing.T) {
	s := service(t, fun0(t), 2)
	for _, c := range []struct{ line, id, field, message string }{
		{`{"id":1,"sections":[0,1]}`, "1", "sections", "2 processors for 3 sections"},
		{`{"id":"a","sections":[0,1,2]}`, `"a"`, "sections[2]", "processor 2 of 2: want 0 to 1"},
		{`{"sections":[0,-2,1],"id":-1.5e3}`, "-1.5e3", "sections[1]", "processor -2 of 2"},
		{`{"sections":[0,1,1.5],"id":2}`, "2", "sections[2]", "want the index of a processor"},
		{`{"sections":[0,1,99999999999],"id":2}`, "2", "sections[2]", "want the index of a processor"},
		{`{"sections":{"a":1},"id":2}`, "2", "sections", "list of whole numbers"},
		{`{"id":3}`, "3", "sections", "missing"},
		{`{"id":4,"sections":[0,0,0],"order":[0,1]}`, "4", "order", "2 indices for 3 sections"},
		{`{"id":4,"sections":[0,0,0],"order":[0,1,1]}`, "4", "order[2]", "there twice"},
		{`{"id":4,"sections":[0,0,0],"order":[0,1,3]}`, "4", "order[2]", "section 3 of 3"},
		{`{"id":5,"sections":[0,0,0],"serial":"gamma"}`, "5", "serial", `"gamma" is not on platform`},
		{`{"id":5,"sections":[0,0,0],"serial":2}`, "5", "serial", "processor 2 of 2"},
		{`{"id":5,"sections":[0,0,0],"serial":-1}`, "5", "serial", "want 0 or more"},
		{`{"id":6,"sections":[0,0,0],"techniques":["pb","best"]}`, "6", "techniques[1]", "pb-unmapped, at or mt"},
		{`{"id":6,"sections":[0,0,0],"techniques":[]}`, "6", "techniques", "empty"},
		{`{"id":7,"section":[0,0,0]}`, "7", "section", "unknown field"},
		{`{"id":7,"sections":[0,0,0],"sections":[0,0,0]}`, "7", "sections", "twice"},
		{`{"id":8,"sections":[0,0,0],"mapping":{}}`, "8", "sections", "together with mapping"},
		{`{"id":8,"serial":0,"mapping":{}}`, "8", "serial", "put it into mapping"},
		{`{"id":8,"order":[0],"mapping":{}}`, "8", "order", "together with mapping"},
		{`{"id":9,"mapping":[]}`, "9", "mapping", "an object in braces"},
		{`{"id":9,"mapping":{"region":{}}}`, "9", "mapping.region", "unknown field"},
		{`{"id":9,"mapping":{"serial":"alfa"}}`, "9", "mapping.serial", `"alpha"`},
		{`{"id":9,"mapping":{"schema":"x"}}`, "9", "mapping.schema", "pathspan.mapping/1"},
		{`{"id":9,"mapping":{"regions":{"fun0.c:fun_0:4":{}}}}`, "9", `mapping.regions["fun0.c:fun_0:4"]`, "does not exist"},
		{`{"id":9,"mapping":{"regions":{"fun0.c:fun_0#2":{}}}}`, "9", `mapping.regions["fun0.c:fun_0#2"]`, "fun0.c:fun_0 has fun0.c:fun_0#1 (line 47)"},
		{`{"id":9,"mapping":{"regions":{"fun0.c:fun_0#1":{"gamma":[1]}}}}`, "9", `mapping.regions["fun0.c:fun_0#1"].gamma`, "is not on platform"},
		{`{"id":9,"mapping":{"regions":{"fun0.c:fun_0#1":{"alpha":[4]}}}}`, "9", `mapping.regions["fun0.c:fun_0#1"].alpha[0]`, "does not exist"},
		{`{"id":9,"mapping":{"regions":{"fun0.c:fun_0#1":{"alpha":[1],"beta":[2,1]}}}}`, "9", `mapping.regions["fun0.c:fun_0#1"].beta[1]`, "placed twice"},
		{`{"id":9,"mapping":{"regions":{"fun0.c:fun_0#1":{"alpha":1}}}}`, "9", `mapping.regions["fun0.c:fun_0#1"].alpha`, "list of sections"},
		{`{"id":10,"sections":[0,0,0]`, "10", "", "the line ends"},
		{`{"id":10,"sections":[0,0,0]} x`, "10", "", "end of the line"},
		{`{"id":null,"sections":[0,0,0]}`, "null", "id", "a string or a number"},
		{`{"id":"\q","sections":[0,0,0]}`, "null", "id", "no string"},
		{`{"id":01,"sections":[0,0,0]}`, "null", "id", "no number"},
		{`{"id":"x`, "null", "id", "not closed"},
		{`7`, "null", "", "an object in braces"},
		{`[{"id":1,"sections":[0,0,0]}`, "null", "", "the line ends"},
	} {
		answers := ask(t, s, c.line+"\n"+`{"id":"next","sections":[0,0,1]}`+"\n")
		if len(answers) != 2 {
			t.Errorf("%s: answers %q", c.line, answers)
			continue
		}
		got := parse(t, answers[0])
		if got.Error == nil || got.Error.Field != c.field || !strings.Contains(got.Error.Message, c.message) || string(got.ID) != c.id || strings.Contains(got.Error.Message, "\x00") {
			t.Errorf("%s: %s", c.line, answers[0])
		}
		if next := parse(t, answers[1]); next.Error != nil || next.Results[0].Speedup < 1.4 {
			t.Errorf("%s: then %s", c.line, answers[1])
		}
	}
}

func TestArrayOfCandidates(t *testing.T) {
	s := service(t, fun0(t), 2)
	answers := ask(t, s, `[{"id":1,"sections":[0,0,1]}, {"id":2,"sections":[0,7,1]}, {"x":{"y":[1,2]},"id":3},{"id":4,"sections":[0,1,0]}]`+"\n[]\n")
	if len(answers) != 2 || answers[1] != "[]" {
		t.Fatalf("answers %q", answers)
	}
	var got []reply
	if err := json.Unmarshal([]byte(answers[0]), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 4 || got[0].Error != nil || got[1].Error.Field != "sections[1]" || got[2].Error.Field != "x" || string(got[2].ID) != "3" || got[3].Results[0].ParallelCycles != 2648.5 {
		t.Errorf("answers %s", answers[0])
	}
}

// Answers keep the order of the requests, whichever worker is first.
func TestOrderOfAnswers(t *testing.T) {
	s := service(t, synthetic(t, 2, 4, 20, 3), 8)
	var lines strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&lines, "{\"id\":%d,\"sections\":[%s]}\n\n", i, strings.TrimSuffix(strings.Repeat("1,", 16), ","))
	}
	for i, line := range ask(t, s, lines.String()) {
		if !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,"results"`, i)) {
			t.Fatalf("answer %d is %s", i, line)
		}
	}
}

// An answer does not wait for the next candidate, nor for the end of input.
func TestAnswersAtOnce(t *testing.T) {
	s := service(t, fun0(t), 2)
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	done := make(chan error)
	go func() { done <- s.Lines(in, out) }()
	read := bufio.NewReader(answers)
	if line, err := read.ReadString('\n'); err != nil || !strings.Contains(line, `"schema":"pathspan.serve/1"`) {
		t.Fatalf("%s, %v", line, err)
	}
	for i := range 3 {
		fmt.Fprintf(requests, "{\"id\":%d,\"sections\":[0,0,1]}\n", i)
		if line, err := read.ReadString('\n'); err != nil || !strings.HasPrefix(line, fmt.Sprintf(`{"id":%d,"results"`, i)) {
			t.Fatalf("%s, %v", line, err)
		}
	}
	requests.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

type noWriter struct{ left int }

func (w *noWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

func TestStreamsThatFail(t *testing.T) {
	s := service(t, fun0(t), 2)
	in, _ := io.Pipe() // never ends
	if err := s.Lines(in, &noWriter{}); err == nil || err.Error() != "full" {
		t.Errorf("error %v", err)
	}
	lines := strings.Repeat(`{"sections":[0,0,1]}`+"\n", 10000)
	if err := s.Lines(strings.NewReader(lines), &noWriter{left: 5000}); err == nil || err.Error() != "full" {
		t.Errorf("error %v", err)
	}
	broken := io.MultiReader(strings.NewReader(`{"id":1,"sections":[0,0,1]}`+"\n"), iotest{})
	var out bytes.Buffer
	if err := s.Lines(broken, &out); err == nil || !strings.Contains(err.Error(), "torn") || !strings.Contains(out.String(), `{"id":1,"results"`) {
		t.Errorf("error %v, answers %s", err, out.String())
	}
}

type iotest struct{}

func (iotest) Read([]byte) (int, error) { return 0, errors.New("torn") }

func TestDescription(t *testing.T) {
	s := service(t, fun0(t), 1)
	d := s.Description
	if d.Function != "fun_0" || len(d.Processors) != 2 || d.Processors[1].Name != "beta" || d.Processors[0].Create != 50 || len(d.Regions) != 1 || d.Regions[0].Sections != 3 {
		t.Errorf("%+v", d)
	}
	var lines []int
	for _, x := range d.Sections {
		lines = append(lines, x.Line)
	}
	if !slices.Equal(lines, []int{51, 61, 73}) || d.Sections[2].Name != "fun0.c:fun_0#1/3" {
		t.Errorf("%+v", d.Sections)
	}
}

// Whatever comes, a line is answered by a line of JSON, and what is no JSON by an error.
func FuzzLine(f *testing.F) {
	for _, line := range []string{
		`{"id":1,"sections":[0,0,1]}`, `{"id":"x","sections":[0,-1,1],"order":[2,1,0],"serial":"beta","techniques":["at","mt"]}`,
		`{"mapping":{"serial":"alpha","regions":{"fun0.c:fun_0#1":{"alpha":[1,"2"],"beta":[3]}}}}`,
		`[{"id":1},{"sections":[0,0,0]}]`, `[[]]`, `{`, `{"id":"\u00e9\ud800"}`, "{\"id\":\"\xff\"}", `{"a\nb":1}`, `{"sections":[0,0,1],}`, `[,]`, `{"id":1e5}`, `{"id":-}`,
	} {
		f.Add(line)
	}
	s := service(f, fun0(f), 1)
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n") || strings.TrimSpace(line) == "" {
			return
		}
		w := newWorker(s)
		got := w.line(nil, []byte(line))
		if !json.Valid(got) || bytes.ContainsAny(got, "\n") {
			t.Fatalf("%q: answer %q", line, got)
		}
		if !json.Valid([]byte(line)) && !bytes.Contains(got, []byte(`"error"`)) {
			t.Fatalf("%q is no JSON: answer %s", line, got)
		}
	})
}
