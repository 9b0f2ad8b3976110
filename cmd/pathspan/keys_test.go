package main

// This file holds that every key of platforms, mappings and constraints is used.

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pathspan/build/toolchain"
	"pathspan/yamlstrict/keytest"
)

// twoLoops has a barrier between loops, one of which asks for its chunks and one reduces; the region behind
// them has a team of one on any mapping.
const twoLoops = `
double a[300], b[300], total;
int counted;
int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 300; i++) a[i] += i * 0.5;
#pragma omp for reduction(+ : total)
    for (int i = 0; i < 300; i++) {
      total += a[i];
#pragma omp critical
      b[i] += a[i] * 0.5;
#pragma omp atomic
      counted++;
    }
  }
#pragma omp parallel sections
  {
    b[1] += a[7];
  }
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 30; i++) {
#pragma omp task if(i < 20)
    b[i] += a[i];
  }
  return a[7] < 0;
}
`

// halves fills an array of 32 KB and lets two sections add up what each wrote of it before.
const halves = `#include <stdio.h>
double all[4096], sums[2];
static double sum(int from, int to) {
  double x = 0;
  for (int k = 0; k < 4; k++)
    for (int i = from; i < to; i++) x += all[i] *= 0.5;
  return x;
}
int main(void) {
  for (int i = 0; i < 4096; i++) all[i] = i;
  for (int n = 0; n < 3; n++) {
#pragma omp parallel sections
    {
#pragma omp section
      sums[0] = sum(0, 2048);
#pragma omp section
      sums[1] = sum(2048, 4096);
    }
    for (int i = 0; i < 4096; i++) all[i] += sums[i & 1];
  }
  printf("%g\n", sums[0] + sums[1]);
}
`

func TestKeysAreUsed(t *testing.T) {
	const unequal = `processors: [{name: slow, clock_mhz: 100}, {name: fast, clock_mhz: 300}, {name: third, clock_mhz: 250}]`
	dir := t.TempDir()
	write := func(t *testing.T, text string) string {
		name := filepath.Join(dir, "file.yaml")
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	platform := filepath.Join(dir, "unequal.yaml")
	if err := os.WriteFile(platform, []byte(unequal), 0o600); err != nil {
		t.Fatal(err)
	}
	// shows runs commands on a file, the last argument.
	shows := func(commands ...string) func(*testing.T, string) string {
		return func(t *testing.T, text string) (all string) {
			for _, c := range commands {
				o := pathspan("", append(strings.Fields(c), write(t, text))...)
				if problem := o.refusal(); o.status != 0 && problem != "" {
					t.Error(problem)
				}
				all += o.stdout + o.stderr
			}
			return all
		}
	}
	t.Run("platform", func(t *testing.T) {
		if _, err := toolchain.Find(""); err != nil {
			t.Skipf("nothing to compile with: %v", err)
		}
		source, loops := filepath.Join(dir, "loops.c"), filepath.Join(dir, "loops.pspan")
		if err := os.WriteFile(source, []byte(twoLoops), 0o600); err != nil {
			t.Fatal(err)
		}
		succeed(t, "profile", "-o", loops, source)
		text := `schema: pathspan.platform/1
name: board
processors:
  - {name: a, model: generic, clock_mhz: 100, count: 2, power: {active: 2, idle: 1}, memory: 60}
overheads: {create: 50, sync: 10, fork: 5, join: 5, dispatch: 5, lock: 5, atomic: 5, reduction: 5, barrier: 5, team_of_one: 5, task: 5, steal: 5, undeferred: 5}
`
		keytest.Check(t, []string{"../../mapping/platformfile.go"}, text,
			shows("why testdata/fun0a.pspan --function fun_0 --json --platform",
				"explore testdata/fun0a.pspan --function fun_0 --pareto speedup,energy --demand fun0.c:fun_0#1/1=50 --json --platform", "why "+loops+" --json --platform"),
			[]keytest.Change{
				{Key: "schema", Old: "platform/1", New: "platform/2"}, {Key: "name", Old: "name: board", New: "name: other"},
				{Key: "processors", Old: "  - {", New: "  - {name: b}\n  - {"}, {Key: "name", Old: "name: a", New: "name: z"},
				{Key: "model", Old: "generic", New: "arm922t"}, {Key: "clock_mhz", Old: "mhz: 100", New: "mhz: 200"}, {Key: "count", Old: "count: 2", New: "count: 3"},
				{Key: "power", Old: "power: {active: 2, idle: 1}", New: "power: 2"}, {Key: "active", Old: "active: 2", New: "active: 3"}, {Key: "idle", Old: "idle: 1", New: "idle: 1.5"},
				{Key: "memory", Old: "memory: 60", New: "memory: 40"}, {Key: "capacity", Old: "memory: 60", New: "memory: 60, capacity: {DSP: 3}"}, {Key: "fifo", Old: "memory: 60", New: "memory: 60, fifo: {DSP: 3}"}, {Key: "overheads", Old: "overheads: {create: 50, sync: 10, fork: 5, join: 5, dispatch: 5, lock: 5, atomic: 5, reduction: 5, barrier: 5, team_of_one: 5, task: 5, steal: 5, undeferred: 5}", New: ""},
				{Key: "create", Old: "create: 50", New: "create: 500"}, {Key: "sync", Old: "sync: 10", New: "sync: 100"},
				{Key: "fork", Old: "fork: 5", New: "fork: 6"}, {Key: "join", Old: "join: 5", New: "join: 6"}, {Key: "dispatch", Old: "dispatch: 5", New: "dispatch: 6"},
				{Key: "reduction", Old: "reduction: 5", New: "reduction: 6"}, {Key: "barrier", Old: "barrier: 5", New: "barrier: 6"}, {Key: "team_of_one", Old: "team_of_one: 5", New: "team_of_one: 6"},
				{Key: "lock", Old: "lock: 5", New: "lock: 6"}, {Key: "atomic", Old: "atomic: 5", New: "atomic: 6"}, {Key: "task", Old: "task: 5", New: "task: 6"}, {Key: "undeferred", Old: "undeferred: 5", New: "undeferred: 6"}, {Key: "steal", Old: "steal: 5", New: "steal: 6"},
				{Key: "interconnect", Old: "overheads:", New: "interconnect: {kind: bus}\noverheads:"},
				{Key: "memory", Old: "overheads:", New: "memory: {levels: [{name: L1, size: 4096, line: 64}], main: {latency: 9}}\noverheads:"},
			})
	})
	t.Run("memory", func(t *testing.T) {
		if _, err := toolchain.Find(""); err != nil {
			t.Skipf("nothing to compile with: %v", err)
		}
		source, bundle := filepath.Join(dir, "halves.c"), filepath.Join(dir, "halves.pspan")
		if err := os.WriteFile(source, []byte(halves), 0o600); err != nil {
			t.Fatal(err)
		}
		succeed(t, "profile", "--memory", "-o", bundle, source)
		text := `processors: [{name: a, clock_mhz: 1000}, {name: b, clock_mhz: 1000}]
memory:
  levels:
    - {name: L1, size: 4096, line: 64, ways: 4}
    - {name: L2, size: 65536, line: 64, ways: 8, latency: 10, shared: true, processors: [a, b]}
  main: {dram: {ras_ns: 35, rcd_ns: 14, cas_ns: 14, rp_ns: 13, controller_ns: 5, data_bits: 64, data_mhz: 1600, bus_bits: 8, bus_mhz: 400, gb_s: 0.3, latency_ns: 20}}
  elsewhere: {read: 30, write_ns: 40}
`
		keytest.Check(t, []string{"../../mapping/hierarchy/read.go"}, text, shows("why "+bundle+" --json --platform"), []keytest.Change{
			{Key: "elsewhere", Old: "  elsewhere: {read: 30, write_ns: 40}\n", New: ""}, {Key: "read", Old: "read: 30", New: "read: 31"}, {Key: "read_ns", Old: "read: 30", New: "read_ns: 35"},
			{Key: "write_ns", Old: "write_ns: 40", New: "write_ns: 41"}, {Key: "write", Old: "write_ns: 40", New: "write: 45"},
			{Key: "stores", Old: "memory:\n", New: "memory:\n  stores: buffered\n"}, {Key: "levels", Old: "levels", New: "level"}, {Key: "local", Old: "memory:\n", New: "memory:\n  local: [{name: L3, size: 1048576, processors: [b]}]\n"}, {Key: "main", Old: "main: {dram: {ras_ns: 35, rcd_ns: 14, cas_ns: 14, rp_ns: 13, controller_ns: 5, data_bits: 64, data_mhz: 1600, bus_bits: 8, bus_mhz: 400, gb_s: 0.3, latency_ns: 20}}", New: "main: {latency: 50}"},
			{Key: "name", Old: "name: L2", New: "name: L1"}, {Key: "size", Old: "size: 4096", New: "size: 8192"}, {Key: "line", Old: "line: 64, ways: 4", New: "line: 32, ways: 4"},
			{Key: "ways", Old: "ways: 4", New: "ways: 2"}, {Key: "latency", Old: "latency: 10", New: "latency: 11"}, {Key: "latency_ns", Old: "latency: 10", New: "latency_ns: 11"},
			{Key: "shared", Old: "shared: true", New: "shared: false"}, {Key: "processors", Old: ", processors: [a, b]", New: ", processors: [a]"},
			{Key: "dram", Old: "dram: {ras", New: "latency: 3, dram: {ras"}, {Key: "ras_ns", Old: "ras_ns: 35", New: "ras_ns: 350"}, {Key: "rcd_ns", Old: "rcd_ns: 14", New: "rcd_ns: 340"},
			{Key: "cas_ns", Old: "cas_ns: 14", New: "cas_ns: 340"}, {Key: "rp_ns", Old: "rp_ns: 13", New: "rp_ns: 313"}, {Key: "controller_ns", Old: "controller_ns: 5", New: "controller_ns: 305"},
			{Key: "data_bits", Old: "data_bits: 64", New: "data_bits: 1"}, {Key: "data_mhz", Old: "data_mhz: 1600", New: "data_mhz: 10"}, {Key: "bus_bits", Old: "bus_bits: 8", New: "bus_bits: 1"},
			{Key: "bus_mhz", Old: "bus_mhz: 400", New: "bus_mhz: 100"}, {Key: "gb_s", Old: "gb_s: 0.3", New: "gb_s: 0.2"}, {Key: "banks", Old: "bus_bits: 8, bus_mhz: 400, gb_s: 0.3,", New: "banks: 2,"}, {Key: "latency_ns", Old: "latency_ns: 20", New: "latency_ns: 21"},
		})
		text = `processors: [{name: a, clock_mhz: 1000}, {name: b, clock_mhz: 1000}]
memory:
  levels:
    - {name: L1, size: 4096, line: 64, ways: 4}
  local: [{name: L2, size: 1048576, latency: 10, processors: [b], copies: ends}]
  main: {latency_ns: 50}
interconnect:
  bus: {mhz: 100, latency: 10, bytes_per_cycle: 4}
`
		keytest.Check(t, []string{"../../mapping/hierarchy/local.go", "../../mapping/hierarchy/interconnect.go"}, text, shows("why "+bundle+" --json --platform"), []keytest.Change{
			{Key: "name", Old: "name: L2, ", New: ""}, {Key: "size", Old: "size: 1048576", New: "size: 4096"}, {Key: "latency", Old: "latency: 10, processors", New: "latency: 12, processors"},
			{Key: "latency_ns", Old: "latency: 10, processors", New: "latency_ns: 12, processors"}, {Key: "processors", Old: ", processors: [b]", New: ", processors: [a]"},
			{Key: "copies", Old: "size: 1048576, latency: 10, processors: [b], copies: ends", New: "latency: 10, processors: [b], copies: none"},
			{Key: "bus", Old: "bus: {mhz", New: "wires: {mhz"}, {Key: "links", Old: "bus: {mhz: 100, latency: 10, bytes_per_cycle: 4}", New: "links: [{between: [b, main], mhz: 100, latency: 20, bytes_per_cycle: 4}]"},
			{Key: "between", Old: "bus: {mhz: 100, latency: 10, bytes_per_cycle: 4}", New: "links: [{between: [b, a], mhz: 100, latency: 10, bytes_per_cycle: 4}]"},
			{Key: "mhz", Old: "{mhz: 100", New: "{mhz: 200"}, {Key: "bytes_per_cycle", Old: "bytes_per_cycle: 4", New: "bytes_per_cycle: 2"}, {Key: "gb_s", Old: "bytes_per_cycle: 4", New: "gb_s: 0.1"},
		})
		// A bundle that tells nothing of memory, and a platform that does, say so.
		plain := filepath.Join(dir, "plain.pspan")
		succeed(t, "profile", "-o", plain, source)
		for _, args := range [][]string{{"estimate", plain}, {"why", plain}, {"explore", plain}, {"suggest", plain}, {"diff", plain, bundle}} {
			if out := pathspan("", append(args, "--platform", write(t, text))...); out.status != 0 || !strings.Contains(out.stdout+out.stderr, "profile with --memory") {
				t.Errorf("%v: %s%s", args, out.stdout, out.stderr)
			}
		}
	})
	t.Run("what nothing uses", func(t *testing.T) {
		line := fail(t, "estimate", "testdata/fun0a.pspan", "--platform", write(t, "processors: [{name: a}]\ninterconnect: {kind: bus, latency: 8, bytes_per_cycle: 4}\n"))
		if !strings.Contains(line, "file.yaml:2: interconnect connects local memories, and no processor has one: ") {
			t.Error(line)
		}
	})
	t.Run("mapping", func(t *testing.T) {
		text := `schema: pathspan.mapping/1
serial: slow
regions:
  fun0.c:fun_0#1: {fast: [2, 3], slow: [1]}
`
		keytest.Check(t, []string{"../../mapping/mappingfile.go"}, text,
			shows("estimate testdata/fun0a.pspan --function fun_0 --platform "+platform+" --mapping"),
			[]keytest.Change{
				{Key: "schema", Old: "mapping/1", New: "mapping/2"}, {Key: "serial", Old: "serial: slow", New: "serial: fast"},
				{Key: "regions", Old: "fast: [2, 3]", New: "fast: [2]"}, {Key: "a region", Old: "fun_0#1", New: "fun_0#2"},
			}, "a region")
	})
	t.Run("constraints", func(t *testing.T) {
		text := `schema: pathspan.constraints/1
pin: {"fun0.c:fun_0#1/1": slow}
forbid: {third: all}
max_processors: 2
memory: {fast: 60}
demand: {"fun0.c:fun_0#1/2": 30, "fun0.c:fun_0#1/3": 30}
min_speedup: 0.5
`
		keytest.Check(t, []string{"../../explore/constraints.go"}, text,
			shows("explore testdata/fun0a.pspan --function fun_0 --platform "+platform+" --constraints"),
			[]keytest.Change{
				{Key: "schema", Old: "constraints/1", New: "constraints/2"}, {Key: "pin", Old: "#1/1\": slow", New: "#1/1\": fast"}, {Key: "forbid", Old: "third: all", New: "fast: all"},
				{Key: "max_processors", Old: "processors: 2", New: "processors: 1"}, {Key: "memory", Old: "fast: 60", New: "fast: 40"},
				{Key: "demand", Old: "#1/2\": 30", New: "#1/2\": 80"}, {Key: "min_speedup", Old: "speedup: 0.5", New: "speedup: 50"},
			})
	})
}
