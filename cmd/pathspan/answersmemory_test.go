package main

// This file asks all commands about programs on platforms with memory.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/mapping"
)

// Sections, loops, regions within regions, locks and tasks on three processors: two of which share a cache, with main
// memory that serves all at once and one at a time; and with local memories that are filled over a bus, over links, or
// reached by each access.
func TestAnswersWithMemory(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	const levels = `processors:
  - {name: cpu0, clock_mhz: 500}
  - {name: cpu1, clock_mhz: 500}
  - {name: cpu2, model: cortex-a7, clock_mhz: 300}
overheads: {create: 60, sync: 20, fork: 9, join: 5}
`
	const shared = `memory:
  levels:
    - {name: L1, size: 1024, line: 64, ways: 2}
    - {name: L2, size: 4096, line: 64, latency: 9, shared: true, processors: [cpu0, cpu1]}
`
	settings := func() (all []setting) {
		for name, memory := range map[string]string{
			"all":       shared + "  main: {latency_ns: 90}\n",
			"one":       shared + "  main: {dram: {ras_ns: 35, rcd_ns: 14, cas_ns: 14, rp_ns: 14, data_bits: 8, data_mhz: 200}}\n",
			"elsewhere": shared + "  stores: buffered\n  main: {latency_ns: 90}\n  elsewhere: {read: 25, write_ns: 40}\n",
			"bus": `memory:
  levels: [{name: L1, size: 1024, line: 64, ways: 2, processors: [cpu0, cpu1]}]
  local: [{name: L2, size: 262144, latency: 4, processors: [cpu1]}, {name: pad, size: 524288, processors: [cpu2]}]
  main: {dram: {ras_ns: 35, rcd_ns: 14, cas_ns: 14, rp_ns: 14, data_bits: 8, data_mhz: 200}}
interconnect:
  bus: {mhz: 100, latency: 4, bytes_per_cycle: 2}
`,
			"links": `memory:
  local: [{name: pad, size: 524288}]
interconnect:
  links: [{between: [cpu0, cpu1], latency_ns: 30, gb_s: 0.4}, {between: [cpu1, cpu2], latency_ns: 90, gb_s: 0.2}]
`,
			"accesses": `memory:
  levels: [{name: L1, size: 1024, line: 64, ways: 2, processors: [cpu0, cpu1]}]
  local: [{name: pad, copies: none, processors: [cpu2]}]
  main: {latency_ns: 60}
interconnect:
  bus: {latency_ns: 30, gb_s: 0.3}
`,
		} {
			file := filepath.Join(dir, name+".yaml")
			if err := os.WriteFile(file, []byte(levels+memory), 0o644); err != nil {
				t.Fatal(err)
			}
			pl, err := mapping.LoadPlatform(file)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, setting{model: "generic", flags: []string{"-p", "3", "--platform", file}, platform: pl})
		}
		return all
	}
	var all []*asked
	for i, p := range [][]string{
		{"stencil/stencil.c", "32", "20"}, {"dijkstra/dijkstra.c", "20"}, {"bench/own/nested_regions.c", "small"}, {"parallel/matmul.c", "20", "2", "12"},
		{"parallel/histogram.c", "48", "3"}, {"parallel/mergesort.c", "400", "50"},
	} {
		a := &asked{name: "memory/" + p[0], sources: []string{filepath.Join("../../testdata", p[0])}, arguments: p[1:], settings: settings(), memory: true, seed: uint64(i)}
		all = append(all, a)
	}
	askAll(t, dir, all)
}

// Traces and task graphs tell how many bytes move, and who maps a section to a local memory that is too small is told.
func TestLocalMemoriesAreShown(t *testing.T) {
	if _, err := toolchain.Find(""); err != nil {
		t.Skipf("nothing to compile with: %v", err)
	}
	dir := t.TempDir()
	bundle := filepath.Join(dir, "halves.pspan")
	source := filepath.Join(dir, "halves.c")
	if err := os.WriteFile(source, []byte(halves), 0o600); err != nil {
		t.Fatal(err)
	}
	succeed(t, "profile", "--memory", "-o", bundle, source)
	platform := func(size string) string {
		file := filepath.Join(dir, size+".yaml")
		text := "processors: [{name: a, clock_mhz: 100}, {name: b, clock_mhz: 100}]\nmemory:\n  levels: [{name: L1, size: 1024, line: 64, processors: [a]}]\n" +
			"  local: [{name: pad, size: " + size + ", processors: [b]}]\n  main: {latency_ns: 100}\ninterconnect: {bus: {latency_ns: 50, gb_s: 0.4}}\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	large, small := platform("1048576"), platform("64")
	trace := filepath.Join(dir, "x.trace")
	succeed(t, "export", "--format", "chrome", "-o", trace, bundle, "--platform", large)
	data, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	var events struct {
		TraceEvents []struct {
			Name string
			Pid  int
			Args map[string]any
		}
	}
	if err := json.Unmarshal(data, &events); err != nil {
		t.Fatal(err)
	}
	moved := 0
	for _, e := range events.TraceEvents {
		if n, _ := e.Args["bytes_read_of_others"].(float64); e.Name == "fetch" && n > 0 {
			if moved++; e.Pid != 2 {
				t.Errorf("processor %d copies %v", e.Pid, e.Args)
			}
		}
	}
	if moved == 0 {
		t.Error("no event of the trace tells what is copied")
	}
	for name, want := range map[string]string{"x.md": " bytes|", "x.html": " bytes<"} {
		file := filepath.Join(dir, name)
		succeed(t, "report", "-o", file, bundle, "--platform", large)
		if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s: no edge has bytes (%v)", name, err)
		}
	}
	for _, command := range []string{"estimate", "why", "report", "export"} {
		args := []string{command, bundle, "--platform", small}
		switch command {
		case "report":
			args = append(args, "-o", filepath.Join(dir, "y.html"))
		case "export":
			args = append(args, "--format", "csv")
		}
		out := pathspan("", args...)
		if out.status == 0 || !strings.Contains(out.stderr, "processor b has a local memory of 64 bytes (pad), and section 2 of region ") {
			t.Errorf("%s: %s%s", command, out.stdout, out.stderr)
		}
	}
	out := succeed(t, "explore", bundle, "--platform", small)
	if !strings.Contains(out, "OpenMP's mapping is not compared: processor b has a local memory of 64 bytes") || strings.Contains(out, `"b": [`) || strings.Contains(out, "    b: [") {
		t.Error(out)
	}
	if line := fail(t, "explore", bundle, "--platform", small, "--forbid", "a"); !strings.Contains(line, "no local memory of a processor that may run it is as large (b has 64)") {
		t.Error(line)
	}
	if line := fail(t, "explore", bundle, "--platform", small, "--serial", "b"); !strings.Contains(line, "code outside of sections uses") {
		t.Error(line)
	}
}
