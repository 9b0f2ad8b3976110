package main

// This file keeps the state of a search in a file, and shows its progress.

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"pathspan/estimate"
	"pathspan/explore"
)

// loadState reads the state that --state names, or begins one; nil without the flag.
func (o *exploreFlags) loadState(procs estimate.Processors, a *estimate.Analysis, bundle []byte) (*explore.State, error) {
	if o.state == "" {
		return nil, nil
	}
	question, err := o.ask(procs, a, bundle)
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(o.state)
	if errors.Is(err, fs.ErrNotExist) {
		if err := writable(o.state); err != nil {
			return nil, stateError(err)
		}
		return &explore.State{Question: question}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("--state %s: %w", o.state, reason(err))
	}
	st, err := explore.ReadState(data)
	if err != nil {
		return nil, fmt.Errorf("--state %s: %w; name another file", o.state, err)
	}
	if st.Question != question {
		return nil, fmt.Errorf("--state %s: it is of a search with another bundle, platform or flags; name another file", o.state)
	}
	return st, nil
}

// stateError names the flag that errors of writing a file are about.
func stateError(err error) error {
	return errors.New(strings.Replace(err.Error(), "-o ", "--state ", 1))
}

// ask identifies a search: everything that its result depends on.
func (o *exploreFlags) ask(procs estimate.Processors, a *estimate.Analysis, bundle []byte) (string, error) {
	var w bytes.Buffer
	w.Write(bundle)
	enc := json.NewEncoder(&w)
	goal := o.goal
	goal.Progress, goal.Save, goal.State = nil, nil, nil
	for _, x := range []any{
		a.Root, procs.Platform, procs.Costs, procs.ClockMHz, procs.Overheads, o.serial,
		goal.Algorithm, goal.Objective, goal.Pareto, goal.Constraints, goal.Seed, goal.Evaluations, goal.Time, goal.KeepNested,
	} {
		if err := enc.Encode(x); err != nil {
			return "", fmt.Errorf("--state %s: %w", o.state, err)
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256(w.Bytes())), nil
}

func (o *exploreFlags) saveState(st *explore.State) error {
	data, err := st.Marshal()
	if err != nil {
		return err
	}
	if err := writeFile(o.state, data); err != nil {
		return stateError(err)
	}
	return nil
}

// bar shows the progress of a search on a terminal.
type bar struct {
	w        io.Writer
	terminal bool
	shown    bool
}

func newBar(w io.Writer) *bar {
	b := &bar{w: w}
	if f, ok := w.(*os.File); ok {
		info, err := f.Stat()
		b.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return b
}

const barWidth = 24

// show draws the bar: how much of the budget is spent, how fast, and the best so far.
func (b *bar) show(p explore.Progress) {
	if !b.terminal {
		return
	}
	rate := float64(p.Evaluations) / max(p.Elapsed.Seconds(), 1e-3)
	text := fmt.Sprintf("%d evaluations, %.2g million a second", p.Evaluations, rate/1e6)
	if p.Budget > 0 {
		n := int(min(p.Evaluations*barWidth/p.Budget, barWidth))
		text = "[" + strings.Repeat("#", n) + strings.Repeat(".", barWidth-n) + "] " + text
	} else {
		text = p.Elapsed.Round(time.Second).String() + " " + text
	}
	if p.Best != nil {
		text += fmt.Sprintf(", best %.6g s", p.Best.Metrics.Seconds)
	}
	fmt.Fprintf(b.w, "\r\x1b[K%s", text)
	b.shown = true
}

func (b *bar) clear() {
	if b.shown {
		fmt.Fprint(b.w, "\r\x1b[K")
	}
}
