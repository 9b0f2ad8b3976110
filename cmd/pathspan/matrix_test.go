package main

// This file crosses bundles, models, platforms, numbers of processors, mappings, techniques
// and commands: each combination gives the figures that estimate gives, or one clear line.
// As all of them are too many, any two choices meet in one that is tried;
// PATHSPAN_TEST_ALL=1 tries all.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// platformKinds are the sorts of platforms: equal processors by flags, and files of
// processors with different clocks, of different models, with caches before main memory that serves
// one at a time, and with local memories on a bus.
var platformKinds = []string{"equal", "clocks", "models", "caches", "local"}

var matrixCounts = []int{1, 2, 3, 8}

func testMatrix(t *testing.T, dir string, at func(string) string) {
	models, plugins := shippedModels(t, dir)
	var bundles []string
	for _, p := range profiledPrograms {
		bundles = append(bundles, p.name)
	}
	if os.Getenv("PATHSPAN_TEST_ALL") != "" {
		for b, bundle := range bundles {
			t.Run(bundle, func(t *testing.T) {
				testAllCells(t, dir, at, bundle, bundles[(b+1)%len(bundles)], models, plugins)
			})
		}
		return
	}
	models, plugins = slices.Concat(models, plugins[:min(1, len(plugins))]), plugins[min(1, len(plugins)):] // the first starts quickly
	for _, row := range coverPairs([]int{len(bundles), len(models), len(platformKinds), len(matrixCounts), 2, 2, len(matrixTechniques), len(bundleCommands)}) {
		bundle, other := bundles[row[0]], bundles[(row[0]+1+row[1]%(len(bundles)-1))%len(bundles)]
		c := newCell(t, dir, at, bundle, other, models[row[1]], row[2], matrixCounts[row[3]], row[4] == 1, matrixTechniques[row[6]])
		if row[5] == 1 {
			c.inRegion(t, at)
		}
		c.check(t, at, bundleCommands[row[7]])
	}
	// What builds the programs again, and what starts other programs, is slow.
	for i, p := range profiledPrograms {
		if p.merged == nil && p.flags == nil {
			model, kind, mapped := models[i%len(models)], i%len(platformKinds), i%2 == 1
			if slices.Contains(wholeRuns, p.name) {
				model, kind, mapped = "generic", i%2, false // where it is to be EB's figure
			}
			newCell(t, dir, at, p.name, "", model, kind, matrixCounts[1+i%3], mapped, "pb").check(t, at, "replay")
		}
	}
	newCell(t, dir, at, "sizes", "", "generic", 0, 2, false, "pb").check(t, at, "measure")
	newCell(t, dir, at, "nested", "", "leon3", 1, 3, false, "pb").check(t, at, "validate")
	for _, ref := range plugins {
		newCell(t, dir, at, "nested", "", ref, 2, 2, true, "eb").check(t, at, "report json")
	}
}

// testAllCells tries a bundle with everything, slow models with one number of processors
// and one technique.
func testAllCells(t *testing.T, dir string, at func(string) string, bundle, other string, models, slow []string) {
	for _, model := range append(models[:len(models):len(models)], slow...) {
		counts, techniques, choices := matrixCounts, matrixTechniques, 4
		if slices.Contains(slow, model) {
			counts, techniques, choices = []int{2}, techniques[:1], 1
		}
		for k := range platformKinds {
			for _, n := range counts {
				for choice := range choices { // of mapping and function
					for i, technique := range techniques {
						c := newCell(t, dir, at, bundle, other, model, k, n, choice%2 == 1, technique)
						if choice >= 2 {
							c.inRegion(t, at)
						}
						for _, name := range bundleCommands {
							if i == 0 || takesTechnique[name] {
								c.check(t, at, name)
							}
						}
						if i > 0 || n != 2 || choice >= 2 { // platforms change the figures of these, and how they build does not
							continue
						}
						for _, name := range sourceCommands {
							if name != "measure" || k == 0 && model == models[0] {
								c.check(t, at, name)
							}
						}
					}
				}
			}
		}
	}
}

// takesTechnique tells commands whose output depends on the cell's technique.
var takesTechnique = map[string]bool{
	"estimate": true, "serve": true, "report html": true, "report md": true, "report json": true, "diff": true, "diff json": true,
}

// newCell makes a cell, and the files that it names.
func newCell(t *testing.T, dir string, at func(string) string, bundle, other, model string, kind, count int, mapped bool, technique string) *cell {
	t.Helper()
	c := &cell{bundle: bundle, other: other, dir: dir, model: model, count: count, technique: technique}
	if platformKinds[kind] == "equal" {
		c.target = []string{"-p", strconv.Itoa(count), "--model", model}
	} else {
		c.target = []string{"--platform", writePlatform(t, dir, platformKinds[kind], model), "-p", strconv.Itoa(count)}
	}
	if mapped {
		c.other = "" // whose regions have other names
		var err error
		if c.mapping, err = writeMapping(dir, at(bundle), c.target, count); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// inRegion estimates the function that holds the first region in place of main.
func (c *cell) inRegion(t *testing.T, at func(string) string) {
	t.Helper()
	if regions := regionsOf(t, at(c.bundle)); len(regions) > 0 {
		c.other, c.function = "", regions[0].function()
	}
}

// writePlatform writes a platform of as many processors as cells use at most. Clocks that
// differ by no simple ratio make sums of times awkward, as those of boards are.
func writePlatform(t *testing.T, dir, kind, model string) string {
	t.Helper()
	text := "processors:\n"
	for i := range slices.Max(matrixCounts) {
		m, more := model, ""
		switch {
		case kind != "equal" && kind != "models":
			more = fmt.Sprintf(", clock_mhz: %d, power: {active: 0.%d, idle: 0.01}", 133+71*((i*5)%4), i+1)
		case i%2 == 1 && model == "arm922t":
			m = "c6000"
		case i%2 == 1:
			m = "arm922t"
		}
		text += fmt.Sprintf("  - {name: p%d, model: %q%s}\n", i, m, more)
	}
	if kind == "clocks" {
		text += "overheads: {create: 70, sync: 15, fork: 200, join: 30, dispatch: 9, lock: 5, atomic: 27, reduction: 21, barrier: 11, task: 13, undeferred: 7, steal: 17, team_of_one: 3}\n"
	}
	switch kind {
	case "caches":
		text += `memory:
  levels:
    - {name: L1, size: 1024, line: 64, ways: 2}
    - {name: L2, size: 4096, line: 64, latency_ns: 19, shared: true, processors: [p0, p1, p2]}
  main: {dram: {ras_ns: 35, rcd_ns: 14, cas_ns: 14, rp_ns: 14, data_bits: 8, data_mhz: 200}}
`
	case "local":
		text += `memory:
  levels: [{name: L1, size: 1024, line: 64, ways: 2, processors: [p0, p1, p4, p5, p6, p7]}]
  local: [{name: L2, size: 1048576, latency_ns: 7, processors: [p1]}, {name: pad, size: 1048576, processors: [p3]}, {name: none, copies: none, processors: [p2]}]
  main: {latency_ns: 60}
interconnect:
  bus: {mhz: 100, latency: 4, bytes_per_cycle: 2}
`
	}
	name := strings.Map(func(r rune) rune {
		if strings.ContainsRune("/:?#.=", r) {
			return '_'
		}
		return r
	}, model)
	path := filepath.Join(dir, kind+"-"+filepath.Base(name)+".yaml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// shippedModels lists the models that come with pathspan, one of each kind that files make,
// and the plugins whose tools are there.
func shippedModels(t *testing.T, dir string) (models, plugins []string) {
	t.Helper()
	var list struct{ Models []struct{ Name string } }
	if err := json.Unmarshal([]byte(succeed(t, "model", "list", "--json")), &list); err != nil || len(list.Models) < 6 {
		t.Fatalf("%d models: %v", len(list.Models), err)
	}
	for _, m := range list.Models {
		models = append(models, m.Name)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("PATHSPAN_TEST_ALL") == "" { // what a block costs out of order takes longer the wider the window is
		for i, name := range models {
			if name == "pipeline:out-of-order" {
				models[i] = narrowWindow(t, dir, root)
			}
		}
	}
	models = append(models, "uncertain:leon3", "shim:"+filepath.Join(root, "plugins/shim/testdata/twocores20.xml")+"#dsp", filepath.Join(root, "procmodels/fitted/testdata/model.yaml"),
		filepath.Join(root, "procmodels/pipeline/data/cortex-a53.yaml"))
	folder := filepath.Join(dir, "plugins")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", folder+string(filepath.Separator), "./plugins/example-go", "./plugins/llvmmca")
	build.Dir = root
	build.Env = append(os.Environ(), "XDG_CACHE_HOME=") // where go keeps what it built
	if out, err := build.CombinedOutput(); err != nil {
		t.Logf("plugins are left out, as they cannot be built: %v\n%s", err, out)
		return models, nil
	}
	if err := os.Symlink(filepath.Join(root, "plugins", "example-python", "example.py"), filepath.Join(folder, "example-python")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATHSPAN_PLUGINS", folder)
	t.Setenv("PATHSPAN_CACHE", filepath.Join(dir, "costs"))
	for _, ref := range []string{"plugin:example-go", "plugin:llvmmca?cpu=cortex-a53", "plugin:example-python"} {
		if o := pathspan("", "estimate", "-p", "2", "--model", ref, filepath.Join(dir, "plain.pspan")); o.status != 0 {
			t.Logf("%s is left out: %s", ref, strings.TrimSpace(o.stderr))
			continue
		}
		plugins = append(plugins, ref)
	}
	return models, plugins
}

// narrowWindow writes the processor that executes out of order with a window of a tenth.
func narrowWindow(t *testing.T, dir, root string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "procmodels/pipeline/data/out-of-order.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	narrow := regexp.MustCompile(`(?m)^window: \d+`).ReplaceAll(text, []byte("window: 32"))
	if bytes.Equal(narrow, text) {
		t.Fatal("the processor has no window")
	}
	return writeText(t, dir, "narrow.yaml", string(narrow))
}
