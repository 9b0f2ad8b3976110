package report

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"pathspan/build/record"
	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/measure"
)

// What a platform file charges for one more construct of a region is what one took, or it says
// why it is more.
func TestMeasuredBarrier(t *testing.T) {
	q := func(ns time.Duration) measure.Quartiles { return measure.Quartiles{Low: ns, Median: ns, High: ns} }
	for _, c := range []struct {
		construct time.Duration
		barrier   float64
	}{{construct: 900, barrier: 800}, {construct: 400, barrier: 0}} {
		o := &measure.Overheads{Processors: 2, Create: q(584), Fork: q(186), Sync: q(294), Join: q(192), Construct: q(c.construct)}
		text := OverheadsYAML(o, "", 2000, nil)
		path := filepath.Join(t.TempDir(), "host.yaml")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		pl, err := mapping.LoadPlatform(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := pl.Other.Barrier.Cycles; got != c.barrier {
			t.Errorf("barrier %v, want %v: one more loop took %s", got, c.barrier, c.construct)
		}
		if said := strings.Contains(text, "create and sync alone are 500ns, more than one more loop"); said != (c.barrier == 0) {
			t.Errorf("it says that the barrier is in create and sync: %v\n%s", said, text)
		}
	}
}

// What does not repeat itself is said, by the worse of sequential and parallel runs.
func TestRestlessRunsAreNoted(t *testing.T) {
	at := func(ms ...int) (times measure.Times) {
		for _, x := range ms {
			times = append(times, record.Time{Elapsed: time.Duration(x) * time.Millisecond})
		}
		return times
	}
	still, restless := at(1000, 1001, 1002, 1003, 1900), at(900, 950, 1000, 1050, 1100)
	rows := []Measurement{{Result: estimate.Result{Mapping: "m.yaml", Processors: 2}}}
	for _, c := range []struct {
		sequential, parallel measure.Times
		noted                bool
	}{{still, still, false}, {still, restless, true}, {restless, still, true}} {
		var m Measurements
		m.Fill(c.sequential.Summary(), rows, []measure.Times{c.parallel})
		if noted := len(m.Notes) == 1 && strings.Contains(m.Notes[0], "under m.yaml on 2 processors: the middle half reaches over 10.0%"); noted != c.noted || !noted && len(m.Notes) > 0 {
			t.Errorf("notes are %q", m.Notes)
		}
	}
}
