package comm

// This file writes views as comma-separated values (RFC 4180).

import (
	"encoding/csv"
	"io"
	"strconv"
)

// CSV writes the rows.
func (v *View) CSV(w io.Writer, each bool) error {
	lines := [][]string{{"name", "kind", "file", "line", "executions", "reads", "writes", "bytes_read", "bytes_written", "share"}}
	number := func(n *uint64) string {
		if n == nil {
			return ""
		}
		return count(*n)
	}
	for i := range v.Rows {
		r := &v.Rows[i]
		if r.Kind != string(v.By) {
			continue
		}
		lines = append(lines, []string{r.Name, r.Kind, r.File, strconv.Itoa(r.Line), count(r.Executions), number(r.Reads), number(r.Writes), v.figure(i, r.Read, each), v.figure(i, r.Written, each), strconv.FormatFloat(r.Share, 'g', -1, 64)})
	}
	return writeCSV(w, lines)
}

// EdgesCSV writes the edges.
func (v *View) EdgesCSV(w io.Writer, each bool) error {
	lines := [][]string{{"producer", "consumer", "object", "bytes", "distinct_bytes", "distinct_at_most", "share"}}
	for i := range v.Edges {
		e := &v.Edges[i]
		by := v.counted(e.To, e.From)
		lines = append(lines, []string{v.Rows[e.From].Name, v.Rows[e.To].Name, e.Object, v.figure(by, e.Bytes, each), v.figure(by, e.Distinct, each), strconv.FormatBool(e.AtMost), strconv.FormatFloat(e.Share, 'g', -1, 64)})
	}
	return writeCSV(w, lines)
}

// CSV writes the matrix: producers down, consumers across.
func (m *Matrix) CSV(w io.Writer) error {
	lines := [][]string{append([]string{"producer"}, m.Names...)}
	for i, name := range m.Names {
		line := []string{name}
		for _, x := range m.Bytes[i] {
			line = append(line, strconv.FormatFloat(x, 'f', -1, 64))
		}
		lines = append(lines, line)
	}
	return writeCSV(w, lines)
}

// figure is a number of bytes of a row, in all or an execution.
func (v *View) figure(row int, bytes uint64, each bool) string {
	if !each {
		return count(bytes)
	}
	x, known := v.Rows[row].Each(bytes)
	if !known {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

func writeCSV(out io.Writer, lines [][]string) error {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	return w.WriteAll(lines)
}
