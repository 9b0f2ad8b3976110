package main

// This file turns the flags of validate into what is validated, on what, against what.

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pathspan/bounded"
	"pathspan/mapping"
	"pathspan/validate"
	"pathspan/validate/ledger"
	"pathspan/visible"
)

// older reads the ledger that --against names, nil when none is.
func (o *validateFlags) older() (*ledger.Ledger, error) {
	switch o.against {
	case "":
		return nil, nil
	case "committed":
		return ledger.Committed()
	}
	l, err := ledger.ReadFile(o.against)
	if err != nil {
		return nil, fmt.Errorf("--against: %w", err)
	}
	return l, nil
}

func (o *validateFlags) parallelJobs() int {
	if o.jobs > 0 {
		return o.jobs
	}
	return runtime.NumCPU()
}

// platforms lists what to estimate and replay on: each number of processors with each
// model.
func (o *validateFlags) platforms() ([]*mapping.Platform, error) {
	counts := slices.Clone(o.processors)
	slices.Sort(counts)
	for i, n := range counts {
		if i > 0 && counts[i-1] == n {
			return nil, fmt.Errorf("-p: %d is there twice", n)
		}
	}
	models := o.models
	if models == nil {
		models = []string{""}
	}
	var all []*mapping.Platform
	for i, model := range models {
		if slices.Contains(models[:i], model) {
			return nil, fmt.Errorf("--model: %s is there twice", model)
		}
		t := targetFlags{platform: o.platform, model: model, processors: counts}
		platforms, err := t.platforms()
		if err != nil {
			return nil, err
		}
		all = append(all, platforms...)
	}
	if o.overheads == "" {
		return all, nil
	}
	create, sync, ok := strings.Cut(o.overheads, ",")
	c, err1 := strconv.ParseFloat(strings.TrimSpace(create), 64)
	s, err2 := strconv.ParseFloat(strings.TrimSpace(sync), 64)
	if !ok || err1 != nil || err2 != nil || !(c >= 0 && c <= mapping.MaxOverhead) || !(s >= 0 && s <= mapping.MaxOverhead) {
		return nil, fmt.Errorf("--overheads %q: want cycles to create and to synchronise, such as 400,120", o.overheads)
	}
	for _, pl := range all {
		pl.Create, pl.Sync, pl.CreateDefaulted, pl.SyncDefaulted = c, s, false, false
	}
	return all, nil
}

// figures reads the files of figures measured elsewhere.
func (o *validateFlags) figures() ([]validate.Figure, error) {
	var all []validate.Figure
	files := map[string]*mapping.Mapping{}
	for i, path := range o.references {
		if slices.Contains(o.references[:i], path) {
			return nil, fmt.Errorf("--reference %s is given twice", path)
		}
		data, err := bounded.ReadFile(path, bounded.Text)
		if err != nil {
			return nil, fmt.Errorf("--reference %s: %w", path, bounded.Reason(err))
		}
		figures, err := validate.ReadFigures(path, bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("--reference: %w", err)
		}
		if len(figures) == 0 {
			return nil, fmt.Errorf("--reference: %s: no line holds cycles or seconds", path)
		}
		for k := range figures {
			f := &figures[k]
			if f.Mapping == "" {
				continue
			}
			name := filepath.Join(filepath.Dir(path), f.Mapping)
			if files[name] == nil {
				if files[name], err = mapping.LoadMapping(name); err != nil {
					return nil, fmt.Errorf("--reference: %s: %w", f.Where, fileError("mapping", name, err))
				}
			}
			f.File = files[name]
		}
		all = append(all, figures...)
	}
	return all, nil
}

// checkFigures says of each row that nothing can be compared with why, before anything runs.
func (o *validateFlags) checkFigures(cmd *cobra.Command, v *validate.Validation) error {
	left, wrong := v.Check(o.index)
	for _, l := range left {
		fmt.Fprintf(cmd.ErrOrStderr(), "note: %s\n", visible.Line(l))
	}
	if wrong == nil {
		return nil
	}
	last := len(wrong) - 1
	for _, err := range wrong[:last] {
		noticeTo(cmd)(visible.Line("--reference: " + err.Error()))
	}
	return fmt.Errorf("--reference: %w", wrong[last])
}

// hostName names this machine by its processor, where the system tells.
func (o *validateFlags) hostName() string {
	if o.host != "" {
		return o.host
	}
	name := runtime.GOARCH
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return name
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if key, value, ok := strings.Cut(in.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return name
}
