package sdk

// This file reads the parameters of a reference: plugin:x?cpu=cortex-a9&load=3.

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

// Parameters are what the user wrote behind the plugin's name. Each that a model asks
// for is declared by asking; Serve refuses the others, and puts those declared into the
// description. What cannot be used is an error that Serve reports, so that a model need
// not check.
type Parameters struct {
	given    map[string]string
	declared []procmodels.Parameter
	err      error // the first
}

// NewParameters are parameters as the user gave them: for tests of models.
func NewParameters(given map[string]string) *Parameters { return &Parameters{given: given} }

// Declared lists the parameters that the model asked for so far, with their values.
func (p *Parameters) Declared() []procmodels.Parameter { return p.declared }

// Text returns the parameter of that name, or def when it was not given. The text says
// what it means, with its unit.
func (p *Parameters) Text(name, def, text string) string {
	value, ok := p.given[name]
	if !ok {
		value = def
	}
	p.declared = append(p.declared, procmodels.Parameter{Name: name, Value: value, Text: text})
	return value
}

// Number is Text for a finite number of 0 or more.
func (p *Parameters) Number(name string, def float64, text string) float64 {
	value := p.Text(name, strconv.FormatFloat(def, 'g', -1, 64), text)
	x, err := strconv.ParseFloat(value, 64)
	if err != nil || !(x >= 0) || math.IsInf(x, 1) {
		p.fail("%s=%s: want a number of 0 or more (%s)", name, value, text)
		return def
	}
	return x
}

// Choice is Text for one of some words, the first of which is the default.
func (p *Parameters) Choice(name string, words []string, text string) string {
	value := p.Text(name, words[0], text)
	if !slices.Contains(words, value) {
		p.fail("%s=%s: want %s", name, value, suggest(value, words))
		return words[0]
	}
	return value
}

func (p *Parameters) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// Err is the first parameter that cannot be used or that nobody asked for, in one line.
func (p *Parameters) Err() error {
	if p.err != nil {
		return p.err
	}
	var known []string
	for _, d := range p.declared {
		known = append(known, d.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(p.given)) {
		if !slices.Contains(known, name) {
			if len(known) == 0 {
				return fmt.Errorf("unknown parameter %q: the model has none", name)
			}
			return fmt.Errorf("unknown parameter %q: want %s", name, suggest(name, known))
		}
	}
	return nil
}

// suggest is what to write instead of word: the nearest of the words, or all.
func suggest(word string, words []string) string {
	if near := yamlstrict.Nearest(word, words); near != "" {
		return strconv.Quote(near)
	}
	return yamlstrict.List(words)
}
