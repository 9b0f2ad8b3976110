package main

// This file asks all commands about programs on platforms with memory.

import (
	"os"
	"path/filepath"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/mapping"
)

// Sections, loops, regions within regions, locks and tasks on three processors, two of which share a cache, with main
// memory that serves all at once and one at a time.
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
memory:
  levels:
    - {name: L1, size: 1024, line: 64, ways: 2}
    - {name: L2, size: 4096, line: 64, latency: 9, shared: true, processors: [cpu0, cpu1]}
`
	settings := func() (all []setting) {
		for name, main := range map[string]string{"all": "{latency_ns: 90}", "one": "{dram: {ras_ns: 35, rcd_ns: 14, cas_ns: 14, rp_ns: 14, data_bits: 8, data_mhz: 200}}"} {
			file := filepath.Join(dir, name+".yaml")
			if err := os.WriteFile(file, []byte(levels+"  main: "+main+"\n"), 0o644); err != nil {
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
