package report

// This file lists processor models.

import (
	"bufio"
	"fmt"
	"io"
	"text/tabwriter"
)

// ListedModel is a model that can be named.
type ListedModel struct {
	Name string `json:"name"` // what a reference to it is
	// Kind is "plugin" for one that was found and not asked who it is.
	Kind     string  `json:"kind"`
	ClockMHz float64 `json:"clock_mhz"` // 0 when unknown
	Source   string  `json:"source"`    // of a plugin, its program
}

// otherModels says how models are named that no list can hold.
var otherModels = []ModelForm{
	{"FILE.yaml", "a weight table, a line table or a fitted model"},
	{"shim:FILE.xml#COMPONENT", "a component of a SHIM (IEEE 2804) file; ?figure=pitch and ?case=worst before the #"},
	{"plugin:NAME?KEY=VALUE&...", "a plugin with parameters; model show lists them"},
	{"plugin:/path/to/program", "a plugin that is not in a folder of plugins"},
}

// NewModels lists models and how others are named.
func NewModels(models []ListedModel) *Models { return &Models{Models: models, Others: otherModels} }

// Text writes the models, a line each, and how others are named.
func (x *Models) Text(out io.Writer) error {
	w := bufio.NewWriter(out)
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "NAME\tKIND\tCLOCK\tSOURCE")
	for _, m := range x.Models {
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
	for _, o := range x.Others {
		fmt.Fprintf(tw, "  %s\t%s\n", o.Form, o.Text)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	return w.Flush()
}

// Models lists the models that there are.
type Models struct {
	Schema string        `json:"schema" is:"pathspan.models/1"`
	Models []ListedModel `json:"models"`
	Others []ModelForm   `json:"others"`
}

// ModelForm is a form of reference that stands for models that are not listed.
type ModelForm struct {
	Form string `json:"form"`
	Text string `json:"text"`
}
