package mca

// This file reads what llvm-mca prints.

import (
	"fmt"
	"strconv"
	"strings"
)

// region is llvm-mca's report on one region.
type region struct {
	name       string
	iterations int
	cycles     int // in total
	bound      float64
	rows       []row
}

// readRegions reads a report in text: summaries and, where they were asked for, the
// descriptions of the instructions.
func readRegions(text string) ([]region, error) {
	var out []region
	rows := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if line == "" {
			continue
		}
		if line[0] == '[' {
			if _, name, ok := strings.Cut(line, "Code Region"); ok {
				out = append(out, region{name: strings.TrimPrefix(name, " - ")})
				rows = false
			} else if strings.HasSuffix(line, "Instructions:") {
				rows = true
			}
			continue
		}
		if len(out) == 0 {
			return nil, fmt.Errorf("llvm-mca's report does not start with a region: %.60q", line)
		}
		r := &out[len(out)-1]
		if rows {
			in, err := readRow(line)
			if err != nil {
				return nil, err
			}
			r.rows = append(r.rows, in)
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		var err error
		switch key {
		case "Iterations":
			r.iterations, err = strconv.Atoi(value)
		case "Total Cycles":
			r.cycles, err = strconv.Atoi(value)
		case "Block RThroughput":
			r.bound, err = strconv.ParseFloat(value, 64)
		}
		if err != nil {
			return nil, fmt.Errorf("llvm-mca's report: %s: %q is no number", key, value)
		}
	}
	for _, r := range out {
		if r.iterations < 1 {
			return nil, fmt.Errorf("llvm-mca's report on region %s lacks the number of iterations", r.name)
		}
	}
	return out, nil
}

// readRow reads a line such as
//
//	1      4     0.50    *                   movl	(%rdi), %eax
//
// whose columns are #uOps, latency, reciprocal throughput, MayLoad, MayStore and U for side
// effects, then the instruction.
func readRow(line string) (row, error) {
	bad := fmt.Errorf("llvm-mca's report: not a description of an instruction: %.60q", line)
	fields := strings.Fields(line)
	if len(fields) < 4 {
		return row{}, bad
	}
	var in row
	var err [3]error
	in.uops, err[0] = strconv.Atoi(fields[0])
	in.latency, err[1] = strconv.ParseFloat(fields[1], 64)
	if fields[2] != "-" { // the schedule names no unit
		in.rthroughput, err[2] = strconv.ParseFloat(fields[2], 64)
	}
	if err != [3]error{} {
		return row{}, bad
	}
	// The marks stand in columns, give or take one for wide numbers.
	rest := line
	for _, f := range fields[:3] {
		rest = rest[strings.Index(rest, f)+len(f):]
	}
	column := func(from, to int) string { return rest[min(from, len(rest)):min(to, len(rest))] }
	in.load = strings.Contains(column(2, 8), "*")
	in.text = strings.TrimSpace(column(21, len(rest)))
	return in, nil
}
