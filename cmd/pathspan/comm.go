package main

// This file is the subcommand comm.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/memory/comm"
	"pathspan/report"
)

type commFlags struct {
	by, function, object, share, format, output string
	graph, matrix, ports, each, json            bool
	items                                       int
	least                                       float64
}

// commFormats are the formats of comm; those of drawings are for graphs alone.
var commFormats = []string{"text", "dot", "svg", "csv", "json"}

func commCmd() *cobra.Command {
	var o commFlags
	cmd := &cobra.Command{
		Use:   "comm APP.pspan [--by function|loop|section|object|line] [--graph|--matrix] [--format FORMAT] [-o FILE]",
		Short: "Say who reads what others wrote: bytes by function, loop, section and object",
		Long: `Comm shows what crosses a program's memory, as a run with profile --memory recorded it:
how much each function, loop nest, section, object or line reads and writes, and how many
bytes it reads that another wrote last, in which object. Distinct bytes are those that are
read for the first time since they were written.

--graph draws it from producer to consumer, --matrix lays it out; both take the same
filters.`,
		Example: "  pathspan comm app.pspan --by loop\n  pathspan comm app.pspan --graph --share 1% -o app.svg\n  pathspan comm app.pspan --by object --function filter\n  pathspan comm app.pspan --matrix --format csv",
		Args:    oneBundle("pathspan comm app.pspan"),
	}
	f := cmd.Flags()
	f.StringVar(&o.by, "by", string(comm.Function), "what is added `up`: "+commWays())
	f.BoolVar(&o.graph, "graph", false, "draw the graph: dot, svg, or its edges as csv or text")
	f.BoolVar(&o.matrix, "matrix", false, "lay out the matrix of producers and consumers: text, csv or json")
	f.BoolVar(&o.ports, "ports", false, "show the objects that functions or sections share, what crosses there, and the memory they need: text or json")
	f.BoolVar(&o.each, "per-call", false, "bytes of one call or execution on average, in place of those of all")
	f.StringVar(&o.function, "function", "", "only what the function of this `name` reads and writes, and others of it")
	f.StringVar(&o.object, "object", "", "only what is in the object of this `name`")
	f.StringVar(&o.share, "share", "0%", "hide edges of less than this `share` of the bytes that the program reads: 1% or 1")
	f.StringVar(&o.format, "format", "", "`format`: "+strings.Join(commFormats, ", ")+" (default: by the end of FILE, else text; of a graph dot)")
	f.StringVarP(&o.output, "output", "o", "", "`file` to write (default: standard output)")
	f.BoolVar(&o.json, "json", false, "as --format json")
	f.IntVar(&o.items, "items", 10, "`number` of rows and edges of text, 0 for all")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(f); err != nil {
			return err
		}
		var out bytes.Buffer
		if err := o.run(cmd, &out, args[0]); err != nil {
			return err
		}
		if o.output != "" {
			return writeFile(o.output, out.Bytes())
		}
		to := cmd.OutOrStdout()
		if o.format == "text" {
			to = textOut(cmd)
		}
		_, err := to.Write(out.Bytes())
		return err
	}
	return cmd
}

func commWays() string {
	var names []string
	for _, by := range comm.Ways {
		names = append(names, string(by))
	}
	return strings.Join(names, ", ")
}

// check refuses flags that contradict each other, and finds the format.
func (o *commFlags) check(f *pflag.FlagSet) error {
	if o.json {
		if o.format != "" && o.format != "json" {
			return fmt.Errorf("--format %s and --json exclude each other", o.format)
		}
		o.format = "json"
	}
	if o.format == "" {
		o.format = "text"
		if o.graph {
			o.format = "dot"
		}
		if end := strings.TrimPrefix(strings.ToLower(filepath.Ext(o.output)), "."); end != "" {
			switch {
			case end == "gv":
				o.format = "dot"
			case end == "txt":
				o.format = "text"
			case slices.Contains(commFormats, end):
				o.format = end
			default:
				return fmt.Errorf("-o %s: .%s is no format of comm; end the name in .%s, or give --format", o.output, end, strings.Join(commFormats, ", ."))
			}
		}
	}
	drawn := o.format == "dot" || o.format == "svg"
	switch {
	case !slices.Contains(commFormats, o.format):
		return fmt.Errorf("--format %q: want %s", o.format, strings.Join(commFormats, ", "))
	case !slices.Contains(comm.Ways, comm.By(o.by)):
		return fmt.Errorf("--by %q: want %s", o.by, commWays())
	case o.graph && o.matrix:
		return errors.New("--graph and --matrix exclude each other")
	case o.ports && (o.graph || o.matrix || o.each || o.function != "" || o.object != "" || f.Changed("share")):
		return errors.New("--ports shows averages of all functions or sections; leave out --graph, --matrix, --per-call, --function, --object and --share")
	case o.ports && o.by != string(comm.Function) && o.by != string(comm.Section):
		return fmt.Errorf("--ports: %ss have none; want --by function or section", o.by)
	case o.ports && o.format != "text" && o.format != "json":
		return fmt.Errorf("--ports: --format %s cannot hold them; want text or json", o.format)
	case o.matrix && drawn:
		return fmt.Errorf("--matrix: --format %s draws a graph; want text, csv or json", o.format)
	case o.graph && o.format == "json":
		return errors.New("--graph: JSON always holds the edges; leave it out")
	case o.each && o.format == "json" && !o.matrix:
		return errors.New("--per-call: JSON holds bytes and executions; leave it out")
	case o.each && o.by == string(comm.Line):
		return errors.New("--per-call: how often lines are executed is not one number; want --by function, loop or section")
	case o.items < 0:
		return fmt.Errorf("--items %d: want a number of rows, or 0 for all", o.items)
	case f.Changed("items") && o.format != "text":
		return errors.New("--items is for tables of text; hide edges with --share")
	}
	o.graph = o.graph || drawn
	var err error
	if o.least, err = percentFlag("share", o.share); err != nil {
		return err
	}
	if o.least > 1 {
		return fmt.Errorf("--share %s: want at most 100%%", o.share)
	}
	if f.Changed("output") {
		return writable(o.output)
	}
	return nil
}

// run writes what was asked for.
func (o *commFlags) run(cmd *cobra.Command, w io.Writer, path string) error {
	b, err := readBundle(path)
	if err != nil {
		return err
	}
	c, err := comm.Of(b)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	v, err := c.View(comm.Options{By: comm.By(o.by), Function: o.function, Object: o.object, Share: o.least})
	if err != nil {
		return err
	}
	out := &report.Communication{Bundle: filepath.Base(path), Function: o.function, Object: o.object, Least: o.least, View: *v, Notes: report.CommNotes(b)}
	if o.matrix {
		out.Matrix = v.Matrix(o.each)
	}
	if o.ports {
		out.Ports = c.Ports(v.By)
	}
	if o.format != "text" && o.format != "json" {
		sayNotes(cmd, out.Notes)
	}
	title := "communication in " + out.Bundle
	switch {
	case o.format == "json":
		return report.JSON(w, out)
	case o.format == "csv" && o.matrix:
		return out.Matrix.CSV(w)
	case o.format == "csv" && o.graph:
		return v.EdgesCSV(w, o.each)
	case o.format == "csv":
		return v.CSV(w, o.each)
	case o.ports:
		return out.PortsText(w, o.items)
	case o.matrix:
		return out.MatrixText(w, o.items, o.each)
	case o.graph && o.format == "text":
		return out.EdgesText(w, o.items, o.each)
	case o.format == "dot":
		return v.Graph(title, o.each).DOT(w)
	case o.graph:
		return v.Graph(title, o.each).SVG(w)
	}
	return out.Text(w, o.items, o.each)
}
