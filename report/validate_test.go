package report

// This file tests the tables of a validation against text written out.

import (
	"bytes"
	"strings"
	"testing"

	"pathspan/estimate"
	"pathspan/validate/ledger"
)

// accuracyRow makes a row from parallel times, sequential ones being 1000.
func accuracyRow(program, level, technique, reference string, processors int, estimated, real float64) ledger.Row {
	r := ledger.Row{
		Program: program, Size: "small", Level: level, Processors: processors, Technique: technique, Reference: reference, Model: "generic",
		Speedup: 1000 / estimated, SequentialCycles: 1000, ParallelCycles: estimated, SequentialSeconds: 1000, ParallelSeconds: estimated,
	}
	if reference == ledger.Replay {
		r.ReferenceSequentialCycles, r.ReferenceParallelCycles = 1000, real
	} else {
		r.Host, r.ReferenceSequentialSeconds, r.ReferenceParallelSeconds = "board", 800, real
	}
	r.Finish()
	return r
}

func accuracySample() *ledger.Ledger {
	l := &ledger.Ledger{
		Toolchain: "clang", Target: "x86",
		Programs: []ledger.Program{{Name: "jpeg", Group: "paper"}, {Name: "hard", Group: "own", Lost: []string{"loops"}}},
		Regions: []ledger.Region{
			{Program: "hard", Size: "small", Level: "2", Processors: 4, Model: "generic", Region: "hard.c:f:3", Difference: -0.05, SectionShare: 0.8, Causes: []ledger.Cause{
				{Kind: ledger.Loop, Name: "hard.c:5", Share: 0.82, Sections: 1}, {Kind: ledger.Callee, Name: "work", Share: 0.1, Sections: 2}}},
			{Program: "hard", Size: "small", Level: "2", Processors: 4, Model: "generic", Region: "hard.c:g:9", Difference: -0.5, SectionShare: 1.5, Causes: nil},
		},
	}
	for _, n := range []int{2, 4} {
		l.Rows = append(l.Rows,
			accuracyRow("jpeg", "2", "mt", ledger.Replay, n, 250, 500), accuracyRow("jpeg", "2", "pb", ledger.Replay, n, 500, 500),
			accuracyRow("hard", "2", "mt", ledger.Replay, n, 400, 800), accuracyRow("hard", "2", "pb", ledger.Replay, n, 800/1.25, 800))
	}
	l.Rows = append(l.Rows, accuracyRow("jpeg", "2", "pb", ledger.Measured, 2, 500, 500), accuracyRow("jpeg", "2", "pb", ledger.Measured, 4, 500, 500))
	l.Rows[len(l.Rows)-1].ReferenceSpread = 0.03 // which nobody judges by
	l.Sort()
	return l
}

func TestAccuracyText(t *testing.T) {
	var out bytes.Buffer
	if err := AccuracyText(&out, &Accuracy{Ledger: accuracySample(), Notes: []string{"a note"}, Failures: []string{"other -O2: why"}}); err != nil {
		t.Fatal(err)
	}
	got := out.String()
	for _, want := range []string{`Mean absolute error of the speed-up against exact replay, % (standard deviation)
1 benchmark after the paper's, small inputs, model generic

                 2 processors  4 processors
Technique                 -O2           -O2
Maximal Time      100.0 (0.0)   100.0 (0.0)
Path Based        0.00 (0.00)   0.00 (0.00)

All together, % of the speed-up: MT (Maximal Time) 100.00, PB (Path Based) 0.00;
% of the parallel time: MT 50.00, PB 0.00.
`, `1 benchmark after the paper's, small inputs, model generic, on board
`, `All together, % of the speed-up: PB 25.00;
% of the parallel time: PB 0.00.
The model's own error, of the sequential time: 25.00 %.
Of 2 measurements 1 repeated themselves within 2.0%, sequential and parallel (half of the runs lie as near):
jpeg -O2 on 2.
Over these, % of the speed-up: PB 25.00.
`, `Speed-up on 4 processors against exact replay
1 program made to be hard, small inputs, model generic

                                   Maximal Time      Path Based
Benchmark            OL    Real      SU    Err.      SU    Err.
hard                  2   1.250   2.500   100.0   1.562    25.0

OL is`, `                                   Maximal Time      Path Based   Model
Benchmark            OL    Real      SU    Err.      SU    Err.    Err.
jpeg                  2   1.600       -       -   2.000    25.0    25.0
`, `Error over the number of processors, against exact replay

                                     2 processors      4 processors
Benchmark    OL Technique              SU    Err.        SU    Err.
jpeg          2 Real                2.000       -     2.000       -
                Maximal Time        4.000   100.0     4.000   100.0
                Path Based          2.000     0.0     2.000     0.0
`, `hard -O2, model generic, 4 processors: PB +25.0 %
  hard.c:g:9 alone in parallel: -50.0 % of the parallel time; its sections lie within each other
    all that is in its sections is kept by paths or costs the same each time
  hard.c:f:3 alone in parallel: -5.0 % of the parallel time; 80.0% of all cycles are in its sections
    counted with an average: 82.0% in the loop at hard.c:5, 10.0% in calls of work, which 2 sections share; kept: 8.0%

note: a note
failed: other -O2: why
`} {
		if !strings.Contains(got, want) {
			t.Errorf("not in the text:\n%s", want)
		}
	}
	if t.Failed() {
		t.Log(got)
	}
}

// Shares and winners of two rows by hand; of overheads and memory one row each knows nothing.
func TestSharesText(t *testing.T) {
	l := &ledger.Ledger{Programs: []ledger.Program{{Name: "a", Group: "paper"}}}
	for _, n := range []int{2, 4} {
		r := accuracyRow("a", "2", "pb", "board", n, 500, map[int]float64{2: 320, 4: 500}[n])
		r.SetShares([]ledger.Share{{Of: ledger.OfTechnique, Speedup: 0.05}, {Of: ledger.OfBlockCosts, Speedup: float64(n) / 100}, {Of: ledger.OfOverheads, Speedup: -0.04}})
		r.OverheadFactor = 2.5
		l.Rows = append(l.Rows, r)
	}
	l.Winners = l.FindWinners()
	var out bytes.Buffer
	if err := AccuracyText(&out, &Accuracy{Ledger: l}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`Where the error against board comes from, in points of a per cent
1 benchmark after the paper's, small inputs, model generic, on board, Path Based

Benchmark            OL Processors    Error   Technique      Memory Block costs   Overheads        Rest
a                     2          2    -20.0         5.0           -         2.0        -4.0       -23.0
a                     2          4     25.0         5.0           -         4.0        -4.0        20.0
speed-up, mean                          2.5         5.0           -         3.0        -4.0        -1.5
speed-up, mean of absolute values      22.5         5.0           -         3.0         4.0        21.5
sequential time, mean                  25.0         0.0           -        25.0         0.0         0.0
sequential time, absolute values       25.0         0.0           -        25.0         0.0         0.0

`, "\nOverheads are taken 2.5 times: so all programs together come nearest.\n\nShares add up to the error.",
		`Winners against board, model generic: of 3 pairs of runs that really differ by over 5 %, the faster is foreseen by PB 2.
  wrong by PB: a -O2: 2 processors really faster than 4 processors by 56.2 %, estimated 0.0 %
`} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("not in the text:\n%s", want)
		}
	}
	if t.Failed() {
		t.Log(out.String())
	}
}

func TestAgainstText(t *testing.T) {
	old, now := accuracySample(), accuracySample()
	old.Toolchain = "gcc"
	for i := range now.Rows {
		if r := &now.Rows[i]; r.Program == "jpeg" && r.Technique == "pb" && r.Reference == ledger.Replay && r.Processors == 2 {
			*r = accuracyRow("jpeg", "2", "pb", ledger.Replay, 2, 400, 500)
		}
	}
	var out bytes.Buffer
	if err := AgainstText(&out, "old.json", now.Against(old, 0.001)); err != nil {
		t.Fatal(err)
	}
	const want = `Compared with old.json: 10 rows in both
Compiled by gcc for x86, then by clang for x86: the compiler may be what changes the figures.

Reference  Model      Group  Technique      mean before, %  mean after, %     change     rows
replay     generic    paper  Maximal Time          100.000        100.000     +0.000      0/2
replay     generic    paper  Path Based              0.000         12.500    +12.500      1/2
replay     generic    own    Maximal Time          100.000        100.000     +0.000      0/2
replay     generic    own    Path Based             25.000         25.000     +0.000      0/2
measured   generic    paper  Path Based             25.000         25.000     +0.000      0/2

rows: how many of them changed.
worse: jpeg small -O2, 2 processors, pb against replay, model generic: +25.00 %, was +0.00 %
`
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// Of the rows against a board those of programs that judge count, with the model and the technique of the estimate.
func TestReferenceAccuracies(t *testing.T) {
	l := &ledger.Ledger{Programs: []ledger.Program{{Name: "a", Half: "judging"}, {Name: "b", Half: "judging"}, {Name: "c", Half: "making"}}}
	for name, real := range map[string]float64{"a": 320, "b": 500, "c": 100} {
		l.Rows = append(l.Rows, accuracyRow(name, "2", "pb", "board", 2, 500, real), accuracyRow(name, "2", "eb", "board", 2, 400, real), accuracyRow(name, "2", "pb", ledger.Replay, 2, 500, real))
	}
	l.Sort()
	e := &Estimates{Models: []string{"generic"}, Estimates: []estimate.Result{{Technique: "pb"}, {Technique: "at"}}}
	got := ReferenceAccuracies([]*ledger.Ledger{l}, e, false)
	var out bytes.Buffer
	printReferenceAccuracy(&out, got)
	if want := "known error of PB with model generic: 22.5% of the speed-up, 25.0% of the sequential time, on average over 2 programs (against board; pathspan validate)\n"; out.String() != want {
		t.Errorf("got %q of %+v", out.String(), got)
	}
	if got := ReferenceAccuracies([]*ledger.Ledger{l}, e, true); got != nil {
		t.Errorf("with memory, which no row has: got %+v", got)
	}
	for i := range l.Rows {
		l.Rows[i].Memory = true
	}
	if got := ReferenceAccuracies([]*ledger.Ledger{l}, e, true); len(got) != 1 || !got[0].Memory {
		t.Errorf("with memory, which all rows have: got %+v", got)
	}
	for _, none := range []*Estimates{{}, {Models: []string{"generic"}}, {Models: []string{"leon3"}, Estimates: e.Estimates}, {Models: []string{"generic", "leon3"}, Estimates: e.Estimates}} {
		if got := ReferenceAccuracies([]*ledger.Ledger{l}, none, false); got != nil {
			t.Errorf("%+v: got %+v", none, got)
		}
	}
}

func TestTechniqueAccuracies(t *testing.T) {
	e := &Estimates{Models: []string{"generic"}}
	for _, name := range []string{"pb", "mt", "pb", "at"} {
		e.Estimates = append(e.Estimates, estimate.Result{Technique: name})
	}
	got := TechniqueAccuracies(accuracySample(), e)
	if len(got) != 2 || got[0] != (TechniqueAccuracy{"pb", "generic", 1, 0, 1, 0.25}) || got[1].Technique != "mt" || got[1].MeanError != 1 {
		t.Errorf("got %+v", got)
	}
	var out bytes.Buffer
	printTechniqueAccuracy(&out, got)
	if want := "known error of PB: 0.0% on average over 1 benchmark, 25.0% over 1 made to be hard (against exact replay; pathspan validate)\n"; out.String() != want {
		t.Errorf("got %q", out.String())
	}
	// EB and replay have meter, costs and input in common.
	e.Estimates = append(e.Estimates, estimate.Result{Technique: "eb"})
	if got := TechniqueAccuracies(accuracySample(), e); got != nil {
		t.Errorf("beside EB: %+v", got)
	}
}
