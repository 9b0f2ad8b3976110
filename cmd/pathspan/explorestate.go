package main

// This file keeps the state of a search in a file.

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"pathspan/bounded"
	"pathspan/estimate"
	"pathspan/explore"
	"pathspan/mapping"
)

// loadState reads the state that --state names, or begins one; nil without the flag.
func (o *exploreFlags) loadState(procs estimate.Processors, q *question) (*explore.State, error) {
	if o.state == "" {
		return nil, nil
	}
	question, err := o.identify(procs, q)
	if err != nil {
		return nil, err
	}
	data, err := bounded.ReadFile(o.state, bounded.Text)
	if errors.Is(err, fs.ErrNotExist) {
		if err := writable(o.state); err != nil {
			return nil, stateError(err)
		}
		return &explore.State{Question: question}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("--state %s: %w", o.state, bounded.Reason(err))
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

// identify names a search: everything that its result depends on.
func (o *exploreFlags) identify(procs estimate.Processors, q *question) (string, error) {
	var w bytes.Buffer
	w.Write(q.data)
	enc := json.NewEncoder(&w)
	goal := o.goal
	goal.Progress, goal.Save, goal.State, goal.Price = nil, nil, nil, nil
	goal.Sound = nil
	tries, err := triesOf(procs)
	if err != nil {
		return "", err
	}
	for _, x := range []any{
		q.Root, procs.Platform, procs.Costs, procs.ClockMHz, procs.Overheads, tries, o.serial,
		goal.Algorithm, goal.Objective, goal.Pareto, goal.Constraints, goal.Seed, goal.Evaluations, goal.Time, goal.KeepNested, goal.Depths,
	} {
		if err := enc.Encode(x); err != nil {
			return "", fmt.Errorf("--state %s: %w", o.state, err)
		}
	}
	return fmt.Sprintf("%x", sha256.Sum256(w.Bytes())), nil
}

// triesOf lists what is taken by each way in which a search makes a loop.
func triesOf(procs estimate.Processors) (all []estimate.Taken, err error) {
	for p := range procs.Platform.Processors {
		for _, l := range procs.Made(p) {
			made := func(loop string) bool { return loop == l.Loop }
			all = append(all, procs.Makes(p, made))
			for _, d := range l.Tries {
				t, err := procs.MakesOtherwise(p, mapping.Design{d}, made)
				if err != nil {
					return nil, err
				}
				all = append(all, t)
			}
		}
	}
	return all, nil
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
