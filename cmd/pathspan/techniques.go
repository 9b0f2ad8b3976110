package main

// This file says in help texts what the techniques are.

import (
	"strings"

	"pathspan/report"
)

// described lists techniques and what each does.
func described(techniques ...string) string {
	all := make([]string, len(techniques))
	for i, t := range techniques {
		all[i] = t + " (" + report.Words(t) + ")"
	}
	return strings.Join(all, ", ")
}

// Those that a flag may name.
var (
	everyTechnique = described("eb", "pb", "pb-unmapped", "at", "mt")
	accounted      = described("eb", "pb", "at")
)
