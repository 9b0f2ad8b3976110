package report

// This file shows what replay and measure found.

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pathspan/estimate"
)

// Replays is what one call of replay found, and its JSON object.
type Replays struct {
	Schema   string   `json:"schema"` // "pathspan.replay/1"
	Program  string   `json:"program"`
	Function string   `json:"function"`
	Models   []string `json:"models"`
	// Executions of the function, those within itself not counted; cycles are per
	// execution.
	Executions uint64            `json:"executions"`
	Events     uint64            `json:"events"`
	Estimates  []estimate.Result `json:"estimates"`         // technique "replay"
	Regions    []RegionReplay    `json:"regions,omitempty"` // when asked for
	Notes      []string          `json:"notes"`
}

// RegionReplay is how long the executions of a region took, in cycles of the serial
// processor.
type RegionReplay struct {
	Region     string  `json:"region"`
	Line       int     `json:"line,omitempty"` // of the region
	Processors int     `json:"processors"`
	Mapping    string  `json:"mapping"`
	Executions uint64  `json:"executions"`
	Min        float64 `json:"min_cycles"`
	P5         float64 `json:"p5_cycles"`
	Median     float64 `json:"median_cycles"`
	P95        float64 `json:"p95_cycles"`
	Max        float64 `json:"max_cycles"`
	Mean       float64 `json:"mean_cycles"`
	Speedup    float64 `json:"speedup"` // over all executions
}

// ReplaysJSON writes one JSON object.
func ReplaysJSON(w io.Writer, r *Replays) error {
	r.Schema = "pathspan.replay/1"
	r.Models, r.Notes = nonNil(r.Models), nonNil(r.Notes)
	return writeJSON(w, r)
}

// ReplaysText writes the exact figures, a row for each platform and mapping.
func ReplaysText(out io.Writer, r *Replays) error {
	w := bufio.NewWriter(out) // keeps the first error
	fmt.Fprintf(w, "%s, function %s, model %s: replayed exactly\n\n", r.Program, r.Function, strings.Join(r.Models, ", "))
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(tw, "processors\tmapping\tsequential cycles\tparallel cycles\tparallel time\tspeed-up\t")
	for i := range r.Estimates {
		e := &r.Estimates[i]
		fmt.Fprintf(tw, "%d\t%s\t%s\t%s\t%s\t%.2f\t\n", e.Processors, e.Mapping, cycles(e.SequentialCycles), cycles(e.ParallelCycles), seconds(e.ParallelSeconds), e.Speedup)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	if r.Executions != 1 {
		fmt.Fprintf(w, "\n%s was executed %s; figures are per execution.\n", r.Function, times(r.Executions))
	}
	if len(r.Regions) > 0 {
		fmt.Fprintln(w)
		tw = tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(tw, "region\tline\tprocessors\tmapping\texecutions\tmin\t5%\tmedian\t95%\tmax\tmean\tspeed-up\t")
		for i := range r.Regions {
			g := &r.Regions[i]
			fmt.Fprintf(tw, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%.2f\t\n", g.Region, g.Line, g.Processors, g.Mapping, group(g.Executions), cycles(g.Min), cycles(g.P5), cycles(g.Median), cycles(g.P95), cycles(g.Max), cycles(g.Mean), g.Speedup)
		}
		if err := tw.Flush(); err != nil {
			return err
		}
		fmt.Fprintln(w, "\nParallel cycles of one execution of a region; quantiles to about 1%.")
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "note: %s\n", demangled(n))
	}
	return w.Flush()
}
