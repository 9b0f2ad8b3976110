package main

// This file is the subcommand fifo.

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/report"
	"pathspan/scratch"
	"pathspan/streams/fifo"
)

type fifoFlags struct {
	depths, json bool
	want         fifo.Want
	output, vcd  string
	vcdCycles    int64
}

func fifoCmd() *cobra.Command {
	var o fifoFlags
	cmd := &cobra.Command{
		Use:   "fifo NETWORK.yaml",
		Short: "Play modules and FIFOs of finite depth, cycle by cycle; find the depths they need",
		Long: `Fifo plays a network of modules, pipelined loops that pass data through FIFOs of finite
depth, as hardware that high-level synthesis makes does: how many cycles it takes, where
modules wait and on whose account, how full FIFOs become, and why a deadlock is one.

With --depths it looks for the depths of the fewest bits with which the network is as fast
as while no FIFO is ever full, or as fast as --cycles says, and shows what fewer bits cost.

The file says of each module its iterations, initiation interval and latency, and in which
cycles of an iteration it reads and writes which FIFO (docs/fifo.md).`,
		Example: `  pathspan fifo network.yaml
  pathspan fifo network.yaml --depths -o deep.yaml
  pathspan fifo deep.yaml --vcd deep.vcd`,
		Args: oneArgument("one file of a network", "pathspan fifo network.yaml"),
	}
	f := cmd.Flags()
	f.BoolVar(&o.depths, "depths", false, "find the depths of the fewest bits that are fast enough")
	f.Int64Var(&o.want.Cycles, "cycles", 0, "with --depths: `number` of cycles that are fast enough (default: those while no FIFO is ever full)")
	f.IntVar(&o.want.Tries, "tries", fifo.DefaultTries, "with --depths: `number` of runs of the network, at most, a fifth of them for what fewer bits cost")
	f.StringVarP(&o.output, "output", "o", "", "with --depths: `file` to write the network to, with these depths")
	f.StringVar(&o.vcd, "vcd", "", "`file` to write waveforms to, for GTKWave")
	f.Int64Var(&o.vcdCycles, "vcd-cycles", 100000, "`number` of cycles of --vcd, at most")
	addJSON(f, &o.json, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return o.run(cmd, args[0]) }
	return cmd
}

func (o *fifoFlags) run(cmd *cobra.Command, path string) error {
	given := cmd.Flags().Changed
	switch {
	case !o.depths && given("cycles"):
		return errors.New("--cycles is what --depths has to reach: add --depths")
	case !o.depths && given("tries"):
		return errors.New("--tries bounds the search of --depths: add --depths")
	case !o.depths && given("output"):
		return errors.New("-o writes the depths that --depths finds: add --depths")
	case o.depths && given("vcd"):
		return errors.New("--vcd shows a run, and --depths looks for depths: write them with -o, and give --vcd with that file")
	case o.vcd == "" && given("vcd-cycles"):
		return errors.New("--vcd-cycles bounds --vcd: add --vcd FILE")
	case given("cycles") && o.want.Cycles < 1:
		return fmt.Errorf("--cycles %d: want 1 or more", o.want.Cycles)
	case o.want.Tries < 1:
		return fmt.Errorf("--tries %d: want 1 or more", o.want.Tries)
	case o.vcdCycles < 1:
		return fmt.Errorf("--vcd-cycles %d: want 1 or more", o.vcdCycles)
	case given("output"):
		if err := writable(o.output); err != nil {
			return err
		}
	}
	text, err := bounded.ReadFile(path, bounded.Text)
	if err != nil {
		return fmt.Errorf("%s: %w", path, bounded.Reason(err))
	}
	n, err := fifo.Read(path, text)
	if err != nil {
		return err
	}
	if o.depths {
		return o.size(cmd, path, n)
	}
	r, err := fifo.Simulate(n)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if o.vcd != "" {
		if err := o.waves(cmd, n, r.Cycles); err != nil {
			return err
		}
	}
	out := report.FIFOOf(n, r)
	out.Network = filepath.Base(path)
	return show(cmd, o.json, out, out.Text)
}

// size looks for depths.
func (o *fifoFlags) size(cmd *cobra.Command, path string, n *fifo.Network) error {
	d, err := fifo.Depths(n, o.want)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	out := report.FIFODepthsOf(n, d)
	out.Network = filepath.Base(path)
	if o.output != "" {
		if d.Best == nil {
			return fmt.Errorf("%s: no depths are known that are fast enough, so -o %s is not written; without -o it is said how far the search came", path, o.output)
		}
		deep := &fifo.Network{Modules: n.Modules, FIFOs: slices.Clone(n.FIFOs)}
		for f := range deep.FIFOs {
			deep.FIFOs[f].Depth = d.Best.Depths[f]
		}
		if err := writeFile(o.output, deep.YAML()); err != nil {
			return err
		}
		out.Written = o.output
	}
	return show(cmd, o.json, out, out.Text)
}

// waves writes waveforms of a run of so many cycles.
func (o *fifoFlags) waves(cmd *cobra.Command, n *fifo.Network, all int64) error {
	var written int64
	var whole bool
	err := scratch.Place(o.vcd, 0o644, func(w io.Writer) (err error) {
		written, whole, err = fifo.VCD(n, w, o.vcdCycles)
		return err
	})
	if err != nil {
		return fmt.Errorf("--vcd %s: %w; name a file elsewhere", o.vcd, bounded.Reason(err))
	}
	if !whole {
		noticeTo(cmd)(fmt.Sprintf("--vcd %s holds the first %d of %d cycles; --vcd-cycles N writes more", o.vcd, written, all))
	}
	return nil
}
