package report

// This file lays out tables for people, with C++ symbols as a programmer wrote them.

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"text/tabwriter"

	"github.com/ianlancetaylor/demangle"
)

// columns are rows of cells, aligned to the right.
type columns struct {
	*tabwriter.Writer
	without []string // headings of columns that are left out
	left    []int    // those of the rows since
}

func newColumns(w io.Writer) *columns {
	return &columns{Writer: tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)}
}

// leaveOut leaves columns out, if so, by what the first row calls them.
func (c *columns) leaveOut(so bool, headings ...string) {
	if so {
		c.without = append(c.without, headings...)
	}
}

// row adds a row of cells; headings come first.
func (c *columns) row(cells ...string) {
	for i, cell := range cells {
		if slices.Contains(c.without, cell) {
			c.left = append(c.left, i)
		}
	}
	c.without = nil
	for i, cell := range cells {
		if !slices.Contains(c.left, i) {
			fmt.Fprint(c, cell, "\t")
		}
	}
	fmt.Fprintln(c)
}

var mangled = regexp.MustCompile(`\b_Z[A-Za-z0-9_.$]+`)

// Demangled replaces the C++ symbols in a text for people by what they stand for.
func Demangled(s string) string {
	return mangled.ReplaceAllStringFunc(s, func(name string) string { return demangle.Filter(name, demangle.NoParams) })
}
