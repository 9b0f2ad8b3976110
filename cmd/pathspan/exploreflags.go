package main

// This file holds the flags of explore, and the platforms that they ask for.

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"pathspan/explore"
	"pathspan/mapping"
	"pathspan/yamlstrict"
)

type exploreFlags struct {
	targetFlags
	all, sweeps                          []string
	algorithm, objective, budget, serial string
	pareto, pin, forbid, memory, demand  []string
	constraints, state, output           string
	maxProcessors                        int
	depths                               []int
	minSpeedup                           float64
	technique                            string
	json                                 bool
	goal                                 explore.Options // what they ask for
}

func (o *exploreFlags) add(f *pflag.FlagSet) {
	o.addPlatforms(f, "1,2,4,8")
	f.Var(listFlag{&o.all}, "platforms", "platform `files`, to compare")
	f.StringArrayVar(&o.sweeps, "sweep", nil, "`KEY=V,V...` to try: clock_mhz, create, sync or another overhead; may be repeated")
	addFunction(f, &o.function)
	addTechnique(f, &o.technique, "to go by")
	f.StringVar(&o.algorithm, "algorithm", "auto", "`algorithm`: "+strings.Join(explore.Algorithms(), ", "))
	f.StringVar(&o.budget, "budget", strconv.Itoa(explore.DefaultEvaluations), "`evaluations`, as 100000 or 1e6, or a time, as 30s")
	f.Uint64Var(&o.goal.Seed, "seed", 1, "`seed` of the random choices")
	f.StringVar(&o.objective, "objective", "speedup", "`objective`: speedup, time, processors, energy or area")
	f.StringSliceVar(&o.pareto, "pareto", nil, "two or three `objectives`: find what nothing else is better than in all")
	f.StringVar(&o.serial, "serial", "", "`processor` that runs everything outside sections, or any to try each (default: the first)")
	f.BoolVar(&o.goal.KeepNested, "keep-nested", false, "leave regions within regions on their threads")
	f.StringVar(&o.constraints, "constraints", "", "constraints `file` (YAML)")
	f.Var(listFlag{&o.pin}, "pin", "`SECTION=PROC`: the section runs there; a list")
	f.Var(listFlag{&o.forbid}, "forbid", "`PROC` that runs no section, or SECTION=PROC; a list")
	f.IntVar(&o.maxProcessors, "max-processors", 0, "use at most this `number` of processors")
	f.Var(listFlag{&o.memory}, "memory", "`PROC=BYTES` of memory for its sections; a list")
	f.Var(listFlag{&o.demand}, "demand", "`SECTION=BYTES` that a section takes; a list")
	f.Float64Var(&o.minSpeedup, "min-speedup", 0, "lowest `speed-up` of interest, for other objectives")
	f.IntSliceVar(&o.depths, "depths", nil, "`items` that buffers of pipelines are tried to hold, in place of the plan's; a list")
	f.StringVar(&o.state, "state", "", "`file` that keeps what is done; an interrupted search goes on from it")
	f.StringVarP(&o.output, "output", "o", "", "mapping `file` to write")
	addJSON(f, &o.json, "")
}

// check turns the flags into options.
func (o *exploreFlags) check(f *pflag.FlagSet) error {
	switch {
	case o.platform != "" && o.all != nil:
		return errors.New("--platform and --platforms exclude each other: list all files with --platforms")
	case o.model != "" && (o.platform != "" || o.all != nil):
		return errors.New("--model and --platform exclude each other: the platform file names its processors' models")
	case f.Changed("max-processors") && o.maxProcessors < 1:
		return fmt.Errorf("--max-processors %d: want 1 or more", o.maxProcessors)
	case f.Changed("min-speedup") && !(o.minSpeedup > 0 && !math.IsInf(o.minSpeedup, 0)):
		return fmt.Errorf("--min-speedup %g: want a number above 0", o.minSpeedup)
	case f.Changed("objective") && o.pareto != nil:
		return errors.New("--objective and --pareto exclude each other: list all objectives with --pareto")
	}
	for _, d := range o.depths {
		if d < 1 || d > mapping.MostDepth {
			return fmt.Errorf("--depths %d: want 1 to %d items", d, mapping.MostDepth)
		}
	}
	g := &o.goal
	g.Depths = o.depths
	g.Algorithm = o.algorithm
	if !slices.Contains(explore.Algorithms(), o.algorithm) {
		return fmt.Errorf("--algorithm %q: want %s", o.algorithm, strings.Join(explore.Algorithms(), ", "))
	}
	var err error
	if g.Objective, err = explore.ParseObjective(o.objective); err != nil {
		return fmt.Errorf("--objective %w", err)
	}
	for _, name := range o.pareto {
		x, err := explore.ParseObjective(name)
		if err != nil {
			return fmt.Errorf("--pareto %w", err)
		}
		g.Pareto = append(g.Pareto, x)
	}
	if n := len(o.pareto); f.Changed("pareto") && (n < 2 || n > 3) {
		return errors.New("--pareto: name two or three objectives, as speedup,energy")
	}
	if err := o.parseBudget(); err != nil {
		return err
	}
	if !f.Changed("budget") {
		o.goal.Evaluations = 0 // as many as the program is worth
	}
	return o.readConstraints()
}

// parseBudget reads a number of evaluations or a time.
func (o *exploreFlags) parseBudget() error {
	if n, err := strconv.ParseFloat(o.budget, 64); err == nil {
		if !(n >= 1 && n <= 1e15) || n != math.Trunc(n) {
			return fmt.Errorf("--budget %s: want a whole number of evaluations from 1 to 1e15", o.budget)
		}
		o.goal.Evaluations = int64(n)
		return nil
	}
	d, err := time.ParseDuration(o.budget)
	if err != nil || d <= 0 {
		return fmt.Errorf("--budget %q: want evaluations, as 100000 or 1e6, or a time, as 30s or 2m", o.budget)
	}
	o.goal.Time = d
	return nil
}

// readConstraints puts the file and the flags together.
func (o *exploreFlags) readConstraints() error {
	c := &o.goal.Constraints
	if o.constraints != "" {
		file, err := explore.LoadConstraints(o.constraints)
		if err != nil {
			return fileError("--constraints", o.constraints, err)
		}
		*c = *file
	}
	for _, text := range o.pin {
		section, processor, ok := lastCut(text)
		if !ok {
			return fmt.Errorf("--pin %q: want SECTION=PROC", text)
		}
		c.Pin = append(c.Pin, explore.Rule{Section: section, Processor: processor, Where: "--pin " + text})
	}
	for _, text := range o.forbid {
		section, processor, ok := lastCut(text)
		if !ok {
			section, processor = "", text
		}
		c.Forbid = append(c.Forbid, explore.Rule{Section: section, Processor: processor, Where: "--forbid " + text})
	}
	amounts := func(flag string, texts []string, least float64, to *[]explore.Amount) error {
		for _, text := range texts {
			name, bytes, ok := lastCut(text)
			n, err := strconv.ParseFloat(bytes, 64)
			if !ok || err != nil || !(n >= least && n <= 1<<53) || n != math.Trunc(n) {
				return fmt.Errorf("--%s %q: want NAME=BYTES, %g bytes or more", flag, text, least)
			}
			*to = append(*to, explore.Amount{Name: name, Bytes: n, Where: "--" + flag + " " + text})
		}
		return nil
	}
	if err := amounts("memory", o.memory, 1, &c.Memory); err != nil {
		return err
	}
	if err := amounts("demand", o.demand, 0, &c.Demand); err != nil {
		return err
	}
	if o.maxProcessors > 0 {
		c.MaxProcessors = o.maxProcessors
	}
	if o.minSpeedup > 0 {
		c.MinSpeedup = o.minSpeedup
	}
	return nil
}

// lastCut cuts a text at its last equals sign.
func lastCut(text string) (name, value string, ok bool) {
	i := strings.LastIndex(text, "=")
	if i <= 0 || i+1 == len(text) {
		return "", "", false
	}
	return text[:i], text[i+1:], true
}

// serialOf finds the processor that runs everything outside sections.
func (o *exploreFlags) serialOf(pl *mapping.Platform) (serial int, any bool, err error) {
	switch p := pl.Index(o.serial); {
	case o.serial == "":
		return 0, false, nil
	case p >= 0:
		return p, false, nil
	case o.serial == "any":
		return 0, true, nil
	}
	names := []string{"any"}
	for i := range pl.Processors {
		names = append(names, pl.Processors[i].Name)
	}
	return 0, false, fmt.Errorf("--serial %q: want one of %s", o.serial, yamlstrict.List(names))
}

// named is a platform and the name that it is shown by.
type named struct {
	name     string
	platform *mapping.Platform
}

// platforms returns the platforms asked for: every file or number of processors with
// every value that is swept.
func (o *exploreFlags) platforms() ([]named, error) {
	var all []named
	files := o.all
	if files == nil {
		files = []string{o.platform}
	}
	for _, path := range files {
		of := targetFlags{platform: path, model: o.model, processors: o.processors}
		list, err := of.platforms(1, 2, 4, 8)
		if err != nil {
			return nil, err
		}
		for _, pl := range list {
			name := pl.Name
			if path != "" {
				name = filepath.Base(path)
			}
			if path != "" && o.processors != nil {
				name = fmt.Sprintf("%s -p %d", name, len(pl.Processors))
			}
			all = append(all, named{name, pl})
		}
	}
	for _, text := range o.sweeps {
		var err error
		if all, err = sweep(all, text); err != nil {
			return nil, err
		}
	}
	if len(all) > maxPlatforms {
		return nil, fmt.Errorf("%d platforms are asked for: want %d at most", len(all), maxPlatforms)
	}
	if len(all) > 1 {
		switch {
		case o.state != "":
			return nil, errors.New("--state keeps the search of one platform; name one")
		case o.output != "":
			return nil, errors.New("-o writes the mapping for one platform; name one")
		case o.goal.Pareto != nil:
			return nil, errors.New("--pareto is for one platform; name one")
		}
	}
	return all, nil
}

// sweptWords lists what can be swept, as a sweep begins.
func sweptWords() []string {
	all := []string{"clock_mhz=", "create=", "sync="}
	for _, k := range mapping.OverheadKinds {
		all = append(all, k.Key+"=")
	}
	return all
}

// sweep returns the platforms with each value of a key.
func sweep(all []named, text string) ([]named, error) {
	key, values, ok := strings.Cut(text, "=")
	if !ok || !slices.Contains(sweptWords(), key+"=") {
		return nil, fmt.Errorf("--sweep %q: want %s and values", text, strings.Join(sweptWords(), ", "))
	}
	var out []named
	for _, pl := range all {
		for _, v := range strings.Split(values, ",") {
			low, high := 0.0, mapping.MaxOverhead
			if key == "clock_mhz" {
				low, high = mapping.MinClockMHz, mapping.MaxClockMHz
			}
			x, err := strconv.ParseFloat(v, 64)
			if err != nil || !(x >= low && x <= high) {
				return nil, fmt.Errorf("--sweep %q: %q is no number that %s can have: want one from %g to %g", text, v, key, low, high)
			}
			p := *pl.platform
			switch key {
			case "clock_mhz":
				p.Processors = slices.Clone(p.Processors)
				for i := range p.Processors {
					p.Processors[i].ClockMHz = x
				}
			case "create":
				p.Create, p.CreateDefaulted = x, false
			case "sync":
				p.Sync, p.SyncDefaulted = x, false
			}
			for _, k := range mapping.OverheadKinds {
				if k.Key == key {
					*k.Of(&p.Other) = mapping.Overhead{Cycles: x, Given: true}
				}
			}
			out = append(out, named{fmt.Sprintf("%s %s=%s", pl.name, key, v), &p})
		}
	}
	return out, nil
}
