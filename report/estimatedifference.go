package report

// This file says how much techniques differ on a program, and what is averaged there.

import (
	"fmt"
	"io"
	"math"

	"pathspan/estimate"
	"pathspan/estimate/averaged"
	"pathspan/ir"
)

// TechniqueDifference is how far a technique's speed-ups are from those of the technique that
// comes first, where they are farthest.
type TechniqueDifference struct {
	Technique  string  `json:"technique"`
	Difference float64 `json:"difference"` // 0.25: its speed-up is higher by 25 %
	Processors int     `json:"processors"`
	Mapping    string  `json:"mapping"`
}

// Parted is the relative difference of speed-ups from which two techniques are told apart.
const Parted = 0.01

// Differences compares the techniques of all results with the one that comes first.
func Differences(e *Estimates) []TechniqueDifference {
	rows, techniques, _ := rowsOf(e)
	var all []TechniqueDifference
	for _, t := range techniques {
		d := TechniqueDifference{Technique: t}
		for _, row := range rows {
			r := row.results[t]
			if r == nil || row.first == r {
				continue
			}
			if x := r.Speedup/row.first.Speedup - 1; d.Mapping == "" || math.Abs(x) > math.Abs(d.Difference) {
				d.Difference, d.Processors, d.Mapping = x, r.Processors, r.Mapping
			}
		}
		if d.Mapping != "" {
			all = append(all, d)
		}
	}
	return all
}

// printAveraged writes why paths differ from executions.
func printAveraged(w io.Writer, e *Estimates) {
	if e.Averaged != nil {
		fmt.Fprintf(w, "PB parts from EB in %s: %s\n", ir.RegionLabel(e.Averaged.Region, e.Averaged.Line), Demangled(PartText(e.Averaged)))
	}
}

// PartText says why paths differ from executions in a region.
func PartText(p *averaged.Part) string {
	if p.Tasks {
		return "threads execute tasks beside each other there, and paths take each to run where it is made"
	}
	if p.Waiting {
		return "threads wait there for what others lock or update atomically, which paths leave out"
	}
	return CausesText(p.Causes)
}

// PartedFromExecutions returns where PB differs most from EB, the technique that comes first,
// nil where they hardly do.
func PartedFromExecutions(e *Estimates) *TechniqueDifference {
	if len(e.Estimates) == 0 || e.Estimates[0].Technique != estimate.ExecutionBased.String() {
		return nil
	}
	for i := range e.Differences {
		if d := &e.Differences[i]; d.Technique == estimate.PathBased.String() && math.Abs(d.Difference) >= Parted {
			return d
		}
	}
	return nil
}

func signedPercent(x float64) string {
	if math.Abs(x) < 0.001 {
		return "<0.1%"
	}
	return fmt.Sprintf("%+.1f%%", 100*x)
}
