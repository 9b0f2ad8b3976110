package export

// This file reads the tables back.

import (
	"bytes"
	"encoding/csv"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
)

func TestCSV(t *testing.T) {
	s := fun0(t, "solB")
	var rows []Row
	for _, technique := range estimate.Techniques() {
		r, err := s.Estimator.Estimate(s.Mapping, technique)
		if err != nil {
			t.Fatal(err)
		}
		r.Mapping = "a \"b\", c\nd.yaml" // what RFC 4180 quotes
		rows = append(rows, Row{"two, equal", r})
	}
	data, err := CSV(rows)
	if err != nil {
		t.Fatal(err)
	}
	quoted := false
	for i, c := range data { // all line ends are CR LF, in quotes as well
		quoted = quoted != (c == '"')
		if c == '\n' && data[i-1] != '\r' {
			t.Errorf("byte %d ends a line without CR, quoted: %v", i, quoted)
		}
	}
	back, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows {
		speedup, err := strconv.ParseFloat(back[i+1][8], 64)
		if err != nil || back[i+1][0] != r.Platform || back[i+1][2] != r.Technique || speedup != r.Speedup {
			t.Errorf("row %d reads %q, want %+v", i+1, back[i+1], r)
		}
	}
	golden(t, "csv.golden", bytes.ReplaceAll(data, []byte("\r"), nil))
}

// scaled reads Cilkscale's table as its plots do: the parallelism is in the column of that
// name, times are in the columns behind it, whose names begin with the number of
// processors; the last row is the whole program.
func scaled(t *testing.T, data []byte) (tags []string, parallelism []float64, counts []int, times [][]float64) {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := -1
	count := regexp.MustCompile(`^(\d+)c time \(seconds\)$`)
	for i, name := range rows[0] {
		if name == "burdened_parallelism" {
			column = i
		}
		if m := count.FindStringSubmatch(name); m != nil {
			n, _ := strconv.Atoi(m[1])
			counts = append(counts, n)
		}
	}
	for _, row := range rows[1:] {
		x, err := strconv.ParseFloat(row[column], 64)
		if err != nil {
			t.Fatal(err)
		}
		var all []float64
		for _, cell := range row[column+1:] {
			y, err := strconv.ParseFloat(cell, 64)
			if err != nil && (cell != "" || row[0] == "") { // regions inside others only have none
				t.Fatal(err)
			}
			all = append(all, y)
		}
		tags, parallelism, times = append(tags, row[0]), append(parallelism, x), append(times, all)
	}
	return tags, parallelism, counts, times
}

func TestCilkscale(t *testing.T) {
	data, err := Cilkscale(fun0(t, "solB"), nil)
	if err != nil {
		t.Fatal(err)
	}
	const header = "tag,work (seconds),span (seconds),parallelism,burdened_span (seconds),burdened_parallelism\n"
	if !strings.HasPrefix(string(data), header) {
		t.Errorf("the header is not Cilkscale's: %s", data)
	}
	golden(t, "cilkscale.golden", data)
	everySubject(t, func(t *testing.T, s *Subject) {
		c, err := ScaleOf(s)
		if err != nil {
			t.Fatal(err)
		}
		data, err := Cilkscale(s, []Scale{c})
		if err != nil {
			t.Fatal(err)
		}
		program, _, err := account.WorkSpans(s.Estimator, s.Mapping.Serial, s.Technique)
		if err != nil {
			t.Fatal(err)
		}
		tags, parallelism, counts, times := scaled(t, data)
		last := len(tags) - 1
		if tags[last] != "" || math.Abs(parallelism[last]/program.BurdenedParallelism-1) > 1e-9 {
			t.Errorf("the last row is %q with %v, want the program with %v", tags[last], parallelism[last], program.BurdenedParallelism)
		}
		if len(counts) != 1 || counts[0] != len(s.Mapping.Platform.Processors) || math.Abs(times[last][0]/estimated(t, s).ParallelSeconds-1) > 1e-9 {
			t.Errorf("%v processors take %v, want %v", counts, times[last], estimated(t, s).ParallelSeconds)
		}
	})
}
