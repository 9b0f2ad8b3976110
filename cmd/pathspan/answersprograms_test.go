package main

// This file lists the programs that all commands are asked about (answers_test.go).

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pathspan/testdata/bench"
	"pathspan/testdata/programs"
)

// answeredModels are the models that programs are asked about with.
var answeredModels = []string{"generic", "arm922t", "c6000", "cortex-m4"}

// testAnswers asks about a part of all programs, with PATHSPAN_TEST_ALL=1 about all.
func testAnswers(t *testing.T, dir string, at func(string) string) {
	all := os.Getenv("PATHSPAN_TEST_ALL") != ""
	var list []*asked
	add := func(a *asked) {
		if nothingToMap[a.name] || !all && !slices.Contains(usuallyAnswered, a.name) {
			return
		}
		var err error
		models := answeredModels
		if !all { // by turns
			k := 2 * (len(list) % 2)
			models = models[k : k+2]
		}
		if a.settings, err = platformsOf(dir, models); err != nil {
			t.Fatal(err)
		}
		a.seed = uint64(len(list))
		list = append(list, a)
	}
	for _, p := range profiledPrograms {
		add(&asked{name: "figures/" + p.name, bundle: at(p.name), arguments: p.arguments})
	}
	small, err := bench.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range small {
		folder := filepath.Join(dir, "bench-"+p.Name)
		if err := os.MkdirAll(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		sources, err := p.Unpack(folder)
		if err != nil {
			t.Fatal(err)
		}
		a := &asked{name: "bench/" + p.Name, sources: sources, cflags: slices.Clone(p.CFlags), arguments: p.Args(bench.Small)}
		for _, lib := range p.Libs {
			a.cflags = append(a.cflags, "-l"+lib)
		}
		add(a)
	}
	const folder = "../../testdata"
	manifest, err := programs.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range manifest {
		if p.Kind == "feature" && !strings.HasPrefix(p.Name, "openmp/") || p.Stdin != "" {
			continue
		}
		a := &asked{name: p.Name, sources: p.Paths(folder), arguments: p.Small().Args}
		for _, lib := range p.Link {
			a.cflags = append(a.cflags, "-l"+lib)
		}
		add(a)
	}
	askAll(t, dir, list)
}

// usuallyAnswered names programs that are flat, nested, loops, tasks, recursive, of many executions, in
// C++, with threads, with locks, lost, and left amid a region.
var usuallyAnswered = []string{"figures/nested", "figures/loops", "figures/tasks", "figures/taskloops", "figures/planned", "figures/threads", "figures/killed", "figures/mixed", "bench/recursion", "bench/trip_counts", "mixer", "openmp/recursive_region", "openmp/exit_in_section", "openmp/critical", "openmp/atomic", "openmp/mixed_nowait", "packet"}

// nothingToMap names programs without sections that ran.
var nothingToMap = map[string]bool{"figures/plain": true, "openmp/orphaned_sections": true, "openmp/plain_parallel": true}

// notReplayed says why replay does not follow what is in a bundle.
var notReplayed = map[string]string{
	"figures/threads":    "it starts threads of its own",
	"figures/killed":     "it is killed in a section",
	"figures/paths-only": "it keeps no executions",
	"figures/merged":     "it is of two runs",
	"figures/mixed":      "it is of two runs",
}
