package main

// This file is the subcommand diff.

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/diff"
	"pathspan/estimate"
	"pathspan/profile"
	"pathspan/report"
)

type diffFlags struct {
	targetFlags
	failAbove          string
	techniques         []string
	items              int
	json, anyDirection bool
}

func diffCmd() *cobra.Command {
	var o diffFlags
	cmd := &cobra.Command{
		Use:   "diff A B [-p N[,N...]] [--platform P.yaml] [--mapping M.yaml] [--fail-above 3%]",
		Short: "Say what changed between two profiles or two results",
		Long: `Diff compares two bundles, or two JSON objects that estimate, explore, replay, validate,
measure, report or others printed, and says what differs, the biggest changes first.

Bundles may be of two versions of the source, of two compilers or of two inputs.
Functions and regions are matched by name, lines of changed functions by what they
compute, and paths by the lines they run. Both are estimated on the same platforms under
the same mappings, whose regions may go by their names, or their lines, in A.

--fail-above holds the figures of B against those of A and ends with status 3 where one
is worse by more than that per cent of A's. Worse is a lower speed-up or parallelism, and
more cycles, time or energy. Of mappings the prediction is judged, which is the technique
that comes first, where both inputs have it, or the first of --technique. What other
techniques say is shown below it. Errors of validate are per cent already: worse
is an absolute value that is higher by more than that many points. With --any-direction
a figure that is better by more than the limit fails too, and so do functions that ran,
different paths and paths taken, of which neither direction is better.`,
		Example: "  pathspan diff before.pspan after.pspan\n  pathspan diff before.pspan after.pspan --platform soc.yaml --mapping m.yaml --fail-above 3%\n  pathspan estimate app.pspan --json > now.json && pathspan diff baseline.json now.json --fail-above 1%",
	}
	f := cmd.Flags()
	o.targetFlags.add(f, "2,4")
	addFunction(f, &o.function)
	addTechniques(f, &o.techniques, estimate.IDs(answeringTechniques()), "", "")
	f.StringVar(&o.failAbove, "fail-above", "", "`limit` of how much worse a figure may be: 3% or 3")
	f.BoolVar(&o.anyDirection, "any-direction", false, "with --fail-above: a change for the better fails too")
	addItems(f, &o.items, "entries to show of each kind")
	addJSON(f, &o.json, " with everything")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) != 2:
			return errors.New("diff: give two bundles or two results; usage: pathspan diff a.pspan b.pspan")
		case o.items < 0:
			return fmt.Errorf("--items %d: want a number of entries, or 0 for all", o.items)
		case o.anyDirection && o.failAbove == "":
			return errors.New("--any-direction says what --fail-above judges; add --fail-above")
		}
		limit := -1.0
		if o.failAbove != "" {
			var err error
			if limit, err = percentFlag("fail-above", o.failAbove); err != nil {
				return err
			}
		}
		d, err := o.compare(cmd, args[0], args[1])
		if err != nil {
			return err
		}
		var failed []string
		if limit >= 0 {
			failed = d.Above(limit, o.anyDirection)
		}
		if err := o.print(cmd, d); err != nil {
			return err
		}
		switch n := len(failed); {
		case n == 1:
			return found(fmt.Errorf("--fail-above %s: %s", o.failAbove, failed[0]))
		case n > 1:
			return found(fmt.Errorf("--fail-above %s: %s; and %d more", o.failAbove, failed[0], n-1))
		}
		return nil
	}
	return cmd
}

// compare compares two files of the same kind.
func (o *diffFlags) compare(cmd *cobra.Command, nameA, nameB string) (*diff.Diff, error) {
	a, err := readEither(nameA)
	if err != nil {
		return nil, err
	}
	b, err := readEither(nameB)
	if err != nil {
		return nil, err
	}
	if (a.bundle == nil) != (b.bundle == nil) {
		kind := map[bool]string{true: "a bundle", false: "JSON"}
		return nil, fmt.Errorf("%s is %s and %s is %s: give two bundles or two results", nameA, kind[a.bundle != nil], nameB, kind[b.bundle != nil])
	}
	a.name, b.name = filepath.Base(nameA), filepath.Base(nameB)
	if a.name == b.name {
		a.name, b.name = nameA, nameB
	}
	if a.bundle == nil {
		var given []string
		for _, flag := range []string{"platform", "mapping", "model", "processors", "function", "technique"} {
			if cmd.Flags().Changed(flag) {
				given = append(given, "--"+flag)
			}
		}
		if given != nil {
			return nil, fmt.Errorf("%s: the inputs are results, and estimated is nothing; leave it out, or give two bundles", given[0])
		}
		return diff.Results(a.name, a.data, b.name, b.data)
	}
	if err := o.targetFlags.check(); err != nil {
		return nil, err
	}
	opt := diff.Options{}
	if opt.Techniques, err = parseTechniques(o.techniques); err != nil {
		return nil, err
	}
	if opt.Platforms, err = o.platforms(2, 4); err != nil {
		return nil, err
	}
	files, err := o.mappingFiles()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		opt.Mappings = append(opt.Mappings, diff.Mapping{Name: f.in(a.bundle.Program), File: f.mapping})
	}
	for i, in := range []*compared{a, b} {
		fn, err := ranFunction(in.bundle, in.name, o.function)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", in.name, err)
		}
		opt.Functions[i] = fn.Name
	}
	shown := newProgress(cmd)
	defer shown.done()
	shown.step("comparing %s and %s", a.name, b.name)
	return diff.Bundles(cmd.Context(), diff.Input{Name: a.name, Bundle: a.bundle}, diff.Input{Name: b.name, Bundle: b.bundle}, opt)
}

func (o *diffFlags) print(cmd *cobra.Command, d *diff.Diff) error {
	w := cmd.OutOrStdout()
	if o.json {
		return report.JSON(w, d)
	}
	p := paintFor(cmd, w)
	return d.Text(w, o.items, diff.Paint{Bold: p.bold, Good: p.good, Bad: p.bad})
}

// compared is a file to compare: a bundle, or a result in JSON.
type compared struct {
	name   string
	bundle *profile.Bundle
	data   []byte
}

// readEither reads a bundle or a result. JSON objects begin with a brace.
func readEither(path string) (*compared, error) {
	data, err := load(path)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		if len(data) > bounded.Text {
			return nil, fmt.Errorf("%s: %w", path, bounded.ErrTooLarge{Limit: bounded.Text})
		}
		return &compared{data: data}, nil
	}
	b, err := parseBundle(path, data)
	return &compared{bundle: b}, err
}
