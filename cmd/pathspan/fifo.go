package main

// This file is the subcommand fifo.

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/report"
	"pathspan/streams/fifo"
)

func fifoCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "fifo NETWORK.yaml",
		Short: "Play modules and FIFOs of finite depth, cycle by cycle",
		Long: `Fifo plays a network of modules, pipelined loops that pass data through FIFOs of finite
depth, as hardware that high-level synthesis makes does: how many cycles it takes, where
modules wait and on whose account, how full FIFOs become, and why a deadlock is one.

The file says of each module its iterations, initiation interval and latency, and in which
cycles of an iteration it reads and writes which FIFO (docs/fifo.md).`,
		Example: "  pathspan fifo network.yaml\n  pathspan fifo network.yaml --json",
		Args:    oneArgument("one file of a network", "pathspan fifo network.yaml"),
	}
	addJSON(cmd.Flags(), &asJSON, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		text, err := bounded.ReadFile(args[0], bounded.Text)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], reason(err))
		}
		n, err := fifo.Read(args[0], text)
		if err != nil {
			return err
		}
		r, err := fifo.Simulate(n)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		out := report.FIFOOf(n, r)
		out.Network = filepath.Base(args[0])
		return show(cmd, asJSON, out, out.Text)
	}
	return cmd
}
