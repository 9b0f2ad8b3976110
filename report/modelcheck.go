package report

// This file shows what the conformance kit found.

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"pathspan/procmodels/conform"
)

// ModelCheckText writes the checks, a line each, and of failures what to do.
func ModelCheckText(out io.Writer, ref string, r *conform.Report) error {
	w := bufio.NewWriter(out)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, x := range r.Results {
		found := x.Did
		if x.Why != "" {
			found += ": " + x.Why
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\n", x.Verdict, x.Check, found)
		if x.Do != "" {
			fmt.Fprintf(tw, "\t\tto do: %s\n", x.Do)
		}
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	says := "conforms"
	if r.Count(conform.Fail) > 0 {
		says = "does not conform"
	}
	fmt.Fprintf(w, "\n%s %s: %d passed, %d failed, %d skipped\n", ref, says,
		r.Count(conform.Pass), r.Count(conform.Fail), r.Count(conform.Skip))
	return w.Flush()
}

// ModelCheck is what the kit found.
type ModelCheck struct {
	Schema   string           `json:"schema" is:"pathspan.model-check/1"`
	Model    Model            `json:"model"`
	Conforms bool             `json:"conforms"`
	Checks   []conform.Result `json:"checks"`
}

// NewModelCheck tells what the kit found of the model that ref stands for.
func NewModelCheck(ref string, r *conform.Report) *ModelCheck {
	return &ModelCheck{Model: *NewModel(ref, r.Description), Conforms: r.Err() == nil, Checks: r.Results}
}
