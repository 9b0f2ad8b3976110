package report

// This file tests how single figures and lists are worded.

import "testing"

func TestWording(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Cycles(0), "0"}, {Cycles(2648.5), "2,648.5"}, {Cycles(3122.99999999), "3,123"}, {Cycles(0.04), "0"}, {Cycles(0.05), "0.1"},
		{Cycles(999.96), "1,000"}, {Cycles(1234567.8), "1,234,568"}, {Cycles(1 << 62), "4.612e+18"}, {Cycles(999999999999999999), "1.000e+18"}, {Cycles(1e15), "1,000,000,000,000,000"},
		{Cycles(1.5e30), "1.500e+30"}, {Cycles(-2648.5), "-2,648.5"}, {Cycles(-0.04), "0"}, {Signed(-0.04), "+0"}, {Signed(-2), "-2"}, {Signed(1e20), "+1.000e+20"},
		{Seconds(2), "2.000 s"}, {Seconds(0.0026485), "2.648 ms"}, {Seconds(3e-7), "0.300 us"}, {Seconds(9999999999), "9999999999.000 s"}, {Seconds(1e10), "1.000e+10 s"}, {Joules(1e30), "1.000e+30 J"},
		{Percent(0), "0.0%"}, {Percent(0.0004), "<0.1%"}, {Percent(0.725), "72.5%"},
		{group(0), "0"}, {group(999), "999"}, {group(1000), "1,000"}, {group(12345678), "12,345,678"},
		{Times(0), "0 times"}, {Times(1), "once"}, {Times(1000), "1,000 times"}, {TimesAbout(1), "once"}, {TimesAbout(1 << 63), "9.223e+18 times"},
		{Count(1, "path"), "1 path"}, {Count(0, "path"), "0 paths"}, {entries(1), "1 entry"}, {entries(20), "20 entries"},
		{iterations(&InspectLevel{Entries: 1, Average: 1, Max: 1}), "1 iteration"},
		{iterations(&InspectLevel{Entries: 3, Average: 10, Max: 10}), "10 iterations each"},
		{iterations(&InspectLevel{Entries: 3, Average: 7.0 / 3, Max: 4}), "2.333 iterations on average, 4 at most"},
		{iterations(&InspectLevel{Entries: 3, Average: 12345.6, Max: 20000}), "12,346 iterations on average, 20,000 at most"},
		{iterations(&InspectLevel{Entries: 3, Average: 2.5}), "2.5 iterations on average"}, {iterations(&InspectLevel{Entries: 3, Average: 1 << 63, Max: 1 << 63}), "9.223e+18 iterations each"},
		{runText(&InspectRun{Exit: 2, Counted: 1}), "without arguments: exit status 2, 1 path counted"},
		{runText(&InspectRun{exact: []string{"a", "", "b c"}, Exit: -1, Signal: 11, Counted: 5}), `with arguments a "" "b c": ended by signal 11, 5 paths counted`},
		{levelsText(&LevelSummary{Total: 3}), "3 in functions that ran"},
		{levelsText(&LevelSummary{Total: 3, Hashed: 1, Cut: 2}), "3 in functions that ran: 1 hashed, 2 cut"},
		{levelMarks(&InspectLevel{Hashed: true, Collapsed: true}), " (hashed, last traversals counted here)"},
		{levelMarks(&InspectLevel{Degraded: true, Collapsed: true, Cuts: 1}), " (counted by edges)"},
		{shorten("1 2 3", 100), "1 2 3"}, {shorten("100 200 300", 9), "100 200 ..."}, {shorten("100200300", 5), "..."},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
