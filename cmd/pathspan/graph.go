package main

// This file is the subcommand graph.

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/htg"
	"pathspan/ir"
	"pathspan/ir/flow"
	"pathspan/yamlstrict"
)

func graphCmd() *cobra.Command {
	var kind, function, format string
	cmd := &cobra.Command{
		Use:     "graph APP.pspan [--kind htg|cfg|cdg|calls] [--function NAME] [--format dot|json]",
		Short:   "Write a graph: task graphs, control flow, control dependence, calls",
		Example: "  pathspan graph app.pspan --function filter | dot -Tsvg > filter.svg\n  pathspan graph app.pspan --kind calls --format json",
	}
	f := cmd.Flags()
	f.StringVar(&kind, "kind", "htg", "`kind` of graph: htg (hierarchical task graphs), cfg (control flow), cdg (control dependence regions) or calls")
	f.StringVar(&function, "function", "", "`name` of the function to draw (default: main); calls draws the whole program")
	f.StringVar(&format, "format", "dot", "`format`: dot or json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return errors.New("graph: give one bundle; usage: pathspan graph app.pspan --kind htg --function main")
		}
		form := htg.Format(format)
		if form != htg.DOT && form != htg.JSON {
			return fmt.Errorf("--format %q: want dot or json", format)
		}
		if !strings.Contains(" htg cfg cdg calls ", " "+kind+" ") {
			return fmt.Errorf("--kind %q: want htg, cfg, cdg or calls", kind)
		}
		b, err := readBundle(args[0])
		if err != nil {
			return err
		}
		if kind == "calls" {
			return htg.WriteCalls(cmd.OutOrStdout(), b, form)
		}
		fn, err := findFunction(b.Program, function)
		if err != nil {
			return err
		}
		return writeGraph(cmd.OutOrStdout(), b.Program, fn, kind, form)
	}
	return cmd
}

func writeGraph(w io.Writer, p *ir.Program, fn *ir.Func, kind string, form htg.Format) error {
	c := flow.Analyze(fn)
	switch kind {
	case "cfg":
		return htg.WriteCFG(w, fn, c, form)
	case "cdg":
		return htg.WriteCDG(w, fn, c, form)
	}
	g, err := htg.Build(fn, c, p)
	if err != nil {
		return err
	}
	return htg.WriteHTG(w, g, p, form)
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
		return nil, fmt.Errorf("--function %s: the program has no such function%s (it may have been inlined everywhere); pathspan inspect lists those that ran", name, hint)
	}
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.Name
	}
	return nil, fmt.Errorf("--function %s: several functions have that name: give one of %s", name, strings.Join(names, ", "))
}
