package fit

// This file reads the table of measurements.

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"pathspan/bounded"
	"pathspan/profile"
	"pathspan/visible"
	"pathspan/yamlstrict"
)

// Columns of the table. One of cycles and seconds must be there.
var csvColumns = []string{"name", "bundle", "function", "cycles", "seconds", "weight", "group"}

// ErrNoClock is returned when a table gives seconds and no clock is known.
var ErrNoClock = errors.New("the column seconds needs the processor's clock")

// Row is one line of a table of measurements.
type Row struct {
	Line     int
	Name     string
	Bundle   string // path, relative to the table
	Function string // "" for the whole program
	Cycles   float64
	Weight   float64
	Group    string
}

// ParseRows reads a table of measurements in CSV with a header. Errors name file and
// line. clockMHz turns seconds into cycles; 0 when it is unknown.
func ParseRows(file string, data []byte, clockMHz float64) ([]Row, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
	r.TrimLeadingSpace = true
	r.Comment = '#'
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("%s: the file is empty: want a header, as in name,bundle,cycles", file)
		}
		return nil, csvError(file, err)
	}
	at, err := columnsOf(header)
	if err != nil {
		line, _ := r.FieldPos(0)
		return nil, fmt.Errorf("%s:%d: %w", file, line, err)
	}
	if _, ok := at["seconds"]; ok && clockMHz == 0 {
		return nil, fmt.Errorf("%s: %w", file, ErrNoClock)
	}
	var rows []Row
	names := map[string]int{}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, csvError(file, err)
		}
		line, _ := r.FieldPos(0)
		row, err := parseRow(record, len(header), at, clockMHz)
		if err == nil && names[row.Name] != 0 {
			err = fmt.Errorf("name %q was used on line %d: want each once", row.Name, names[row.Name])
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		row.Line, names[row.Name] = line, line
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: there are no samples below the header", file)
	}
	return rows, nil
}

func csvError(file string, err error) error {
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		return fmt.Errorf("%s:%d: %w", file, pe.Line, pe.Err)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// columnsOf holds the header against the names of columns.
func columnsOf(header []string) (map[string]int, error) {
	at := map[string]int{}
	for i, h := range header {
		h = strings.TrimSpace(h)
		if !slices.Contains(csvColumns, h) {
			want := yamlstrict.List(csvColumns)
			if n := yamlstrict.Nearest(h, csvColumns); n != "" {
				want = strconv.Quote(n)
			}
			return nil, fmt.Errorf("unknown column %q: want %s", h, want)
		}
		if _, ok := at[h]; ok {
			return nil, fmt.Errorf("column %q stands twice", h)
		}
		at[h] = i
	}
	for _, need := range []string{"name", "bundle"} {
		if _, ok := at[need]; !ok {
			return nil, fmt.Errorf("column %q is missing", need)
		}
	}
	_, cycles := at["cycles"]
	_, seconds := at["seconds"]
	if cycles == seconds {
		return nil, errors.New("want one of the columns cycles and seconds")
	}
	return at, nil
}

// most is far above what anything measures in cycles, seconds or weight.
const most = 1e18

func parseRow(record []string, width int, at map[string]int, clockMHz float64) (Row, error) {
	if len(record) != width {
		return Row{}, fmt.Errorf("%d fields: the header has %d", len(record), width)
	}
	field := func(name string) string {
		if i, ok := at[name]; ok {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	positive := func(name string) (float64, error) {
		x, err := strconv.ParseFloat(field(name), 64)
		if err != nil || !(x > 0 && x <= most) || strings.ContainsAny(field(name), "xX_") { // 0x1p4 is Go's way to write 16, no table's
			return 0, fmt.Errorf("%s is %q: want a number above 0, of at most %g", name, field(name), most)
		}
		return x, nil
	}
	row := Row{Name: visible.Line(field("name")), Bundle: field("bundle"), Function: field("function"), Group: visible.Line(field("group")), Weight: 1}
	if row.Name == "" || row.Bundle == "" {
		return Row{}, errors.New("name and bundle must not be empty")
	}
	if row.Group == "" {
		row.Group = row.Name
	}
	var err error
	if field("weight") != "" {
		if row.Weight, err = positive("weight"); err != nil {
			return Row{}, err
		}
	}
	if _, ok := at["seconds"]; ok {
		row.Cycles, err = positive("seconds")
		row.Cycles *= clockMHz * 1e6
	} else {
		row.Cycles, err = positive("cycles")
	}
	return row, err
}

// ReadSamples reads a table of measurements and the bundles that it names, relative to
// its folder.
func ReadSamples(file string, clockMHz float64) ([]Sample, error) {
	data, err := bounded.ReadFile(file, bounded.Text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, bounded.Reason(err))
	}
	rows, err := ParseRows(file, data, clockMHz)
	if err != nil {
		return nil, err
	}
	bundles := map[string]*profile.Bundle{}
	var samples []Sample
	for _, row := range rows {
		path := row.Bundle
		if !filepath.IsAbs(path) {
			path = filepath.Join(filepath.Dir(file), path)
		}
		b := bundles[path]
		if b == nil {
			if b, err = profile.ReadFile(path); err != nil {
				return nil, fmt.Errorf("%s:%d: bundle: %w", file, row.Line, err)
			}
			bundles[path] = b
		}
		counter := Whole(b)
		if row.Function != "" {
			if counter, err = Part(b, row.Function); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", file, row.Line, err)
			}
		}
		samples = append(samples, Sample{Name: row.Name, Cycles: row.Cycles, Weight: row.Weight, Group: row.Group, Counter: counter})
	}
	return samples, nil
}
