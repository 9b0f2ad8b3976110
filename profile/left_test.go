package profile

// This file tests what the run-time library keeps of constructs that are left before their
// end: by jumps, by exceptions, and where the program ends.

import (
	"reflect"
	"testing"

	"pathspan/build/probe"
	"pathspan/ir"
)

// end has the program end.
func (s *script) end() { s.add(6) }

// testLeftExecutions: what is left is an entry of what was executed of it, inside of what is
// around it.
func testLeftExecutions(t *testing.T, exe string) {
	var s script
	inner := func() {
		s.mark(1, 0, 0, 0)
		for section := range 2 {
			s.mark(3, 0, 0, section)
			s.work(5, 1)
			s.mark(4, 0, 0, section)
		}
		s.mark(2, 0, 0, 0)
	}
	s.mark(1, 1, 0, 0) // an outer region
	s.mark(3, 1, 0, 0)
	inner()
	s.mark(4, 1, 0, 0)
	s.mark(3, 1, 0, 1)
	s.mark(1, 0, 0, 0) // the inner one, left in its first section by an exception
	s.mark(3, 0, 0, 0)
	s.work(7, 0)
	inner()
	s.mark(4, 1, 0, 1) // which the outer section catches
	s.mark(3, 1, 0, 2)
	s.mark(4, 1, 0, 2)
	s.mark(2, 1, 0, 0)
	s.mark(1, 1, 0, 0) // and one that the program ends in
	s.mark(3, 1, 0, 0)
	inner()
	s.work(0, 9)
	s.end()
	got, _ := drive(t, exe, s)
	x := executionsOf(got.trees, testHeader())
	if err := x.checkCounts(); err != nil {
		t.Fatal(err)
	}
	part := func(entry int, work ...float64) ExecutionPart { return ExecutionPart{work, entry, 1} }
	lanes := func(all ...[]ExecutionPart) [][]ExecutionPart { return all }
	whole := lanes([]ExecutionPart{part(-1, 5, 1)}, []ExecutionPart{part(-1, 5, 1)})
	want := map[string][][]ExecutionPart{
		"inner":         whole,
		"left inner":    lanes([]ExecutionPart{part(0, 7, 0), part(-1, 0, 0)}, nil),
		"outer":         lanes([]ExecutionPart{part(0, 0, 0)}, []ExecutionPart{part(1, 0, 0)}, []ExecutionPart{part(-1, 0, 0)}),
		"the program's": lanes([]ExecutionPart{part(0, 0, 0), part(-1, 0, 9)}, nil, nil),
	}
	for name, w := range want {
		found := false
		for i := range x.Entries {
			found = found || reflect.DeepEqual(normal(x.Entries[i].Lanes), normal(w))
		}
		if !found {
			t.Errorf("%s is not kept: %+v", name, x)
		}
	}
	if len(x.Entries) != len(want) || len(x.Roots) != 2 || x.Entries[0].Count != 3 {
		t.Errorf("%d entries, roots %v: %+v", len(x.Entries), x.Roots, x)
	}
}

// normal has no lanes that are empty and not nil.
func normal(lanes [][]ExecutionPart) [][]ExecutionPart {
	out := make([][]ExecutionPart, len(lanes))
	for i, l := range lanes {
		out[i] = append(out[i], l...)
	}
	return out
}

// testLeftAnywhere ends random programs after each of some events: all work that was done in
// sections is kept, in executions that add up.
func testLeftAnywhere(t *testing.T, exe string) {
	for seed := range int64(40) {
		p := play(seed, 3)
		for _, part := range []int{1, 3, 5, 7, 9} {
			s, done := p.s.first(len(p.s) * part / 10)
			s.end()
			got, _ := drive(t, exe, s)
			if all := total(got.trees); all != done {
				t.Fatalf("seed %d, %d tenths: work %v, want %v: %+v", seed, part, all, done, got.trees)
			}
			if err := executionsOf(got.trees, testHeader()).checkIfAny(); err != nil {
				t.Fatalf("seed %d, %d tenths: %v", seed, part, err)
			}
		}
	}
}

func (x *Executions) checkIfAny() error {
	if x == nil {
		return nil
	}
	return x.checkCounts()
}

// first is the part of a script of marks and work that has so many words at most, and the
// work that it does in sections.
func (s script) first(words int) (script, [testKinds]uint64) {
	var done [testKinds]uint64
	inside, at := 0, 0
	for at < len(s) {
		size := map[uint64]int{0: 3, 1: 2}[s[at]]
		if at+size > words {
			break
		}
		if s[at] == 0 && inside > 0 {
			done[s[at+1]] += s[at+2]
		}
		if s[at] == 1 {
			switch m := probe.MarkOf(s[at+1]); m.Kind {
			case ir.SectionBegin:
				inside++
			case ir.SectionEnd:
				inside--
			}
		}
		at += size
	}
	return append(script(nil), s[:at]...), done
}

// testLeftLoops ends a program amid the iterations of a loop: what was executed stands where
// it was, and the rest are blocks without work.
func testLeftLoops(t *testing.T, exe string) {
	for _, c := range []struct{ n, executed int }{{1, 1}, {10, 1}, {10, 4}, {100, 99}, {5000, 2500}, {5000, 5000}, {100000, 77777}} {
		var s script
		region := len(testSections)
		s.mark(1, region, 0, 0)
		s.add(4, uint64(c.n), 0)
		s.mark(3, region, 0, 0)
		for range c.executed {
			s.add(5, probe.Event(probe.Iteration, region, 0, 1), 1)
			s.work(3, 0)
		}
		s.end()
		got, _ := drive(t, exe, s)
		x := executionsOf(got.trees, testHeader())
		if x == nil || x.checkCounts() != nil || len(x.Roots) != 1 {
			t.Fatalf("%+v: %+v", c, x)
		}
		e := &x.Entries[x.Roots[0].Entry]
		block, blocks, work := 1, uint64(0), 0.0
		for (c.n+block-1)/block > 512 {
			block *= 2
		}
		for _, p := range e.Lanes[0] {
			blocks, work = blocks+p.Times, work+p.Work[0]*float64(p.Times)
			if least := float64(min(int(blocks)*block, c.executed) * 3); work > least+1e-6 || work < float64(min(int(blocks)*block-block, c.executed)*3)-1e-6 {
				t.Errorf("%+v: %g work in %d blocks of %d", c, work, blocks, block)
			}
		}
		if e.Iterations() != float64(c.n) || int(blocks) != (c.n+block-1)/block || work != float64(3*c.executed) {
			t.Errorf("%+v: %g iterations in %d blocks, work %g", c, e.Iterations(), blocks, work)
		}
	}
}
