package report

// This file shows measured runs and overheads.

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"pathspan/estimate"
	"pathspan/measure"
)

// Measurements is what one call of measure found, and its JSON object.
type Measurements struct {
	Schema     string        `json:"schema"` // "pathspan.measure/1"
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

// Fill takes the times in; rows and parallel go together.
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
	}
}

// MeasurementsJSON writes one JSON object.
func MeasurementsJSON(w io.Writer, m *Measurements) error {
	m.Schema = "pathspan.measure/1"
	m.Notes = nonNil(m.Notes)
	return writeJSON(w, m)
}

// MeasurementsText writes a row for the sequential program and one for each mapping.
func MeasurementsText(out io.Writer, m *Measurements) error {
	w := bufio.NewWriter(out) // keeps the first error
	fmt.Fprintf(w, "%s on this machine (%s), %s of each program in turn\n\n", m.Program, count(m.Cores, "core"), count(m.Sequential.Runs, "run"))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "processors\tmapping\tmin\tmedian\tspread\tprocessor time\tspeed-up\tof minima\t")
	row := func(processors, mapping string, t Timing, speedups ...float64) {
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\t%s\t%s\t", processors, mapping, seconds(t.Min), seconds(t.Median), percent(t.Spread), seconds(t.Used))
		for _, s := range speedups {
			fmt.Fprintf(tw, "%.2f\t", s)
		}
		fmt.Fprintln(tw, strings.Repeat("\t", 2-len(speedups)))
	}
	row("sequential", "", m.Sequential)
	for i := range m.Estimates {
		e := &m.Estimates[i]
		row(fmt.Sprint(e.Processors), e.Mapping, e.Timing, e.Speedup, e.SpeedupOfMin)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nSpread is the reach of the middle half of the runs; the speed-up is that of the medians.")
	for _, n := range m.Notes {
		fmt.Fprintf(w, "note: %s\n", n)
	}
	return w.Flush()
}

// OverheadsYAML spells measured overheads as a platform file. A model of "" stands for
// the default one; clock is in MHz.
func OverheadsYAML(o *measure.Overheads, model string, clock float64, notes []string) string {
	var b strings.Builder
	cycles := func(t time.Duration) float64 { return float64(t.Nanoseconds()) * clock / 1000 }
	fmt.Fprintf(&b, "# Overheads of pathspan's run-time library on this machine: medians of %d regions of\n", o.Executions)
	fmt.Fprintf(&b, "# %d sections on %d pinned threads, in cycles at %g MHz. Create is from the fork to the\n", o.Processors, o.Processors, clock)
	fmt.Fprintln(&b, "# start of the last section, sync from the end of the last section to the join.")
	fmt.Fprintf(&b, "# create: %s (half of them %s to %s), sync: %s (%s to %s)\n", o.Create.Median, o.Create.Low, o.Create.High, o.Sync.Median, o.Sync.Low, o.Sync.High)
	for _, n := range notes {
		fmt.Fprintf(&b, "# Mind that %s.\n", n)
	}
	fmt.Fprintf(&b, "schema: pathspan.platform/1\nname: this machine\nprocessors:\n  - {name: cpu, ")
	if model != "" {
		fmt.Fprintf(&b, "model: %q, ", model)
	}
	fmt.Fprintf(&b, "clock_mhz: %g, count: %d}\n", clock, o.Processors)
	fmt.Fprintf(&b, "overheads: {create: %.0f, sync: %.0f}   # cycles\n", cycles(o.Create.Median), cycles(o.Sync.Median))
	return b.String()
}
