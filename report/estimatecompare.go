package report

// This file says which of several mappings is better, and how surely.

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"pathspan/estimate"
)

func printComparisons(w io.Writer, e *Estimates) {
	platforms := slices.ContainsFunc(e.Comparisons, func(c estimate.Comparison) bool { return c.Processors != e.Comparisons[0].Processors })
	for i := range e.Comparisons {
		c := &e.Comparisons[i]
		if platforms {
			fmt.Fprintf(w, "%s: ", Count(c.Processors, "processor"))
		}
		fmt.Fprintln(w, comparison(c, e.Sampling))
	}
}

// comparison is one sentence.
func comparison(c *estimate.Comparison, s *Sampling) string {
	why := "no interval: the models give exact costs"
	if s != nil && s.Samples == 0 {
		why = "no interval: --samples is 0"
	}
	switch {
	case c.Samples == 0 && c.Ties == 1:
		return fmt.Sprintf("%s and %s take the same time (%s).", c.Mapping, c.Other, why)
	case c.Samples == 0:
		return fmt.Sprintf("%s beats %s: it takes %s (%s).", c.Mapping, c.Other, less(c.Gain), why)
	case c.Ties == 1:
		return fmt.Sprintf("%s and %s take the same time in all %d samples.", c.Mapping, c.Other, c.Samples)
	}
	text := fmt.Sprintf("%s beats %s in %s of %d samples", c.Mapping, c.Other, share(c.Wins), c.Samples)
	if c.Wins == 1 {
		text = fmt.Sprintf("%s beats %s in all %d samples", c.Mapping, c.Other, c.Samples)
	}
	if c.Ties > 0 {
		text += fmt.Sprintf(" and takes the same time in %s", share(c.Ties))
	}
	return text + fmt.Sprintf("; it takes %s on average.", less(c.Gain))
}

// less renders a share of time that is saved.
func less(gain float64) string {
	what := "less"
	if gain < 0 {
		what = "more"
	}
	if x := math.Abs(gain); x < 0.0005 && x > 0 {
		return "less than 0.1% " + what + " time"
	}
	return Percent(math.Abs(gain)) + " " + what + " time"
}

// share renders a share of samples, never as all or none unless it is.
func share(x float64) string {
	p := math.Round(1000*x) / 10
	switch {
	case x == 1 || x == 0:
	case p == 100:
		p = 99.9
	case p == 0:
		p = 0.1
	}
	return strconv.FormatFloat(p, 'f', -1, 64) + "%"
}
