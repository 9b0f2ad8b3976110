package fit

// This file prints a fit for people.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"pathspan/procmodels/fitted"
)

// Write prints the coefficients with what to think of them, then the samples as they
// were predicted by the others, the worst first and at most samples of them, then the
// error.
func Write(w io.Writer, m *fitted.Model, samples int) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "FEATURE\tCYCLES\tERROR\tSAMPLES\tREMARKS")
	for i := range m.Coefficients {
		c := &m.Coefficients[i]
		se := "-"
		if c.Known() {
			se = fmt.Sprintf("%.3g", c.Error)
		}
		fmt.Fprintf(t, "%s\t%.4g\t%s\t%d\t%s\n", c.Feature, c.Cycles, se, c.Samples, strings.Join(c.Warnings, "; "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	held := slices.Clone(m.Fit.Held)
	slices.SortStableFunc(held, func(a, b fitted.HeldOut) int { return cmp.Compare(off(b), off(a)) })
	if len(held) > 0 && samples > 0 {
		fmt.Fprintln(w)
		fmt.Fprintln(t, "LEFT OUT\tMEASURED\tPREDICTED\tERROR")
		for _, h := range held[:min(samples, len(held))] {
			fmt.Fprintf(t, "%s\t%.4g\t%.4g\t%+.1f %%\n", h.Name, h.Measured, h.Predicted, 100*(h.Predicted/h.Measured-1))
		}
		if err := t.Flush(); err != nil {
			return err
		}
		if n := len(held) - samples; n > 0 {
			fmt.Fprintf(w, "and %d with smaller errors\n", n)
		}
	}
	fmt.Fprintln(w)
	for _, line := range m.Describe().Accuracy {
		if !strings.Contains(line, " = ") { // a coefficient's: stands above
			fmt.Fprintln(w, line)
		}
	}
	return nil
}

func off(h fitted.HeldOut) float64 {
	if h.Predicted < h.Measured {
		return 1 - h.Predicted/h.Measured
	}
	return h.Predicted/h.Measured - 1
}
