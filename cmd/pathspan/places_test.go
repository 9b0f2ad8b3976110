package main

// This file holds what explore finds for tasks against every mapping of a small program: where its
// section is, how many processors execute tasks, and which of them those of each place.

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

func testPlaces(t *testing.T, dir string) {
	source := filepath.Join("testdata", "figures", "places.c")
	bundle := filepath.Join(dir, "places.pspan")
	succeed(t, "profile", "-q", "-o", bundle, source)
	two := writeText(t, dir, "places2.yaml", `processors:
  - {name: cpu0, model: generic, clock_mhz: 100}
  - {name: cpu1, model: arm922t, clock_mhz: 170}
overheads: {create: 60, sync: 20, task: 25, undeferred: 10, steal: 40}
`)
	for n, flags := range map[int][]string{2: {"--platform", two}, 3: {"-p", "3"}} {
		best := filepath.Join(dir, fmt.Sprintf("places-best%d.yaml", n))
		var out struct {
			Searches []struct {
				Proven bool
				Best   struct {
					Seconds float64 `json:"parallel_seconds"`
				}
			}
		}
		text := succeed(t, append([]string{"explore", bundle, "--json", "--serial", "cpu0", "-o", best}, flags...)...)
		if err := json.Unmarshal([]byte(text), &out); err != nil || len(out.Searches) != 1 || !out.Searches[0].Proven {
			t.Fatalf("%v: %s", err, text)
		}
		args := append([]string{bundle, "--technique", "eb", "--samples", "0", "--mapping", best}, flags...)
		for i, m := range everyPlace(n) {
			args = append(args, "--mapping", writeText(t, dir, fmt.Sprintf("places%d-%d.yaml", n, i), m))
		}
		all, _ := estimatesOf(t, args...)
		found := out.Searches[0].Best.Seconds
		if got := all[0].ParallelSeconds; !near(got, found, oneAnswer) {
			t.Errorf("%d processors: explore promises %g s, estimate says %g s", n, found, got)
		}
		least, kept := all[1], 0
		for _, r := range all[1:] {
			if r.ParallelSeconds < least.ParallelSeconds {
				least = r
			}
			if r.ParallelSeconds != all[1].ParallelSeconds {
				kept++
			}
		}
		if least.ParallelSeconds < found*(1-oneAnswer) || kept < len(all)/2 {
			t.Errorf("%d processors: %s takes %g s, and what is proven optimal %g s; %d of %d mappings differ", n, least.Mapping, least.ParallelSeconds, found, kept, len(all))
		}
		var replayed struct{ Estimates []estimated }
		text = succeed(t, append(append([]string{"replay", "--json", "--mapping", best}, flags...), source)...)
		if err := json.Unmarshal([]byte(text), &replayed); err != nil || !near(replayed.Estimates[0].ParallelSeconds, found, 0.005) {
			t.Errorf("%d processors: explore promises %g s: %v, %s", n, found, err, text)
		}
	}
}

// everyPlace returns mapping files with every place of the section of places.c, every team that
// begins with the first processor, and every set of processors for each place that makes tasks.
func everyPlace(processors int) (files []string) {
	names := func(set int) string {
		var on []string
		for p := range processors {
			if set>>p&1 == 1 {
				on = append(on, fmt.Sprintf("cpu%d", p))
			}
		}
		return strings.Join(on, ", ")
	}
	for section := range processors {
		for team := 1; team <= processors; team++ {
			for first := 1; first < 1<<processors; first++ {
				for second := 1; second < 1<<processors; second++ {
					files = append(files, fmt.Sprintf("serial: cpu0\nregions:\n  places.c:main#1:\n    cpu%d: [1]\n    tasks: [%s]\ntasks:\n  places.c:main/task1: [%s]\n  places.c:main/task2: [%s]\n",
						section, names(1<<team-1), names(first), names(second)))
				}
			}
		}
	}
	return files
}
