package report

// This file shows measured runs and overheads.

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"

	"pathspan/estimate"
	"pathspan/mapping"
	"pathspan/measure"
)

// Measurements is what one call of measure found, and its JSON object.
type Measurements struct {
	Schema     string        `json:"schema" is:"pathspan.measure/1"`
	Program    string        `json:"program"`
	Processors int           `json:"host_processors"` // of this machine
	Cores      int           `json:"host_cores"`
	Sequential Timing        `json:"sequential"`
	Estimates  []Measurement `json:"estimates"` // technique "measure"
	Notes      []string      `json:"notes"`
}

// Timing sums up the runs of one program, in seconds of elapsed time.
type Timing struct {
	Runs   int     `json:"runs"`
	Min    float64 `json:"min_seconds"`
	Median float64 `json:"median_seconds"`
	// Spread is the reach of the middle half of the runs, as a share of the median.
	Spread float64 `json:"spread"`
	Used   float64 `json:"processor_seconds"` // median, of all processors together
}

// Measurement is one mapping. Its seconds are medians and its speed-up that of the
// medians; there are no cycles.
type Measurement struct {
	estimate.Result
	Timing       Timing  `json:"timing"`
	SpeedupOfMin float64 `json:"speedup_of_minima"`
}

func timing(s measure.Summary) Timing {
	return Timing{s.Runs, s.Min.Seconds(), s.Median.Seconds(), s.Spread, s.Used.Seconds()}
}

// Fill takes the times in, and notes which do not repeat themselves; rows and parallel go together.
func (m *Measurements) Fill(sequential measure.Summary, rows []Measurement, parallel []measure.Times) {
	m.Sequential = timing(sequential)
	for i, row := range rows {
		s := parallel[i].Summary()
		row.Timing = timing(s)
		row.SequentialSeconds, row.ParallelSeconds = sequential.Median.Seconds(), s.Median.Seconds()
		row.Speedup, row.SpeedupOfMin = 1, 1
		if s.Median > 0 && s.Min > 0 {
			row.Speedup = float64(sequential.Median) / float64(s.Median)
			row.SpeedupOfMin = float64(sequential.Min) / float64(s.Min)
		}
		m.Estimates = append(m.Estimates, row)
		if spread := max(sequential.Spread, s.Spread); spread > measure.Steady {
			m.Notes = append(m.Notes, fmt.Sprintf("runs do not repeat themselves within %s under %s on %s: the middle half reaches over %s, and nothing that differs by less is told apart; give the machine rest, or more runs (-n)", Percent(measure.Steady), row.Mapping, Count(row.Processors, "processor"), Percent(spread)))
		}
	}
}

// Text writes a row for the sequential program and one for each mapping.
func (m *Measurements) Text(out io.Writer) error {
	w := bufio.NewWriter(out) // keeps the first error
	fmt.Fprintf(w, "%s on this machine (%s), %s of each program in turn\n\n", m.Program, Count(m.Cores, "core"), Count(m.Sequential.Runs, "run"))
	tab := newColumns(w)
	tab.row("processors", "mapping", "min", "median", "range", "processor time", "speed-up", "of minima")
	row := func(processors, mapping string, t Timing, speedups ...string) {
		tab.row(append([]string{processors, mapping, Seconds(t.Min), Seconds(t.Median), Percent(t.Spread), Seconds(t.Used)}, speedups...)...)
	}
	row("sequential", "", m.Sequential, "", "")
	for i := range m.Estimates {
		e := &m.Estimates[i]
		row(fmt.Sprint(e.Processors), e.Mapping, e.Timing, fmt.Sprintf("%.2f", e.Speedup), fmt.Sprintf("%.2f", e.SpeedupOfMin))
	}
	tab.Flush()
	fmt.Fprintln(w, "\nThe range is that of the middle half of the runs, as a share of the median; the speed-up is that of the medians.")
	printNotes(w, m.Notes)
	return w.Flush()
}

// OverheadsYAML spells measured overheads as a platform file. A model of "" stands for
// the default one; clock is in MHz.
func OverheadsYAML(o *measure.Overheads, model string, clock float64, notes []string) string {
	var b strings.Builder
	toCycles := func(t time.Duration) float64 { return float64(t.Nanoseconds()) * clock / 1000 }
	fmt.Fprintf(&b, "# Overheads of pathspan's run-time library on this machine: medians of %d regions of\n", o.Executions)
	fmt.Fprintf(&b, "# %d sections on %d pinned threads, in cycles at %g MHz. From the fork to the start of the\n", o.Processors, o.Processors, clock)
	fmt.Fprintln(&b, "# first section is fork, from there to that of the last create; join is what follows the end")
	fmt.Fprintln(&b, "# of the last section where the thread that forked ends last, sync what more it is elsewhere.")
	line := func(what string, q measure.Quartiles) {
		fmt.Fprintf(&b, "# %s: %s (half of them %s to %s)\n", what, q.Median, q.Low, q.High)
	}
	line("fork and create", o.Create)
	line("sync and join", o.Sync)
	line("dispatch, of a chunk", o.Dispatch)
	line("lock, free", o.Lock)
	line("atomic update of a line that another thread updates", o.Atomic)
	line("reduction, of a sum behind a loop", o.Reduction)
	line("team of one", o.TeamOfOne)
	if o.NoTasks == nil {
		line("task, made and executed by one thread of LLVM's OpenMP library", o.Task)
		line("undeferred, of a task whose if clause is false", o.Undeferred)
		line("steal, from when a task is made until another thread begins it", o.Steal)
	} else {
		notes = append(notes, "task, undeferred and steal are not measured: "+o.NoTasks.Error())
	}
	create, sync, of := o.ByKind()
	line("one more loop in a region, which is create, sync and barrier", o.Construct)
	if of["barrier"] == 0 {
		notes = append(notes, fmt.Sprintf("create and sync alone are %s, more than one more loop in a region takes: its threads are awake", create+sync))
	}
	for _, n := range notes {
		fmt.Fprintf(&b, "# Mind that %s.\n", n)
	}
	fmt.Fprintf(&b, "schema: pathspan.platform/1\nname: this machine\nprocessors:\n  - {name: cpu, ")
	if model != "" {
		fmt.Fprintf(&b, "model: %q, ", model)
	}
	fmt.Fprintf(&b, "clock_mhz: %g, count: %d}\n", clock, o.Processors)
	fmt.Fprintf(&b, "overheads: # cycles\n  create: %.0f\n  sync: %.0f\n", toCycles(create), toCycles(sync))
	for _, k := range mapping.OverheadKinds {
		if o.NoTasks != nil && (k.Key == "task" || k.Key == "undeferred" || k.Key == "steal") {
			continue
		}
		fmt.Fprintf(&b, "  %s: %.0f\n", k.Key, toCycles(of[k.Key]))
	}
	return b.String()
}
