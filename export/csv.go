package export

// This file writes estimates as comma-separated values (RFC 4180).

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"pathspan/estimate"
)

// Row is one estimate with the platform it is for.
type Row struct {
	Platform string
	estimate.Result
}

// CSV returns a header and a row an estimate, lines ending in CR LF. Cycles are those of
// the processor that runs what is outside sections. Figures have all their digits.
func CSV(rows []Row) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.UseCRLF = true
	lines := [][]string{{"platform", "mapping", "technique", "processors", "sequential_cycles", "parallel_cycles", "sequential_seconds", "parallel_seconds", "speedup"}}
	for i := range rows {
		r := &rows[i]
		line := []string{r.Platform, r.Mapping, r.Technique, strconv.Itoa(r.Processors)}
		for _, x := range []float64{r.SequentialCycles, r.ParallelCycles, r.SequentialSeconds, r.ParallelSeconds, r.Speedup} {
			line = append(line, strconv.FormatFloat(x, 'g', -1, 64))
		}
		lines = append(lines, line)
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
