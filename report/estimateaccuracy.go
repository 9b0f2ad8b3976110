package report

// This file says how far to trust the techniques of an estimate, by the accuracy ledger.

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/validate/ledger"
)

// TechniqueAccuracy is the mean absolute error of a technique's speed-ups against exact
// replay, by the ledger of this version (docs/accuracy.md).
type TechniqueAccuracy struct {
	Technique string `json:"technique"`
	// Model is the one that the figures are of, "" when they are of all in the ledger.
	Model     string  `json:"model"`
	Programs  int     `json:"programs"` // after the paper's
	MeanError float64 `json:"mean_error"`
	// Hard programs hide their correlation in loops and callees.
	HardPrograms  int     `json:"hard_programs"`
	HardMeanError float64 `json:"hard_mean_error"`
}

// TechniqueAccuracies looks up the techniques that were used. Figures are those of the
// model that priced the program, if it is one and the ledger has it.
func TechniqueAccuracies(l *ledger.Ledger, e *Estimates) []TechniqueAccuracy {
	model := ""
	if len(e.Models) == 1 {
		model = e.Models[0]
	}
	var all []TechniqueAccuracy
	for i := range e.Estimates {
		t := e.Estimates[i].Technique
		if slices.ContainsFunc(all, func(a TechniqueAccuracy) bool { return a.Technique == t }) {
			continue
		}
		m, of := l.Of(t, "paper", model)
		hard, _ := l.Of(t, "own", model)
		if m.Rows > 0 {
			all = append(all, TechniqueAccuracy{t, of, m.Programs, m.Absolute, hard.Programs, hard.Absolute})
		}
	}
	return all
}

// printTechniqueAccuracies writes one line for all techniques.
func printTechniqueAccuracies(w io.Writer, all []TechniqueAccuracy) {
	if len(all) == 0 {
		return
	}
	var easy, hard []string
	for _, a := range all {
		easy = append(easy, titles[a.Technique]+" "+percent(a.MeanError))
		hard = append(hard, percent(a.HardMeanError))
	}
	text := fmt.Sprintf("mean error on %s: %s", count(all[0].Programs, "benchmark"), strings.Join(easy, ", "))
	if n := all[0].HardPrograms; n > 0 {
		text += fmt.Sprintf("; on %d made to be hard: %s", n, strings.Join(hard, ", "))
	}
	fmt.Fprintln(w, text+" (against exact replay; pathspan validate)")
}
