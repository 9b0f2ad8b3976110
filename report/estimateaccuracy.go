package report

// This file says how far to trust the techniques of an estimate, by the accuracy ledger.

import (
	"fmt"
	"io"
	"slices"

	"pathspan/estimate"
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
// model that priced the program, if it is one and the ledger has it. There are none where
// a technique goes by executions: replay, the ledger's reference, meters what they metered, so
// that its error there says little, and how far others are off here shows beside it.
func TechniqueAccuracies(l *ledger.Ledger, e *Estimates) []TechniqueAccuracy {
	if slices.ContainsFunc(e.Estimates, func(r estimate.Result) bool { return TechniqueOf(r.Technique).Executions }) {
		return nil
	}
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

// printTechniqueAccuracy writes one line about the technique that predicts.
func printTechniqueAccuracy(w io.Writer, all []TechniqueAccuracy) {
	if len(all) == 0 {
		return
	}
	a := all[0]
	text := fmt.Sprintf("known error of %s: %s on average over %s", Title(a.Technique), Percent(a.MeanError), Count(a.Programs, "benchmark"))
	if a.HardPrograms > 0 {
		text += fmt.Sprintf(", %s over %d made to be hard", Percent(a.HardMeanError), a.HardPrograms)
	}
	fmt.Fprintln(w, text+" (against exact replay; pathspan validate)")
}
