package main

// This file is the subcommand model: what processor models there are and what they say.

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"pathspan/procmodels"
)

func modelCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "model",
		Short: "List, show and check processor models",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("model: no subcommand %q; pathspan model --help lists them", args[0])
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	cmd.AddCommand(modelListCmd(), modelShowCmd(), modelNewCmd(), modelShimCmd())
	return cmd
}

func modelListCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "List the built-in models",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 0 {
				return errors.New("model list: it takes no arguments; pathspan model show NAME shows one model")
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tKIND\tCLOCK\tSOURCE")
			for _, name := range procmodels.Names() {
				m, err := procmodels.Open(name, "")
				if err != nil {
					return err
				}
				d := m.Describe()
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", name, d.Kind, clock(d.ClockMHz), shorten(d.Source, 80))
			}
			return w.Flush()
		},
	}
}

func modelShowCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "Show what a model says of itself: a built-in name, a table, shim:FILE#COMPONENT",
		Example: "  pathspan model show arm922t\n  pathspan model show mycore.yaml\n" +
			"  pathspan model show 'shim:board.xml?figure=pitch#cpu0'",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return errors.New("model show: give one model; usage: pathspan model show NAME")
			}
			m, err := procmodels.Open(args[0], "")
			if err != nil {
				return err
			}
			showModel(cmd.OutOrStdout(), m.Describe())
			return nil
		},
	}
}

// showModel prints a description, one field a paragraph.
func showModel(w io.Writer, d procmodels.Description) {
	for _, f := range []struct{ name, text string }{
		{"name", d.Name}, {"kind", d.Kind}, {"version", d.Version}, {"clock", clock(d.ClockMHz)},
		{"source", d.Source}, {"notes", d.Notes},
	} {
		if f.text == "" {
			continue
		}
		for i, line := range wrap(f.text, 88) {
			if i > 0 {
				f.name = ""
			}
			fmt.Fprintf(w, "%-9s%s\n", f.name, line)
		}
	}
}

func clock(mhz float64) string {
	if mhz == 0 {
		return "unknown"
	}
	return fmt.Sprintf("%g MHz", mhz)
}

// wrap breaks text between words into lines of at most width bytes, where words allow.
func wrap(text string, width int) []string {
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
	return append(lines, line)
}

// shorten cuts text at a word, to at most about width bytes on one line.
func shorten(text string, width int) string {
	lines := wrap(text, width)
	if len(lines) > 1 {
		return lines[0] + " ..."
	}
	return lines[0]
}
