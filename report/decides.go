package report

// This file says, below a result, what decides it and what to do next.

import (
	"fmt"
	"io"
	"slices"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/ir"
)

// Limits says what the speed-up is limited by, whatever the mapping.
type Limits struct {
	// SerialShare is the share of the sequential cycles outside of all parallel code.
	SerialShare float64 `json:"serial_share"`
	// Parallelism is work over span, execution by execution where the profile keeps them, on
	// processors like the serial one.
	Parallelism float64 `json:"parallelism"`
}

// limitsOf returns nil where no region ran in the function, or a recursion has no solution.
func limitsOf(e *estimate.Estimator, serial int) *Limits {
	t := estimate.Answering(e.Bundle)
	seconds, err := e.SerialSeconds(serial, t)
	if err != nil {
		return nil
	}
	w, regions, err := account.WorkSpans(e, serial, t)
	if err != nil || !(w.Work > 0) || !slices.ContainsFunc(regions, func(r account.WorkSpan) bool { return r.Work > 0 }) {
		return nil
	}
	return &Limits{seconds / w.Work, w.Parallelism}
}

// printLimits says what limits the speed-up, and what shows more of it.
func printLimits(w io.Writer, l *Limits) {
	if l == nil {
		return
	}
	fmt.Fprintf(w, "%s of the cycles lie outside of parallel code; the longest chains of tasks allow %.2f on processors like the serial one.\n", Percent(l.SerialShare), l.Parallelism)
	fmt.Fprintln(w, "next: pathspan why (what is lost, and where); pathspan explore (the best mapping)")
}

// lossNext says what helps against each kind of loss.
var lossNext = map[string]string{
	"serial":        "the largest loss is serial code: sections that hold more of these lines help, mappings do not",
	"single":        "the largest loss are regions on one processor: pathspan explore searches for a mapping that divides them",
	"imbalance":     "the largest loss is waiting: pathspan explore searches for a better mapping; beyond that the long sections must be divided",
	"nested-serial": "the largest loss are nested regions on one processor: a mapping that names them can divide them",
	"speeds":        "the largest loss are sections on processors that suit them less: pathspan explore searches for a mapping that suits them better",
	"overhead":      "the largest loss is creating and synchronising tasks: fewer, longer sections help",
	"fork-join":     "the largest loss is forking and joining regions: fewer regions with more in each help",
	"dispatch":      "the largest loss is taking chunks of loops: larger chunks, or a static schedule, help",
	"lock-waiting":  "the largest loss is waiting for locks: shorter stretches under them, or a lock for each part of the data, help",
	"locking":       "the largest loss is taking locks: take them less often",
	"tasks":         "the largest loss is making and stealing tasks: fewer, longer ones help, by a cut-off or a grain size",
	"communication": "the largest loss is waiting for data of other processors: pathspan explore looks for mappings that leave data where they are",
	"contention":    "the largest loss is waiting for main memory, which processors share: fewer misses help, mappings do not",
	"team-of-one":   "the largest loss is setting up regions that one processor executes: an if clause, or fewer regions, help",
}

// next says what helps against the largest loss, "" when nothing is lost.
func (l *Losses) next() string {
	var most *Loss
	for i := range l.Losses {
		if x := &l.Losses[i]; x.Cycles > 0 && (most == nil || x.Cycles > most.Cycles) {
			most = x
		}
	}
	if most == nil {
		return ""
	}
	if (most.Kind == "lock-waiting" || most.Kind == "locking") && l.atomic() {
		return "the largest loss is updating atomically what others update: a reduction, or a cache line for each thread, helps"
	}
	return lossNext[most.Kind]
}

// atomic reports whether all that is waited for in locks are lines that are updated.
func (l *Losses) atomic() bool {
	for _, x := range l.Losses {
		if x.Kind == "lock-waiting" {
			return !slices.ContainsFunc(x.Items, func(i LossItem) bool { return !ir.Lock{Name: i.Place}.Atomic() })
		}
	}
	return false
}
