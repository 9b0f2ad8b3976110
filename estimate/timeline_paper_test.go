package estimate_test

// This file holds the timelines of the paper's example, as compiled at -O0, against
// Tables 16b and 17b.

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/estimate/account"
	"pathspan/profile"
)

func TestTimelinesOfThePaper(t *testing.T) {
	for _, situation := range []string{"a", "b"} {
		b, err := profile.ReadFile("../cmd/pathspan/testdata/fun0" + situation + ".pspan")
		if err != nil {
			t.Fatal(err)
		}
		e, m := onPaperPlatform(t, b, "solB.yaml")
		all, err := account.Timelines(e, m, estimate.PathBased, 0)
		if err != nil || len(all) != 1 {
			t.Fatalf("(%s): %d timelines, %v", situation, len(all), err)
		}
		cycles := func(seconds float64) float64 { return math.Round(seconds*e.ClockMHz[0]*1e12) / 1e6 }
		seen := map[string]bool{}
		for _, p := range all[0].Rows {
			// The stops of Task1, Task2a and Task2b, Task3, from the fork at cycle 1 on.
			var stops [3]float64
			for _, bar := range p.Bars {
				stops[bar.Section] = max(stops[bar.Section], cycles(bar.Stop))
			}
			seen[fmt.Sprintf("%g x %g: %g %g %g", p.Count, cycles(p.Seconds), stops[0], stops[1], stops[2])] = true
		}
		for id, p := range level0Paths {
			if p.count[situation] == 0 {
				continue
			}
			stop := strings.Fields(p.stop) // Entry, Task0, Task1, Task2a, Task2b, Task3, Task4, Exit
			var at [6]float64
			for i := range at {
				fmt.Sscan(stop[i], &at[i])
			}
			want := fmt.Sprintf("%g x %g: %g %g %g", float64(p.count[situation])/10, max(at[4], at[5])-1, at[2]-1, at[4]-1, at[5]-1)
			if !seen[want] {
				t.Errorf("(%s): path %s of the paper, %s, is not among %v", situation, id, want, seen)
			}
		}
		if len(seen) != 2 {
			t.Errorf("(%s): paths %v, the paper has two", situation, seen)
		}
	}
}
