package ir

import (
	"fmt"
	"testing"
)

// Threads go on within what is together, and nowhere else.
func TestTogether(t *testing.T) {
	sections, loop := Construct{}, Construct{Loop: &Loop{}}
	on := func(c Construct) Construct { c.NoWait = true; return c }
	single := on(Construct{Single: true})
	for _, c := range []struct {
		all  []Construct
		want string // the first and the number, by construct
	}{
		{[]Construct{sections}, "[0 1]"},
		{[]Construct{on(sections)}, "[0 1]"},
		{[]Construct{on(sections), sections, on(sections)}, "[0 2][0 2][2 1]"},
		{[]Construct{on(loop), on(loop), loop, loop}, "[0 3][0 3][0 3][3 1]"},
		{[]Construct{on(sections), on(loop), on(sections), sections}, "[0 4][0 4][0 4][0 4]"},
		{[]Construct{on(sections), single, sections}, "[0 1][1 1][2 1]"},
	} {
		r, got := Region{Constructs: c.all}, ""
		for i := range c.all {
			first, n := r.Together(i)
			got += fmt.Sprintf("[%d %d]", first, n)
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.all, got, c.want)
		}
	}
}
