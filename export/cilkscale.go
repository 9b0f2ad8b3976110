package export

// This file writes work and span as Cilkscale of OpenCilk prints them, so that what reads
// its output reads ours.

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"

	"pathspan/estimate/account"
)

// Scale is a number of processors with the times on it.
type Scale struct {
	Processors int
	Program    float64   // seconds
	Regions    []float64 // seconds from fork to join, all executions outside of sections, by region
}

// ScaleOf returns the times of a subject by its technique. Regions inside sections of others
// are in the times of those.
func ScaleOf(s *Subject) (Scale, error) {
	out := Scale{Processors: len(s.Estimator.Platform.Processors), Regions: make([]float64, len(s.Estimator.Bundle.Program.Regions))}
	r, err := s.Estimator.Estimate(s.Mapping, s.Technique)
	if err != nil {
		return out, err
	}
	out.Program = r.ParallelSeconds
	lines, err := account.Timelines(s.Estimator, s.Mapping, s.Technique, 1)
	if err != nil {
		return out, err
	}
	for _, t := range lines {
		out.Regions[t.Region] += t.Executions * t.Seconds
	}
	return out, nil
}

// Cilkscale returns a row for each region that ran, tagged with its name, and one without
// a tag for the whole program, last as Cilkscale prints it. For each number of processors
// there is a column as Cilkscale's benchmark mode adds them, which its plots need; it is empty
// for regions that are only executed inside sections of others, in whose times they are.
func Cilkscale(s *Subject, scales []Scale) ([]byte, error) {
	program, regions, err := account.WorkSpansUnder(s.Estimator, s.Mapping, s.Technique)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	header := []string{"tag", "work (seconds)", "span (seconds)", "parallelism", "burdened_span (seconds)", "burdened_parallelism"}
	for _, c := range scales {
		header = append(header, fmt.Sprintf("%dc time (seconds)", c.Processors))
	}
	lines := [][]string{header}
	row := func(tag string, x *account.WorkSpan, time func(Scale) float64) {
		figures := []float64{x.Work, x.Span, x.Parallelism, x.BurdenedSpan, x.BurdenedParallelism}
		line := []string{tag}
		for _, f := range figures {
			line = append(line, strconv.FormatFloat(f, 'g', 10, 64))
		}
		for _, c := range scales {
			cell := ""
			if f := time(c); f > 0 {
				cell = strconv.FormatFloat(f, 'g', 10, 64)
			}
			line = append(line, cell)
		}
		lines = append(lines, line)
	}
	for i := range regions {
		if regions[i].Work > 0 {
			row(regions[i].Name, &regions[i], func(c Scale) float64 { return c.Regions[i] })
		}
	}
	row("", &program, func(c Scale) float64 { return c.Program })
	if err := w.WriteAll(lines); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
