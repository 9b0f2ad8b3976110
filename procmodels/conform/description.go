package conform

// This file checks what a model says of itself.

import (
	"context"
	"math"
	"reflect"
	"strings"

	"pathspan/procmodels"
)

func (k *kit) description() outcome {
	ask := func() (procmodels.Description, error) {
		return guarded(k, k.ctx, func(context.Context) (procmodels.Description, error) { return k.model.Describe(), nil })
	}
	d, err := ask()
	if err != nil {
		return failed("make Describe answer at once, from what is known when the model is opened", "Describe: %v", err)
	}
	k.desc = d
	for _, f := range []struct{ name, value, do string }{
		{"name", d.Name, "give it a short one, such as \"cortex-a53\""},
		{"kind", d.Kind, "say in a word what the model is: simulator, weights"},
		{"version", d.Version, "give one that changes whenever figures may change: kept costs are told apart by it"},
		{"source", d.Source, "say where the figures come from"},
		{"unit", d.Unit, "say what one cycle means, and what is in it and what is not"},
	} {
		if strings.TrimSpace(f.value) == "" {
			return failed(f.do, "the description has no %s", f.name)
		}
	}
	if strings.ContainsAny(d.Name+d.Kind+d.Version, "\n\r\t") {
		return failed("keep them to one line each", "name, kind or version holds a line break or a tab")
	}
	if !number(d.ClockMHz) {
		return failed("give the typical clock in MHz, 0 when it is unknown", "the clock is %g MHz", d.ClockMHz)
	}
	if o := d.Overheads; o != nil && (!number(o.Create) || !number(o.Sync)) {
		return failed("give cycles of 0 or more, or no overheads at all", "the overheads are %g and %g cycles", o.Create, o.Sync)
	}
	seen := map[string]bool{}
	for _, p := range d.Parameters {
		switch {
		case p.Name == "":
			return failed("give each the name that references use", "a parameter has no name")
		case strings.TrimSpace(p.Text) == "":
			return failed("say what it means, with its unit", "parameter %q has no text", p.Name)
		case seen[p.Name]:
			return failed("list each once", "parameter %q is listed twice", p.Name)
		}
		seen[p.Name] = true
	}
	again, err := ask()
	if err != nil || !reflect.DeepEqual(d, again) {
		return failed("make Describe answer the same each time", "Describe says something else when it is asked again")
	}
	return passed("%s, kind %s, version %s", d.Name, d.Kind, d.Version)
}

// number reports whether x is finite and 0 or more.
func number(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
