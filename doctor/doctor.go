// Package doctor examines the machine: what pathspan can do on it, what is missing, and
// how to get that.
//
//	r := doctor.Examine(ctx, doctor.Options{})
//	err := r.Text(os.Stdout, nil)
//	if !r.Usable { ... } // nothing can be profiled here
//
// It installs nothing, and leaves nothing behind but what profiling keeps in its cache.
package doctor

// This file declares findings, and asks for all of them.

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"pathspan/build/toolchain"
	"pathspan/procmodels/plugin"
)

// Schema names the JSON object.
const Schema = "pathspan.doctor/1"

// States of a finding.
const (
	OK       = "ok"
	Missing  = "missing"  // pathspan profile fails without it
	Optional = "optional" // something else does, which the finding names
)

// Finding is one thing that was looked at.
type Finding struct {
	Group    string   `json:"group"`              // heading that it stands under
	State    string   `json:"state"`              // OK, Missing or Optional
	Text     string   `json:"text"`               // what was found or is missing, one line
	Packages []string `json:"packages,omitempty"` // of Debian, that bring it where it is missing
	Fix      string   `json:"fix,omitempty"`      // what to run to install them
}

// LLVM is one installed version, with the paths of its tools, "" where there is none.
type LLVM struct {
	Version  int    `json:"version"`
	Full     string `json:"full"` // what clang says of itself
	Clang    string `json:"clang"`
	ClangXX  string `json:"clangxx"`
	Opt      string `json:"opt"`
	Link     string `json:"llvm_link"`
	Dis      string `json:"llvm_dis"`
	Profdata string `json:"llvm_profdata"`
	LLC      string `json:"llc"`
	MCA      string `json:"llvm_mca"`
}

// Plugin is a model in a program of its own.
type Plugin struct {
	Name string `json:"name"` // plugin:NAME
	Path string `json:"path"`
}

// Cache is a folder of what is kept between runs.
type Cache struct {
	What  string `json:"what"`
	Path  string `json:"path"`
	Files int    `json:"files"`
	Bytes int64  `json:"bytes"`
}

// Report is all that was found.
type Report struct {
	Schema   string    `json:"schema"` // Schema
	Version  string    `json:"version"`
	Usable   bool      `json:"usable"` // programs can be profiled
	Findings []Finding `json:"findings"`
	LLVM     []LLVM    `json:"llvm"`
	Plugins  []Plugin  `json:"plugins"`
	Caches   []Cache   `json:"caches"`
}

// Options say what to examine.
type Options struct {
	Clang    string       // as for profile
	Version  string       // pathspan's own
	Terminal []string     // what is known of the terminal, a line each
	Step     func(string) // told what is under way; may be nil
}

// Examine looks at everything.
func Examine(ctx context.Context, o Options) *Report {
	if o.Step == nil {
		o.Step = func(string) {}
	}
	r := &Report{Schema: Schema, Version: o.Version, Usable: true, LLVM: []LLVM{}, Plugins: []Plugin{}, Caches: []Cache{}}
	o.Step("compiling with clang")
	for _, c := range toolchain.Doctor(ctx, o.Clang) {
		f := Finding{Group: "compiler", State: OK, Text: c.Text, Packages: c.Packages}
		switch {
		case !c.OK && c.Required:
			f.State = Missing
		case !c.OK:
			f.State = Optional
		}
		r.add(f)
	}
	if r.Usable {
		o.Step("profiling a small program")
		r.selfTest(ctx, o.Clang)
	}
	r.targets()
	r.versions()
	r.python(ctx)
	for _, p := range plugin.List() {
		r.Plugins = append(r.Plugins, Plugin{"plugin:" + p.Name, p.Path})
		r.add(Finding{Group: "models", State: OK, Text: "plugin:" + p.Name + ": " + p.Path})
	}
	if len(r.Plugins) == 0 {
		r.add(Finding{Group: "models", State: Optional, Text: "plugins: none; make build puts those of pathspan beside its program"})
	}
	r.tools()
	r.caches()
	for _, t := range o.Terminal {
		r.add(Finding{Group: "terminal", State: OK, Text: t})
	}
	return r
}

func (r *Report) add(f Finding) {
	if len(f.Packages) > 0 {
		f.Fix = toolchain.InstallCommand(f.Packages...)
	}
	r.Findings = append(r.Findings, f)
	if f.State == Missing {
		r.Usable = false
	}
}

// String renders a finding as one line.
func (f Finding) String() string {
	line := fmt.Sprintf("%-8s  %s", f.State, f.Text)
	if len(f.Packages) > 0 {
		line += "; in " + strings.Join(f.Packages, ", ")
	}
	return line
}

// packages are those that bring what is in one of the states, each once.
func (r *Report) packages(states ...string) []string {
	var all []string
	for _, f := range r.Findings {
		for _, p := range f.Packages {
			if slices.Contains(states, f.State) && !slices.Contains(all, p) {
				all = append(all, p)
			}
		}
	}
	return all
}

// Text writes a line for each finding, under headings, and at the end commands that install
// what is missing. style, which may be nil, colours a line by its state, or a heading, whose
// state is "".
func (r *Report) Text(out io.Writer, style func(state, line string) string) error {
	if style == nil {
		style = func(_, line string) string { return line }
	}
	w := bufio.NewWriter(out) // keeps the first error
	group := ""
	for _, f := range r.Findings {
		if f.Group != group {
			if group != "" {
				fmt.Fprintln(w)
			}
			group = f.Group
			fmt.Fprintln(w, style("", group))
		}
		fmt.Fprintln(w, style(f.State, f.String()))
	}
	needed, all := r.packages(Missing), r.packages(Missing, Optional)
	if len(all) > 0 {
		fmt.Fprintln(w)
		fmt.Fprintln(w, style("", "to install (Debian, Ubuntu)"))
	}
	if len(needed) > 0 && len(needed) < len(all) {
		fmt.Fprintln(w, style("", "what is missing:"), toolchain.InstallCommand(needed...))
	}
	if len(all) > 0 {
		fmt.Fprintln(w, style("", "everything above:"), toolchain.InstallCommand(all...))
	}
	return w.Flush()
}
