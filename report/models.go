package report

// This file shows processor models: which there are, what one says of itself, and what the
// conformance kit found.

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"pathspan/procmodels"
	"pathspan/procmodels/conform"
)

// Model is a model's description as a JSON object.
type Model struct {
	Schema    string `json:"schema" is:"pathspan.model/1"`
	Reference string `json:"reference"`
	procmodels.Description
}

// WrittenModel is the skeleton of a model that was written.
type WrittenModel struct {
	Schema string   `json:"schema" is:"pathspan.model-new/1"`
	Folder string   `json:"folder"`
	Files  []string `json:"files"`
	Build  string   `json:"build,omitempty"` // command that makes the model, in the folder
	Model  string   `json:"model"`           // reference to it
}

// NewModel describes the model that ref stands for.
func NewModel(ref string, d procmodels.Description) *Model {
	return &Model{Reference: ref, Description: d}
}

// ModelText writes the description of a model, a field a paragraph.
func ModelText(out io.Writer, d procmodels.Description) error {
	w := bufio.NewWriter(out) // keeps the first error
	field(w, "name", d.Name)
	field(w, "kind", d.Kind)
	field(w, "version", d.Version)
	field(w, "clock", clock(d.ClockMHz))
	field(w, "unit", d.Unit)
	field(w, "source", d.Source)
	field(w, "notes", d.Notes)
	switch {
	case d.NeedsOperands:
		field(w, "prices", "each block behind each of its predecessors, by what instructions use, from the bundle's module")
	case d.NeedsModule:
		field(w, "prices", "the program as it compiles it, from the bundle's module")
	case d.Additive:
		field(w, "prices", "each instruction on its own; a block is their sum")
	}
	name := "choices"
	for _, p := range d.Parameters {
		value := p.Value
		if value == "" {
			value = "(empty)"
		}
		field(w, name, p.Name+" = "+value)
		for _, line := range wrapped(p.Text, textWidth-2) {
			fmt.Fprintf(w, "%*s  %s\n", labelWidth, "", line)
		}
		name = ""
	}
	if o := d.Overheads; o != nil {
		field(w, "overheads", fmt.Sprintf("creating tasks %g cycles, synchronising %g, for each region and processor", o.Create, o.Sync))
	}
	name = "accuracy"
	for _, a := range d.Accuracy {
		field(w, name, a)
		name = ""
	}
	return w.Flush()
}

const (
	labelWidth = 11
	textWidth  = 88
)

// field writes a name and a wrapped text; nothing when the text is empty.
func field(w io.Writer, name, text string) {
	for _, line := range wrapped(text, textWidth) {
		fmt.Fprintf(w, "%-*s%s\n", labelWidth, name, line)
		name = ""
	}
}

func clock(mhz float64) string {
	if mhz == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%g MHz", mhz)
}

// wrapped breaks text between words into lines of at most width bytes, where words
// allow; no lines of no words.
func wrapped(text string, width int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// firstLine cuts text between words to one line of about width bytes.
func firstLine(text string, width int) string {
	lines := wrapped(text, width)
	switch len(lines) {
	case 0:
		return ""
	case 1:
		return lines[0]
	}
	return lines[0] + " ..."
}

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
	{"FILE.yaml", "a weight table, a line table, a pipeline, an accelerator or a fitted model"},
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
	tw.Flush()
	fmt.Fprintln(w, "\nOther models are named")
	for _, o := range x.Others {
		fmt.Fprintf(tw, "  %s\t%s\n", o.Form, o.Text)
	}
	tw.Flush()
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
	tw.Flush()
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
