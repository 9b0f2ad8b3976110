package main

// This file is the subcommand model shim: SHIM files checked, shown and written.

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/plugins/shim"
	"pathspan/report"
)

func modelShimCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "shim",
		Short: "Work with SHIM (IEEE 2804) descriptions",
		Long: `SHIM (IEEE 2804) files describe the components of a chip, and what instructions and
accesses to memory cost on them. A component is a model: shim:board.xml#cpu0.`,
		Example: "  pathspan model shim show board.xml\n  pathspan model shim lint board.xml",
		Args:    onlyCommands,
		RunE:    func(cmd *cobra.Command, args []string) error { return cmd.Help() },
	}
	var all, asJSON bool
	lint := &cobra.Command{
		Use:   "lint FILE",
		Short: "Say what is wrong with a SHIM file; exit status 3 when something is",
		Long: `Lint reports, by line, what breaks the schema of SHIM, which opcodes LLVM does not have,
and figures that contradict each other, with what to do about each.`,
		Example: "  pathspan model shim lint board.xml",
		Args:    oneArgument("one file", "pathspan model shim lint board.xml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return lintShim(cmd.OutOrStdout(), args[0], all, asJSON)
		},
	}
	addJSON(lint.Flags(), &asJSON, ", with a finding for each place")
	lint.Flags().BoolVar(&all, "all", false, "one line for each place, where findings alike share one")
	cmd.AddCommand(lint, modelShimShowCmd(), modelShimWriteCmd())
	return cmd
}

func lintShim(w io.Writer, path string, all, asJSON bool) error {
	findings := shim.Lint(path)
	if asJSON {
		if err := report.JSON(w, &shim.ShimFindings{File: path, Findings: findings}); err != nil || len(findings) == 0 {
			return err
		}
		return exitStatus(statusFound)
	}
	if len(findings) == 0 {
		fmt.Fprintf(w, "%s: nothing wrong\n", path)
		return nil
	}
	if all {
		for _, f := range findings {
			fmt.Fprintln(w, f)
		}
	} else {
		groups := shim.GroupFindings(findings)
		for _, g := range groups {
			fmt.Fprintln(w, g)
		}
		if len(groups) < len(findings) {
			fmt.Fprintf(w, "%d findings of %d kinds; --all lists each\n", len(findings), len(groups))
		}
	}
	return exitStatus(statusFound)
}

func modelShimShowCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "show FILE",
		Short: "Show what a SHIM file holds: components, clocks, latencies of memories and communications",
		Long: `Show lists the components of a SHIM file with their clocks, its memories and caches, and
what accesses and communications cost.`,
		Example: "  pathspan model shim show board.xml",
		Args:    oneArgument("one file", "pathspan model shim show board.xml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			sys, warnings, err := shim.Load(args[0])
			if err != nil {
				return err
			}
			var odd []string
			for _, w := range warnings {
				odd = append(odd, w.String())
				fmt.Fprintln(cmd.ErrOrStderr(), "warning:", w)
			}
			if asJSON {
				return report.JSON(cmd.OutOrStdout(), sys.Contents(args[0], odd))
			}
			return sys.Summary(cmd.OutOrStdout())
		},
	}
	addJSON(cmd.Flags(), &asJSON, "")
	return cmd
}

func modelShimWriteCmd() *cobra.Command {
	var output, version string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "write MODEL|FILE.xml -o OUT.xml",
		Short: "Write a processor model as a SHIM component, or a SHIM file in another version",
		Long: `Write makes a SHIM file of a model of pathspan, or puts a SHIM file into another version
of SHIM, and says what has no place there.`,
		Example: "  pathspan model shim write cortex-m4 -o m4.xml\n" +
			"  pathspan model shim write mycore.yaml --version 1.0 -o mycore.xml\n" +
			"  pathspan model shim write old10.xml -o new20.xml",
		Args: oneArgument("one model", "pathspan model shim write MODEL -o board.xml"),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case output == "":
				return errors.New("model shim write: no output is named; add -o board.xml")
			case version != "1.0" && version != "2.0":
				return fmt.Errorf("model shim write: --version %s: want 1.0 or 2.0", version)
			}
			return writeShim(cmd.Context(), cmd.OutOrStdout(), args[0], output, version, asJSON)
		},
	}
	cmd.Flags().StringVarP(&output, "output", "o", "", "`file` to write")
	cmd.Flags().StringVar(&version, "version", "2.0", "`version` of SHIM: 1.0 or 2.0")
	addWritten(cmd.Flags(), &asJSON, "")
	return cmd
}

// writeShim writes a model or another SHIM file, and says what is not in the result.
func writeShim(ctx context.Context, w io.Writer, from, output, version string, asJSON bool) error {
	sys, left, err := shimSystem(ctx, from)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if version == "1.0" {
		lost, err := shim.Write10(&text, sys)
		if err != nil {
			return err
		}
		left = append(left, lost...)
	} else if err := shim.Write(&text, sys); err != nil {
		return err
	}
	if err := writable(output); err != nil {
		return err
	}
	if err := writeFile(output, text.Bytes()); err != nil {
		return err
	}
	mixed := version == "2.0" && sys.MixedKinds()
	if asJSON {
		return report.JSON(w, &shim.ShimWritten{File: output, Version: version, Components: len(sys.Masters()), Missing: left, Mixed: mixed})
	}
	fmt.Fprintf(w, "%s: SHIM %s, %s\n", output, version, report.Count(len(sys.Masters()), "component"))
	for _, l := range left {
		fmt.Fprintf(w, "not in it: %s\n", l)
	}
	if mixed {
		fmt.Fprintln(w, "beyond the schema: communications of several kinds, of which SHIM 2.0 allows one and 1.0 all")
	}
	return nil
}

// shimSystem reads a SHIM file, or makes a system of any other model.
func shimSystem(ctx context.Context, from string) (*shim.System, []string, error) {
	if strings.HasSuffix(from, ".xml") && !strings.Contains(from, ":") {
		sys, warnings, err := shim.Load(from)
		var left []string
		for _, w := range warnings {
			left = append(left, w.String())
		}
		return sys, left, err
	}
	m, err := openModel(from)
	if err != nil {
		return nil, nil, err
	}
	defer closeModel(m)
	return shim.FromModel(cmp.Or(ctx, context.Background()), m)
}
