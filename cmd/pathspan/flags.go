package main

// This file declares the flags and arguments that several commands share.

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"pathspan/build/toolchain"
	"pathspan/estimate"
	"pathspan/report"
)

// oneArgument holds that a command is given one of something; example shows how it is called.
func oneArgument(what, example string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s: give %s; usage: %s", nameOf(cmd), what, example)
		}
		return nil
	}
}

// oneBundle holds that a command is given one bundle; example shows how it is called.
func oneBundle(example string) cobra.PositionalArgs { return oneArgument("one bundle", example) }

// nameOf is what a command is called in messages: its path without pathspan.
func nameOf(cmd *cobra.Command) string {
	if p := cmd.Parent(); p != nil && p.HasParent() {
		return nameOf(p) + " " + cmd.Name()
	}
	return cmd.Name()
}

func addFunction(f *pflag.FlagSet, to *string) {
	f.StringVar(to, "function", "", "`name` of the function to estimate (default "+estimate.DefaultRoot+")")
}

// addJSON defines --json; more says what is in the object, or where it goes.
func addJSON(f *pflag.FlagSet, to *bool, more string) {
	f.BoolVar(to, "json", false, "print one JSON object"+more)
}

// addWritten defines --json of commands that write files.
func addWritten(f *pflag.FlagSet, to *bool, where string) {
	f.BoolVar(to, "json", false, "say what was written as one JSON object"+where)
}

func addRuns(f *pflag.FlagSet, to *int, of string) {
	f.IntVarP(to, "runs", "n", 10, "`number` of "+of)
}

func addItems(f *pflag.FlagSet, to *int, of string) {
	f.IntVar(to, "items", 5, "`number` of "+of+", 0 for all")
}

func addClang(f *pflag.FlagSet, to *string, when string) {
	f.StringVar(to, "clang", "", when+"`clang` to use: a path, a command or a version (default: $"+toolchain.EnvClang+", else the newest of 14 to 22)")
}

// show writes what a command found: as one JSON object, or as text for people.
func show(cmd *cobra.Command, asJSON bool, found any, text func(io.Writer) error) error {
	if asJSON {
		return report.JSON(cmd.OutOrStdout(), found)
	}
	return text(textOut(cmd))
}

// percentFlag reads the value of --fail-above, 3% or 3, as a share.
func percentFlag(name, text string) (float64, error) {
	limit, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
	if err != nil || !(limit >= 0) || math.IsInf(limit, 1) {
		return 0, fmt.Errorf("--%s %q: want per cent of 0 or more, such as 1%%", name, text)
	}
	return limit / 100, nil
}
