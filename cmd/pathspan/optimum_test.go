package main

// This file holds what explore proves against exact replay of every other mapping.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// No mapping takes less time by replay than what explore calls optimal, on programs whose
// mappings can all be tried.
func testOptimum(t *testing.T, dir string, at func(string) string) {
	for _, name := range []string{"sizes", "handler", "recursion", "nested"} {
		p := profiledPrograms[0]
		for _, x := range profiledPrograms {
			if x.name == name {
				p = x
			}
		}
		for _, n := range map[bool][]int{false: {2, 3}, true: {2}}[name == "nested"] {
			best := filepath.Join(dir, name+"-best.yaml")
			var out struct {
				Searches []struct {
					Proven bool
					Best   struct {
						Seconds float64 `json:"parallel_seconds"`
					}
				}
			}
			text := succeed(t, "explore", at(name), "-p", strconv.Itoa(n), "--json", "-o", best)
			if err := json.Unmarshal([]byte(text), &out); err != nil || len(out.Searches) != 1 || !out.Searches[0].Proven {
				t.Fatalf("%v: %s", err, text)
			}
			args := []string{"replay", "--json", "-p", strconv.Itoa(n), "--mapping", best}
			for i, text := range everyMapping(t, at(name), n) {
				file := filepath.Join(dir, fmt.Sprintf("%s-%d.yaml", name, i))
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				args = append(args, "--mapping", file)
			}
			var replayed struct{ Estimates []estimated }
			text = succeed(t, append(args, p.command()...)...)
			if err := json.Unmarshal([]byte(text), &replayed); err != nil || len(replayed.Estimates) < 5 {
				t.Fatalf("%v: %s", err, text)
			}
			exact := replayed.Estimates[0].ParallelSeconds
			if got := out.Searches[0].Best.Seconds; !near(got, exact, 0.001) {
				t.Errorf("%s on %d processors: explore promises %g s, replay says %g s", name, n, got, exact)
			}
			for _, r := range replayed.Estimates {
				if r.ParallelSeconds < exact*(1-0.001) {
					t.Errorf("%s on %d processors: %s takes %g s, and what is proven optimal %g s", name, n, r.Mapping, r.ParallelSeconds, exact)
				}
			}
		}
	}
}

// everyMapping returns mapping files with every placement of every section, and with each
// region left out, which lets it stay on its processor where it is met inside another.
func everyMapping(t *testing.T, bundle string, processors int) (files []string) {
	t.Helper()
	regions := regionsOf(t, bundle)
	sections := 0
	for _, r := range regions {
		sections += len(r.Sections)
	}
	place := make([]int, sections)
	for {
		var text strings.Builder
		text.WriteString("serial: cpu0\nregions:\n")
		s := 0
		for _, r := range regions {
			lists := make([][]string, processors)
			for k := range r.Sections {
				lists[place[s]] = append(lists[place[s]], strconv.Itoa(k+1))
				s++
			}
			fmt.Fprintf(&text, "  %s:\n", r.Name)
			for p, list := range lists {
				if list != nil {
					fmt.Fprintf(&text, "    cpu%d: [%s]\n", p, strings.Join(list, ", "))
				}
			}
		}
		files = append(files, text.String())
		for r := range regions {
			if allOnFirst(place, regions, r) { // once for each placement of the others
				files = append(files, without(text.String(), regions[r].Name))
			}
		}
		i := 0
		for ; i < sections && place[i] == processors-1; i++ {
			place[i] = 0
		}
		if i == sections {
			return files
		}
		place[i]++
	}
}

// allOnFirst reports whether all sections of a region are placed on the first processor.
func allOnFirst(place []int, regions []region, r int) bool {
	first := 0
	for _, before := range regions[:r] {
		first += len(before.Sections)
	}
	return !slices.ContainsFunc(place[first:first+len(regions[r].Sections)], func(p int) bool { return p > 0 })
}

// without takes a region out of a mapping file.
func without(text, name string) string {
	before, rest, _ := strings.Cut(text, "  "+name+":\n")
	for strings.HasPrefix(rest, "    ") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	if !strings.Contains(before+rest, "    cpu") {
		return "serial: cpu0\n"
	}
	return before + rest
}
