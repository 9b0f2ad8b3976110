package shim

// This file reads references to components: "shim:board.xml?figure=pitch#cpu0".

import (
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"pathspan/procmodels"
)

func init() { procmodels.RegisterScheme("shim", open) }

// open opens FILE[?OPTIONS][#COMPONENT]. Options are figure=latency|pitch,
// case=all|typical|best|worst and memory=NAME, joined by "&".
func open(ref, dir string) (procmodels.Model, error) {
	file, component, _ := strings.Cut(ref, "#")
	var opt Options
	if path, query, ok := strings.Cut(file, "?"); ok {
		file = path
		var err error
		if opt, err = parseOptions(query); err != nil {
			return nil, fmt.Errorf("model shim:%s: %w", clip(ref), err)
		}
	}
	if file == "" {
		return nil, fmt.Errorf("model shim:%s: it names no file; write shim:FILE#COMPONENT", clip(ref))
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return OpenWith(file, component, opt)
}

func parseOptions(query string) (Options, error) {
	var opt Options
	values, err := url.ParseQuery(query)
	if err != nil {
		return opt, fmt.Errorf("options %q: want figure=pitch&case=worst", clip(query))
	}
	pick := func(key string, words ...string) (int, error) {
		v := values[key]
		delete(values, key)
		if len(v) == 0 {
			return 0, nil
		}
		i := slices.Index(words, v[0])
		if len(v) > 1 || i < 0 {
			return 0, fmt.Errorf("option %s=%s: want one of %s", key, clip(v[0]), strings.Join(words, ", "))
		}
		return i, nil
	}
	figure, err := pick("figure", Latency.String(), Pitch.String())
	if err != nil {
		return opt, err
	}
	which, err := pick("case", All.String(), Typical.String(), Best.String(), Worst.String())
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
	opt = Options{Figure: Figure(figure), Case: Case(which)}
	if len(memory) == 1 && memory[0] != "none" {
		opt.Memory = memory[0]
	}
	return opt, nil
}
