package report

// This file shows to programs how a model was fitted.

import "pathspan/procmodels/fitted"

// FittedModel is a model made from measurements.
type FittedModel struct {
	Schema   string  `json:"schema" is:"pathspan.model-fit/1"`
	File     string  `json:"file"` // that was written
	Model    string  `json:"model"`
	Source   string  `json:"source"`
	ClockMHz float64 `json:"clock_mhz"` // 0 when unknown
	Method   string  `json:"method"`
	Samples  int     `json:"samples"`
	Groups   int     `json:"groups"`
	// Errors are relative: each group of samples predicted by the others, and those
	// that were fitted.
	MeanError    float64          `json:"mean_error"`
	MedianError  float64          `json:"median_error"`
	WorstError   float64          `json:"worst_error"`
	FittedError  float64          `json:"fitted_error"`
	Coefficients []FitCoefficient `json:"coefficients"`
	LeftOut      []fitted.HeldOut `json:"left_out"`
	Accuracy     []string         `json:"accuracy"` // what the model says of itself
	Warnings     []string         `json:"warnings"`
}

// FitCoefficient is the cost of one feature.
type FitCoefficient struct {
	Feature string   `json:"feature"`
	Cycles  float64  `json:"cycles"`
	Error   *float64 `json:"standard_error"` // cycles, null when unknown
	Samples int      `json:"samples"`
	Remarks []string `json:"remarks"`
}

// NewFittedModel tells how a model was fitted that was written to a file.
func NewFittedModel(file string, m *fitted.Model) *FittedModel {
	f := &m.Fit
	out := &FittedModel{File: file, Model: m.Name, Source: m.Source, ClockMHz: m.ClockMHz, Method: f.Method, Samples: f.Samples, Groups: f.Groups,
		MeanError: f.Error.Mean, MedianError: f.Error.Median, WorstError: f.Error.Worst, FittedError: f.Fitted,
		LeftOut: f.Held, Accuracy: m.Describe().Accuracy, Warnings: f.Warnings}
	for i := range m.Coefficients {
		c := &m.Coefficients[i]
		x := FitCoefficient{Feature: c.Feature, Cycles: c.Cycles, Samples: c.Samples, Remarks: c.Warnings}
		if c.Known() {
			x.Error = &c.Error
		}
		out.Coefficients = append(out.Coefficients, x)
	}
	return out
}
