package main

// This file is the subcommand model calls: what the libraries of a program take.

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/build/record"
	"pathspan/procmodels"
	"pathspan/procmodels/foreign"
	"pathspan/procmodels/pipeline"
	"pathspan/profile"
)

type modelCallsFlags struct {
	buildFlags
	model, output, name string
}

const modelCallsUsage = "calls APP.pspan --model PIPELINE [-o MODEL.yaml] [-- ARGUMENTS...]"

func modelCallsCmd() *cobra.Command {
	var o modelCallsFlags
	cmd := &cobra.Command{
		Use:   modelCallsUsage,
		Short: "Measure what a program calls of its libraries, once, by their machine code",
		Long: `Calls links the program of a bundle with its libraries in it, runs it once under QEMU,
which tells of each block of machine code that runs, and has a pipeline price what ran of
each function that the program calls and does not define. The model that it writes
extends that pipeline by these cycles: the mean of a function's calls, with the arguments
that the program passed.

The program is one for AArch64, ARM or RISC-V (profile --target aarch64-linux-gnu).`,
		Example: "  pathspan model calls app.pspan --model pipeline:cortex-a53 -o app-a53.yaml\n  pathspan estimate app.pspan --model app-a53.yaml",
	}
	f := cmd.Flags()
	f.StringVar(&o.model, "model", "", "`pipeline` that prices machine code: a built-in name or a file")
	f.StringVarP(&o.output, "output", "o", "", "model `file` to write (default: the bundle's name with -calls.yaml)")
	f.StringVar(&o.name, "name", "", "`name` of the model (default: that of its file)")
	addClang(f, &o.clang, "")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		names, arguments, err := split(cmd, args, "model "+modelCallsUsage)
		if err != nil {
			return err
		}
		if len(names) != 1 || filepath.Ext(names[0]) != ".pspan" {
			return errors.New("model calls: give one bundle: pathspan model " + modelCallsUsage)
		}
		if o.output == "" && !f.Changed("output") {
			o.output = strings.TrimSuffix(filepath.Base(names[0]), ".pspan") + "-calls.yaml"
		}
		if err := writable(o.output); err != nil {
			return err
		}
		if o.name == "" {
			o.name = strings.TrimSuffix(filepath.Base(o.output), filepath.Ext(o.output))
		}
		machine, err := o.machine()
		if err != nil {
			return err
		}
		bundle, err := o.recorded(cmd, names, &arguments)
		if err != nil {
			return err
		}
		return o.run(cmd, bundle, machine, names[0], arguments)
	}
	return cmd
}

// machine opens the model, to be given machine code.
func (o *modelCallsFlags) machine() (procmodels.Model, error) {
	if o.model == "" {
		return nil, errors.New("model calls: --model is missing: it names the pipeline that prices machine code, such as pipeline:cortex-a53")
	}
	m, err := procmodels.Open(o.model, "")
	if err != nil {
		return nil, fileError("--model", o.model, fmt.Errorf("--model: %w", err))
	}
	machine, ok := pipeline.MachineCode(m)
	if !ok {
		return nil, fmt.Errorf("--model %s: it is no pipeline, and has no figures for machine code; want pipeline:NAME, or a file of schema pathspan.pipeline/1", o.model)
	}
	return machine, nil
}

func (o *modelCallsFlags) run(cmd *cobra.Command, bundle *profile.Bundle, machine procmodels.Model, name string, arguments []string) error {
	if !foreign.Reads(bundle.Program.Triple) {
		return fmt.Errorf("%s: a program of %s; machine code of %s is read: profile it with --target aarch64-linux-gnu or another", name, bundle.Program.Triple, foreign.Machines())
	}
	w, err := o.workshop(cmd, []string{name})
	if err != nil {
		return err
	}
	defer w.close()
	building, caught, done := interruptible(cmd.Context())
	defer done()
	b := w.FromBundle(bundle, w.options)
	exe, err := w.Static(building, b)
	if err != nil {
		w.shown.done()
		if s := caught(); s != 0 {
			return stopped(s, "model calls: stopped by a signal before the program ran")
		}
		return compilerError(cmd, err)
	}
	image, err := foreign.ReadImage(exe, moduleName(bundle.Module), bundle.Program)
	if err != nil {
		return fmt.Errorf("model calls: %s: %w", name, err)
	}
	ours := leaveSignals(cmd.Context())
	defer ours()
	done()
	w.shown.done() // the terminal is the program's
	shown := cmd.ErrOrStderr()
	var ran *foreign.Run
	status, err := w.Traced(cmd.Context(), exe, arguments, record.Streams{Stdin: cmd.InOrStdin(), Stdout: shown, Stderr: shown}, func(log io.Reader) (err error) {
		ran, err = foreign.ReadLog(log, image)
		return err
	})
	ours()
	if err != nil {
		return fmt.Errorf("model calls: %w", err)
	}
	functions, notes, err := ran.Price(cmd.Context(), bundle.Program.Triple, machine)
	if err != nil {
		return fmt.Errorf("model calls: %w", err)
	}
	functions = foreign.Called(functions, bundle.Program)
	if len(functions) == 0 {
		return fmt.Errorf("%s: the program called no function of its libraries in this run; nothing was written", name)
	}
	base, err := o.base()
	if err != nil {
		return err
	}
	source := fmt.Sprintf("machine code of the libraries of %s, as one run executed it, priced by %s", filepath.Base(name), machine.Describe().Name)
	if err := writeFile(o.output, foreign.Model(o.name, base, source, functions)); err != nil {
		return err
	}
	if status != (record.Status{}) {
		fmt.Fprintf(shown, "pathspan: the program %s; the figures are those of what ran until then\n", status)
	}
	if err := foreign.Text(textOut(cmd), functions); err != nil {
		return err
	}
	sayNotes(cmd, notes)
	fmt.Fprintf(shown, "pathspan: wrote %s\n", o.output)
	return nil
}

// base is what the file that is written extends: a name, or a path from there.
func (o *modelCallsFlags) base() (string, error) {
	if name, ok := strings.CutPrefix(o.model, pipeline.Kind+":"); ok {
		return name, nil
	}
	at, err := filepath.Abs(filepath.Dir(o.output))
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(o.model)
	if err != nil {
		return "", err
	}
	return filepath.Rel(at, to)
}

// moduleName is the file that the program's own local symbols are said to be of.
func moduleName(module []byte) string {
	_, rest, _ := strings.Cut(string(module[:min(len(module), 4096)]), "source_filename = \"")
	name, _, _ := strings.Cut(rest, "\"")
	return filepath.Base(name)
}
