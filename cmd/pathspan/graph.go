package main

// This file is the subcommand graph.

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/htg"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/profile"
	"pathspan/report"
	"pathspan/yamlstrict"
)

func graphCmd() *cobra.Command {
	var kind, function, format, output string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "graph APP.pspan [--kind htg|cfg|cdg|calls] [--function NAME] [--format dot|json|svg] [-o FILE]",
		Short: "Write a graph: task graphs, control flow, control dependence, calls",
		Long: `Graph writes what the estimates of a program rest on: the hierarchical task graph of a
function, one graph for each level of loops, its control flow, its control dependence
regions, or the calls of the whole program.`,
		Example: "  pathspan graph app.pspan --function filter -o filter.svg\n  pathspan graph app.pspan --kind cfg | dot -Tpdf > main.pdf\n  pathspan graph app.pspan --kind calls --format json",
		Args:    oneBundle("pathspan graph app.pspan --kind htg --function main"),
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "htg", "`kind` of graph: htg (hierarchical task graphs), cfg (control flow), cdg (control dependence regions) or calls")
	f.StringVar(&function, "function", "", "`name` of the function to draw (default: main); calls draws the whole program")
	f.StringVar(&format, "format", "", "`format`: dot, json or svg (default: by the end of FILE, else dot)")
	f.StringVarP(&output, "output", "o", "", "`file` to write (default: standard output)")
	f.BoolVar(&asJSON, "json", false, "as --format json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		toFile := cmd.Flags().Changed("output")
		if asJSON {
			if format != "" && format != string(htg.JSON) {
				return fmt.Errorf("--format %s and --json exclude each other", format)
			}
			format = string(htg.JSON)
		}
		form, err := graphFormat(format, output)
		if err != nil {
			return err
		}
		if !strings.Contains(" htg cfg cdg calls ", " "+kind+" ") {
			return fmt.Errorf("--kind %q: want htg, cfg, cdg or calls", kind)
		}
		if toFile {
			if err := writable(output); err != nil {
				return err
			}
		}
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		sayNotes(cmd, report.Omissions(b))
		var text bytes.Buffer
		if err := writeGraph(&text, b, kind, function, form); err != nil {
			return err
		}
		if toFile {
			return writeFile(output, text.Bytes())
		}
		_, err = cmd.OutOrStdout().Write(text.Bytes())
		return err
	}
	return cmd
}

// graphFormat returns the format that --format names, else that of the file's end.
func graphFormat(format, output string) (htg.Format, error) {
	if format != "" {
		if !slices.Contains(htg.Formats, htg.Format(format)) {
			return "", fmt.Errorf("--format %q: want dot, json or svg", format)
		}
		return htg.Format(format), nil
	}
	switch end := strings.ToLower(filepath.Ext(output)); end {
	case ".svg", ".json", ".dot":
		return htg.Format(end[1:]), nil
	case ".gv", "":
		return htg.DOT, nil
	default:
		return "", fmt.Errorf("-o %s: %s is no format of graphs; end the name in .dot, .json or .svg, or give --format", output, end)
	}
}

func writeGraph(w io.Writer, b *profile.Bundle, kind, function string, form htg.Format) error {
	if kind == "calls" {
		return htg.WriteCalls(w, b, form)
	}
	fn, err := findFunction(b.Program, function)
	if err != nil {
		return err
	}
	// A function that never ran has no profile; its counts are all 0.
	counts := b.Funcs[fn.Index]
	if counts == nil {
		counts = &profile.FuncProfile{Func: fn.Index}
	}
	c := flow.Analyze(fn)
	switch kind {
	case "cfg":
		return htg.WriteCFG(w, fn, c, b.Program, counts, form)
	case "cdg":
		return htg.WriteCDG(w, fn, c, b.Program, counts, form)
	}
	g, err := htg.Build(fn, c, b.Program)
	if err != nil {
		return err
	}
	return htg.WriteHTG(w, g, b.Program, counts, form)
}

// findFunction finds a function by its linker name or its name in the source.
func findFunction(p *ir.Program, name string) (*ir.Func, error) {
	if name == "" {
		name = "main"
	}
	if f := p.Func(name); f != nil {
		return f, nil
	}
	var found []*ir.Func
	for _, f := range p.Funcs {
		if f.Source == name {
			found = append(found, f)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		near := make([]string, len(p.Funcs))
		for i, f := range p.Funcs {
			near[i] = f.Source
		}
		hint := ""
		if n := yamlstrict.Nearest(name, near); n != "" {
			hint = fmt.Sprintf(", but %s", n)
		}
		if slices.Contains(p.Inlined, name) {
			return nil, fmt.Errorf("--function %s: it was inlined wherever it is called; name a function that pathspan inspect lists, or profile at -O0", name)
		}
		return nil, fmt.Errorf("--function %s: the program has no such function%s (it may have been inlined everywhere); pathspan inspect lists those that ran", name, hint)
	}
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.Name
	}
	return nil, fmt.Errorf("--function %s: several functions have that name: give one of %s", name, strings.Join(names, ", "))
}
