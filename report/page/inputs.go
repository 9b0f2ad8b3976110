package page

// This file reads what a formula may change, for sliders.

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"pathspan/estimate/formula"
	"pathspan/report"
	"pathspan/report/document"
)

// input is a slider with the number beside it.
type input struct {
	ID, Name              string // Name has the unit
	Processors            string // "" for all of them, and where Name names them
	Value, Min, Max, Step string
	Positive              bool // 0 is not allowed
}

// newInputs reads the inputs of a document's formula, if the answer follows them.
func newInputs(d *document.Document) []input {
	f, processors := d.Formula, len(d.Platform.Processors)
	if f == nil || !f.Has(d.Answer.Technique) {
		return nil
	}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	var all []input
	for i, in := range f.Inputs {
		step := 1.0
		if in.Value != math.Trunc(in.Value) || in.Max-in.Min < 20 {
			step = 0.01
		}
		all = append(all, input{
			ID: fmt.Sprintf("input-%d", i), Name: in.Name,
			Value: number(in.Value), Min: number(math.Min(in.Min, in.Value)), Max: number(math.Max(in.Max, in.Value)), Step: number(step),
			Positive: in.Kind == formula.Clock,
		})
		if in.Kind != formula.Clock && len(in.Processors) < processors {
			all[i].Processors = strings.Join(in.Processors, ", ")
		}
	}
	return all
}

// fixed says which estimates no slider changes, and why; "" when there is none.
func fixed(f *formula.Formula) string {
	if f == nil {
		return ""
	}
	var all []string
	for i := 0; i < len(f.Fixed); {
		first, names := f.Fixed[i], []string(nil)
		for ; i < len(f.Fixed) && f.Fixed[i].Why == first.Why; i++ {
			names = append(names, report.Title(f.Fixed[i].Technique))
		}
		all = append(all, strings.Join(names, " and ")+": "+first.Why)
	}
	return strings.Join(all, "; ")
}
