package fitted

// This file reads model files.

import (
	"math"
	"strconv"

	"pathspan/procmodels"
	"pathspan/procmodels/pipeline"
	"pathspan/yamlstrict"
)

func init() {
	procmodels.RegisterSchema(schema, func(r *yamlstrict.Reader) procmodels.Model { return read(r) })
}

func read(r *yamlstrict.Reader) *Model {
	top := r.Root().Fields("schema", "name", "unit", "source", "notes", "machine", "clock_mhz", "features", "pipeline", "fit", "coefficients", "covariance", "samples")
	top.Schema(schema, true)
	m := &Model{Name: top.Need("name").Text(), Unit: top.Need("unit").Paragraph(), Source: top.Need("source").Paragraph(),
		Notes: top.Get("notes").Paragraph(), Machine: top.Get("machine").Text(), ClockMHz: top.Get("clock_mhz").NonNegative()}
	features := top.Get("features").Fields("widths", "pairs")
	m.Scheme = Scheme{Widths: yes(features.Get("widths")), Pairs: yes(features.Get("pairs"))}
	if v := top.Get("pipeline"); v.Has() {
		if m.Scheme.Widths || m.Scheme.Pairs {
			v.Fail("blocks that are played have no classes of instructions: set widths and pairs to false, or leave pipeline out")
		}
		m.Scheme.Machine = pipeline.ReadFigures(v)
	}
	m.Fit = readFit(top.Need("fit"))
	m.Fit.Held = readSamples(top.Get("samples"))
	for _, v := range top.Need("coefficients").List() {
		m.Coefficients = append(m.Coefficients, readCoefficient(v))
	}
	if len(m.Coefficients) == 0 {
		top.Need("coefficients").Fail("coefficients is empty: want one for each class of instructions measured")
	}
	for _, row := range top.Get("covariance").List() {
		var values []float64
		for _, v := range row.List() {
			values = append(values, signed(v))
		}
		m.Covariance = append(m.Covariance, values)
	}
	if r.Err() == nil {
		if err := m.Check(); err != nil {
			top.Need("coefficients").Fail("%v", err)
		}
	}
	return m
}

func readFit(v yamlstrict.Value) Fit {
	f := v.Fields("method", "samples", "groups", "mean_instruction", "residual", "error", "fitted_error", "warnings", "sources")
	e := f.Get("error").Fields("mean", "median", "worst", "worst_sample")
	return Fit{
		Method: f.Need("method").Text(), Samples: f.Need("samples").Int(1, math.MaxInt32), Groups: f.Need("groups").Int(1, math.MaxInt32),
		MeanInstruction: f.Need("mean_instruction").NonNegative(), Residual: f.Get("residual").NonNegative(),
		Error: ErrorSummary{Mean: e.Get("mean").NonNegative(), Median: e.Get("median").NonNegative(),
			Worst: e.Get("worst").NonNegative(), WorstSample: e.Get("worst_sample").Text()},
		Fitted: f.Get("fitted_error").NonNegative(), Warnings: texts(f.Get("warnings")), Sources: texts(f.Get("sources")),
	}
}

// readSamples reads what the model said of the samples when they were left out.
func readSamples(v yamlstrict.Value) []HeldOut {
	var held []HeldOut
	for _, s := range v.List() {
		f := s.Fields("name", "measured", "predicted")
		held = append(held, HeldOut{f.Need("name").Text(), f.Need("measured").Positive(), f.Need("predicted").NonNegative()})
	}
	return held
}

func readCoefficient(v yamlstrict.Value) Coefficient {
	f := v.Fields("feature", "cycles", "error", "samples", "warnings")
	c := Coefficient{Feature: f.Need("feature").Text(), Cycles: f.Need("cycles").NonNegative(), Error: -1,
		Samples: f.Get("samples").Int(0, math.MaxInt32), Warnings: texts(f.Get("warnings"))}
	if e := f.Get("error"); e.Has() {
		c.Error = e.NonNegative()
	}
	return c
}

func texts(v yamlstrict.Value) []string {
	var list []string
	for _, t := range v.List() {
		list = append(list, t.Text())
	}
	return list
}

func yes(v yamlstrict.Value) bool { return v.Has() && v.Word("true", "false") == "true" }

// signed reads a finite number of any sign.
func signed(v yamlstrict.Value) float64 {
	x, err := strconv.ParseFloat(v.Text(), 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		v.Fail("want a finite number")
		return 0
	}
	return x
}
