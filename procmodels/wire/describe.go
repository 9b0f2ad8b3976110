package wire

// This file turns descriptions of models into messages and back.

import (
	"fmt"
	"math"
	"slices"

	"pathspan/procmodels"
	"pathspan/procmodels/pluginpb"
	"pathspan/visible"
)

// Description makes the message of a description.
func Description(d procmodels.Description) *pluginpb.Description {
	out := &pluginpb.Description{
		Name: d.Name, Kind: d.Kind, Version: d.Version, Source: d.Source, Notes: d.Notes,
		ClockMhz: d.ClockMHz, Unit: d.Unit, Accuracy: d.Accuracy, NeedsModule: d.NeedsModule,
		Additive: d.Additive, NeedsOperands: d.NeedsOperands,
	}
	for _, p := range d.Parameters {
		out.Parameters = append(out.Parameters, &pluginpb.Parameter{Name: p.Name, Value: p.Value, Text: p.Text})
	}
	if d.Overheads != nil {
		out.Overheads = &pluginpb.Overheads{Create: d.Overheads.Create, Sync: d.Overheads.Sync}
	}
	return out
}

// ReadDescription reads a description. What is required and missing, and figures that
// are none, are errors of one line.
func ReadDescription(d *pluginpb.Description) (procmodels.Description, error) {
	out := procmodels.Description{
		Name: Line(d.Name), Kind: Line(d.Kind), Version: Line(d.Version), Source: visible.Text(d.Source), Notes: visible.Text(d.Notes),
		ClockMHz: d.ClockMhz, Unit: visible.Line(d.Unit), Accuracy: visible.Lines(slices.Clone(d.Accuracy)), Additive: d.Additive, NeedsModule: d.NeedsModule, NeedsOperands: d.NeedsOperands,
	}
	for _, p := range d.Parameters {
		out.Parameters = append(out.Parameters, procmodels.Parameter{Name: visible.Line(p.GetName()), Value: visible.Line(p.GetValue()), Text: visible.Line(p.GetText())})
	}
	for _, required := range []struct{ field, text string }{
		{"name", out.Name}, {"kind", out.Kind}, {"version", out.Version}, {"unit", out.Unit},
	} {
		if required.text == "" {
			return out, fmt.Errorf("its description has no %s; a plugin must give name, kind, version and unit", required.field)
		}
	}
	if !finite(d.ClockMhz) {
		return out, fmt.Errorf("its description says %g MHz; want a clock above 0, or 0 when unknown", d.ClockMhz)
	}
	if o := d.Overheads; o != nil {
		if !finite(o.Create) || !finite(o.Sync) {
			return out, fmt.Errorf("its description has overheads of %g and %g cycles; want numbers of 0 or more", o.Create, o.Sync)
		}
		out.Overheads = &procmodels.Overheads{Create: o.Create, Sync: o.Sync}
	}
	return out, nil
}

func finite(x float64) bool { return x >= 0 && !math.IsInf(x, 1) }
