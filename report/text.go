package report

// This file lays out tables for people, with C++ symbols as a programmer wrote them.

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"text/tabwriter"

	"github.com/ianlancetaylor/demangle"
)

// columns are rows of cells, aligned to the right.
type columns struct{ *tabwriter.Writer }

func newColumns(w io.Writer) columns {
	return columns{tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

// row adds a row of cells.
func (c columns) row(cells ...string) { fmt.Fprintln(c, strings.Join(cells, "\t")+"\t") }

var mangled = regexp.MustCompile(`\b_Z[A-Za-z0-9_.$]+`)

// Demangled replaces the C++ symbols in a text for people by what they stand for.
func Demangled(s string) string {
	return mangled.ReplaceAllStringFunc(s, func(name string) string { return demangle.Filter(name, demangle.NoParams) })
}
