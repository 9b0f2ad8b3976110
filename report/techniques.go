package report

// This file holds the names of the techniques.

import "strings"

// titles of the techniques' columns.
var titles = map[string]string{"eb": "EB", "pb": "PB", "pb-unmapped": "PB unmapped", "at": "AT", "mt": "MT"}

// words say what a technique does.
var words = map[string]string{
	"eb": "execution by execution", "pb": "path by path", "pb-unmapped": "path by path, a processor for each section",
	"at": "average task times", "mt": "largest task times",
}

// Title returns the name of a technique's column.
func Title(technique string) string { return titles[technique] }

// Words says what a technique does.
func Words(technique string) string { return words[technique] }

// named is the title of a technique with what it does.
func named(technique string) string { return titles[technique] + " (" + words[technique] + ")" }

// Legend is legend for other writers.
func Legend(techniques []string) string { return legend(techniques) }

// legend expands the titles of techniques, for the line that follows their first use.
func legend(techniques []string) string {
	var all []string
	for _, t := range techniques {
		all = append(all, titles[t]+" "+words[t])
	}
	return strings.Join(all, "; ")
}
