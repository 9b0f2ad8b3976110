package ir

import "testing"

func TestUnmodelledIsReadBack(t *testing.T) {
	for _, u := range []Unmodelled{
		{"a.c:6", "parallel for", "run sequentially, " + CountedAround},
		{"?", "task", "run where it is created, run sequentially, " + CountedAround},
		{"dir:x/my file.c:12", "sections", "holds a label: run sequentially, " + CountedAround},
		{"a.c:7", "critical", "time spent waiting for another thread is not estimated"},
	} {
		got, ok := ParseUnmodelled(u.String())
		if !ok || got != u {
			t.Errorf("%q is read as %+v", u, got)
		}
		if got.Serial() != (u.Construct != "critical") {
			t.Errorf("%q: serial is %v", u, got.Serial())
		}
	}
	if u, ok := ParseUnmodelled("2 more runs are in the counts and not in the list of runs"); ok {
		t.Errorf("read as %+v", u)
	}
}
