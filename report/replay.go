package report

// This file shows what replay and measure found.

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"pathspan/estimate"
)

// Replays is what one call of replay found, and its JSON object.
type Replays struct {
	Schema   string   `json:"schema" is:"pathspan.replay/1"`
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

// Text writes the exact figures, a row for each platform and mapping.
func (r *Replays) Text(out io.Writer) error {
	w := bufio.NewWriter(out) // keeps the first error
	fmt.Fprintf(w, "%s, function %s, model %s: replayed exactly\n\n", r.Program, r.Function, strings.Join(r.Models, ", "))
	tab := newColumns(w)
	tab.row("processors", "mapping", "sequential cycles", "parallel cycles", "parallel time", "speed-up")
	for i := range r.Estimates {
		e := &r.Estimates[i]
		tab.row(fmt.Sprint(e.Processors), e.Mapping, Cycles(e.SequentialCycles), Cycles(e.ParallelCycles), Seconds(e.ParallelSeconds), fmt.Sprintf("%.2f", e.Speedup))
	}
	tab.Flush()
	if r.Executions != 1 {
		fmt.Fprintf(w, "\n%s was executed %s; figures are per execution.\n", r.Function, Times(r.Executions))
	}
	if len(r.Regions) > 0 {
		fmt.Fprintln(w)
		tab.row("region", "line", "processors", "mapping", "executions", "min", "5%", "median", "95%", "max", "mean", "speed-up")
		for i := range r.Regions {
			g := &r.Regions[i]
			tab.row(g.Region, fmt.Sprint(g.Line), fmt.Sprint(g.Processors), g.Mapping, group(g.Executions), Cycles(g.Min), Cycles(g.P5), Cycles(g.Median), Cycles(g.P95), Cycles(g.Max), Cycles(g.Mean), fmt.Sprintf("%.2f", g.Speedup))
		}
		tab.Flush()
		fmt.Fprintln(w, "\nParallel cycles of one execution of a region; quantiles to about 1%.")
	}
	printNotes(w, r.Notes)
	return w.Flush()
}
