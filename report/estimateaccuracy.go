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

// ReferenceAccuracy is the mean absolute error of the technique that predicts against figures
// measured elsewhere, with the model that priced the program, by the ledgers of this version.
type ReferenceAccuracy struct {
	Reference string  `json:"reference"`
	Technique string  `json:"technique"`
	Model     string  `json:"model"`
	Programs  int     `json:"programs"` // that only judge, where the ledger knows which do
	MeanError float64 `json:"mean_error"`
	// SequentialError is that of the sequential time.
	SequentialError float64 `json:"sequential_error"`
	// Memory tells that both have what accesses wait for.
	Memory bool `json:"memory,omitempty"`
}

// ReferenceAccuracies looks up the model of an estimate, if it has one, with or without memory.
// Programs that models may be made with tell nothing of how good they are.
func ReferenceAccuracies(ledgers []*ledger.Ledger, e *Estimates, memory bool) (all []ReferenceAccuracy) {
	if len(e.Models) != 1 || len(e.Estimates) == 0 {
		return nil
	}
	technique := e.Estimates[0].Technique
	for _, l := range ledgers {
		for _, s := range l.Series() {
			if s.Model != e.Models[0] || s.Reference == ledger.Replay || s.Reference == ledger.Measured || s.Half == "making" || s.Mapped {
				continue
			}
			if m := l.Mean(func(r *ledger.Row) bool { return s.In(l, r) && r.Technique == technique && r.Memory == memory }); m.Rows > 0 {
				all = append(all, ReferenceAccuracy{s.Reference, technique, s.Model, m.Programs, m.Absolute, m.Sequential, memory})
			}
		}
	}
	return all
}

func printReferenceAccuracy(w io.Writer, all []ReferenceAccuracy) {
	for _, a := range all {
		with := "model " + a.Model
		if a.Memory {
			with += " and memory"
		}
		fmt.Fprintf(w, "known error of %s with %s: %s of the speed-up, %s of the sequential time, on average over %s (against %s; pathspan validate)\n",
			Title(a.Technique), with, Percent(a.MeanError), Percent(a.SequentialError), Count(a.Programs, "program"), a.Reference)
	}
}
