package ledger

// This file tests shares and winners on rows made by hand.

import (
	"math"
	"slices"
	"strings"
	"testing"
)

// On 2 processors the program takes 500, on 4 really 700 and by the estimate 400: so of the pairs
// 1 and 2, 1 and 4, 2 and 4 the last is foreseen wrong. Another program's differ by less than 5 %.
func TestWinners(t *testing.T) {
	l := &Ledger{Rows: []Row{
		row("a", 2, "eb", 450, 500), row("a", 4, "eb", 400, 700), row("a", 8, "eb", 1100, 960),
		row("b", 2, "eb", 900, 990), row("a", 2, "pb", 450, 500),
	}}
	if got := l.FindWinners(); got != nil {
		t.Errorf("replay is no reference to choose by: %+v", got)
	}
	for i := range l.Rows {
		l.Rows[i].Reference = "board"
	}
	got := l.FindWinners()
	if len(got) != 2 || got[0].Technique != "eb" || got[1].Technique != "pb" || got[1].Pairs != 1 || got[1].Right != 1 {
		t.Fatalf("got %+v", got)
	}
	// 1-2, 1-4, 2-4, 2-8, 4-8; 1 and 8 processors are 4.2 % apart.
	if got[0].Pairs != 5 || got[0].Right != 4 || len(got[0].Wrong) != 1 {
		t.Fatalf("got %+v", got[0])
	}
	w := got[0].Wrong[0]
	if w.Program != "a" || w.Faster != 2 || w.Slower != 4 || math.Abs(w.Real-0.4) > 1e-9 || math.Abs(w.Estimated-(400.0/450-1)) > 1e-9 {
		t.Errorf("got %+v", w)
	}
	l.Rows[1] = row("a", 4, "eb", 450, 700) // as fast as on 2 is not slower
	l.Rows[1].Reference = "board"
	if got := l.FindWinners(); got[0].Right != 4 {
		t.Errorf("a tie names a winner: %+v", got[0])
	}
}

// Two mappings of as many processors are a pair, with each other and with the sequential run.
func TestWinnersOfMappings(t *testing.T) {
	l := &Ledger{Rows: []Row{row("a", 2, "eb", 450, 500), row("a", 2, "eb", 500, 400)}}
	for i := range l.Rows {
		l.Rows[i].Reference = "board"
	}
	l.Rows[1].Mapping = "m.yaml"
	got := l.FindWinners()
	if len(got) != 1 || got[0].Pairs != 3 || got[0].Right != 2 || len(got[0].Wrong) != 1 {
		t.Fatalf("got %+v", got)
	}
	if w := got[0].Wrong[0]; w.FasterBy != "m.yaml" || w.SlowerBy != "" || w.Faster != 2 || w.Slower != 2 {
		t.Errorf("got %+v", w)
	}
	if s := l.Series(); len(s) != 2 || s[0].Mapped || !s[1].Mapped {
		t.Errorf("runs under mapping files are averaged with others: %+v", s)
	}
}

// Shares add up to the errors, and ledgers whose shares do not are refused.
func TestSharesAddUp(t *testing.T) {
	r := row("a", 2, "eb", 450, 500)
	r.Reference, r.ReferenceSequentialCycles = "board", 1200
	r.Finish()
	r.SetShares([]Share{{Of: OfTechnique, Speedup: 0.1, Sequential: 0.01}, {Of: OfBlockCosts, Speedup: 1.0 / 3, Sequential: 7}})
	var speedup, sequential float64
	for _, s := range r.Shares {
		speedup, sequential = speedup+s.Speedup, sequential+s.Sequential
	}
	if math.Abs(speedup-r.Error) > 1e-9 || math.Abs(sequential-r.SequentialError) > 1e-9 || len(r.Shares) != 3 || r.Shares[2].Of != OfRest {
		t.Errorf("%+v of errors %g and %g", r.Shares, r.Error, r.SequentialError)
	}
	if err := r.check(); err != nil {
		t.Error(err)
	}
	for _, change := range []func(*Share){func(s *Share) { s.Speedup += 1e-3 }, func(s *Share) { s.Sequential -= 1e-3 }, func(s *Share) { s.Of = "luck" }} {
		bad := r
		bad.Shares = slices.Clone(r.Shares)
		change(&bad.Shares[1])
		if err := bad.check(); err == nil || !strings.Contains(err.Error(), "share") {
			t.Errorf("%+v: %v", bad.Shares, err)
		}
	}
}
