package main

// This file is the subcommand model fit: models made from measurements.

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/build/record"
	"pathspan/measure"
	"pathspan/procmodels/fit"
	"pathspan/procmodels/fitted"
	"pathspan/procmodels/hostfit"
	"pathspan/report"
)

// shownSamples is how many of the samples predicted worst are printed.
const shownSamples = 12

func modelFitCmd() *cobra.Command {
	var output, name, clang, keep, platform, ridge, unit string
	var host, pairs, widths, asJSON bool
	var clockMHz float64
	cmd := &cobra.Command{
		Use:   "fit {SAMPLES.csv | --host} [-o model.yaml]",
		Short: "Fit a model to measured programs, or to this machine",
		Long: `Fit makes a processor model by linear regression of measured cycles on counts of
instruction classes. SAMPLES.csv has a header and a line for each program measured:

  name      what to call it
  bundle    its profile, a path relative to the table
  cycles    what was measured; or seconds, with --clock-mhz
  function  optional: only this function was measured, with all that it calls
  weight    optional: how much its error counts, 1 by default
  group     optional: samples of a group are left out together when the error on
            unknown programs is estimated (by default each on its own)

With --host a suite of small programs is built, timed and profiled on this machine
instead, in a few minutes, and blocks are played out of order with figures of this
machine, unless --pairs, --widths or --ridge asks for classes. --platform writes a
platform of it with its caches, for profiles with --memory. What to distrust is
printed and stored in the model.`,
		Example: "  pathspan model fit board.csv -o board.yaml --clock-mhz 200\n  pathspan model fit --host -o host.yaml\n  pathspan estimate app.pspan --model host.yaml",
	}
	f := cmd.Flags()
	f.StringVarP(&output, "output", "o", "", "model `file` to write (default: the table's name with .yaml; host.yaml)")
	f.BoolVar(&host, "host", false, "measure this machine with the characterisation suite")
	f.BoolVar(&pairs, "pairs", false, "add pairs of neighbouring instructions, as many as the samples carry")
	f.BoolVar(&widths, "widths", false, "tell operations on up to 32, 64 and more bits apart")
	f.StringVar(&ridge, "ridge", "auto", "weight of the belief that all instructions cost alike: a `number`, or auto")
	f.StringVar(&name, "name", "", "`name` of the model (default: that of its file)")
	f.StringVar(&unit, "unit", "", "`text` that says what a cycle means")
	f.Float64Var(&clockMHz, "clock-mhz", 0, "clock of the processor in `MHz`")
	addClang(f, &clang, "with --host: ")
	f.StringVar(&keep, "samples", "", "with --host: also write the samples and their bundles to this `folder`")
	f.StringVar(&platform, "platform", "", "with --host: also write a platform `file` that says what its caches and memory take")
	addJSON(f, &asJSON, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkFitArgs(cmd, args, host, clockMHz); err != nil {
			return err
		}
		opt := fit.Options{Name: name, Unit: unit, ClockMHz: clockMHz, Scheme: fitted.Scheme{Widths: widths, Pairs: pairs}, Ridge: -1}
		if ridge != "auto" {
			var err error
			if opt.Ridge, err = strconv.ParseFloat(ridge, 64); err != nil || !(opt.Ridge >= 0) || math.IsInf(opt.Ridge, 0) {
				return fmt.Errorf("--ridge %s: want a number of 0 or more, or auto", ridge)
			}
		}
		if output == "" && !f.Changed("output") {
			output = "host.yaml"
			if !host {
				output = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])) + ".yaml"
			}
		}
		for _, file := range []string{output, platform} {
			if file == "" && file == platform {
				continue
			}
			if err := writable(file); err != nil {
				return err
			}
		}
		if opt.Name == "" {
			opt.Name = strings.TrimSuffix(filepath.Base(output), filepath.Ext(output))
		}
		var m *fitted.Model
		var err error
		if host {
			m, err = fitHost(cmd, clang, keep, platform, output, opt, pairs || widths || f.Changed("ridge"))
		} else {
			m, err = fitTable(cmd, args[0], opt)
		}
		if err != nil {
			return err
		}
		if err := writeFile(output, m.Marshal()); err != nil {
			return err
		}
		if asJSON {
			return report.JSON(cmd.OutOrStdout(), report.NewFittedModel(output, m))
		}
		if err := fit.Write(textOut(cmd), m, shownSamples); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "pathspan: wrote %s\n", output)
		return nil
	}
	return cmd
}

func checkFitArgs(cmd *cobra.Command, args []string, host bool, clockMHz float64) error {
	if clockMHz < 0 || math.IsNaN(clockMHz) || math.IsInf(clockMHz, 0) {
		return fmt.Errorf("--clock-mhz %g: want a number above 0", clockMHz)
	}
	if host {
		if len(args) != 0 {
			return errors.New("model fit: --host measures this machine and takes no table; leave one of them out")
		}
		if clockMHz != 0 {
			return errors.New("model fit: --host measures the clock; leave --clock-mhz out")
		}
		return nil
	}
	for _, flag := range []string{"clang", "samples", "platform"} {
		if cmd.Flags().Changed(flag) {
			return fmt.Errorf("model fit: --%s goes with --host", flag)
		}
	}
	if len(args) != 1 {
		return errors.New("model fit: give one table of samples, or --host; usage: pathspan model fit samples.csv -o model.yaml")
	}
	return nil
}

func fitTable(cmd *cobra.Command, table string, opt fit.Options) (*fitted.Model, error) {
	shown := newProgress(cmd)
	defer shown.done()
	shown.step("reading %s", table)
	samples, err := fit.ReadSamples(table, opt.ClockMHz)
	if err != nil {
		if errors.Is(err, fit.ErrNoClock) {
			err = fmt.Errorf("%w; give --clock-mhz", err)
		}
		return nil, err
	}
	if opt.Unit == "" {
		opt.Unit = "cycles as measured"
	}
	opt.Sources = []string{filepath.Base(table)}
	opt.Source = "fitted to " + filepath.Base(table)
	shown.step("fitting %d samples", len(samples))
	m, err := fit.Fit(cmd.Context(), samples, opt)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table, err)
	}
	return m, nil
}

func fitHost(cmd *cobra.Command, clang, keep, platform, output string, opt fit.Options, classes bool) (*fitted.Model, error) {
	tc, err := record.Toolchain(clang)
	if err != nil {
		return nil, err
	}
	dir, clean, err := workFolder(false, "")
	if err != nil {
		return nil, err
	}
	defer clean()
	ctx, caught, done := interruptible(cmd.Context())
	defer done()
	shown := newProgress(cmd)
	defer shown.done()
	result, err := hostfit.Measure(ctx, hostfit.Options{Toolchain: tc, Dir: dir, Progress: func(text string) { shown.step("%s", text) }})
	shown.done()
	if err != nil {
		if s := caught(); s != 0 {
			return nil, stopped(s, "model fit: stopped by a signal; no model was written")
		}
		return nil, compilerError(cmd, err)
	}
	if keep != "" {
		if err := result.Save(keep); err != nil {
			return nil, fmt.Errorf("--samples %s: %w; name a folder that can be written", keep, bounded.Reason(err))
		}
	}
	if platform != "" {
		if runtime.NumCPU() > 1 {
			shown.step("measuring what passes between processors")
			over, err := measure.MeasureOverheads(ctx, &record.Recorder{Toolchain: tc, Dir: dir}, 2)
			shown.done()
			if err != nil {
				return nil, err
			}
			result.Elsewhere = over.Elsewhere()
		}
		if err := writeHost(platform, output, result); err != nil {
			return nil, err
		}
	}
	shown.step("fitting")
	defer shown.done()
	return result.Fit(ctx, opt, classes)
}

// writeHost writes the platform of this machine, whose model is in another file.
func writeHost(platform, model string, result *hostfit.Result) error {
	from, err := filepath.Abs(filepath.Dir(platform))
	if err != nil {
		return err
	}
	to, err := filepath.Abs(model)
	if err != nil {
		return err
	}
	if to, err = filepath.Rel(from, to); err != nil {
		return err
	}
	name := strings.TrimSuffix(filepath.Base(platform), filepath.Ext(platform))
	text := result.Platform(name, "./"+filepath.ToSlash(to), runtime.NumCPU())
	if text == nil {
		return fmt.Errorf("--platform %s: the system does not describe this machine's caches, or they could not be told apart; leave it out", platform)
	}
	for _, n := range busy() {
		text = append([]byte("# Mind that "+n+": lines that are at another processor are then often in no cache of its own, and seem to take less.\n"), text...)
	}
	return writeFile(platform, text)
}
