package plan

// This file holds what parts of a program say of an entry against each other.

import (
	"strings"
	"testing"
)

func TestPartsTogether(t *testing.T) {
	p, err := Parse("plan.yaml", []byte("plan:\n- loop: a.c:1\n- loop: b.h:2\n- loop: {function: f, loop: 1}\n- pipeline: [p.c:3, p.c:4]\n"))
	if err != nil {
		t.Fatal(err)
	}
	marked := []Marked{{Entry: 1, File: "b.h", Path: "/x/b.h", Line: 2, Function: "g", Region: true}, {Entry: 1, File: "../b.h", Path: "/x/b.h", Line: 2, Function: "g", Region: true}, {Entry: 2, File: "a.c", Path: "/x/a.c", Line: 9, Function: "f", Region: true}}
	for stage, line := range []int{2, 3, 4} {
		marked = append(marked, Marked{Entry: 3, File: "p.c", Path: "/x/p.c", Line: line, Stage: stage, Function: "main"})
	}
	if got := strings.Join(p.Missing(marked), " "); got != "plan.yaml:2" {
		t.Errorf("missing: %q", got)
	}
	if err := p.Ambiguous(marked); err != nil {
		t.Error(err)
	}
	there := func(file string, line int) bool { return file == "../b.h" && line == 2 }
	if got := p.Notes(marked, there); len(got) != 1 || got[0] != "plan.yaml:4: nothing of a.c:9 is in the compiled program: f is never used; leave the entry out" {
		t.Errorf("%q", got)
	}
	marked = append(marked, Marked{Entry: 2, File: "a.c", Path: "/y/a.c", Line: 9, Function: "f", Region: true})
	const want = "plan.yaml:4: the entry means /x/a.c:9 and /y/a.c:9; name one by FILE:LINE, with more of its path"
	if err := p.Ambiguous(marked); err == nil || err.Error() != want {
		t.Error(err)
	}
}
