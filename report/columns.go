package report

// This file lays out tables for people.

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// columns are rows of cells, aligned to the right.
type columns struct{ *tabwriter.Writer }

func newColumns(w io.Writer) columns {
	return columns{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

// row adds a row of cells.
func (c columns) row(cells ...string) { fmt.Fprintln(c, strings.Join(cells, "\t")+"\t") }
