package page

// This file reads what a formula may change, for sliders.

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pathspan/estimate/formula"
)

// input is a slider with the number beside it.
type input struct {
	ID, Name              string // Name has the unit
	Processors            string // "" for all of them, and where Name names them
	Value, Min, Max, Step string
	Positive              bool // 0 is not allowed
}

// newInputs reads the inputs of a formula for a platform of that many processors.
func newInputs(text json.RawMessage, processors int) ([]input, error) {
	if len(text) == 0 {
		return nil, nil
	}
	var f formula.Formula
	if err := json.Unmarshal(text, &f); err != nil {
		return nil, err
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
	return all, nil
}
