package explore

// This file reads and writes the state of a search, from which it can go on.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pathspan/estimate/table"
)

const stateSchema = "pathspan.explore.state/1"

// State is what a search has finished: its work items by number.
type State struct {
	Schema string `json:"schema"`
	// Question identifies the search: bundle, platform, options. The caller decides on
	// its form.
	Question string           `json:"question"`
	Items    map[int]*Outcome `json:"items"`
}

// Marshal returns the state as JSON.
func (st *State) Marshal() ([]byte, error) {
	st.Schema = stateSchema
	data, err := json.Marshal(st)
	if err != nil {
		return nil, fmt.Errorf("explore: %w", err)
	}
	return append(data, '\n'), nil
}

// ReadState reads a state that Marshal wrote.
func ReadState(data []byte) (*State, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	st := &State{}
	if err := d.Decode(st); err != nil {
		return nil, fmt.Errorf("not a state of pathspan explore: %w", err)
	}
	if st.Schema != stateSchema {
		return nil, fmt.Errorf("a state of schema %q: want %q", st.Schema, stateSchema)
	}
	for n, o := range st.Items {
		if o == nil || n < 0 || o.Evaluations < 0 {
			return nil, fmt.Errorf("item %d is damaged", n)
		}
	}
	return st, nil
}

// checkState reports the first candidate of a state that is none of the search.
func (s *Search) checkState(st *State) error {
	for n, o := range st.Items {
		other := func(c Candidate) bool { return !s.belongs(&c) }
		if o.Best != nil && other(*o.Best) || slices.ContainsFunc(o.Front, other) || len(o.Parts) > 0 && !s.fits(n, o.Parts) {
			return fmt.Errorf("item %d of the state is damaged", n)
		}
	}
	return nil
}

// fits reports whether parts are choices for the unit of an item.
func (s *Search) fits(number int, parts []Part) bool {
	if s.pieces == nil {
		s.pieces = s.cutUp()
	}
	if number >= len(s.pieces) || s.pieces[number].unit == whole {
		return false
	}
	space := s.problems[s.pieces[number].problem].space
	u := &space.Units[s.pieces[number].unit]
	return !slices.ContainsFunc(parts, func(x Part) bool { return !inRange(x.Genes, space.Genes[u.First:u.First+u.Count]) })
}

// inRange reports whether each gene has a value that it may have.
func inRange(values []int32, genes []table.Gene) bool {
	for i, v := range values {
		if i >= len(genes) || v < 0 || int(v) >= genes[i].Values {
			return false
		}
	}
	return len(values) == len(genes)
}

func (s *Search) belongs(c *Candidate) bool {
	if c.Problem < 0 || c.Problem >= len(s.problems) || math.IsNaN(c.Metrics.Seconds) {
		return false
	}
	return inRange(c.Genes, s.problems[c.Problem].space.Genes)
}
