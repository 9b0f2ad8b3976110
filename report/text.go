package report

// This file lays out tables for people, with C++ symbols as a programmer wrote them.

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

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

// table is rows of figures, to the right, and of names behind them, to the left.
type table struct {
	names   int // how many cells of a row are names
	rows    [][]string
	without []int
}

// leaveOut leaves a column out, if so. Headings come first.
func (t *table) leaveOut(so bool, column int) {
	if so {
		t.without = append(t.without, column)
	}
}

func (t *table) row(cells ...string) {
	kept := make([]string, 0, len(cells))
	for i, c := range cells {
		if !slices.Contains(t.without, i) {
			kept = append(kept, c)
		}
	}
	t.rows = append(t.rows, kept)
}

// write writes the rows.
func (t *table) write(w io.Writer) {
	if len(t.rows) == 0 {
		return
	}
	width := make([]int, len(t.rows[0]))
	for _, r := range t.rows {
		for i, c := range r {
			width[i] = max(width[i], utf8.RuneCountInString(c))
		}
	}
	first := len(width) + len(t.without) - t.names // name, before columns were left out
	names := first
	for _, column := range t.without {
		if column < first {
			names--
		}
	}
	for _, r := range t.rows {
		line := ""
		for i, c := range r {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(c))
			if i < names {
				line += pad + c + "  "
			} else {
				line += c + pad + "  "
			}
		}
		fmt.Fprintln(w, strings.TrimRight("  "+line, " "))
	}
}

var mangled = regexp.MustCompile(`\b_Z[A-Za-z0-9_.$]+`)

// brief is a name of C++ for tables: arguments of templates that are arguments themselves are left
// out, as those of the standard library fill lines.
func brief(name string) string {
	name = Demangled(name)
	if strings.Count(name, "<") != strings.Count(name, ">") { // an operator
		return name
	}
	var b strings.Builder
	depth := 0
	for _, c := range name {
		switch c {
		case '<':
			if depth++; depth == 2 {
				b.WriteString("<...")
			}
		case '>':
			depth--
		}
		if depth < 2 {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// Demangled replaces the C++ symbols in a text for people by what they stand for.
func Demangled(s string) string {
	return mangled.ReplaceAllStringFunc(s, func(name string) string { return demangle.Filter(name, demangle.NoParams) })
}
