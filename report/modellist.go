package report

// This file lists processor models.

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"

	"pathspan/procmodels"
)

// ListedModel is a model that can be named.
type ListedModel struct {
	Name string `json:"name"` // what a reference to it is
	// Kind is "plugin" for one that was found and not asked who it is.
	Kind     string  `json:"kind"`
	ClockMHz float64 `json:"clock_mhz"` // 0 when unknown
	Source   string  `json:"source"`    // of a plugin, its program
}

// Built describes a built-in model.
func Built(name string, d procmodels.Description) ListedModel {
	return ListedModel{name, d.Kind, d.ClockMHz, d.Source}
}

// Plugin describes a plugin that was found, by what a reference to it is.
func Plugin(ref, path string) ListedModel {
	return ListedModel{Name: ref, Kind: "plugin", Source: path}
}

// otherModels says how models are named that no list can hold.
var otherModels = [][2]string{
	{"FILE.yaml", "a weight table, a line table or a fitted model"},
	{"shim:FILE.xml#COMPONENT", "a component of a SHIM (IEEE 2804) file; ?figure=pitch and ?case=worst before the #"},
	{"plugin:NAME?KEY=VALUE&...", "a plugin with parameters; model show lists them"},
	{"plugin:/path/to/program", "a plugin that is not in a folder of plugins"},
}

// ModelsText writes the models, a line each, and how others are named.
func ModelsText(out io.Writer, models []ListedModel) error {
	w := bufio.NewWriter(out)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "NAME\tKIND\tCLOCK\tSOURCE")
	for _, m := range models {
		speed := clock(m.ClockMHz)
		source := firstLine(m.Source, 80)
		if m.Kind == "plugin" {
			speed, source = "", m.Source // a path stays whole
		}
		fmt.Fprintf(tw, "%s\t%s\t%s\t%s\n", m.Name, m.Kind, speed, source)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(w, "\nOther models are named")
	for _, o := range otherModels {
		fmt.Fprintf(tw, "  %s\t%s\n", o[0], o[1])
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return w.Flush()
}

// Models lists the models that there are.
type Models struct {
	Schema string        `json:"schema"`
	Models []ListedModel `json:"models"`
	Others []ModelForm   `json:"others"`
}

// ModelForm is a form of reference that stands for models that are not listed.
type ModelForm struct {
	Form string `json:"form"`
	Text string `json:"text"`
}

// ModelsJSON writes the models as one JSON object.
func ModelsJSON(w io.Writer, models []ListedModel) error {
	var forms []ModelForm
	for _, o := range otherModels {
		forms = append(forms, ModelForm{o[0], o[1]})
	}
	if models == nil {
		models = []ListedModel{}
	}
	return writeJSON(w, Models{"pathspan.models/1", models, forms})
}
