package report

// This file shows C++ symbols as a programmer wrote them.

import (
	"regexp"

	"github.com/ianlancetaylor/demangle"
)

var mangled = regexp.MustCompile(`\b_Z[A-Za-z0-9_.$]+`)

// Demangled replaces the C++ symbols in a text for people by what they stand for.
func Demangled(s string) string {
	return mangled.ReplaceAllStringFunc(s, func(name string) string { return demangle.Filter(name, demangle.NoParams) })
}
