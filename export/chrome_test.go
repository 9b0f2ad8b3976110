package export

// This file reads traces back with a checker of its own: the rules of the Trace Event
// Format on which viewers rely.

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// readEvent is an event as the format describes it. Times are microseconds.
type readEvent struct {
	Name string
	Cat  string
	Ph   string
	Pid  *int
	Tid  *int
	Ts   *float64
	Dur  *float64
	ID   int
	BP   string
	Args map[string]any
}

func (e *readEvent) end() int64  { return nanos(*e.Ts) + nanos(*e.Dur) }
func nanos(micros float64) int64 { return int64(math.Round(micros * 1000)) }
func (e *readEvent) holds(ns int64) bool {
	return nanos(*e.Ts) <= ns && (ns < e.end() || ns == nanos(*e.Ts))
}

// readTrace checks a trace and returns its complete events.
func readTrace(t *testing.T, data []byte) []readEvent {
	t.Helper()
	var trace struct {
		TraceEvents     []readEvent
		DisplayTimeUnit string
		OtherData       map[string]string
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&trace); err != nil {
		t.Fatal(err)
	}
	type thread [2]int
	slices1 := map[thread][]readEvent{}
	named := map[int]bool{}
	starts, ends := map[int]readEvent{}, map[int]readEvent{}
	var all []readEvent
	for _, e := range trace.TraceEvents {
		if e.Name == "" || e.Pid == nil || e.Tid == nil {
			t.Fatalf("event without name, process or thread: %+v", e)
		}
		at := thread{*e.Pid, *e.Tid}
		switch e.Ph {
		case "M":
			named[*e.Pid] = named[*e.Pid] || e.Name == "process_name" && e.Args["name"] != ""
		case "X":
			if e.Ts == nil || e.Dur == nil || *e.Ts < 0 || *e.Dur < 0 || e.Cat == "" {
				t.Fatalf("incomplete event: %+v", e)
			}
			slices1[at] = append(slices1[at], e)
			all = append(all, e)
		case "s", "f":
			flows := starts
			if e.Ph == "f" {
				flows = ends
			}
			if _, twice := flows[e.ID]; twice || e.ID == 0 || e.Ts == nil {
				t.Fatalf("flow without an id of its own: %+v", e)
			}
			flows[e.ID] = e
		default:
			t.Fatalf("unknown phase: %+v", e)
		}
	}
	for at, events := range slices1 {
		if !named[at[0]] {
			t.Errorf("process %d has no name", at[0])
		}
		slices.SortStableFunc(events, func(a, b readEvent) int { return int(nanos(*a.Ts) - nanos(*b.Ts)) })
		var open []readEvent
		for _, e := range events {
			for len(open) > 0 && open[len(open)-1].end() <= nanos(*e.Ts) {
				open = open[:len(open)-1]
			}
			if len(open) > 0 && open[len(open)-1].end() < e.end() {
				t.Errorf("%s and %s overlap on thread %v", open[len(open)-1].Name, e.Name, at)
			}
			open = append(open, e)
		}
	}
	if len(starts) != len(ends) {
		t.Errorf("%d flows start, %d end", len(starts), len(ends))
	}
	for id, s := range starts {
		f, ok := ends[id]
		if !ok || f.Name != s.Name || f.Cat != s.Cat || nanos(*f.Ts) < nanos(*s.Ts) {
			t.Errorf("flow %d starts as %+v and ends as %+v", id, s, f)
			continue
		}
		for _, e := range []readEvent{s, f} {
			if !slices.ContainsFunc(slices1[thread{*e.Pid, *e.Tid}], func(x readEvent) bool { return x.holds(nanos(*e.Ts)) }) {
				t.Errorf("flow %d: %+v lies in no event", id, e)
			}
		}
	}
	return all
}

func TestChrome(t *testing.T) {
	data, err := Chrome(fun0(t, "solB"), 2)
	if err != nil {
		t.Fatal(err)
	}
	readTrace(t, data)
	golden(t, "chrome.golden", data)
}

// The first scene is one execution of the program: its parts add up to the estimate.
func TestChromeAddsUpToEstimates(t *testing.T) {
	everySubject(t, func(t *testing.T, s *Subject) {
		data, err := Chrome(s, 3)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := Chrome(s, 3); err != nil || !bytes.Equal(data, again) {
			t.Errorf("two traces differ: %v", err)
		}
		sum, parts := int64(0), 0
		var scenes []readEvent
		for _, e := range readTrace(t, data) {
			switch {
			case e.Cat == "serial", strings.HasSuffix(e.Name, ": all executions"), strings.HasSuffix(e.Name, "sections of others too"):
				sum += nanos(*e.Dur)
				parts++
			case e.Cat == "construct":
				scenes = append(scenes, e)
			case e.Cat == "section" && e.Name == "":
				t.Errorf("a section without a name: %+v", e)
			}
		}
		if want := estimated(t, s).ParallelSeconds * 1e9; math.Abs(float64(sum)-want) > float64(parts) {
			t.Errorf("the program's parts take %d ns, want %v", sum, want)
		}
		for i, e := range scenes {
			if i > 0 && nanos(*e.Ts) < scenes[i-1].end() {
				t.Errorf("%s begins before %s ends", e.Name, scenes[i-1].Name)
			}
		}
	})
}
