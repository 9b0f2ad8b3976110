package shim

// This file reads references to components: "shim:board.xml?figure=pitch#cpu0".

import (
	"cmp"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/procmodels"
	"pathspan/yamlstrict"
)

func init() { procmodels.RegisterScheme("shim", open) }

// options choose which figure of an instruction is its cost.
type options struct {
	// latency counts until the result can be used, as if each instruction waited for the
	// one before: an upper bound for a pipeline, exact where nothing overlaps. It is the
	// default, since it is what people measure and fill in. pitch counts until the next
	// instruction can issue: what an in-order pipeline costs as long as nothing waits for
	// a result, a lower bound.
	figure string
	// With all, the default, the typical value is the cost, the best and the worst one its
	// range. The others take one value for certain: typical, best, worst.
	which string
	// memory names the memory whose access latency loads and stores pay as well: a
	// sub-space or a slave component, by name or id; "" for none.
	memory string
}

var (
	kinds = []string{"latency", "pitch"}
	cases = []string{"all", "typical", "best", "worst"}
)

// of picks the figure from the two that the file gives, in cycles. Best and worst are
// the typical value where one value is asked for.
func (o options) of(pitch, latency Range) Range {
	r := latency
	if o.figure == "pitch" {
		r = pitch
	}
	if o.which == "all" {
		return r
	}
	x := map[string]float64{"typical": r.Typical, "best": r.Best, "worst": r.Worst}[o.which]
	return Range{x, x, x}
}

// noun names what the model takes: "latencies", "worst pitches".
func (o options) noun() string {
	noun := map[string]string{"latency": "latencies", "pitch": "pitches"}[o.figure]
	if o.which == "all" {
		return noun
	}
	return o.which + " " + noun
}

// open opens FILE[?OPTIONS][#COMPONENT]. Options are figure=latency|pitch,
// case=all|typical|best|worst and memory=NAME, joined by "&". The component is a master by
// name or id; it may be left out where the file has only one with instructions.
func open(ref, dir string) (procmodels.Model, error) {
	file, component, _ := strings.Cut(ref, "#")
	file, query, _ := strings.Cut(file, "?")
	opt, err := parseOptions(query)
	if err != nil {
		return nil, fmt.Errorf("model shim:%s: %w", clip(ref), err)
	}
	if file == "" {
		return nil, fmt.Errorf("model shim:%s: it names no file; write shim:FILE#COMPONENT", clip(ref))
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	sys, _, err := Load(file)
	if err != nil {
		return nil, err
	}
	m, err := sys.component(file, component)
	if err != nil {
		return nil, err
	}
	return newModel(file, sys, m, opt)
}

func parseOptions(query string) (options, error) {
	var opt options
	values, err := url.ParseQuery(query)
	if err != nil {
		return opt, fmt.Errorf("options %q: want figure=pitch&case=worst", clip(query))
	}
	pick := func(key string, words []string) string {
		v := values[key]
		delete(values, key)
		if len(v) == 0 {
			return words[0]
		}
		if len(v) > 1 || !slices.Contains(words, v[0]) {
			err = cmp.Or(err, fmt.Errorf("option %s=%s: want one of %s", key, clip(v[0]), strings.Join(words, ", ")))
		}
		return v[0]
	}
	opt.figure, opt.which = pick("figure", kinds), pick("case", cases)
	if err != nil {
		return opt, err
	}
	memory := values["memory"]
	delete(values, "memory")
	if len(memory) > 1 || len(memory) == 1 && memory[0] == "" {
		return opt, fmt.Errorf("option memory=: want the name of one memory")
	}
	if len(values) > 0 {
		return opt, fmt.Errorf("options %q: want figure=, case= and memory= only", clip(query))
	}
	if len(memory) == 1 && memory[0] != "none" {
		opt.memory = memory[0]
	}
	return opt, nil
}

// component picks a master that has instructions.
func (s *System) component(path, want string) (*Master, error) {
	var found, usable []*Master
	var names []string
	for _, m := range s.Masters() {
		bare := m.count() == 0
		switch {
		case bare && want != "" && (want == m.Name || want == m.ID):
			return nil, fmt.Errorf("%s: component %q has no instructions with figures; name one that has", path, clip(want))
		case bare:
			continue
		case want == m.ID:
			return m, nil
		case want == m.Name:
			found = append(found, m)
		}
		usable, names = append(usable, m), append(names, clip(cmp.Or(m.Name, m.ID)))
	}
	switch {
	case len(usable) == 0:
		return nil, fmt.Errorf("%s: no component has instructions with figures (%d without); add a CommonInstructionSet to one", path, len(s.Masters()))
	case want == "" && len(usable) == 1:
		return usable[0], nil
	case want == "":
		return nil, fmt.Errorf("%s: it has several components; name one behind #: %s", path, yamlstrict.List(names))
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, fmt.Errorf("%s: %d components are named %q; give the id of one, such as %s", path, len(found), clip(want), clip(found[0].ID))
	}
	if strings.Contains(want, "?") {
		return nil, fmt.Errorf("%s: no component is named %q; options go before the #: FILE?figure=pitch#COMPONENT", path, clip(want))
	}
	if near := yamlstrict.Nearest(want, names); near != "" {
		return nil, fmt.Errorf("%s: no component is named %q; did you mean %q?", path, clip(want), near)
	}
	return nil, fmt.Errorf("%s: no component is named %q; it has %s", path, clip(want), yamlstrict.List(names))
}
