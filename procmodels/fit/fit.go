package fit

// This file makes a model of samples: the regression, its error on what it has not
// seen, and what to distrust.

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"pathspan/procmodels/fitted"
)

// Options say what to fit and what to call it.
type Options struct {
	Name, Unit, Source, Notes string
	ClockMHz                  float64
	Scheme                    fitted.Scheme
	// Ridge is the weight of the prior belief; see the README. Negative chooses the one
	// of Ridges with the least cross-validated mean error.
	Ridge float64
	// Timed are cycles of functions outside of the program that were timed by themselves: each counts as a sample that does nothing else.
	Timed map[string]float64
	// Sources are the names of files, for the record.
	Sources []string
}

// Ridges are the weights among which a negative Options.Ridge chooses.
var Ridges = []float64{0, 1e-3, 1e-2, 1e-1}

// Fit fits a model to samples.
func Fit(ctx context.Context, samples []Sample, opt Options) (*fitted.Model, error) {
	if len(samples) < 2 {
		return nil, errors.New("one sample is not enough to fit a model; give at least two, better five for each class of instructions")
	}
	d, err := newDesign(ctx, samples, opt.Scheme)
	if err != nil {
		return nil, err
	}
	d.timed = map[string]float64{}
	for name, cycles := range opt.Timed {
		d.timed[fitted.Timed(name)] = cycles
	}
	if len(d.features) == 0 {
		return nil, errors.New("the samples executed no instruction")
	}
	ridge, held, chosen := opt.Ridge, []fitted.HeldOut(nil), ""
	if opt.Scheme.Machine != nil {
		ridge = 0 // what is played is no mean instruction
	}
	if ridge < 0 {
		best := math.Inf(1)
		for _, r := range Ridges {
			h, err := d.crossValidate(opt, r)
			if err != nil {
				return nil, err
			}
			// A larger one must be better by more than rounding.
			if e := summarize(h).Mean; len(h) == 0 || e < best*(1-1e-6)-1e-9 {
				ridge, held, best = r, h, e
			}
			if len(h) == 0 {
				ridge = 1e-3
				break
			}
		}
		chosen = " (of " + fmt.Sprint(Ridges) + " the one with the least error on samples left out)"
	} else {
		var err error
		if held, err = d.crossValidate(opt, ridge); err != nil {
			return nil, err
		}
	}
	s, err := d.regress(d.all(), ridge)
	if err != nil {
		return nil, err
	}
	m := d.model(s, opt)
	m.Fit.Method = fmt.Sprintf("non-negative least squares of relative errors, ridge %g%s", ridge, chosen)
	m.Fit.Held = held
	m.Fit.Error = summarize(held)
	m.Fit.Sources = opt.Sources
	d.warn(s, m)
	if err := m.AddTimed(opt.Timed); err != nil {
		return nil, err
	}
	var self []fitted.HeldOut
	for i := range samples {
		self = append(self, fitted.HeldOut{Measured: samples[i].Cycles, Predicted: m.Cycles(d.toMap(i))})
	}
	m.Fit.Fitted = summarize(self).Mean
	return m, nil
}

// model puts a solution into a model, without warnings.
func (d *design) model(s *solution, opt Options) *fitted.Model {
	m := &fitted.Model{Name: opt.Name, Unit: opt.Unit, Source: opt.Source, Notes: opt.Notes, ClockMHz: opt.ClockMHz, Scheme: opt.Scheme}
	if machines := d.machines(); len(machines) == 1 {
		m.Machine = machines[0]
	}
	m.Fit = fitted.Fit{Samples: len(d.samples), Groups: len(d.groups), MeanInstruction: s.mean, Residual: s.sd}
	for j, f := range d.features {
		if !s.seen[j] {
			continue
		}
		c := fitted.Coefficient{Feature: f, Cycles: s.cycles[j], Error: -1}
		c.Samples, _ = d.executed(j)
		if k, ok := slices.BinarySearch(s.free, j); ok && s.cov != nil {
			c.Error = math.Sqrt(s.cov.At(k, k))
			row := make([]float64, k+1)
			for i := range row {
				row[i] = s.cov.At(k, i)
			}
			m.Covariance = append(m.Covariance, row)
		}
		m.Coefficients = append(m.Coefficients, c)
	}
	return m
}

// crossValidate predicts the samples of each group by a fit of the others. With one
// group there is nothing to learn from: the result is empty.
func (d *design) crossValidate(opt Options, ridge float64) ([]fitted.HeldOut, error) {
	if len(d.groups) < 2 {
		return nil, nil
	}
	held := make([]fitted.HeldOut, len(d.samples))
	for _, g := range d.groups {
		s, err := d.regress(d.but(g), ridge)
		if err != nil {
			return nil, err
		}
		s.cov = nil
		m := d.model(s, opt)
		for i := range m.Coefficients {
			m.Coefficients[i].Error = -1
		}
		if err := m.AddTimed(opt.Timed); err != nil {
			return nil, err
		}
		for i, sample := range d.samples {
			if sample.Group == g {
				held[i] = fitted.HeldOut{Name: sample.Name, Measured: sample.Cycles, Predicted: m.Cycles(d.toMap(i))}
			}
		}
	}
	return held, nil
}

// summarize gives the distribution of the relative errors.
func summarize(held []fitted.HeldOut) fitted.ErrorSummary {
	var sum fitted.ErrorSummary
	if len(held) == 0 {
		return sum
	}
	var errs []float64
	for _, h := range held {
		e := math.Abs(h.Predicted/h.Measured - 1)
		errs = append(errs, e)
		sum.Mean += e / float64(len(held))
		if e > sum.Worst || sum.WorstSample == "" {
			sum.Worst, sum.WorstSample = e, h.Name
		}
	}
	sum.Median = fitted.Median(errs)
	return sum
}
